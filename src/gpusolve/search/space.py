"""What a search asks of a game, a space of states in batches, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from gpusolve.backend import Array, Backend

Progress = Callable[[int, int], None]
"""Called now and then with what the search has done so far, and the best value that it has found."""


class Space(Protocol):
    """States that moves lead from one to the next. A search looks for one of the greatest `value`.

    States are one array of unsigned integers on the device, shape (fields, count), C-contiguous: each column is a
    state. Every state has the same number of moves, at most 2^16, allowed or not.
    """

    @property
    def backend(self) -> Backend:
        """The device that the states live on; its ``xp`` sorts and counts them."""

    @property
    def root(self) -> Array:
        """The state that the search begins with, shape (fields, 1)."""

    def expand(self, states: Array, first: int, last: int) -> Array:
        """The keys of every move of the states first..last-1, unsigned integers (last - first, moves).

        0 for a move that is not allowed, else the larger the better. A beam wants uint16, best-first less than 2^31.
        """

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """The states that the moves (uint16) of the states with the numbers `parents` (int32) lead to."""

    def value(self, states: Array) -> Array:
        """What the search maximises, int32 (count,), never negative."""

    def identity(self, states: Array) -> Array:
        """uint64 (words, count): states with the same words are taken for the same, and only one of them goes on."""


@dataclass(frozen=True)
class Result:
    """The best state that a search came upon: its value and the moves to it from the root; and what the search did.

    `expanded` counts the states whose moves were looked at, `generated` the allowed moves that they had. `complete`:
    the search ended by itself, not by its time limit. `exhaustive`: nothing was left out, so that no state has a
    greater value, as far as `identity` tells states apart.
    """

    value: int
    moves: list[int]
    expanded: int
    generated: int
    seconds: float
    complete: bool
    exhaustive: bool
