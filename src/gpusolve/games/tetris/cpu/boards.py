"""The boards after placements in a workspace, and single boards copied into it and out of it."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.games.tetris.cpu.das import das_placements
from gpusolve.games.tetris.cpu.reachability import REST, TOP, free_placements, resting_after, timed_placements
from gpusolve.games.tetris.cpu.tables import (
    BOX_BOTTOM,
    BOX_SUM,
    CAPACITY,
    CELLS,
    CLEARED,
    COUNT,
    DROPS_ROOM,
    FILLED,
    FIRST,
    FLOOR,
    FULL_ROWS,
    HEIGHTS,
    HELD,
    LOCK,
    MASKS,
    PLACEMENT,
    SHAPES,
    SPAWN_TOP,
    STRIDE,
    i32,
    u32,
    u64,
)
from gpusolve.games.tetris.rules.board import COLUMNS

NO_ROOM = u64(CAPACITY)  # more than any number of placements


@compiled
def find_placements(workspace, n, columns, begin, piece, filled, heights, timed, taps, scratch):
    """Write the boards after every placement from lane n on, and return their number.

    The result is NO_ROOM if they might not fit into the workspace: the caller has to evaluate the lanes before n first.
    """
    if timed:
        if timed == HELD:
            count, last = das_placements(columns, begin, piece, taps, scratch)
        else:
            count, last = timed_placements(columns, begin, piece, taps, scratch)
        if n + count > u64(CAPACITY):
            return NO_ROOM
        spread_after(workspace, n, columns, begin, piece, last, scratch, filled, heights)
        return count
    drops, others = free_placements(columns, begin, piece, scratch)
    most = u64(DROPS_ROOM) if drops else u64(0)
    todo = others
    while todo:
        most += u64(popcount(scratch[REST + u64(STRIDE) + u64(trailing_zeros(todo))]))
        todo &= todo - u64(1)
    if n + most > u64(CAPACITY):
        return NO_ROOM
    count = spread_drops(workspace, n, columns, begin, piece, scratch, filled, heights) if drops else u64(0)
    if others:
        count += spread_rest(workspace, n + count, columns, begin, piece, others, scratch, filled, heights)
    return count


@inlined
def spread_drops(workspace, n, columns, begin, piece, scratch, filled, heights):
    """Write the boards after each template's straight drop from lane n on, and return their number."""
    end = n
    for o in range(SHAPES[piece]):  # the next orientation overwrites the lanes beyond the last column
        row, start, first = TOP + u64((o + 1) * STRIDE), end, u32(FIRST[piece, o])
        full_lanes = u32(0)
        box_sum, box_bottom = u32(heights + BOX_SUM[piece, o]), u32(19 - BOX_BOTTOM[piece, o])
        for lane in range(STRIDE):
            j = u64(lane)
            i = start + j
            top = scratch[row + j] & u32(31)
            full = CELLS
            for k in range(COLUMNS):
                column = u32(columns[begin + u64(k)] | MASKS[piece, o, k, j] << top)
                workspace[u64(k * CAPACITY) + i] = column
                full &= column
            workspace[PLACEMENT + i] = u32((first + u32(lane)) * u32(32) + top)
            workspace[CLEARED + i] = u32(0)
            workspace[FILLED + i] = u32(filled + 4)
            workspace[HEIGHTS + i] = u32(box_sum - u32(4) * top)
            workspace[LOCK + i] = u32(box_bottom - top)
            workspace[FULL_ROWS + i] = full
            full_lanes |= u32(full != u32(0)) << u32(lane)
        full_lanes &= (u32(1) << u32(COUNT[piece, o])) - u32(1)
        while full_lanes:
            _clear(workspace, start + u64(trailing_zeros(full_lanes)))
            full_lanes &= full_lanes - u32(1)
        end += u64(COUNT[piece, o])
    return end - n


