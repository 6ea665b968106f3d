"""Which placement a policy takes."""

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
    """The lane of least value; of equals the one of the least template, then row."""
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
    """The lane of `workspace`, the boards after the first piece, after which the next piece's best placement is least.

    The boards after both fill the workspace `second` and are evaluated all together whenever it is full.
    """
    for i in range(count):
        for k in range(COLUMNS):
            boards[i * u64(STRIDE) + u64(k)] = workspace[u64(k * CAPACITY) + i]
    n, start = u64(0), u64(0)
    for i in range(count):
        begin = i * u64(STRIDE)
        filled, heights = i32(workspace[FILLED + i]), i32(workspace[HEIGHTS + i])
        found = find_placements(second, n, boards, begin, following, filled, heights, timed, taps, scratch)
        if found == NO_ROOM:
            _least_of_each(workspace, second, start, i, n, high, low, ends, least, values)
            n, start = u64(0), i
            found = find_placements(second, n, boards, begin, following, filled, heights, timed, taps, scratch)
        n += found
        ends[i] = n  # where the boards after this placement end
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
    """least[i]: the value of the first placement i, for start <= i < end; `second` holds what follows them."""
    evaluate(second, n, high, low)
    values_of(second, n, values)
    begin = u64(0)
    for i in range(start, end):
        least[i] = _least(values, begin, ends[i]) if ends[i] > begin else DECISIVE
        if workspace[CLEARED + i] == u32(4):
            least[i] -= DECISIVE
        begin = ends[i]


@compiled
def find_worths(workspace, columns, filled, heights, timed, taps, scratch, high, low, ends, values, worths, tetris):
    """worths[p]: the least value of piece p's placements on a board, `tetris`[p]: whether it is one.

    DECISIVE, and no tetris, where there is no room for it.
    """
    n, start = u64(0), 0
    for piece in range(7):  # their boards together in the workspace, evaluated whenever it is full
        count = find_placements(workspace, n, columns, u64(0), i32(piece), filled, heights, timed, taps, scratch)
        if count == NO_ROOM:
            _worths_of_pieces(workspace, n, start, piece, high, low, ends, values, worths, tetris)
            n, start = u64(0), piece
            count = find_placements(workspace, n, columns, u64(0), i32(piece), filled, heights, timed, taps, scratch)
        n += count
        ends[piece] = n
    _worths_of_pieces(workspace, n, start, 7, high, low, ends, values, worths, tetris)


@compiled
def _worths_of_pieces(workspace, n, start, end, high, low, ends, values, worths, tetris):
    """The same for start <= piece < end, whose boards end at lane ends[piece]."""
    evaluate(workspace, n, high, low)
    values_of(workspace, n, values)
    begin = u64(0)
    for i in range(start, end):
        worths[i], tetris[i] = DECISIVE, False
        if ends[i] > begin:
            best = begin
            for j in range(begin + u64(1), ends[i]):
                if values[j] < values[best]:
                    best = j
            worths[i], tetris[i] = values[best], workspace[CLEARED + best] == u32(4)
        begin = ends[i]


@inlined
def _least(values, first, last):
    """The least of values[first:last]."""
    least = values[first]
    for i in range(first + u64(1), last):
        least = min(least, values[i])
    return least
