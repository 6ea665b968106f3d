"""The Numba twins of ``kernels/tetris.cu``: same names, same arguments, same results to the bit.

The idea and the layout are told there. A GPU gives a warp to a board; here one thread walks along rows of a
workspace: row k holds column k of many boards, one board a lane, and every step is one array operation on all lanes,
which LLVM turns into vector instructions for 8 or 16 boards. Only what is rare goes lane by lane: boards with pockets
that a straight drop does not reach, and lanes in which a row is full.
"""

# mypy: disable-error-code="assignment"
# Integers have a fixed width here, as Numba sees them.

from __future__ import annotations

import numpy as np
from numba import njit

from gpusolve.backend.bits import leading_zeros, popcount, trailing_zeros
from gpusolve.games.tetris.rules import COLUMNS, NES_ORDER, NES_SPAWN_IDS, ROWS, orientations

u32, i32, u64, i64 = np.uint32, np.int32, np.uint64, np.int64

FLOOR = u32(0xFFC00000)  # rows 22..31 count as filled: the floor
CELLS = u32(0x003FFFFF)
DECISIVE = i64(2**45)
HALF = 15  # weights go as two halves of 15 bits, so that products and sums fit 32 bits
LANES = 400  # boards a workspace holds: more than one piece has placements, see PLACEMENTS in kernels.py
STEP = 16  # lanes are done in groups of this many
MOST = 48  # lanes that straight drops write: 34 templates, the last orientation's rounded up to STEP
# Rows of a workspace, after the ten columns: the placement (template times 32 plus the row of its box), the rows that
# are full, lines cleared, filled cells, their sum of heights, the height of the lock, both halves of the value.
PLACEMENT, FULL_ROWS, CLEARED, FILLED, HEIGHTS, LOCK, HIGH, LOW = range(10, 18)
WORKSPACE = 18 * LANES

# An orientation of a piece in a column is a template; those of a piece are numbered by orientation, then column. A
# placement is a template and the row of its box. While placements are searched, orientation o has a row of STEP lanes,
# one a column, from lane (o + 1) * STEP on; the lanes beyond its last column, and the first row, stay 0.
# Numba compiles these tables in as constants, and its cache looks at this file alone: clear it after changing rules.py.
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
MASKS = np.zeros((7, 4, COLUMNS, STEP), u32)  # the piece's cells in each column, for a box at row 0 of each template
BOX_BOTTOM = np.zeros((7, 4), i32)  # rows of the box, less one
BOX_SUM = np.zeros((7, 4), i32)  # sum of 22 - row over the cells, for a box at row 0


def _fill_tables():
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
                TURN_LANE[piece, o, i] = (source + 1) * STEP + shapes[source][2] - left
                TURN_DOWN[piece, o, i] = max(0, top - shapes[source][1])
                TURN_UP[piece, o, i] = max(0, shapes[source][1] - top)


_fill_tables()


# --- placements -------------------------------------------------------------------------------------------------------

# What the search works on: rows of `lanes`, one array, so that LLVM sees that they do not overlap. FIT: bit r is set
# where a template fits with its box at row r. TOP: the row where it comes to rest straight from above. REACHED, LEFT:
# the rows that are reached, and those that might be. REST: a bit for each row where it comes to rest in another way.
# STATES: what `_clocked` follows.
FIT, TOP, REACHED, LEFT, REST, STATES = (k * 6 * STEP for k in range(6))
LANES_SIZE = STATES + STEP


@njit(nogil=True, forceinline=True)
def _fits(x, at, piece, o, lanes):
    """FIT of orientation o. x: from `at` on, ten columns, then lanes of filled cells."""
    r0, c0 = CELL_ROW[piece, o, 0], CELL_COLUMN[piece, o, 0] + at
    r1, c1 = CELL_ROW[piece, o, 1], CELL_COLUMN[piece, o, 1] + at
    r2, c2 = CELL_ROW[piece, o, 2], CELL_COLUMN[piece, o, 2] + at
    r3, c3 = CELL_ROW[piece, o, 3], CELL_COLUMN[piece, o, 3] + at
    row = u64(FIT + (o + 1) * STEP)
    for lane in range(STEP):
        i = u64(lane)
        filled = u32(x[i + c0] >> r0 | x[i + c1] >> r1 | x[i + c2] >> r2 | x[i + c3] >> r3)
        lanes[row + i] = ~filled & CELLS


