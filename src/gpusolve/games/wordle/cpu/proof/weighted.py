"""The minimum weighted total of guesses over all answers of a state, by depth-first branch and bound.

An answer of weight w that is found by guess number t costs w t. The search is that of `proof.descent`, which counts
answers where this one adds their weights. The rows of every state are in descending order of weight, because the best
that any strategy can do is to find the heaviest answers by the earliest guesses:

- A cell of weight W whose heaviest answer weighs h costs at least 2W - h: h by the next guess, the others by the one
  after it. So a guess on a state of weight W costs at least 3W - s, where s is the sum of the heaviest weights of its
  cells, plus the weight of the guess if it can be the answer. The bound is exact if no cell has more than two answers.
- Let S be the maximum of s over all guesses in a state. Then no subset of weight W costs less than 3W - S.
- Let K be the maximum number of patterns. Then no subset costs less than its heaviest answer by the first guess, the
  next K - 1 by the second, and the others by the third.
- A guess with k patterns has at most the s of the k heaviest answers (plus its own weight). So patterns are counted
  first, as without weights, and s is computed only for guesses whose number of patterns does not rule them out.

With equal weights these are the bounds of `proof.descent`. A guess whose partition refines that of another still makes
the other useless, because a strategy for a set of answers costs no more on its parts.

Costs are integers: weights have a sum of at most 2^31, no strategy takes more than 99 guesses, so a cost is below 2^38.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpusolve.backend.columns import WIDTH, distinct
from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.wordle.cpu.proof.descent import FREE
from gpusolve.games.wordle.cpu.proof.frames import (
    BEGINS,
    COLUMNS,
    FEW,
    GUESS,
    GUESSES,
    HIDDEN,
    LEVELS,
    MET,
    OFFSET,
    ORDER,
    SEARCHED,
    SIZES,
    SOLVED,
    STRIDE,
    TRIED,
    Numbers,
    allowed_columns,
    choose_columns,
    count_patterns,
    locate_rows,
    push_frame,
    split,
)
from gpusolve.games.wordle.cpu.proof.memo import put, recall

NEVER = 1 << 38
"""The cost of a state that cannot be solved in the turns left; higher than any other cost."""
COST_BITS, GUESS_BITS = 39, 20
_COST, _GUESS = (1 << COST_BITS) - 1, (1 << GUESS_BITS) - 1
STEP = 16
"""The estimated number of the guess that finds an answer has this factor."""


class Scales(NamedTuple):
    """The weights, and the memory of one thread beside `frames.Work`."""

    weights: Numbers
    """The weight of each answer."""
    steps: Numbers
    """Estimated number of the guess that finds the answer of each rank in a cell, times STEP."""
    row: Numbers
    """The weights of the rows of the state at each level, (LEVELS, rows)."""
    bounds: Numbers
    """The bound of each column of the frame at each level, (LEVELS, columns)."""
    seen: Numbers
    """Scratch for counting: the last stamp of each pattern, and how often it occurred since."""
    cells: Numbers
    """Scratch for ranking: size, weight and rank bound of each cell, (3, 256)."""
    sums: Numbers
    """The last stamp; then what `best_sum` has found: a column, 1 if its bound is exact, and its sum."""


STAMP, COLUMN, RESOLVED, TOP = range(4)


def new_scales(weights: Numbers, stride: int, largest: int) -> Scales:
    """Return the weights with a thread's memory for states of up to `largest` answers."""
    n = largest + WIDTH
    rank = np.arange(len(weights) + 1)
    steps = np.rint(STEP * (1.9 + 0.28 * np.log2(np.maximum(rank, 1) + 0.5))).astype(np.int64)
    steps[:2] = STEP, 2 * STEP
    return Scales(
        weights=weights,
        steps=steps,
        row=np.zeros((LEVELS, n), np.int64),
        bounds=np.zeros((LEVELS, stride + n), np.int64),
        seen=np.zeros(256, np.int64),
        cells=np.zeros((3, 256), np.int64),
        sums=np.zeros(4, np.int64),
    )


