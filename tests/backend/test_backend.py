"""Choosing a device, its description, and how a batch reaches the kernels."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import gpusolve.backend
from backend.weighing import COLUMNS, EXPECTED, ITEMS, PROBE, arguments, weigh
from gpusolve.backend import Backend, Program, in_batches, open_backend
from gpusolve.backend.cpu import CpuBackend
from gpusolve.errors import BadInput, DeviceUnavailable, explained
from gpusolve.testing.stand_in import Machine, StandIn
from gpusolve.testing.stand_in.machine import FREE, CUDARuntimeError
from gpusolve.testing.tools import need_emulation

# ---- choosing -------------------------------------------------------------------------------------------------------


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Make a machine with two GPUs that are not opened yet."""
    need_emulation()  # for the probe
    made = StandIn(Machine(2))
    monkeypatch.setitem(sys.modules, "cupy", made)
    gpusolve.backend._cuda.cache_clear()
    yield made
    gpusolve.backend._cuda.cache_clear()


@pytest.mark.parametrize(
    "name", ["gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "", " cpu", "cpu:", "cpu:0", "cpu:-2", "cpu:many", "cpu:99999"]
)
def test_an_unknown_device_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match=f"device {name}: expected auto, cpu, cpu:THREADS, cuda or cuda:N"):
        open_backend(name)


def test_the_environment_names_the_device_if_no_device_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_DEVICE", "cpu:3")
    assert open_backend().name == "cpu:3"
    monkeypatch.setenv("GPUSOLVE_DEVICE", "tpu")
    with pytest.raises(BadInput, match="GPUSOLVE_DEVICE tpu: expected"):
        open_backend()


def test_why_cuda_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", StandIn(Machine(2)))
    with pytest.raises(DeviceUnavailable, match=r"there is no cuda:2: the driver shows 2 GPU"):
        open_backend("cuda:2")
    failing = StandIn(Machine(0, "CUDA driver version is insufficient\nmore words"))
    monkeypatch.setitem(sys.modules, "cupy", failing)
    with pytest.raises(DeviceUnavailable, match="cuda:7 does not work: CUDA driver version is insufficient; `gpusolve"):
        open_backend("cuda:7")


def test_auto_falls_back_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    gpusolve.backend._cuda.cache_clear()  # if there is a GPU, it may be open already
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr("gpusolve.backend.driver_version", lambda: None)
    assert "auto" not in open_backend("auto").about  # without a driver, no GPU is missing
    monkeypatch.setattr("gpusolve.backend.driver_version", lambda: (13, 0))
    backend = open_backend("auto")
    assert backend.name == "cpu"
    assert backend.about.endswith(" (auto: CuPy is not installed; `gpusolve doctor` says how to install it)")
    monkeypatch.setitem(sys.modules, "cupy", StandIn(Machine(0, "no driver")))
    assert "auto: cuda:0 does not work: no driver" in open_backend("auto").about
    assert "auto" not in open_backend("cpu").about  # a separate backend, without the note


def test_auto_chooses_a_gpu_that_works(cupy: Any) -> None:
    assert open_backend("auto") is open_backend("cuda:0")
    assert open_backend("auto").about == "cuda:0, Stand-in"


@pytest.mark.parametrize(
    ("device", "name"), [("cpu", "cpu"), ("cpu:3", "cpu:3"), ("cuda", "cuda:0"), ("cuda:1", "cuda:1")]
)
def test_a_name_opens_the_same_device(cupy: Any, device: str, name: str) -> None:
    backend = open_backend(device)
    assert backend.name == name
    assert open_backend(name) is backend


def test_a_name_opens_the_same_device_in_another_process() -> None:
    code = "from gpusolve.backend import open_backend as o; import sys; b = o(sys.argv[1]); print(b.name, b.threads)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, open_backend("cpu:5").name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "cpu:5 5\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
def test_a_forked_process_cannot_use_the_gpu_of_its_parent(cupy: Any) -> None:
    backend = open_backend("cuda")
    pid = os.fork()
    if not pid:  # the child has memory of the stand-in, which would work there
        refused = False
        try:
            backend.empty(3, np.int32)
        except DeviceUnavailable as error:
            refused = "a forked process cannot use the GPU of its parent" in str(error)
        os._exit(0 if refused and not gpusolve.backend._cuda.cache_info().currsize else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_a_gpu_is_probed_once(cupy: Any) -> None:
    for _ in range(3):
        open_backend("cuda")
    assert cupy.machine.asked == ["compile", "probe"]


def test_a_cpu_uses_the_given_number_of_threads() -> None:
    assert (open_backend("cpu:1").about, open_backend("cpu:2").about) == ("cpu, 1 thread", "cpu, 2 threads")
    given = CpuBackend(3)
    seen = given.threads, given._workers._count
    assert seen == (3, 3)
    from numba import config

    assert CpuBackend().threads == config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]


