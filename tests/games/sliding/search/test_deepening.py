"""The state of a search: merging the results of jobs, and checkpoints with every kind of wrong content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding import rules
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._solve import solve
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import open_databases
from gpusolve.games.sliding.search import jobs, parallel
from gpusolve.games.sliding.search.jobs import JobResult
from gpusolve.games.sliding.search.kernels import open_root
from gpusolve.games.sliding.search.parallel import ParallelDeepening
from gpusolve.games.sliding.search.solution import Status
from gpusolve.runs import checkpoint as checkpoints

SETS = "1,2,3/4,5,6/7,8"
HARD = scramble(rows=4, columns=4, seed=9)[0]
State = dict[str, Any]


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


@pytest.mark.parametrize("solved", [0, 1, 2])
def test_the_first_job_with_a_solution_counts_in_any_order_of_results(solved: int) -> None:
    board = Board(3, 3, (8, 0, 6, 5, 4, 7, 2, 3, 1))
    databases = open_databases(3, 3, partition=SETS, backend=open_backend("cpu"))
    root = open_root(databases, board.tiles, databases.automaton(2))
    ends = set()
    for order in permutations(range(3)):
        search = ParallelDeepening(board, root, weight=Fraction(1), max_bound=None, all_solutions=False)
        first = search.jobs[0]
        parts = [replace(first, budget=number + 1) for number in range(3)]
        search.jobs, search.counts = list(parts), [(0, 0)] * 4
        for number in order:
            if parts[number] in search.jobs:
                solutions = [f"U{number}"] if number >= solved else []
                search.merge(parts[number], JobResult(10**number, 0, search.nearest, solutions, None))
        assert not search.jobs
        ends.add((tuple(search.solutions), tuple(search.counts)))
    assert ends == {((f"U{solved}",), ((sum(10**number for number in range(solved + 1)), 0),))}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory, tables: object) -> tuple[State, State]:
    """Settings and state of a search that was stopped in a later bound, with several jobs left and paths started."""
    file, states = tmp_path_factory.mktemp("saved") / "run", []
    step = ParallelDeepening.step

    def watched(search: ParallelDeepening) -> None:
        step(search)
        states.append(search.state())

    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        patch.setattr(ParallelDeepening, "step", watched)
        solve(HARD, partition="5-5-5", checkpoint=file)
    settings, _ = checkpoints.load(file, "sliding.solve")
    chosen = [state for state in states if len(state["bounds"]) > 1 and len(state["jobs"]) > 2]
    checkpoints.save(
        file,
        "sliding.solve",
        dict(settings.values),
        next(state for state in chosen if len(state["started_length"]) > 2 and len(state["prefixes"]))
        | {"seconds": 1.0},
    )
    settings, state = checkpoints.load(file, "sliding.solve")
    return dict(settings.values), dict(state.values)


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make launches and jobs small, so that jobs have paths that were started."""
    monkeypatch.setattr(parallel, "lanes_of", lambda backend: 64)
    monkeypatch.setattr(jobs, "LEAST_SHARE", 2_000)
    monkeypatch.setattr(jobs, "NODES_PER_JOB", 24_000)


def resumed(saved: tuple[State, State], change: State, file: Path) -> object:
    checkpoints.save(file, "sliding.solve", saved[0], saved[1] | change)
    return solve(HARD, partition="5-5-5", resume=file)


def test_a_restored_search_saves_the_same_state(
    saved: tuple[State, State], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)

    def stop(status: Status) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "run"
    checkpoints.save(file, "sliding.solve", *saved)
    monkeypatch.setattr(ParallelDeepening, "step", lambda search: stop(search.status))
    with pytest.raises(KeyboardInterrupt):
        solve(HARD, partition="5-5-5", resume=file)
    again = dict(checkpoints.load(file, "sliding.solve")[1].values)
    assert again.keys() == saved[1].keys()
    for name in again.keys() - {"seconds"}:
        assert np.array_equal(again[name], saved[1][name]), name


