"""Batches of rows, boards and paths: what the search and its tables ask the device for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, Program
from gpusolve.games.sliding.databases.regions import LOW_CELLS, Regions
from gpusolve.games.sliding.databases.tilesets import MOST_TILES, Partition, Pattern, View
from gpusolve.games.sliding.search.paths import Paths
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "sliding.cu", "gpusolve.games.sliding.cpu")
DONE, PAUSED, FOUND = 0, 1, 2
"""What became of a path's search: all done, the budget spent, at a goal."""
NO_ITEM = 255
BYTES_PER_PATH = 8192
"""What a path takes while it is searched: on a GPU the stack of a thread, and what is told of the path."""


@dataclass(frozen=True, eq=False)
class Searched:
    """What a search of paths came to, on the host, an element a path.

    `status` (int32): DONE, PAUSED or FOUND. `paths`: where those that are not done have come. `expanded`, `generated`
    (int64): nodes. `nearest` (int32): the least height, times its weight, of a node entered, or the
    bound.
    """

    status: npt.NDArray[np.int32]
    paths: Paths
    expanded: npt.NDArray[np.int64]
    generated: npt.NDArray[np.int64]
    nearest: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Tables:
    """The pattern databases of a partition on a device, with all that a look-up takes; see ``kernels/sliding.cu``."""

    partition: Partition
    beside: Array
    place: Array
    item_of: Array
    goals: Array
    bases: Array
    looks: Array
    changes: Array
    steps: Array

    @property
    def sides(self) -> int:
        """Look-ups of a position."""
        return len(self.place)


def neighbours(rows: int, columns: int) -> npt.NDArray[np.uint8]:
    """The cell that the blank goes to by each move U D L R, uint8 (cells, 4); the cell itself where the edge is."""
    cells = np.arange(rows * columns).reshape(rows, columns)
    up, left = np.vstack([cells[:1], cells[:-1]]), np.hstack([cells[:, :1], cells[:, :-1]])
    down, right = np.vstack([cells[1:], cells[-1:]]), np.hstack([cells[:, 1:], cells[:, -1:]])
    return np.stack([side.ravel() for side in (up, down, left, right)], axis=1).astype(np.uint8)


@dataclass(frozen=True)
class Limit:
    """How far a search goes: to nodes with ``pace * moves + weight * height <= bound``."""

    bound: int
    pace: int = 1
    weight: int = 1

    def slack(self, height: int) -> int:
        """How far the start is within it; below 0: it is not."""
        return self.bound - self.weight * height


