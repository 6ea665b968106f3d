"""A board with everything that a search of it needs on a device."""

from __future__ import annotations

import threading

from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.search import kernels
from gpusolve.games.sliding.search.paths import Paths, find_prefixes, whole_tree

KEPT_LEVELS = 2
"""Number of levels whose prefixes are kept: the current one, and the next while it is tried."""


class Puzzle:
    """A board, its pattern databases, and the automaton of strings of up to `depth` moves. Several threads can use it.

    Attributes
    ----------
    board : Board
        The board as it was given.
    root : kernels.Root
        The board with the goal blank-first, on the device of the databases.
    """

    def __init__(self, board: Board, databases: Databases, depth: int) -> None:
        self.board = board
        self.root = kernels.open_root(databases, board.blank_first().tiles, databases.automaton(depth))
        self._prefixes: dict[int, Paths] = {}
        self._lock = threading.Lock()
        # A first search without a budget compiles the kernel, so that no bound has to.
        kernels.search(self.root, whole_tree(), limit=kernels.Limit(max(self.root.heights)), budget=0)

    def prefixes(self, level: int) -> Paths:
        """Return all prefixes of a level: the paths of this number of moves."""
        with self._lock:
            if level not in self._prefixes:
                prefixes = find_prefixes(self.root.walk, level)
                while len(self._prefixes) >= KEPT_LEVELS:
                    del self._prefixes[next(iter(self._prefixes))]
                self._prefixes[level] = prefixes
            return self._prefixes[level]
