"""The choice of a player who learns the following piece only after a delay."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import load
from gpusolve.games.tetris.cpu.reachability import SCRATCH, fits, open_after, press
from gpusolve.games.tetris.cpu.tables import (
    COUNT,
    DROPS,
    KNOWN,
    SHAPES,
    SPAWN_COLUMN,
    SPAWN_TOP,
    STRIDE,
    TAPS,
    i64,
    u32,
    u64,
)

NEVER = i64(2**62)  # above every value


@compiled
def plan(first, last, boards, pieces, following, levels, taps, chances, counts, found, worths, most, chosen):
    """Choose a placement for a player who learns the following piece after a delay."""
    scratch, columns = np.zeros(SCRATCH, u32), np.full(2 * STRIDE, u32(0xFFFFFFFF))
    allowed, least = np.zeros(DROPS + 2, u64), np.zeros(7, i64)
    for item in range(first, last):
        load(boards[item], columns)
        piece = pieces[item]
        chosen[item] = choose_plan(
            columns, piece, following[item], taps[levels[item] * TAPS :], chances[piece],
            min(counts[item], most), found[item], worths[item], scratch, allowed, least,
        )  # fmt: skip


@compiled
def choose_plan(columns, piece, following, taps, chances, count, found, worths, scratch, allowed, least):
    """Choose a placement on one board. `allowed` (the states that fit after each drop) and `least` are scratch."""
    for o in range(SHAPES[piece]):
        fits(columns, u64(0), piece, o, scratch)
    for step in range(len(allowed)):
        allowed[step] = open_after(scratch, piece, u32(step))
    drops = i64(taps[KNOWN])
    states, idle, tucked = allowed[0] & u64(1) << SPAWN_COLUMN[piece], u64(0), u64(0)
    for step in range(drops):
        states, idle, tucked = press(states, idle, tucked, taps[step], allowed[step], piece)
        fit = allowed[step + 1]
        states, idle, tucked = states & fit, idle & fit, tucked & fit
    if drops < DROPS:
        states, idle, tucked = press(states, idle, tucked, taps[drops], allowed[drops], piece)
    best, choice = NEVER, 0
    for kind in range(2):  # the plans in the air: those that can still press, then those that only fall
        todo = tucked & ~states if kind else states
        while todo:
            mine = todo & ~(todo - u64(1))
            todo ^= mine
            ready, falls = idle & mine, u64(0)
            row = DROPS if ready else 2 * DROPS
            if kind:
                mine, ready, falls = u64(0), u64(0), mine
            least[:] = NEVER
            pick, step = 0, drops
            while mine | falls:
                mine, ready, falls = press(mine, ready, falls, taps[row + step], allowed[step], piece)
                fit = allowed[step + 1]
                resting = (mine | falls) & ~fit
                mine, ready, falls = mine & fit, ready & fit, falls & fit
                for i in range(count):
                    state, drop = _state_of(piece, found[i])
                    if drop == step and resting >> state & u64(1):
                        pick = _take(worths[i], i, following, least, pick)
                step += 1
            best, choice = _better(least, chances, best, choice, pick)
    for i in range(count):  # and the plans at rest
        if _state_of(piece, found[i])[1] < drops:
            least[:] = NEVER
            best, choice = _better(least, chances, best, choice, _take(worths[i], i, following, least, 0))
    return choice


@compiled
def _state_of(piece, placement):
    """Return the bit of a placement in a word of states, and the number of drops after which it locks."""
    o, column = 0, i64(placement >> u32(5))
    while column >= COUNT[piece, o]:
        column -= COUNT[piece, o]
        o += 1
    return u64(o * STRIDE + column), i64(placement & u32(31)) - i64(SPAWN_TOP[piece, o])


@compiled
def _take(worth, i, following, least, pick):
    """Lower least[p] to the worth of placement i for each piece p; return the best placement for `following`."""
    if worth[following] < least[following] or (worth[following] == least[following] and i < pick):
        pick = i
    for p in range(7):
        least[p] = min(least[p], worth[p])
    return pick


@compiled
def _better(least, chances, best, choice, pick):
    """Return the lesser of the best expectation so far and that of this plan, each with its choice."""
    expected = i64(0)
    for p in range(7):
        expected += least[p] * chances[p]
    if least[0] != NEVER and expected < best:
        return expected, pick
    return best, choice