@compiled
def weighted_cost(table, work, scales, level, first, size, key, beta, turns, via, code, tables_at, guesses_at, rows_at):
    """Return the minimum weighted total of a state, or a lower bound >= `beta` if it is >= `beta`.

    The parameters are those of `proof.descent.cost`. The rows of the state are in descending order of weight.
    """
    work.outcome[MET] += 1
    row, hidden = scales.row[level], work.hidden[work.frame[level, HIDDEN] :]
    mass = np.int64(0)
    for j in range(size):
        row[j] = scales.weights[hidden[work.rows[first + j]]]
        mass += row[j]
    if size <= 2:
        if level == 0:
            work.outcome[GUESS] = table.own[work.rows[first]]
        if turns < size:
            return NEVER
        return mass if size == 1 else mass + row[1]
    if turns <= 1:
        return NEVER
    if turns >= size:
        turns = FREE
    if turns != FREE:
        key += table.guess_noise[turns]
    if not table.restricted:
        datum = recall(table.memo, key)
        if datum and (_is_exact(datum) or _low_of(datum) >= beta):
            if level == 0:
                work.outcome[GUESS] = _guess_of(datum)
            return _low_of(datum)
        most = count_patterns(table, work, level, first, size)[0]
        counted, counted_at = level, first
    else:
        # The legal guesses differ from cell to cell, so the frame is built first; the state is all of it.
        locate_rows(work, level, first, size)
        n = allowed_columns(table, work, level, first, size, via, code, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
        for j in range(size):
            work.rows[rows_at + j] = j
            scales.row[level + 1, j] = row[j]
        counted, counted_at = level + 1, rows_at
        most = count_patterns(table, work, counted, rows_at, size)[0]
    if turns == 2:
        return _cost_of_two(table, work, scales, level, counted, counted_at, size, mass, most)
    stopped = counted > 0 and size <= FEW and most == size and not table.hidden_only
    if 0 < beta <= rank_bound(row, size, most):
        return rank_bound(row, size, most)
    best_sum(table, work, scales, counted, counted_at, size, stopped)
    top, column = scales.sums[TOP], scales.sums[COLUMN]
    low = 3 * mass - top
    if scales.sums[RESOLVED]:
        if level == 0:
            if column < 0:
                column = _distinguishing(table, work, scales, counted, size)
            work.outcome[GUESS] = column if counted == 0 else work.guesses[work.frame[counted, GUESSES] + column]
        return low
    if low >= beta:
        if not table.restricted:
            _remember(table.memo, key, size, low, 0, 0)
        return low
    if table.stop[0]:
        raise InterruptedError
    work.outcome[SEARCHED] += 1
    if stopped:
        _count_all(table, work, counted, size)
    if table.restricted:
        ids = work.guesses[guesses_at:]
        for x in range(n):
            if work.counts[counted, x] > 1:
                key += table.guess_noise[FREE + 1 + ids[x]]
        datum = recall(table.memo, key)
        if datum and (_is_exact(datum) or _low_of(datum) >= beta):
            if level == 0:
                work.outcome[GUESS] = _guess_of(datum)
            return _low_of(datum)
    else:
        n = choose_columns(table, work, level, first, size, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
        for j in range(size):
            scales.row[level + 1, j] = row[j]
    guesses_at += n
    rows_at += size
    child = level + 1
    tried, least = rank(table, work, scales, child, size, most, top, beta)
    order, ids = work.order[level], work.guesses[work.frame[child, GUESSES] :]
    sizes, begins, cells = work.cells[child, SIZES], work.cells[child, BEGINS], work.cells[child, ORDER]
    best, guess = beta, 0
    for o in range(tried):
        column = order[o] & _GUESS
        total = scales.bounds[level, column]
        if total < best:
            work.outcome[TRIED] += 1
            n_cells = split(table, work, child, size, column, rows_at)
            for i in range(n_cells):
                pattern = cells[i]
                m = sizes[pattern]
                if m < 3:  # its bound is exact, because at least three turns are left
                    continue
                if total >= best:
                    break
                bound = _cell_bound(row, work.rows[begins[pattern] :], m, most, top)
                total += -bound + weighted_cost(
                    table, work, scales, child, begins[pattern], m, work.keys[child, pattern], best - total + bound,
                    turns if turns == FREE else turns - 1, ids[column], pattern, tables_at, guesses_at, rows_at + size,
                )  # fmt: skip
        if total < best:
            best, guess = total, ids[column]
            if best == low:
                break
        else:
            least = min(least, total)
    if best < beta:
        _remember(table.memo, key, size, best, 1, guess)
        if level == 0:
            work.outcome[GUESS] = guess
        return best
    least = min(least, NEVER)
    _remember(table.memo, key, size, least, 0, 0)
    return least


@compiled
def rank_bound(weights, size, most):
    """Return the cost of a state if each guess had `most` patterns and could be the heaviest answer of its cell.

    weights[:size] are in descending order: the first is found by guess 1, the next most - 1 by guess 2, others by 3.
    """
    total = np.int64(0)
    for j in range(size):
        total += weights[j] * (1 if j == 0 else 2 if j < most else 3)
    return total


@inlined
def _cell_bound(weights, rows, size, most, top):
    """Return a lower bound on the cost of a cell, whose rows are rows[:size] of a frame with these weights."""
    mass, total = np.int64(0), np.int64(0)
    for j in range(size):
        weight = weights[rows[j]]
        mass += weight
        total += weight * (1 if j == 0 else 2 if j < most else 3)
    return max(total, 3 * mass - top)


@compiled
def sum_heaviest(patterns, starts, weights, size, column, scales):
    """Return the sum of the heaviest weights of a column's cells, and the number of answers in the largest cell."""
    seen = scales.seen
    scales.sums[STAMP] += 1
    base = scales.sums[STAMP] << 16
    total, largest = np.int64(0), np.int64(1)
    for j in range(size):
        pattern = patterns[starts[j] + column]
        met = seen[pattern]
        if met < base:  # rows are in descending order of weight, so the first answer of a cell is its heaviest
            seen[pattern] = base + 1
            total += weights[j]
        else:
            seen[pattern] = met + 1
            largest = max(largest, met + 1 - base)
    return total, largest


@compiled
def best_sum(table, work, scales, level, first, size, stopped):
    """Find the maximum of s over all columns of a state (see the top of this file) and a column that attains it.

    Set scales.sums[TOP] to the maximum, scales.sums[COLUMN] to the column, and scales.sums[RESOLVED] to 1 if the bound
    of the column is exact, else to 0. The patterns must have been counted; `stopped` says that the count stopped at a
    column that tells all answers apart. If no answer has that column, its number is not known (-1).
    """
    patterns = table.patterns if level == 0 else work.tables
    starts, counts, weights = work.starts[level], work.counts[level], scales.row[level]
    best, column, resolved = np.int64(-1), np.int64(-1), False
    heaviest = scales.bounds[level]  # not in use yet: the sum of the k heaviest weights
    heaviest[0] = 0
    for j in range(size):
        heaviest[j + 1] = heaviest[j] + weights[j]
    for j in range(size):
        own = table.own[work.rows[first + j]] if level == 0 else work.rows[first + j]
        if heaviest[counts[own]] + weights[j] >= best + resolved:
            total, largest = sum_heaviest(patterns, starts, weights, size, own, scales)
            total += weights[j]
            if total > best or (total == best and largest <= 2):
                best, column, resolved = total, own, largest <= 2
    if stopped:
        if heaviest[size] > best or (heaviest[size] == best and not resolved):
            best, column, resolved = heaviest[size], np.int64(-1), True
    elif not table.hidden_only:
        columns, most = work.frame[level, COLUMNS], np.int64(0)
        for x in range(columns):
            most = max(most, np.int64(counts[x]))
        for sweep in range(2):  # the columns with the most patterns first, because they rule out most of the others
            for x in range(columns):
                k = np.int64(counts[x])
                if (k == most) == (sweep == 0) and heaviest[k] >= best + resolved:
                    total, largest = sum_heaviest(patterns, starts, weights, size, x, scales)
                    if total > best or (total == best and largest <= 2 and not resolved):
                        best, column, resolved = total, x, largest <= 2
    scales.sums[TOP] = best
    scales.sums[COLUMN] = column
    scales.sums[RESOLVED] = resolved


@compiled
def _cost_of_two(table, work, scales, level, counted, first, size, mass, most):
    """Return the cost of a state with two turns left, in which a guess has to tell all answers apart."""
    counts, weights = work.counts[counted], scales.row[counted]
    for j in range(size):
        own = table.own[work.rows[first + j]] if counted == 0 else work.rows[first + j]
        if counts[own] == size:
            if level == 0:
                work.outcome[GUESS] = own if counted == 0 else work.guesses[work.frame[counted, GUESSES] + own]
            return 2 * mass - weights[j]
    if table.hidden_only or most < size:
        return NEVER
    if level == 0:
        column = _distinguishing(table, work, scales, counted, size)
        work.outcome[GUESS] = column if counted == 0 else work.guesses[work.frame[counted, GUESSES] + column]
    return 2 * mass


@compiled
def _distinguishing(table, work, scales, level, size):
    """Return the first column of a frame that tells all answers of a state apart; there must be one."""
    patterns = table.patterns if level == 0 else work.tables
    column = np.int64(0)
    while sum_heaviest(patterns, work.starts[level], scales.row[level], size, column, scales)[1] > 1:
        column += 1
    return column


@compiled
def _count_all(table, work, level, size):
    """Complete the counts of all columns of a state of at most FEW answers, where `count_patterns` stopped early."""
    patterns = table.patterns if level == 0 else work.tables
    column, columns = np.int64(0), work.frame[level, COLUMNS]
    while column < columns:
        distinct(patterns, work.starts[level], size, column, work.counts[level, column:])
        column += WIDTH


@compiled
def rank(table, work, scales, level, size, most, top, beta):
    """Sort the columns of a frame whose bound is below `beta` by their estimated cost.

    Write them to work.order[level - 1] as estimate << 20 | column, and the bounds of all columns to
    scales.bounds[level - 1]. Return how many columns to try, and the minimum of the bounds of all other columns.
    """
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    order, bounds, weights = work.order[level - 1], scales.bounds[level - 1], scales.row[level]
    sizes, masses, totals = scales.cells[0], scales.cells[1], scales.cells[2]
    met = work.cells[level, ORDER]
    n, least, whole = 0, NEVER, np.int64(0)
    for j in range(size):
        whole += weights[j]
    sizes[:] = 0
    for column in range(work.frame[level, COLUMNS]):
        k, estimate = 0, np.int64(0)
        for j in range(size):
            pattern = work.tables[offset + j * stride + column]
            r, weight = sizes[pattern], weights[j]
            if r == 0:
                met[k] = pattern
                k += 1
                masses[pattern] = 0
                totals[pattern] = 0
            sizes[pattern] = r + 1
            masses[pattern] += weight
            totals[pattern] += weight * (1 if r == 0 else 2 if r < most else 3)
            estimate += weight * scales.steps[r]
        bound = whole
        for i in range(k):
            pattern = met[i]
            sizes[pattern] = 0
            if column >= size or pattern != SOLVED:
                bound += max(totals[pattern], 3 * masses[pattern] - top)
        if k == 1:
            continue
        if column < size:
            estimate -= weights[column] * STEP
        bounds[column] = bound
        if bound < beta:
            order[n] = estimate << GUESS_BITS | column
            n += 1
        else:
            least = min(least, bound)
    promising = order[:n]
    promising.sort()
    return (min(n, table.width) if table.width else n), least


@inlined
def _remember(memo, key, size, low, exact, guess):
    """Store the lower bound of a set of `size` answers, whether it is exact, and the guess that attains it.

    A slot is used as in `proof.memo`, with other fields: 39 bits of cost, 20 of the guess, 1 for exact, and the number
    of binary digits of the size, which decides what is replaced.
    """
    digits, rest = np.uint64(0), np.uint64(size)
    while rest and digits < np.uint64(15):
        rest, digits = rest >> np.uint64(1), digits + np.uint64(1)
    datum = np.uint64(low) | np.uint64(guess) << np.uint64(COST_BITS)
    datum |= np.uint64(exact) << np.uint64(59) | digits << np.uint64(60)
    put(memo, key, datum, 60)


@inlined
def _low_of(datum):
    """Return the lower bound of the set's cost."""
    return datum & _COST


@inlined
def _guess_of(datum):
    """Return the guess that attains the bound, where it is exact."""
    return datum >> COST_BITS & _GUESS


@inlined
def _is_exact(datum):
    """Return 1 if the bound is the exact cost, else 0."""
    return datum >> 59 & 1