class Levels:
    """The levels of breadth-first search from a pattern's goal, one after the other: rows of bits on the device."""

    def __init__(self, backend: Backend, pattern: Pattern, regions: Regions, turns: Array) -> None:
        self.backend, self.pattern, self._regions = backend, pattern, regions
        tiles, cells = len(pattern.cells), pattern.rows * pattern.columns
        orders = turns.shape[1]
        words = -(-orders // 64) * 2
        beside = neighbours(pattern.rows, pattern.columns)
        tables = (beside, regions.low, regions.high, regions.masks, regions.rows)
        self._given = (*(backend.asarray(array) for array in tables), turns)
        self._sizes = cells, tiles, orders, words, min(cells, LOW_CELLS)
        shape = (regions.n_rows, words)
        reached = np.zeros(shape, np.uint32)
        mask = sum(1 << cell for cell in pattern.cells)
        number = regions.low[mask % len(regions.low)] + regions.high[mask // len(regions.low)]
        reached[regions.rows[number, pattern.blank], 0] = 1  # the tiles in the order of their cells
        self._reached = backend.asarray(reached)
        self._frontier, self._visited, self._bits = (backend.asarray(np.zeros(shape, np.uint32)) for _ in range(3))
        self._active = backend.empty(regions.n_rows, np.uint8)
        self._counts = backend.empty(regions.n_rows, np.int32)

    def settle(self, level: int) -> int:
        """Counts what is new on a level, and writes it down."""
        levels = (self._active, self._frontier, self._reached, self._visited, self._bits, self._counts)
        words = self._sizes[3]
        self.backend.launch(PROGRAM, "settle", self._regions.n_rows, words, bool(level & 2), *levels)
        return int(self._counts.sum(dtype=np.int64))

    def spread(self) -> None:
        """Reaches the level after that which has been settled."""
        arrays = (*self._given, self._active, self._frontier, self._reached)
        self.backend.launch(PROGRAM, "spread", len(self._regions.masks), *self._sizes, *arrays)

    def steps(self, orders: Array) -> npt.NDArray[np.uint32]:
        """When all levels are settled: the steps up of each place of the tiles, uint32 (cells**tiles,).

        `orders`, uint8, from `find_orders`, on the device.
        """
        cells, tiles = self._sizes[:2]
        odd = sum(sum(divmod(cell, self.pattern.columns)) for cell in self.pattern.cells) % 2
        steps = self.backend.xp.zeros(cells**tiles, np.uint32)
        self.backend.launch(
            PROGRAM,
            "unfold",
            len(self._regions.masks),
            *self._sizes,
            self.pattern.columns,
            odd,
            *self._given,
            orders,
            self._bits,
            steps,
        )
        return self.backend.to_host(steps)


def load(backend: Backend, partition: Partition, steps: npt.NDArray[np.uint32]) -> Tables:
    """Puts the databases of a partition, one after the other in the order of its patterns, on the device."""
    rows, columns = partition.rows, partition.columns
    cells = rows * columns
    views = partition.views if len(partition.views) > 1 else partition.views * 2
    sides: list[View] = [view for sets in views for view in sets]
    beside = neighbours(rows, columns)
    place = np.array([view.place for view in sides], np.uint8)
    item_of = np.full((len(sides), cells), NO_ITEM, np.uint8)
    goals = np.zeros((len(sides), MOST_TILES + 1), np.uint8)
    sizes = [cells ** len(pattern.cells) for pattern in partition.patterns]
    starts = dict(zip(partition.patterns, np.cumsum([0, *sizes]).tolist(), strict=False))
    bases = np.array([starts[view.pattern] for view in sides], np.int64)
    looks, changes = np.zeros((cells, 4), np.uint32), np.zeros((cells, 4, 2), np.int64)
    for number, view in enumerate(sides):
        item_of[number, list(view.tiles)] = range(len(view.tiles))
        goals[number, : len(view.tiles) + 1] = (*view.pattern.cells, view.pattern.blank)
        second = int(number >= len(views[0]))
        for move in range(4):
            blank = int((beside[:, move] != np.arange(cells)).argmax())  # a cell from which this move can be made
            to, from_ = (view.place[cell] for cell in (blank, beside[blank, move]))  # of the tile, as the table sees it
            way = beside[from_].tolist().index(to)
            for slot, tile in enumerate(view.tiles):
                looks[tile, move] |= (4 * slot + way) << (16 + 8 * second) | number << 8 * second
                changes[tile, move, second] = (to - from_) * cells**slot
    given = (beside, place, item_of, goals, bases, looks, changes, steps)
    return Tables(partition, *(backend.asarray(array) for array in given))


def measure(
    backend: Backend, tables: Tables, boards: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The height of each side of boards, uint8 (boards, cells): int32 (boards, sides), and where its steps are, int64.

    A height is -1 where the table is not one of ours.
    """
    cells = tables.partition.rows * tables.partition.columns
    heights = backend.empty((len(boards), tables.sides), np.int32)
    at = backend.empty((len(boards), tables.sides), np.int64)
    backend.launch(
        PROGRAM,
        "measure",
        len(boards),
        cells,
        tables.sides,
        backend.asarray(boards),
        tables.beside,
        tables.place,
        tables.item_of,
        tables.goals,
        tables.bases,
        tables.steps,
        heights,
        at,
    )
    return backend.to_host(heights), backend.to_host(at)


def search(
    backend: Backend,
    tables: Tables,
    automaton: Array,
    start: npt.NDArray[np.uint8],
    at: npt.NDArray[np.int64],
    news: int,
    limit: Limit,
    budget: int,
    paths: Paths,
) -> Searched:
    """Searches each path on, within the limit, for at most `budget` expanded nodes.

    `automaton` as `packed` gives it, on the device; `start`, uint8 (cells,), with its `at` from `measure` and its
    `news` from `news_of`.
    """
    cells = tables.partition.rows * tables.partition.columns
    status, nearest = (backend.empty(len(paths), np.int32) for _ in range(2))
    expanded, generated = (backend.empty(len(paths), np.int64) for _ in range(2))
    moves, length = backend.asarray(paths.moves.copy()), backend.asarray(paths.length.copy())
    backend.launch(
        PROGRAM,
        "search",
        len(paths),
        limit.bound,
        limit.pace,
        limit.weight,
        budget,
        cells,
        tables.sides,
        backend.asarray(start),
        backend.asarray(at),
        news,
        tables.beside,
        tables.looks,
        tables.changes,
        tables.steps,
        automaton,
        moves,
        backend.asarray(paths.fixed),
        backend.asarray(paths.counted),
        length,
        backend.asarray(paths.skip),
        status,
        expanded,
        generated,
        nearest,
    )
    found, *counts = (backend.to_host(array) for array in (status, expanded, generated, nearest))
    ends = backend.to_host(length)
    none = np.zeros(len(paths), np.uint8)
    after = Paths(backend.to_host(moves), ends, paths.fixed, ends.copy(), none, paths.owner)
    return Searched(found, after, *counts)


def packed(automaton: npt.NDArray[np.int32]) -> npt.NDArray[np.uint32]:
    """What follows on each state and move, as the kernels have it: the state, and behind it the moves it allows.

    `automaton`, int32 (states, 4): the state after a move, -1 where it is forbidden.
    """
    allowed = (automaton >= 0) @ np.array([1, 2, 4, 8])
    return np.where(automaton >= 0, automaton << 4 | allowed[automaton], 0).astype(np.uint32).reshape(-1)


def news_of(automaton: npt.NDArray[np.int32], state: int, slacks: tuple[int, int]) -> int:
    """The news of the start: the automaton's state and the moves that it allows, and the slacks of both views."""
    allowed = sum(1 << move for move in range(4) if automaton[state, move] >= 0)
    return state << 36 | allowed << 32 | slacks[1] << 17 | slacks[0] << 2
