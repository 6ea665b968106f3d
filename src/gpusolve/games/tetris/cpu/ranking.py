"""The placements of a piece on each board, ranked by number, by value or by loss."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import NO_ROOM, find_placements, load, store
from gpusolve.games.tetris.cpu.losses import WIDE, fetch_places, find_places, losses_of
from gpusolve.games.tetris.cpu.reachability import SCRATCH
from gpusolve.games.tetris.cpu.tables import (
    CAPACITY,
    CLEARED,
    NUMBERS,
    PLACEMENT,
    STRIDE,
    TAPS,
    WORKSPACE,
    i32,
    i64,
    u32,
    u64,
)
from gpusolve.games.tetris.cpu.values import evaluate, halves, values_of

TOGETHER = 6  # boards whose placements are judged together


@compiled
def placements(first, last, boards, pieces, levels, timed, taps, most, counts, found, cleared, after):
    """List the placements of a piece on each board, in the order of their numbers."""
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * TAPS :]
        count = find_placements(
            workspace, u64(0), columns, u64(0), pieces[item], filled, heights, timed, tapped, scratch
        )
        counts[item] = count
        for rank in range(min(count, most)):
            best = u64(0)
            for i in range(count):
                if workspace[PLACEMENT + i] < workspace[PLACEMENT + best]:
                    best = i
            store(workspace, best, rank, found[item], cleared[item], after[item])
            workspace[PLACEMENT + best] = u32(0xFFFFFFFF)


@compiled
def best(first, last, weights, boards, pieces, levels, timed, taps, order, most, counts, values, found, cleared, after):
    """List the placements of least value on each board, the least first."""
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    high, low = halves(weights)
    worth = np.zeros(CAPACITY, i64)
    for item in range(first, last):
        ordered = order[pieces[item] * NUMBERS :]
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * TAPS :]
        count = find_placements(
            workspace, u64(0), columns, u64(0), pieces[item], filled, heights, timed, tapped, scratch
        )
        counts[item] = count
        evaluate(workspace, count, high, low)
        values_of(workspace, count, worth)
        for rank in range(min(count, most)):
            best = u64(0)
            for i in range(count):
                if worth[i] < worth[best] or (
                    worth[i] == worth[best] and ordered[workspace[PLACEMENT + i]] < ordered[workspace[PLACEMENT + best]]
                ):
                    best = i
            values[item, rank] = worth[best]
            store(workspace, best, rank, found[item], cleared[item], after[item])
            worth[best] = i64(2**62)


@compiled
def least_losses(
    first, last, tables, endgame, lost, course, max_lines, boards, pieces, lines, levels, timed, taps, most, counts,
    losses, found, cleared, after,
):  # fmt: skip
    """List the placements of least loss on each board, the least first.

    Boards are taken a few at a time, so that hardly a lane stays empty. What the tables say of a placement are 25
    numbers, 8 of them far apart in 12 MB: these are prefetched, and read after the placements on the next few boards
    are found.
    """
    workspace, numbers, ends = np.zeros(WORKSPACE, u32), np.zeros(WIDE, i32), np.zeros(TOGETHER, u64)
    fetched, places, bounds = np.zeros(WORKSPACE, u32), np.zeros(WIDE, i32), np.zeros(TOGETHER, u64)
    scratch, columns = np.zeros(SCRATCH, u32), np.full(2 * STRIDE, u32(0xFFFFFFFF))
    worth = np.zeros(CAPACITY, i32)
    item, held = first, 0  # the next board, and the number of boards before it whose places are being fetched
    while item < last or held:
        taken = _place_few(item, last, boards, pieces, levels, timed, taps, columns, scratch, workspace, ends)
        find_places(workspace, ends[taken - 1] if taken else u64(0), numbers)
        begin = u64(0)
        for i in range(taken):
            fetch_places(workspace, begin, ends[i], lines[item + i], max_lines, tables, course, numbers)
            begin = ends[i]
        begin = u64(0)
        for i in range(held):
            at, end = item - held + i, bounds[i]
            counts[at] = end - begin
            losses_of(fetched, begin, end, lines[at], max_lines, tables, endgame, course, places, worth)
            for j in range(begin, end):
                worth[j] += lost[u64(lines[at] * 5) + u64(fetched[CLEARED + j])]
            _rank(fetched, begin, end, worth, most, losses[at], found[at], cleared[at], after[at])
            begin = end
        item, held = item + taken, taken
        workspace, numbers, ends, fetched, places, bounds = fetched, places, bounds, workspace, numbers, ends


@compiled
def _place_few(first, last, boards, pieces, levels, timed, taps, columns, scratch, workspace, ends):
    """Write the boards after the placements on a few boards from `first` on; return the number of boards.

    It is TOGETHER unless `last` or the end of the workspace comes before. Those of board first + i end at lane ends[i].
    """
    n, taken = u64(0), 0
    while taken < TOGETHER and first + taken < last:
        item = first + taken
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * TAPS :]
        count = find_placements(workspace, n, columns, u64(0), pieces[item], filled, heights, timed, tapped, scratch)
        if count == NO_ROOM:
            break
        n += count
        ends[taken] = n
        taken += 1
    return taken


@compiled
def _rank(workspace, begin, end, worth, most, losses, found, cleared, after):
    """Store the `most` placements of least worth in lanes begin to end - 1, the least first; `worth` is used up."""
    for rank in range(min(i64(end - begin), most)):
        best = begin
        for i in range(begin, end):
            if worth[i] < worth[best] or (
                worth[i] == worth[best] and workspace[PLACEMENT + i] < workspace[PLACEMENT + best]
            ):
                best = i
        losses[rank] = worth[best]
        store(workspace, best, rank, found, cleared, after)
        worth[best] = i32(2**31 - 1)
