"""The placement that a policy chooses on one board."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.tetris.cpu.boards import NO_ROOM, find_placements
from gpusolve.games.tetris.cpu.tables import (
    CAPACITY,
    CLEARED,
    DECISIVE,
    FILLED,
    HEIGHTS,
    PLACEMENT,
    STRIDE,
    i32,
    u32,
    u64,
)
from gpusolve.games.tetris.cpu.values import evaluate, values_of
from gpusolve.games.tetris.rules.board import COLUMNS


@compiled
def choose(workspace, count, high, low, values):
    """Return the lane of least value; ties go to the lower template, then to the lower row number."""
    evaluate(workspace, count, high, low)
    values_of(workspace, count, values)
    least = _least(values, u64(0), count)
    best, first = u64(0), u32(0xFFFFFFFF)
    for i in range(count):
        if values[i] == least and workspace[PLACEMENT + i] < first:
            best, first = i, workspace[PLACEMENT + i]
    return best


@compiled
def choose_two(workspace, count, high, low, following, timed, taps, second, boards, scratch, ends, least, values):
    """Return the first placement after which the best placement of the next piece has the least value, as a lane.

    `workspace` holds the boards after the first piece. The boards after both pieces are collected in the workspace
    `second` and evaluated together whenever it is full.
    """
    for i in range(count):
        for k in range(COLUMNS):
            boards[i * u64(STRIDE) + u64(k)] = workspace[u64(k * CAPACITY) + i]
    n, start = u64(0), u64(0)
    for i in range(count):
        begin = i * u64(STRIDE)
        filled, heights = i32(workspace[FILLED + i]), i32(workspace[HEIGHTS + i])
        written = find_placements(second, n, boards, begin, following, filled, heights, timed, taps, scratch)
        if written == NO_ROOM:
            _least_of_each(workspace, second, start, i, n, high, low, ends, least, values)
            n, start = u64(0), i
            written = find_placements(second, n, boards, begin, following, filled, heights, timed, taps, scratch)
        n += written
        ends[i] = n  # the end of the boards after this placement
    _least_of_each(workspace, second, start, count, n, high, low, ends, least, values)
    best = u64(0)
    for i in range(u64(1), count):
        if least[i] < least[best] or (
            least[i] == least[best] and workspace[PLACEMENT + i] < workspace[PLACEMENT + best]
        ):
            best = i
    return best


@compiled
def _least_of_each(workspace, second, start, end, n, high, low, ends, least, values):
    """Set least[i] to the value of first placement i, for start <= i < end, from the boards in `second`."""
    evaluate(second, n, high, low)
    values_of(second, n, values)
    begin = u64(0)
    for i in range(start, end):
        least[i] = _least(values, begin, ends[i]) if ends[i] > begin else DECISIVE
        if workspace[CLEARED + i] == u32(4):
            least[i] -= DECISIVE
        begin = ends[i]


@inlined
def _least(values, first, last):
    """Return the least of values[first:last]."""
    least = values[first]
    for i in range(first + u64(1), last):
        least = min(least, values[i])
    return least
