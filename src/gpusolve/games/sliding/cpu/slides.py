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

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

DONE, PAUSED, FOUND = 0, 1, 2
DEPTH, EXPANDED, GENERATED, NEAREST = range(4)
UNKNOWN = 255  # the distance of a position that no slide has reached
NEW = -1  # stands for the slides tried at a node that has not been expanded


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
def deepen(
    first, bound, budget, rows, columns, tables, table, flip, place, shift, board, positions, blanks, tried, counters
):  # fmt: skip
    """Search on for a solution of at most `bound` slides, the first of them along axis `first`."""
    depth, spent = counters[DEPTH], 0
    lookups = len(table)
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
        for i in range(lookups):
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
        if height == 0 and _is_solved(board):
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
def _is_solved(board):
    """Return whether every tile is in its goal cell, with the blank first."""
    misplaced = 0
    for cell in range(len(board)):
        misplaced += board[cell] != cell
    return misplaced == 0
