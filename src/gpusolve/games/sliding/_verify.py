"""Verifying moves: playing them by the rules and reporting whether they reach the goal."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.checks import check_type
from gpusolve.games.sliding import rules
from gpusolve.games.sliding.boards import Board
from gpusolve.notebook import as_html, as_text


@dataclass(frozen=True)
class Verdict:
    """Legal moves that were played on a board.

    Attributes
    ----------
    boards : list of Board
        The board before the first move and after each move.
    moves : str
        The directions of the blank, U D L R.
    """

    boards: list[Board]
    moves: str

    _repr_html_ = as_html
    __repr__ = as_text

    @property
    def tiles(self) -> list[int]:
        """The tile that each move moved."""
        return rules.tiles_moved(self.boards[0], self.moves)

    @property
    def slides(self) -> int:
        """Number of moves in the multi-tile metric, in which equal letters that follow each other are one move."""
        return len(rules.slides_of(self.moves))

    @property
    def solves(self) -> bool:
        """Whether the moves reach the goal."""
        return self.boards[-1].is_solved


def verify(board: Board, moves: str) -> Verdict:
    """Play moves on a board and report whether they reach the goal.

    Parameters
    ----------
    board : Board
        The position in which the first move is made.
    moves : str
        Directions of the blank, such as ``ULDR``, or the tiles that move, such as ``5 12 3``.

    Returns
    -------
    Verdict
        All boards on the way, and whether the last one is solved.

    Raises
    ------
    BadInput
        With the number of the first move that cannot be read or is illegal.

    Examples
    --------
    >>> from gpusolve.games.sliding.boards import parse_board
    >>> verify(parse_board("1 2 0 3 4 5 6 7 8"), "LL").solves
    True
    """
    check_type("board", board, Board)
    played = rules.parse_moves(board, moves)
    return Verdict(rules.replay(board, played), played)
