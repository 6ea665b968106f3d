"""The tables of the multi-tile metric, for boards that are numbered as `Layout` explains."""

from __future__ import annotations

from hashlib import sha256
from math import perm
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.slides import TAIL, UNKNOWN
from gpusolve.games.sliding.databases.lookups import heads_of
from gpusolve.games.sliding.goals import Layout
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.games.sliding.slides import kernels
from gpusolve.games.sliding.slides.lookups import Lookups, number_of
from gpusolve.runs import store

MOST_CELLS = 16
MOST_TILES = 6  # a table of six tiles of 4x4 takes 115 MB, one of seven would take 1 GB
Sets: TypeAlias = tuple[tuple[int, ...], ...]
SETS: dict[tuple[int, int], Sets] = {(4, 4): ((1, 2, 3, 6, 7, 11), (10, 11, 12, 13, 14, 15))}
"""The sets of tiles of a board size; on other boards the first and the last six tiles.

Those of 4x4 took the fewest nodes of several pairs; see benchmarks/results/sliding.md.
"""
VERSION = 2
"""Version of the files: those of another version are built again."""


def check_metric(board: Board) -> None:
    """Raise BadInput unless a board can be solved in the multi-tile metric."""
    if board.cells > MOST_CELLS:
        size = f"{board.rows}x{board.columns}"
        raise BadInput(f"metric multi-tile: {size}, expected a board of at most {MOST_CELLS} cells")


def sets_of(rows: int, columns: int) -> Sets:
    """Return the sets of tiles that have a table, all of the same size.

    >>> sets_of(3, 3)
    ((1, 2, 3, 4, 5, 6), (3, 4, 5, 6, 7, 8))
    """
    tiles = tuple(range(1, rows * columns))
    either = (tiles[:MOST_TILES], tiles[-MOST_TILES:])
    return SETS.get((rows, columns), either if len(tiles) > MOST_TILES else either[:1])


def lookups_of(layout: Layout, backend: Backend) -> Lookups:
    """Return the look-ups for a layout. Tables that this machine does not keep are built first, in seconds."""
    rows, columns, goal_cell = layout.rows, layout.columns, layout.goal_cell
    sets, cells = sets_of(rows, columns), np.arange(layout.cells)
    diagonal = cells.reshape(rows, columns).T.ravel()
    turns = [cells]
    if rows == columns and layout.is_kept_by(tuple(diagonal.tolist())):
        turns.append(diagonal)
    beside = neighbours(rows, columns)
    numbers, places, owners, changes = [], [], [], []
    for number, tiles in enumerate(sets):
        for mirror, turned in enumerate(turns):
            own = tuple(goal_cell(int(turned[goal_cell(tile)])) for tile in tiles)
            change = np.zeros((layout.cells, 4), np.int32)
            for move in range(4):
                blank = int((beside[:, move] != cells).argmax())  # a cell from which this move is legal
                step = int(turned[beside[blank, move]]) - int(turned[blank])
                change[:, move] = step
                change[own, move] -= step << 4 * np.arange(1, len(own) + 1)
            numbers.append((number, mirror))
            places.append(turned)
            owners.append(own)
            changes.append(change)
    homes = [sum(1 << cell for cell in layout.goal_cells(tile)) for tile in range(layout.cells)]
    heads = heads_of(layout.cells, len(sets[0]) + 1 - TAIL)
    return Lookups(
        layout,
        backend,
        tuple(places),
        tuple(owners),
        backend.asarray(beside),
        backend.asarray(np.array(changes)),
        backend.asarray(np.array(numbers, np.uint8)),
        backend.asarray(heads),
        backend.asarray(_tables(layout, sets, backend)),
        backend.asarray(np.array(homes, np.uint32)),
    )


def _tables(layout: Layout, sets: Sets, backend: Backend) -> npt.NDArray[np.uint8]:
    """Return the tables of a layout, uint8 (sets, 2, positions), from their file or newly built."""
    rows, columns = layout.rows, layout.columns
    name = f"sliding-slides-{rows}x{columns}"
    about = {"what": "slides", "size": [rows, columns], "sets": [list(tiles) for tiles in sets], "version": VERSION}
    if layout != Layout(rows, columns):
        about |= {"blank": layout.blank, "alike": [list(tiles) for tiles in layout.alike]}
        name += f"-{sha256(str(layout).encode()).hexdigest()[:16]}"
    arrays = store.made(name, about, lambda: {"slides": np.stack([build(layout, tiles, backend) for tiles in sets])})
    table = Fields(f"table {store.path_of(name)}: damaged", arrays)
    return table.array("slides", np.uint8, (len(sets), 2, perm(layout.cells, len(sets[0]) + 1)))


def build(layout: Layout, tiles: tuple[int, ...], backend: Backend) -> npt.NDArray[np.uint8]:
    """Return the number of slides of every position of a set of tiles, uint8 (2, positions)."""
    items = len(tiles) + 1
    distances = np.full((2, perm(layout.cells, items)), UNKNOWN, np.uint8)
    for cells in layout.goals_of(tiles):
        distances[:, number_of((layout.blank, *cells), layout.cells)] = 0
    heads, reached, slides = backend.asarray(heads_of(layout.cells, items - TAIL)), backend.asarray(distances), 0
    while kernels.widen(backend, layout.rows, layout.columns, slides, heads, reached):
        slides += 1
    return backend.to_host(reached)
