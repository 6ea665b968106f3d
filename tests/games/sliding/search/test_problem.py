"""Sliding tiles through the searches of any puzzle, compared with `solve` and with breadth-first search."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.sliding import rules, verify
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.search.problem import SlidingTiles
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star

SEARCHES: tuple[Any, ...] = (a_star, bidirectional, ida_star)


def levels(goal: tuple[int, ...], rows: int, columns: int) -> dict[tuple[int, ...], int]:
    """Return the distance of every position of a small board from its goal."""
    found, level = {goal: 0}, [goal]
    while level:
        following = []
        for tiles in level:
            blank = tiles.index(0)
            for cell in range(rows * columns):
                if abs(cell // columns - blank // columns) + abs(cell % columns - blank % columns) == 1:
                    after = list(tiles)
                    after[blank], after[cell] = after[cell], 0
                    if tuple(after) not in found:
                        found[tuple(after)] = found[tiles] + 1
                        following.append(tuple(after))
        level = following
    return found


@pytest.mark.parametrize("goal", [(0, 1, 2, 3, 4, 5), (1, 2, 0, 4, 3, 5)])
def test_positions_of_a_small_board_take_the_least_number_of_moves(goal: tuple[int, ...]) -> None:
    distances = levels(goal, 2, 3)
    assert (len(distances), max(distances.values())) == (360, 21)
    text = " ".join(map(str, goal[:3])) + " / " + " ".join(map(str, goal[3:]))
    for tiles, distance in islice(distances.items(), 0, None, 29):
        problem = SlidingTiles(Board(2, 3, tiles, text))
        for search in SEARCHES:
            solution = search(problem)
            assert (solution.cost, solution.proven) == (distance, True)
            assert verify(problem.board, "".join(rules.MOVES[move] for move in solution.moves)).solves


@settings(max_examples=10)
@given(st.permutations(range(6)))
def test_the_heuristic_never_overestimates_and_is_consistent_on_both_sides(tiles: list[int]) -> None:
    board = Board(2, 3, (0, 1, 2, 3, 4, 5))
    distances = levels(tuple(tiles), 2, 3)
    solvable = board.tiles if board.tiles in distances else (0, 1, 2, 3, 5, 4)
    text = " ".join(map(str, tiles[:3])) + " / " + " ".join(map(str, tiles[3:]))
    problem = SlidingTiles(Board(2, 3, solvable, text))
    states = np.array([*distances], np.uint8).T.copy()
    estimates = dict(zip(distances, problem.heuristic(states).tolist(), strict=True))
    assert all(estimates[state] <= distance for state, distance in distances.items())
    assert sum(estimates.values()) > 0.6 * sum(distances.values())


def test_boards_that_are_refused() -> None:
    with pytest.raises(BadInput, match="expected tiles that are all different"):
        SlidingTiles(Board(2, 3, (1, 1, 2, 0, 3, 3), "1 1 2 / 3 3 0"))
    with pytest.raises(NoSolution, match="0 1 / 3 2: no moves lead to the goal"):
        SlidingTiles(Board(2, 2, (0, 1, 3, 2)))
