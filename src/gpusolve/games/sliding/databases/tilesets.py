"""Sets of tiles: how a board's tiles are split among pattern databases, and which database serves which set.

A database is made for a set of cells that tiles belong in. Turned or reflected, it serves other sets too: of the four
sets of the usual 24-puzzle partition two tables serve all, and the same two the reflected position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from gpusolve.checks import digits
from gpusolve.errors import BadInput

MOST_TILES = 8
"""Tiles of a set: their 40,320 orders have numbers of 16 bits, their steps a word of 32 bits."""
MOST_STEPS = 2**30
"""Words of a partition's tables: 4 GiB."""


@dataclass(frozen=True)
class Pattern:
    """What a database is made for: `cells`, ascending, that its tiles belong in, on a board with the blank in `blank`.

    Of the region where the blank belongs `blank` is the lowest cell: the tiles do not tell its cells apart.
    """

    rows: int
    columns: int
    cells: tuple[int, ...]
    blank: int

    def __str__(self) -> str:
        blank = f"-from-{self.blank}" if self.blank != _region(self.rows, self.columns, self.cells, -1)[0] else ""
        return f"{self.rows}x{self.columns}-{'.'.join(map(str, self.cells))}{blank}"


@dataclass(frozen=True)
class View:
    """How a set of tiles is looked up: `pattern` is the database's, `place` the cell there of each cell of the board.

    `tiles`: those of the set, in the order of the pattern's cells.
    """

    pattern: Pattern
    tiles: tuple[int, ...]
    place: tuple[int, ...]


@dataclass(frozen=True)
class Partition:
    """Disjoint sets of tiles that have all tiles, on a board whose goal is blank first. Raises BadInput for others.

    >>> print(Partition(3, 3, ((1, 2, 3), (4, 5, 6, 7, 8))))
    1,2,3/4,5,6,7,8
    """

    rows: int
    columns: int
    sets: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        tiles = [tile for tiles in self.sets for tile in tiles]
        most = self.rows * self.columns - 1
        if sorted(tiles) != list(range(1, most + 1)):
            raise BadInput(f"partition {self}: expected each tile, 1 to {most}, in one of the sets")
        if max(map(len, self.sets)) > MOST_TILES:
            raise BadInput(f"partition {self}: expected at most {MOST_TILES} tiles in a set")
        size = sum((most + 1) ** len(pattern.cells) for pattern in self.patterns)
        if size > MOST_STEPS:
            raise BadInput(
                f"partition {self}: tables of {size * 4 / 2**30:,.1f} GiB: expected at most {MOST_STEPS >> 28}"
            )

    def __str__(self) -> str:
        return "/".join(",".join(map(str, tiles)) for tiles in self.sets)

    @cached_property
    def views(self) -> tuple[tuple[View, ...], ...]:
        """The look-ups of a position: those of its sets, and on a square board those of the position reflected.

        The sum of either bounds the moves to the goal from below; of two, the greater counts.
        """
        cells = range(self.rows * self.columns)
        straight = tuple(self._view(tiles, tuple(cells)) for tiles in self.sets)
        if self.rows != self.columns:
            return (straight,)
        diagonal = tuple(cell % self.columns * self.columns + cell // self.columns for cell in cells)
        return straight, tuple(self._view(tiles, diagonal) for tiles in self.sets)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The databases that it needs, each once."""
        return tuple(dict.fromkeys(view.pattern for views in self.views for view in views))

    def _view(self, tiles: tuple[int, ...], reflected: tuple[int, ...]) -> View:
        """The set as it is looked up on the reflected board; tile v belongs in cell v."""
        rows, columns = self.rows, self.columns
        home = set(_region(rows, columns, tiles, 0))
        options = []
        for turned in _symmetries(rows, columns):
            pattern = Pattern(
                rows, columns, tuple(sorted(turned[tile] for tile in tiles)), min(turned[cell] for cell in home)
            )
            options.append((pattern.cells, pattern.blank, turned, pattern))
        *_, turned, pattern = min(options, key=lambda option: option[:3])
        place = tuple(turned[cell] for cell in reflected)
        return View(pattern, tuple(place.index(cell) for cell in pattern.cells), place)


def parse_partition(rows: int, columns: int, text: str) -> Partition:
    """The sets of a text such as ``1,2,3/4,5,6,7,8``. Raises BadInput.

    >>> parse_partition(2, 3, "1,2/3,4,5").sets
    ((1, 2), (3, 4, 5))
    """
    sets = []
    for part in text.split("/"):
        tiles = [digits(word, rows * columns - 1) for word in re.split(r"[\s,]+", part.strip())]
        if None in tiles:
            raise BadInput(f"partition {text}: expected sets of tiles such as 1,2,3/4,5,6,7,8")
        sets.append(tuple(sorted(tile for tile in tiles if tile is not None)))
    return Partition(rows, columns, tuple(sets))


def _symmetries(rows: int, columns: int) -> list[tuple[int, ...]]:
    """Where each cell goes when the board is turned or reflected onto itself."""
    found = []
    for swapped in (False, True) if rows == columns else (False,):
        for upside_down in (False, True):
            for mirrored in (False, True):
                cells = []
                for cell in range(rows * columns):
                    row, column = divmod(cell, columns)
                    row, column = (column, row) if swapped else (row, column)
                    row, column = rows - 1 - row if upside_down else row, columns - 1 - column if mirrored else column
                    cells.append(row * columns + column)
                found.append(tuple(cells))
    return found


def _region(rows: int, columns: int, taken: Iterable[int], start: int) -> list[int]:
    """The cells, ascending, that the blank reaches from `start` (-1: from the lowest free cell) past the taken ones."""
    free = set(range(rows * columns)) - set(taken)
    waiting = [min(free) if start < 0 else start]
    found = set(waiting)
    while waiting:
        row, column = divmod(waiting.pop(), columns)
        for there, beside in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            cell = there * columns + beside
            if 0 <= there < rows and 0 <= beside < columns and cell in free and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return sorted(found)
