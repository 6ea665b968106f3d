"""Whether a state can be solved in three turns, decided without a search below it."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import trailing_zeros
from gpusolve.backend.columns import WIDTH
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.cpu.proof.frames import GUESSES, SIZES, SOLVED, TRIED, locate_rows
from gpusolve.games.wordle.cpu.proof.nogoods import BLAMED, MASKS, learn, look_up, recall_reason
from gpusolve.games.wordle.cpu.proof.reasons import (
    add_cause,
    distinguishing_column,
    exclude_columns,
    merge_causes,
    shrink_reason,
)

AT_ONCE = 64
"""Number of guesses that are ranked together before the first of them is tried."""


@compiled
def in_three(table, work, reasons, level, first, size, n_contained, answers):
    """Return a guess after which a state is solved within three turns in all, or -1.

    A guess does that if each of its cells has at most two answers, or if some next guess tells the answers of the cell
    apart. The frame that the state lies in is enough, so no new one is built. `n_contained` and `answers`: the number
    of nogoods in reasons.nogoods.contained, and the answers of the state.
    """
    nogoods, patterns = reasons.nogoods, table.patterns if level == 0 else work.tables
    locate_rows(work, level, first, size)
    need, ids = reasons.need[level], work.guesses[work.frame[level, GUESSES] :]
    starts, row_starts = work.starts[level], reasons.row_starts[level + 1]
    excluded, ruled_out, order = reasons.excluded[level], reasons.ruled_out[level], work.order[level]
    blocks = exclude_columns(table, work, excluded, level, need)
    ruled_out[:blocks] = excluded[:blocks]
    masks_at, blamed_at, causes = nogoods.count[MASKS], nogoods.count[BLAMED], 0
    for j in range(size):
        row_starts[answers[j]] = starts[j]
    for x in range(n_contained):
        recall_reason(nogoods, nogoods.contained[x])
        causes = add_cause(table, work, reasons, patterns, level, row_starts, need, blocks, excluded, ruled_out, causes)
    sizes, guess, b = work.cells[level + 1, SIZES], -1, 0
    sizes[:] = 0
    while guess < 0 and b < blocks:
        n = 0
        while n < AT_ONCE and b < blocks:  # columns with many patterns come first and are likely to succeed
            alive = ~ruled_out[b]
            while alive:
                column = b * WIDTH + trailing_zeros(alive)
                alive &= alive - np.uint64(1)
                largest, squares = measure(patterns, starts, size, column, sizes)
                if largest == size:
                    excluded[b] |= np.uint64(1) << np.uint64(column % WIDTH)
                else:
                    order[n] = largest << 44 | squares << 20 | column
                    n += 1
            b += 1
        ranked = order[:n]
        ranked.sort()
        for o in range(n):
            column = order[o] & (1 << 20) - 1
            if ruled_out[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
                continue
            work.outcome[TRIED] += 1
            if _leaves_two_turn_cells(table, work, reasons, patterns, level, column, answers):
                guess = ids[column]
                break
            causes = add_cause(
                table, work, reasons, patterns, level, row_starts, need, blocks, excluded, ruled_out, causes
            )
    nogoods.count[MASKS], nogoods.count[BLAMED] = masks_at, blamed_at
    if guess < 0:
        merge_causes(reasons, excluded, answers, need, causes, blocks)
    return guess


@compiled
def _leaves_two_turn_cells(table, work, reasons, patterns, level, column, answers):
    """Return whether every cell of a column can be solved within two turns: some guess tells its answers apart.

    If not, the nogoods hold the reason for one of the cells.
    """
    nogoods, size, starts = reasons.nogoods, len(answers), work.starts[level]
    sizes, guess = work.cells[level + 1, SIZES], work.guesses[work.frame[level, GUESSES] + column]  # sizes: all 0
    cell, cell_starts, need = (
        np.empty(size, np.int32),
        np.empty(size, np.int64),
        np.zeros(table.needs.shape[1], np.uint64),
    )
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
            if look_up(nogoods, cell[:m], 2, need) < 0:
                solved = False
            elif distinguishing_column(table, work, patterns, level, cell_starts, m, need) < 0:
                shrink_reason(table, work, reasons, patterns, level, cell_starts, cell[:m], need)
                learn(nogoods, 2)
                solved = False
        sizes[pattern] = 0
    return solved


@compiled
def measure(patterns, starts, size, column, sizes):
    """Return the size of the largest cell of a column and the sum of squares. `sizes` is all 0 before and after."""
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
