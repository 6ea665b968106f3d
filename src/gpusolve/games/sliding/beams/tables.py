"""The look-ups of a beam: a board divided into small sets of tiles in four ways, and a database for each set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.fields import Fields
from gpusolve.games.sliding.cpu.beams import NO_TILE, SLOTS
from gpusolve.games.sliding.cpu.placements import UNKNOWN, fill_heights
from gpusolve.games.sliding.databases.tilesets import Pattern, View, view_of
from gpusolve.games.sliding.goals import Layout
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.runs import store

SHIFTS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Each view divides the board into blocks of 2x2 cells; its first row and column of blocks are narrower by these."""
KEPT = 4  # tiles of a pattern whose heights are kept in a file; those of fewer are built in milliseconds
VERSION = 1
"""Version of the files: those of another version are built again."""


@dataclass(frozen=True, eq=False)
class Lookups:
    """The look-ups of a board size and a goal cell of the blank, on a device.

    A tile has the number of its goal cell. The tile whose goal cell is 0 has the number of the blank's goal cell, as 0
    is the blank.

    Attributes
    ----------
    rows, columns : int
        Size of the board.
    blank : int
        The goal cell of the blank.
    beside, side_of, members, place, bases, heights : device array
        The inputs of the kernels in ``kernels/sliding.cu``.
    """

    backend: Backend
    rows: int
    columns: int
    blank: int
    beside: Array
    side_of: Array
    members: Array
    place: Array
    bases: Array
    heights: Array

    @property
    def cells(self) -> int:
        """Number of cells of the board."""
        return self.rows * self.columns

    @property
    def words(self) -> int:
        """Number of words of a state."""
        return -(-self.cells // 8) + 1

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays, in the order in which the kernels take them."""
        return self.beside, self.side_of, self.members, self.place, self.bases, self.heights


class Tables:
    """The look-ups of a board size for every layout, each made when it is first asked for."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._heights: dict[Pattern, npt.NDArray[np.uint8]] = {}
        self._lookups: dict[Layout, Lookups] = {}

    def lookups(self, layout: Layout) -> Lookups:
        """Return the look-ups for a layout."""
        if layout not in self._lookups:
            self._lookups[layout] = self._load(layout)
        return self._lookups[layout]

    def _load(self, layout: Layout) -> Lookups:
        rows, columns, blank, cells = layout.rows, layout.columns, layout.blank, tuple(range(layout.cells))
        views: list[list[View]] = []
        for down, right in SHIFTS:
            sets = (
                tuple(row * columns + column for row in block for column in beside if row * columns + column != blank)
                for block in _ranges(rows, down)
                for beside in _ranges(columns, right)
            )
            views.append([_view(layout, tiles) for tiles in sets if tiles])
        sides = [side for view in views for side in view]
        patterns = tuple(dict.fromkeys(side.pattern for side in sides))
        parts = [self._heights_of(pattern) for pattern in patterns]
        starts = dict(zip(patterns, np.cumsum([0, *map(len, parts)]).tolist(), strict=False))
        side_of = np.zeros((len(views), len(cells)), np.uint8)
        members = np.full((len(sides), SLOTS), NO_TILE, np.uint8)
        for view, own in enumerate(views):
            for side in own:
                number = sides.index(side)
                tiles = [layout.goal_cell(cell) for cell in side.tiles]
                members[number, : len(tiles)], side_of[view, tiles] = tiles, number
        arrays = (
            neighbours(rows, columns),
            side_of,
            members,
            np.array([side.place for side in sides], np.uint8),
            np.array([starts[side.pattern] for side in sides], np.int64),
            np.concatenate(parts),
        )
        return Lookups(self._backend, rows, columns, blank, *(self._backend.asarray(array) for array in arrays))

    def _heights_of(self, pattern: Pattern) -> npt.NDArray[np.uint8]:
        """Return the height of each placement of a pattern's tiles, uint8 (cells**tiles,)."""
        if pattern not in self._heights:
            if len(pattern.cells) < KEPT or pattern.alike:
                self._heights[pattern] = build(pattern)
            else:
                name = f"sliding-beam-{pattern}"
                about = {"what": "beam", "pattern": str(pattern), "version": VERSION}
                arrays = store.made(name, about, lambda: {"heights": build(pattern)})
                size = (pattern.rows * pattern.columns) ** len(pattern.cells)
                table = Fields(f"table {store.path_of(name)}: damaged", arrays)
                self._heights[pattern] = table.array("heights", np.uint8, (size,))
        return self._heights[pattern]


def _view(layout: Layout, cells: tuple[int, ...]) -> View:
    """Return the look-up of the tiles whose goal cells are `cells`.

    Tiles that are alike can be in several sets, so the pattern has all of their goal cells, and no other set has it.
    """
    kinds = {kind for cell in cells if len(kind := layout.goal_cells(layout.goal_cell(cell))) > 1}
    if not kinds:
        return view_of(layout.rows, layout.columns, cells, (*range(layout.cells),), layout.blank)
    pattern = Pattern(layout.rows, layout.columns, cells, layout.blank, tuple(sorted(kinds)))
    return View(pattern, cells, (*range(layout.cells),))


def build(pattern: Pattern) -> npt.NDArray[np.uint8]:
    """Return the least number of moves of a pattern's tiles to their goal cells, for each placement of them.

    It is uint8 (cells**tiles,). Placements that do not exist, with two tiles in a cell, have the value `UNKNOWN`.
    """
    beside = neighbours(pattern.rows, pattern.columns)
    heights = np.full(len(beside) ** len(pattern.cells), UNKNOWN, np.uint8)
    goals = [goal for goal in product(*pattern.goal_cells) if len(set(goal)) == len(goal)]
    fill_heights(heights, pattern.columns, beside, np.array(goals, np.int64), pattern.blank)
    return heights


def _ranges(size: int, shift: int) -> list[range]:
    """Divide a side of a board into pairs of cells, after a first one alone if `shift` is 1."""
    cuts = sorted({0, *range(shift, size, 2), size})
    return [range(first, last) for first, last in pairwise(cuts)]
