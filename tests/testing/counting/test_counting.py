"""Instructions and bytes are counted without a GPU by running the compiler's PTX on the CPU; results are checked."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.weighing import EXPECTED, ITEMS, PROBE, arguments
from gpusolve.backend import open_backend
from gpusolve.backend.program import Program
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.testing.counting import Counting
from gpusolve.testing.counting.machines import H200, keeps_local, occupancy
from gpusolve.testing.extent import Extent
from gpusolve.testing.foreign import Source
from gpusolve.testing.nvrtc import Resources
from gpusolve.testing.tools import need_emulation, need_nvrtc

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
CPU = open_backend("cpu")


@pytest.fixture
def counting() -> type[Counting]:
    """Make a program's kernels countable."""
    need_nvrtc()
    need_emulation()
    return Counting


def items(program: Program, kernel: str, count: int, arguments: tuple[Any, ...]) -> tuple[Extent, tuple[Any, ...]]:
    """Return the extent and all arguments of a launch of the items 0 to count - 1."""
    return Extent.of_items(count, program.kernel(kernel)), (0, count, *arguments)


def test_each_kind_of_argument_reaches_the_kernel(counting: type[Counting]) -> None:
    given = arguments(CPU)
    counting(PROBE).run("weigh", *items(PROBE, "weigh", ITEMS, tuple(given.values())))
    assert given["out"].tolist() == EXPECTED


def test_bytes_sectors_and_instructions_are_counted(counting: type[Counting]) -> None:
    probe = counting(PROBE)
    out = np.zeros(1024, np.int32)
    counted = [probe.run("count_items", *items(PROBE, "count_items", count, (out,))) for count in (256, 1024, 1)]
    assert out.tolist() == [3] + [2] * 255 + [1] * 768
    assert [(c.read, c.written) for c in counted] == [(1024, 1024), (4096, 4096), (4, 4)]
    assert [c.sectors for c in counted] == [64, 256, 2]  # 32 bytes, read and written
    few, many, one = (c.instructions for c in counted)
    assert many == 4 * few
    assert few / 8 < one <= few  # one lane keeps its warp busy; the other warps only check the loop condition
    assert 5 < few / 256 < 60
    assert sum(counted[1].lines.values()) == pytest.approx(many / 32)
    assert {file for file, _ in counted[1].lines} == {PROBE.source.name}


@pytest.mark.thorough
def test_shuffles_and_shared_memory_work(counting: type[Counting]) -> None:
    """The kernel ``partition`` uses both, and also votes, 64-bit numbers and atomics."""
    words = word_list("wordle-answers").letters[::40]
    guess_terms, terms = kernels.prepare(CPU, kernels.terms_of(words), words)
    out = [np.zeros(len(words), dtype) for dtype in (np.int32, np.int32, np.int64, np.int64, np.uint8)]
    sizes = np.array([len(words)], np.int32)
    table = kernels.nlogn_table(len(words))
    read = (guess_terms, len(words), terms, terms.shape[1], np.zeros(1, np.int32), sizes, table)
    program = kernels.PROGRAM
    counting(program).run("partition", *items(program, "partition", len(words), (*read, *out)))
    expected = kernels.partition(CPU, kernels.terms_of(words), words)
    found: tuple[Any, ...] = (
        expected.patterns,
        expected.largest,
        expected.sum_squares,
        expected.sum_nlogn,
        expected.contains,
    )
    assert all(np.array_equal(a, b[0]) for a, b in zip(out, found, strict=True))


