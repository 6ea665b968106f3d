"""Sets of published boards."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
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
