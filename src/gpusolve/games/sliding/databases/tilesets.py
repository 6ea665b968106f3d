"""Sets of tiles: how the tiles of a board are divided among pattern databases, and which database serves which set.

A pattern database is made for a set of goal cells. Turned or reflected it serves other sets as well: of the usual
partition of the 24-puzzle, two databases serve all four sets, and the same two serve the reflected position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import perm

from gpusolve.checks import digits
from gpusolve.errors import BadInput
from gpusolve.games.sliding.goals import Layout, symmetries

MOST_TILES = 8
"""Maximum number of tiles in a set: their 40,320 orders fit into 16 bits and their steps into 32 bits."""
MOST_SETS = 8
"""Maximum number of sets: a search has room for 16 look-ups per position, two for each set."""
DENSE_CELLS, DENSE_TILES = 16, 7
"""On boards of up to so many cells, partitions with a set of at least so many tiles have a word only for each placement
that exists. There a search is faster by a quarter, because the tables are a fifth as large; with smaller sets, and on
larger boards, it takes longer to number the placements than to read larger tables (benchmarks/results/sliding.md)."""
MOST_STEPS = 2**31
"""Maximum number of words in the databases of a partition: 8 GiB."""


@dataclass(frozen=True)
class Pattern:
    """The goal for which a pattern database is made.

    Attributes
    ----------
    rows, columns : int
        Size of the board.
    cells : tuple of int
        The goal cells of the tiles, in ascending order.
    blank : int
        The goal cell of the blank: the lowest cell of its region, because the tiles do not depend on where it is there.
    alike : tuple of tuple of int
        The goal cells of tiles that look alike: each of them can be in any of these cells.
    """

    rows: int
    columns: int
    cells: tuple[int, ...]
    blank: int
    alike: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        return _name_of(self)

    @property
    def goal_cells(self) -> list[tuple[int, ...]]:
        """The cells in which each tile can be in the goal."""
        return [next((cells for cells in self.alike if cell in cells), (cell,)) for cell in self.cells]

    @property
    def kinds(self) -> list[int]:
        """For each tile the first tile that looks like it."""
        return [self.cells.index(cells[0]) for cells in self.goal_cells]


@dataclass(frozen=True)
class View:
    """A look-up of a set of tiles in a pattern database.

    Attributes
    ----------
    pattern : Pattern
        The pattern of the database.
    tiles : tuple of int
        The tiles of the set, in the order of the pattern's cells.
    place : tuple of int
        The cell in the database that corresponds to each cell of the board.
    """

    pattern: Pattern
    tiles: tuple[int, ...]
    place: tuple[int, ...]


@dataclass(frozen=True)
class Partition:
    """Disjoint sets of tiles that together contain every tile, numbered as `Layout` explains.

    Parameters
    ----------
    rows, columns : int
        Size of the board.
    sets : tuple of tuple of int
        The tiles of each set.
    second : tuple of tuple of int
        Another division of the tiles, into as many sets: a search looks up both, and uses the greater height. By
        default, a square board has the same sets reflected on the diagonal, if this leaves the goal as it is; or any
        board the same sets turned or reflected in another way that does.
    blank : int
        The goal cell of the blank.
    alike : tuple of tuple of int
        The tiles that look alike; each such group has to be in one set.

    Raises
    ------
    BadInput
        If a tile is missing or appears twice, if there are more than 8 sets or 8 tiles in a set, if the second division
        has another number of sets, if tiles that look alike are in several sets, and if the databases would be too
        large.

    Examples
    --------
    >>> print(Partition(3, 3, ((1, 2, 3), (4, 5, 6, 7, 8))))
    1,2,3/4,5,6,7,8
    >>> print(Partition(3, 3, ((1, 2, 3), (4, 5, 6, 7, 8)), ((1, 2, 4, 5), (3, 6, 7, 8))))
    1,2,3/4,5,6,7,8+1,2,4,5/3,6,7,8
    """

    rows: int
    columns: int
    sets: tuple[tuple[int, ...], ...]
    second: tuple[tuple[int, ...], ...] = ()
    blank: int = 0
    alike: tuple[tuple[int, ...], ...] = ()

    def to_json(self) -> str:
        """Return the sets as people write them."""
        return str(self)

    def __post_init__(self) -> None:
        last = self.rows * self.columns - 1
        for sets in (self.sets, self.second) if self.second else (self.sets,):
            if sorted(tile for tiles in sets for tile in tiles) != list(range(1, last + 1)):
                raise BadInput(f"partition {self}: expected each tile, 1 to {last}, in exactly one set")
            if len(sets) > MOST_SETS:
                raise BadInput(f"partition {self}: {len(sets)} sets: expected at most {MOST_SETS}")
            if len(sets) != len(self.sets):
                raise BadInput(f"partition {self}: {len(self.sets)} sets and {len(sets)}: expected the same number")
            if max(map(len, sets)) > MOST_TILES:
                raise BadInput(f"partition {self}: expected at most {MOST_TILES} tiles in a set")
            for kind in self.alike:
                if not any(set(kind) <= set(tiles) for tiles in sets):
                    names = ", ".join(map(str, kind))
                    raise BadInput(f"partition {self}: expected the tiles {names} in one set, because they look alike")
        size = sum(self.sizes)
        if size > MOST_STEPS:
            raise BadInput(
                f"partition {self}: databases of {size * 4 / 2**30:,.1f} GiB: expected at most {MOST_STEPS >> 28} GiB"
            )

    def __str__(self) -> str:
        divisions = (self.sets, self.second) if self.second else (self.sets,)
        return "+".join("/".join(",".join(map(str, tiles)) for tiles in sets) for sets in divisions)

    @cached_property
    def views(self) -> tuple[tuple[View, ...], ...]:
        """The look-ups of each set, and as a second view those of the second division or in the reflected position.

        The sum of the heights in a view is a lower bound on the number of moves; the search uses the greater of both.
        """
        same = (*range(self.rows * self.columns),)
        straight = self._view(self.sets, same)
        if self.second:
            return straight, self._view(self.second, same)
        turned = self._symmetry
        return (straight,) if turned is None else (straight, self._view(self.sets, turned))

    @property
    def layout(self) -> Layout:
        """What the databases depend on."""
        return Layout(self.rows, self.columns, self.blank, self.alike)

    @property
    def _symmetry(self) -> tuple[int, ...] | None:
        """The first rotation or reflection that leaves the goal as it is, on the diagonal if possible."""
        cells = range(self.rows * self.columns)
        diagonal = tuple(cell % self.rows * self.columns + cell // self.rows for cell in cells)
        others = sorted(symmetries(self.rows, self.columns), key=lambda turned: turned != diagonal)
        return next((turned for turned in others if turned != (*cells,) and self.layout.is_kept_by(turned)), None)

    def _view(self, sets: tuple[tuple[int, ...], ...], turned: tuple[int, ...]) -> tuple[View, ...]:
        """Return the look-ups of some sets in the position that is turned or reflected."""
        cell_of, views = self.layout.goal_cell, []
        kinds = [tuple(map(cell_of, kind)) for kind in self.alike]
        for tiles in sets:
            cells = tuple(map(cell_of, tiles))
            alike = tuple(kind for kind in kinds if kind[0] in cells)
            view = view_of(self.rows, self.columns, cells, turned, self.blank, alike)
            views.append(replace(view, tiles=tuple(map(cell_of, view.tiles))))
        return tuple(views)

    @property
    def both_views(self) -> tuple[tuple[View, ...], ...]:
        """Two views, as the kernels expect them: without a second one they are the same."""
        return self.views if len(self.views) > 1 else self.views * 2

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of the databases that the partition needs, without duplicates."""
        return tuple(dict.fromkeys(view.pattern for views in self.views for view in views))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of words in the database of each pattern."""
        return tuple(self.size_of(pattern) for pattern in self.patterns)

    def size_of(self, pattern: Pattern) -> int:
        """Return the number of words in the database of a pattern."""
        cells, tiles = self.rows * self.columns, len(pattern.cells)
        return perm(cells, tiles) if self.is_dense else cells**tiles

    @property
    def is_dense(self) -> bool:
        """Whether the databases have a word only for each placement that exists."""
        return self.rows * self.columns <= DENSE_CELLS and max(map(len, self.sets)) >= DENSE_TILES


def view_of(
    rows: int,
    columns: int,
    tiles: tuple[int, ...],
    reflected: tuple[int, ...],
    blank: int = 0,
    alike: tuple[tuple[int, ...], ...] = (),
) -> View:
    """Return the look-up of a set on the reflected board; the goal cell of tile v is cell v, the blank's is `blank`."""
    home = set(_region(rows, columns, tiles, blank))
    options = []
    for turned in symmetries(rows, columns):
        pattern = Pattern(
            rows,
            columns,
            tuple(sorted(turned[tile] for tile in tiles)),
            min(turned[cell] for cell in home),
            tuple(sorted(tuple(sorted(turned[tile] for tile in kind)) for kind in alike)),
        )
        options.append((pattern.cells, pattern.blank, pattern.alike, turned, pattern))
    *_, turned, pattern = min(options, key=lambda option: option[:4])
    place = tuple(turned[cell] for cell in reflected)
    return View(pattern, tuple(place.index(cell) for cell in pattern.cells), place)