# ---- arrays ---------------------------------------------------------------------------------------------------------


def test_arrays_survive_the_round_trip(backend: Backend) -> None:
    host = np.arange(24, dtype=np.int32).reshape(4, 6)[:, ::2]
    there = backend.asarray(host)
    assert there.flags.c_contiguous
    assert np.array_equal(backend.to_host(there), host)
    empty = backend.empty((3, 5), np.uint8)
    assert backend.to_host(empty).shape == (3, 5)
    assert backend.to_host(empty).dtype == np.uint8


def test_a_batch_is_as_large_as_its_items_allow(backend: Backend) -> None:
    assert backend.batch(1) >= 1 << 20
    assert backend.batch(1 << 10) == pytest.approx(backend.batch(1) / 1024, abs=1)
    assert backend.batch(1 << 50) == 1


def test_a_batch_uses_a_share_of_the_free_memory_of_a_gpu(cupy: Any) -> None:
    assert open_backend("cuda").batch(16) == FREE // 8 // 16


def test_a_kernel_reads_a_mapped_file(backend: Backend, tmp_path: Path) -> None:
    table = np.arange(ITEMS * COLUMNS, dtype=np.int32)
    path = tmp_path / "table"
    path.write_bytes(b"\xff" * 16 + table.tobytes())  # a header precedes the table
    assert weigh(backend, table=backend.map_file(path, np.int32, 16).reshape(ITEMS, COLUMNS)) == EXPECTED


def test_no_kernel_writes_to_a_mapped_file(backend: Backend, tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(bytes(4 * 10))
    numbers = backend.map_file(path, np.int32)
    if backend.xp is np:
        with pytest.raises(TypeError, match=r"count_items: int\* out writes to its array, and this one is read-only"):
            backend.launch(PROBE, "count_items", 10, numbers)
    else:  # a copy on the device
        backend.launch(PROBE, "count_items", 10, numbers)
    assert path.read_bytes() == bytes(4 * 10)


def test_a_missing_file_is_not_mapped(backend: Backend, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="none"):
        backend.map_file(tmp_path / "none", np.int32)


# ---- launches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 1000])
def test_every_item_of_a_batch_is_processed_once(backend: Backend, count: int) -> None:
    out = backend.asarray(np.zeros(count + 1, np.int32))
    backend.launch(PROBE, "count_items", count, out)
    assert backend.to_host(out).tolist() == [1] * count + [0]


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 1000])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_batch_on_a_cpu_is_divided_without_gaps(count: int, threads: int) -> None:
    out = np.zeros(count, np.int32)
    open_backend(f"cpu:{threads}").launch(PROBE, "count_items", count, out)
    assert (out == 1).all()


def test_an_error_in_a_kernel_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    twins: Any = ModuleType("failing_twins")

    def count_items(first: int, last: int, out: object) -> None:
        if first <= 70 < last:
            raise ZeroDivisionError

    twins.count_items = count_items
    monkeypatch.setitem(sys.modules, twins.__name__, twins)
    with pytest.raises(ZeroDivisionError):
        CpuBackend(2).launch(Program(PROBE.source, twins.__name__), "count_items", 100, np.zeros(100, np.int32))


def test_a_short_launch_stays_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    now, takes = 0.0, 1e-6  # the time by the launch's clock, and the duration of a call in seconds
    helped: list[bool] = []
    twins: Any = ModuleType("timed_twins")

    def count_items(first: int, last: int, out: npt.NDArray[np.int32]) -> None:
        nonlocal now
        now += takes
        helped.append(threading.current_thread() is not threading.main_thread())
        out[first:last] += 1

    twins.count_items = count_items
    monkeypatch.setitem(sys.modules, twins.__name__, twins)
    monkeypatch.setattr("gpusolve.backend.cpu.time", SimpleNamespace(perf_counter=lambda: now))
    backend, program = CpuBackend(2), Program(PROBE.source, twins.__name__)

    def launch() -> set[bool]:
        helped.clear()
        out = np.zeros(100, np.int32)
        backend.launch(program, "count_items", 100, out)
        assert (out == 1).all()
        return set(helped)

    assert launch() == {True}  # its duration is not known yet
    assert launch() == {False}
    takes = 1e-3
    assert launch() == {False, True}  # the first chunk took long, so the others are shared
    assert launch() == {True}
    takes = 1e-6
    assert launch() == {True}
    assert launch() == {False}


