"""Sets of published boards."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import solve
from gpusolve.games.sliding.boards import is_solvable, load_boards


def test_the_boards_of_the_article_are_ten_solvable_24_puzzles() -> None:
    boards = load_boards("article")
    assert len(boards) == len(set(boards)) == 10
    assert {(board.rows, board.columns, board.goal) for board in boards} == {(5, 5, "blank-first")}
    assert all(map(is_solvable, boards))
    with pytest.raises(BadInput, match="nobody: not a board, and there is no file of this name"):
        load_boards("nobody")
    with pytest.raises(BadInput, match="goal blank-last: expected blank-first, the goal of the boards in article"):
        load_boards("article", goal="blank-last")


@pytest.mark.slow
def test_a_15_puzzle_that_takes_80_moves_the_most_of_all() -> None:
    """OEIS A087725: no 15-puzzle takes more than 80 moves."""
    solution = solve("15 14 8 12 / 10 11 9 13 / 2 6 5 1 / 3 7 4 0", goal="blank-first", partition="6-6-3")
    assert (solution.length, solution.proven) == (80, True)


@pytest.mark.parametrize(
    ("board", "most"),
    [("0 7 2 1 / 4 3 6 5", 36), ("0 5 3 2 1 / 9 4 8 7 6", 55), ("0 6 4 3 8 1 / 11 5 10 9 2 7", 80)],
)
def test_boards_of_two_rows_that_take_the_most_moves_of_all(board: str, most: int) -> None:
    """OEIS A151944 has these numbers of moves."""
    solution = solve(board, goal="blank-last")
    assert (solution.length, solution.proven) == (most, True)


@pytest.mark.slow
def test_a_board_of_two_rows_of_eight_that_takes_140_moves_the_most_of_all() -> None:
    """OEIS A151944: no board of two rows of eight takes more. This one has the form of the one with rows of six."""
    partition = "1,2,3,4,9,10,11,12/5,6,7,8,13,14,15"
    solution = solve("0 8 6 5 4 3 10 1 / 15 7 14 13 12 11 2 9", goal="blank-last", partition=partition)
    assert (solution.length, solution.proven) == (140, True)
