"""The regions into which a set of tiles divides the rest of the board, for every set of cells that they can occupy.

The cells that k tiles occupy are a *map*. They divide the other cells into *regions*: the blank can reach every cell of
its region without moving one of the k tiles. Each region of each map has a number, its *row*.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

LOW_CELLS = 13
"""A map's number is the sum of a number for its cells 0..12 and a number for its other cells."""
NO_ROW = 2**32 - 1

U32 = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Regions:
    """All maps of a number of tiles, and the rows of their regions.

    Attributes
    ----------
    low, high : ndarray of uint32
        Cells 0..12 of a map as bits -> its low number, and its other cells -> its high number. Their sum is the map's
        number.
    masks : ndarray of uint32, shape (maps,)
        The cells of each map as bits.
    rows : ndarray of uint32, shape (maps, cells)
        The row of each cell's region, NO_ROW in cells of the map.
    n_rows : int
        Number of rows.
    """

    low: U32
    high: U32
    masks: U32
    rows: U32
    n_rows: int


def find_regions(rows: int, columns: int, tiles: int) -> Regions:
    """Return the maps and regions of a board.

    >>> regions = find_regions(5, 5, 6)
    >>> len(regions.masks), regions.n_rows
    (177100, 251400)
    """
    low, high, masks = _maps(rows * columns, tiles)
    number = _fill(rows, columns, masks)
    counts = number.max(axis=1).astype(np.uint32)  # regions of each map
    first = np.cumsum(counts, dtype=np.uint32) - counts
    region_rows = np.where(number > 0, first[:, None] + number - np.uint32(1), np.uint32(NO_ROW))
    return Regions(low, high, masks, region_rows, int(counts.sum()))


def _maps(cells: int, tiles: int) -> tuple[U32, U32, U32]:
    """Return `Regions.low`, `Regions.high` and `Regions.masks`."""
    low_cells = min(cells, LOW_CELLS)
    high_cells = cells - low_cells
    low_numbers, high_numbers = np.arange(1 << low_cells), np.arange(1 << high_cells)
    low_sizes, high_sizes = np.bitwise_count(low_numbers), np.bitwise_count(high_numbers)
    low, high = np.zeros(len(low_numbers), np.uint32), np.zeros(len(high_numbers), np.uint32)
    start, masks = 0, []
    for size in range(max(0, tiles - high_cells), min(tiles, low_cells) + 1):
        lows, highs = low_numbers[low_sizes == size], high_numbers[high_sizes == tiles - size]
        low[lows] = start + np.arange(len(lows)) * len(highs)
        high[highs] = np.arange(len(highs))
        masks.append((lows[:, None] | highs[None, :] << low_cells).ravel())
        start += len(lows) * len(highs)
    assert start == comb(cells, tiles)
    return low, high, np.concatenate(masks).astype(np.uint32)


def _fill(rows: int, columns: int, masks: U32) -> npt.NDArray[np.uint8]:
    """Return the region of each cell in each map, counted from 1, and 0 in the map's cells: uint8 (maps, cells).

    A flood fill from the lowest cell that has no region yet finds the next region of every map at once.
    """
    cells = rows * columns
    board = np.uint32((1 << cells) - 1)
    not_first = np.uint32(sum(1 << cell for cell in range(cells) if cell % columns))
    not_last = np.uint32(sum(1 << cell for cell in range(cells) if (cell + 1) % columns))
    regions = np.zeros((len(masks), cells), np.uint8)
    maps, left = np.arange(len(masks)), ~masks & board
    number = 0
    while len(maps):
        number += 1
        empty = ~masks[maps] & board
        region = left & -left
        while True:
            grown = region << columns | region >> columns | (region & not_last) << 1 | (region & not_first) >> 1
            grown = (grown & empty) | region
            if np.array_equal(grown, region):
                break
            region = grown
        for cell in range(cells):
            regions[maps[(region >> np.uint32(cell) & 1).astype(bool)], cell] = number
        left &= ~region
        maps, left = maps[left != 0], left[left != 0]
    return regions