def test_several_threads_may_launch_at_the_same_time(backend: Backend) -> None:
    def count_up(rounds: int) -> int:
        out = backend.asarray(np.zeros(10_000, np.int32))
        for _ in range(rounds):
            backend.launch(PROBE, "count_items", 10_000, out)
        return sum(set(backend.to_host(out).tolist()))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count_up, range(1, 17))) == list(range(1, 17))


def test_a_twin_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()

    class Twins(ModuleType):
        def __getattr__(self, name: str) -> Any:
            asked[name] += 1
            return lambda first, last, out: None

    monkeypatch.setitem(sys.modules, "counting_twins", Twins("counting_twins"))
    program = Program(PROBE.source, "counting_twins")
    for threads in (None, 1, 2):
        for _ in range(5):
            CpuBackend(threads).launch(program, "count_items", 100, np.zeros(100, np.int32))
    assert asked["count_items"] == 1


def test_a_gpus_kernel_is_looked_up_once(cupy: Any) -> None:
    backend = open_backend("cuda")
    for _ in range(5):
        backend.launch(PROBE, "count_items", 3, backend.empty(3, np.int32))
    assert Counter(cupy.machine.asked) == {"compile": 2, "probe": 1, "count_items": 1}


def test_a_gpu_gets_enough_blocks_and_numbers_of_the_parameters_types(cupy: Any) -> None:
    backend = open_backend("cuda")
    given = arguments(backend)
    backend.launch(PROBE, "weigh", ITEMS, *given.values())
    _, name, blocks, threads, passed = cupy.machine.launches[-1]
    assert (name, blocks, threads, len(passed)) == ("weigh", 1, 256, 10)
    numbers = [value for value in passed if not isinstance(value, cupy.ndarray)]
    assert [(type(number), number) for number in numbers] == [
        (np.int32, 0), (np.int32, ITEMS), (np.int32, COLUMNS), (np.uint8, 3), (np.uint64, 7), (np.float64, 0.5)
    ]  # fmt: skip
    backend.launch(PROBE, "count_items", 1000, backend.empty(1000, np.int32))
    assert cupy.machine.launches[-1][2:4] == (4, 256)
    launches = len(cupy.machine.launches)
    backend.launch(PROBE, "count_items", 0, backend.empty(0, np.int32))
    assert len(cupy.machine.launches) == launches
    with pytest.raises(TypeError, match="expects an array of the device, not ndarray"):
        backend.launch(PROBE, "count_items", 3, np.zeros(3, np.int32))


