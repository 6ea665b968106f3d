"""What a board is worth for each of the seven pieces, and on average over them."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import NO_ROOM, find_placements, load
from gpusolve.games.tetris.cpu.reachability import SCRATCH
from gpusolve.games.tetris.cpu.tables import CAPACITY, CLEARED, DECISIVE, STRIDE, TAPS, WORKSPACE, i32, i64, u32, u64
from gpusolve.games.tetris.cpu.values import evaluate, halves, values_of


@compiled
def expect(first, last, weights, boards, previous, levels, tetrises, chances, timed, taps, out):
    """Sum each board's worth over the seven pieces, weighted by their chances."""
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    high, low = halves(weights)
    values, ends, worth, tetris = np.zeros(CAPACITY, i64), np.zeros(7, u64), np.zeros(7, i64), np.zeros(7, np.bool_)
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * TAPS :]
        find_worths(workspace, columns, filled, heights, timed, tapped, scratch, high, low, ends, values, worth, tetris)
        total = i64(0)
        for piece in range(7):
            if worth[piece] != DECISIVE:  # no value is as large, so there is room for the piece
                worth[piece] += DECISIVE * (i64(tetris[piece]) - tetrises[item])
            total += chances[previous[item], piece] * worth[piece]
        out[item] = total


@compiled
def worths(first, last, weights, boards, levels, timed, taps, out):
    """Compute the worth of each board for each of the seven pieces."""
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    high, low = halves(weights)
    values, ends, tetris = np.zeros(CAPACITY, i64), np.zeros(7, u64), np.zeros(7, np.bool_)
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * TAPS :]
        find_worths(
            workspace, columns, filled, heights, timed, tapped, scratch, high, low, ends, values, out[item], tetris
        )


@compiled
def find_worths(workspace, columns, filled, heights, timed, taps, scratch, high, low, ends, values, worths, tetris):
    """Set worths[p] to the least value of piece p's placements on a board, and tetris[p] to whether it is a tetris.

    Where there is no room for the piece, its worth is DECISIVE and it is no tetris.
    """
    n, start = u64(0), 0
    for piece in range(7):  # their boards share the workspace and are evaluated whenever it is full
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
    """Set the worths of the pieces from start to end - 1; the boards of each end at lane ends[piece]."""
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
