"""The boards of a puzzle as a space of states for the searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.games.queuedle.kernels import ALPHABET, NOISE_LEVELS, SLIDES_BIT, Boards


@dataclass(frozen=True)
class BoardSpace:
    """Boards from `root` on, worth their score by the table `scores`.

    `tables`: what a slide is ranked by, the sum over its lines of the table for the slides that are left after it; the
    last one serves for more. `salt`: an odd uint32 breaks ties by a noise. `remaining`: the length of the queue less
    the slides made adds to the rank, as the best-first search was published. `lossy`: boards whose letters have the
    same 32-bit hash are taken for the same, whatever their directions and slides made.
    """

    boards: Boards
    root: Array
    scores: Array
    tables: Sequence[Array]
    salt: int = 0
    remaining: bool = False
    lossy: bool = False

    @property
    def backend(self) -> Backend:
        """The device of the boards."""
        return self.boards.backend

    def expand(self, states: Array, first: int, last: int) -> Array:
        """Keys as `Boards.expand` has them; with more than one table all states have made the same number of slides."""
        table = self.tables[0]
        if len(self.tables) > 1:
            left = self.boards.queue_length - int(states[-1, first] >> np.uint32(SLIDES_BIT)) - 1
            table = self.tables[min(max(left, 0), len(self.tables) - 1)]
        keys = self.boards.expand(states, first, last, table, self.salt)
        if not self.remaining:
            return keys
        xp = self.backend.xp
        left = self.boards.queue_length - (states[-1, first:last] >> np.uint32(SLIDES_BIT))
        bonus = left.astype(xp.uint16) * np.uint16(NOISE_LEVELS)
        return xp.where(keys > 0, keys + bonus[:, None], keys)

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """The boards after slides."""
        return self.boards.slide(states, parents, moves)

    def value(self, states: Array) -> Array:
        """The scores, int32 (count,)."""
        return self.boards.totals(states, self.scores)

    def identity(self, states: Array) -> Array:
        """All words of a state, two to a 64-bit word; or the one word that is its hash."""
        xp = self.backend.xp
        if self.lossy:
            return self._hash(states)
        words = states[0::2].astype(xp.uint64)
        half = len(states) // 2
        words[:half] <<= np.uint64(32)
        words[:half] |= states[1::2]
        return words

    def _hash(self, states: Array) -> Array:
        """FNV-1a over the letters 0..25 of the grid, row by row, in 32 bits."""
        xp = self.backend.xp
        hashed = xp.full(states.shape[1], 2166136261, xp.uint32)
        for row in states[:-1]:
            for place in range(self.boards.size - 1, -1, -1):
                hashed ^= row // np.uint32(ALPHABET**place) % np.uint32(ALPHABET)
                hashed *= np.uint32(16777619)
        return hashed.astype(xp.uint64)[None, :]