@compiled
def spread_rest(workspace, n, columns, begin, piece, others, scratch, filled, heights):
    """Write the boards after the placements in REST of the lanes set in `others`, and return their number."""
    i = n
    while others:
        lane = u64(trailing_zeros(others))
        others &= others - u64(1)
        rows = scratch[REST + u64(STRIDE) + lane]
        while rows:
            spread(workspace, i, columns, begin, piece, lane, u32(trailing_zeros(rows)), filled, heights)
            rows &= rows - u32(1)
            i += u64(1)
    return i - n


@compiled
def spread_after(workspace, n, columns, begin, piece, drops, scratch, filled, heights):
    """Write the boards after the placements in AFTER, which come to rest after at most `drops` drops."""
    i = n
    for drop in range(drops):
        states = resting_after(scratch, drop)
        while states:
            lane = u64(trailing_zeros(states))
            states &= states - u64(1)
            top = u32(SPAWN_TOP[piece, lane // u64(STRIDE)] + u32(drop))
            spread(workspace, i, columns, begin, piece, lane, top, filled, heights)
            i += u64(1)


@inlined
def spread(workspace, i, columns, begin, piece, lane, top, filled, heights):
    """Write the board after one placement to lane i: the template's lane of a search, its box at row `top`."""
    o, j = lane // u64(STRIDE), lane % u64(STRIDE)
    full = CELLS
    for k in range(COLUMNS):
        column = u32(columns[begin + u64(k)] | MASKS[piece, o, k, j] << top)
        workspace[u64(k * CAPACITY) + i] = column
        full &= column
    workspace[PLACEMENT + i] = u32((FIRST[piece, o] + j) * u64(32) + u64(top))
    workspace[CLEARED + i] = u32(0)
    workspace[FILLED + i] = u32(filled + 4)
    workspace[HEIGHTS + i] = u32(heights + BOX_SUM[piece, o] - 4 * top)
    workspace[LOCK + i] = u32(19 - BOX_BOTTOM[piece, o] - top)
    workspace[FULL_ROWS + i] = full
    if full:
        _clear(workspace, i)


@compiled
def _clear(workspace, i):
    """Remove the full rows of the board in lane i: the rows above each move down, towards the higher bits."""
    rows = workspace[FULL_ROWS + i]
    cleared = popcount(rows)
    lost = 0
    while rows:  # from the top, so that the full rows further down stay where they are
        row = rows & ~(rows - u32(1))
        rows ^= row
        above, below = u32(row - u32(1)), u32(~(row | row - u32(1)))
        for k in range(COLUMNS):
            column = workspace[u64(k * CAPACITY) + i]
            lost += popcount(column & above)
            workspace[u64(k * CAPACITY) + i] = u32((column & above) << u32(1) | column & below)
        lost += COLUMNS * (22 - trailing_zeros(row))
    workspace[CLEARED + i] = cleared
    workspace[FILLED + i] -= u32(10 * cleared)
    workspace[HEIGHTS + i] -= u32(lost)


@compiled
def row_sum(bits):
    """Return the sum of the positions of the set bits, adding up one binary digit of the positions at a time."""
    return i32(
        popcount(u32(bits & u32(0xAAAAAAAA)))
        + 2 * popcount(u32(bits & u32(0xCCCCCCCC)))
        + 4 * popcount(u32(bits & u32(0xF0F0F0F0)))
        + 8 * popcount(u32(bits & u32(0xFF00FF00)))
        + 16 * popcount(u32(bits & u32(0xFFFF0000)))
    )


@compiled
def load(board, columns):
    """Copy a board's columns and add the floor; return the number of filled cells and the sum of their heights."""
    filled, heights = i32(0), i32(0)
    for c in range(COLUMNS):
        columns[c] = board[c] | FLOOR
        filled += i32(popcount(board[c]))
        heights += i32(22 * popcount(board[c]) - row_sum(board[c]))
    return filled, heights


@compiled
def store(workspace, i, rank, found, cleared, after):
    """Write the placement in lane i and the board after it as entry `rank` of the output."""
    found[rank] = workspace[PLACEMENT + i]
    cleared[rank] = workspace[CLEARED + i]
    for k in range(COLUMNS):
        after[rank, k] = workspace[u64(k * CAPACITY) + i] & CELLS
