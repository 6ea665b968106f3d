"""The placements of a piece on each board, ranked by number, by value or by loss."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import find_placements, load, store
from gpusolve.games.tetris.cpu.losses import WIDE, losses_of
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
    """List the placements of least loss on each board, the least first."""
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    numbers, worth = np.zeros(WIDE, i32), np.zeros(CAPACITY, i32)
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * TAPS :]
        count = find_placements(
            workspace, u64(0), columns, u64(0), pieces[item], filled, heights, timed, tapped, scratch
        )
        counts[item] = count
        losses_of(workspace, count, lines[item], max_lines, tables, endgame, course, numbers, worth)
        for i in range(count):
            worth[i] += lost[u64(lines[item] * 5) + u64(workspace[CLEARED + i])]
        for rank in range(min(count, most)):
            best = u64(0)
            for i in range(count):
                if worth[i] < worth[best] or (
                    worth[i] == worth[best] and workspace[PLACEMENT + i] < workspace[PLACEMENT + best]
                ):
                    best = i
            losses[item, rank] = worth[best]
            store(workspace, best, rank, found[item], cleared[item], after[item])
            worth[best] = i32(2**31 - 1)
