"""A toy game for the tests of the searches: add 1, 2 or 3 several times; each sum has an arbitrary value.

Many sequences of moves lead to the same sum, so there are duplicates. A sum that is a multiple of seven allows no move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpusolve.backend import Array, Backend, open_backend

MOVES = 3
CPU = open_backend("cpu")


@dataclass(frozen=True)
class Toy:
    """A space of states on `backend`, in whole arrays; `keys_of` and `worth_of` are the same rules for a single state.

    `worth[sum]` is the value of a sum, less than 1000; `depth` is the largest number of moves; `moves` is the number of
    moves of each state.
    """

    worth: tuple[int, ...]
    depth: int
    moves: int = MOVES
    backend: Backend = CPU

    def on(self, backend: Backend) -> Toy:
        return replace(self, backend=backend)

    @property
    def root(self) -> Array:
        return self.backend.asarray(np.zeros((2, 1), np.uint32))

    def expand(self, states: Array, first: int, last: int) -> Array:
        xp = self.backend.xp
        total, made = states[:, first:last]
        reached = total[:, None] + xp.arange(1, self.moves + 1, dtype=xp.uint32)
        keys = (self.worths(reached) + 1).astype(xp.uint16)
        keys[(made == self.depth) | ((total % 7 == 0) & (total > 0))] = 0
        return keys

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        xp = self.backend.xp
        assert (parents.dtype, moves.dtype) == (np.int32, np.uint16)
        assert states.flags.c_contiguous
        return xp.stack([states[0, parents] + moves + np.uint32(1), states[1, parents] + np.uint32(1)])

    def value(self, states: Array) -> Array:
        return self.worths(states[0])

    def identity(self, states: Array) -> Array:
        return states.astype(np.uint64)

    def worths(self, totals: Array) -> Array:
        return self.backend.asarray(np.array(self.worth, np.int32))[totals % np.uint32(len(self.worth))]

    def keys_of(self, total: int, made: int) -> list[int]:
        if made == self.depth or (total % 7 == 0 and total):
            return [0] * self.moves
        return [1 + self.worth_of(total + 1 + move) for move in range(self.moves)]

    def worth_of(self, total: int) -> int:
        return self.worth[total % len(self.worth)]


class PlainHeap:
    """The binary heap of the textbooks, with swaps; a key never moves past an equal key."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, Any]] = []

    def push(self, key: int, item: Any) -> None:
        self.entries.append((key, item))
        position = len(self.entries) - 1
        while position and self.entries[position][0] > self.entries[(position - 1) // 2][0]:
            self.swap(position, (position - 1) // 2)
            position = (position - 1) // 2

    def pop(self) -> Any:
        self.swap(0, -1)
        _, item = self.entries.pop()
        position = 0
        while True:
            most = position
            for below in (2 * position + 1, 2 * position + 2):
                if below < len(self.entries) and self.entries[below][0] > self.entries[most][0]:
                    most = below
            if most == position:
                return item
            self.swap(position, most)
            position = most

    def swap(self, a: int, b: int) -> None:
        self.entries[a], self.entries[b] = self.entries[b], self.entries[a]
