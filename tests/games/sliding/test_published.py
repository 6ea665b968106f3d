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
