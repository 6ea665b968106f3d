"""The emulation of CUDA on the CPU: every function of cuda_on_cpu.h, and the errors for wrong kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Program
from gpusolve.backend.cuda import BLOCK
from gpusolve.testing import emulation
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.emulation import POISON, have_sanitizers, sanitizer_environment
from gpusolve.testing.extent import Extent
from gpusolve.testing.stand_in.cuda import MOST_BLOCKS
from gpusolve.testing.tools import lacking, need_emulation

WARP = 32
LANES = np.arange(WARP)
ITEMS = 61  # more than the number of warps of MOST_BLOCKS blocks, and not a multiple of it
PROGRAM = Program(Path(__file__).with_name("cuda_on_cpu_test.cu"), twins="")


@pytest.fixture(scope="module", autouse=True)
def compiler() -> None:
    need_emulation()


class Emulator:
    """Launches kernels on NumPy arrays without a backend."""

    def __init__(self, reverse: bool) -> None:
        self.reverse = reverse

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return np.full(int(np.prod(shape)) * np.dtype(dtype).itemsize, POISON, np.uint8).view(dtype).reshape(shape)

    def launch(self, kernel: str, count: int, *arguments: Any, first: int = 0) -> None:
        called = PROGRAM.kernel(kernel)
        blocks = min(-(-(count - first) * called.threads // BLOCK), MOST_BLOCKS)
        values = (first, count, *arguments)
        error = emulation.run(
            PROGRAM.text, called, Extent.of(blocks, BLOCK), values, reverse=self.reverse, sanitize=emulation.sanitized()
        )
        if error:
            raise RuntimeError(error)


@pytest.fixture(params=["forward", "reverse"])
def emulator(request: pytest.FixtureRequest) -> Emulator:
    return Emulator(request.param == "reverse")


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).integers(-1000, 1000, shape, dtype=np.int32)


def test_shuffles(emulator: Emulator) -> None:
    values, rows = numbers(ITEMS, WARP), emulator.empty((ITEMS, 9, WARP), np.int32)
    emulator.launch("shuffles", ITEMS, values, rows)
    eight = LANES & ~7
    sources = [
        np.full(WARP, 5),
        (LANES * 7 + 3) % 32,
        np.where(LANES >= 3, LANES - 3, LANES),
        np.where(LANES + 5 < 32, LANES + 5, LANES),
        LANES ^ 6,
        eight + (LANES + 1) % 8,
        np.where(LANES % 8 >= 3, LANES - 3, LANES),
        np.where(LANES % 8 + 5 < 8, LANES + 5, LANES),
        np.where((LANES ^ 12) // 8 <= LANES // 8, LANES ^ 12, LANES),  # a higher group is out of reach
    ]
    np.testing.assert_array_equal(rows, np.stack([values[:, source] for source in sources], axis=1))


def test_shuffles_of_other_types(emulator: Emulator) -> None:
    wide = np.random.default_rng(2).integers(0, 2**64, (ITEMS, WARP), dtype=np.uint64)
    real = wide / 3.0
    new_wide, new_real = np.array(wide), np.array(real)
    emulator.launch("reversed", ITEMS, new_wide, new_real)
    np.testing.assert_array_equal(new_wide, wide[:, ::-1])
    np.testing.assert_array_equal(new_real, real[:, ::-1])


def test_votes(emulator: Emulator) -> None:
    values, rows = numbers(ITEMS, WARP), emulator.empty((ITEMS, 11, WARP), np.uint32)
    values[3, 9] = -1001
    emulator.launch("votes", ITEMS, values, rows)
    bits = values.view(np.uint32)
    expected = [
        ((values & 1).astype(np.uint32) << LANES.astype(np.uint32)).sum(1, dtype=np.uint32),
        (values < -1000).any(1),
        (values > -1000).all(1),
        bits.sum(1, dtype=np.uint32),
        bits.min(1),
        bits.max(1),
        np.bitwise_or.reduce(bits, 1),
        np.bitwise_and.reduce(bits, 1),
        np.bitwise_xor.reduce(bits, 1),
        values.min(1).view(np.uint32),
        values.max(1).view(np.uint32),
    ]
    expected_rows = np.stack([row.astype(np.uint32) for row in expected], axis=1)
    np.testing.assert_array_equal(rows, np.broadcast_to(expected_rows[:, :, None], rows.shape))


def test_partial_masks(emulator: Emulator) -> None:
    values, sums = numbers(ITEMS, WARP), emulator.empty((ITEMS, WARP), np.int32)
    emulator.launch("partial", ITEMS, values, sums)
    low, high = values[:, :20].sum(1, keepdims=True) * 20 * 20, values[:, 20:].sum(1, keepdims=True)
    np.testing.assert_array_equal(sums, np.where(LANES < 20, low, high) + low)


def test_warps_of_a_block_may_reach_different_numbers_of_barriers(emulator: Emulator) -> None:
    items = 8
    values, results = numbers(items, BLOCK) % 90, emulator.empty((items, 5), np.int32)
    values[2, 100], values[4, 17] = 77, 100
    emulator.launch("uneven", items, values, results)
    rounds = 1 + np.arange(BLOCK) // WARP
    expected = [
        (values * rounds).sum(1),
        np.full(items, BLOCK),
        (values & 1).sum(1),
        (values == 77).any(1),
        (values < 100).all(1),
    ]
    np.testing.assert_array_equal(results, np.stack(expected, axis=1))


def test_atomics(emulator: Emulator) -> None:
    count = 2000
    values = np.random.default_rng(3).integers(0, 2**32, count, dtype=np.uint32)
    start = np.array([5, 6, 2**32 - 1, 0, 2**32 - 1, 0, 7, 0, 0, 1], np.uint32)
    places, wide, least = np.array(start), np.zeros(1, np.uint64), np.zeros(1, np.int32)
    emulator.launch("atomics", count, values, places, wide, least)
    total = int(values.sum(dtype=np.uint64))
    expected = [
        (5 + total) % 2**32,
        (6 - total) % 2**32,
        values.min(),
        values.max(),
        np.bitwise_and.reduce(values),
        np.bitwise_or.reduce(values),
        7 ^ np.bitwise_xor.reduce(values),
        1,
        1,
        reduce(lambda x, _: (x * 3 + 1) % 2**32, range(count), 1),
    ]
    assert places.tolist() == expected
    assert int(wide[0]) == (total << 32) % 2**64
    assert least[0] == values.view(np.int32).min() - 100


def test_bits(emulator: Emulator) -> None:
    pairs = np.random.default_rng(4).integers(0, 2**32, (700, 2), dtype=np.uint32)
    pairs[:3] = [[0, 0], [0, 1], [2**31, 2**32 - 1]]
    rows = emulator.empty((700, 16), np.uint64)
    emulator.launch("bits", 700, pairs, rows)
    assert rows.tolist() == [bits(x, y) for x, y in pairs.tolist()]


def bits(x: int, y: int) -> list[int]:
    """Return the results that the kernel ``bits`` should give for two 32-bit numbers."""

    def signed(value: int) -> int:
        return value - 2**32 if value >= 2**31 else value

    def lowest(value: int) -> int:
        return (value & -value).bit_length()

    xy, yx = x << 32 | y, y << 32 | x
    # selector 0x9e30: byte 0 of x, byte 3 of x, the sign of byte 2 of y, the sign of byte 1 of x
    signs = (255 if y >> 23 & 1 else 0) << 16 | (255 if x >> 15 & 1 else 0) << 24
    return [
        x.bit_count(),
        xy.bit_count(),
        32 - x.bit_length(),
        64 - xy.bit_length(),
        lowest(x),
        lowest(xy),
        int(f"{x:032b}"[::-1], 2),
        (x & 255) | (x >> 24) << 8 | signs,
        (yx << 5 >> 32) % 2**32,
        (yx >> 5) % 2**32,
        x * y >> 32,
        min(x, y),
        max(signed(x), signed(y)) % 2**64,
        max(x & 255, y & 255),
        min(xy, x),
        4,
    ]


@pytest.mark.parametrize("limit", [1, 31, 32, 33, 255, 256])
def test_threads_may_return_early(emulator: Emulator, limit: int) -> None:
    results = np.zeros((2, BLOCK), np.uint32)
    emulator.launch("early_exit", 2, limit, results)
    warps = [(1 << min(WARP, max(0, limit - first))) - 1 for first in range(0, BLOCK, WARP)]
    expected = np.repeat(np.array(warps, np.uint32), WARP) * (np.arange(BLOCK) < limit)
    np.testing.assert_array_equal(results, np.stack([expected, expected]))


@pytest.mark.parametrize("limit", [1, 31, 32, 33, 255])
def test_a_barrier_after_threads_have_returned_is_an_error(emulator: Emulator, limit: int) -> None:
    results = np.zeros((1, BLOCK), np.uint32)
    with pytest.raises(RuntimeError, match=r"waits in __syncthreads_count in \S+:\d+, and thread \d+ has returned"):
        emulator.launch("barrier_after_exit", 1, limit, results)
    emulator.launch("barrier_after_exit", 1, BLOCK, results)
    assert (results == BLOCK).all()


def test_a_barrier_in_two_places_is_an_error(emulator: Emulator) -> None:
    text = (Path(__file__).with_name("cuda_on_cpu_test.cu")).read_text().splitlines()
    one = next(number for number, line in enumerate(text, 1) if "if (threadIdx.x & 1) __syncthreads();" in line)
    with pytest.raises(RuntimeError, match="not all threads reach the same barrier") as raised:
        emulator.launch("two_barriers", 1, np.zeros((1, BLOCK), np.uint32))
    assert f"cuda_on_cpu_test.cu:{one}" in str(raised.value)
    assert f"cuda_on_cpu_test.cu:{one + 3}" in str(raised.value)


def test_a_missing_barrier_is_found_in_one_of_the_orders() -> None:
    both = []
    for reverse in (False, True):
        emulator = Emulator(reverse)
        both.append(np.zeros((4, BLOCK), np.int32))
        emulator.launch("missing_barrier", 4, both[-1])
    assert (both[0] != both[1]).any()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux lists the mappings of a process there")
@pytest.mark.thorough
def test_libraries_share_their_stacks() -> None:
    """Each stack takes two mappings of memory, and Linux gives a process 65,530; threads fail when they are used up."""

    def mappings() -> int:
        return len(Path("/proc/self/maps").read_text().splitlines())

    def launch(text: str) -> str:
        both = np.zeros((4, BLOCK), np.int32)
        called, sanitize = PROGRAM.kernel("missing_barrier"), emulation.sanitized()
        return emulation.run(text, called, Extent.of(4, BLOCK), (0, 4, both), reverse=False, sanitize=sanitize)

    texts = [PROGRAM.text + f"\n// a library of its own, number {number}\n" for number in range(3)]
    assert launch(texts[0]) == ""
    before = mappings()
    assert [launch(text) for text in texts * 2] == [""] * 6
    assert mappings() < before + 100


def run_ahead(kernel: str, *arguments: Any, ahead: bool = True) -> str:
    values, called = (0, ITEMS, *arguments), PROGRAM.kernel(kernel)
    extent, sanitize = Extent.of(MOST_BLOCKS, BLOCK), emulation.sanitized()
    return emulation.run(PROGRAM.text, called, extent, values, reverse=False, sanitize=sanitize, ahead=ahead)


@pytest.mark.parametrize("kernel", ["pass_on", "move_odd"])
def test_a_barrier_that_a_vote_does_not_replace_is_found(kernel: str) -> None:
    """It is found although the results are right if votes are barriers, in both orders; the arrays are restored."""
    rows = np.random.default_rng(1).integers(0, 100, (ITEMS, WARP)).astype(np.int32)
    texts = PROGRAM.source.read_text().partition(f" {kernel}(")
    line = (texts[0] + texts[2].partition("__ballot_sync")[0]).count("\n") + 1
    given = [rows.copy(), np.zeros_like(rows)][: 2 if kernel == "pass_on" else 1]
    before = [array.copy() for array in given]
    assert f"{kernel}: a barrier is missing near cuda_on_cpu_test.cu:{line}" in run_ahead(kernel, 0, *given)
    assert all(np.array_equal(one, other) for one, other in zip(given, before, strict=True))
    assert run_ahead(kernel, 0, *given, ahead=False) == ""
    expected, given = given, [array.copy() for array in before]
    assert run_ahead(kernel, 1, *given) == ""
    assert all(np.array_equal(one, other) for one, other in zip(given, expected, strict=True))


def test_a_divergent_barrier_is_reported(emulator: Emulator) -> None:
    for _ in range(2):  # the fibres can be used for another launch
        with pytest.raises(
            RuntimeError,
            match=r"divergent: block \d+: deadlock .*thread 7 waits in __syncwarp in cuda_on_cpu_test.cu:\d+;",
        ):
            emulator.launch("divergent", 4)
    test_shuffles(emulator)


def test_different_barriers_in_a_warp_are_reported(emulator: Emulator) -> None:
    with pytest.raises(RuntimeError, match=r"mixed: block 0: deadlock .* in cuda_on_cpu_test.cu:\d+"):
        emulator.launch("mixed", 1, np.zeros((1, WARP), np.int32))


def test_a_shuffle_from_an_inactive_lane_gives_poison(emulator: Emulator) -> None:
    results = np.zeros((1, WARP), np.uint32)
    emulator.launch("absent", 1, 0, results)
    assert results[0].tolist() == [int.from_bytes([POISON] * 4, "little")] * 16 + [0] * 16
    with pytest.raises(
        RuntimeError,
        match=r"thread \d+: the mask of __\w+_sync in cuda_on_cpu_test.cu:\d+ does not include the calling lane",
    ):
        emulator.launch("absent", 1, 1, results)


def test_traps_and_assertions_are_reported(emulator: Emulator) -> None:
    trap = np.zeros(1000, np.uint8)
    emulator.launch("traps", 1000, trap)
    trap[700] = 1
    with pytest.raises(RuntimeError, match=r"traps: block 2: thread 188: __trap"):
        emulator.launch("traps", 1000, trap)
    trap[700] = 2
    with pytest.raises(RuntimeError, match=r"thread 188: assert\(trap\[item\] != 2\)"):
        emulator.launch("traps", 1000, trap)


@pytest.mark.parametrize("kernel", ["visit", "visit_by_blocks"])
def test_the_last_items_of_the_largest_batch_are_processed_once(emulator: Emulator, kernel: str) -> None:
    first, last = 2**31 - 5, 2**31 - 1  # in an int, the next item would be negative, and the loop would never end
    counts = np.zeros(16, np.uint32)
    emulator.launch(kernel, last, counts, first=first)
    assert counts.tolist() == [int(remainder in {item % 16 for item in range(first, last)}) for remainder in range(16)]


def test_threads_may_launch_at_the_same_time(emulator: Emulator) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: test_warps_of_a_block_may_reach_different_numbers_of_barriers(emulator), range(20)))


def test_a_compile_error_names_file_and_line(tmp_path: Path) -> None:
    source = tmp_path / "broken.cu"
    source.write_text(
        '// a comment\n#include "common.cuh"\nextern "C" __global__ void f(int first, int last) {\n    wrong();\n}\n'
    )
    with pytest.raises(RuntimeError, match=r"broken\.cu:4:5: error: .*wrong"):
        EmulatedBackend().launch(Program(source, twins=""), "f", 1)


@pytest.mark.parametrize(
    ("memory", "index", "message"),
    [
        (0, 63, ""),
        (0, 64, "heap-buffer-overflow"),
        (1, 64, "global-buffer-overflow"),
        (2, 64, "stack-buffer-overflow"),
    ],
    ids=["inside", "global", "shared", "local"],
)
@pytest.mark.thorough
def test_the_sanitizer_finds_a_wrong_index(memory: int, index: int, message: str) -> None:
    if not have_sanitizers():
        lacking("emulated", "g++ has no AddressSanitizer here")
    code = f"""
from pathlib import Path
from typing import Any
import numpy as np
from gpusolve.backend import Program
from gpusolve.testing.emulated import EmulatedBackend
program, backend = Program(Path({str(PROGRAM.source)!r}), twins=""), EmulatedBackend()
backend.launch(program, "element", 1, {memory}, {index}, backend.asarray(np.zeros(64, np.int32)))
"""
    environment = {**os.environ, **sanitizer_environment(), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == bool(message), done.stderr
    assert message in done.stderr
    assert not message or "element" in done.stderr, "the report does not name the kernel"


def test_the_environment_of_a_sanitized_run_is_printed() -> None:
    command = [sys.executable, "-m", "gpusolve.testing.emulation"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert dict(pair.split("=", 1) for pair in done.stdout.split()) == sanitizer_environment()
    assert not done.stderr
