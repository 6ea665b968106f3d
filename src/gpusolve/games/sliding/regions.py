"""The regions into which a set of tiles cuts the rest of the board, for every set of cells that they can take."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

LOW_CELLS = 13
"""A map's number is the sum of what its cells 0..12 and its cells 13.. contribute."""
NO_ROW = 2**32 - 1

U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Regions:
    """All maps of `tiles` tiles, and the rows of a database that their regions have; see `index` for the terms.

    `masks` (uint32 (maps,)): each map's cells as bits. `mains` (uint32 (maps,)): the cells of its largest region.
    `rows` (uint32 (maps, cells)): the row of the region that a cell is in, NO_ROW where a tile is. `runs` (uint32
    (maps,)): where, among the cells that are in no largest region, one begins that is not in the region of the one
    before; `first_run` (int64 (maps,)): runs of earlier maps. `copies` (uint32 (copies, 2)): rows that must be made
    equal to another: a region whose cells another one's lie between has a row for each run.
    """

    low: U32
    high: U32
    masks: U32
    mains: U32
    rows: U32
    runs: U32
    first_run: npt.NDArray[np.int64]
    copies: U32
    n_rows: int


def find_regions(rows: int, columns: int, tiles: int) -> Regions:
    """The maps and regions of a board.

    >>> regions = find_regions(5, 5, 6)
    >>> len(regions.masks), regions.n_rows - len(regions.copies)  # maps, and maps with a region
    (177100, 251400)
    """
    low, high, masks = _maps(rows * columns, tiles)
    mains, others = _fill(rows, columns, masks)
    n_maps, cells = len(masks), rows * columns
    runs, counts = np.zeros(n_maps, np.uint32), np.zeros(n_maps, np.int64)
    before = np.zeros(n_maps, np.int8)
    place = np.zeros((n_maps, cells), np.int8)  # the run that a cell is in, counted from 1
    for cell in range(cells):
        here = others[:, cell]
        begins = (here > 0) & (here != before)
        runs |= begins.astype(np.uint32) << np.uint32(cell)
        counts += begins
        place[:, cell] = np.where(here > 0, counts, 0)
        before = np.where(here > 0, here, before)
    first_run = np.cumsum(counts) - counts
    n_rows = n_maps + int(counts.sum())
    run_rows = (first_run[:, None] + n_maps - 1 + place).astype(np.uint32)
    in_main = (mains[:, None] >> np.arange(cells, dtype=np.uint32) & 1).astype(bool)
    own = np.where(others > 0, run_rows, np.where(in_main, np.arange(n_maps, dtype=np.uint32)[:, None], NO_ROW))
    copies: list[npt.NDArray[np.uint32]] = []
    for one in range(1, int(others.max(initial=0)) + 1):
        first = np.where(others == one, own, NO_ROW).min(axis=1)
        maps, there = np.nonzero((others == one) & (own != first[:, None]))
        copies.append(np.stack([own[maps, there], first[maps]], axis=1))
        own[maps, there] = first[maps]
    pairs = np.unique(np.concatenate([*copies, np.empty((0, 2), np.uint32)]), axis=0).astype(np.uint32)
    return Regions(low, high, masks, mains, own.astype(np.uint32), runs, first_run, pairs, n_rows)


def _maps(cells: int, tiles: int) -> tuple[U32, U32, U32]:
    """What the lower and the higher cells contribute to a map's number, and the cells of each map."""
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


def _fill(rows: int, columns: int, masks: U32) -> tuple[U32, npt.NDArray[np.int8]]:
    """The largest region of each map, and for each cell the number, from 1, of the other region that it is in, else 0.

    One region of each map after the other, all maps at once, from the lowest cell that is left.
    """
    cells = rows * columns
    board = np.uint32((1 << cells) - 1)
    not_first = np.uint32(sum(1 << cell for cell in range(cells) if cell % columns))
    not_last = np.uint32(sum(1 << cell for cell in range(cells) if (cell + 1) % columns))
    regions = []
    maps, left = np.arange(len(masks)), ~masks & board
    while len(maps):
        empty = ~masks[maps] & board
        region = left & -left
        while True:
            grown = region << columns | region >> columns | (region & not_last) << 1 | (region & not_first) >> 1
            grown = (grown & empty) | region
            if np.array_equal(grown, region):
                break
            region = grown
        regions.append((maps, region))
        left &= ~region
        maps, left = maps[left != 0], left[left != 0]
    mains = np.zeros(len(masks), np.uint32)
    for maps, region in regions:
        larger = np.bitwise_count(region) > np.bitwise_count(mains[maps])
        mains[maps[larger]] = region[larger]
    others = np.zeros((len(masks), cells), np.int8)
    for number, (maps, region) in enumerate(regions, 1):
        minor = region != mains[maps]
        for cell in range(cells):
            others[maps[minor & (region >> np.uint32(cell) & 1).astype(bool)], cell] = number
    return mains, others