@njit(nogil=True, forceinline=True)
def _reach(x, at, piece, lanes):
    """What {left, right, down, turns} reach from the spawn, the closure exactly.

    Gives whether there are straight drops, and a bit for each lane that has other placements. Fills TOP and, only in
    the lanes that have others, REST.

    Straight drops are nearly all: if every template fits where the piece spawns, any column and orientation can be had
    up there, and what is left to find are pockets, places where a template fits again under one where it does not.
    They are entered from the side or by a turn, if at all.
    """
    blocked, pockets = u32(0), u64(0)
    for o in range(SHAPES[piece]):
        _fits(x, at, piece, o, lanes)
        row, count, top = u64((o + 1) * STEP), COUNT[piece, o], SPAWN_TOP[piece, o]
        pocket = u32(0)
        for lane in range(STEP):
            i = row + u64(lane)
            below = u32(lanes[u64(FIT) + i] >> top)
            run = u32(below & ~(below + u32(1)))
            lanes[u64(TOP) + i] = u32(top + u32(popcount(run)) - u32(1))
            lanes[u64(REACHED) + i] = u32(run << top)
            lanes[u64(LEFT) + i] = u32((below ^ run) << top)
            blocked |= u32((run & u32(1)) ^ u32(lane < count))
            pocket |= u32(below != run) << u32(lane)
        pockets |= u64(pocket) << u64(o * STEP)
    if blocked != u32(0):
        return False, _from_spawn(piece, lanes)
    if pockets == u64(0):
        return True, u64(0)
    others, todo = u64(0), _enter(piece, pockets, lanes)
    while todo:
        i = u64(trailing_zeros(todo)) + u64(STEP)
        todo &= todo - u64(1)
        # A state that can move down is no placement.
        resting = lanes[u64(REACHED) + i] & ~(lanes[u64(FIT) + i] >> u32(1))
        resting &= ~(u32(1) << lanes[u64(TOP) + i])
        lanes[u64(REST) + i] = resting
        others |= u64(resting != u32(0)) << i - u64(STEP)
    return True, others


@njit(nogil=True, cache=True)
def _from_spawn(piece, lanes):
    """The closure where the pile is so high that not every template fits beside the spawn; nothing drops straight."""
    todo, others = u64(0), u64(0)
    for o in range(SHAPES[piece]):
        for lane in range(COUNT[piece, o]):
            i = u64((o + 1) * STEP + lane)
            lanes[u64(REACHED) + i] = u32(0)
            lanes[u64(LEFT) + i] = lanes[u64(FIT) + i]
            todo |= u64(1) << i - u64(STEP)
    spawn, at = u32(1) << SPAWN_TOP[piece, 0], u64(STEP) + SPAWN_COLUMN[piece]
    fit = lanes[u64(FIT) + at]
    lanes[u64(REACHED) + at] = _fall(spawn & fit, fit)
    lanes[u64(LEFT) + at] ^= lanes[u64(REACHED) + at]
    _enter(piece, todo, lanes)
    while todo:
        i = u64(trailing_zeros(todo)) + u64(STEP)
        todo &= todo - u64(1)
        resting = lanes[u64(REACHED) + i] & ~(lanes[u64(FIT) + i] >> u32(1))
        lanes[u64(REST) + i] = resting
        others |= u64(resting != u32(0)) << i - u64(STEP)
    return others


@njit(nogil=True, cache=True)
def _enter(piece, pockets, lanes):
    """Moves what presses and turns reach from LEFT to REACHED; bits say which lanes may, and which did."""
    entered = u64(0)
    again = True
    while again:
        again = False
        todo = pockets
        while todo:
            bit = todo & ~(todo - u64(1))
            todo ^= bit
            lane = u64(trailing_zeros(bit))
            i, o, column = lane + u64(STEP), lane // u64(STEP), lane % u64(STEP)
            a, b = TURN_LANE[piece, o, 0] + column, TURN_LANE[piece, o, 1] + column
            near = lanes[u64(REACHED) + i - u64(1)] | lanes[u64(REACHED) + i + u64(1)]
            near |= lanes[u64(REACHED) + a] << TURN_DOWN[piece, o, 0] >> TURN_UP[piece, o, 0]
            near |= lanes[u64(REACHED) + b] << TURN_DOWN[piece, o, 1] >> TURN_UP[piece, o, 1]
            left = lanes[u64(LEFT) + i]
            near = u32(near & left)
            if near:
                fallen = _fall(near, left)
                lanes[u64(REACHED) + i] |= fallen
                lanes[u64(LEFT) + i] = left ^ fallen
                entered |= bit
                if left == fallen:
                    pockets ^= bit
                again = True
    return entered


@njit(nogil=True, forceinline=True)
def _fall(start, free):
    """The bits of `free` that lie, without a gap, from a bit of `start` on towards the floor, the higher bits.

    The addition carries from each start to the end of its run; a second start in a run stays behind, hence the last |.
    """
    return u32((free & ~(free + start)) | start)


