"""The costs of guesses: the kernels `costs` and `openings`.

A GPU goes through a board's words for each guess. Here one row of patterns is compared with another for thousands of
guesses.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.columns import WIDTH, add_before, add_ranked

SOLVED = 242
NO_WORD = 0xFFFF
MOST_COUNTED = 256  # the counts of fewer words than this fit into bytes


@inlined
def counters_for(codes):
    """Return a counter of 0 for each number that a pattern can have: 256, or 65,536 for patterns of 16 bits."""
    return np.zeros(1 << 8 * codes.itemsize, np.int64)


@inlined
def _cost_of(codes, fits, guess, nlogn, cells):
    """Return the cost of a guess for a board with these words; `cells` are 0 before and after."""
    n = len(fits)
    total = np.int64(0)
    for i in range(n):
        code = codes[fits[i], guess]
        total += nlogn[cells[code] + 1] - nlogn[cells[code]]
        cells[code] += 1
    for i in range(n):
        cells[codes[fits[i], guess]] = 0
    return (total * ((1 << 20) // n)) >> 20 if n else 0


@inlined
def _weighed_cost_of(codes, fits, guess, nlogn, mass, total, cells):
    """Return the same with weights; `mass` is that of each word, and `total` is their sum (see `_weigh`)."""
    n = len(fits)
    amount = np.int64(0)
    for i in range(n):
        code = codes[fits[i], guess]
        amount += nlogn[cells[code] + mass[i]] - nlogn[cells[code]]
        cells[code] += mass[i]
    for i in range(n):
        cells[codes[fits[i], guess]] = 0
    return _divided(amount, total) if n else 0


@inlined
def _divided(amount, total):
    """Return an amount of n log2 n, in half units, divided by the sum of a board's masses, in whole units."""
    return (amount * ((1 << 40) // total)) >> 39


@compiled
def _weigh(fits, masses, weighted, mass):
    """Write the mass of each word that fits a board, and return their sum; if all of them are 0, each counts 1."""
    total = np.int64(0)
    for i in range(len(fits)):
        mass[i] = masses[fits[i]] if weighted else 1
        total += mass[i]
    if total:
        return total
    for i in range(len(fits)):
        mass[i] = 1
    return np.int64(len(fits))


@compiled
def openings(first, last, codes, columns, guesses, members, starts, sizes, masses, weighted, nlogn, out):
    cells = counters_for(codes)
    mass, total = np.empty(len(members), np.uint16), np.int64(0)
    for item in range(first, last):
        cell, guess = item // guesses, item % guesses
        fit = members[starts[cell] : starts[cell] + sizes[cell]]
        if weighted:
            if item == first or guess == 0:
                total = _weigh(fit, masses, weighted, mass)
            out[cell, guess] = _weighed_cost_of(codes, fit, guess, nlogn, mass, total, cells)
        else:
            out[cell, guess] = _cost_of(codes, fit, guess, nlogn, cells)


@compiled
def costs(first, last, codes, columns, fits, starts, counts, boards, own, masses, weighted, nlogn, solve, out):
    cells = counters_for(codes)
    mass, totals = np.empty(len(fits), np.uint16), np.empty(boards, np.int64)
    for board in range(boards):
        begin, end = starts[board], starts[board] + counts[board]
        totals[board] = _weigh(fits[begin:end], masses, weighted, mass[begin:end])
    for guess in range(first, last):
        cost = np.int64(0)
        for board in range(boards):
            begin, end = starts[board], starts[board] + counts[board]
            fit = fits[begin:end]
            if weighted:
                cost += _weighed_cost_of(codes, fit, guess, nlogn, mass[begin:end], totals[board], cells)
            else:
                cost += _cost_of(codes, fit, guess, nlogn, cells)
            for i in range(len(fit)):
                if own[fit[i]] == guess:
                    cost -= solve * np.int64(mass[begin + i]) // totals[board]
        out[guess] = cost


@compiled
def _least(costs, dictionary):
    """Return the first guess with the lowest cost."""
    least = costs[0]
    for g in range(dictionary):
        least = min(least, costs[g])
    best = np.int64(0)
    while costs[best] != least:
        best += 1
    return best


@compiled
def _add_costs(codes, fit, nlogn, dictionary, costs, sums):
    """Add the cost of each guess for a board with these words, by comparing word with word.

    The k-th word of a cell, with k counted from 0, adds nlogn[k + 1] - nlogn[k]. `sums` is a workspace as long as
    `costs`.
    """
    n = len(fit)
    if n >= MOST_COUNTED:
        cells = counters_for(codes)
        for guess in range(dictionary):
            costs[guess] += np.int32(_cost_of(codes, fit, guess, nlogn, cells))
        return
    growth = np.empty(n, np.int32)
    for k in range(1, n):
        growth[k] = nlogn[k + 1] - 2 * nlogn[k] + nlogn[k - 1]
    starts, patterns = fit * codes.shape[1], codes.reshape(-1)
    sums[:] = 0
    for column in range(0, len(costs), WIDTH):
        add_ranked(patterns, starts, 0, n, column, growth, 0, sums)
    share = np.int64((1 << 20) // n)
    for x in range(len(costs)):
        costs[x] += np.int32((sums[x] * share) >> 20)


@compiled
def _add_weighed_costs(codes, fit, mass, total, nlogn, dictionary, costs, sums, before):
    """Do the same with weights; `before` is a workspace of WIDTH numbers."""
    if len(fit) >= MOST_COUNTED:
        cells = counters_for(codes)
        for guess in range(dictionary):
            costs[guess] += np.int32(_weighed_cost_of(codes, fit, guess, nlogn, mass, total, cells))
        return
    add_weighed(
        codes.reshape(-1), fit * codes.shape[1], 0, len(fit), mass, total, nlogn, len(costs), costs, sums, before
    )


@compiled
def add_weighed(table, starts, first, count, mass, total, nlogn, columns, costs, sums, before):
    """Add the cost of each column for a board with weights, whose `count` rows start at starts[first] and so on.

    A word with the mass m whose cell has the mass k before adds nlogn[k + m] - nlogn[k].
    """
    for column in range(0, columns, WIDTH):
        for x in range(WIDTH):
            sums[x] = 0
        for i in range(count):
            add_before(table, starts, first, i, mass, column, before)
            own = np.int64(mass[first + i])
            for x in range(WIDTH):
                k = np.int64(before[x])
                sums[x] += nlogn[k + own] - nlogn[k]
        for x in range(WIDTH):
            costs[column + x] += np.int32(_divided(np.int64(sums[x]), total))
