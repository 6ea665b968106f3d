"""The searches of Queuedle: against all games where there are few, against recorded results where there are many."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import potential, rules
from gpusolve.games.queuedle.solver import Solution, Solver
from gpusolve.wordlists import load_words
from search.toy import PlainHeap

CPU = open_backend("cpu")
SPEC = rules.parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiueieexuatov")
SMALL = rules.parse_puzzle("tsea/enop/adis/ttre", "eat")
WORDS = load_words("scowl-70")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(SPEC, WORDS, CPU)


@pytest.fixture(scope="module")
def small() -> Solver:
    return Solver(SMALL, WORDS, CPU)


def plain_best(puzzle: rules.Puzzle, words: frozenset[str]) -> int:
    """The best score of all games."""

    def best(position: rules.Position) -> int:
        ways = (best(rules.slide(position, move)) for move in rules.legal_moves(position))
        return max(rules.score(position.grid, words), *ways, 0)

    return best(rules.Position(puzzle.grid, puzzle.queue))


def check(solver: Solver, found: Solution) -> Solution:
    """The moves are legal and give the score."""
    position = rules.replay(solver.puzzle, found.moves)[-1]
    assert rules.score(position.grid, solver.words) == found.score
    return found


def test_every_search_finds_the_best_of_all_games(small: Solver) -> None:
    best = plain_best(SMALL, small.words)
    for found in (
        small.beam(10_000),
        small.beam(10_000, "potential", seed=5),
        small.beam(10_000, endings=2),
        small.best_first(),
        small.best_first("score", batch=1),
        small.auto(20.0, seed=1),
    ):
        assert check(small, found).score == best
        assert found.complete
        assert found.optimal


def test_every_device_gives_the_same(backend: Backend) -> None:
    few = Solver(rules.parse_puzzle("tsea/enop/adis/ttre", "eatns"), WORDS, backend)
    plain = Solver(few.puzzle, WORDS, CPU)
    for search in ("beam", "seeded beam", "best-first"):
        found, expected = (
            {
                "beam": lambda solver=solver: solver.beam(60, endings=2),
                "seeded beam": lambda solver=solver: solver.beam(60, "potential", seed=2),
                "best-first": lambda solver=solver: solver.best_first(expanded=300, batch=50),
            }[search]()
            for solver in (few, plain)
        )
        assert (found.score, found.moves, found.generated) == (expected.score, expected.moves, expected.generated)


def test_no_slide_without_a_queue() -> None:
    empty = Solver(rules.parse_puzzle("east/tttt/eeee/aaaa"), WORDS, CPU)
    for found in (empty.beam(), empty.beam(10, "potential", endings=3), empty.best_first(), empty.auto(20.0)):
        assert (found.score, found.moves, found.optimal) == (19, [], True)


def test_the_score_of_the_example(solver: Solver) -> None:
    assert check(solver, solver.beam(10_000)).score == 75
    assert check(solver, solver.beam(10_000, "potential")).score > 75


def test_a_beam_does_not_depend_on_memory_nor_on_luck(solver: Solver) -> None:
    whole = solver.beam(3000)
    assert not whole.optimal
    least = solver._fixed_memory(1) + 3000 * solver._width_memory() + 28 * 20 * 100
    tight = solver.beam(3000, memory=-(-least // (1 << 20)))
    assert (tight.score, tight.moves, tight.generated) == (whole.score, whole.moves, whole.generated)
    assert solver.beam(3000, seed=7) != solver.beam(3000, seed=8)
    first, second = solver.beam(3000, seed=7), solver.beam(3000, seed=7)
    assert (first.score, first.moves) == (second.score, second.moves)


def test_memory_that_is_too_little(solver: Solver) -> None:
    with pytest.raises(BadInput, match=r"--memory 250: too little for a beam of 1,000,000: expected at least \d+ MiB"):
        solver.beam(1_000_000, memory=250)
    with pytest.raises(BadInput, match="--memory 10: too little for a beam of 1:"):
        solver.auto(1.0, memory=10)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc to read the peak from")
def test_the_memory_is_kept() -> None:
    """A process of its own tells what it took at most, in KiB."""
    program = "from gpusolve.cli import main; main(); print(open('/proc/self/status').read())"
    arguments = "queuedle solve --date 2025-06-01 --strategy beam --width 300000 --memory 300 --device cpu --quiet"
    command = [sys.executable, "-c", program, *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "beam: " in done.stdout
    peak = next(line for line in done.stdout.splitlines() if line.startswith("VmHWM:"))
    assert int(peak.split()[1]) < 300 << 10


def test_a_time_limit_gives_the_best_so_far(solver: Solver) -> None:
    for found in (solver.beam(200_000, time_limit=0.02), solver.best_first(time_limit=0.0)):
        assert not check(solver, found).complete
        assert not found.optimal


def test_endings_are_no_worse(solver: Solver) -> None:
    assert check(solver, solver.beam(50, endings=3)).score >= solver.beam(50).score


def test_auto_goes_on_from_its_checkpoint(solver: Solver, tmp_path: Path) -> None:
    file = tmp_path / "auto.ckpt"
    first = solver.auto(0.01, seed=3, save_to=file)
    assert first.rounds == 1
    second = check(solver, solver.auto(first.seconds + 0.01, seed=3, resume=file))
    assert second.rounds == 2
    assert second.score >= first.score
    assert second.generated > first.generated
    with pytest.raises(BadInput, match="made with seed 3, not with 4"):
        solver.auto(1.0, seed=4, resume=file)


def published(words: frozenset[str], expanded: int, remaining: bool) -> tuple[int, tuple[int, ...], int]:
    """The published search in plain Python: score, moves, states put into the queue."""
    heap, visited, best, pushed = PlainHeap(), set(), (-1, ()), 0
    heap.push(0, rules.Position(SPEC.grid, SPEC.queue))
    for _ in range(expanded):
        position = heap.pop()
        score = rules.score(position.grid, words)
        best = max(best, (score, position.moves), key=lambda found: found[0])
        fnv = 2166136261
        for letter in "".join(position.grid):
            fnv = (fnv ^ ord(letter) - ord("a")) * 16777619 & 0xFFFFFFFF
        if fnv in visited:
            continue
        visited.add(fnv)
        for move in rules.legal_moves(position):
            after = rules.slide(position, move)
            heap.push(rules.score(after.grid, words) + remaining * (15 - len(position.moves)), after)
            pushed += 1
    return *best, pushed


@pytest.mark.parametrize("heuristic", ["score", "score+remaining"])
def test_the_published_search_is_what_it_does_in_plain_python(solver: Solver, heuristic: str) -> None:
    found = solver.best_first(heuristic, 600, batch=1, lossy=True)
    expected = published(solver.words, 600, heuristic == "score+remaining")
    assert (found.score, tuple(found.moves), found.generated) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("heuristic", "score"), [("score", 70), ("score+remaining", 81)])
def test_the_published_results(heuristic: str, score: int) -> None:
    path = os.environ.get("GPUSOLVE_TWL")
    if not path:
        pytest.skip("GPUSOLVE_TWL names no file: the large Scrabble list cannot be shipped")
    words = rules.usable(load_words(path), 5)
    if len(words) != 13_983:
        pytest.skip(f"GPUSOLVE_TWL: {len(words):,} words of 3 to 5 letters, not the 13,983 of the published results")
    found = Solver(SPEC, words, CPU).best_first(heuristic, 500_000, batch=1, lossy=True)
    assert found.score == score


@pytest.mark.slow
def test_six_by_six() -> None:
    puzzle = rules.parse_puzzle("fndoie/edgraa/dqsoei/lxeyat/gainer/stones", "aikiue")
    large = Solver(puzzle, WORDS, CPU)
    assert check(large, large.beam(1000)).score >= rules.score(puzzle.grid, large.words)
    assert check(large, large.beam(1000, "potential")).score > 0


def plain_potential(scores: np.ndarray, weights: np.ndarray, pace: float) -> np.ndarray:
    """One step, on an array with an axis a place."""
    worth = scores.astype(np.float64)
    means = [
        np.expand_dims(np.tensordot(worth**4, weights, axes=([axis], [0])) ** 0.25, axis) for axis in range(worth.ndim)
    ]
    return np.asarray(worth + pace * (sum(means) / worth.ndim - worth))


def test_potentials_are_the_plain_form() -> None:
    scores = Solver(SMALL, WORDS, CPU).scores
    weights = potential.letter_weights(SMALL)
    assert weights.sum() == pytest.approx(1)
    tables = potential.potentials(scores, weights, 3, 0.4)
    assert tables[0] is scores
    unit, worth = 255 // int(scores.max()), scores.reshape((26,) * 4).astype(np.float64)
    for table in tables[1:]:
        worth = plain_potential(worth, weights, 0.4)
        assert np.abs(table.reshape(worth.shape) - unit * worth).max() < 0.51
