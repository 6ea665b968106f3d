"""The boards of a beam as a space of states for `gpusolve.search.beam`: every launch of its kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding.beams.tables import Lookups
from gpusolve.games.sliding.cpu.beams import BLANK_BIT, HEIGHT_BIT, MOST_RANK, MOVE_BIT, NO_TILE
from gpusolve.games.sliding.kernels import PROGRAM

NO_MOVE = 4


@dataclass(frozen=True, eq=False)
class BoardSpace:
    """The boards that can be reached from `root` (see `gpusolve.search.space.Space`).

    Attributes
    ----------
    lookups : Lookups
        The look-ups of the board size and the goal.
    root : device array of uint64, shape (words, 1)
        The first state, from `encode`.
    bound : int
        Maximum number of moves of a solution; no state is made whose height shows that it takes more.
    salt : int
        A number below 2^32 to break ties at random; 0 for the lowest parent and move.
    """

    lookups: Lookups
    root: Array
    bound: int
    salt: int = 0

    @property
    def backend(self) -> Backend:
        """The device of the boards."""
        return self.lookups.backend

    def expand(self, states: Array, first: int, last: int) -> Array:
        """Return the keys of all moves of the states `first` to ``last - 1``, uint16 (last - first, 4)."""
        return self.backend.launch(
            PROGRAM, "rank", last - first, states, first, *self.lookups.arrays, self.bound, self.salt
        )

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the states that moves lead to, uint64 (words, children)."""
        count = len(parents)
        return self.backend.launch(PROGRAM, "take", count, states, *self.lookups.arrays, parents, moves, count)

    def value(self, states: Array) -> Array:
        """Return how far the rank is below its maximum, int32 (count,)."""
        return (MOST_RANK - (states[-1] & MOST_RANK)).astype(np.int32)

    def solved(self, states: Array) -> int | None:
        """Return the number of the first state that is the goal, or None if there is none."""
        ranks = states[-1] & MOST_RANK
        first = int(ranks.argmin())
        return first if int(ranks[first]) == 0 else None

    def identity(self, states: Array) -> Array:
        """Return the words that hold the tiles."""
        return states[:-1]


def encode(lookups: Lookups, tiles: Sequence[int]) -> tuple[Array, int]:
    """Return the first state of a beam, and its greatest height. `tiles` are numbered as `Lookups` explains."""
    backend, cells, words = lookups.backend, lookups.cells, lookups.words
    side_of, members, place, bases = (
        backend.to_host(array) for array in (lookups.side_of, lookups.members, lookups.place, lookups.bases)
    )
    state, where = np.zeros((words, 1), np.uint64), np.argsort(np.array(tiles))
    packed = np.zeros(8 * (words - 1), np.uint8)
    packed[:cells] = tiles
    state[:-1, 0] = packed.view("<u8")
    sums = []
    for sides in side_of:
        height = 0
        for side in sorted(set(sides[1:].tolist())):
            own = [int(tile) for tile in members[side] if tile != NO_TILE]
            index = int(bases[side]) + sum(int(place[side, where[tile]]) * cells**slot for slot, tile in enumerate(own))
            height += int(lookups.heights[index])
        sums.append(height)
    about = int(where[0]) << int(BLANK_BIT) | NO_MOVE << int(MOVE_BIT) | sums[0] << int(HEIGHT_BIT) | sum(sums)
    state[-1, 0] = about
    return backend.asarray(state), max(sums)