@lru_cache(maxsize=1024)
def _name_of(pattern: Pattern) -> str:
    """Return the name of a pattern. Each search looks for the files of several partitions by these names."""
    first = _region(pattern.rows, pattern.columns, pattern.cells, -1)[0]
    blank = f"-from-{pattern.blank}" if pattern.blank != first else ""
    alike = "".join(f"-alike-{'.'.join(map(str, cells))}" for cells in pattern.alike)
    return f"{pattern.rows}x{pattern.columns}-{'.'.join(map(str, pattern.cells))}{blank}{alike}"


@lru_cache(maxsize=64)
def parse_partition(
    rows: int, columns: int, text: str, blank: int = 0, alike: tuple[tuple[int, ...], ...] = ()
) -> Partition:
    """Read a partition such as ``1,2,3/4,5,6,7,8``, or two with a + between them. Raise BadInput if the text is none.

    >>> parse_partition(2, 3, "1,2/3,4,5").sets, parse_partition(2, 3, "1,2/3,4,5+1,4/2,3,5").second
    (((1, 2), (3, 4, 5)), ((1, 4), (2, 3, 5)))
    """
    divisions: list[tuple[tuple[int, ...], ...]] = []
    for division in text.split("+", 1):
        sets = []
        for part in division.split("/"):
            tiles = [digits(word, rows * columns - 1) for word in re.split(r"[\s,]+", part.strip())]
            if None in tiles:
                raise BadInput(f"partition {text}: expected sets of tiles such as 1,2,3/4,5,6,7,8")
            sets.append(tuple(sorted(tile for tile in tiles if tile is not None)))
        divisions.append(tuple(sets))
    second = divisions[1] if len(divisions) > 1 else ()
    return Partition(rows, columns, divisions[0], second, blank, alike)


def _region(rows: int, columns: int, taken: Iterable[int], start: int) -> list[int]:
    """Return the free cells that the blank can reach from `start` (-1: from the lowest free cell), ascending."""
    free = set(range(rows * columns)) - set(taken)
    waiting = [min(free) if start < 0 else start]
    region = set(waiting)
    while waiting:
        row, column = divmod(waiting.pop(), columns)
        for next_row, next_column in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            cell = next_row * columns + next_column
            if 0 <= next_row < rows and 0 <= next_column < columns and cell in free and cell not in region:
                region.add(cell)
                waiting.append(cell)
    return sorted(region)
