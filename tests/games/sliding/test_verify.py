"""Verifying moves that were played on a board."""

from __future__ import annotations

from gpusolve.games.sliding._verify import verify
from gpusolve.games.sliding.boards import Board


def test_moves_are_played_and_the_end_is_compared_with_the_goal() -> None:
    board = Board(2, 3, (1, 2, 5, 3, 4, 0))
    assert verify(board, "ULL").solves
    assert verify(board, "5 2 1").moves == "ULL"
    assert not verify(board, "UL").solves
    assert verify(board.turned(), "DRR").solves
