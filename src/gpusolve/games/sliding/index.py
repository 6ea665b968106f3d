"""Where the entry of a position lies in a pattern database: a bit for each place of k tiles and region of the blank.

The cells that the k tiles take are a *map*. The blank is in one of the *regions* into which a map cuts the other cells,
and reaches each cell of its region without moving these tiles. Each region of each map has a *row* of k! bits, one for
each of the *orders* in which the tiles may lie on the map, ranked as Python's `itertools.permutations` lists them: the
tile in the first of the map's cells, the tile in the second, and so on. The largest region of map number r has row r;
those of the others follow behind all maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import factorial

import numpy as np
import numpy.typing as npt

from gpusolve import store
from gpusolve.games.sliding.regions import U32, U64, Regions, find_regions

GROUP = 1024
"""Maps whose runs are counted from the same number, so that 14 bits suffice for each."""
CELL_BITS = 25
VERSION = 1


@dataclass(frozen=True, eq=False)
class Index:
    """The rows of `tiles` tiles on a board.

    `low`, `high` (uint32): what the cells 0..12 and the others of a map, as bits, add up to: the map's number. `about`
    (uint64 (maps,)): of each map, from the lowest bit, the 25 cells of its largest region, the 25 cells where among its
    other cells a run begins, and its runs' first row less that of its `groups` (uint32): one for 1024 maps. `turns`
    (uint16 (tiles * tiles, orders)): the order that comes of another when the tile in the map's cell i gets behind or
    before its fellows to be in cell j, in row i * tiles + j.
    """

    rows: int
    columns: int
    tiles: int
    low: U32
    high: U32
    about: U64
    groups: U32
    turns: npt.NDArray[np.uint16]
    n_rows: int

    @property
    def orders(self) -> int:
        """Ways in which the tiles may lie on a map."""
        return factorial(self.tiles)

    @property
    def words(self) -> int:
        """32-bit words of a row."""
        return -(-self.orders // 64) * 2


@cache
def load_index(rows: int, columns: int, tiles: int) -> Index:
    """The index of `tiles` tiles on a board of at most 25 cells, from the store, where it is made if need be."""

    def make() -> store.Arrays:
        regions = find_regions(rows, columns, tiles)
        about, groups = _packed(regions)
        return {
            "low": regions.low,
            "high": regions.high,
            "about": about,
            "groups": groups,
            "turns": _turns(tiles),
            "n_rows": np.array(regions.n_rows),
        }

    settings = {"game": "sliding", "index": [rows, columns, tiles], "version": VERSION}
    found = store.made(f"sliding-index-{rows}x{columns}-{tiles}", settings, make)
    low, high, about, groups, turns = (found[name] for name in ("low", "high", "about", "groups", "turns"))
    return Index(rows, columns, tiles, low, high, about, groups, turns, int(found["n_rows"]))


def _packed(regions: Regions) -> tuple[U64, U32]:
    n_maps = len(regions.masks)
    first = regions.first_run[::GROUP]
    offset = regions.first_run - np.repeat(first, GROUP)[:n_maps]
    about = regions.mains.astype(np.uint64)
    about |= regions.runs.astype(np.uint64) << np.uint64(CELL_BITS)
    about |= offset.astype(np.uint64) << np.uint64(2 * CELL_BITS)
    return about, (first + n_maps - 1).astype(np.uint32)  # runs are counted from 1


def _turns(tiles: int) -> npt.NDArray[np.uint16]:
    orders = np.array(list(permutations(range(tiles))), np.uint8).reshape(-1, tiles)
    # The rank of an order is the sum over its places of (how many smaller ones come later) * (places behind)!
    weights = [factorial(tiles - 1 - place) for place in range(tiles)]
    turns = np.zeros((tiles * tiles, len(orders)), np.uint16)
    for i in range(tiles):
        for j in range(tiles):
            turned = np.insert(np.delete(orders, i, axis=1), j, orders[:, i], axis=1)
            rank = np.zeros(len(orders), np.uint32)
            for place, weight in enumerate(weights):
                rank += weight * (turned[:, place + 1 :] < turned[:, place : place + 1]).sum(axis=1, dtype=np.uint32)
            turns[i * tiles + j] = rank
    return turns