@njit(nogil=True, cache=True)
def _clocked(x, at, piece, taps, lanes):
    """The same under gravity, nothing by straight drops: taps[s] frames on which a press may start, then drop s + 1.

    All that is in the air has dropped equally often, so a state is an orientation and a column: a bit of `states`.
    """
    states, shifted, allowed = lanes[STATES : STATES + 4], lanes[STATES + 4 : STATES + 8], lanes[STATES + 8 :]
    shapes = SHAPES[piece]
    others = u64(0)
    for o in range(shapes):
        _fits(x, at, piece, o, lanes)
        lanes[REST + (o + 1) * STEP : REST + (o + 2) * STEP] = u32(0)
        states[o] = u32(0)
        allowed[o] = _row_of(lanes, o, SPAWN_TOP[piece, o])
    states[0] = allowed[0] & u32(1) << u32(SPAWN_COLUMN[piece])
    step, in_the_air = u32(0), states[0]
    while in_the_air != u32(0):
        for _ in range(taps[step]):
            for o in range(shapes):
                shifted[o] = (states[o] | states[o] << u32(1) | states[o] >> u32(1)) & allowed[o]
            for o in range(shapes):
                near = shifted[o]
                for i in range(2):
                    lane = i64(TURN_LANE[piece, o, i])
                    if lane == 0:  # no such turn
                        continue
                    source = (lane + 3) // STEP - 1
                    right = (source + 1) * STEP - lane  # columns that the box's corner goes
                    near |= shifted[source] << u32(right) if right >= 0 else shifted[source] >> u32(-right)
                states[o] = near & allowed[o]
        in_the_air = u32(0)
        for o in range(shapes):
            top = SPAWN_TOP[piece, o] + step
            allowed[o] = _row_of(lanes, o, top + u32(1))
            resting = states[o] & ~allowed[o]
            states[o] &= allowed[o]
            in_the_air |= states[o]
            others |= u64(resting) << u64(o * STEP)
            while resting:
                lanes[REST + (o + 1) * STEP + trailing_zeros(resting)] |= u32(1) << top
                resting &= resting - u32(1)
        step += u32(1)
    return others


@njit(nogil=True, forceinline=True)
def _row_of(lanes, o, top):
    """Bit c is set where orientation `o` fits with its box at row `top` and column c."""
    bits, row = u32(0), u64(FIT + (o + 1) * STEP)
    for lane in range(STEP):
        bits |= u32((lanes[row + u64(lane)] >> top & u32(1)) << u32(lane))
    return bits


# --- boards after placements, features, values ------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def _row_sum(bits):
    """The sum of the numbers of the bits that are set: one bit of those numbers at a time."""
    return (
        popcount(bits & u32(0xAAAAAAAA))
        + 2 * popcount(bits & u32(0xCCCCCCCC))
        + 4 * popcount(bits & u32(0xF0F0F0F0))
        + 8 * popcount(bits & u32(0xFF00FF00))
        + 16 * popcount(bits & u32(0xFFFF0000))
    )


@njit(nogil=True, forceinline=True)
def _spread(ws, n, x, at, piece, lanes, filled, heights):
    """Writes the boards after each template's straight drop from lane n on, and gives how many there are."""
    end = n
    for o in range(SHAPES[piece]):  # its lanes beyond the last column are written again by the next orientation
        row, begin, first = u64(TOP + (o + 1) * STEP), end, u32(FIRST[piece, o])
        full_lanes = u32(0)
        box_sum, box_bottom = u32(heights + BOX_SUM[piece, o]), u32(19 - BOX_BOTTOM[piece, o])
        for lane in range(STEP):
            j = u64(lane)
            i = begin + j
            top = lanes[row + j] & u32(31)
            full = CELLS
            for k in range(COLUMNS):
                column = u32(x[at + u64(k)] | MASKS[piece, o, k, j] << top)
                ws[u64(k * LANES) + i] = column
                full &= column
            ws[u64(PLACEMENT * LANES) + i] = u32((first + u32(lane)) * u32(32) + top)
            ws[u64(CLEARED * LANES) + i] = u32(0)
            ws[u64(FILLED * LANES) + i] = u32(filled + 4)
            ws[u64(HEIGHTS * LANES) + i] = u32(box_sum - u32(4) * top)
            ws[u64(LOCK * LANES) + i] = u32(box_bottom - top)
            ws[u64(FULL_ROWS * LANES) + i] = full
            full_lanes |= u32(full != u32(0)) << u32(lane)
        full_lanes &= (u32(1) << u32(COUNT[piece, o])) - u32(1)
        while full_lanes:
            _clear(ws, begin + u64(trailing_zeros(full_lanes)))
            full_lanes &= full_lanes - u32(1)
        end += u64(COUNT[piece, o])
    return end - n


