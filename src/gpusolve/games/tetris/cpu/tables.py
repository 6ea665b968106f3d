"""Widths, the layout of a workspace, and the pieces' templates as tables."""

from __future__ import annotations

import numpy as np

from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, orientations
from gpusolve.games.tetris.rules.features import DECISIVE as OUTWEIGHS

u32, i32, u64, i64 = np.uint32, np.int32, np.uint64, np.int64

FLOOR = u32(0xFFC00000)  # rows 22..31 count as filled: the floor
CELLS = u32(0x003FFFFF)
DECISIVE = i64(OUTWEIGHS)
STRIDE = 16  # lanes between two orientations, and lanes done at a time
CAPACITY = 400  # boards a workspace holds: more than one piece has placements, see PLACEMENTS in kernels.py
DROPS_ROOM = 48  # lanes that straight drops write: 34 templates, the last orientation's rounded up to STRIDE
# Where the rows of a workspace begin, after the ten columns: the placement (template times 32 plus the row of its box),
# the rows that are full, lines cleared, filled cells, their sum of heights, the height of the lock, both halves of the
# value.
PLACEMENT, FULL_ROWS, CLEARED, FILLED, HEIGHTS, LOCK, HIGH, LOW = (u64(row * CAPACITY) for row in range(10, 18))
WORKSPACE = 18 * CAPACITY

# An orientation of a piece in a column is a template; those of a piece are numbered by orientation, then column. A
# placement is a template and the row of its box. While placements are searched, orientation o has a row of STRIDE
# lanes, one a column, from lane (o + 1) * STRIDE on; the lanes beyond its last column, and the first row, stay 0.
SHAPES = np.array([len(orientations(piece)) for piece in range(7)], i32)
FIRST = np.zeros((7, 4), u64)  # the first template of an orientation
COUNT = np.zeros((7, 4), i32)  # how many columns it has
SPAWN_TOP = np.zeros((7, 4), u32)  # the row of its box where the piece spawns, turned this way
SPAWN_COLUMN = np.zeros(7, u64)  # the column of the box of a piece that spawns
CELL_ROW = np.zeros((7, 4, 4), u32)  # its four cells in the box
CELL_COLUMN = np.zeros((7, 4, 4), u64)  # unsigned, as all indices here: none counts from the end, so loads stay rows
TURN_LANE = np.zeros((7, 4, 2), u64)  # where the row of lanes begins from which a turn leads to lane 0, 1, ... of this
TURN_DOWN = np.zeros((7, 4, 2), u32)  # rows that the box's corner goes down, or up, in that turn
TURN_UP = np.zeros((7, 4, 2), u32)
MASKS = np.zeros((7, 4, COLUMNS, STRIDE), u32)  # the piece's cells in each column, for a box at row 0 of each template
BOX_BOTTOM = np.zeros((7, 4), i32)  # rows of the box, less one
BOX_SUM = np.zeros((7, 4), i32)  # sum of 22 - row over the cells, for a box at row 0


def _fill_tables() -> None:
    for piece in range(7):
        shapes = orientations(piece)
        first = 0
        SPAWN_COLUMN[piece] = 5 + shapes[0][2]
        for o, (cells, top, left) in enumerate(shapes):
            rows, columns = [r for r, _ in cells], [c for _, c in cells]
            FIRST[piece, o], COUNT[piece, o], SPAWN_TOP[piece, o] = first, COLUMNS - max(columns), 2 + top
            first += COLUMNS - max(columns)
            CELL_ROW[piece, o], CELL_COLUMN[piece, o] = rows, columns
            BOX_BOTTOM[piece, o], BOX_SUM[piece, o] = max(rows), 4 * ROWS - sum(rows)
            for column in range(COLUMNS - max(columns)):
                for r, c in cells:
                    MASKS[piece, o, column + c, column] |= 1 << r
            sources = {(o + turns) % len(shapes) for turns in (1, -1)} - {o}
            for i, source in enumerate(sorted(sources)):
                TURN_LANE[piece, o, i] = (source + 1) * STRIDE + shapes[source][2] - left
                TURN_DOWN[piece, o, i] = max(0, top - shapes[source][1])
                TURN_UP[piece, o, i] = max(0, shapes[source][1] - top)


_fill_tables()
