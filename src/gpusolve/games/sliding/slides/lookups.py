"""The tables of the multi-tile metric on a device, and how the search looks up a position in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding.goals import Layout


@dataclass(frozen=True, eq=False)
class Lookups:
    """The tables of the multi-tile metric on a device, and how to look up a position in them.

    Attributes
    ----------
    layout : Layout
        The size of the board and its goal.
    backend : Backend
        The device.
    places : tuple of ndarray of int64, shape (cells,)
        The cell that stands for each cell, in each look-up.
    tiles : tuple of tuple of int
        The tiles of each look-up, in the order of the items of its table.
    beside, changes, sets, heads, heights, homes : device array
        The inputs of the kernels in ``kernels/sliding_slides.cuh``.
    """

    layout: Layout
    backend: Backend
    places: tuple[npt.NDArray[np.int64], ...]
    tiles: tuple[tuple[int, ...], ...]
    beside: Array
    changes: Array
    sets: Array
    heads: Array
    heights: Array
    homes: Array

    @property
    def head_bits(self) -> int:
        """Number of bits of a head."""
        return len(self.heads).bit_length() - 1

    def items(self, tiles: Sequence[int]) -> list[list[int]]:
        """Return the cells of the items of a board in each look-up: of the blank, and of the tiles of the set."""
        cells = np.argsort(np.array(tiles))
        return [place[cells[[0, *own]]].tolist() for place, own in zip(self.places, self.tiles, strict=True)]

    def height(self, tiles: Sequence[int], axis: int) -> int:
        """Return the lower bound of a board if the first slide is along an axis."""
        sets = self.backend.to_host(self.sets).tolist()
        return max(
            int(self.heights[table, axis ^ flip, number_of(items, self.layout.cells)])
            for (table, flip), items in zip(sets, self.items(tiles), strict=True)
        )


def number_of(items: Sequence[int], cells: int) -> int:
    """Return the number of a position whose items are in these cells of a board with `cells` cells.

    >>> [number_of(items, 3) for items in ((0, 1), (0, 2), (1, 0))]
    [0, 1, 2]
    """
    number = 0
    for place, cell in enumerate(items):
        number = number * (cells - place) + cell - sum(other < cell for other in items[:place])
    return number