@njit(nogil=True, cache=True)
def _spread_rest(ws, n, x, at, piece, others, lanes, filled, heights):
    """The same for every bit of REST in the lanes that `others` has a bit for."""
    i = n
    while others:
        lane = u64(trailing_zeros(others))
        others &= others - u64(1)
        o, j = lane // u64(STEP), lane % u64(STEP)
        rows = lanes[lane + u64(REST + STEP)]
        while rows:
            top = u32(trailing_zeros(rows))
            rows &= rows - u32(1)
            full = CELLS
            for k in range(COLUMNS):
                column = u32(x[at + u64(k)] | MASKS[piece, o, k, j] << top)
                ws[u64(k * LANES) + i] = column
                full &= column
            ws[u64(PLACEMENT * LANES) + i] = u32((FIRST[piece, o] + j) * u64(32) + u64(top))
            ws[u64(CLEARED * LANES) + i] = u32(0)
            ws[u64(FILLED * LANES) + i] = u32(filled + 4)
            ws[u64(HEIGHTS * LANES) + i] = u32(heights + BOX_SUM[piece, o] - 4 * top)
            ws[u64(LOCK * LANES) + i] = u32(19 - BOX_BOTTOM[piece, o] - top)
            ws[u64(FULL_ROWS * LANES) + i] = full
            if full:
                _clear(ws, i)
            i += u64(1)
    return i - n


@njit(nogil=True, cache=True)
def _clear(ws, i):
    """Removes the full rows of the board in lane i: what is above one moves down, towards the higher bits."""
    rows = ws[u64(FULL_ROWS * LANES) + i]
    cleared = popcount(rows)
    lost = 0
    while rows:  # from the top, so that rows further down keep their place
        row = rows & ~(rows - u32(1))
        rows ^= row
        above, below = u32(row - u32(1)), u32(~(row | row - u32(1)))
        for k in range(COLUMNS):
            column = ws[u64(k * LANES) + i]
            lost += popcount(column & above)
            ws[u64(k * LANES) + i] = u32((column & above) << u32(1) | column & below)
        lost += COLUMNS * (22 - trailing_zeros(row))
    ws[u64(CLEARED * LANES) + i] = cleared
    ws[u64(FILLED * LANES) + i] -= u32(10 * cleared)
    ws[u64(HEIGHTS * LANES) + i] -= u32(lost)


@njit(nogil=True, forceinline=True)
def _add(a, b, c):
    """The sum of three words of bits, bit by bit: ones, twos."""
    ab = u32(a ^ b)
    return u32(ab ^ c), u32((a & b) | (ab & c))


@njit(nogil=True, forceinline=True)
def _holes(column):
    """The empty cells directly under a filled one."""
    return u32(~column & column << u32(1))


@njit(nogil=True, forceinline=True)
def _depths(holes, top):
    """How far the highest and the lowest hole of a column lie below its top: 22 and something below 1 if none."""
    least = i32(trailing_zeros(holes) - top)
    return (i32(22) if holes == u32(0) else least), i32(31 - leading_zeros(holes) - top)


@njit(nogil=True, forceinline=True)
def _well(top, left, right):
    """How deep a column is sunk between its neighbours, given their top rows."""
    return max(i32(0), i32(top - max(left, right)))


