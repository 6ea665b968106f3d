"""Bounds on totals, and the order of guesses, where answers have weights (`descent`).

An answer of weight w that is found by guess number t costs w t. The rows of every state are in descending order of
weight, because the best that any strategy can do is to find the heaviest answers by the earliest guesses:

- A cell of weight W whose heaviest answer weighs h costs at least 2W - h: h by the next guess, the others by the one
  after it. So a guess on a state of weight W costs at least 3W - s, where s is the sum of the heaviest weights of its
  cells, plus the weight of the guess if it can be the answer. The bound is exact if no cell has more than two answers.
- Let S be the maximum of s over all guesses in a state. Then no subset of weight W costs less than 3W - S.
- Let K be the maximum number of patterns. Then no subset costs less than its heaviest answer by the first guess, the
  next K - 1 by the second, and the others by the third.
- A guess with k patterns has at most the s of the k heaviest answers (plus its own weight). So patterns are counted
  first, as without weights, and s is computed only for guesses whose number of patterns does not rule them out.

With equal weights these are the bounds of `equal`. A guess whose partition refines that of another still makes the
other useless, because a strategy for a set of answers costs no more on its parts.

Costs are integers: weights have a sum of at most 2^31, no strategy takes more than 99 guesses, so a cost is below 2^38.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.columns import WIDTH, distinct
from gpusolve.games.wordle.cpu.proof.equal import COLUMN_BITS
from gpusolve.games.wordle.cpu.proof.frames import FEW, guess_at, own_column, patterns_at
from gpusolve.games.wordle.cpu.proof.memory import (
    COLUMNS,
    GUESS,
    HIDDEN,
    LEVELS,
    OFFSET,
    ORDER,
    SOLVED,
    STRIDE,
    Numbers,
)

NEVER = 1 << 38
"""The cost of a state that cannot be solved in the turns left; higher than any other cost."""
STEP = 16
"""The estimated number of the guess that finds an answer has this factor."""


class Scales(NamedTuple):
    """The weights, and the memory of one thread beside `Work`."""

    weights: Numbers
    """The weight of each answer."""
    steps: Numbers
    """Estimated number of the guess that finds the answer of each rank in a cell, times STEP."""
    row: Numbers
    """The weights of the rows of the state at each level, (LEVELS, rows)."""
    bounds: Numbers
    """The bound of each column of the frame below each level, (LEVELS, columns)."""
    seen: Numbers
    """Scratch for counting: the last stamp of each pattern, and how often it occurred since."""
    stamp: Numbers
    """The last stamp, (1,)."""
    cells: Numbers
    """Scratch for ranking: size, weight and rank bound of each cell, (3, 256)."""


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
        stamp=np.zeros(1, np.int64),
        cells=np.zeros((3, 256), np.int64),
    )


@inlined
def weigh_rows(work, scales, state):
    """Set scales.row to the weights of the rows of a state; return their sum."""
    row, hidden = scales.row[state.level], work.hidden[work.frame[state.level, HIDDEN] :]
    mass = np.int64(0)
    for j in range(state.size):
        row[j] = scales.weights[hidden[work.rows[state.first + j]]]
        mass += row[j]
    return mass


@compiled
def rank_bound(weights, size, most):
    """Return the cost of a state if each guess had `most` patterns and could be the heaviest answer of its cell.

    weights[:size] are in descending order: the first is found by guess 1, the next most - 1 by guess 2, others by 3.
    """
    total = np.int64(0)
    for j in range(size):
        total += weights[j] * _earliest(j, most)
    return total


@inlined
def _earliest(rank, most):
    """Return the number of the guess that at best finds the answer of a rank if guesses have up to `most` patterns."""
    return 1 if rank == 0 else 2 if rank < most else 3


@inlined
def cell_bound(weights, rows, size, most, saving):
    """Return a lower bound on the cost of a cell, whose rows are rows[:size] of a frame with these weights."""
    mass, total = np.int64(0), np.int64(0)
    for j in range(size):
        weight = weights[rows[j]]
        mass += weight
        total += weight * _earliest(j, most)
    return max(total, 3 * mass - saving)


@compiled
def settle(table, work, scales, state, counted, mass, most, turns, beta):
    """Return a lower bound on the cost of a state, and whether no search is needed: it is exact, or >= `beta` > 0.

    `counted` is the state whose patterns were counted, `most` at most: the same answers, perhaps in a frame of their
    own. All counts of the frame are valid afterwards if a search is needed.
    """
    weights, size = scales.row[state.level], state.size
    if turns == 2:
        return _cost_of_two(table, work, scales, state, counted, mass, most), True
    if 0 < beta <= rank_bound(weights, size, most):
        return rank_bound(weights, size, most), True
    stopped = counted.level > 0 and size <= FEW and most == size and not table.hidden_only
    saving, column, is_exact = _best_saving(table, work, scales, weights, counted, stopped)
    low = 3 * mass - saving
    if is_exact and state.level == 0:
        if column < 0:
            column = _distinguishing(table, work, scales, weights, counted)
        work.outcome[GUESS] = guess_at(work, counted.level, column)
    if stopped and not is_exact and low < beta:
        _count_all(table, work, counted)
    return low, is_exact


@compiled
def _sum_heaviest(patterns, starts, weights, size, column, scales):
    """Return the sum of the heaviest weights of a column's cells, and the number of answers in the largest cell."""
    seen = scales.seen
    scales.stamp[0] += 1
    base = scales.stamp[0] << 16
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
def _best_saving(table, work, scales, weights, state, stopped):
    """Return the maximum of s over all columns of a state (see the top of this file) and a column that attains it.

    The third result says whether the bound of the column is exact. The patterns must have been counted; `stopped` says
    that the count stopped at a column that tells all answers apart. If no answer has that column, its number is not
    known (-1).
    """
    level, size = state.level, state.size
    patterns, starts, counts = patterns_at(table, work, level), work.starts[level], work.counts[level]
    best, column, is_exact = np.int64(-1), np.int64(-1), False
    heaviest = scales.bounds[level]  # not in use yet: the sum of the k heaviest weights
    heaviest[0] = 0
    for j in range(size):
        heaviest[j + 1] = heaviest[j] + weights[j]
    for j in range(size):
        own = own_column(table, work, state, j)
        if heaviest[counts[own]] + weights[j] >= best + is_exact:
            total, largest = _sum_heaviest(patterns, starts, weights, size, own, scales)
            total += weights[j]
            if total > best or (total == best and largest <= 2):
                best, column, is_exact = total, own, largest <= 2
    if stopped:
        if heaviest[size] > best or (heaviest[size] == best and not is_exact):
            best, column, is_exact = heaviest[size], np.int64(-1), True
    elif not table.hidden_only:
        columns, most = work.frame[level, COLUMNS], np.int64(0)
        for x in range(columns):
            most = max(most, np.int64(counts[x]))
        for sweep in range(2):  # the columns with the most patterns first, because they rule out most of the others
            for x in range(columns):
                k = np.int64(counts[x])
                if (k == most) == (sweep == 0) and heaviest[k] >= best + is_exact:
                    total, largest = _sum_heaviest(patterns, starts, weights, size, x, scales)
                    if total > best or (total == best and largest <= 2 and not is_exact):
                        best, column, is_exact = total, x, largest <= 2
    return best, column, is_exact


