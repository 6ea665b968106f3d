"""The tree below a board, on a device: what iterative deepening in jobs needs of a metric and its heuristic."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.sliding.search.paths import Paths, Walk, find_prefixes

KEPT_LEVELS = 2
"""Number of levels whose prefixes are kept: the current one, and the next while it is tried."""


@dataclass(frozen=True)
class Limit:
    """The limit of a search: it enters only nodes with ``pace * cost + weight * height <= bound``.

    The cost is the number of moves, or of slides in the multi-tile metric.
    """

    bound: int
    pace: int = 1
    weight: int = 1

    def slack(self, height: int) -> int:
        """Return how far the start is within the limit; a negative number means that it is beyond it."""
        return self.bound - self.weight * height


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


@dataclass(frozen=True, eq=False)
class Tree(ABC):
    """A board in which searches start.

    Attributes
    ----------
    walk : Walk
        The paths that are legal from the board.
    """

    step: ClassVar[int]
    """What all bounds of a board differ by: 2 if each move changes the height by one, up or down."""

    walk: Walk
    _prefixes: dict[int, Paths] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    @property
    @abstractmethod
    def backend(self) -> Backend:
        """The device."""

    @property
    @abstractmethod
    def height(self) -> int:
        """The lower bound of the board."""

    @abstractmethod
    def search(self, paths: Paths, *, limit: Limit, budget: int) -> Searched:
        """Continue the search of each path within the limit, for at most `budget` expanded nodes per path."""

    def prefixes(self, level: int) -> Paths:
        """Return all prefixes of a level: the paths of this number of moves. Several threads can ask."""
        with self._lock:
            if level not in self._prefixes:
                prefixes = find_prefixes(self.walk, level)
                while len(self._prefixes) >= KEPT_LEVELS:
                    del self._prefixes[next(iter(self._prefixes))]
                self._prefixes[level] = prefixes
            return self._prefixes[level]


def after(paths: Paths, moves: npt.NDArray[np.uint8], length: npt.NDArray[np.int32]) -> Paths:
    """Return where the searches of paths have arrived, from the moves and the length that a kernel has written."""
    arrived = np.zeros_like(paths.moves)
    arrived[:, : moves.shape[1]] = moves
    return Paths(arrived, length, paths.fixed, length.copy(), np.zeros(len(paths), np.uint8), paths.owner)
