"""Kernels as other people write them: adapted, run, checked and profiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.extent import Extent
from gpusolve.testing.foreign import Source, profile_kernel, run_kernel
from gpusolve.testing.tools import need_emulation, need_nvrtc

FOUR = Path(__file__).parent / "foreign_kernels" / "four.cu"
STEP = np.dtype([("distance", np.uint32), ("length", np.uint32)])
both = pytest.mark.parametrize("check", [False, True], ids=["run", "checked"])


@pytest.fixture(autouse=True)
def compiler() -> None:
    need_emulation()


def line(words: str) -> int:
    """Return the line of the file that has some words."""
    return FOUR.read_text().partition(words)[0].count("\n") + 1


@both
def test_saxpy(check: bool) -> None:
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    run_kernel(FOUR, "saxpy", 4, 256, 1000, 2.0, x, y, check=check)
    assert (y == 2 * x + 1).all()


@both
def test_a_histogram_with_dynamic_shared_and_constant_memory(check: bool) -> None:
    data = np.random.default_rng(1).integers(0, 256, 5000).astype(np.uint8)
    bins = np.zeros(256, np.uint32)
    bounds = {"bounds": np.array([10, 200], np.uint32)}
    run_kernel(FOUR, "histogram", 3, 96, data, len(data), bins, shared_memory=1024, constants=bounds, check=check)
    assert bins.tolist() == np.bincount(data[(data >= 10) & (data < 200)], minlength=256).tolist()


@both
@pytest.mark.parametrize(("kernel", "dtype"), [("scan<int>", np.int32), ("scan<float, 64>", np.float32)])
def test_a_template_with_tiles_of_a_warp(kernel: str, dtype: Any, check: bool) -> None:
    threads = 64 if "64" in kernel else 128
    given = np.random.default_rng(2).integers(0, 100, (3, threads)).astype(dtype)
    found = np.zeros_like(given)
    run_kernel(FOUR, kernel, 3, threads, given, found, check=check)
    assert (found == np.cumsum(given, axis=1)).all()


@both
def test_a_bitonic_sort_whose_steps_are_structures(check: bool) -> None:
    keys = np.random.default_rng(3).integers(0, 1000, 512).astype(np.int32)
    expected, length = np.sort(keys), 2
    while length <= len(keys):
        distance = length // 2
        while distance:
            run_kernel(FOUR, "bitonic", 2, 256, keys, np.array((distance, length), STEP), check=check)
            distance //= 2
        length *= 2
    assert (keys == expected).all()


@both
def test_blocks_and_grids_of_two_and_three_dimensions(check: bool) -> None:
    matrix = np.random.default_rng(4).random((37, 50), dtype=np.float32)
    turned = np.zeros((50, 37), np.float32)
    run_kernel(FOUR, "transpose", (4, 3), (16, 16), turned, matrix, 50, 37, check=check)
    assert (turned == matrix.T).all()
    out = np.zeros((2 * 3 * 4, 5 * 3 * 7, 4), np.int32)
    run_kernel(FOUR, "places", (2, 3, 4), (5, 3, 7), out, check=check)
    for b, block in enumerate(np.ndindex(4, 3, 2)):
        for t, thread in enumerate(np.ndindex(7, 3, 5)):
            x, y, z = (100 * one + other for one, other in zip(block[::-1], thread[::-1], strict=True))
            assert out[b, t].tolist() == [x, y, z, t % 32]


def test_a_profile_counts_what_a_gpu_does() -> None:
    matrix, turned = np.zeros((64, 64), np.float32), np.zeros((64, 64), np.float32)
    found = profile_kernel(FOUR, "transpose", (4, 4), (16, 16), turned, matrix, 64, 64, instructions=False)
    assert (found.blocks, found.threads, found.items) == (16, 256, 4096)
    assert found.sectors == 2 * 64 * 64 // 8  # each element is read once and written once, 8 in a sector
    assert not found.races
    # A warp has two rows of 16 threads: of 32 words in rows of 17 numbers, or in columns, two lie in the same bank.
    assert found.conflicts == 2 * found.warps


def test_the_compiled_kernels_give_the_same_results() -> None:
    need_nvrtc()
    data, bins = np.arange(256, dtype=np.uint8).repeat(3), np.zeros(256, np.uint32)
    bounds = {"bounds": np.array([5, 250], np.uint32)}
    given = data, len(data), bins
    found = profile_kernel(FOUR, "histogram", 2, 64, *given, shared_memory=1024, constants=bounds)
    assert bins.tolist() == [0] * 5 + [3] * 245 + [0] * 6
    assert found.instructions
    assert found.resources
    rows = np.ones((2, 128), np.int32)
    counted = profile_kernel(FOUR, "scan<int>", 2, 128, rows, np.zeros_like(rows))
    assert 20 < (counted.instructions or 0) < 200
    key = np.array([2, 1], np.int32)
    with pytest.raises(NotImplementedError, match="Step step: instructions with structures are not counted"):
        profile_kernel(FOUR, "bitonic", 1, 2, key, np.array((1, 2), STEP))


@pytest.mark.parametrize(
    ("kernel", "grid", "block", "arguments", "shared", "message"),
    [
        ("outside", (1, 2), (16, 16), (np.zeros((20, 16), np.float32), 16), 0,
         rf"element 320 of out, which has 320 elements, in four.cu:{line('void outside(')}"),
        ("past", 1, 64, (np.zeros(64, np.int32),), 256,
         rf"writes element 64 of rows, which has 64 elements, in four.cu:{line('rows[threadIdx.x + 1] = ')}"),
        ("missed", 1, (32, 2), (np.zeros(32, np.int32),), 0,
         rf"thread \(0, 0, 0\) waits in __syncthreads in four.cu:{line('if (threadIdx.y == 1) return;') + 1}"
         r", and thread \(0, 1, 0\) has returned"),
    ],
)  # fmt: skip
def test_faults_are_found_with_their_line(
    kernel: str, grid: Any, block: Any, arguments: tuple[Any, ...], shared: int, message: str
) -> None:
    with pytest.raises(RuntimeError, match=message):
        run_kernel(FOUR, kernel, grid, block, *arguments, shared_memory=shared)


def test_a_race_in_dynamic_shared_memory_is_found() -> None:
    text = """
        __global__ void pass_on(int *out) {
            extern __shared__ int ring[];
            ring[threadIdx.x] = threadIdx.x;
            out[threadIdx.x] = ring[(threadIdx.x + 32) % 64];
        }"""
    with pytest.raises(RuntimeError, match=r"race on ring\[\d+\] in shared memory: .* kernels.cu:5 .* kernels.cu:4,"):
        run_kernel(text, "pass_on", 1, 64, np.zeros(64, np.int32), shared_memory=256)


def test_numbers_of_half_precision_are_those_of_numpy() -> None:
    text = """
        #include <cuda_fp16.h>
        __global__ void all(const half *a, const half *b, const half *c, half *out, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            out[i] = __hadd(a[i], b[i]);
            out[n + i] = a[i] * b[i];
            out[2 * n + i] = __hfma(a[i], b[i], c[i]);
            half2 pair = __hmul2(__halves2half2(a[i], b[i]), __half2half2(c[i]));
            out[3 * n + i] = __low2half(pair), out[4 * n + i] = __high2half(pair);
            out[5 * n + i] = __float2half(__half2float(a[i]) / 3.0f);
        }"""
    bits = np.random.default_rng(5).integers(0, 1 << 16, (3, 4000)).astype(np.uint16)
    bits[:, :8] = np.array([0, 0x8000, 1, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0xFC00])
    a, b, c = bits.view(np.float16)
    out = np.zeros((6, 4000), np.float16)
    run_kernel(text, "all", 16, 256, a, b, c, out, 4000, check=False)
    with np.errstate(all="ignore"):
        wide = [numbers.astype(np.float64) for numbers in (a, b, c)]
        product = wide[0] * wide[1] + wide[2]
        third = (a.astype(np.float32) / np.float32(3)).astype(np.float16)
        expected = [a + b, a * b, product.astype(np.float16), a * c, b * c, third]
    for row, right in zip(out, expected, strict=True):
        assert np.array_equal(row, right, equal_nan=True)


def test_tiles_of_a_warp_keep_to_themselves() -> None:
    text = """
        #include <cooperative_groups.h>
        #include <cooperative_groups/reduce.h>
        namespace cg = cooperative_groups;
        __global__ void sums(const int *in, int *out) {
            auto block = cg::this_thread_block();
            auto tile = cg::tiled_partition<8>(block);
            unsigned rank = block.thread_rank();
            out[rank] = cg::reduce(tile, in[rank], cg::plus<int>()) + 1000 * tile.ballot(in[rank] > 50);
        }"""
    given = np.random.default_rng(6).integers(0, 100, 96).astype(np.int32)
    out = np.zeros(96, np.int32)
    run_kernel(text, "sums", 1, (12, 8), given, out)
    rows = given.reshape(-1, 8)
    votes = ((rows > 50) << np.arange(8)).sum(axis=1)
    assert out.tolist() == (rows.sum(axis=1) + 1000 * votes).repeat(8).tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("nothing", 1, 1), "four.cu has no kernel nothing, only saxpy, histogram"),
        (("scan", 1, 1, 0, 0), "four.cu has no kernel scan"),
        (("scan<int, 4, 5>", 1, 1, 0, 0), "expected at most 2 arguments of the template"),
        (("sort<int>", 1, 1, 0, 0), "four.cu has no template of a kernel sort"),
        (("saxpy", 1, 1, 4), r"saxpy takes 4 arguments \(int n, float a, float\* x, float\* y\), not 1"),
        (("saxpy", 1, 1, 4, 1.0, 3, 4), "expects an array of NumPy, not int"),
        (("saxpy", 1, 1, 2**31, 1.0, np.zeros(4, np.float32), np.zeros(4, np.float32)), "cannot hold 2147483648"),
        (("saxpy", 1, 1, 4, 1.0, np.zeros(4), np.zeros(4, np.float32)), "an array of float32, not of float64"),
        (("saxpy", 0, 1, 4, 1.0, 3, 4), "grid 0: expected one to three positive numbers"),
        (("saxpy", 1, (64, 32), 4, 1.0, 3, 4), "2,048 threads: expected at most 1,024"),
    ],
)
def test_what_does_not_fit_is_refused(call: tuple[Any, ...], message: str) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError), match=message):
        run_kernel(FOUR, *call)


def test_constants_are_checked() -> None:
    given = (np.zeros(4, np.uint8), 4, np.zeros(256, np.uint32))
    for constants, message in (
        ({"none": np.zeros(2)}, "no array none"),
        ({"bounds": np.zeros(3, np.uint8)}, "has 8 bytes"),
    ):
        with pytest.raises(ValueError, match=message):
            run_kernel(FOUR, "histogram", 1, 32, *given, shared_memory=1024, constants=constants)


def test_a_missing_header_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.cu"
    file.write_text('#include "mine.h"\n__global__ void f(int *x) { *x = 1; }\n')
    with pytest.raises(ValueError, match=r"own.cu: the header mine.h is not beside it"):
        run_kernel(file, "f", 1, 1, np.zeros(1, np.int32))
    file.write_text('#include "helper_cuda.h"\n__global__ void f(int *x) { *x = 1; }\n')
    x = np.zeros(1, np.int32)
    run_kernel(file, "f", 1, 1, x)
    assert x[0] == 1


def test_each_line_keeps_its_number() -> None:
    text = Source.read(FOUR, wanted=["scan<int>", "scan<float>"]).text
    lines: dict[str, set[int]] = {}
    number, name = 0, ""
    for words in text.splitlines():
        if words.startswith("#line"):
            number, name = int(words.split()[1]), words.split()[2]
            continue
        if name == '"four.cu"':
            lines.setdefault(words.strip(), set()).add(number)
        number += 1
    for words in (
        "cg::sync(block);",
        "bool up = (i & step.length) == 0;",
        "x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;",
    ):
        assert lines[words] == {line(words)}


def test_the_stand_in_for_cupy_launches_them() -> None:
    """A package that launches its kernels with CuPy is tested by the same calls on the device ``emulated``."""
    xp = EmulatedBackend(races=True).xp
    module = xp.RawModule(code=Source.read(FOUR).text)
    matrix = xp.asarray(np.arange(35 * 20, dtype=np.float32).reshape(35, 20))
    turned = xp.zeros((20, 35), np.float32)
    arguments = (turned, matrix, np.int32(20), np.int32(35))
    module.get_function("transpose")((2, 3), (16, 16), arguments)
    assert (xp.asnumpy(turned) == xp.asnumpy(matrix).T).all()
    bins, data = xp.zeros(256, np.uint32), xp.zeros(100, np.uint8)
    module.get_function("histogram")((1,), (64,), (data, np.int32(100), bins), shared_mem=1024)
    assert xp.asnumpy(bins).sum() == 0  # the bounds are both 0


def test_extents() -> None:
    assert Extent.of(3, (4, 5)) == Extent((3, 1, 1), (4, 5, 1), 0)
    for grid, block, shared in ((0, 1, 0), ((1, 2, 3, 4), 1, 0), (1, 1025, 0), (1, 1, 1 << 20), (1, 1, -1)):
        with pytest.raises(ValueError, match="expected"):
            Extent.of(grid, block, shared)
