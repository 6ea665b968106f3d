"""The contract between a search and a game: a space of states in batches, and the result of a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from gpusolve.backend import Array, Backend

Progress = Callable[[int, int], object]
"""A callback that a search calls now and then with the work done so far (states) and the best value so far."""


class Space(Protocol):
    """A space of states, in which moves lead from one state to the next. A search maximises `value`.

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
        """Return the key of every move of some states.

        Parameters
        ----------
        states : Array, shape (fields, count)
            The states of a level or of a batch.
        first, last : int
            The columns to expand: `first` to ``last - 1``.

        Returns
        -------
        Array, shape (last - first, moves)
            Unsigned integers: 0 for a move that is not allowed; otherwise the larger, the more promising. A beam needs
            uint16, best-first search keys below 2^31.
        """

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the states that moves lead to.

        Parameters
        ----------
        states : Array, shape (fields, count)
            The states of a level or of a batch.
        parents : Array of int32, shape (children,)
            For each child, the column of its parent.
        moves : Array of uint16, shape (children,)
            For each child, its parent's move, which is allowed.

        Returns
        -------
        Array, shape (fields, children)
        """

    def value(self, states: Array) -> Array:
        """Return the value of each state, int32 (count,), never negative. This is what a search maximises."""

    def identity(self, states: Array) -> Array:
        """Return the identity of each state, uint64 (words, count).

        A search treats states with equal words as duplicates and keeps only the first of them.
        """


@dataclass(frozen=True)
class Result:
    """The best state of a search, and statistics of the search.

    Attributes
    ----------
    value : int
        The value of the best state.
    moves : list of int
        The moves from the root to that state.
    expanded : int
        Number of states whose moves were examined.
    generated : int
        Number of allowed moves that those states had.
    seconds : float
        Duration of the search.
    complete : bool
        Whether the search ended by itself, and not because of its time limit.
    exhaustive : bool
        Whether the search left no state out, so that no state has a greater value (as far as `Space.identity`
        distinguishes states).
    """

    value: int
    moves: list[int]
    expanded: int
    generated: int
    seconds: float
    complete: bool
    exhaustive: bool
