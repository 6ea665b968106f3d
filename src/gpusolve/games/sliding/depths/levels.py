"""The levels of a breadth-first search from the goal over all positions of a board, as bits on a device.

All positions that are found lie in the levels before and now, because a move can be taken back. In the single-tile
metric both share one bit for each position: one level has the blank in cells of one colour, the next in those of the
other. In the multi-tile metric there are two bits for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding.depths.kernels import Mover, sift
from gpusolve.games.sliding.depths.ranks import Ranks


class Levels:
    """A breadth-first search, one level after the other; it begins at the goal.

    Parameters
    ----------
    backend : Backend
        The device.
    ranks : Ranks
        The numbers of the positions.
    single : bool
        Whether a move slides one tile, or one or more.

    Attributes
    ----------
    counts : ndarray of int64, shape (planes,)
        Number of positions of the level in each plane.
    """

    def __init__(self, backend: Backend, ranks: Ranks, *, single: bool) -> None:
        self._backend, self._ranks, self._single = backend, ranks, single
        self.counts = np.zeros(ranks.rows * ranks.columns, np.int64)
        self._mover = Mover(backend, ranks)
        self._now = self._zeros(len(self.counts))
        self._before = self._now if single else self._zeros(len(self.counts))
        self._reached, self._none, *self._passed = self._zeros(4)
        self._now[ranks.blank, 0] |= np.uint64(1)
        self.counts[ranks.blank] = 1

    def _zeros(self, planes: int) -> Array:
        return self._backend.xp.zeros((planes, self._ranks.words), np.uint64)

    @staticmethod
    def bytes_of(ranks: Ranks, *, single: bool) -> int:
        """Return how much memory a search takes."""
        return ((1 if single else 2) * ranks.rows * ranks.columns + 4) * ranks.words * 8

    def advance(self) -> int:
        """Go to the next level; return the number of its positions. After the last level stay there, and return 0."""
        counts = np.zeros_like(self.counts)
        colour = self._colour(int(self.counts.argmax()))
        for plane in range(len(counts)):
            if self._single and self._colour(plane) == colour:
                continue
            if self._reach(plane):
                now = self._none if self._single else self._now[plane]
                counts[plane] = sift(self._backend, self._reached, now, self._before[plane])
            else:
                self._before[plane] = 0
        if counts.any():
            self._now, self._before = self._before, self._now
            self.counts = counts
        return int(counts.sum())

    def _colour(self, plane: int) -> int:
        return sum(divmod(plane, self._ranks.columns)) % 2

    def _reach(self, plane: int) -> bool:
        """Find what one move reaches in a plane, in `_reached`. Return whether there is any."""
        self._reached[:] = 0
        found = False
        for line in self._lines(plane):
            line = line[: 1 if self._single else None]
            known = [bool(self.counts[other]) for other in line]
            if not any(known):
                continue
            found = True
            if line[0] // self._ranks.columns == plane // self._ranks.columns:
                for other in line:
                    self._reached |= self._now[other]
                continue
            line = line[: max(np.flatnonzero(known)) + 1]  # from here to the farthest plane with a position
            carried = self._now[line[-1]]
            for here, there, passed in zip(line[:0:-1], line[-2::-1], cycle(self._passed), strict=False):
                passed[:] = self._now[there]
                self._mover.move(here, there, carried, passed)
                carried = passed
            self._mover.move(line[0], plane, carried, self._reached)
        return found

    def _lines(self, plane: int) -> Iterator[list[int]]:
        """Yield the planes in each direction, the nearest first."""
        columns = self._ranks.columns
        row = plane // columns
        yield [*range(plane - columns, -1, -columns)]
        yield [*range(plane + columns, len(self.counts), columns)]
        yield [*range(plane - 1, row * columns - 1, -1)]
        yield [*range(plane + 1, row * columns + columns)]

    def positions(self, most: int) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """Yield the planes of the level with the orders of the tiles in them, at most so many in all."""
        xp = self._backend.xp
        for plane in np.flatnonzero(self.counts).tolist():
            words = xp.flatnonzero(self._now[plane])[:most]
            values = self._backend.to_host(self._now[plane][words])
            bits = np.unpackbits(values.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little").astype(bool)
            word, bit = np.nonzero(bits)
            numbers = (self._backend.to_host(words)[word] * self._ranks.bits + bit)[:most]
            yield plane, self._ranks.orders(plane, numbers)
            most -= len(numbers)
            if most <= 0:
                return
