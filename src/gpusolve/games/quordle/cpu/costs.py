"""The Numba twins of the kernels of `joint` in ``kernels/quordle.cu``: same names, arguments and results, to the bit.

A GPU walks a board's words for each guess; here one row of patterns is compared with another, for thousands of guesses.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

CELLS = 243
SOLVED = 242
NO_WORD = 0xFFFF
AT_ONCE = 4096  # guesses whose counts stay in the cache
MOST_COUNTED = 256  # words of a board that bytes can count


@inlined
def _cost_of(codes, fits, guess, nlogn, cells):
    """What a guess costs for a board with these words; `cells` are 0 before and after."""
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
    """The guess of least cost, of equals the first."""
    least = costs[0]
    for g in range(dictionary):
        least = min(least, costs[g])
    best = np.int64(0)
    while costs[best] != least:
        best += 1
    return best


@compiled
def _add_costs(codes, fit, nlogn, dictionary, costs):
    """Adds to each guess what it costs for a board with these words, comparing word with word.

    The k-th word of a cell, k from 0, adds what nlogn grows by. So the words are counted that have at least 1, 2, ...
    words of their cell before them, and each count is multiplied once: all else compares and adds 64 bytes at once.
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
    width = min(AT_ONCE, len(costs))
    all_ranks, all_sums = np.empty(width, np.uint8), np.empty(width, np.int32)
    all_counts = np.zeros((n, width), np.uint8)
    share = np.int64((1 << 20) // n)
    for start in range(0, len(costs), width):
        stop = min(start + width, len(costs))
        ranks, sums, counts = all_ranks[: stop - start], all_sums[: stop - start], all_counts[:, : stop - start]
        highest = np.uint8(0)
        for i in range(1, n):
            row = codes[fit[i], start:stop]
            ranks[:] = 0
            for j in range(i):
                _add_equal(ranks, row, codes[fit[j], start:stop])
            most = _highest(ranks)
            highest = max(highest, most)
            for k in range(1, np.int64(most) + 1):
                _add_reached(counts[k], ranks, np.uint8(k))
        sums[:] = 0
        for k in range(1, np.int64(highest) + 1):
            _add_growth(sums, growth[k], counts[k])
            counts[k] = 0
        for x in range(len(sums)):
            costs[start + x] += np.int32((sums[x] * share) >> 20)


@compiled
def _add_equal(ranks, row, other):
    for x in range(len(ranks)):
        ranks[x] += np.uint8(row[x] == other[x])


@compiled
def _highest(ranks):
    most = np.uint8(0)
    for x in range(len(ranks)):
        most = max(most, ranks[x])
    return most


@compiled
def _add_reached(counts, ranks, k):
    for x in range(len(ranks)):
        counts[x] += np.uint8(ranks[x] >= k)


@compiled
def _add_growth(sums, growth, counts):
    for x in range(len(sums)):
        sums[x] += growth * np.int32(counts[x])