@compiled
def _cost_of_two(table, work, scales, state, counted, mass, most):
    """Return the cost of a state with two turns left, in which a guess has to tell all answers apart."""
    counts, weights = work.counts[counted.level], scales.row[state.level]
    cost, column = NEVER, np.int64(-1)
    for j in range(state.size):
        own = own_column(table, work, counted, j)
        if counts[own] == state.size:
            cost, column = 2 * mass - weights[j], own
            break
    if column < 0 and most == state.size and not table.hidden_only:
        cost = 2 * mass
        if state.level == 0:
            column = _distinguishing(table, work, scales, weights, counted)
    if state.level == 0 and column >= 0:
        work.outcome[GUESS] = guess_at(work, counted.level, column)
    return cost


@compiled
def _distinguishing(table, work, scales, weights, state):
    """Return the first column of a frame that tells all answers of a state apart; there must be one."""
    patterns, starts, column = patterns_at(table, work, state.level), work.starts[state.level], np.int64(0)
    while _sum_heaviest(patterns, starts, weights, state.size, column, scales)[1] > 1:
        column += 1
    return column


@compiled
def _count_all(table, work, state):
    """Complete the counts of all columns of a state of at most FEW answers, where `count_patterns` stopped early."""
    level, column = state.level, np.int64(0)
    while column < work.frame[level, COLUMNS]:
        counts = work.counts[level, column:]
        distinct(patterns_at(table, work, level), work.starts[level], state.size, column, counts)
        column += WIDTH


@compiled
def rank(table, work, scales, level, size, most, saving, beta):
    """Sort the columns of a frame whose bound is below `beta` by their estimated cost.

    Write them to work.order[level - 1] as estimate << 20 | column, and the bounds of all columns to
    scales.bounds[level - 1]. Return how many columns to try, and the minimum of the bounds of all other columns.
    """
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    order, bounds, weights = work.order[level - 1], scales.bounds[level - 1], scales.row[level - 1]
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
            totals[pattern] += weight * _earliest(r, most)
            estimate += weight * scales.steps[r]
        bound = whole
        for i in range(k):
            pattern = met[i]
            sizes[pattern] = 0
            if column >= size or pattern != SOLVED:
                bound += max(totals[pattern], 3 * masses[pattern] - saving)
        if k == 1:
            continue
        if column < size:
            estimate -= weights[column] * STEP
        bounds[column] = bound
        if bound < beta:
            order[n] = estimate << COLUMN_BITS | column
            n += 1
        else:
            least = min(least, bound)
    promising = order[:n]
    promising.sort()
    return (min(n, table.width) if table.width else n), least
