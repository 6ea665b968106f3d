"""Showing moves: the boards that ``gpusolve sliding show`` draws one after the other."""

from __future__ import annotations

from gpusolve.games.sliding._verify import Verdict, verify
from gpusolve.games.sliding.boards import Board


def show(board: Board, moves: str) -> Verdict:
    """Play moves on a board and return every board on the way.

    Parameters
    ----------
    board : Board
        The position in which the first move is made.
    moves : str
        Directions of the blank, such as ``ULDR``, or the tiles that move, such as ``5 12 3``.

    Returns
    -------
    Verdict
        All boards on the way, which ``gpusolve sliding show`` animates, and whether the last one is solved.

    Raises
    ------
    BadInput
        With the number of the first move that cannot be read or is illegal.

    Examples
    --------
    >>> from gpusolve.games.sliding.boards import parse_board
    >>> len(show(parse_board("1 2 5 / 3 4 0"), "ULL").boards)
    4
    """
    return verify(board, moves)
