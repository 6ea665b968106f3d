"""Searching a batch of paths on a device."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array
from gpusolve.games.sliding.automata._automaton import LoadedAutomaton
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.kernels import PROGRAM, neighbours
from gpusolve.games.sliding.search.paths import MOST_MOVES, Paths, Walk, find_prefixes, whole_tree

MOST_SLACK = 2**14 - 1
"""Maximum bound of a limit: the kernel keeps how far a node is within it in 15 bits, one of them for the sign."""
KEPT_LEVELS = 2
"""Number of levels whose prefixes are kept: the current one, and the next while it is tried."""
BYTES_PER_PATH = 8192
"""Memory of a path during its search: on a GPU the stack of a thread, and the path itself."""


@dataclass(frozen=True)
class Limit:
    """The limit of a search: it enters only nodes with ``pace * moves + weight * height <= bound``."""

    bound: int
    pace: int = 1
    weight: int = 1

    def slack(self, height: int) -> int:
        """Return how far the start is within the limit; a negative number means that it is beyond it."""
        return self.bound - self.weight * height


@dataclass(frozen=True, eq=False)
class Root:
    """The board in which searches start, on a device.

    Attributes
    ----------
    databases : Databases
        The pattern databases.
    walk : Walk
        The paths that are legal from the board.
    heights : tuple of int
        The board's sum of heights in each view.
    start : device array of uint8, shape (cells,)
        The tiles of the board.
    at : device array of int64, shape (sides,)
        The index of each look-up of the board.
    automaton : device array of uint32
        `LoadedAutomaton.packed`.
    """

    databases: Databases
    walk: Walk
    heights: tuple[int, int]
    start: Array
    at: Array
    automaton: Array
    _prefixes: dict[int, Paths] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def prefixes(self, level: int) -> Paths:
        """Return all prefixes of a level: the paths of this number of moves. Several threads can ask."""
        with self._lock:
            if level not in self._prefixes:
                prefixes = find_prefixes(self.walk, level)
                while len(self._prefixes) >= KEPT_LEVELS:
                    del self._prefixes[next(iter(self._prefixes))]
                self._prefixes[level] = prefixes
            return self._prefixes[level]


def open_root(databases: Databases, tiles: Sequence[int], automaton: LoadedAutomaton) -> Root:
    """Prepare searches from a board numbered as `Layout` explains."""
    backend, partition = databases.backend, databases.partition
    start = np.array(tiles, np.uint8)
    measured = measure(databases, start[None])
    first, second = measured.views[0].tolist()
    beside = neighbours(partition.rows, partition.columns)
    walk = Walk(beside, int(start.argmin()), automaton.table, automaton.start)
    start, at = backend.asarray(start), backend.asarray(measured.at[0])
    root = Root(databases, walk, (first, second), start, at, automaton.packed)
    search(root, whole_tree(), limit=Limit(max(root.heights)), budget=0)  # compiles the kernel, so that no bound has to
    return root


@dataclass(frozen=True, eq=False)
class Searched:
    """The result of searching a batch of paths, on the host.

    Attributes
    ----------
    status : ndarray of int32, shape (paths,)
        DONE, PAUSED or FOUND.
    paths : Paths
        Where the searches that are not DONE have arrived.
    expanded, generated : ndarray of int64, shape (paths,)
        Number of nodes.
    nearest : ndarray of int32, shape (paths,)
        The least weight * height of any node that was entered, or the bound if none was.
    """

    status: npt.NDArray[np.int32]
    paths: Paths
    expanded: npt.NDArray[np.int64]
    generated: npt.NDArray[np.int64]
    nearest: npt.NDArray[np.int32]


def search(root: Root, paths: Paths, *, limit: Limit, budget: int) -> Searched:
    """Continue the search of each path within the limit, for at most `budget` expanded nodes per path."""
    databases, backend = root.databases, root.databases.backend
    slacks = limit.slack(root.heights[0]), limit.slack(root.heights[1])
    news = _packed_root(root.walk.automaton, root.walk.state, slacks)
    longest = max(limit.bound // limit.pace, int(paths.length.max(initial=0)))  # of the paths given, and of those found
    room = min(MOST_MOVES, longest + 1)
    moves, length = backend.asarray(paths.moves[:, :room].copy()), backend.asarray(paths.length.copy())
    found = backend.launch(
        PROGRAM, "search", len(paths), limit.bound, limit.pace, limit.weight, budget, root.start, root.at, news,
        databases.beside, databases.looks, databases.changes, databases.steps, root.automaton, moves,
        backend.asarray(paths.fixed), backend.asarray(paths.counted), length, backend.asarray(paths.skip),
    )  # fmt: skip
    status, *counts = map(backend.to_host, found)
    ends = backend.to_host(length)
    skip = np.zeros(len(paths), np.uint8)
    arrived = np.zeros_like(paths.moves)
    arrived[:, :room] = backend.to_host(moves)
    after = Paths(arrived, ends, paths.fixed, ends.copy(), skip, paths.owner)
    return Searched(status, after, *counts)


def _packed_root(automaton: npt.NDArray[np.int32], state: int, slacks: tuple[int, int]) -> int:
    """Return the word that describes the start to the kernel: the automaton's state, the legal moves, both slacks."""
    allowed = sum(1 << move for move in range(4) if automaton[state, move] >= 0)
    return state << 36 | allowed << 32 | slacks[1] << 17 | slacks[0] << 2
