"""The costs of guesses: the kernels `costs` and `openings`.

A GPU goes through a board's words for each guess. Here one row of patterns is compared with another for thousands of
guesses.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.columns import WIDTH, add_ranked
from gpusolve.backend.compiled import compiled, inlined

CELLS = 243
SOLVED = 242
NO_WORD = 0xFFFF
MOST_COUNTED = 256  # the counts of fewer words than this fit into bytes


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


@compiled
def openings(first, last, codes, columns, guesses, members, starts, sizes, nlogn, out):
    cells = np.zeros(CELLS + 1, np.int64)
    for item in range(first, last):
        cell, guess = item // guesses, item % guesses
        out[cell, guess] = _cost_of(codes, members[starts[cell] : starts[cell] + sizes[cell]], guess, nlogn, cells)


@compiled
def costs(first, last, codes, columns, fits, starts, counts, boards, own, nlogn, solve, out):
    cells = np.zeros(CELLS + 1, np.int64)
    for guess in range(first, last):
        cost = np.int64(0)
        for board in range(boards):
            fit = fits[starts[board] : starts[board] + counts[board]]
            cost += _cost_of(codes, fit, guess, nlogn, cells)
            for i in range(len(fit)):
                if own[fit[i]] == guess:
                    cost -= solve // counts[board]
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
        cells = np.zeros(CELLS + 1, np.int64)
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
