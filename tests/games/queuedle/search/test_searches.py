"""The beam and best-first search: on small puzzles against all games, on larger ones against recorded results."""

from __future__ import annotations

import pytest

from games.queuedle.oracle import CPU, LARGE, PUBLISHED, SMALL, WORDS, best_score, checked, outcome
from gpusolve.backend import Backend
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search.auto import beams_in_rounds
from gpusolve.games.queuedle.search.searches import Solver
from recorded import recorded
from search.toy import PlainHeap


def test_every_search_finds_the_best_board_of_all_games(small: Solver) -> None:
    best = best_score(SMALL, small.words)
    for solution in (
        small.beam(width=10_000),
        small.beam(width=10_000, heuristic="potential", seed=5),
        small.beam(width=10_000, endings=2),
        small.best_first(),
        small.best_first(heuristic="score", batch=1),
        beams_in_rounds(small, seed=1, time_limit=20.0),
    ):
        assert checked(small, solution).score == best
        assert solution.complete
        assert solution.proven


def searches(backend: Backend) -> dict[str, list[object]]:
    """Score, slides and number of boards of small searches."""
    solver = Solver(Puzzle.parse("tsea/enop/adis/ttre eatns"), dictionary=WORDS, backend=backend)
    return {
        "beam": outcome(solver.beam(width=60, endings=2)),
        "seeded beam": outcome(solver.beam(width=60, heuristic="potential", seed=2)),
        "best-first": outcome(solver.best_first(expanded=300, batch=50)),
    }


def test_every_device_gives_the_recorded_results(backend: Backend) -> None:
    assert searches(backend) == recorded("queuedle/small", lambda: searches(CPU))


def test_the_searches_give_the_recorded_results(solver: Solver) -> None:
    solutions = {
        "beam": solver.beam(width=10_000),
        "potential": solver.beam(width=10_000, heuristic="potential"),
        "seeded beam": solver.beam(width=3000, seed=7),
        "endings": solver.beam(width=50, endings=3),
        "best-first": solver.best_first(expanded=20_000),
        "published": solver.best_first(heuristic="score", expanded=1500, batch=1, lossy=True),
        "published, remaining": solver.best_first(heuristic="score+remaining", expanded=1500, batch=1, lossy=True),
    }
    outcomes = {name: outcome(checked(solver, solution)) for name, solution in solutions.items()}
    assert outcomes == recorded("queuedle/example", lambda: outcomes)


def test_with_an_empty_queue_the_grid_itself_is_scored() -> None:
    empty = Solver(Puzzle.parse("east/tttt/eeee/aaaa"), dictionary=WORDS, backend=CPU)
    for solution in (
        empty.beam(),
        empty.beam(width=10, heuristic="potential", endings=3),
        empty.best_first(),
        beams_in_rounds(empty),
    ):
        assert (solution.score, solution.moves, solution.proven) == (19, (), True)


def test_only_the_seed_changes_a_beam(solver: Solver) -> None:
    assert solver.beam(width=3000, seed=7) != solver.beam(width=3000, seed=8)
    first, second = solver.beam(width=3000, seed=7), solver.beam(width=3000, seed=7)
    assert (first.score, first.moves) == (second.score, second.moves)


def test_a_time_limit_gives_the_best_so_far(solver: Solver) -> None:
    for solution in (solver.beam(width=200_000, time_limit=0.02), solver.best_first(time_limit=0.0)):
        assert not checked(solver, solution).complete
        assert not solution.proven


def test_endings_do_not_lower_the_score(solver: Solver) -> None:
    assert checked(solver, solver.beam(width=50, endings=3)).score >= solver.beam(width=50).score


def test_a_time_limit_cuts_the_endings(solver: Solver) -> None:
    """All of them would take half a minute on two cores."""
    solution = checked(solver, solver.beam(width=5000, endings=5, time_limit=0.5))
    assert not solution.complete
    assert not solution.proven
    assert solution.seconds < 15


def test_the_batches_of_endings_do_not_matter(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solver.beam(width=300, endings=2)
    monkeypatch.setattr(type(CPU), "batch", lambda backend, bytes_per_item: 7)
    assert outcome(solver.beam(width=300, endings=2)) == outcome(whole)


def published_search(words: frozenset[str], expanded: int, remaining: bool) -> tuple[int, tuple[int, ...], int]:
    """Run the published search in plain Python: score, moves, number of states put into the queue."""
    heap, visited, pushed = PlainHeap(), set(), 0
    best: tuple[int, tuple[int, ...]] = (-1, ())
    heap.push(0, PUBLISHED.start)
    for _ in range(expanded):
        position = heap.pop()
        best = max(best, (rules.score(position.grid, words), position.moves), key=lambda entry: entry[0])
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
def test_the_published_search_equals_its_plain_python_version(solver: Solver, heuristic: str) -> None:
    solution = solver.best_first(heuristic=heuristic, expanded=600, batch=1, lossy=True)
    expected = published_search(solver.words, 600, heuristic == "score+remaining")
    assert (solution.score, solution.moves, solution.generated) == expected


@pytest.mark.slow
def test_six_by_six() -> None:
    solver = Solver(LARGE, dictionary=WORDS, backend=CPU)
    outcomes = {name: outcome(checked(solver, solver.beam(width=5, heuristic=name))) for name in ("score", "potential")}
    assert outcomes == recorded("queuedle/six", lambda: outcomes)
