"""Positions of a game, the slides that lead to them, and the words on their grids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gpusolve.checks import check_integer, check_type, lower
from gpusolve.errors import BadInput
from gpusolve.result import HIDDEN, Result

SIZES = (3, 4, 5, 6)
"""Possible numbers of rows. The game as published has 5."""
DIRECTIONS = "lrud"
"""Left and right for rows, up and down for columns. Slide d of line i has the number 4 * i + DIRECTIONS.index(d)."""


class Moves(tuple[int, ...]):
    """Slides as numbers: 4 times the line from 0, plus 0, 1, 2 or 3 for left, right, up and down.

    As text and in JSON they are in notation.

    >>> print(Moves([3, 8]))
    d1 l3
    """

    @classmethod
    def parse(cls, moves: str | Sequence[int], *, size: int) -> Moves:
        """Read slides from their notation; numbers stay as they are.

        Parameters
        ----------
        moves : str or sequence of int
            Slides separated by spaces or commas. Each is a direction (l, r, u or d) and the number of a row or column
            from 1: ``d1`` slides the first column down, ``l3`` the third row to the left.
        size : int
            Number of rows of the grid.

        Returns
        -------
        Moves

        Raises
        ------
        BadInput
            With its number, for anything that is not a slide on such a grid.

        Examples
        --------
        >>> Moves.parse("d1 l3", size=5) == (3, 8)
        True
        """
        check_type("moves", moves, Sequence)
        if not isinstance(moves, str):
            return cls(moves)
        found: list[int] = []
        for part in re.split(r"[,\s]+", lower(moves.strip())) if moves.strip() else []:
            match = re.fullmatch(r"([lrud])([1-9])", part)
            if match is None or int(match[2]) > size:
                expected = f"expected one of l r u d and a line 1..{size}, as d1"
                raise BadInput(f"move {len(found) + 1}, '{short(part)}': {expected}")
            found.append(4 * (int(match[2]) - 1) + DIRECTIONS.index(match[1]))
        return cls(found)

    def __str__(self) -> str:
        return " ".join(self.to_json())

    def to_json(self) -> list[str]:
        """Return each slide in notation."""
        return [move_text(move) for move in self]


def move_text(move: int) -> str:
    """Return a slide in notation.

    >>> move_text(3), move_text(8)
    ('d1', 'l3')
    """
    move = check_integer("move", move, 0, 4 * max(SIZES) - 1)
    return f"{DIRECTIONS[move % 4]}{move // 4 + 1}"


@dataclass(frozen=True, repr=False)
class Position(Result):
    """A position of a game.

    Attributes
    ----------
    grid : tuple of str
        The rows from top to bottom.
    queue : str
        The letters still to come.
    moves : Moves
        The slides made so far.
    """

    grid: tuple[str, ...]
    queue: str
    moves: Moves = field(default=Moves(), metadata=HIDDEN)


@dataclass(frozen=True, repr=False)
class FoundWord(Result):
    """A word on a grid.

    Attributes
    ----------
    line : int
        Rows are 0 to n - 1, columns n to 2 n - 1.
    start : int
        The word's first cell on that line.
    word : str
        The word.
    """

    line: int
    start: int
    word: str


def short(text: str) -> str:
    """Return the start of a text, for a message."""
    return text if len(text) <= 40 else text[:40] + "..."
