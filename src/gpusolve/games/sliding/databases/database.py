"""Pattern databases: for the tiles of a set the fewest moves of these tiles that bring them home, exactly.

That is for each place of the tiles and each region of the blank, where moves of other tiles cost nothing (Korf and
Felner 2002). A step of one of the tiles changes this height by one, up or down. What is kept is that: for each place of
the tiles, and each step that one of them may make from there, whether the height goes up. So a search that knows the
height of its start knows those of all nodes on its way, and those of a node's children before it makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.sliding.databases.orders import find_orders, find_turns
from gpusolve.games.sliding.databases.regions import find_regions
from gpusolve.games.sliding.databases.tilesets import Pattern
from gpusolve.games.sliding.kernels import Levels


@dataclass(frozen=True, eq=False)
class Database:
    """`steps` (uint32 (cells**tiles,)): see ``kernels/sliding.cu``. `counts` (int64 (heights,)): entries of a height.

    An entry is a place of the tiles with a region of the blank.
    """

    steps: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.int64]


def build_database(pattern: Pattern, backend: Backend, progress: Callable[[int], object] | None = None) -> Database:
    """Breadth-first search from the goal. `progress` is called with the number of entries found so far."""
    regions = find_regions(pattern.rows, pattern.columns, len(pattern.cells))
    turns = backend.asarray(find_turns(len(pattern.cells)))
    levels, counts = Levels(backend, pattern, regions, turns), [0]
    while counts[-1] or len(counts) == 1:
        if len(counts) > 1:
            levels.spread()
        counts.append(levels.settle(len(counts) - 1))
        if progress:
            progress(sum(counts))
    orders = backend.asarray(find_orders(len(pattern.cells)))
    return Database(levels.steps(orders), np.array(counts[1:-1], np.int64))