def test_the_estimate_names_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    need_nvrtc()
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import estimate

    used = Resources(registers=118, spill_stores=0, spill_loads=0, stack=0, shared=0)
    assert occupancy(used) == 0.25  # 120 x 256 registers, twice in 65,536
    assert occupancy(used, 64) == 0.25  # the same registers per thread
    assert occupancy(replace(used, registers=32)) == 1.0
    assert occupancy(replace(used, registers=32, shared=100 << 10)) == 0.25  # two blocks of eight warps in 64
    one = estimate.Estimate("call", "game.kernel", "boards", 118, 0, 0.25, 1.0, 5.5, 43.0, 0, 0, {"bits": 0.1}, 1.0)
    assert one.limit == "memory"
    units = {"instructions": 128, "logic": 64, "products": 64, "bits": 16, "exchange": 32}
    counted = estimate.Estimate(
        "call", "game.kernel", "boards", 118, 0, 0.25, 1.0, 0, 0, 0, 0, dict.fromkeys(units, 1.0), 1.0
    )
    assert {name: round(1 / counted.seconds[name] / H200.multiprocessors / H200.clock) for name in units} == units
    assert counted.limit == "bits"
    assert replace(counted, atomics=1.0).limit == "atomics"  # 172 G in a second, and 4.2 T that count bits
    assert replace(counted, local=1.0).limit == "local"  # one in a clock, and 16 that count bits
    assert keeps_local(replace(used, stack=100), 1.0)  # 2,048 threads
    assert not keeps_local(replace(used, stack=128, shared=1), 1.0)
    assert estimate.rows([one])[-1] == (
        "| game.kernel | call | 118 | 0 | 25% | 1 / board | 5.5 | 43 | memory | 100 G boards/s |"
    )


def test_an_estimate_of_one_game_keeps_the_rows_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    need_nvrtc()
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import estimate

    old = "# Title\n\n| kernel |\n| wordle.terms | 1 |\n| quordle.deals | 2 |\n\n## Notes\n"
    merged = estimate.merged(["| quordle.deals | 3 |", "| quordle.games | 4 |"], old, ["quordle"], "| ")
    assert merged == ["| wordle.terms | 1 |", "| quordle.deals | 3 |", "| quordle.games | 4 |"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["queuedle", "quiddler", "tetris", "wordle"])
def test_the_compiled_code_gives_the_results_of_the_twins(
    game: str, counting: type[Counting], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All kernels that the scaled-down benchmarks launch are compared."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from launches import longest

    benchmark = import_module(game)
    with longest(CPU) as launched:
        for work in benchmark.works(CPU, 1e-5).values():
            work.run()
    program = import_module(f"gpusolve.games.{game}.kernels").PROGRAM
    compiled = counting(program)
    of_game = [launch for launch in launched.launch.values() if launch.program is program]
    assert {launch.kernel for launch in of_game} == set(program.kernels)
    for launch in of_game:
        ours, theirs = ([copy(argument) for argument in launch.arguments] for _ in range(2))
        CPU.launch(program, launch.kernel, launch.count, *ours)
        compiled.run(launch.kernel, *items(program, launch.kernel, launch.count, tuple(theirs)))
        for one, other in zip(ours, theirs, strict=True):
            assert np.array_equal(one, other), launch.name


def copy(argument: Any) -> Any:
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def test_lines_of_local_memory_and_sectors_of_atomic_operations_are_counted(counting: type[Counting]) -> None:
    """A line of local memory has the same word of 32 lanes: 32 lanes at one depth need one, at 32 depths 32."""
    source = Source.read("""
        extern "C" __global__ void stack(const int* depths, int* out) {
            int words[64];
            for (int i = 0; i < 64; ++i) words[i] = i * (i + 3);  // 64 writes of a warp
            out[threadIdx.x] = words[depths[threadIdx.x] & 63];   // and a read
        }
        extern "C" __global__ void count(const int* places, int* out) { atomicAdd(&out[places[threadIdx.x]], 1); }
    """)
    counted, extent, out = counting(source), Extent.of(1, 32), np.zeros(256, np.int32)
    depths = {1: np.full(32, 5, np.int32), 32: np.arange(32, dtype=np.int32), 4: np.arange(32, dtype=np.int32) % 4}
    lines = {distinct: counted.run("stack", extent, (given, out)).local_lines for distinct, given in depths.items()}
    assert {distinct: found - lines[1] + 1 for distinct, found in lines.items()} == {1: 1, 32: 32, 4: 4}
    assert lines[1] == 64 + 1
    assert counted.run("stack", extent, (depths[1], out)).local_sectors == 4 * 65
    assert counted.run("stack", extent, (depths[32], out)).local_sectors == 4 * 64 + 32
    for step, sectors in ((0, 1), (1, 4), (8, 32)):
        found = counted.run("count", extent, (np.arange(32, dtype=np.int32) * step, out))
        assert (found.atomics, found.local_lines) == (sectors, 0)
