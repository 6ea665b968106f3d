"""The losses that a learned value expects for the boards in a workspace (`gpusolve.games.tetris.rules.losses`)."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.backend.intrinsics.prefetch import prefetch
from gpusolve.games.tetris.cpu.tables import CAPACITY, CLEARED, FILLED, HEIGHTS, STRIDE, i32, i64, u32, u64
from gpusolve.games.tetris.cpu.values import features_of
from gpusolve.games.tetris.rules.losses import (
    BEGINS,
    LAST_LINES,
    PRIOR as PRIOR_WEIGHTS,
    READY_BONUS,
    READY_ROW,
    RIGHT_CELL,
    SCALE_BITS,
    TABLES,
    TALL,
    UNIT_BITS,
)

PLACES = len(TABLES)
BYTES = u64(2)  # of a number in a table
HEIGHT = u64(list(TABLES).index("height"))
READY, PRIOR = (
    u64(PLACES),
    u64(PLACES + 1),
)  # the next rows of `numbers`: rows ready, the prior
WIDE = (PLACES + 2) * CAPACITY  # the length of `numbers`
LARGE = tuple(t for t, size in enumerate(TABLES.values()) if size > 100_000)  # the others, 150 kB, stay in the cache
FIRSTS = np.array(BEGINS, i32)
FACTORS = np.array(PRIOR_WEIGHTS, i32)
SHIFT = i32(SCALE_BITS - UNIT_BITS)


@compiled
def fetch_places(workspace, begin, end, lines, max_lines, tables, course, numbers):
    """Prefetch what `find_places` found for lanes begin to end - 1 in the large tables of the phase of a game.

    `lines` were cleared before the placement of these boards. The lines after it decide on the phase, and on the part
    of the table of heights: the places in this table are moved there.
    """
    base = u64(tables.ctypes.data)
    for i in range(begin, end):
        after = min(u64(lines) + u64(workspace[CLEARED + i]), u64(max_lines))
        here = after * u64(4)
        start = course[here + u64(1)]
        numbers[HEIGHT * u64(CAPACITY) + i] += course[here + u64(2)]
        for t in LARGE:
            prefetch(base + u64(start + numbers[u64(t * CAPACITY) + i]) * BYTES)


@compiled
def losses_of(workspace, begin, end, lines, max_lines, tables, endgame, course, numbers, losses):
    """Set losses[i] to the expected loss of the board in lane i, begin <= i < end, from what `fetch_places` found."""
    for i in range(begin, end):
        after = u64(lines) + u64(workspace[CLEARED + i])
        if after >= u64(max_lines):
            losses[i] = i32(0)
            continue
        here = after * u64(4)
        scale, start, left = course[here], course[here + u64(1)], i64(course[here + u64(3)])
        total = i32(numbers[PRIOR * u64(CAPACITY) + i])
        for t in range(PLACES):
            total += i32(tables[u64(start + numbers[u64(t * CAPACITY) + i])])
        ready = i64(numbers[READY * u64(CAPACITY) + i]) if left <= LAST_LINES else i64(0)
        losses[i] = i32(total * scale >> SHIFT) + endgame[u64(left * 6 + ready)]


@compiled
def find_places(workspace, n, numbers):
    """Set the first rows of `numbers` to each board's indices in the tables, then its rows ready and its linear prior.

    They are those of the first phase, and those in the table of heights are those of stage 0: the lines cleared decide
    what is to be added (`rules.losses.Stakes`), and looking that up here would stop the loop from being vectorised.
    """
    for group in range((i64(n) + STRIDE - 1) // STRIDE):
        for lane in range(STRIDE):
            i = u64(group * STRIDE + lane)
            c0, c1, c2, c3, c4 = (
                workspace[i],
                workspace[u64(CAPACITY) + i],
                workspace[u64(2 * CAPACITY) + i],
                workspace[u64(3 * CAPACITY) + i],
                workspace[u64(4 * CAPACITY) + i],
            )
            c5, c6, c7, c8, c9 = (
                workspace[u64(5 * CAPACITY) + i],
                workspace[u64(6 * CAPACITY) + i],
                workspace[u64(7 * CAPACITY) + i],
                workspace[u64(8 * CAPACITY) + i],
                workspace[u64(9 * CAPACITY) + i],
            )
            f = features_of(
                c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, i32(0), i32(0), i32(workspace[FILLED + i]),
                i32(workspace[HEIGHTS + i]),
            )  # fmt: skip
            t0, t1, t2, t3, t4 = (_top(c0), _top(c1), _top(c2), _top(c3), _top(c4))
            t5, t6, t7, t8, t9 = (_top(c5), _top(c6), _top(c7), _top(c8), _top(c9))
            g0, g1, g2, g3, g4 = _covered(c0), _covered(c1), _covered(c2), _covered(c3), _covered(c4)
            g5, g6, g7, g8, g9 = _covered(c5), _covered(c6), _covered(c7), _covered(c8), _covered(c9)
            n0, n1, n2, n3, n4 = popcount(g0), popcount(g1), popcount(g2), popcount(g3), popcount(g4)
            n5, n6, n7, n8, n9 = popcount(g5), popcount(g6), popcount(g7), popcount(g8), popcount(g9)
            count = i32(n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9)
            covered = u32(g0 | g1 | g2 | g3 | g4 | g5 | g6 | g7 | g8 | g9)
            rows = i32(popcount(covered))
            some = i32(rows > 0)
            first = i32(trailing_zeros(covered)) * some
            highest = i32(f[12])
            digging = i32((first - i32(22) + highest) * some)
            high = min(highest, i32(20))
            full = u32(c0 & c1 & c2 & c3 & c4 & c5 & c6 & c7 & c8 & ~c9 & u32(0x003FFFFF))
            # Shift the row above the right column's top to bit 31, then count the ones from there on.
            turned = u32(u32(full << u32(10)) << u32(22 - t9))
            ready = _leading_ones(turned)

            d0, d1, d2, d3 = _digit(t0, t1), _digit(t1, t2), _digit(t2, t3), _digit(t3, t4)
            d4, d5, d6, d7 = _digit(t4, t5), _digit(t5, t6), _digit(t6, t7), _digit(t7, t8)
            d8 = i32(_within(i32(t9 - t8), i32(-2), i32(6)) + 2)
            _put(numbers, 0, i, i32(_surface(d0, d1, d2, d3, d4, d5) * 2 + some))
            _put(numbers, 1, i, i32(_surface(d1, d2, d3, d4, d5, d6) * 2 + some))
            _put(numbers, 2, i, i32(_surface(d2, d3, d4, d5, d6, d7) * 2 + some))
            _put(numbers, 3, i, i32(_surface(d3, d4, d5, d6, d7, d8) * 2 + some))
            _put(numbers, 4, i, i32(((high * 6 + ready) * 4 + min(rows, i32(3))) * 8))
            band = i32(_within(i32(highest - 1) >> i32(2), i32(0), i32(4)))
            _put(numbers, 5, i, _column(t0, g0, n0, t9, band))
            _put(numbers, 6, i, _column(t1, g1, n1, t9, band))
            _put(numbers, 7, i, _column(t2, g2, n2, t9, band))
            _put(numbers, 8, i, _column(t3, g3, n3, t9, band))
            _put(numbers, 9, i, _column(t4, g4, n4, t9, band))
            _put(numbers, 10, i, _column(t5, g5, n5, t9, band))
            _put(numbers, 11, i, _column(t6, g6, n6, t9, band))
            _put(numbers, 12, i, _column(t7, g7, n7, t9, band))
            _put(numbers, 13, i, _column(t8, g8, n8, t9, band))
            itself = _column_itself(t9, g9) - _column_itself(t8, g9)
            _put(numbers, 14, i, i32(_column(t8, g9, n9, t9, band) + itself))
            row = u32(covered & (u32(0) - covered))  # a row above the board is no row, and has no cells
            at = _row(row, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9)
            above = _row(u32(row >> u32(1)), c0, c1, c2, c3, c4, c5, c6, c7, c8, c9)
            higher = _row(u32(row >> u32(2)), c0, c1, c2, c3, c4, c5, c6, c7, c8, c9)
            _put(numbers, 15, i, i32(above << i32(10) | higher))
            _put(
                numbers, 16, i,
                i32(
                    ((min(rows, i32(6)) * 10 + min(count, i32(9))) * 8 + min(digging, i32(7))) * 11
                    + min(highest >> i32(1), i32(10))
                ),
            )  # fmt: skip
            lowest = max(max(max(t0, t1), max(t2, t3)), max(max(t4, t5), max(max(t6, t7), t8)))
            h9 = i32(22 - t9)
            _put(
                numbers, 17, i,
                i32(
                    (min(h9, i32(19)) * 12 + _within(i32(t9 - lowest), i32(-3), i32(8)) + 3) * 12
                    + _within(i32(t9 - t8), i32(-3), i32(8)) + 3
                ),
            )  # fmt: skip
            centre = min(i32(22 - min(min(t3, t4), min(t5, t6))), i32(20))
            _put(numbers, 18, i, i32((high * 21 + min(i32(f[11] * 6554) >> i32(16), i32(20))) * 21 + centre))
            hole_row = i32(at | i32(rows > 1) << i32(10) | i32(digging > 2) << i32(11))
            _put(numbers, 19, i, i32((hole_row * 4 + min(rows - 1, i32(3))) * some))
            beside = min(i32(22 - min(min(t1, t2), t3)), i32(20))
            _put(numbers, 20, i, i32((min(i32(22 - t0), i32(19)) * 21 + beside) * 21 + centre))
            beside = min(i32(22 - min(min(t5, t6), t7)), i32(20))
            _put(numbers, 21, i, i32((min(i32(22 - t8), i32(19)) * 21 + min(h9, i32(20))) * 21 + beside))
            a0, a1, a2, a3, a4 = _low(t0), _low(t1), _low(t2), _low(t3), _low(t4)
            a5, a6, a7, a8, a9 = _low(t5), _low(t6), _low(t7), _low(t8), _low(t9)
            _put(numbers, 22, i, _heights(a0, a1, a2, a3, a4))
            _put(numbers, 23, i, _heights(a3, a4, a5, a6, a7))
            _put(numbers, 24, i, _heights(a5, a6, a7, a8, a9))
            numbers[READY * u64(CAPACITY) + i] = ready
            numbers[PRIOR * u64(CAPACITY) + i] = i32(
                _prior(f) + RIGHT_CELL * h9 - READY_ROW * min(ready, i32(4)) - READY_BONUS * i32(ready >= 4)
            )


@inlined
def _top(column):
    return i32(trailing_zeros(column))


@inlined
def _covered(column):
    """Return the empty cells below the top of a column."""
    return u32(~column & (u32(0) - (column & (u32(0) - column))))


@inlined
def _leading_ones(bits):
    """Count the ones from bit 31 down, 5 at most."""
    a = bits >> u32(31)
    b = a & bits >> u32(30)
    c = b & bits >> u32(29)
    d = c & bits >> u32(28)
    e = d & bits >> u32(27)
    return i32(a + (b & u32(1)) + (c & u32(1)) + (d & u32(1)) + (e & u32(1)))


@inlined
def _within(x, least, most):
    return min(max(x, least), most)


@inlined
def _digit(top, right):
    """Return the step down to the column on the right, as a digit from 0 to 8."""
    return i32(_within(i32(right - top), i32(-4), i32(4)) + 4)


@inlined
def _surface(a, b, c, d, e, f):
    return i32(((((a * 9 + b) * 9 + c) * 9 + d) * 9 + e) * 9 + f)


@inlined
def _low(top):
    """Return the height of a column, TALL - 1 at most."""
    return min(i32(22 - top), i32(TALL - 1))


@inlined
def _heights(a, b, c, d, e):
    return i32((((a * TALL + b) * TALL + c) * TALL + d) * TALL + e)


@inlined
def _column_itself(top, covered):
    """Return the contribution of the number of filled cells that cover the highest hole."""
    cover = i32(_within(i32(i32(trailing_zeros(covered)) - top), i32(0), i32(5)))
    return i32(cover * i32(covered != u32(0)) * 320)


@inlined
def _column(top, covered, holes, right, band):
    beside = i32(_within(i32(right - top), i32(-4), i32(11)) + 4)
    return i32(_column_itself(top, covered) + (min(i32(holes), i32(3)) * 16 + beside) * 5 + band)


@inlined
def _row(row, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9):
    """Return the ten cells of a row as bits, the left one in bit 0; `row` is its bit in the columns."""
    return i32(
        _cell(c0, row, 0) | _cell(c1, row, 1) | _cell(c2, row, 2) | _cell(c3, row, 3) | _cell(c4, row, 4)
        | _cell(c5, row, 5) | _cell(c6, row, 6) | _cell(c7, row, 7) | _cell(c8, row, 8) | _cell(c9, row, 9)
    )  # fmt: skip


@inlined
def _cell(column, row, bit):
    return i32(1 << bit) if column & row else i32(0)


@inlined
def _prior(f):
    w = FACTORS
    return i32(
        f[2] * w[2] + f[3] * w[3] + f[4] * w[4] + f[5] * w[5] + f[6] * w[6] + f[7] * w[7] + f[8] * w[8] + f[9] * w[9]
        + f[10] * w[10] + f[11] * w[11] + f[12] * w[12] + f[13] * w[13] + f[14] * w[14] + f[15] * w[15]
        + f[16] * w[16]
    )  # fmt: skip


@inlined
def _put(numbers, table, i, place):
    numbers[u64(table * CAPACITY) + i] = i32(FIRSTS[table] + place)
