"""Showing moves: an animation in the terminal, or a page that plays them."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpusolve.checks import check_number
from gpusolve.games.sliding._verify import Played
from gpusolve.games.sliding.boards import AnyBoard, Board
from gpusolve.result import HIDDEN, written

SPEED = 4.0
LEAST_SPEED, MOST_SPEED = 0.1, 100.0


@dataclass(frozen=True, repr=False)
class Animation(Played, schema="sliding.show/2"):
    """Legal moves that were played on a board, with all boards on the way.

    Attributes
    ----------
    boards : list of Board
        The board before the first move and after each move; in JSON its tiles, row by row.
    speed : float
        Moves per second in the terminal.
    """

    boards: list[Board] = field(repr=False, metadata=written("tiles_of_boards"))
    speed: float = field(default=SPEED, metadata=HIDDEN)

    @property
    def tiles_of_boards(self) -> list[tuple[int, ...]]:
        """The tiles of the board before the first move and after each move, row by row."""
        return [board.tiles for board in self.boards]


def show(board: AnyBoard, moves: str, *, goal: str | None = None, speed: float = SPEED) -> Animation:
    """Animate moves in the terminal or on an HTML page.

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
    speed : float, default 4
        Moves per second in the terminal, 0.1 to 100.

    Returns
    -------
    Animation
        All boards on the way, and whether the last one is solved.

    Raises
    ------
    BadInput
        With the number of the first move that cannot be read or is illegal, and for a speed out of range.

    Examples
    --------
    ``gpusolve sliding show '1 2 5 / 3 4 0' ULL``

    >>> len(show("1 2 5 / 3 4 0", "ULL").boards)
    4
    """
    check_number("speed", speed, LEAST_SPEED, MOST_SPEED)
    return Animation.of(board, moves, goal, speed=speed)
