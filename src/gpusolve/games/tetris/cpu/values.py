"""The features of boards and their values, that is weights times features."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import leading_zeros, popcount, trailing_zeros
from gpusolve.games.tetris.cpu.boards import load, row_sum
from gpusolve.games.tetris.cpu.tables import (
    CAPACITY,
    CLEARED,
    DECISIVE,
    FILLED,
    HEIGHTS,
    HIGH,
    LOCK,
    LOW,
    STRIDE,
    i32,
    i64,
    u32,
    u64,
)

HALF = 15  # weights are split into two halves of 15 bits, so that products and sums fit 32 bits


@inlined
def features_of(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, cleared, lock, filled, heights):
    """Compute the 17 features of a board from its columns, floor included, without a branch."""
    t0, t1, t2, t3, t4 = (
        trailing_zeros(c0),
        trailing_zeros(c1),
        trailing_zeros(c2),
        trailing_zeros(c3),
        trailing_zeros(c4),
    )
    t5, t6, t7, t8, t9 = (
        trailing_zeros(c5),
        trailing_zeros(c6),
        trailing_zeros(c7),
        trailing_zeros(c8),
        trailing_zeros(c9),
    )
    one = u32(1)
    h0, h1, h2, h3, h4 = _holes(c0), _holes(c1), _holes(c2), _holes(c3), _holes(c4)
    h5, h6, h7, h8, h9 = _holes(c5), _holes(c6), _holes(c7), _holes(c8), _holes(c9)
    n0, n1, n2, n3, n4 = popcount(h0), popcount(h1), popcount(h2), popcount(h3), popcount(h4)
    n5, n6, n7, n8, n9 = popcount(h5), popcount(h6), popcount(h7), popcount(h8), popcount(h9)
    holes = i32(n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9)
    tops = i32(t0 * n0 + t1 * n1 + t2 * n2 + t3 * n3 + t4 * n4 + t5 * n5 + t6 * n6 + t7 * n7 + t8 * n8 + t9 * n9)

    # The sum of the rows of all holes: first count the holes of each row, in binary, with one word for each digit.
    a, p = _add(h0, h1, h2)
    b, q = _add(h3, h4, h5)
    c, r = _add(h6, h7, h8)
    a, s = _add(a, b, c)
    ones, t = _add(a, h9, u32(0))
    p, u = _add(p, q, r)
    twos, v = _add(p, s, t)
    fours, eights = _add(u, v, u32(0))
    rows = i32(row_sum(ones) + 2 * row_sum(twos) + 4 * row_sum(fours) + 8 * row_sum(eights))

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

    # Down a column each hole is two changes, one at its top and one at its end, unless it is open at the floor.
    bottom = u32(21)
    on_floor = i32(
        (c0 >> bottom & one) + (c1 >> bottom & one) + (c2 >> bottom & one) + (c3 >> bottom & one) + (c4 >> bottom & one)
        + (c5 >> bottom & one) + (c6 >> bottom & one) + (c7 >> bottom & one) + (c8 >> bottom & one)
        + (c9 >> bottom & one)
    )  # fmt: skip
    empty = i32(
        i32(t0 == 22) + i32(t1 == 22) + i32(t2 == 22) + i32(t3 == 22) + i32(t4 == 22)
        + i32(t5 == 22) + i32(t6 == 22) + i32(t7 == 22) + i32(t8 == 22) + i32(t9 == 22)
    )  # fmt: skip
    column_changes = i32(2 * holes - (10 - on_floor - empty))

    highest = min(min(min(t0, t1), min(t2, t3)), min(min(min(t4, t5), min(t6, t7)), min(t8, t9)))
    deepest = max(max(max(t0, t1), max(t2, t3)), max(max(max(t4, t5), max(t6, t7)), max(t8, t9)))
    row_changes = i32(
        2 * (32 - highest) - popcount(c0) - popcount(c9)  # the walls; the ten bits of the floor cancel out
        + popcount(c0 ^ c1) + popcount(c1 ^ c2) + popcount(c2 ^ c3) + popcount(c3 ^ c4) + popcount(c4 ^ c5)
        + popcount(c5 ^ c6) + popcount(c6 ^ c7) + popcount(c7 ^ c8) + popcount(c8 ^ c9)
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


@inlined
def _add(a, b, c):
    """Add three words bit by bit; return the ones and the twos of the sums."""
    ab = u32(a ^ b)
    return u32(ab ^ c), u32((a & b) | (ab & c))


@inlined
def _holes(column):
    """Return the empty cells directly under a filled cell."""
    return u32(~column & column << u32(1))


@inlined
def _depths(holes, top):
    """Return the depths of the highest and the lowest hole below the top of a column: 22 and less than 1 if none."""
    least = i32(trailing_zeros(holes) - top)
    return (i32(22) if holes == u32(0) else least), i32(31 - leading_zeros(holes) - top)


@inlined
def _well(top, left, right):
    """Return how deep a column lies below its lower neighbour, given the top rows of all three."""
    return max(i32(0), i32(top - max(left, right)))


@compiled
def evaluate(workspace, n, high, low):
    """Compute the values of lanes 0 to n - 1 in two 32-bit halves: high * 2^15 + low = weights . features."""
    for group in range((i64(n) + STRIDE - 1) // STRIDE):
        for lane in range(STRIDE):
            i = u64(group * STRIDE + lane)
            f = features_of(
                workspace[i],
                workspace[u64(CAPACITY) + i],
                workspace[u64(2 * CAPACITY) + i],
                workspace[u64(3 * CAPACITY) + i],
                workspace[u64(4 * CAPACITY) + i],
                workspace[u64(5 * CAPACITY) + i],
                workspace[u64(6 * CAPACITY) + i],
                workspace[u64(7 * CAPACITY) + i],
                workspace[u64(8 * CAPACITY) + i],
                workspace[u64(9 * CAPACITY) + i],
                i32(workspace[CLEARED + i]),
                i32(workspace[LOCK + i]),
                i32(workspace[FILLED + i]),
                i32(workspace[HEIGHTS + i]),
            )
            workspace[HIGH + i] = u32(_dot(f, high))
            workspace[LOW + i] = u32(_dot(f, low))


@inlined
def values_of(workspace, n, values):
    """Set values[i] to the value of lane i, for i < n."""
    for group in range((i64(n) + STRIDE - 1) // STRIDE):
        for lane in range(STRIDE):
            i = u64(group * STRIDE + lane)
            values[i] = value_of(workspace, i)


@inlined
def value_of(workspace, i):
    """Return the value of a lane, less DECISIVE for a tetris."""
    value = i64(i64(i32(workspace[HIGH + i])) << i64(HALF)) + i64(i32(workspace[LOW + i]))
    return i64(value - (DECISIVE if workspace[CLEARED + i] == u32(4) else i64(0)))


@inlined
def _dot(f, w):
    return i32(
        f[0] * w[0] + f[1] * w[1] + f[2] * w[2] + f[3] * w[3] + f[4] * w[4] + f[5] * w[5] + f[6] * w[6] + f[7] * w[7]
        + f[8] * w[8] + f[9] * w[9] + f[10] * w[10] + f[11] * w[11] + f[12] * w[12] + f[13] * w[13] + f[14] * w[14]
        + f[15] * w[15] + f[16] * w[16]
    )  # fmt: skip


@compiled
def halves(weights):
    """Split each weight into its upper and lower bits."""
    high, low = np.zeros(17, i32), np.zeros(17, i32)
    for f in range(17):
        high[f], low[f] = weights[f] >> HALF, weights[f] & ((1 << HALF) - 1)
    return high, low


@compiled
def features(first, last, boards, cleared, locks, out):
    """Compute the 17 features of each board."""
    columns = np.zeros(10, u32)
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        f = features_of(
            columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6], columns[7], columns[8],
            columns[9], i32(cleared[item]), i32(locks[item]), filled, heights,
        )  # fmt: skip
        row = out[item]
        row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8] = f[:9]
        row[9], row[10], row[11], row[12], row[13], row[14], row[15], row[16] = f[9:]
