"""Profiles of kernels whose counts can be worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Program
from gpusolve.backend.program import insert_headers
from gpusolve.testing import nvrtc
from gpusolve.testing.counting import Counting
from gpusolve.testing.profiling import Line, Profile, profile
from gpusolve.testing.profiling.pictures import lanes, memory
from gpusolve.testing.tools import need_emulation, need_nvrtc

PROGRAM = Program(Path(__file__).with_name("steps.cu"), twins="")
ITEMS = 64  # two warps


@pytest.fixture(autouse=True)
def compiler() -> None:
    need_emulation()


def profiled(kernel: str, count: int, *arguments: Any, **options: Any) -> Profile:
    return profile(PROGRAM, kernel, count, *arguments, instructions=False, **options)


def line(found: Profile, mark: str) -> Line:
    """Return the line that ends with a comment."""
    (one,) = [one for one in found.lines if one.text.endswith(f"// {mark}")]
    return one


def zeros(count: int = ITEMS) -> Any:
    return np.zeros(count, np.int32)


def test_sectors_and_used_bytes() -> None:
    given, out = np.arange(ITEMS, dtype=np.int32), zeros(2 * ITEMS)
    found = profiled("rows", ITEMS, given, out)
    assert out[::2].tolist() == given.tolist()
    copy = line(found, "copy")
    assert (copy.requests, copy.sectors, copy.used) == (4, 2 * (4 + 8), 2 * (128 + 128))
    assert (found.sectors, found.used) == (24, 2 / 3)
    assert (found.blocks, found.warps, found.instructions, found.occupancy, found.races) == (1, 8, None, None, ())


def test_lines_of_headers_are_told_apart() -> None:
    """Two headers and the program exchange values in lines with the same number."""
    exchange = "__device__ int {}(int x) {{ return __shfl_xor_sync(FULL, x, 1); }}  // {}\n"
    kernel = (
        'extern "C" __global__ void f(int first, int last, int* __restrict__ out /*[last]*/) { EACH_ITEM(item, 1)'
        " out[item] = one(two(item)) + __shfl_xor_sync(FULL, 1, 1) + warp_max(0); }  // f\n"
    )
    program = Program(Path("x.cu"), twins="")
    program.__dict__["text"] = insert_headers('#include "common.cuh"\n', "x.cu") + "".join(
        f'#line 7 "{name}"\n{text}'
        for name, text in [
            ("one.cuh", exchange.format("one", "one")), ("two.cuh", exchange.format("two", "two")), ("x.cu", kernel)
        ]
    )  # fmt: skip
    out = zeros()
    found = profile(program, "f", ITEMS, out, instructions=False)
    assert out.tolist() == [item + 1 for item in range(ITEMS)]
    exchanges = {(one.file, one.number): one.exchanges for one in found.lines if one.exchanges}
    (common,) = [place for place in exchanges if place[0] == "common.cuh"]
    assert exchanges == {("one.cuh", 7): 2, ("two.cuh", 7): 2, ("x.cu", 7): 2, common: 10}


def test_a_vector_is_one_access() -> None:
    given = np.arange(4 * ITEMS, dtype=np.int32).reshape(ITEMS, 4)
    out = np.zeros((ITEMS, 4), np.uint32)
    found = profiled("vectors", ITEMS, given, out)
    assert (out - given == np.array([0, 0, 0, 1])).all()
    for mark in ("read", "write"):
        one = line(found, mark)
        assert (one.requests, one.sectors, one.used) == (2, 32, 1024)


def test_a_loop_waits_for_the_lane_with_most_rounds() -> None:
    out = zeros()
    found = profiled("rounds", ITEMS, out)
    one = line(found, "round")
    assert one.runs == 2 * 31
    assert one.lanes == pytest.approx(16)
    assert found.divergent >= 2 * 30
    steps = [bin(mask).count("1") for number, mask in found.steps.tolist() if found.lines[number] is one]
    assert steps == sorted(steps, reverse=True)  # one lane after the other leaves the loop
    assert steps[0] == 31


def test_the_sides_of_a_branch_run_one_after_the_other() -> None:
    found = profiled("sides", ITEMS, zeros())
    odd, even, together = (line(found, mark) for mark in ("odd", "even", "together"))
    assert [one.lanes for one in (odd, even, together)] == [16, 16, 32]
    assert line(found, "branch").divergent == 2
    assert (even.atomics, even.collisions) == (2, 0)
    assert found.barriers == 2


@pytest.mark.parametrize(("stride", "conflicts"), [(1, 0), (2, 1), (3, 0), (8, 7), (32, 31)])
def test_bank_conflicts(stride: int, conflicts: int) -> None:
    found = profiled("banks", ITEMS, stride, zeros())
    assert (line(found, "word").shared, line(found, "word").conflicts) == (2, 2 * conflicts)
    assert line(found, "same").conflicts == 0  # a bank gives one word to any number of lanes
    assert found.barriers == 2  # warps without an item have left


@pytest.mark.parametrize("counters", [1, 4, 32])
def test_atomics_collide(counters: int) -> None:
    out = zeros(counters)
    found = profiled("counters", ITEMS, counters, out)
    assert out.sum() == ITEMS
    assert found.collisions == 2 * (32 - counters)


def test_instructions_beside_machine_code() -> None:
    """Straight code runs each of the compiler's machine instructions once per warp; the rest is the loop over items."""
    need_nvrtc()
    words = np.arange(ITEMS, dtype=np.uint32)
    found = profile(PROGRAM, "straight", ITEMS, words, words.copy(), threads=64)
    assert found.instructions is not None
    assert found.resources == nvrtc.compile(PROGRAM.text, PROGRAM.source.name, "sm_90")["straight"]
    machine = Counting(PROGRAM).machine["straight"]
    assert 0.8 * machine < found.instructions <= machine
    assert found.occupancy == 1.0


