"""Building pattern databases and reading them, in batches on a device."""

from __future__ import annotations

from dataclasses import dataclass
from math import perm

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.databases.orders import find_weights, goal_orders
from gpusolve.games.sliding.databases.regions import LOW_CELLS, Regions
from gpusolve.games.sliding.databases.tilesets import Pattern
from gpusolve.games.sliding.kernels import PROGRAM, neighbours


class Levels:
    """The levels of a breadth-first search from a pattern's goal, one after another: rows of bits on a device."""

    def __init__(self, backend: Backend, pattern: Pattern, regions: Regions, turns: Array) -> None:
        self.backend, self.pattern, self._regions = backend, pattern, regions
        cells = pattern.rows * pattern.columns
        words = -(-turns.shape[1] // 64) * 2
        beside = neighbours(pattern.rows, pattern.columns)
        inputs = (beside, regions.low, regions.high, regions.masks, regions.rows)
        self._inputs = (*(backend.asarray(array) for array in inputs), turns)
        self._low_cells = min(cells, LOW_CELLS)
        shape = (regions.n_rows, words)
        reached = np.zeros(shape, np.uint32)
        mask = sum(1 << cell for cell in pattern.cells)
        number = regions.low[mask % len(regions.low)] + regions.high[mask // len(regions.low)]
        for order in goal_orders(pattern):
            reached[regions.rows[number, pattern.blank], order // 32] |= 1 << order % 32
        self._reached = backend.asarray(reached)
        self._frontier, self._visited, self._bits = (backend.asarray(np.zeros(shape, np.uint32)) for _ in range(3))
        self._active = backend.empty(regions.n_rows, np.uint8)
        self._counts = backend.empty(regions.n_rows, np.int32)

    def settle(self, level: int) -> int:
        """Record the new entries of a level and return their number."""
        levels = (self._active, self._frontier, self._reached, self._visited, self._bits, self._counts)
        words = self._reached.shape[1]
        self.backend.launch(PROGRAM, "settle", self._regions.n_rows, words, bool(level & 2), *levels)
        return int(self._counts.sum(dtype=np.int64))

    def spread(self) -> None:
        """Reach the level after the one that was settled last."""
        sizes = len(self.pattern.cells), self._low_cells
        levels = self._active, self._frontier, self._reached
        self.backend.launch(PROGRAM, "spread", len(self._regions.masks), *sizes, *self._inputs, *levels)

    def steps(self, orders: Array, *, dense: bool) -> npt.NDArray[np.uint32]:
        """Return the steps that increase the height, for each placement of the tiles, once all levels are settled.

        Parameters
        ----------
        orders : device array of uint8
            The orders of the tiles, from `find_orders`.
        dense : bool
            Whether only placements that exist have a word.

        Returns
        -------
        ndarray of uint32, shape (words,)
            See ``kernels/sliding.cu`` for the layout.
        """
        rows, columns, cells = self.pattern.rows, self.pattern.columns, self.pattern.cells
        odd = sum(sum(divmod(cell, columns)) for cell in cells) % 2
        weights, less = find_weights(self.pattern, dense=dense)
        n_cells = rows * columns
        size = perm(n_cells, len(cells)) if dense else n_cells ** len(cells)
        steps = self.backend.xp.zeros(size, np.uint32)
        weights, less = self.backend.asarray(weights), self.backend.asarray(less)
        self.backend.launch(
            PROGRAM, "unfold", len(self._regions.masks), self._low_cells, columns, odd, *self._inputs, orders, weights,
            less, self._bits, steps,
        )  # fmt: skip
        return self.backend.to_host(steps)


@dataclass(frozen=True, eq=False)
class Measured:
    """The heights of boards in each look-up.

    Attributes
    ----------
    heights : ndarray of int32, shape (boards, sides)
        The height of each look-up; -1 if the steps are not those of a pattern database.
    at : ndarray of int64, shape (boards, sides)
        The index in `Databases.steps` of each look-up.
    """

    heights: npt.NDArray[np.int32]
    at: npt.NDArray[np.int64]

    @property
    def views(self) -> npt.NDArray[np.int64]:
        """The sum of the heights in both views, each a lower bound on the number of moves: int64 (boards, 2)."""
        sums: npt.NDArray[np.int64] = self.heights.reshape(len(self.heights), 2, -1).sum(axis=2, dtype=np.int64)
        return sums


def measure(databases: Databases, boards: npt.NDArray[np.uint8]) -> Measured:
    """Return the heights of a batch of boards, uint8 (boards, cells), numbered as `Layout` explains.

    Raises BadInput if the steps do not lead down to the goal: a table from a stranger can have right sums all the same.
    """
    backend = databases.backend
    found = backend.launch(
        PROGRAM, "measure", len(boards), databases.partition.is_dense, backend.asarray(boards), databases.beside,
        databases.place, databases.item_of, databases.goals, databases.bases, databases.steps,
    )  # fmt: skip
    measured = Measured(*map(backend.to_host, found))
    if (measured.heights < 0).any():
        raise BadInput(
            f"table of {databases.partition}: its steps do not lead to the goal: expected a table that gpusolve built"
        )
    return measured