def test_a_long_launch_is_divided(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 10,000 items per second, a quarter of a second is 2,500 items; the first 1,000 measure the speed."""
    backend: Any = open_backend("cuda")
    backend._full, launched, sizes = 1000, cupy.machine.launches, []
    elapsed = cupy.cuda.get_elapsed_time

    def ten_thousand_per_second(begin: Any, end: Any) -> float:
        assert elapsed(begin, end) >= 0  # both were recorded
        first, last = launched[-1][4][:2]
        return float(last - first) / 10

    monkeypatch.setattr(cupy.cuda, "get_elapsed_time", ten_thousand_per_second)
    out = backend.asarray(np.zeros(7000, np.int32))
    for count in (1000, 7000, 7000, 900):
        before = len(launched)
        backend.launch(PROBE, "count_items", count, out)
        sizes.append([(int(given[0]), int(given[1])) for *_, given in launched[before:]])
    assert sizes[:2] == [[(0, 1000)], [(0, 1000), (1000, 3500), (3500, 6000), (6000, 7000)]]
    assert sizes[2:] == [[(0, 2500), (2500, 5000), (5000, 7000)], [(0, 900)]]
    assert backend.to_host(out)[:900].min() >= 4


def test_large_results_come_through_pinned_memory(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    backend, allocate = open_backend("cuda"), cupy.cuda.alloc_pinned_memory
    sizes: list[int] = []

    def counted(size: int) -> Any:
        sizes.append(size)
        return allocate(size)

    monkeypatch.setattr(cupy.cuda, "alloc_pinned_memory", counted)
    for shape in ((3, 5), (300, 500), (0, 4)):
        host = np.random.default_rng(1).integers(0, 1000, shape)
        found = backend.to_host(backend.asarray(host))
        assert np.array_equal(found, host)
        assert (found.dtype, found.shape) == (host.dtype, host.shape)
        assert found.flags.writeable
    part = backend.to_host(backend.asarray(np.arange(100_000).reshape(1000, 100))[:, 3:])  # not contiguous
    assert part.tolist() == np.arange(100_000).reshape(1000, 100)[:, 3:].tolist()
    assert sizes == [300 * 500 * 8]


def test_results_come_through_other_memory_where_none_is_pinned(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """WSL 2 has little pinned memory."""

    def refused(size: int) -> Any:
        raise CUDARuntimeError("cudaErrorMemoryAllocation: out of memory")

    monkeypatch.setattr(cupy.cuda, "alloc_pinned_memory", refused)
    backend, host = open_backend("cuda"), np.arange(150_000).reshape(300, 500)
    assert np.array_equal(backend.to_host(backend.asarray(host)), host)


def test_workers_share_the_memory_of_a_gpu(cupy: Any) -> None:
    first = open_backend("cuda:0")
    names = [first.share(worker, 5) for worker in range(5)]  # two GPUs
    assert names == ["cuda:0/3", "cuda:1/3", "cuda:0/3", "cuda:1/3", "cuda:0/3"]
    assert [first.share(worker, 2) for worker in range(2)] == ["cuda:0", "cuda:1"]
    second = open_backend("cuda:1")  # workers begin with the GPU that was asked for
    assert [second.share(worker, 2) for worker in range(2)] == ["cuda:1", "cuda:0"]
    assert [second.share(worker, 3) for worker in range(3)] == ["cuda:1/2", "cuda:0/2", "cuda:1/2"]
    assert open_backend("cuda:0/3").name == "cuda:0/3"
    assert open_backend("cuda:0/3").batch(16) == first.batch(16) // 3


def test_free_memory_is_asked_for_each_batch(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = open_backend("cuda")
    before = backend.batch(16)
    monkeypatch.setattr(type(cupy.cuda.runtime), "memGetInfo", lambda self: (FREE // 2, FREE))
    assert backend.batch(16) == before // 2


def test_a_batch_that_has_no_room_is_halved() -> None:
    tried: list[range] = []

    def run(batch: range) -> range:
        tried.append(batch)
        if len(batch) > 3:
            raise MemoryError
        return batch

    done = list(in_batches(range(5, 16), lambda: 100, run))
    cuts = [5, 7, 9, 11, 13, 15, 16]
    assert done == [range(a, b) for a, b in pairwise(cuts)]
    assert tried[:3] == [range(5, 16), range(5, 10), range(5, 7)]
    with pytest.raises(MemoryError):
        list(in_batches(range(1), lambda: 100, lambda batch: np.empty(1 << 60, np.uint8)))


def test_a_gpu_is_current_in_every_thread_that_uses_it(cupy: Any, tmp_path: Path) -> None:
    backends = [open_backend("cuda:0"), open_backend("cuda:1")]
    (tmp_path / "numbers").write_bytes(bytes(12))

    def use(number: int) -> set[int]:
        backend = backends[number % 2]
        out = backend.empty(3, np.int32)
        made = [out, backend.asarray([1, 2]), backend.map_file(tmp_path / "numbers", np.int32)]
        made.append(backend.xp.zeros(5, np.int32))
        backend.launch(PROBE, "count_items", 3, out)
        return {array.device.id for array in made}

    for number in range(4):  # the previous round made the other device current
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(use, number).result() == use(number) == {number % 2}
    devices = [device for device, name, *_ in cupy.machine.launches if name == "count_items"]
    assert devices == [0, 0, 1, 1, 0, 0, 1, 1]


class CUDADriverError(RuntimeError):
    """As in CuPy."""


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (CUDARuntimeError("cudaErrorMemoryAllocation: out of memory"), MemoryError),
        (CUDADriverError("CUDA_ERROR_OUT_OF_MEMORY: out of memory"), MemoryError),
        (CUDARuntimeError("cudaErrorLaunchTimeout: the launch timed out and was terminated"), DeviceUnavailable),
        (CUDADriverError("CUDA_ERROR_LAUNCH_TIMEOUT: the launch timed out"), DeviceUnavailable),
        (CUDARuntimeError("cudaErrorIllegalAddress: an illegal memory access"), CUDARuntimeError),
        (RuntimeError("cudaErrorMemoryAllocation: said by someone else"), RuntimeError),
    ],
)
def test_what_errors_of_cuda_mean(error: Exception, kind: type[Exception]) -> None:
    assert type(explained(error)) is kind


def test_a_batch_is_halved_when_cuda_reports_that_memory_is_full() -> None:
    def run(batch: range) -> list[int]:
        if len(batch) > 2:
            raise CUDARuntimeError("cudaErrorMemoryAllocation: out of memory")
        return list(batch)

    assert list(in_batches(range(5), lambda: 5, run)) == [[0, 1], [2, 3], [4]]
