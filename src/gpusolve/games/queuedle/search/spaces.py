"""The boards of a puzzle as a space of states for the searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.games.queuedle.kernels import ALPHABET, NOISE_LEVELS, SLIDES_BIT, Boards


@dataclass(frozen=True)
class BoardSpace:
    """The space of all boards that slides lead to from `root` (see `gpusolve.search.space.Space`)."""

    boards: Boards
    root: Array
    scores: Array
    """The table of line scores; the value of a board is its score."""
    tables: Sequence[Array]
    """The tables for 0, 1 ... slides to come. A slide is ranked by the sum of the table over the lines of the child."""
    salt: int = 0
    """An odd uint32 to break ties at random; 0 for the lowest parent and move."""
    remaining: bool = False
    """Whether the number of letters still in the queue adds to the rank, as in the published best-first search."""
    lossy: bool = False
    """Whether boards with the same 32-bit hash of their letters count as equal, with any directions and slides."""

    @property
    def backend(self) -> Backend:
        """The device of the boards."""
        return self.boards.backend

    def expand(self, states: Array, first: int, last: int) -> Array:
        """Return keys as `Boards.expand` does. With several tables, all states must have made equally many slides."""
        table = self.tables[0]
        if len(self.tables) > 1:
            left = self.boards.queue_length - int(states[-1, first] >> np.uint32(SLIDES_BIT)) - 1
            table = self.tables[min(max(left, 0), len(self.tables) - 1)]
        keys = self.boards.expand(states, first, last, table=table, salt=self.salt)
        if not self.remaining:
            return keys
        xp = self.backend.xp
        left = self.boards.queue_length - (states[-1, first:last] >> np.uint32(SLIDES_BIT))
        bonus = left.astype(xp.uint16) * np.uint16(NOISE_LEVELS)
        return xp.where(keys > 0, keys + bonus[:, None], keys)

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the boards after slides."""
        return self.boards.slide(states, parents, moves)

    def value(self, states: Array) -> Array:
        """Return the scores, int32 (count,)."""
        return self.boards.totals(states, self.scores)

    def identity(self, states: Array) -> Array:
        """Return the words of each state, two in each 64-bit word; or, if `lossy`, a single word with its hash."""
        xp = self.backend.xp
        if self.lossy:
            return self._hash(states)
        words = states[0::2].astype(xp.uint64)
        half = len(states) // 2
        words[:half] <<= np.uint64(32)
        words[:half] |= states[1::2]
        return words

    def _hash(self, states: Array) -> Array:
        """Return the 32-bit FNV-1a hash of the letters 0 to 25 of each grid, row by row."""
        xp = self.backend.xp
        hashed = xp.full(states.shape[1], 2166136261, xp.uint32)
        for row in states[:-1]:
            for place in range(self.boards.size - 1, -1, -1):
                hashed ^= row // np.uint32(ALPHABET**place) % np.uint32(ALPHABET)
                hashed *= np.uint32(16777619)
        return hashed.astype(xp.uint64)[None, :]
