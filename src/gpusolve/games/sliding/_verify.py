"""Moves that are played on a board: checked, and shown one by one."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.checks import check_type
from gpusolve.games.sliding import rules
from gpusolve.games.sliding.boards import Board


@dataclass(frozen=True)
class Verdict:
    """Moves that were played on a board, all of them legal."""

    boards: list[Board]
    """The board before the first move, and after each."""
    moves: str
    """The directions of the blank."""

    @property
    def tiles(self) -> list[int]:
        """The tile that each move moved."""
        return rules.tiles_moved(self.boards[0], self.moves)

    @property
    def solves(self) -> bool:
        """Whether the goal is reached."""
        return self.boards[-1].is_solved


def verify(board: Board, moves: str) -> Verdict:
    """Plays moves on a board: directions of the blank, as ``ULDR``, or the tiles that are moved, as ``5 12 3``.

    Raises BadInput with the number of the first move that is none, or that the rules forbid.

    >>> from gpusolve.games.sliding.boards import parse_board
    >>> verify(parse_board("1 2 0 3 4 5 6 7 8"), "LL").solves
    True
    """
    check_type("board", board, Board)
    found = rules.parse_moves(board, moves)
    return Verdict(rules.replay(board, found), found)


def show(board: Board, moves: str) -> Verdict:
    """The same: what `gpusolve sliding show` draws."""
    return verify(board, moves)