@njit(nogil=True, forceinline=True)
def _features(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, cleared, lock, filled, heights):
    """The 17 features of a board from its columns, floor included, without a branch."""
    t0, t1, t2, t3, t4 = (
        trailing_zeros(x0),
        trailing_zeros(x1),
        trailing_zeros(x2),
        trailing_zeros(x3),
        trailing_zeros(x4),
    )
    t5, t6, t7, t8, t9 = (
        trailing_zeros(x5),
        trailing_zeros(x6),
        trailing_zeros(x7),
        trailing_zeros(x8),
        trailing_zeros(x9),
    )
    one = u32(1)
    h0, h1, h2, h3, h4 = _holes(x0), _holes(x1), _holes(x2), _holes(x3), _holes(x4)
    h5, h6, h7, h8, h9 = _holes(x5), _holes(x6), _holes(x7), _holes(x8), _holes(x9)
    n0, n1, n2, n3, n4 = popcount(h0), popcount(h1), popcount(h2), popcount(h3), popcount(h4)
    n5, n6, n7, n8, n9 = popcount(h5), popcount(h6), popcount(h7), popcount(h8), popcount(h9)
    holes = i32(n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9)
    tops = i32(t0 * n0 + t1 * n1 + t2 * n2 + t3 * n3 + t4 * n4 + t5 * n5 + t6 * n6 + t7 * n7 + t8 * n8 + t9 * n9)

    # The rows of all holes, summed: first how many holes a row has, as a number whose binary digits are four words.
    a, p = _add(h0, h1, h2)
    b, q = _add(h3, h4, h5)
    c, r = _add(h6, h7, h8)
    a, s = _add(a, b, c)
    ones, t = _add(a, h9, u32(0))
    p, u = _add(p, q, r)
    twos, v = _add(p, s, t)
    fours, eights = _add(u, v, u32(0))
    rows = i32(_row_sum(ones) + 2 * _row_sum(twos) + 4 * _row_sum(fours) + 8 * _row_sum(eights))

    l0, g0 = _depths(h0, t0)
    l1, g1 = _depths(h1, t1)
    l2, g2 = _depths(h2, t2)
    l3, g3 = _depths(h3, t3)
    l4, g4 = _depths(h4, t4)
    l5, g5 = _depths(h5, t5)
    l6, g6 = _depths(h6, t6)
    l7, g7 = _depths(h7, t7)
    l8, g8 = _depths(h8, t8)
    l9, g9 = _depths(h9, t9)
    least = min(min(min(l0, l1), min(l2, l3)), min(min(min(l4, l5), min(l6, l7)), min(l8, l9)))
    greatest = max(max(max(g0, g1), max(g2, g3)), max(max(max(g4, g5), max(g6, g7)), max(g8, g9)))

    w0, w1, w2, w3, w4 = _well(t0, t1, t1), _well(t1, t0, t2), _well(t2, t1, t3), _well(t3, t2, t4), _well(t4, t3, t5)
    w5, w6, w7, w8, w9 = _well(t5, t4, t6), _well(t6, t5, t7), _well(t7, t6, t8), _well(t8, t7, t9), _well(t9, t8, t8)
    wells = i32(w0 + w1 + w2 + w3 + w4 + w5 + w6 + w7 + w8 + w9)
    deep = i32(
        i32(w0 >= 3) + i32(w1 >= 3) + i32(w2 >= 3) + i32(w3 >= 3) + i32(w4 >= 3)
        + i32(w5 >= 3) + i32(w6 >= 3) + i32(w7 >= 3) + i32(w8 >= 3) + i32(w9 >= 3)
    )  # fmt: skip

    # Down a column every hole is a change, and so is its end, unless it is open at the floor.
    bottom = u32(21)
    on_floor = i32(
        (x0 >> bottom & one) + (x1 >> bottom & one) + (x2 >> bottom & one) + (x3 >> bottom & one) + (x4 >> bottom & one)
        + (x5 >> bottom & one) + (x6 >> bottom & one) + (x7 >> bottom & one) + (x8 >> bottom & one)
        + (x9 >> bottom & one)
    )  # fmt: skip
    empty = i32(
        i32(t0 == 22) + i32(t1 == 22) + i32(t2 == 22) + i32(t3 == 22) + i32(t4 == 22)
        + i32(t5 == 22) + i32(t6 == 22) + i32(t7 == 22) + i32(t8 == 22) + i32(t9 == 22)
    )  # fmt: skip
    column_changes = i32(2 * holes - (10 - on_floor - empty))

    highest = min(min(min(t0, t1), min(t2, t3)), min(min(min(t4, t5), min(t6, t7)), min(t8, t9)))
    deepest = max(max(max(t0, t1), max(t2, t3)), max(max(max(t4, t5), max(t6, t7)), max(t8, t9)))
    row_changes = i32(
        2 * (32 - highest) - popcount(x0) - popcount(x9)  # at the walls; the floor's ten bits cancel out
        + popcount(x0 ^ x1) + popcount(x1 ^ x2) + popcount(x2 ^ x3) + popcount(x3 ^ x4) + popcount(x4 ^ x5)
        + popcount(x5 ^ x6) + popcount(x6 ^ x7) + popcount(x7 ^ x8) + popcount(x8 ^ x9)
    )  # fmt: skip
    variance = i32(
        abs(i32(t0 - t1)) + abs(i32(t1 - t2)) + abs(i32(t2 - t3)) + abs(i32(t3 - t4)) + abs(i32(t4 - t5))
        + abs(i32(t5 - t6)) + abs(i32(t6 - t7)) + abs(i32(t7 - t8)) + abs(i32(t8 - t9))
    )  # fmt: skip
    pile = i32(220 - (t0 + t1 + t2 + t3 + t4 + t5 + t6 + t7 + t8 + t9))
    return (
        i32(cleared & 3),
        lock,
        wells,
        deep,
        holes,
        i32(rows - holes),
        i32(rows - tops),
        least,
        max(i32(0), greatest),
        column_changes,
        row_changes,
        pile,
        i32(22 - highest),
        i32(deepest - highest),
        filled,
        heights,
        variance,
    )