def test_the_warp_that_is_shown_can_be_chosen() -> None:
    second = profiled("rows", 40, np.arange(40, dtype=np.int32), zeros(80), warp=1)
    copies = [mask for number, mask in second.steps.tolist() if second.lines[number].text.endswith("// copy")]
    assert set(copies) == {0xFF}  # items 32 to 39
    assert second.arrays[0].name == "in"
    assert second.arrays[0].owner.tolist() == list(range(40))


def test_errors_are_those_of_a_launch() -> None:
    with pytest.raises(RuntimeError, match="deadlock at a divergent barrier"):
        profiled("deadlock", ITEMS, zeros())
    with pytest.raises(TypeError, match="expects an array of int32"):
        profiled("sides", ITEMS, np.zeros(ITEMS))
    with pytest.raises(ValueError, match="no kernel none"):
        profiled("none", 1)


def test_a_launch_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpusolve.testing.profiling import watching

    monkeypatch.setattr(watching, "MOST_EVENTS", 100)
    with pytest.raises(RuntimeError, match="too many events for a profile: launch fewer items"):
        profiled("rounds", ITEMS, zeros())


def test_table_and_pictures() -> None:
    found = profiled("sides", ITEMS, zeros())
    text = str(found)
    assert text.startswith("sides: 64 items, 1 block of 256 threads, 8 warps\nactive lanes ")
    assert "races         none" in text
    odd = line(found, "odd")
    (row,) = [row for row in text.splitlines() if row.endswith("// odd")]
    assert row.split()[:3] == [str(odd.number), "0.2", "16.0"]  # two of eight warps
    assert "instructions" not in text
    drawn = lanes(found.lines, found.steps)
    assert f"steps.cu:{odd.number}, 16 of 32 lanes" in drawn
    assert "out[3]: thread 3, lane 3" in memory(found.arrays[0])
    assert drawn in found._repr_html_()