@pytest.mark.parametrize("level", [-(2**63), -1, 10**30, None])
def test_a_level_in_a_forged_checkpoint_is_not_used(
    level: object, saved: tuple[State, State], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The level of the prefixes follows from the bounds, so no number in the file makes the search wait for ever."""
    small(monkeypatch)
    monkeypatch.setattr(ParallelDeepening, "step", stop)
    with pytest.raises(KeyboardInterrupt):
        resumed(saved, {"level": level}, tmp_path / "run")
    assert "level" not in checkpoints.load(tmp_path / "run", "sliding.solve")[1]


def stop(search: ParallelDeepening) -> None:
    raise KeyboardInterrupt


def first_job(**values: object) -> Callable[[State], State]:
    return lambda state: {"jobs": [state["jobs"][0] | values, *state["jobs"][1:]]}


def first_bound(**values: object) -> Callable[[State], State]:
    return lambda state: {"bounds": [state["bounds"][0] | values, *state["bounds"][1:]]}


def first_element(name: str, value: int) -> Callable[[State], State]:
    def change(state: State) -> State:
        array = state[name].copy()
        array[(0,) * array.ndim] = value
        return {name: array}

    return change


WRONG: list[tuple[Callable[[State], State], str]] = [
    (lambda state: {"bounds": 5}, "bounds 5: expected a list"),
    (lambda state: {"bounds": [5]}, "bounds"),
    (lambda state: {"bounds": state["bounds"][1:]}, "bounds\\[0\\]: bound"),
    (lambda state: {"bounds": state["bounds"][:-1]}, "nearest"),
    (first_bound(bound=1), "bound 1: expected"),
    (first_bound(expanded=-1), "expanded -1: expected"),
    (first_bound(generated="many"), "generated many: expected"),
    (first_bound(seconds=float("nan")), "seconds nan: expected"),
    (
        lambda state: {
            "bounds": [state["bounds"][0] | {"bound": state["bounds"][0]["bound"] + 2 * i} for i in range(500)]
        },
        "bounds .*: expected bounds up to 250 moves",
    ),
    (lambda state: {"solutions": "ULDR"}, "solutions ULDR: expected a list"),
    (lambda state: {"solutions": ["ULDR"]}, "solutions .*: expected moves that solve the board"),
    (lambda state: {"solutions": [3]}, "solutions .*: expected moves that solve the board"),
    (lambda state: {"nearest": state["nearest"][:-1]}, "nearest"),
    (lambda state: {"nearest": state["nearest"].astype(np.int32)}, "nearest"),
    (lambda state: {"counts": state["counts"][:-1]}, "counts"),
    (first_element("counts", -1), "counts"),
    (lambda state: {"bound_seconds": -1}, "bound_seconds -1: expected"),
    (lambda state: {"jobs": None}, "jobs None: expected a list"),
    (lambda state: {"jobs": []}, "jobs"),
    (lambda state: {"jobs": state["jobs"][:-1], "counts": state["counts"][:-1]}, "jobs"),
    (first_job(started=-1), "started -1: expected"),
    (first_job(started=10**9), "started 1000000000: expected"),
    (first_job(prefixes=10**9), "prefixes 1000000000: expected"),
    (first_job(started=0, prefixes=0), "prefixes 0: expected"),
    (first_job(budget=0), "budget 0: expected"),
    (first_job(budget=True), "budget True: expected"),
    (first_job(before=1.5), "before 1.5: expected"),
    (first_job(expected=None), "expected None: expected"),
    (first_element("prefixes", -1), "prefixes"),
    (first_element("prefixes", 2**30), "prefixes"),
    (lambda state: {"prefixes": state["prefixes"][:-1]}, "prefixes"),
    (lambda state: {"prefixes": np.append(state["prefixes"], np.int32(0))}, "jobs"),
    (lambda state: {"started_moves": np.zeros((len(state["started_moves"]), 65), np.uint8)}, "started_moves"),
    (lambda state: {"started_moves": state["started_moves"][:-1]}, "started_length"),
    (lambda state: {"started_moves": state["started_moves"].ravel()}, "started_moves"),
    (first_element("started_length", 255), "started_length"),
    (first_element("started_fixed", 255), "started_fixed"),
    (first_element("started_counted", 255), "started_counted"),
    (first_element("started_skip", 2), "started_skip"),
    (first_element("started_owner", -1), "started_owner"),
    (first_element("started_owner", 2**30), "started_owner"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_wrong_state_is_refused(
    change: Callable[[State], State], message: str, saved: tuple[State, State], tmp_path: Path
) -> None:
    file = tmp_path / "run"
    with pytest.raises(BadInput, match=f"^checkpoint {file}: damaged: .*{message}") as raised:
        resumed(saved, change(saved[1]), file)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "name", ["bounds", "solutions", "nearest", "counts", "bound_seconds", "jobs", "prefixes", "started_moves"]
)
def test_a_state_without_a_field_is_refused(name: str, saved: tuple[State, State], tmp_path: Path) -> None:
    settings, state = saved
    checkpoints.save(tmp_path / "run", "sliding.solve", settings, {key: state[key] for key in state.keys() - {name}})
    with pytest.raises(BadInput, match=f"it has no {name}"):
        solve(HARD, partition="5-5-5", resume=tmp_path / "run")


def test_a_search_that_has_ended_is_restored_with_its_solutions(tmp_path: Path) -> None:
    board, file = scramble(rows=3, columns=3, seed=5)[0], tmp_path / "run"
    for all_solutions in (False, True):
        solution = solve(board, partition=SETS, all_solutions=all_solutions, checkpoint=file)
        again = solve(board, partition=SETS, all_solutions=all_solutions, resume=file)
        assert replace(again, seconds=0) == replace(solution, seconds=0)
        assert all(rules.solves(board, moves) for moves in again.solutions)
    settings, state = checkpoints.load(file, "sliding.solve")
    checkpoints.save(file, "sliding.solve", dict(settings.values), dict(state.values) | {"solutions": []})
    with pytest.raises(BadInput, match=r"jobs .*: expected a job at least, because there is no solution"):
        solve(board, partition=SETS, all_solutions=True, resume=file)


def test_a_solved_board_is_restored(tmp_path: Path) -> None:
    solved = Board(3, 3, tuple(range(9)))
    solve(solved, checkpoint=tmp_path / "run")
    assert solve(solved, resume=tmp_path / "run").moves == ""
