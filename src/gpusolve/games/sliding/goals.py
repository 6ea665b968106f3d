"""Goals of sliding tiles: the positions to reach that have a name, and what the tables of a goal depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

GOALS = ("blank-first", "blank-last", "columns", "snake", "spiral")
"""The names of goals: the first two are the usual ones, of which a board can reach one at least."""
ABOUT = {
    "blank-first": "0 1 2 ... n",
    "blank-last": "1 2 ... n 0",
    "columns": "1 2 ... n 0, column by column",
    "snake": "1 2 ... n 0, every second row from right to left",
    "spiral": "1 2 ... n 0, clockwise from the corner to the centre",
}


@dataclass(frozen=True)
class Layout:
    """What the heights of a puzzle depend on, besides its position.

    Each tile has the number of its goal cell. The tile whose goal cell is 0 has the number of the blank's goal cell,
    because 0 is the blank.

    Attributes
    ----------
    rows, columns : int
        Size of the board.
    blank : int
        The goal cell of the blank. The board is turned so that it is as low as possible.
    alike : tuple of tuple of int
        The numbers of tiles that look alike, so that each can be in the goal cell of any other: ascending, without
        tiles that are the only ones of their kind.
    """

    rows: int
    columns: int
    blank: int = 0
    alike: tuple[tuple[int, ...], ...] = ()

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    def goal_cell(self, tile: int) -> int:
        """Return the goal cell of a tile, or the tile of a goal cell: it is the same exchange."""
        return 0 if tile == self.blank else tile or self.blank

    def is_kept_by(self, turned: tuple[int, ...]) -> bool:
        """Return whether the goal stays the same if each cell goes to another, as `symmetries` says."""
        kinds = {self.goal_cells(tile) for tile in range(self.cells)}
        return all(tuple(sorted(turned[cell] for cell in kind)) in kinds for kind in kinds if len(kind) > 1) and (
            turned[self.blank] == self.blank
        )

    def goal_cells(self, tile: int) -> tuple[int, ...]:
        """Return all cells in which a tile can be in the goal."""
        kind = next((tiles for tiles in self.alike if tile in tiles), (tile,))
        return tuple(sorted(map(self.goal_cell, kind)))

    def goals_of(self, tiles: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the goal cells of some tiles, one tuple for each way in which those that are alike can change places.

        >>> list(Layout(2, 2, 0, ((1, 3),)).goals_of((1, 2, 3)))
        [(1, 2, 3), (3, 2, 1)]
        """
        cells = [self.goal_cells(tile) for tile in tiles]
        yield from (goal for goal in product(*cells) if len(set(goal)) == len(goal))


def tiles_of(name: str, rows: int, columns: int, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Return the tiles of a goal with a name, row by row: those of a board, in ascending order.

    >>> tiles_of("spiral", 3, 3, tuple(range(9)))
    (1, 2, 3, 8, 0, 4, 7, 6, 5)
    """
    blank, *others = sorted(tiles)
    order = [blank, *others] if name == "blank-first" else [*others, blank]
    placed = dict(zip(_cells(name, rows, columns), order, strict=True))
    return tuple(placed[cell] for cell in range(rows * columns))


def _cells(name: str, rows: int, columns: int) -> list[int]:
    """Return the cells of a board in the order in which a goal fills them."""
    lines = [[row * columns + column for column in range(columns)] for row in range(rows)]
    if name == "columns":
        return [cell for column in zip(*lines, strict=True) for cell in column]
    if name == "snake":
        return [cell for number, line in enumerate(lines) for cell in line[:: -1 if number % 2 else 1]]
    if name == "spiral":
        cells = []
        while lines:
            cells += lines[0]
            lines = [list(column) for column in zip(*lines[1:], strict=True)][::-1]
        return cells
    return [cell for line in lines for cell in line]


def symmetries(rows: int, columns: int) -> Iterator[tuple[int, ...]]:
    """Yield the cell to which each cell goes, for each rotation and reflection of the board onto itself.

    The first one leaves every cell where it is, and the fourth turns the board by 180 degrees.
    """
    for swapped in (False, True) if rows == columns else (False,):
        for upside_down in (False, True):
            for mirrored in (False, True):
                cells = []
                for cell in range(rows * columns):
                    row, column = divmod(cell, columns)
                    row, column = (column, row) if swapped else (row, column)
                    row, column = rows - 1 - row if upside_down else row, columns - 1 - column if mirrored else column
                    cells.append(row * columns + column)
                yield tuple(cells)


def in_place(turned: tuple[int, ...], columns: int) -> str:
    """Return the move that each of U, D, L and R becomes when the board is turned or reflected.

    >>> in_place((3, 2, 1, 0), 2)
    'DURL'
    """
    names = {-columns: "U", columns: "D", -1: "L", 1: "R"}
    last = len(turned) - 1
    down, right = turned[columns] - turned[0], turned[1] - turned[0]
    up, left = turned[last - columns] - turned[last], turned[last - 1] - turned[last]
    return "".join(names[step] for step in (up, down, left, right))
