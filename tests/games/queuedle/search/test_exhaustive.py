"""The exhaustive search: the best board of all games, on every device; checkpoints; time limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from games.queuedle.oracle import CPU, LONG, SMALL, WORDS, best_score, checked, outcome
from games.queuedle.search.test_bounds import puzzles
from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search import exhaustive
from gpusolve.games.queuedle.search.exhaustive import search_all
from gpusolve.games.queuedle.search.searches import Solver
from recorded import recorded

SEVEN = Puzzle.parse("xqz/eno/vdi kavnwru")
"""A grid with letters that few words have, so that no bound ends the search."""


@settings(max_examples=25)
@given(puzzles())
def test_it_finds_the_best_board_of_all_games(drawn: tuple[Puzzle, list[str]]) -> None:
    puzzle, words = drawn
    solver = Solver(puzzle, dictionary=words, backend=CPU)
    solution = checked(solver, search_all(solver))
    assert (solution.score, solution.bound, solution.proven) == (
        best_score(puzzle, solver.words), solution.score, True,
    )  # fmt: skip


def test_it_does_not_need_its_first_beam(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustive, "REVIEW_WIDTH", 1)
    monkeypatch.setattr(exhaustive, "BATCH", 7)
    monkeypatch.setattr(exhaustive, "DEPTH", {3: 1})
    puzzle = Puzzle.parse("tse/eno/adi eatn")
    solver = Solver(puzzle, dictionary=WORDS, backend=CPU)
    assert checked(solver, search_all(solver)).score == best_score(puzzle, solver.words)


def test_every_device_gives_the_recorded_results(backend: Backend) -> None:
    puzzles = {"3x3": SEVEN, "4x4": SMALL}

    def searches(device: Backend) -> dict[str, list[object]]:
        solvers = {name: Solver(puzzle, dictionary=WORDS, backend=device) for name, puzzle in puzzles.items()}
        return {name: outcome(search_all(solver)) for name, solver in solvers.items()}

    assert searches(backend) == recorded("queuedle/exhaustive", lambda: searches(CPU))


def test_after_slides_it_searches_on() -> None:
    whole = Solver(SMALL, dictionary=WORDS, backend=CPU)
    best = search_all(whole)
    later = Solver(SMALL, moves=best.moves[:1], dictionary=WORDS, backend=CPU)
    assert search_all(later).score == best.score
    assert search_all(later).moves[:1] == best.moves[:1]


def test_a_cut_search_has_a_bound_and_proves_nothing() -> None:
    solver = Solver(LONG, dictionary=WORDS, backend=CPU)
    solution = checked(solver, search_all(solver, time_limit=0.0))
    assert not solution.complete
    assert not solution.proven
    assert solution.score < solution.bound == solver.bound


def test_a_resumed_search_gives_the_same_as_one_that_was_never_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exhaustive, "DEPTH", {3: 5})
    solver, file = Solver(SEVEN, dictionary=WORDS, backend=CPU), tmp_path / "search.json"
    whole, steps = search_all(solver), []

    def stop(done: int, best: int | None) -> None:
        steps.append(done)
        if len(steps) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search_all(solver, checkpoint=file, progress=stop)
    resumed = search_all(solver, resume=file)
    assert outcome(resumed) == outcome(whole)
    assert outcome(search_all(solver, resume=file)) == outcome(whole)  # after its end, too
    with pytest.raises(BadInput, match="queue"):
        search_all(Solver(Puzzle.parse("xqz/eno/vdi kavnwra"), dictionary=WORDS, backend=CPU), resume=file)
