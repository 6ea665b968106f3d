"""The search of `quadruples`, compiled: all groups of four that grow from each pair of words."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros

NEAR = 48  # separators of a pair that are used, those with the smallest cells
KEYS = 16  # at most this many of them make cases
EXTRA = 40.0  # the cost of a separator besides the words in its cells, in words
FILTERS = 6  # guesses that limit d to a set of bits, before each word of the set is tested
SLOT_BITS = 15  # a table of words with equal patterns has 2 ** SLOT_BITS slots
_MIX = 0x9E3779B97F4A7C15


@compiled
def search(pairs, direct, total, closeness, patterns, sample, cell_rows, cell_sizes, cells, together, out):
    """Write the groups of all pairs to `out`; return their number, even if there was no room for all of them.

    If up to `direct` words can be c, each of them is tried, and there are no cases.
    """
    words, chunks, count = len(closeness), cells.shape[1], 0
    may_be_third = np.zeros(chunks * 64, np.uint8)
    left, thirds, partners = np.empty(chunks, np.uint64), np.empty(chunks, np.uint64), np.empty(chunks, np.uint64)
    separators, union = np.empty(len(sample), np.int64), np.empty((NEAR, chunks), np.uint64)
    keys, values, residue = np.empty(KEYS, np.int64), np.empty(words, np.uint64), np.empty(together.shape[1], np.uint64)
    heads, following = np.full(1 << SLOT_BITS, -1, np.int64), np.empty(words, np.int64)
    for item in range(len(pairs)):
        a, b = np.int64(pairs[item, 0]), np.int64(pairs[item, 1])
        n_thirds = _find_thirds(closeness, total, a, b, may_be_third, thirds)
        if n_thirds == 0:
            continue
        n = _find_separators(sample, cell_sizes, a, b, separators)
        near = min(n, NEAR)
        for i in range(near):
            row = cell_rows[separators[i]]
            _unite(cells[row[sample[separators[i], a]]], cells[row[sample[separators[i], b]]], union[i])
        n_keys = 0
        if n_thirds > direct:
            n_keys = _choose_keys(sample, cell_sizes, together, a, b, separators, near, keys, residue)
        left[:] = ~np.uint64(0)
        if words % 64:
            left[chunks - 1] = (np.uint64(1) << np.uint64(words % 64)) - np.uint64(1)
        left[a // 64] &= ~(np.uint64(1) << np.uint64(a % 64))
        left[b // 64] &= ~(np.uint64(1) << np.uint64(b % 64))
        for j in range(max(n_keys, 1)):
            for w in range(chunks):
                waiting = left[w] & (union[keys[j], w] if n_keys else thirds[w])
                while waiting:
                    bit = waiting & (~waiting + np.uint64(1))
                    waiting ^= bit
                    left[w] ^= bit
                    c = w * 64 + trailing_zeros(bit)
                    _find_partners(
                        sample, cell_rows, cells, a, b, c, left, thirds, may_be_third[c],
                        separators, near, union, keys, j if n_keys else 0, partners,
                    )  # fmt: skip
                    for v in range(chunks):
                        bits = partners[v]
                        while bits:
                            d = v * 64 + trailing_zeros(bits)
                            bits &= bits - np.uint64(1)
                            if _is_close(closeness, total, a, b, c, d) and _is_group(
                                patterns, separators, n, a, b, c, d
                            ):
                                count = _add(out, count, a, b, c, d)
        if n_keys == 0:
            continue
        values[:] = 0
        for i in range(n_keys):
            row = sample[separators[keys[i]]]
            for c in range(words):
                values[c] = (values[c] << np.uint64(8)) + values[c] + np.uint64(row[c])
        heads[:] = -1
        for c in range(words):
            if left[c // 64] >> np.uint64(c % 64) & np.uint64(1):
                slot = np.int64((values[c] * np.uint64(_MIX)) >> np.uint64(64 - SLOT_BITS))
                d = heads[slot]
                following[c], heads[slot] = d, c
                while d >= 0:
                    fits = values[d] == values[c] and (may_be_third[c] or may_be_third[d])
                    fits = fits and _is_close(closeness, total, a, b, c, d)
                    if fits and _is_group(patterns, separators, n, a, b, c, d):
                        count = _add(out, count, a, b, c, d)
                    d = following[d]
    return count


@compiled
def _find_thirds(closeness, total, a, b, may_be_third, thirds):
    """Mark the words that can be c beside a and b, as bytes and as bits; return their number."""
    row, other, most = closeness[a], closeness[b], closeness[a, b]
    least, count = np.int16((total + 1) // 2 - np.int64(most)), 0
    for j in range(len(row)):
        may_be_third[j] = (row[j] <= most) & (other[j] <= most) & (np.int16(row[j]) + np.int16(other[j]) >= least)
    may_be_third[a] = may_be_third[b] = 0
    for w in range(len(thirds)):
        bits = np.uint64(0)
        for j in range(64):
            bits |= np.uint64(may_be_third[64 * w + j]) << np.uint64(j)
        thirds[w] = bits
        count += popcount(bits)
    return count


@compiled
def _find_separators(sample, cell_sizes, a, b, separators):
    """Write the guesses of the sample that tell a and b apart, small cells of a and b first; return their number."""
    n = 0
    for g in range(len(sample)):
        separators[n] = np.int64(cell_sizes[g, sample[g, a]] + cell_sizes[g, sample[g, b]]) << 20 | g
        n += sample[g, a] != sample[g, b]
    found = separators[:n]
    found.sort()
    for i in range(n):
        found[i] &= (1 << 20) - 1
    return n


@compiled
def _unite(one, other, union):
    for w in range(len(union)):
        union[w] = one[w] | other[w]


@compiled
def _choose_keys(sample, cell_sizes, together, a, b, separators, near, keys, residue):
    """Choose the separators that make cases, as indices of `separators`; return their number.

    Each is the one that tells the most of the remaining random pairs apart for the number of words in its cells.
    """
    residue[:] = ~np.uint64(0)
    left, n = 64 * together.shape[1], 0
    while n < KEYS and left > 0:
        best, most, fewest = -1, 0.0, 0
        for i in range(near):
            g = separators[i]
            count = 0
            for v in range(len(residue)):
                count += popcount(residue[v] & together[g, v])
            gain = np.log(left / (count + 0.5)) / (cell_sizes[g, sample[g, a]] + cell_sizes[g, sample[g, b]] + EXTRA)
            if count < left and gain > most:
                best, most, fewest = i, gain, count
        if best < 0:
            break
        residue &= together[separators[best]]
        keys[n], left = best, fewest
        n += 1
    if n == 0:
        keys[0], n = 0, min(near, 1)
    return n


@compiled
def _find_partners(
    sample, cell_rows, cells, a, b, c, left, thirds, c_is_third, separators, near, union, keys, n_keys, partners
):
    """Set `partners` to words that can be d, with c in case number `n_keys`: others are ruled out by a few guesses."""
    for v in range(len(left)):
        partners[v] = left[v]
    if not c_is_third:  # then d is the third word
        for v in range(len(left)):
            partners[v] &= thirds[v]
    filters = min(n_keys, FILTERS)
    for i in range(filters):
        g = separators[keys[i]]
        cell = cells[cell_rows[g, sample[g, c]]]
        for v in range(len(left)):
            partners[v] &= cell[v]
    i = 0
    while i < near and filters < FILTERS:
        g = separators[i]
        row = sample[g]
        if row[c] != row[a] and row[c] != row[b]:
            cell, either = cells[cell_rows[g, row[c]]], union[i]
            for v in range(len(left)):
                partners[v] &= cell[v] | either[v]
            filters += 1
        i += 1


@compiled
def _is_close(closeness, total, a, b, c, d):
    """Return whether the six pairs of the four words have enough closeness together."""
    triple = np.int64(closeness[a, b]) + closeness[a, c] + closeness[b, c]
    return triple + closeness[a, d] + closeness[b, d] + closeness[c, d] >= total


@compiled
def _is_group(patterns, separators, n, a, b, c, d):
    """Return whether no guess tells the four words apart: first the n separators are asked, then all guesses."""
    x, y, z, u = patterns[a], patterns[b], patterns[c], patterns[d]
    for i in range(n):
        g = separators[i]
        if z[g] != x[g] and z[g] != y[g] and u[g] != x[g] and u[g] != y[g] and u[g] != z[g]:
            return False
    for g in range(len(x)):
        if x[g] != y[g] and z[g] != x[g] and z[g] != y[g] and u[g] != x[g] and u[g] != y[g] and u[g] != z[g]:
            return False
    return True


@compiled
def _add(out, count, a, b, c, d):
    """Write a group to `out` if there is room; return the number of groups."""
    if count < len(out):
        out[count, 0], out[count, 1], out[count, 2], out[count, 3] = a, b, c, d
    return count + 1
