"""The tables of the multi-tile metric, for boards that are numbered as `Layout` explains."""

from __future__ import annotations

from hashlib import sha256
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.slides import UNKNOWN, Lookups, extend
from gpusolve.games.sliding.goals import Layout
from gpusolve.runs import store

MOST_CELLS = 16
MOST_TILES = 5  # a table of five tiles takes 32 MiB, one of six would take 512
Sets: TypeAlias = tuple[tuple[int, ...], ...]
SETS: dict[tuple[int, int], Sets] = {(4, 4): ((1, 2, 3, 6, 7), (11, 12, 13, 14, 15))}
"""The sets of tiles of a board size; on other boards the first and the last five tiles.

Those of 4x4 took the fewest nodes of five pairs on 40 random boards; see benchmarks/results/sliding.md.
"""
VERSION = 1
"""Version of the files: those of another version are built again."""


def check_metric(board: Board) -> None:
    """Raise BadInput unless a board can be solved in the multi-tile metric."""
    if board.cells > MOST_CELLS:
        size = f"{board.rows}x{board.columns}"
        raise BadInput(f"metric multi-tile: {size}, expected a board of at most {MOST_CELLS} cells")


def sets_of(rows: int, columns: int) -> Sets:
    """Return the sets of tiles that have a table, all of the same size.

    >>> sets_of(3, 3)
    ((1, 2, 3, 4, 5), (4, 5, 6, 7, 8))
    """
    tiles = tuple(range(1, rows * columns))
    either = (tiles[:MOST_TILES], tiles[-MOST_TILES:])
    return SETS.get((rows, columns), either if len(tiles) > MOST_TILES else either[:1])


def lookups_of(layout: Layout) -> Lookups:
    """Return the look-ups for a layout. Tables that this machine does not keep are built first, in seconds."""
    rows, columns, goal_cell = layout.rows, layout.columns, layout.goal_cell
    sets, cells = sets_of(rows, columns), np.arange(layout.cells)
    diagonal = cells.reshape(rows, columns).T.ravel()
    turns = [cells]
    if rows == columns and layout.is_kept_by(tuple(diagonal.tolist())):
        turns.append(diagonal)
    table, flip, place, shift = [], [], [], []
    for number, tiles in enumerate(sets):
        for mirror, turned in enumerate(turns):
            bits = np.zeros(layout.cells, np.int64)
            bits[[goal_cell(int(turned[goal_cell(tile)])) for tile in tiles]] = 4 * np.arange(1, len(tiles) + 1)
            table.append(number)
            flip.append(mirror)
            place.append(turned)
            shift.append(bits)
    return Lookups(
        tables=_tables(layout, sets),
        table=np.array(table),
        flip=np.array(flip),
        place=np.array(place),
        shift=np.array(shift),
        homes=np.array([sum(1 << cell for cell in layout.goal_cells(tile)) for tile in range(layout.cells)]),
    )


def _tables(layout: Layout, sets: Sets) -> npt.NDArray[np.uint8]:
    """Return the tables of a layout, uint8 (sets, 2, positions), from their file or newly built."""
    rows, columns = layout.rows, layout.columns
    name = f"sliding-slides-{rows}x{columns}"
    about = {"what": "slides", "size": [rows, columns], "sets": [list(tiles) for tiles in sets], "version": VERSION}
    if layout != Layout(rows, columns):
        about |= {"blank": layout.blank, "alike": [list(tiles) for tiles in layout.alike]}
        name += f"-{sha256(str(layout).encode()).hexdigest()[:16]}"
    arrays = store.made(name, about, lambda: {"slides": np.stack([build(layout, tiles) for tiles in sets])})
    table = Fields(f"table {store.path_of(name)}: damaged", arrays)
    return table.array("slides", np.uint8, (len(sets), 2, 1 << 4 * (len(sets[0]) + 1)))


def build(layout: Layout, tiles: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Return the number of slides of every position of a set of tiles, uint8 (2, positions).

    Positions that do not exist, with two tiles in a cell, have the value `UNKNOWN`.
    """
    distance = np.full((2, 1 << 4 * (len(tiles) + 1)), UNKNOWN, np.uint8)
    for cells in layout.goals_of(tiles):
        distance[:, sum(cell << 4 * number for number, cell in enumerate((layout.blank, *cells)))] = 0
    slides = 0
    while extend(distance, layout.rows, layout.columns, len(tiles), slides):
        slides += 1
    return distance
