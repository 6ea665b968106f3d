"""Whether a state can be solved in three turns, decided without a search below it."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import trailing_zeros
from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.games.wordle.cpu.proof.frames import guess_at, locate_rows, patterns_at
from gpusolve.games.wordle.cpu.proof.memory import SIZES, SOLVED, TRIED
from gpusolve.games.wordle.cpu.proof.nogoods import BLAMED, MASKS, look_up
from gpusolve.games.wordle.cpu.proof.reasons import (
    Failing,
    add_cause,
    add_contained,
    distinguish,
    exclude_columns,
    merge_causes,
)

AT_ONCE = 64
"""Number of guesses that are ranked together before the first of them is tried."""
COLUMN = (1 << 20) - 1


@compiled
def in_three(table, work, reasons, state, n_contained, answers):
    """Return a guess after which a state is solved within three turns in all, or -1.

    A guess does that if each of its cells has at most two answers, or if some next guess tells the answers of the cell
    apart. The frame that the state lies in is enough, so no new one is built. `n_contained` and `answers`: the number
    of nogoods in reasons.nogoods.contained, and the answers of the state.
    """
    level, size, nogoods = state.level, state.size, reasons.nogoods
    locate_rows(work, state)
    starts, row_starts = work.starts[level], reasons.row_starts[level + 1]
    excluded, ruled_out, order = reasons.excluded[level], reasons.ruled_out[level], work.order[level]
    blocks = exclude_columns(table, work, excluded, level, reasons.need[level])
    ruled_out[:blocks] = excluded[:blocks]
    masks_at, blamed_at = nogoods.count[MASKS], nogoods.count[BLAMED]
    for j in range(size):
        row_starts[answers[j]] = starts[j]
    failing = Failing(level, row_starts, reasons.need[level], excluded, ruled_out, blocks)
    causes = add_contained(table, work, nogoods, failing, n_contained)
    sizes, guess, b = work.cells[level + 1, SIZES], -1, 0
    sizes[:] = 0
    while guess < 0 and b < blocks:
        n = 0
        while n < AT_ONCE and b < blocks:  # columns with many patterns come first and are likely to succeed
            n = _rank_block(table, work, state, failing, b, n)
            b += 1
        ranked = order[:n]
        ranked.sort()
        for o in range(n):
            column = order[o] & COLUMN
            if ruled_out[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
                continue
            work.outcome[TRIED] += 1
            if _leaves_two_turn_cells(table, work, reasons, level, column, answers):
                guess = guess_at(work, level, column)
                break
            causes = add_cause(table, work, nogoods, failing, causes)
    nogoods.count[MASKS], nogoods.count[BLAMED] = masks_at, blamed_at
    if guess < 0:
        merge_causes(nogoods, failing, answers, causes)
    return guess


@compiled
def _rank_block(table, work, state, failing, b, n):
    """Add the columns of block b that are not ruled out to work.order, which has n columns; return their new number.

    Those with the smallest cells get the least numbers. Columns that tell nothing are excluded.
    """
    level, patterns, order = state.level, patterns_at(table, work, state.level), work.order[state.level]
    alive = ~failing.ruled_out[b]
    while alive:
        bit = trailing_zeros(alive)
        alive &= alive - np.uint64(1)
        column = b * WIDTH + bit
        largest, squares = measure(patterns, work.starts[level], state.size, column, work.cells[level + 1, SIZES])
        if largest == state.size:
            failing.excluded[b] |= np.uint64(1) << np.uint64(bit)
        else:
            order[n] = largest << 44 | squares << 20 | column
            n += 1
    return n


@compiled
def _leaves_two_turn_cells(table, work, reasons, level, column, answers):
    """Return whether every cell of a column can be solved within two turns: some guess tells its answers apart.

    If not, the nogoods hold the reason for one of the cells.
    """
    nogoods, size, starts, patterns = reasons.nogoods, len(answers), work.starts[level], patterns_at(table, work, level)
    sizes, guess = work.cells[level + 1, SIZES], guess_at(work, level, column)  # sizes: all 0
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
            solved = look_up(nogoods, cell[:m], 2, need) >= 0
            solved = solved and distinguish(table, work, reasons, level, cell_starts, cell[:m], need) >= 0
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
