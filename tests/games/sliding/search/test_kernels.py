"""The search kernel at the limits of its arrays: the moves of a path, and the look-ups of a position."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding._solve import solve
from gpusolve.games.sliding.cpu.outcomes import DONE, PAUSED
from gpusolve.games.sliding.databases.catalogue import open_databases
from gpusolve.games.sliding.rules import solves
from gpusolve.games.sliding.search.kernels import Root, open_root, search
from gpusolve.games.sliding.search.paths import MOST_MOVES, Paths, whole_tree
from gpusolve.games.sliding.search.tree import Limit, Searched

BOARD = scramble(rows=4, columns=4, seed=2)[0]
SETS = "1,2/3,4/5,6/7,8/9,10/11,12/13,14/15"


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


def root_of(backend: Backend) -> Root:
    databases = open_databases(4, 4, partition=SETS, backend=backend)
    return open_root(databases, BOARD.tiles, databases.automaton(2))


def weighted(root: Root, paths: Paths, budget: int) -> Searched:
    return search(root, paths, limit=Limit(20 * max(root.heights), 1, 10), budget=budget)


def test_a_path_ends_where_its_room_ends(backend: Backend) -> None:
    root, reference = root_of(backend), root_of(open_backend("cpu"))
    lengths = []
    for budget in (300, 1_000, 5_000):
        searched, expected = (weighted(where, whole_tree(), budget) for where in (root, reference))
        lengths += searched.paths.length.tolist()
        assert searched.status.tolist() == [PAUSED]
        for name in ("status", "expanded", "generated", "nearest"):
            assert getattr(searched, name).tolist() == getattr(expected, name).tolist()
        assert (searched.paths.moves == expected.paths.moves).all()
    assert max(lengths) == MOST_MOVES - 1


def test_a_path_of_the_maximum_length_has_no_children(backend: Backend) -> None:
    root = root_of(backend)
    paths = weighted(root, whole_tree(), 300).paths
    assert paths.length.tolist() == [MOST_MOVES - 1]
    ends = np.full(1, MOST_MOVES - 1, np.int32)
    searched = weighted(root, Paths(paths.moves, ends, ends, ends, paths.skip, paths.owner), 300)
    assert searched.status.tolist() == [DONE]
    assert searched.expanded.tolist() == [1]


@pytest.mark.parametrize("weight", [5, 9.9, 10])
def test_a_weight_with_bounds_beyond_a_path_still_finds_a_solution(weight: float) -> None:
    board = scramble(rows=4, columns=4, seed=5)[0]
    solution = solve(board, partition=SETS, weight=weight)
    assert solution.moves is not None
    assert solves(board, solution.moves)
    assert solution.lower_bound <= len(solution.moves) <= min(weight * solution.lower_bound, MOST_MOVES - 1)


def test_eight_sets_are_searched_like_three(backend: Backend) -> None:
    board = scramble(rows=3, columns=3, seed=1)[0]
    lengths = [
        len(solve(board, partition=sets, backend=backend).moves or "")
        for sets in ("1,2,3/4,5,6/7,8", "1/2/3/4/5/6/7/8")
    ]
    assert lengths == [22, 22]


@pytest.mark.parametrize("sets", [9, 10, 11, 12, 15])
def test_more_than_eight_sets_are_refused(sets: int) -> None:
    tiles = [str(tile) for tile in range(1, 16)]
    partition = "/".join([*tiles[: sets - 1], ",".join(tiles[sets - 1 :])])
    with pytest.raises(BadInput, match=f"{sets} sets: expected at most 8"):
        solve(BOARD, partition=partition)


def test_a_bound_beyond_the_slack_of_a_node_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpusolve.games.sliding.search.kernels.MOST_SLACK", 100)
    with pytest.raises(BadInput, match=r"takes at least \d+ moves: expected a board that takes fewer"):
        solve(BOARD, partition=SETS, weight=10)
