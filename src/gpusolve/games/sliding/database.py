"""Pattern databases: for the tiles of a set the fewest moves of these tiles that bring them home, exactly.

That is for each place of the tiles and each region of the blank, where moves of other tiles cost nothing (Korf and
Felner 2002). A move changes this height by one, up or down, so one bit for each entry is enough for a search that knows
the height where it comes from: bit 1 of the height.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve import store
from gpusolve.backend import Backend
from gpusolve.games.sliding.index import load_index
from gpusolve.games.sliding.kernels import Levels
from gpusolve.games.sliding.regions import find_regions
from gpusolve.games.sliding.tilesets import Pattern

VERSION = 1


@dataclass(frozen=True, eq=False)
class Database:
    """`bits` (uint32 (rows, words)): see `index`. `counts` (int64 (heights,)): entries of each height."""

    bits: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.int64]


def build_database(pattern: Pattern, backend: Backend, progress: Callable[[int], object] | None = None) -> Database:
    """Breadth-first search from the goal. `progress` is called with the number of entries found so far."""
    index = load_index(pattern.rows, pattern.columns, len(pattern.cells))
    regions = find_regions(pattern.rows, pattern.columns, len(pattern.cells))
    levels, counts = Levels(backend, pattern, index, regions), [0]
    while counts[-1] or len(counts) == 1:
        if len(counts) > 1:
            levels.spread()
        counts.append(levels.settle(len(counts) - 1))
        if progress:
            progress(sum(counts))
    bits = backend.to_host(levels.bits)
    bits[regions.copies[:, 0]] = bits[regions.copies[:, 1]]
    return Database(bits, np.array(counts[1:-1], np.int64))


def load_database(
    pattern: Pattern, backend: Backend, progress: Callable[[int], object] | None = None, strict: bool = False
) -> Database:
    """The database from the store, where it is built if need be; `strict`: BadInput where it cannot be kept there."""

    def make() -> store.Arrays:
        made = build_database(pattern, backend, progress)
        return {"bits": made.bits, "counts": made.counts}

    return Database(**store.made(name_of(pattern), about(pattern), make, strict))


def name_of(pattern: Pattern) -> str:
    """The name of the database in the store."""
    return f"sliding-{pattern}"


def about(pattern: Pattern) -> store.About:
    """What the store's file is made for."""
    return {"game": "sliding", "pattern": str(pattern), "version": VERSION}
