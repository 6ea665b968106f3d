"""`extend` builds the tables of the multi-tile metric, and `deepen` searches with them; a GPU has no twin of them.

A slide moves the blank any number of cells along its row or column. Two slides along the same line are one slide or
none, so vertical and horizontal slides alternate in an optimal solution, and the axis of the next slide belongs to a
node: axis 0 is vertical, axis 1 horizontal.

A table has, for a few tiles and the blank, the number of slides that bring them to their goal cells when all other
tiles are alike, separately for both axes of the first slide. The index of a position has four bits for each of them:
the cell of the blank, then that of each tile. Slides of other tiles count, too, so the tables of several sets of tiles
cannot be added; the search takes the greatest of them.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.sliding.cpu.outcomes import DEPTH, DONE, EXPANDED, FOUND, GENERATED, NEAREST, NEW, PAUSED

UNKNOWN = 255  # the distance of a position that no slide has reached


class Lookups(NamedTuple):
    """The tables of the multi-tile metric, and how to look up a position in them.

    On a square board each table is read twice, the second time for the position mirrored at the main diagonal, which
    swaps rows and columns.

    Attributes
    ----------
    tables : ndarray of uint8, shape (sets, 2, positions)
        The number of slides by set, axis of the first slide and position.
    table : ndarray of int64, shape (lookups,)
        The table of each look-up.
    flip : ndarray of int64, shape (lookups,)
        1 if the position is mirrored, else 0.
    place : ndarray of int64, shape (lookups, cells)
        The cell that stands for each cell.
    shift : ndarray of int64, shape (lookups, cells)
        The first bit of each tile in the index; 0 for the blank and for tiles that are not in the set.
    homes : ndarray of int64, shape (cells,)
        The cells in which each tile can be in the goal, as bits.
    """

    tables: npt.NDArray[np.uint8]
    table: npt.NDArray[np.int64]
    flip: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    shift: npt.NDArray[np.int64]
    homes: npt.NDArray[np.int64]


class Stack(NamedTuple):
    """The path of a search, and what it keeps for each node on it.

    Attributes
    ----------
    board : ndarray of int64, shape (cells,)
        The tiles of the node at the end of the path.
    positions : ndarray of int64, shape (depths, lookups)
        The index of each look-up.
    blanks, tried : ndarray of int64, shape (depths,)
        The cell of the blank, and the number of slides that have been tried; NEW if the node has not been expanded.
    counters : ndarray of int64, shape (4,)
        Those of `outcomes`.
    """

    board: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int64]
    blanks: npt.NDArray[np.int64]
    tried: npt.NDArray[np.int64]
    counters: npt.NDArray[np.int64]


@compiled
def extend(distance, rows, columns, count, slides):
    """Find the positions of `count` tiles that need one slide more than `slides`; return their number.

    Before it, `distance` (2, positions) has all positions that need at most `slides`.
    """
    found = 0
    tile_in = np.zeros(rows * columns, np.int64)
    for axis in range(2):
        stride, lines = (columns, rows) if axis == 0 else (1, columns)
        for position in range(distance.shape[1]):
            if distance[1 - axis, position] != slides:
                continue
            tile_in[:] = 0
            for tile in range(1, count + 1):
                tile_in[position >> 4 * tile & 15] = tile
            blank = position & 15
            line = blank // columns if axis == 0 else blank % columns
            for forth in range(2):
                step = stride if forth else -stride
                after, cell = position, blank
                for _ in range(lines - 1 - line if forth else line):
                    after += step
                    if tile_in[cell + step]:
                        after -= step << 4 * tile_in[cell + step]
                    cell += step
                    if distance[axis, after] == UNKNOWN:
                        distance[axis, after] = slides + 1
                        found += 1
    return found


@compiled
def deepen(first, bound, budget, rows, columns, lookups, stack):
    """Search on within a bound, for at most `budget` nodes, with the first slide along axis `first`.

    Return how it ended.
    """
    tables, table, flip, place, shift, homes = lookups
    board, positions, blanks, tried, counters = stack
    depth, spent = counters[DEPTH], 0
    while True:
        if tried[depth] == NEW:
            if spent >= budget:
                counters[DEPTH] = depth
                return PAUSED
            tried[depth] = 0
            spent += 1
            counters[EXPANDED] += 1
        axis, start = first + depth & 1, blanks[depth]
        stride, lines, line = (columns, rows, start // columns) if axis == 0 else (1, columns, start % columns)
        if tried[depth] == lines - 1:
            if depth == 0:
                counters[DEPTH] = depth
                return DONE
            depth -= 1
            _slide(board, start, blanks[depth], _stride_of(first + depth & 1, columns))
            continue
        number = tried[depth]
        tried[depth] += 1
        counters[GENERATED] += 1
        target = line - 1 - number if number < line else number + 1
        end = start + (target - line) * stride
        step = stride if end > start else -stride
        height = 0
        for i in range(len(table)):
            position = positions[depth, i] + place[i, end] - place[i, start]
            for cell in range(start, end, step):
                moved = shift[i, board[cell + step]]
                if moved:
                    position += (place[i, cell] - place[i, cell + step]) << moved
            positions[depth + 1, i] = position
            height = max(height, np.int64(tables[table[i], 1 - axis ^ flip[i], position]))
        if depth + 1 + height > bound:
            counters[NEAREST] = min(counters[NEAREST], depth + 1 + height)
            continue
        _slide(board, start, end, stride)
        depth += 1
        blanks[depth], tried[depth] = end, NEW
        if height == 0 and _is_solved(board, homes):
            counters[DEPTH] = depth
            return FOUND


@inlined
def _slide(board, start, end, stride):
    """Move the blank from one cell to another of its line."""
    step = stride if end > start else -stride
    for cell in range(start, end, step):
        board[cell] = board[cell + step]
    board[end] = 0


@inlined
def _stride_of(axis, columns):
    """Return how far apart the cells of a vertical or a horizontal slide are."""
    return columns if axis == 0 else 1


@inlined
def _is_solved(board, homes):
    """Return whether every tile is in a goal cell."""
    home = 0
    for cell in range(len(board)):
        home += homes[board[cell]] >> cell & 1
    return home == len(board)
