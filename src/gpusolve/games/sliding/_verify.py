"""Verifying moves: playing them by the rules and reporting whether they reach the goal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from gpusolve.errors import Exit
from gpusolve.games.sliding import rules
from gpusolve.games.sliding.boards import AnyBoard, Board
from gpusolve.result import FLAT, HIDDEN, Result, reported


@dataclass(frozen=True, repr=False)
class Played(Result):
    """Legal moves that were played on a board.

    Attributes
    ----------
    board : Board
        The board before the first move.
    moves : str
        The directions of the blank, U D L R.
    boards : list of Board
        The board before the first move and after each move.
    """

    board: Board = field(metadata=FLAT)
    moves: str
    boards: list[Board] = field(repr=False, metadata=HIDDEN)

    @classmethod
    def of(cls, board: AnyBoard, moves: str, goal: str | None, **others: Any) -> Self:
        """Play moves by the rules. Raises BadInput for what cannot be read, and for an illegal move."""
        start = Board.parse(board, goal=goal)
        read = rules.parse_moves(start, moves)
        return cls(start, read, rules.replay(start, read), **others)

    @reported
    def tiles_moved(self) -> list[int]:
        """The tile that each move moved."""
        return rules.tiles_moved(self.board, self.moves)

    @reported
    def length(self) -> int:
        """Number of moves."""
        return len(self.moves)

    @reported
    def slides(self) -> int:
        """Number of moves in the multi-tile metric, in which equal letters that follow each other are one move."""
        return len(rules.slides_of(self.moves))

    @reported
    def solves(self) -> bool:
        """Whether the moves reach the goal."""
        return self.boards[-1].is_solved

    @reported
    def end(self) -> tuple[int, ...]:
        """The tiles of the last board, row by row."""
        return self.boards[-1].tiles


@dataclass(frozen=True, repr=False)
class Verdict(Played, schema="sliding.verify/2"):
    """Legal moves that were played on a board, and whether they reach its goal."""

    @property
    def exit_code(self) -> int:
        """`Exit.NO_SOLUTION` if the moves do not reach the goal."""
        return Exit.DONE if self.solves else Exit.NO_SOLUTION


def verify(board: AnyBoard, moves: str, *, goal: str | None = None) -> Verdict:
    """Check whether moves reach the goal.

    The exit code is 1 if they do not, and 2 if a move is illegal.

    Parameters
    ----------
    board : Board, str or Path
        Tiles row by row with 0 or _ for the blank, such as ``8 6 7 / 2 5 4 / 3 0 1`` or ``867254301``; or a file; or -
        for stdin.
    moves : str
        Directions of the blank, such as ``ULDR``, or the tiles that move, such as ``5 2 1``.
    goal : str, optional
        Position to reach: ``blank-first`` (0 1 2 ... n), ``blank-last`` (1 2 ... n 0), ``columns``, ``snake``,
        ``spiral``, or the tiles of any board. By default one of the first two that can be reached, blank-first if both
        can.

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
    ``gpusolve sliding verify '1 2 5 / 3 4 0' ULL``

    >>> verify("1 2 0 / 3 4 5 / 6 7 8", "LL").solves
    True
    """
    return Verdict.of(board, moves, goal)