@njit(nogil=True, cache=True)
def _evaluate(ws, n, high, low):
    """The values of lanes 0..n-1 in two halves: high * 2^15 + low = weights . features. All in 32 bits."""
    for group in range((i64(n) + STEP - 1) // STEP):
        for lane in range(STEP):
            i = group * STEP + lane
            f = _features(
                ws[i],
                ws[LANES + i],
                ws[2 * LANES + i],
                ws[3 * LANES + i],
                ws[4 * LANES + i],
                ws[5 * LANES + i],
                ws[6 * LANES + i],
                ws[7 * LANES + i],
                ws[8 * LANES + i],
                ws[9 * LANES + i],
                i32(ws[CLEARED * LANES + i]),
                i32(ws[LOCK * LANES + i]),
                i32(ws[FILLED * LANES + i]),
                i32(ws[HEIGHTS * LANES + i]),
            )
            ws[HIGH * LANES + i] = u32(_dot(f, high))
            ws[LOW * LANES + i] = u32(_dot(f, low))


@njit(nogil=True, forceinline=True)
def _dot(f, w):
    return i32(
        f[0] * w[0] + f[1] * w[1] + f[2] * w[2] + f[3] * w[3] + f[4] * w[4] + f[5] * w[5] + f[6] * w[6] + f[7] * w[7]
        + f[8] * w[8] + f[9] * w[9] + f[10] * w[10] + f[11] * w[11] + f[12] * w[12] + f[13] * w[13] + f[14] * w[14]
        + f[15] * w[15] + f[16] * w[16]
    )  # fmt: skip


@njit(nogil=True, forceinline=True)
def _value(ws, i):
    """The value of a lane, less DECISIVE for a tetris."""
    value = i64(i64(i32(ws[u64(HIGH * LANES) + i])) << i64(HALF)) + i64(i32(ws[u64(LOW * LANES) + i]))
    return i64(value - (DECISIVE if ws[u64(CLEARED * LANES) + i] == u32(4) else i64(0)))


# --- choices ----------------------------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def _placements(ws, n, x, at, piece, filled, heights, timed, taps, lanes):
    """Writes the boards after every placement from lane n on, and gives how many there are.

    LANES if they might not fit into the workspace: the lanes before n have to be done with first.
    """
    if timed:
        drops, others = False, _clocked(x, at, piece, taps, lanes)
    else:
        drops, others = _reach(x, at, piece, lanes)
    most = u64(MOST) if drops else u64(0)
    todo = others
    while todo:
        most += u64(popcount(lanes[u64(trailing_zeros(todo)) + u64(REST + STEP)]))
        todo &= todo - u64(1)
    if n + most > u64(LANES):
        return u64(LANES)
    count = _spread(ws, n, x, at, piece, lanes, filled, heights) if drops else u64(0)
    if others:
        count += _spread_rest(ws, n + count, x, at, piece, others, lanes, filled, heights)
    return count


@njit(nogil=True, forceinline=True)
def _values(ws, n, values):
    """The values of lanes 0..n-1."""
    for group in range((i64(n) + STEP - 1) // STEP):
        for lane in range(STEP):
            i = u64(group * STEP + lane)
            values[i] = _value(ws, i)


@njit(nogil=True, forceinline=True)
def _least(values, first, last):
    """The least of values[first:last]."""
    least = values[first]
    for i in range(first + u64(1), last):
        least = min(least, values[i])
    return least


@njit(nogil=True, cache=True)
def _choose(ws, count, high, low, values):
    """The lane of least value; of equals the one of the least template, then row."""
    _evaluate(ws, count, high, low)
    _values(ws, count, values)
    least = _least(values, u64(0), count)
    best, first = u64(0), u32(0xFFFFFFFF)
    for i in range(count):
        if values[i] == least and ws[u64(PLACEMENT * LANES) + i] < first:
            best, first = i, ws[u64(PLACEMENT * LANES) + i]
    return best


@njit(nogil=True, cache=True)
def _choose_two(ws, count, high, low, following, timed, taps, second, x, lanes, ends, least, values):
    """The lane of ws, the boards after the first piece, after which the best placement of the next piece is least.

    The boards after both fill the workspace `second` and are evaluated all together whenever it is full.
    """
    for i in range(count):
        for k in range(COLUMNS):
            x[i * u64(STEP) + u64(k)] = ws[u64(k * LANES) + i]
    n, begun = u64(0), u64(0)
    for i in range(count):
        at = i * u64(STEP)
        filled, heights = i32(ws[u64(FILLED * LANES) + i]), i32(ws[u64(HEIGHTS * LANES) + i])
        found = _placements(second, n, x, at, following, filled, heights, timed, taps, lanes)
        if found == u64(LANES):
            _least_of_each(ws, second, begun, i, n, high, low, ends, least, values)
            n, begun = u64(0), i
            found = _placements(second, n, x, at, following, filled, heights, timed, taps, lanes)
        n += found
        ends[i] = n  # where the boards after this placement end
    _least_of_each(ws, second, begun, count, n, high, low, ends, least, values)
    best = u64(0)
    for i in range(u64(1), count):
        if least[i] < least[best] or (
            least[i] == least[best] and ws[u64(PLACEMENT * LANES) + i] < ws[u64(PLACEMENT * LANES) + best]
        ):
            best = i
    return best


@njit(nogil=True, cache=True)
def _least_of_each(ws, second, begun, end, n, high, low, ends, least, values):
    """least[i]: the value of the first placement i, for begun <= i < end; `second` holds what follows them."""
    _evaluate(second, n, high, low)
    _values(second, n, values)
    at = u64(0)
    for i in range(begun, end):
        least[i] = _least(values, at, ends[i]) if ends[i] > at else DECISIVE
        if ws[u64(CLEARED * LANES) + i] == u32(4):
            least[i] -= DECISIVE
        at = ends[i]


# --- pieces and games -------------------------------------------------------------------------------------------------

GOLDEN = u64(0x9E3779B97F4A7C15)
NES_ORDER_OF = np.array(NES_ORDER, i32)
NES_IDS = np.array(NES_SPAWN_IDS, i32)
LINE_POINTS = np.array([0, 40, 100, 300, 1200], i32)
STEPS = 24  # rows of the table of taps: no piece drops more often


@njit(nogil=True, cache=True)
def _mix(x):
    """SplitMix64's output function."""
    x = (x ^ x >> u64(30)) * u64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> u64(27)) * u64(0x94D049BB133111EB)
    return x ^ x >> u64(31)


@njit(nogil=True, cache=True)
def _draw(dice):
    """32 random bits; dice[0] counts on."""
    dice[0] += GOLDEN
    return _mix(dice[0]) >> u64(32)


@njit(nogil=True, cache=True)
def _start(dice, seed, game, source):
    """dice: the state of the generator; the console's register, its count of pieces, the previous piece."""
    dice[0] = _mix(_mix(u64(seed) + GOLDEN) + u64(game) * GOLDEN)
    dice[2] = u64(0)
    dice[3] = u64(7)
    if source:
        dice[1] = _draw(dice) % u64(32767) + u64(1) << u64(1)


@njit(nogil=True, cache=True)
def _next_piece(dice, source):
    if source == 0:
        x = _draw(dice) >> u64(29)
        if x == dice[3] or x == u64(7):
            x = _draw(dice) * u64(7) >> u64(32)
        dice[3] = x
        return i32(x)
    register = dice[1]
    for _ in range(u64(16) + (_draw(dice) & u64(15))):
        register = _lfsr(register)
    dice[2] += u64(1)
    x = (register >> u64(8)) + dice[2] & u64(7)
    if x == dice[3] or x == u64(7):
        register = _lfsr(register)
        spawn_id = u64(NES_IDS[dice[3]]) if dice[3] < u64(7) else u64(0)
        x = ((register >> u64(8) & u64(7)) + spawn_id) % u64(7)
    dice[1] = register
    dice[3] = x
    return NES_ORDER_OF[x]


@njit(nogil=True, cache=True)
def _lfsr(v):
    return v >> u64(1) | ((v >> u64(1) ^ v >> u64(9)) & u64(1)) << u64(15)


@njit(nogil=True, cache=True)
def _level(lines, start):
    return max(start, 18 if lines < 130 else 19 + (lines - 130) // 10)


@njit(nogil=True, cache=True)
def _game(
    two_piece, high, low, seed, game, source, start_level, max_lines, timed, taps, ws, second, x, y, dice, lanes, ends,
    least, values, result, trace,
):  # fmt: skip
    """One game: result = score, lines, pieces, tetrises; trace: its placements, as many as there is room for."""
    x[:COLUMNS] = FLOOR
    _start(dice, seed, game, source)
    piece, following = _next_piece(dice, source), _next_piece(dice, source)
    filled, heights = i32(0), i32(0)
    score, lines, pieces, tetrises = 0, 0, 0, 0
    while lines < max_lines:
        tapped = taps[_level(lines, start_level) * STEPS :]
        count = _placements(ws, u64(0), x, u64(0), piece, filled, heights, timed, tapped, lanes)
        if count == u64(0):
            break
        if two_piece:
            i = _choose_two(ws, count, high, low, following, timed, tapped, second, y, lanes, ends, least, values)
        else:
            i = _choose(ws, count, high, low, values)
        for k in range(COLUMNS):
            x[k] = ws[u64(k * LANES) + i]
        filled, heights = i32(ws[u64(FILLED * LANES) + i]), i32(ws[u64(HEIGHTS * LANES) + i])
        cleared = i32(ws[u64(CLEARED * LANES) + i])
        if pieces < len(trace):
            trace[pieces] = ws[u64(PLACEMENT * LANES) + i]
        lines += cleared
        score += LINE_POINTS[cleared] * (_level(lines, start_level) + 1)
        pieces += 1
        tetrises += cleared == 4
        piece, following = following, _next_piece(dice, source)
    result[0], result[1], result[2], result[3] = score, lines, pieces, tetrises


@njit(nogil=True, cache=True)
def _games(
    first, last, two_piece, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
    trace,
):  # fmt: skip
    ws, second = np.zeros(WORKSPACE, u32), np.zeros(WORKSPACE, u32)
    x, y = np.full(2 * STEP, u32(0xFFFFFFFF)), np.full((LANES + 1) * STEP, u32(0xFFFFFFFF))
    dice, lanes = np.zeros(4, u64), np.zeros(LANES_SIZE, u32)
    ends, least, values = np.zeros(LANES, u64), np.zeros(LANES, i64), np.zeros(LANES, i64)
    for item in range(first, last):
        high, low = _halves(weights[item // games])
        _game(
            two_piece, high, low, seed, first_game + item % games, source, start_level, max_lines, timed, taps,
            ws, second, x, y, dice, lanes, ends, least, values, out[item], trace[item * turns : (item + 1) * turns],
        )  # fmt: skip


@njit(nogil=True, cache=True)
def _halves(weights):
    """The upper and the lower bits of the weights."""
    high, low = np.zeros(17, i32), np.zeros(17, i32)
    for f in range(17):
        high[f], low[f] = weights[f] >> HALF, weights[f] & ((1 << HALF) - 1)
    return high, low


@njit(nogil=True, cache=True)
def play_greedy(
    first, last, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out, trace
):
    _games(
        first, last, False, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
        trace,
    )  # fmt: skip


@njit(nogil=True, cache=True)
def play_two_piece(
    first, last, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out, trace
):
    _games(
        first, last, True, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
        trace,
    )  # fmt: skip


# --- boards in, placements, features, values out ----------------------------------------------------------------------


@njit(nogil=True, cache=True)
def placements(first, last, boards, pieces, levels, timed, taps, most, counts, found, cleared, after):
    ws, x, lanes = np.zeros(WORKSPACE, u32), np.full(2 * STEP, u32(0xFFFFFFFF)), np.zeros(LANES_SIZE, u32)
    for item in range(first, last):
        filled, heights = _load(boards[item], x)
        tapped = taps[levels[item] * STEPS :]
        count = _placements(ws, u64(0), x, u64(0), pieces[item], filled, heights, timed, tapped, lanes)
        counts[item] = count
        for rank in range(min(count, most)):
            best = u64(0)
            for i in range(count):
                if ws[u64(PLACEMENT * LANES) + i] < ws[u64(PLACEMENT * LANES) + best]:
                    best = i
            _write(ws, best, rank, found[item], cleared[item], after[item])
            ws[u64(PLACEMENT * LANES) + best] = u32(0xFFFFFFFF)


@njit(nogil=True, cache=True)
def best(first, last, weights, boards, pieces, levels, timed, taps, most, counts, values, found, cleared, after):
    ws, x, lanes = np.zeros(WORKSPACE, u32), np.full(2 * STEP, u32(0xFFFFFFFF)), np.zeros(LANES_SIZE, u32)
    high, low = _halves(weights)
    worth = np.zeros(LANES, i64)
    for item in range(first, last):
        filled, heights = _load(boards[item], x)
        tapped = taps[levels[item] * STEPS :]
        count = _placements(ws, u64(0), x, u64(0), pieces[item], filled, heights, timed, tapped, lanes)
        counts[item] = count
        _evaluate(ws, count, high, low)
        _values(ws, count, worth)
        for rank in range(min(count, most)):
            best = u64(0)
            for i in range(count):
                if worth[i] < worth[best] or (
                    worth[i] == worth[best] and ws[u64(PLACEMENT * LANES) + i] < ws[u64(PLACEMENT * LANES) + best]
                ):
                    best = i
            values[item, rank] = worth[best]
            _write(ws, best, rank, found[item], cleared[item], after[item])
            worth[best] = i64(2**62)


@njit(nogil=True, cache=True)
def features(first, last, boards, cleared, locks, out):
    for item in range(first, last):
        board = boards[item]
        filled, heights = 0, 0
        for k in range(COLUMNS):
            filled += popcount(board[k])
            heights += 22 * popcount(board[k]) - _row_sum(board[k])
        f = _features(
            board[0] | FLOOR, board[1] | FLOOR, board[2] | FLOOR, board[3] | FLOOR, board[4] | FLOOR,
            board[5] | FLOOR, board[6] | FLOOR, board[7] | FLOOR, board[8] | FLOOR, board[9] | FLOOR,
            i32(cleared[item]), i32(locks[item]), i32(filled), i32(heights),
        )  # fmt: skip
        row = out[item]
        row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8] = f[:9]
        row[9], row[10], row[11], row[12], row[13], row[14], row[15], row[16] = f[9:]


@njit(nogil=True, cache=True)
def _load(board, x):
    """Readies x from a board's columns: floor below. Gives its filled cells and their sum of heights."""
    filled, heights = i32(0), i32(0)
    for c in range(COLUMNS):
        x[c] = board[c] | FLOOR
        filled += i32(popcount(board[c]))
        heights += i32(22 * popcount(board[c]) - _row_sum(board[c]))
    return filled, heights


@njit(nogil=True, cache=True)
def _write(ws, i, rank, found, cleared, after):
    found[rank] = ws[u64(PLACEMENT * LANES) + i]
    cleared[rank] = ws[u64(CLEARED * LANES) + i]
    for k in range(COLUMNS):
        after[rank, k] = ws[u64(k * LANES) + i] & CELLS
