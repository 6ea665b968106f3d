"""Two divisions of the tiles for a board: those of the library that keep the fewest nodes of a sample of its search.

For one board, the nodes that two divisions take together differ by factors of ten and more. A pair keeps a node if
neither of its heights goes beyond the bound, so the nodes of a small search, drawn evenly, tell the pairs apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.outcomes import FOUND, PAUSED
from gpusolve.games.sliding.databases import library
from gpusolve.games.sliding.databases.catalogue import (
    build_library,
    databases_of,
    has_room_for_library,
    partition_for,
)
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.databases.tilesets import Partition
from gpusolve.games.sliding.goals import Layout
from gpusolve.games.sliding.search.kernels import Root, open_root, search
from gpusolve.games.sliding.search.paths import Paths, find_prefixes, join
from gpusolve.games.sliding.search.solution import Status
from gpusolve.games.sliding.search.tree import Limit

LEVEL = 8  # moves of the prefixes into which the search is divided
ENOUGH = 3_000_000
"""Nodes of the bound from which a sample is drawn."""
SAMPLES = 3_000
CHOOSING, BUILDING = 200_000_000, 3_600_000_000
"""Nodes that a search expands in the time that it takes to choose, and to build the library."""
LEAST_GAIN = 0.8
"""The two have to keep fewer nodes than this part of those that the partition before keeps."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Nodes of the search of a board.

    Attributes
    ----------
    bound : int
        The bound of the search.
    boards : ndarray of uint8, shape (nodes, cells)
        The position of each node, numbered as `Layout` explains.
    left : ndarray of int64, shape (nodes,)
        Number of moves that are left in each node within the bound.
    """

    bound: int
    boards: npt.NDArray[np.uint8]
    left: npt.NDArray[np.int64]


class Better(Exception):
    """Ends a search: two divisions of the library are expected to take fewer nodes than its partition.

    Attributes
    ----------
    partition : Partition
        The partition that looks up both.
    reason : str
        Why it was chosen.
    """

    def __init__(self, partition: Partition, reason: str) -> None:
        super().__init__(reason)
        self.partition, self.reason = partition, reason


@dataclass
class Chooser:
    """The progress callback of a search that changes to two divisions of the library when this pays.

    A search that has begun a bound of so many nodes is begun again with the two: the bounds before take a tenth of it
    at most.

    Attributes
    ----------
    board : Board
        The board.
    partition : Partition
        The partition of the search.
    backend : Backend
        The device.
    depth : int
        Length of the forbidden strings.
    may_build : bool
        Whether the library is built if it is missing.
    progress : callable
        The callback of the user. If it has a method ``build``, that is called while tables are built.
    """

    board: Board
    partition: Partition
    backend: Backend
    depth: int
    may_build: bool
    progress: Callable[[Status], object]
    decided: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.progress, name)

    def __call__(self, status: Status) -> None:
        """Report the progress, and raise `Better` at the first bound for which a choice pays, if it finds one."""
        self.progress(status)
        file = library.path_of(self.board.rows, self.board.columns)
        is_built = file is not None and file.is_file()
        pays = status.expected - status.expanded >= (CHOOSING if is_built else BUILDING)
        is_solved = not status.bounds or status.bounds[-1].bound == status.bound
        if self.decided or is_solved or not pays or not (is_built or self.may_build):
            return
        self.decided = True
        if has_room_for_library(self.partition):
            self._choose(status)

    def _choose(self, status: Status) -> None:
        try:
            with clock.building:
                build_library(self.partition, self.backend, progress=getattr(self.progress, "build", None))
        except BadInput:  # the disk is full, or the folder cannot be written
            return
        small = databases_of(partition_for(self.board, "small"), self.backend)
        sample = draw(open_root(small, self.board.numbered().tiles, small.automaton(self.depth)))
        before = int(is_kept(databases_of(self.partition, self.backend), sample).all(axis=0).sum())
        partition, kept = best_pair(self.board, sample, self.backend)
        if kept < LEAST_GAIN * before:
            raise Better(
                partition,
                f"two partitions: the bound of {status.bound} moves was expected to take {status.expected:,} nodes; "
                f"of {len(sample.left):,} nodes within {sample.bound} moves, they keep {kept:,}, and the partition "
                f"before {before:,}",
            )


def may_change(board: Board, backend: Backend) -> bool:
    """Return whether a search of a board can change to the library; its price in nodes is that of a CPU."""
    has_library = library.path_of(board.rows, board.columns) is not None
    return has_library and backend.host is backend and board.layout == Layout(board.rows, board.columns)


def is_pair(board: Board, partition: str) -> bool:
    """Return whether a partition, as text, looks up two divisions of the library, which the board may choose."""
    rows, columns = board.rows, board.columns
    divisions = {str(Partition(rows, columns, sets)) for sets in library.divisions(rows, columns)}
    return board.layout == Layout(rows, columns) and set(partition.split("+")) <= divisions


def best_pair(board: Board, sample: Sample, backend: Backend) -> tuple[Partition, int]:
    """Return the two divisions of the library that keep the fewest nodes of a sample, and how many."""
    divisions = library.divisions(board.rows, board.columns)
    kept = np.zeros((len(divisions), len(sample.left)), np.float32)
    for first in range(0, len(divisions), 2):
        two = divisions[first], divisions[min(first + 1, len(divisions) - 1)]
        pair = databases_of(Partition(board.rows, board.columns, *two), backend)
        kept[first : first + 2] = is_kept(pair, sample)[: len(divisions) - first]
    ones, others = np.triu_indices(len(divisions), 1)
    counts = (kept @ kept.T)[ones, others]  # sums of ones, exact up to 2^24
    least = int(counts.argmin())
    partition = Partition(board.rows, board.columns, divisions[ones[least]], divisions[others[least]])
    return partition, int(counts[least])


def draw(root: Root, *, enough: int = ENOUGH, count: int = SAMPLES) -> Sample:
    """Draw about `count` nodes evenly from the first bound of a search that has `enough`, in the order of the search.

    If a bound has a solution before that, the nodes come from it.
    """
    prefixes, bound = find_prefixes(root.walk, LEVEL), root.height
    while True:
        searched = search(root, prefixes, limit=Limit(bound), budget=enough)
        total = int(searched.expanded.sum())
        if total >= enough or (searched.status == FOUND).any():
            break
        bound += 2
    paths, found = prefixes, [prefixes[:0]]
    while len(paths):  # each search pauses after a number of nodes, at the next node that is drawn
        searched = search(root, paths, limit=Limit(bound), budget=max(1, total // count))
        paths = searched.paths[searched.status == PAUSED]
        found.append(paths)
    nodes = join(*found)
    boards = positions(root.backend.to_host(root.start), root.walk.beside, nodes)
    return Sample(bound, boards, bound - nodes.length.astype(np.int64))


def positions(start: npt.NDArray[np.uint8], beside: npt.NDArray[np.uint8], paths: Paths) -> npt.NDArray[np.uint8]:
    """Return the position at the end of each path: uint8 (paths, cells)."""
    boards = np.repeat(start[None], len(paths), axis=0)
    blank = np.full(len(paths), int(start.argmin()))
    for move in range(int(paths.length.max(initial=0))):
        going = np.flatnonzero(paths.length > move)
        to = beside[blank[going], paths.moves[going, move]]
        boards[going, blank[going]] = boards[going, to]
        boards[going, to], blank[going] = 0, to
    return boards


def is_kept(databases: Databases, sample: Sample) -> npt.NDArray[np.bool_]:
    """Return whether each division of a partition keeps each node of a sample: bool (2, nodes)."""
    return (measure(databases, sample.boards).views <= sample.left[:, None]).T
