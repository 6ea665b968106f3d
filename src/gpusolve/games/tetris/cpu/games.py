"""Pieces, and whole games."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import find_placements
from gpusolve.games.tetris.cpu.choices import choose, choose_two
from gpusolve.games.tetris.cpu.reachability import SCRATCH
from gpusolve.games.tetris.cpu.tables import (
    CAPACITY,
    CLEARED,
    FILLED,
    FLOOR,
    HEIGHTS,
    PLACEMENT,
    STRIDE,
    WORKSPACE,
    i32,
    i64,
    u32,
    u64,
)
from gpusolve.games.tetris.cpu.values import halves
from gpusolve.games.tetris.rules.board import COLUMNS, DOUBLED, LINE_POINTS
from gpusolve.games.tetris.rules.sources import NES_ORDER, NES_SPAWN_IDS
from gpusolve.runs.seeds import GOLDEN as GOLDEN_INT

LEVELS = DOUBLED + 1  # rows of the table of taps: the last one is for all levels above, too
NOWHERE = u32(0xFFFFFFFF)  # in place of a placement
NUMBERS = 34 * 32  # of placements: no piece has more templates
DROPS = 24  # columns of the table of taps: no piece drops more often
GOLDEN = u64(GOLDEN_INT)
POINTS = np.array(LINE_POINTS, i32)
ORDER = np.array(NES_ORDER, i32)
NES_IDS = np.array(NES_SPAWN_IDS, i32)


@compiled
def play_games(
    first, last, two_piece, weights, games, seed, first_game, source, start_level, max_lines, timed, taps, turns, out,
    trace,
):  # fmt: skip
    """Item w * games + g is game first_game + g with weights w."""
    workspace, second = np.zeros(WORKSPACE, u32), np.zeros(WORKSPACE, u32)
    board, boards = np.full(2 * STRIDE, u32(0xFFFFFFFF)), np.full((CAPACITY + 1) * STRIDE, u32(0xFFFFFFFF))
    dice, scratch = np.zeros(4, u64), np.zeros(SCRATCH, u32)
    ends, least, values = np.zeros(CAPACITY, u64), np.zeros(CAPACITY, i64), np.zeros(CAPACITY, i64)
    for item in range(first, last):
        high, low = halves(weights[item // games])
        play_game(
            two_piece, high, low, seed, first_game + item % games, source, start_level, max_lines, timed, taps,
            workspace, second, board, boards, dice, scratch, ends, least, values, out[item],
            trace[item * turns : (item + 1) * turns],
        )  # fmt: skip


@compiled
def play_game(
    two_piece, high, low, seed, game, source, start_level, max_lines, timed, taps, workspace, second, board, boards,
    dice, scratch, ends, least, values, result, trace,
):  # fmt: skip
    """One game: result = score, lines, pieces, tetrises; trace: its placements, as many as there is room for."""
    board[:COLUMNS] = FLOOR
    seed_dice(dice, seed, game, source)
    piece, following = next_piece(dice, source), next_piece(dice, source)
    filled, heights = i32(0), i32(0)
    score, lines, pieces, tetrises = 0, 0, 0, 0
    while lines < max_lines:
        tapped = taps[min(level_at(lines, start_level), LEVELS - 1) * DROPS :]
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
        if pieces < len(trace):
            trace[pieces] = workspace[PLACEMENT + i]
        lines += cleared
        score += POINTS[cleared] * (level_at(lines, start_level) + 1)
        pieces += 1
        tetrises += cleared == 4
        piece, following = following, next_piece(dice, source)
    result[0], result[1], result[2], result[3] = score, lines, pieces, tetrises


@compiled
def play_turn(
    item, game, counts, found, cleared, after, chosen, source, start_level, max_lines, boards, pieces, following,
    levels, dice, results, placed, going,
):  # fmt: skip
    """One item of the kernel `turn`."""
    placed[item] = NOWHERE
    going[item] = False
    if counts[item] == 0:
        return
    rank = chosen[item]
    boards[game] = after[item, rank]
    rows = cleared[item, rank]
    result = results[game]
    lines = result[1] + rows
    level = level_at(lines, start_level)
    result[0] += POINTS[rows] * (level + 1)
    result[1] = lines
    result[2] += 1
    result[3] += rows == 4
    levels[game] = min(level, LEVELS - 1)
    pieces[game], following[game] = following[game], next_piece(dice[game], source)
    placed[item] = found[item, rank]
    going[item] = lines < max_lines


@compiled
def level_at(lines, start):
    """The level after so many lines."""
    return max(start, 18 if lines < 130 else 19 + (lines - 130) // 10)


@compiled
def next_piece(dice, source):
    """The piece after the one that dice[3] remembers, by its number."""
    if source == 0:
        piece = draw(dice) >> u64(29)
        if piece == dice[3] or piece == u64(7):
            piece = draw(dice) * u64(7) >> u64(32)
        dice[3] = piece
        return i32(piece)
    register = dice[1]
    for _ in range(u64(16) + (draw(dice) & u64(15))):
        register = lfsr(register)
    dice[2] += u64(1)
    piece = (register >> u64(8)) + dice[2] & u64(7)
    if piece == dice[3] or piece == u64(7):
        register = lfsr(register)
        spawn_id = u64(NES_IDS[dice[3]]) if dice[3] < u64(7) else u64(0)
        piece = ((register >> u64(8) & u64(7)) + spawn_id) % u64(7)
    dice[1] = register
    dice[3] = piece
    return ORDER[piece]


@compiled
def draw(dice):
    """32 random bits; dice[0] counts on."""
    dice[0] += GOLDEN
    return mix(dice[0]) >> u64(32)


@compiled
def seed_dice(dice, seed, game, source):
    """dice: the state of the generator; the console's register, its count of pieces, the previous piece."""
    dice[0] = mix(mix(u64(seed) + GOLDEN) + u64(game) * GOLDEN)
    dice[2] = u64(0)
    dice[3] = u64(7)
    if source:
        dice[1] = draw(dice) % u64(32767) + u64(1) << u64(1)


@compiled
def lfsr(v):
    """The console's random register, one step on."""
    return v >> u64(1) | ((v >> u64(1) ^ v >> u64(9)) & u64(1)) << u64(15)


@compiled
def mix(x):
    """SplitMix64's output function."""
    x = (x ^ x >> u64(30)) * u64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> u64(27)) * u64(0x94D049BB133111EB)
    return x ^ x >> u64(31)
