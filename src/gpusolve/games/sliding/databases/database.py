"""Pattern databases: the exact number of moves of a set of tiles that bring them to their goal cells.

There is an entry for each placement of the tiles and each region of the blank, where moves of other tiles cost nothing
(Korf and Felner 2002); its value is called the *height*. A step of a tile in the set changes the height by one, up or
down. Only this bit is kept: for each placement of the tiles and each step that one of them can make, whether the height
goes up. So a search that knows the height of its start knows the heights of all nodes on its path, and those of a
node's children before it makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.sliding.databases.kernels import Levels
from gpusolve.games.sliding.databases.orders import find_orders, find_turns
from gpusolve.games.sliding.databases.regions import find_regions
from gpusolve.games.sliding.databases.tilesets import Pattern


@dataclass(frozen=True, eq=False)
class Database:
    """The pattern database of a single pattern.

    Attributes
    ----------
    steps : ndarray of uint32, shape (words,)
        The steps that increase the height, for each placement of the tiles; see ``kernels/sliding.cu``.
    counts : ndarray of int64, shape (heights,)
        Number of entries of each height. An entry is a placement of the tiles with a region of the blank.
    """

    steps: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.int64]


def build_database(
    pattern: Pattern, backend: Backend, progress: Callable[[int], object] | None = None, *, dense: bool = False
) -> Database:
    """Build a pattern database by breadth-first search from the goal.

    If `dense`, it has a word only for each placement that exists (see `Partition.is_dense`). `progress` is called with
    the number of entries so far.
    """
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
    return Database(levels.steps(orders, dense=dense), np.array(counts[1:-1], np.int64))
