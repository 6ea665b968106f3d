"""Bounds on totals, and the order of guesses, where all answers count the same (`descent`)."""

from __future__ import annotations

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.cpu.proof.frames import guess_at, own_column
from gpusolve.games.wordle.cpu.proof.memory import COLUMNS, GUESS, OFFSET, SIZES, SOLVED, STRIDE

NEVER = 1 << 22
"""The cost of a state that cannot be solved in the turns left; higher than any other cost."""
COLUMN_BITS = 20
COLUMN = (1 << COLUMN_BITS) - 1


@compiled
def settle(table, work, state, counted, most, own_most, turns):
    """Return a lower bound on the cost of a state, and whether it is exact because no search is needed.

    That is so if some guess tells all answers apart, or an answer tells all but two apart, or only two turns are left.
    `counted` is the state whose patterns were counted: the same answers, perhaps in a frame of their own.
    """
    size = state.size
    if turns > 2 and max(most, own_most + 1) < size:
        return 3 * size - max(most, own_most + 1), False
    total, required = 2 * size - 1, size
    if own_most < size:
        total = 2 * size
        if turns == 2:
            total = 2 * size if most == size else NEVER
        elif own_most == size - 1:
            required = size - 1
    if state.level == 0 and total < NEVER:
        work.outcome[GUESS] = guess_at(work, counted.level, _column_with(table, work, counted, required))
    return total, True


@compiled
def _column_with(table, work, state, required):
    """Return the column of the first answer that has a number of patterns, or else the first that tells all apart."""
    counts = work.counts[state.level]
    for j in range(state.size):
        column = own_column(table, work, state, j)
        if counts[column] == required:
            return column
    column = 0
    while counts[column] != state.size:
        column += 1
    return column


@compiled
def rank(table, work, level, size, saving, beta):
    """Sort the columns of a frame whose bound is below `beta` by their estimated cost.

    Write them to work.order[level - 1] as estimate << 40 | bound << 20 | column. Return how many of them to try, and
    the minimum of the bounds of all other columns.
    """
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    order, sizes = work.order[level - 1], work.cells[level, SIZES]
    sizes[:] = 0
    n, least = 0, NEVER
    for column in range(work.frame[level, COLUMNS]):
        for j in range(size):
            sizes[work.tables[offset + j * stride + column]] += 1
        if column < size:
            sizes[SOLVED] = 0
        elif sizes[work.tables[offset + column]] == size:
            sizes[work.tables[offset + column]] = 0
            continue
        bound, estimate = size, 0
        for j in range(size):
            pattern = work.tables[offset + j * stride + column]
            m = sizes[pattern]
            if m:
                sizes[pattern] = 0
                bound += max(2 * m - 1, 3 * m - saving)
                estimate += table.estimate[m]
        if bound < beta:
            order[n] = estimate << 2 * COLUMN_BITS | bound << COLUMN_BITS | column
            n += 1
        else:
            least = min(least, bound)
    promising = order[:n]
    promising.sort()
    return (min(n, table.width) if table.width else n), least
