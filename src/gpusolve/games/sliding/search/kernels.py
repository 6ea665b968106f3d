"""Searching a batch of paths on a device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding.automata._automaton import LoadedAutomaton
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.kernels import PROGRAM, neighbours
from gpusolve.games.sliding.search.paths import MOST_MOVES, Paths, Walk, whole_tree
from gpusolve.games.sliding.search.symmetry import ALL
from gpusolve.games.sliding.search.tree import Limit, Searched, Tree, after

MOST_SLACK = 2**14 - 1
"""Maximum bound of a limit: the kernel keeps how far a node is within it in 15 bits, one of them for the sign."""
BYTES_PER_PATH = 8192
"""Memory of a path during its search on a GPU: its stack of at most 4 KB, the path itself, and as much to spare."""


@dataclass(frozen=True, eq=False)
class Root(Tree):
    """The board in which searches with pattern databases start, on a device.

    Attributes
    ----------
    databases : Databases
        The pattern databases.
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
    heights: tuple[int, int]
    start: Array
    at: Array
    automaton: Array
    step = 2

    @property
    def backend(self) -> Backend:
        """See `Tree`."""
        return self.databases.backend

    @property
    def height(self) -> int:
        """See `Tree`."""
        return max(self.heights)

    def search(self, paths: Paths, *, limit: Limit, budget: int) -> Searched:
        """See `Tree`."""
        return search(self, paths, limit=limit, budget=budget)


def open_root(
    databases: Databases, tiles: Sequence[int], automaton: LoadedAutomaton, first: tuple[int, ...] = ALL
) -> Root:
    """Prepare searches from a board numbered as `Layout` explains, whose paths begin with one of some moves."""
    backend, partition = databases.backend, databases.partition
    board = np.array(tiles, np.uint8)
    measured = measure(databases, board[None])
    height, height_2 = measured.views[0].tolist()
    beside = neighbours(partition.rows, partition.columns)
    walk = Walk(beside, int(board.argmin()), automaton.table, automaton.start, first)
    start, at = backend.asarray(board), backend.asarray(measured.at[0])
    root = Root(walk, databases, (height, height_2), start, at, automaton.packed)
    search(root, whole_tree(), limit=Limit(max(root.heights)), budget=0)  # compiles the kernel, so that no bound has to
    return root


def search(root: Root, paths: Paths, *, limit: Limit, budget: int) -> Searched:
    """Continue the search of each path within the limit, for at most `budget` expanded nodes per path."""
    databases, backend = root.databases, root.databases.backend
    slacks = limit.slack(root.heights[0]), limit.slack(root.heights[1])
    news = _packed_root(root.walk, slacks)
    longest = max(limit.bound // limit.pace, int(paths.length.max(initial=0)))  # of the paths given, and of those found
    room = min(MOST_MOVES, longest + 1)
    moves, length = backend.asarray(paths.moves[:, :room].copy()), backend.asarray(paths.length.copy())
    found = backend.launch(
        PROGRAM, "search", len(paths), limit.bound, limit.pace, limit.weight, budget,
        databases.partition.is_dense, root.start, root.at, news,
        databases.beside, databases.looks, databases.changes, databases.steps, databases.heads, databases.places,
        databases.bases, root.automaton, moves,
        backend.asarray(paths.fixed), backend.asarray(paths.counted), length, backend.asarray(paths.skip),
    )  # fmt: skip
    status, *counts = map(backend.to_host, found[:-1])  # the last ones are the stacks
    return Searched(status, after(paths, backend.to_host(moves), backend.to_host(length)), *counts)


def _packed_root(walk: Walk, slacks: tuple[int, int]) -> int:
    """Return the word that describes the start to the kernel: the automaton's state, the legal moves, both slacks."""
    allowed = sum(1 << move for move in walk.first if walk.automaton[walk.state, move] >= 0)
    return walk.state << 36 | allowed << 32 | slacks[1] << 17 | slacks[0] << 2
