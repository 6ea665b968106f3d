"""The heuristics of the textbooks: admissible, and the same in the search as in the rules."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import rules, scramble
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.heuristics.search import Search
from gpusolve.games.sliding.heuristics.tables import TABLES, Table, check_heuristic

BY_RULES = {
    "manhattan": rules.manhattan,
    "linear-conflict": rules.linear_conflict,
    "walking-distance": rules.walking_distance,
}


@pytest.mark.parametrize("heuristic", TABLES)
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (2, 4)])
def test_no_heuristic_is_greater_than_the_distance(rows: int, columns: int, heuristic: Table) -> None:
    for goal in ("blank-first", "blank-last"):
        distances = rules.distances(rows, columns, goal=goal)
        for tiles, distance in list(distances.items())[:: 1 if rows * columns < 8 else 29]:
            height = BY_RULES[heuristic](Board(rows, columns, tiles, goal))
            assert rules.manhattan(Board(rows, columns, tiles, goal)) <= height <= distance
            assert (distance - height) % 2 == 0
            assert (height == 0) == (distance == 0)


def test_the_walking_distance_has_the_published_number_of_states() -> None:
    states = rules.walking_distances(4, 4)
    assert len(states) == 24_964


def test_linear_conflicts_are_those_of_the_definition() -> None:
    assert rules.linear_conflict(Board.parse("0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 15 14 13 12")) == 8 + 6
    assert rules.linear_conflict(Board.parse("0 2 1 / 3 4 5 / 6 7 8")) == 2 + 2
    # Tiles 1 and 3 are in the wrong order, but 3 has its goal in another row.
    assert rules.linear_conflict(Board.parse("0 3 1 / 2 4 5 / 6 7 8")) == rules.manhattan(
        Board.parse("0 3 1 / 2 4 5 / 6 7 8")
    )


@pytest.mark.parametrize("heuristic", TABLES)
@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4)])
def test_every_child_has_the_height_that_the_rules_give(rows: int, columns: int, heuristic: Table) -> None:
    for board in scramble(rows=rows, columns=columns, count=3, seed=5):
        search = Search(board, heuristic)
        assert search.height == BY_RULES[heuristic](board)
        search.begin()
        search.run(search.height + 12, 300)
        path = search.moves()
        for length, position in enumerate(rules.replay(board, path)):
            assert search.heights[length] == BY_RULES[heuristic](position)
        assert tuple(search.tiles.tolist()) == rules.replay(board, path)[-1].tiles


def test_a_heuristic_that_does_not_fit_a_board_is_refused() -> None:
    wide, large = scramble(rows=2, columns=5, seed=1)[0], scramble(rows=5, columns=5, seed=1)[0]
    check_heuristic(wide, "manhattan")
    with pytest.raises(BadInput, match="heuristic walking-distance: 2x5, expected sides of at most 4"):
        check_heuristic(wide, "walking-distance")
    with pytest.raises(BadInput, match="heuristic manhattan: 5x5, expected a board of at most 16 cells"):
        check_heuristic(large, "manhattan")
    assert np.array_equal(Search(wide, "manhattan").tiles, wide.tiles)
