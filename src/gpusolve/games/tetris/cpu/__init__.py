"""The Numba twins of ``kernels/tetris.cu``: same names, same arguments, same results to the bit.

The idea and the layout are told there. A GPU gives a warp to a board; here one thread walks along rows of a
workspace: row k holds column k of many boards, one board a lane, and every step is one array operation on all lanes,
which LLVM turns into vector instructions for 8 or 16 boards. Only what is rare goes lane by lane: boards with pockets
that a straight drop does not reach, and lanes in which a row is full.

Here are the kernels; their parts are in `reachability`, `boards`, `values`, `choices`, `plans` and `games`.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import find_placements, load, store
from gpusolve.games.tetris.cpu.choices import find_worths
from gpusolve.games.tetris.cpu.games import DROPS, NUMBERS, next_piece, play_games, play_turn, seed_dice
from gpusolve.games.tetris.cpu.losses import WIDE, losses_of
from gpusolve.games.tetris.cpu.plans import choose_plan
from gpusolve.games.tetris.cpu.reachability import SCRATCH
from gpusolve.games.tetris.cpu.tables import (
    CAPACITY,
    CLEARED,
    DECISIVE,
    PLACEMENT,
    STRIDE,
    WORKSPACE,
    i32,
    i64,
    u32,
    u64,
)
from gpusolve.games.tetris.cpu.values import evaluate, features_of, halves, values_of


@compiled
def play_greedy(
    first, last, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out, trace
):
    play_games(
        first, last, False, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
        trace,
    )  # fmt: skip


@compiled
def play_two_piece(
    first, last, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out, trace
):
    play_games(
        first, last, True, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
        trace,
    )  # fmt: skip


@compiled
def placements(first, last, boards, pieces, levels, timed, taps, most, counts, found, cleared, after):
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * DROPS :]
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
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    high, low = halves(weights)
    worth = np.zeros(CAPACITY, i64)
    for item in range(first, last):
        ordered = order[pieces[item] * NUMBERS :]
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * DROPS :]
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
    first, last, tables, endgame, lost, scales, max_lines, boards, pieces, lines, levels, timed, taps, most, counts,
    losses, found, cleared, after,
):  # fmt: skip
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    numbers, worth = np.zeros(WIDE, i32), np.zeros(CAPACITY, i32)
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * DROPS :]
        count = find_placements(
            workspace, u64(0), columns, u64(0), pieces[item], filled, heights, timed, tapped, scratch
        )
        counts[item] = count
        losses_of(workspace, count, lines[item], max_lines, tables, endgame, scales, numbers, worth)
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


@compiled
def expect(first, last, weights, boards, previous, levels, tetrises, chances, timed, taps, out):
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    high, low = halves(weights)
    values, ends, worth, tetris = np.zeros(CAPACITY, i64), np.zeros(7, u64), np.zeros(7, i64), np.zeros(7, np.bool_)
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * DROPS :]
        find_worths(workspace, columns, filled, heights, timed, tapped, scratch, high, low, ends, values, worth, tetris)
        total = i64(0)
        for piece in range(7):
            if worth[piece] != DECISIVE:  # which no value reaches: there is room
                worth[piece] += DECISIVE * (i64(tetris[piece]) - tetrises[item])
            total += chances[previous[item], piece] * worth[piece]
        out[item] = total


@compiled
def worths(first, last, weights, boards, levels, timed, taps, out):
    workspace, scratch = np.zeros(WORKSPACE, u32), np.zeros(SCRATCH, u32)
    columns = np.full(2 * STRIDE, u32(0xFFFFFFFF))
    high, low = halves(weights)
    values, ends, tetris = np.zeros(CAPACITY, i64), np.zeros(7, u64), np.zeros(7, np.bool_)
    for item in range(first, last):
        filled, heights = load(boards[item], columns)
        tapped = taps[levels[item] * DROPS :]
        find_worths(
            workspace, columns, filled, heights, timed, tapped, scratch, high, low, ends, values, out[item], tetris
        )


@compiled
def plan(first, last, boards, pieces, following, levels, taps, known, chances, counts, found, worths, most, chosen):
    scratch, columns = np.zeros(SCRATCH, u32), np.full(2 * STRIDE, u32(0xFFFFFFFF))
    allowed, least = np.zeros(DROPS + 2, u64), np.zeros(7, i64)
    for item in range(first, last):
        load(boards[item], columns)
        row, piece = levels[item], pieces[item]
        chosen[item] = choose_plan(
            columns, piece, following[item], taps[row * DROPS :], known[2 * row], known[2 * row + 1], chances[piece],
            min(counts[item], most), found[item], worths[item], scratch, allowed, least,
        )  # fmt: skip


@compiled
def deal(first, last, seed, first_game, source, dice, pieces, following):
    for game in range(first, last):
        dice[game, 1] = u64(0)
        seed_dice(dice[game], seed, first_game + game, source)
        pieces[game] = next_piece(dice[game], source)
        following[game] = next_piece(dice[game], source)


@compiled
def turn(
    first, last, games, counts, found, cleared, after, most, chosen, source, start_level, max_lines, boards, pieces,
    following, levels, dice, results, placed, going,
):  # fmt: skip
    for item in range(first, last):
        play_turn(
            item, games[item], counts, found, cleared, after, chosen, source, start_level, max_lines, boards, pieces,
            following, levels, dice, results, placed, going,
        )  # fmt: skip


@compiled
def features(first, last, boards, cleared, locks, out):
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
