"""The minimum total of guesses over all answers of a state, by depth-first branch and bound.

A guess that splits n answers into k patterns has a total of at least 3n - k, or one less if it can be the answer. This
is n for the guess itself, and 2m - 1 for each cell of m answers: one of them is found by the next guess, and the others
at best by the one after it. The bound is exact if no cell has more than two answers. Let K be the maximum of k
(plus 1 for a possible answer) over all guesses in a state; then no subset of m answers costs less than 3m - K.

So the search first counts the patterns of all guesses, which is cheap (`frames`) and settles most states. In the other
states it tries the guesses in order of their estimated cost. It counts patterns in the cells of a guess, which is
enough to reject most guesses, and then searches the cells, smallest first each time. It abandons a guess as soon as the
bounds of its cells add up to the best total so far, or to `beta`, above which the exact total does not matter.

With weights the search is the same, but for other bounds and another order of the guesses: `weighted` has them, and
`equal` those without weights. Numba compiles each of the two searches for itself, because the weights are None or not.

`cost` is recursive. Numba caches such a function on disk, but not compiled functions that call it, so only Python does.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.wordle.cpu.proof import equal, weighted
from gpusolve.games.wordle.cpu.proof.equal import COLUMN, COLUMN_BITS
from gpusolve.games.wordle.cpu.proof.frames import (
    cell_of,
    count_patterns,
    guess_at,
    has_distinguishing_answer,
    key_of_columns,
    locate_rows,
    push_allowed,
    push_frame,
    split,
)
from gpusolve.games.wordle.cpu.proof.memo import EQUAL, WEIGHTED, guess_of, is_exact, low_of, recall, remember
from gpusolve.games.wordle.cpu.proof.memory import (
    FREE,
    GUESS,
    LOWS,
    MET,
    ORDER,
    SEARCHED,
    TRIED,
    State,
    Top,
    Via,
)
from gpusolve.games.wordle.cpu.proof.refinement import choose_columns

COUNTED = 10
"""Counting the patterns tells little about a cell of fewer answers: some guess tells nearly all of them apart."""


@compiled
def cost(table, work, scales, state, beta, turns, via, top):
    """Return the minimum total of guesses over all answers of a state, or a lower bound >= `beta` if it is >= `beta`.

    With a `beta` of 0 nothing is searched. Every answer must be found within `turns` guesses. `scales` are the weights
    with their memory, or None; with weights, the rows of the state are in descending order of weight. For states of
    frame 0, work.outcome[GUESS] is set to the best guess.
    """
    work.outcome[MET] += 1
    level, size = state.level, state.size
    never, layout = (equal.NEVER, EQUAL) if scales is None else (weighted.NEVER, WEIGHTED)
    mass = size if scales is None else weighted.weigh_rows(work, scales, state)
    if size <= 2:
        if level == 0:
            work.outcome[GUESS] = table.own[work.rows[state.first]]
        if turns < size:
            return never
        return mass if size == 1 else mass + (1 if scales is None else scales.row[level, 1])
    if turns <= 1:
        return never
    if turns >= size:
        turns = FREE
    if turns != FREE:
        state = State(level, state.first, size, state.key + table.guess_noise[turns])
    counted = state
    if table.restricted:
        locate_rows(work, state)
        if scales is None and level > 0 and has_distinguishing_answer(work, state):
            return 2 * size - 1
        counted, top = push_allowed(table, work, state, via, top)
    else:
        known = _recalled(table, work, state.key, level, beta, layout)
        if known >= 0:
            return known
    most, own_most = count_patterns(table, work, counted, beta == 0 and scales is None and not table.restricted)
    low, is_settled = (
        equal.settle(table, work, state, counted, most, own_most, turns)
        if scales is None
        else weighted.settle(table, work, scales, state, counted, mass, most, turns, beta)
    )
    if is_settled or low >= beta:
        if not (is_settled or table.restricted):
            remember(table.memo, state.key, size, low, 0, 0, layout)
        return low
    if table.stop[0]:
        raise InterruptedError
    work.outcome[SEARCHED] += 1
    key = state.key
    if table.restricted:
        key = key_of_columns(table, work, counted.level, key)
        known = _recalled(table, work, key, level, beta, layout)
        if known >= 0:
            return known
    else:
        top = push_frame(table, work, state, choose_columns(table, work, state, top), top)
    child, best, guess = level + 1, beta, 0
    saving = 3 * mass - low  # the most that a guess saves, compared with three guesses for each answer
    tried, least = (
        equal.rank(table, work, child, size, saving, beta)
        if scales is None
        else weighted.rank(table, work, scales, child, size, most, saving, beta)
    )
    for o in range(tried):
        column = work.order[level, o] & COLUMN
        total = work.order[level, o] >> COLUMN_BITS & COLUMN if scales is None else scales.bounds[level, column]
        if total < best:
            work.outcome[TRIED] += 1
            left, below = turns if turns == FREE else turns - 1, Top(top.tables, top.guesses, top.rows + size)
            lows, cells = work.cells[child, LOWS], split(table, work, child, size, column, top.rows)
            for i in range(cells):
                pattern = work.cells[child, ORDER, i]
                cell = cell_of(work, child, pattern)
                lows[pattern] = _bound(work, scales, level, cell, most, saving)
                if total < best and cell.size >= COUNTED:
                    via, none = Via(guess_at(work, child, column), pattern), np.int64(0)  # a bare 0 has its own type
                    low = cost(table, work, scales, cell, none, left, via, below)
                    if low > lows[pattern]:
                        total += low - lows[pattern]
                        lows[pattern] = low
            for i in range(cells):
                pattern = work.cells[child, ORDER, i]
                cell = cell_of(work, child, pattern)
                if cell.size < 3:  # its bound is exact, because at least three turns are left
                    continue
                if total >= best:
                    break
                low, via = lows[pattern], Via(guess_at(work, child, column), pattern)
                total += cost(table, work, scales, cell, best - total + low, left, via, below) - low
        if total < best:
            best, guess = total, guess_at(work, child, column)
            if best == low:
                break
        else:
            least = min(least, total)
    if best < beta:
        remember(table.memo, key, size, best, 1, guess, layout)
        if level == 0:
            work.outcome[GUESS] = guess
        return best
    least = min(least, never)
    remember(table.memo, key, size, least, 0, 0, layout)
    return least


@inlined
def _recalled(table, work, key, level, beta, layout):
    """Return the cost in the transposition table, or the lower bound if it is >= `beta`; -1 if neither is there."""
    datum = recall(table.memo, key)
    if datum and (is_exact(datum, layout) or low_of(datum, layout) >= beta):
        if level == 0:
            work.outcome[GUESS] = guess_of(datum, layout)
        return low_of(datum, layout)
    return np.int64(-1)


@inlined
def _bound(work, scales, level, cell, most, saving):
    """Return a lower bound on the cost of a cell of the state at a level."""
    if scales is None:
        return max(2 * cell.size - 1, 3 * cell.size - saving)
    return weighted.cell_bound(scales.row[level], work.rows[cell.first :], cell.size, most, saving)
