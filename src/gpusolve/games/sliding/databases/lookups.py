"""The pattern databases of a partition on a device, with everything that look-ups and searches with them take."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding.automata._automaton import LoadedAutomaton, automaton, load_automaton
from gpusolve.games.sliding.cpu.search import HEAD_TILES, TAIL_TILES
from gpusolve.games.sliding.databases.tilesets import MOST_TILES, Partition, Pattern, View
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.result import Result

NO_ITEM = 255
"""The item of a tile that is not in a set."""


@dataclass(frozen=True, eq=False, repr=False)
class Databases(Result):
    """The pattern databases of a partition, loaded on a device: `open_databases` returns them.

    Any number of searches can use them, also in several threads at once. They are as large as their file, 3 GB for the
    24-puzzle, and are freed with the last reference to them. They also keep the automata of forbidden moves that
    searches have used, so that a search of another board finds everything loaded.

    Attributes
    ----------
    partition : Partition
        The sets of tiles that have a pattern database each.
    backend : Backend
        The device.
    beside, place, item_of, goals, bases, looks, changes, steps, heads, places : device array
        The inputs of the kernels in ``kernels/sliding.cu``.
    """

    partition: Partition
    backend: Backend
    beside: Array
    place: Array
    item_of: Array
    goals: Array
    bases: Array
    looks: Array
    changes: Array
    steps: Array
    heads: Array
    places: Array
    _automata: dict[int, LoadedAutomaton] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __repr__(self) -> str:
        size = f"{self.partition.rows}x{self.partition.columns}"
        return f"<Databases {size}: {self.partition}, {self.steps.nbytes / 2**20:,.1f} MiB on {self.backend.name}>"

    @property
    def sides(self) -> int:
        """Number of look-ups per position."""
        return len(self.place)

    def automaton(self, depth: int) -> LoadedAutomaton:
        """Return the automaton of forbidden strings of up to `depth` moves, for boards of this size."""
        with self._lock:
            if depth not in self._automata:
                computed = automaton(rows=self.partition.rows, columns=self.partition.columns, depth=depth)
                self._automata[depth] = load_automaton(self.backend, computed.table, int(computed.starts[0]))
            return self._automata[depth]


def load_databases(
    backend: Backend,
    partition: Partition,
    steps: npt.NDArray[np.uint32],
    starts: Mapping[Pattern, int] | None = None,
) -> Databases:
    """Load the pattern databases of a partition on a device.

    Parameters
    ----------
    backend : Backend
        The device.
    partition : Partition
        The sets of tiles.
    steps : ndarray of uint32
        `Database.steps` of each pattern, one after the other in the order of `Partition.patterns`.
    starts : mapping, optional
        Where the steps of each pattern begin, if `steps` holds those of more patterns, which several partitions share.
    """
    rows, columns = partition.rows, partition.columns
    cells = rows * columns
    views = partition.both_views
    sides: list[View] = [view for sets in views for view in sets]
    beside = neighbours(rows, columns)
    place = np.array([view.place for view in sides], np.uint8)
    item_of = np.full((len(sides), cells), NO_ITEM, np.uint8)
    goals = np.zeros((len(sides), MOST_TILES + 1), np.uint32)
    if starts is None:
        starts = dict(zip(partition.patterns, np.cumsum([0, *partition.sizes]).tolist(), strict=False))
    bases = np.array([starts[view.pattern] for view in sides], np.int64)
    looks, changes = np.zeros((cells, 4), np.uint32), np.zeros((cells, 4, 2), np.int64)
    for number, view in enumerate(sides):
        item_of[number, list(view.tiles)] = range(len(view.tiles))
        homes = [sum(1 << cell for cell in cells) for cells in view.pattern.goal_cells]
        goals[number, : len(homes) + 1] = [*homes, 1 << view.pattern.blank]
        second = int(number >= len(views[0]))
        for move in range(4):
            blank = int((beside[:, move] != np.arange(cells)).argmax())  # a cell from which this move is legal
            to, from_ = (view.place[cell] for cell in (blank, beside[blank, move]))  # of the tile, in the database
            direction = beside[from_].tolist().index(to)
            for slot, tile in enumerate(view.tiles):
                looks[tile, move] |= (4 * slot + direction) << (16 + 8 * second) | number << 8 * second
                changes[tile, move, second] = (to - from_) * (1 << 4 * slot if partition.is_dense else cells**slot)
    heads, places = numbering(cells if partition.is_dense else 0, [len(view.tiles) for view in sides])
    arrays = (beside, place, item_of, goals, bases, looks, changes, steps, heads, places)
    return Databases(partition, backend, *(backend.asarray(array) for array in arrays))


def numbering(cells: int, tiles: list[int]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """Return how positions in dense databases are numbered: `heads` and `places` of ``kernels/sliding.cu``.

    `tiles` is the number of tiles of each side; `cells` is 0 if the databases are not dense.
    """
    heads, starts, places = [np.zeros(1, np.uint32)], [0, 1], np.ones((len(tiles), 2 + TAIL_TILES), np.int32)
    if cells:
        for count in range(1, min(HEAD_TILES, cells) + 1):
            heads.append(heads_of(cells, count))
            starts.append(starts[-1] + len(heads[-1]))
    for side, count in enumerate(tiles):
        head = min(count, HEAD_TILES)
        places[side, :2] = starts[head] if cells else 0, (1 << 4 * head) - 1
        places[side, 2 : 2 + count - head] = [cells - item for item in range(head, count)]
    return np.concatenate(heads), places


def heads_of(cells: int, tiles: int) -> npt.NDArray[np.uint32]:
    """Return the number of each placement of some tiles, and its cells: uint32 (codes,).

    A code has four bits for the cell of each tile. The upper half of a word is the number, the lower half has the cells
    as bits; codes that are no placement have 0.
    """
    codes, taken = np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    for tile in range(tiles):  # each placement, in the order of their numbers, goes on with each cell that is free
        before, cell = np.nonzero(taken[:, None] >> np.arange(cells, dtype=np.uint32) & 1 == 0)
        codes = codes[before] | cell.astype(np.uint32) << np.uint32(4 * tile)
        taken = taken[before] | np.uint32(1) << cell.astype(np.uint32)
    heads = np.zeros(1 << 4 * tiles, np.uint32)
    heads[codes] = np.arange(len(codes), dtype=np.uint32) << np.uint32(16) | taken
    return heads
