"""Boards that are their own reflections: half of the tree has an optimal solution."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from gpusolve.games.sliding import Board, solve
from gpusolve.games.sliding.boards import is_solvable
from gpusolve.games.sliding.search.solution import METRICS, Metric
from gpusolve.games.sliding.search.symmetry import ALL, UP_AND_DOWN, first_moves

DIAGONAL, PAIRS = (0, 4, 8), ((1, 3), (2, 6), (5, 7))


def symmetric() -> list[Board]:
    """All boards of 3x3 that are their own reflections and can be solved."""
    boards = []
    for own, pairs, turns in product(permutations(DIAGONAL), permutations(PAIRS), product((0, 1), repeat=3)):
        tiles = [0] * 9
        for cell, tile in zip(DIAGONAL, own, strict=True):
            tiles[cell] = tile
        for cells, pair, turn in zip(PAIRS, pairs, turns, strict=True):
            tiles[cells[0]], tiles[cells[1]] = pair[turn], pair[1 - turn]
        boards.append(Board(3, 3, tuple(tiles)))
    return [board for board in boards if is_solvable(board)]


@pytest.mark.parametrize("metric", METRICS)
def test_half_of_the_tree_is_enough(metric: Metric) -> None:
    """A search for all solutions takes the whole tree."""
    boards = symmetric()
    assert len(boards) == 144
    for board in boards[::6]:
        assert first_moves(board) == UP_AND_DOWN
        half, whole = solve(board, metric=metric), solve(board, metric=metric, all_solutions=True)
        assert (half.length, half.proven) == (whole.length, True)
        assert half.moves in whole.solutions
        assert not half.moves or half.moves[0] in "UD"


def test_other_goals_and_tiles_that_look_alike() -> None:
    assert first_moves(Board.parse("1 5 9 13 / 2 6 10 14 / 3 7 11 15 / 4 8 12 0", goal="blank-last")) == UP_AND_DOWN
    assert first_moves(Board.parse("1 2 1 / 2 0 2 / 1 2 3", goal="3 2 1 / 2 1 2 / 1 2 0")) == UP_AND_DOWN
    assert first_moves(Board.parse("1 2 1 / 2 0 2 / 1 2 3", goal="3 2 2 / 1 1 2 / 1 2 0")) == ALL
    assert first_moves(Board.parse("8 6 7 / 2 5 4 / 3 0 1")) == ALL
    assert first_moves(Board.parse("3 4 5 / 0 1 2")) == ALL
