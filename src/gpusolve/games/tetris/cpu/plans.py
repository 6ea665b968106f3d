"""The plans of a player who learns the following piece only after a delay, and the choice among them."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.boards import load
from gpusolve.games.tetris.cpu.reachability import SCRATCH, open_after, press, turn_rows
from gpusolve.games.tetris.cpu.tables import (
    COUNT,
    DROPS,
    KNOWN,
    PLANS,
    SPAWN_COLUMN,
    SPAWN_TOP,
    STRIDE,
    TAPS,
    i64,
    u32,
    u64,
)

NEVER = i64(2**62)  # above every value
u8 = np.uint8


@compiled
def plan(first, last, boards, pieces, following, levels, taps, chances, counts, found, worths, most, chosen):
    """Choose a placement for a player who learns the following piece after a delay."""
    scratch, columns, allowed = np.zeros(SCRATCH, u32), np.full(2 * STRIDE, u32(0xFFFFFFFF)), np.zeros(DROPS + 2, u64)
    left, least = np.zeros((PLANS + most, most), u8), np.zeros(7, i64)
    for item in range(first, last):
        load(boards[item], columns)
        piece, count = pieces[item], min(counts[item], most)
        row = taps[levels[item] * TAPS :]
        number = list_plans(columns, piece, row, count, found[item], scratch, allowed, left)
        chosen[item] = choose_plan(left[:number], following[item], chances[piece], count, worths[item], least)


@compiled
def plans(first, last, boards, pieces, levels, taps, counts, found, most, numbers, left):
    """List the plans of a player who learns the following piece after a delay."""
    scratch, columns, allowed = np.zeros(SCRATCH, u32), np.full(2 * STRIDE, u32(0xFFFFFFFF)), np.zeros(DROPS + 2, u64)
    for item in range(first, last):
        load(boards[item], columns)
        row, count = taps[levels[item] * TAPS :], min(counts[item], most)
        numbers[item] = list_plans(columns, pieces[item], row, count, found[item], scratch, allowed, left[item])
        left[item, numbers[item] :] = u8(0)


@compiled
def list_plans(columns, piece, taps, count, found, scratch, allowed, left):
    """Set row k of `left` to which placements plan k leaves, 0 or 1; return the number of plans.

    `allowed` (the states that fit after each drop) is scratch.
    """
    turn_rows(columns, u64(0), scratch)
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
    number = 0
    for kind in range(2):  # the plans in the air: those that can still press, then those that only fall
        todo = tucked & ~states if kind else states
        while todo:
            mine = todo & ~(todo - u64(1))
            todo ^= mine
            ready, falls = idle & mine, u64(0)
            row = DROPS if ready else 2 * DROPS
            if kind:
                mine, ready, falls = u64(0), u64(0), mine
            left[number] = u8(0)
            step = drops
            while mine | falls:
                mine, ready, falls = press(mine, ready, falls, taps[row + step], allowed[step], piece)
                fit = allowed[step + 1]
                resting = (mine | falls) & ~fit
                mine, ready, falls = mine & fit, ready & fit, falls & fit
                for i in range(count):
                    state, drop = _state_of(piece, found[i])
                    if drop == step and resting >> state & u64(1):
                        left[number, i] = u8(1)
                step += 1
            number += left[number].any() and not _is_covered(left, number, count)
    for i in range(count):  # and the plans at rest
        if _state_of(piece, found[i])[1] < drops:
            left[number] = u8(0)
            left[number, i] = u8(1)
            number += 1
    return number


@compiled
def choose_plan(left, following, chances, count, worths, least):
    """Choose a plan, and among the placements that it leaves. `least` is scratch."""
    best, choice = NEVER, 0
    for k in range(len(left)):
        least[:] = NEVER
        pick = 0
        for i in range(count):
            if left[k, i]:
                if worths[i, following] < least[following]:
                    pick = i
                for p in range(7):
                    least[p] = min(least[p], worths[i, p])
        expected = i64(0)
        for p in range(7):
            expected += least[p] * chances[p]
        if expected < best:
            best, choice = expected, pick
    return choice


@compiled
def _is_covered(left, number, count):
    """Return whether an earlier plan leaves every placement that plan `number` leaves."""
    for k in range(number):
        covers = True
        for i in range(count):
            covers = covers and left[number, i] <= left[k, i]
        if covers:
            return True
    return False


@compiled
def _state_of(piece, placement):
    """Return the bit of a placement in a word of states, and the number of drops after which it locks."""
    o, column = 0, i64(placement >> u32(5))
    while column >= COUNT[piece, o]:
        column -= COUNT[piece, o]
        o += 1
    return u64(o * STRIDE + column), i64(placement & u32(31)) - i64(SPAWN_TOP[piece, o])
