"""Sizes, the layout of a workspace, and tables of the pieces' templates."""

from __future__ import annotations

import numpy as np

from gpusolve.games.tetris.rules.board import COLUMNS, DOUBLED, ROWS, orientations
from gpusolve.games.tetris.rules.features import DECISIVE as OUTWEIGHS

u32, i32, u64, i64 = np.uint32, np.int32, np.uint64, np.int64

FLOOR = u32(0xFFC00000)  # rows 22..31 count as filled: the floor
CELLS = u32(0x003FFFFF)
DECISIVE = i64(OUTWEIGHS)
STRIDE = 16  # lanes between two orientations, and lanes that are processed together
CAPACITY = 400  # boards in a workspace: no piece has more placements, see PLACEMENTS in kernels.py
DROPS_ROOM = 48  # lanes that straight drops write: 34 templates, with the last orientation rounded up to STRIDE
LEVELS = DOUBLED + 1  # rows of the table of taps; the last row also serves all levels above
DROPS = 24  # no piece drops more often
TAPS, KNOWN = 3 * DROPS + 1, 3 * DROPS  # columns of the table of taps; see `clock.tap_table`
TUCKS = 128  # in this table: frames without a tap, on which a piece can be tucked
NUMBERS = 34 * 32  # placement numbers of a piece: none has more templates
PLANS = 2 * 34  # plans in the air: a template, which may have been tucked
HELD = 2  # `timed`, see `clock.Clock`
NOWHERE = u32(0xFFFFFFFF)  # in place of a placement
# The starts of the rows of a workspace after the ten columns: the placement (template * 32 + the row of its box), the
# full rows, lines cleared, filled cells, the sum of their heights, the lock height, both halves of the value.
PLACEMENT, FULL_ROWS, CLEARED, FILLED, HEIGHTS, LOCK, HIGH, LOW = (u64(row * CAPACITY) for row in range(10, 18))
WORKSPACE = 18 * CAPACITY

# A template is an orientation of a piece in a column; a piece's templates are numbered by orientation, then by column.
# A placement is a template and the row of its box. During a search, orientation o has a row of STRIDE lanes, one for
# each column, from lane (o + 1) * STRIDE on; the lanes beyond its last column, and the first row, stay 0. Indices are
# unsigned: none counts from the end, so that loads stay vectors.
SHAPES = np.array([len(orientations(piece)) for piece in range(7)], i32)
FIRST = np.zeros((7, 4), u64)  # the first template of an orientation
COUNT = np.zeros((7, 4), i32)  # its number of columns
SPAWN_TOP = np.zeros((7, 4), u32)  # the row of its box where the piece spawns, turned this way
SPAWN_COLUMN = np.zeros(7, u64)  # the column of the box of a piece that spawns
CELL_ROW = np.zeros((7, 4, 4), u32)  # its four cells in the box
CELL_COLUMN = np.zeros((7, 4, 4), u64)
TURN_LANE = np.zeros((7, 4, 2), u64)  # start of the row of lanes from which a turn leads to lane 0, 1, ... of this one
TURN_DOWN = np.zeros((7, 4, 2), u32)  # rows that the corner of the box moves down, or up, in that turn
TURN_UP = np.zeros((7, 4, 2), u32)
MASKS = np.zeros((7, 4, COLUMNS, STRIDE), u32)  # the piece's cells in each column, for a box at row 0 of each template
BOX_BOTTOM = np.zeros((7, 4), i32)  # rows of the box minus 1
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
