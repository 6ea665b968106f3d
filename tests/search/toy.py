"""A game for the tests of the searches: add 1, 2 or 3, some times over; what a sum is worth is anything.

Many ways lead to a sum, so there are duplicates; a sum that is a multiple of seven allows no more moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from gpusolve.backend import Backend, open_backend

MOVES = 3


@dataclass(frozen=True)
class Toy:
    """`worth[sum]` is what a sum is worth, less than 1000; `depth` moves are made at most; `moves` there are.

    It is a space of states.
    """

    worth: tuple[int, ...]
    depth: int
    moves: int = MOVES

    @property
    def backend(self) -> Backend:
        return open_backend("cpu")

    @property
    def root(self) -> np.ndarray:
        return np.zeros((2, 1), np.uint32)

    def expand(self, states: np.ndarray, first: int, last: int) -> np.ndarray:
        keys = [self.keys_of(*map(int, states[:, j])) for j in range(first, last)]
        return np.array(keys, np.uint16).reshape(last - first, self.moves)

    def make(self, states: np.ndarray, parents: Any, moves: Any) -> np.ndarray:
        assert (parents.dtype, moves.dtype) == (np.int32, np.uint16)
        assert states.flags.c_contiguous
        return np.stack([states[0, parents] + moves + np.uint32(1), states[1, parents] + np.uint32(1)])

    def value(self, states: np.ndarray) -> np.ndarray:
        return np.array([self.worth_of(int(total)) for total in states[0]], np.int32)

    def identity(self, states: np.ndarray) -> np.ndarray:
        return states.astype(np.uint64)

    def keys_of(self, total: int, made: int) -> list[int]:
        if made == self.depth or (total % 7 == 0 and total):
            return [0] * self.moves
        return [1 + self.worth_of(total + 1 + move) for move in range(self.moves)]

    def worth_of(self, total: int) -> int:
        return self.worth[total % len(self.worth)]


toys = st.builds(Toy, st.lists(st.integers(0, 30), min_size=1, max_size=12).map(tuple), st.integers(0, 7))


class PlainHeap:
    """The textbook's binary heap, with swaps; equal keys stay where they are."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, Any]] = []

    def push(self, key: int, item: Any) -> None:
        self.entries.append((key, item))
        place = len(self.entries) - 1
        while place and self.entries[place][0] > self.entries[(place - 1) // 2][0]:
            self.swap(place, (place - 1) // 2)
            place = (place - 1) // 2

    def pop(self) -> Any:
        self.swap(0, -1)
        _, item = self.entries.pop()
        place = 0
        while True:
            most = place
            for below in (2 * place + 1, 2 * place + 2):
                if below < len(self.entries) and self.entries[below][0] > self.entries[most][0]:
                    most = below
            if most == place:
                return item
            self.swap(place, most)
            place = most

    def swap(self, a: int, b: int) -> None:
        self.entries[a], self.entries[b] = self.entries[b], self.entries[a]
