"""How guesses split answers that have weights. There is no CUDA twin: a GPU's host computes it."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

LOG_BITS = 24
"""Fractional bits of the logarithms."""


@compiled
def weigh(matrix, members, sizes, weights, cells, begin, patterns, largest, squares, logs, heaviest, own, contains):
    """Write the measures of the guesses of a matrix, which are number `begin` and those after it.

    `cells` is the number of patterns; the last one is the solved one.
    """
    mass, top, number = np.zeros(cells, np.int64), np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    met = np.zeros(cells, np.int64)
    at = 0
    for s in range(len(sizes)):
        for g in range(len(matrix)):
            n = 0
            for j in range(at, at + sizes[s]):
                code, weight = matrix[g, members[j]], weights[members[j]]
                if number[code] == 0:
                    met[n] = code
                    n += 1
                number[code] += 1
                mass[code] += weight
                top[code] = max(top[code], weight)
            item = begin + g
            patterns[s, item] = n
            contains[s, item] = number[cells - 1] > 0
            own[s, item] = mass[cells - 1]
            most, square, log, heavy = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
            for i in range(n):
                code = met[i]
                most = max(most, number[code])
                square += mass[code] * number[code]
                log += n_log_n(mass[code])
                heavy += top[code]
                number[code], mass[code], top[code] = 0, 0, 0
            largest[s, item], squares[s, item], logs[s, item], heaviest[s, item] = most, square, log, heavy
        at += sizes[s]


@inlined
def n_log_n(weight):
    """Return a weight times its logarithm to base 2, rounded down to 24 fractional bits: integers on every machine."""
    if weight < 2:
        return np.int64(0)
    whole, rest = np.int64(0), np.uint64(weight)
    while rest >> np.uint64(whole + 1):
        whole += 1
    rest = rest << np.uint64(31 - whole)  # 1 <= rest / 2^31 < 2
    log = whole
    for _ in range(LOG_BITS):
        rest = rest * rest >> np.uint64(31)
        carry = rest >> np.uint64(32)
        rest = rest >> carry
        log = log * 2 + np.int64(carry)
    return log * np.int64(weight)
