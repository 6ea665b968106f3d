"""Choosing a device, and how a batch is cut."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gpusolve.backend.source import inline_common, signatures

from gpusolve.backend import open_backend
from gpusolve.backend.cpu import CpuBackend
from gpusolve.errors import BadInput, DeviceUnavailable


@pytest.mark.parametrize("name", ["gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "", " cpu"])
def test_an_unknown_device_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="expected auto, cpu, cuda or cuda:N"):
        open_backend(name)


def test_the_environment_is_asked_when_no_device_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu")
    assert open_backend().name == "cpu"
    monkeypatch.setenv("GPUSOLVE_DEVICE", "tpu")
    with pytest.raises(BadInput, match="GPUSOLVE_DEVICE tpu: expected"):
        open_backend()


def fake_cupy(monkeypatch: pytest.MonkeyPatch, devices: int, error: Exception | None = None) -> None:
    """A CuPy whose driver shows `devices` GPUs, or fails with `error`."""

    def count() -> int:
        if error is not None:
            raise error
        return devices

    cupy: Any = ModuleType("cupy")
    cupy.cuda = SimpleNamespace(runtime=SimpleNamespace(getDeviceCount=count))
    monkeypatch.setitem(sys.modules, "cupy", cupy)


def test_why_cuda_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_cupy(monkeypatch, 2)
    with pytest.raises(DeviceUnavailable, match=r"there is no cuda:2: the driver shows 2 GPU"):
        open_backend("cuda:2")
    fake_cupy(monkeypatch, 0, RuntimeError("CUDA driver version is insufficient\nmore words"))
    with pytest.raises(DeviceUnavailable, match="cuda:0 does not work: CUDA driver version is insufficient; `gpusolve"):
        open_backend("cuda")
    backend = open_backend("auto")
    assert backend.name == "cpu"
    assert "auto: cuda:0 does not work: CUDA driver version is insufficient" in backend.about


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 1000])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_batch_is_cut_without_gaps(monkeypatch: pytest.MonkeyPatch, count: int, threads: int) -> None:
    twins: Any = ModuleType("gpusolve.games.counting.cpu")

    def count_items(first: int, last: int, out: np.ndarray) -> None:
        out[first:last] += 1

    twins.count_items = count_items
    monkeypatch.setitem(sys.modules, twins.__name__, twins)
    backend = CpuBackend()
    backend.threads = threads
    out = backend.empty(count, np.int64)
    out[:] = 0
    backend.launch("counting", "count_items", count, out)
    assert (out == 1).all()


def test_an_error_in_a_kernel_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    twins: Any = ModuleType("gpusolve.games.failing.cpu")

    def fail(first: int, last: int) -> None:
        if first <= 70 < last:
            raise ZeroDivisionError

    twins.fail = fail
    monkeypatch.setitem(sys.modules, twins.__name__, twins)
    with pytest.raises(ZeroDivisionError):
        CpuBackend().launch("failing", "fail", 100)


def test_arrays_come_back_as_they_went(backend: Any) -> None:
    host = np.arange(24, dtype=np.int32).reshape(4, 6)[:, ::2]
    there = backend.asarray(host)
    assert np.array_equal(backend.to_host(there), host)
    empty = backend.empty((3, 5), np.uint8)
    assert (backend.to_host(empty).shape, backend.to_host(empty).dtype) == ((3, 5), np.uint8)


def test_an_include_but_common_is_refused() -> None:
    with pytest.raises(ValueError, match="must include common"):
        inline_common("int x;\n", "x.cu")


def test_signatures_of_every_form_of_kernel() -> None:
    text = inline_common('#include "common.cuh"\n', "x.cu") + (
        'extern "C" __global__ void __launch_bounds__(BLOCK) one(int first, int last,\n'
        "        const u8* __restrict__ x, u64 seed) {}\n"
        'extern "C" __global__ void two(int first, int last, int *out) {}\n'
        "__device__ int helper(int x) { return x; }\n"
    )
    assert signatures(text) == {
        "one": [("int", "first"), ("int", "last"), ("u8*", "x"), ("u64", "seed")],
        "two": [("int", "first"), ("int", "last"), ("int*", "out")],
    }
