"""Whole games from the first piece to the last."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import find_placements
from gpusolve.games.tetris.cpu.choices import choose, choose_two
from gpusolve.games.tetris.cpu.dice import next_piece, seed_dice
from gpusolve.games.tetris.cpu.reachability import SCRATCH
from gpusolve.games.tetris.cpu.tables import (
    CAPACITY,
    CLEARED,
    FILLED,
    FLOOR,
    HEIGHTS,
    LEVELS,
    PLACEMENT,
    STRIDE,
    TAPS,
    WORKSPACE,
    i32,
    i64,
    u32,
    u64,
)
from gpusolve.games.tetris.cpu.values import halves
from gpusolve.games.tetris.rules.board import COLUMNS, LINE_POINTS

POINTS = np.array(LINE_POINTS, i32)


@compiled
def play_greedy(
    first, last, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out, trace
):
    """Play whole games with the greedy policy."""
    play_games(
        first, last, False, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
        trace,
    )  # fmt: skip


@compiled
def play_two_piece(
    first, last, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out, trace
):
    """Play whole games with the two-piece policy."""
    play_games(
        first, last, True, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
        trace,
    )  # fmt: skip


@compiled
def play_games(
    first, last, two_piece, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
    trace,
):  # fmt: skip
    """Play the games of a range of items: item w * games + g is game first_game + g with weights w.

    A row of `out` has score, lines, pieces and tetrises. `trace` has the first `turns` placements of each game.
    """
    workspace, second = np.zeros(WORKSPACE, u32), np.zeros(WORKSPACE, u32)
    board, boards = np.full(2 * STRIDE, u32(0xFFFFFFFF)), np.full((CAPACITY + 1) * STRIDE, u32(0xFFFFFFFF))
    dice, scratch = np.zeros(4, u64), np.zeros(SCRATCH, u32)
    ends, least, values = np.zeros(CAPACITY, u64), np.zeros(CAPACITY, i64), np.zeros(CAPACITY, i64)
    for item in range(first, last):
        high, low = halves(weights[item // games])
        board[:COLUMNS] = FLOOR
        seed_dice(dice, seed, first_game + item % games, source)
        piece, following = next_piece(dice, source), next_piece(dice, source)
        filled, heights = i32(0), i32(0)
        score, lines, pieces, tetrises = 0, 0, 0, 0
        while lines < max_lines:
            tapped = taps[min(level_at(lines, start_level), LEVELS - 1) * TAPS :]
            count = find_placements(workspace, u64(0), board, u64(0), piece, filled, heights, timed, tapped, scratch)
            if count == u64(0):
                break
            if two_piece:
                i = choose_two(
                    workspace, count, high, low, following, timed, tapped, second, boards, scratch, ends, least, values
                )
            else:
                i = choose(workspace, count, high, low, values)
            for k in range(COLUMNS):
                board[k] = workspace[u64(k * CAPACITY) + i]
            filled, heights = i32(workspace[FILLED + i]), i32(workspace[HEIGHTS + i])
            cleared = i32(workspace[CLEARED + i])
            if pieces < turns:
                trace[item * turns + pieces] = workspace[PLACEMENT + i]
            lines += cleared
            score += POINTS[cleared] * (level_at(lines, start_level) + 1)
            pieces += 1
            tetrises += cleared == 4
            piece, following = following, next_piece(dice, source)
        out[item, 0], out[item, 1], out[item, 2], out[item, 3] = score, lines, pieces, tetrises


@compiled
def level_at(lines, start):
    """Return the level after a number of lines."""
    first = min(10 * start + 10, max(100, 10 * start - 50))
    return start if lines < first else start + 1 + (lines - first) // 10
