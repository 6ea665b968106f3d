"""Whether a state can be solved in three turns, without a search below it."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import trailing_zeros
from gpusolve.backend.columns import WIDTH
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.proof.frames import GUESSES, SIZES, SOLVED, TRIED, place_rows
from gpusolve.games.wordle.proof.lessons import BLAMED, MASKS, learn, look_up, repeat
from gpusolve.games.wordle.proof.reasons import blame_few, forbid, join, shut_out, telling
from gpusolve.games.wordle.rules import LETTERS

SOME = 64
"""Guesses that are ranked at once before any of them is tried, where one of the first may do."""


@compiled
def in_three(table, work, reasons, level, first, size, held, answers):
    """A guess by which a state is solved within three, or -1. It works on the frame of the state, without its own.

    A guess does it if its cells hold no three answers, or if another guess tells apart what they hold.
    """
    lessons, patterns = reasons.lessons, table.patterns if level == 0 else work.tables
    place_rows(work, level, first, size)
    need, ids = reasons.need[level], work.guesses[work.frame[level, GUESSES] :]
    starts, place = work.starts[level], reasons.place[level + 1]
    blocks, dead, order = shut_out(table, work, reasons, level, need), reasons.dead[level], work.order[level]
    dead[:blocks] = reasons.shut[level, :blocks]
    masks_at, blamed_at, causes = lessons.count[MASKS], lessons.count[BLAMED], 0
    for j in range(size):
        place[answers[j]] = starts[j]
    for x in range(held):
        repeat(lessons, lessons.held[x])
        causes = forbid(table, work, reasons, patterns, level, place, need, blocks, dead, causes)
    sizes, guess, b = work.cells[level + 1, SIZES], -1, 0
    sizes[:] = 0
    while guess < 0 and b < blocks:
        n = 0
        while n < SOME and b < blocks:  # those with many patterns come first, and one of them may do it
            alive = ~dead[b]
            while alive:
                column = b * WIDTH + trailing_zeros(alive)
                alive &= alive - np.uint64(1)
                largest, squares = measure(patterns, starts, size, column, sizes)
                if largest == size:
                    reasons.shut[level, b] |= np.uint64(1) << np.uint64(column % WIDTH)
                else:
                    order[n] = largest << 44 | squares << 20 | column
                    n += 1
            b += 1
        some = order[:n]
        some.sort()
        for o in range(n):
            column = order[o] & (1 << 20) - 1
            if dead[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
                continue
            work.found[TRIED] += 1
            if _is_solved_by(table, work, reasons, patterns, level, column, answers):
                guess = ids[column]
                break
            causes = forbid(table, work, reasons, patterns, level, place, need, blocks, dead, causes)
    lessons.count[MASKS], lessons.count[BLAMED] = masks_at, blamed_at
    if guess < 0:
        join(work, reasons, level, answers, need, causes, blocks)
    return guess


@compiled
def _is_solved_by(table, work, reasons, patterns, level, column, answers):
    """Whether a column leaves a state so that one more guess tells the answers of each cell apart.

    If not, the reason is that of a cell.
    """
    lessons, size, starts = reasons.lessons, len(answers), work.starts[level]
    sizes, guess = work.cells[level + 1, SIZES], work.guesses[work.frame[level, GUESSES] + column]  # zeros, and again
    cell, cell_starts, need = np.empty(size, np.int32), np.empty(size, np.int64), np.zeros(LETTERS, np.uint64)
    for j in range(size):
        sizes[patterns[starts[j] + column]] += 1
    sizes[SOLVED] = 0
    solved = True
    for j in range(size):
        pattern = patterns[starts[j] + column]
        if sizes[pattern] > 2 and solved:
            m = 0
            for i in range(j, size):
                if patterns[starts[i] + column] == pattern:
                    cell[m], cell_starts[m] = answers[i], starts[i]
                    m += 1
            if len(table.needs):
                need[:] = table.needs[guess] & table.needs[table.own[answers[j]]]
            if look_up(lessons, cell[:m], 2, need) < 0:
                solved = False
            elif telling(table, work, patterns, level, cell_starts, m, need) < 0:
                blame_few(table, work, reasons, patterns, level, cell_starts, cell[:m], need)
                learn(lessons, 2)
                solved = False
        sizes[pattern] = 0
    return solved


@compiled
def measure(patterns, starts, size, column, sizes):
    """The largest cell of a column and the sum of squares; `sizes` are zeros before and after."""
    for j in range(size):
        sizes[patterns[starts[j] + column]] += 1
    sizes[SOLVED] = 0
    largest, squares = 0, 0
    for j in range(size):
        pattern = patterns[starts[j] + column]
        m = sizes[pattern]
        if m:
            sizes[pattern] = 0
            largest = max(largest, m)
            squares += m * m
    return min(largest, (1 << 18) - 1), min(squares, (1 << 24) - 1)
