"""Iterative deepening by one thread, along one path; it needs neither a device nor a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy.typing as npt

from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.outcomes import DONE, EXPANDED, FOUND, GENERATED, NEAREST
from gpusolve.games.sliding.search.deepening import Deepening

BUDGET = 2_000_000
"""Nodes between two looks at the clock."""
FAR = 2**40
"""More than any bound."""


class PathSearch(Protocol):
    """A depth-first search from a board, which can stop after any number of nodes and continue.

    Attributes
    ----------
    height : int
        The lower bound on the number of moves from the board.
    counters : ndarray of int64
        The length of the path, the nodes expanded and generated, and the next bound, as `cpu.outcomes` numbers them.
    """

    height: int
    counters: npt.NDArray[Any]

    def begin(self) -> None:
        """Go back to the board."""

    def run(self, bound: int, budget: int) -> int:
        """Search on within a bound; return DONE, FOUND, or PAUSED after `budget` nodes."""

    def moves(self) -> str:
        """Return the moves on the path, in the directions of the board as it was given."""


class SerialDeepening(Deepening):
    """Iterative deepening with a search of one path, or with several that divide the tree, one after the other."""

    def __init__(self, board: Board, searches: Sequence[PathSearch], **options: Any) -> None:
        self._searches = searches
        height = min(search.height for search in searches)
        super().__init__(board, bound=height, lower_bound=height, **options)

    def _prepare(self) -> None:
        for search in self._searches:
            search.begin()
        self._left = [search for search in self._searches if search.height <= self.bound]

    def _search(self) -> bool:
        outcome = self._left[0].run(self.lower_bound, BUDGET)
        if outcome == FOUND:
            self.solutions = [self._left[0].moves()]
        elif outcome == DONE:
            del self._left[0]
        return outcome == FOUND or not self._left

    def _nodes(self) -> tuple[int, int]:
        expanded, generated = (sum(int(search.counters[i]) for search in self._searches) for i in (EXPANDED, GENERATED))
        return expanded, generated

    def _raise_bound(self) -> None:
        self.bound = self.lower_bound = min(
            search.height if search.height > self.bound else int(search.counters[NEAREST]) for search in self._searches
        )
