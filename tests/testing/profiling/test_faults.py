"""Wrong accesses and barriers: each planted one is reported with its line, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Program
from gpusolve.testing import nvrtc
from gpusolve.testing.extent import Extent
from gpusolve.testing.lessons import check, program
from gpusolve.testing.profiling import profile
from gpusolve.testing.profiling.parts import Fault
from gpusolve.testing.profiling.watching import find_races
from gpusolve.testing.tools import need_emulation

PROGRAM = Program(Path(__file__).with_name("faults.cu"), twins="")
ITEMS = 66
NAMES = re.findall(r"__global__ void (\w+)\(", PROGRAM.source.read_text())


def lines_of(name: str) -> set[int]:
    """Return the lines of a kernel that are marked."""
    found, inside = set(), False
    for number, line in enumerate(PROGRAM.source.read_text().splitlines(), 1):
        if match := re.search(r"__global__ void (\w+)\(", line):
            inside = match[1] == name
        if inside and line.endswith("// here"):
            found.add(number)
    return found


def launch(name: str) -> tuple[Any, ...]:
    """Run a kernel on random arrays of the shapes that it declares."""
    kernel, random, shapes = PROGRAM.kernel(name), np.random.default_rng(1), {"last": ITEMS}
    given: list[Any] = [0, ITEMS]
    for parameter in kernel.parameters[2:]:
        assert parameter.shape
        shape = [shapes.get(str(size)) or int(str(size)) for size in parameter.shape]
        given.append(random.integers(0, 100, shape).astype(parameter.dtype))
    blocks = 1 if kernel.threads == 1 else 3
    return find_races(PROGRAM.text, kernel, Extent.of(blocks, 256), tuple(given))


def test_there_are_thirty() -> None:
    kinds = [name.split("_")[0] for name in NAMES]
    assert [kinds.count(kind) for kind in ("outside", "misaligned", "unwritten", "barrier")] == [9, 1, 10, 10]


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(("outside", "misaligned"))])
def test_an_access_outside_of_an_array_ends_the_launch(name: str) -> None:
    need_emulation()
    with pytest.raises(RuntimeError) as raised:
        launch(name)
    (line,) = lines_of(name)
    assert f"in faults.cu:{line}: " in str(raised.value)
    array = (
        "cells" if "shared" in name else "in" if name in ("outside_before", "outside_vector", "misaligned") else "out"
    )
    assert re.search(rf" of {'rows' if name == 'outside_row' else array}, |at element \d+ of in, ", str(raised.value))


def test_an_access_through_a_null_pointer_is_called_that() -> None:
    need_emulation()
    (line,) = lines_of("null_read")
    with pytest.raises(RuntimeError, match=rf"thread 0 reads through a null pointer in faults.cu:{line}: "):
        launch("null_read")


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("unwritten")])
def test_shared_memory_is_written_before_it_is_read(name: str) -> None:
    need_emulation()
    found = [fault for fault in launch(name) if isinstance(fault, Fault)]
    assert {(fault.what, fault.access.line) for fault in found} == {("unwritten", line) for line in lines_of(name)}


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("barrier")])
def test_all_threads_reach_the_same_barrier(name: str) -> None:
    need_emulation()
    with pytest.raises(RuntimeError, match="barrier") as raised:
        launch(name)
    named = {int(line) for line in re.findall(r"faults\.cu:(\d+)", str(raised.value))}
    assert named
    assert named <= lines_of(name)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("clean")])
def test_right_kernels_have_no_fault(name: str) -> None:
    need_emulation()
    assert launch(name) == ()


TEXT = """
#include "common.cuh"

extern "C" __global__ void twice(int first, int last, const int* in /*[last]*/, int* out /*[last]*/) {
    EACH_ITEM(item, 1) out[item] = 2 * in[item];
}
"""


@pytest.mark.parametrize("index", ["item + 100000", "item + 1", "item - 100000", "i64(item) << 40"])
def test_a_lesson_names_the_line_of_a_wrong_index(index: str) -> None:
    need_emulation()
    numbers = np.arange(64, dtype=np.int32)
    wrong = check(
        TEXT.replace("out[item]", f"out[{index}]"), "twice", 64, numbers, np.zeros_like(numbers), expected=numbers
    )
    assert not wrong.passed
    assert "element" in str(wrong)
    assert "of out, which has 64 elements, in lesson.cu:4: " in str(wrong)


def test_a_profile_names_memory_that_is_read_before_it_is_written() -> None:
    need_emulation()
    found = profile(PROGRAM, "unwritten_counter", 1, np.zeros(1, np.int32), instructions=False)
    assert [fault.what for fault in found.faults] == ["unwritten"]
    assert "count in shared memory, which was not written before, in faults.cu:" in str(found)


VOLATILE = """
#include "common.cuh"

extern "C" __global__ void sums(int first, int last, const int* in /*[last][32]*/, int* out /*[last]*/) {
    __shared__ volatile int cells[BLOCK];
    EACH_ITEM(item, WARP) {
        const int lane = threadIdx.x % WARP;
        volatile int* mine = cells + threadIdx.x / WARP * WARP;
        mine[lane] = in[item * 32 + lane];
        for (int half = 16; half > 0; half /= 2) {
            if (lane < half) mine[lane] += mine[lane + half];
        }
        if (lane == 0) out[item] = mine[0];
    }
}
"""


@pytest.mark.parametrize("instructions", [False, True])
def test_volatile_does_not_replace_a_barrier(instructions: bool) -> None:
    """The reduction of a warp as it was written before the lanes of a warp could go different ways."""
    need_emulation()
    if instructions and nvrtc.missing():
        pytest.skip(nvrtc.missing())
    rows = np.arange(640, dtype=np.int32).reshape(20, 32)
    found = profile(program(VOLATILE), "sums", 20, rows, np.zeros(20, np.int32), instructions=instructions)
    assert {race.array for race in found.races} == {"cells"}
    right = VOLATILE.replace("if (lane < half)", "const int other = lane < half ? mine[lane + half] : 0; __syncwarp();")
    right = right.replace("mine[lane] += mine[lane + half];", "mine[lane] += other; __syncwarp();")
    right = right.replace("= in[item * 32 + lane];", "= in[item * 32 + lane]; __syncwarp();")
    found = profile(program(right), "sums", 20, rows, out := np.zeros(20, np.int32), instructions=instructions)
    assert not found.races
    assert out.tolist() == rows.sum(axis=1).tolist()
