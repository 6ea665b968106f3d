"""The kernels of the multi-tile metric, in batches on a device: making the tables, and searching paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding.kernels import PROGRAM, neighbours
from gpusolve.games.sliding.search.paths import MOST_MOVES, Paths, Walk, whole_tree
from gpusolve.games.sliding.search.symmetry import ALL
from gpusolve.games.sliding.search.tree import Limit, Searched, Tree, after
from gpusolve.games.sliding.slides.lookups import Lookups

UNDOING = np.array(
    [[move + 1 if not last or (last - 1) ^ 1 != move else -1 for move in range(4)] for last in range(5)], np.int32
)
"""The automaton that forbids only undoing the last move: state 0 is the start, and state m + 1 follows move m."""


@dataclass(frozen=True, eq=False)
class SlideTree(Tree):
    """A board in which searches in the multi-tile metric start, on a device.

    Attributes
    ----------
    lookups : Lookups
        The tables.
    heights : tuple of int
        The lower bounds of the board if the first slide is vertical, or horizontal.
    start : device array of uint8, shape (cells,)
        The tiles of the board, numbered as `Layout` explains.
    at : device array of int32, shape (sides,)
        The position of the board in each look-up.
    """

    lookups: Lookups
    heights: tuple[int, int]
    start: Array
    at: Array

    step = 1

    @property
    def backend(self) -> Backend:
        """See `Tree`."""
        return self.lookups.backend

    @property
    def height(self) -> int:
        """See `Tree`."""
        return min(self.heights)

    def search(self, paths: Paths, *, limit: Limit, budget: int) -> Searched:
        """See `Tree`."""
        lookups, backend = self.lookups, self.backend
        rows, columns = lookups.layout.rows, lookups.layout.columns
        longest = max(moves_of(rows, columns, limit.bound // limit.pace + 1), int(paths.length.max(initial=0)))
        room = min(MOST_MOVES, longest + 1)
        moves, length = backend.asarray(paths.moves[:, :room].copy()), backend.asarray(paths.length.copy())
        found = backend.launch(
            PROGRAM, "slide", len(paths), limit.bound, limit.pace, limit.weight, budget, rows, columns,
            lookups.head_bits, self.start, self.at, lookups.beside, lookups.changes, lookups.sets, lookups.heads,
            lookups.heights, lookups.homes, moves, backend.asarray(paths.fixed), backend.asarray(paths.counted), length,
            backend.asarray(paths.skip),
        )  # fmt: skip
        status, *counts = map(backend.to_host, found)
        return Searched(status, after(paths, backend.to_host(moves), backend.to_host(length)), *counts)


def open_tree(lookups: Lookups, tiles: Sequence[int], first: tuple[int, ...] = ALL) -> SlideTree:
    """Prepare searches from a board numbered as `Layout` explains, whose paths begin with one of some moves."""
    backend, start = lookups.backend, np.array(tiles, np.uint8)
    positions = [sum(cell << 4 * item for item, cell in enumerate(items)) for items in lookups.items(tiles)]
    walk = Walk(neighbours(lookups.layout.rows, lookups.layout.columns), int(start.argmin()), UNDOING, 0, first)
    heights = lookups.height(tiles, 0), lookups.height(tiles, 1)
    at = backend.asarray(np.array(positions, np.int32))
    tree = SlideTree(walk, lookups, heights, backend.asarray(start), at)
    tree.search(whole_tree(), limit=Limit(0), budget=0)  # compiles the kernel, so that no bound has to
    return tree


def moves_of(rows: int, columns: int, slides: int) -> int:
    """Return how many moves a path of some slides has at most: they alternate between both axes.

    >>> moves_of(4, 4, 43), moves_of(2, 8, 57)
    (129, 231)
    """
    long, short = max(rows, columns) - 1, min(rows, columns) - 1
    return (slides + 1) // 2 * long + slides // 2 * short


def widen(backend: Backend, rows: int, columns: int, slides: int, heads: Array, distances: Array) -> int:
    """Reach the positions that need one slide more; return the number of positions that need `slides`."""
    head_bits = len(heads).bit_length() - 1
    counts = backend.launch(PROGRAM, "widen", len(heads), rows, columns, head_bits, slides, heads, distances)
    return int(counts.sum(dtype=np.int64))
