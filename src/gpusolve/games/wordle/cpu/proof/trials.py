"""Which guess a trial is best spent on (`proof.trials`)."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import popcount
from gpusolve.backend.intrinsics.columns import WIDTH, same
from gpusolve.games.wordle.cpu.proof.memory import CELLS, SOLVED

FACTS = 64
"""Number of bits of a column of `needs_of`."""
_LEAST = 0.001  # guesses left in a cell where the nogoods rule out all of them


@compiled
def coolest(patterns, heat, closed):
    """Return the guess that is not closed whose hottest cell is the least hot, or -1; `patterns` has a row for each."""
    sums = np.zeros(CELLS)
    best, least, least_squares = -1, np.inf, np.inf
    for guess in range(len(patterns)):
        if closed[guess]:
            continue
        sums[:] = 0
        row = patterns[guess]
        for j in range(len(row)):
            sums[row[j]] += heat[j]
        sums[SOLVED] = 0
        hottest, squares = sums.max(), (sums * sums).sum()
        if hottest < least or (hottest == least and squares < least_squares):
            best, least, least_squares = guess, hottest, squares
    return best


@compiled
def rule_out(patterns, stride, holders, members, need, together, excluded):
    """Set the bits of the guesses that leave some answers together, and of those among them that contain a need."""
    left, right = members[:-1] * stride, members[1:] * stride
    for b in range(len(together)):
        together[b] = same(patterns, left, right, len(left), b * WIDTH, ~np.uint64(0))
    _holders_of(holders, need, excluded)
    for b in range(len(together)):
        excluded[b] &= together[b]


@compiled
def _holders_of(holders, need, bits):
    """Set the bits of the guesses that contain a need; `holders` has the bits for each fact."""
    bits[:] = ~np.uint64(0)
    for i in range(len(need)):
        for fact in range(FACTS):
            if need[i] >> np.uint64(fact) & np.uint64(1):
                for b in range(len(bits)):
                    bits[b] &= holders[i, fact, b]


@compiled
def rest_of(guess, row, needs, own, holders, open_, together, excluded, first, parts):
    """Set the part of the legal guesses that the nogoods leave in each cell of a guess; return the sum of logarithms.

    `row` has the pattern of each answer, and `own` the column of each; the other arrays are those of `Trials`.
    """
    block, bit, words = guess // WIDTH, np.uint64(1) << np.uint64(guess % WIDTH), len(open_)
    member, out = np.full(CELLS, -1, np.int64), np.zeros((CELLS, words), np.uint64)
    for k in range(len(first)):
        if together[k, block] & bit:
            code = row[first[k]]
            member[code] = first[k]
            for b in range(words):
                out[code, b] |= excluded[k, b]
    legal, total = np.zeros(words, np.uint64), 0.0
    for code in range(CELLS):
        parts[code] = 1
        if code == SOLVED or member[code] < 0:
            continue
        _holders_of(holders, needs[guess] & needs[own[member[code]]], legal)
        possible, left = 0, 0
        for b in range(words):
            possible += popcount(legal[b] & open_[b])
            left += popcount(legal[b] & open_[b] & ~out[code, b])
        parts[code] = max(left, _LEAST) / max(possible, 1)
        total += np.log(parts[code])
    return total
