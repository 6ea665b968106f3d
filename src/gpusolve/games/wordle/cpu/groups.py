"""The Numba twins of the kernels that look for groups of words that no guess tells apart.

``kernels/wordle.cu`` explains the idea and the layout.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import trailing_zeros

MOST_WORDS = 6
AT_ONCE = 2  # guesses whose cells are intersected before the remaining words are looked at, which are few on average
BLOCK = 64  # guesses that are tested on a group at once
CONTAINING = np.array(
    [sum(1 << subset for subset in range(64) if subset >> i & 1) for i in range(MOST_WORDS)], np.uint64
)  # bits: the subsets of a group that contain word i


@compiled
def closeness(first, last, patterns, guesses, words, out):
    """Count, for every two words, the guesses that do not tell them apart."""
    for i in range(first, last):
        row = out[i]
        row[:] = 0
        for g in range(guesses):
            others, own = patterns[g], patterns[g, i]
            for j in range(words):
                row[j] += others[j] == own


@compiled
def extend(first, last, groups, size, closeness, words, least, starts, counts, out):
    """Find the words that can be added to each group so that its closeness is at least `least`."""
    fits, sums = np.empty(words, np.uint8), np.empty(words, np.int16)
    degrees = np.empty(size, np.int64)
    for item in range(first, last):
        group = groups[item]
        missing = np.int16(least - _degrees(closeness, group, size, degrees))
        sums[:] = 0
        for a in range(size):
            row = closeness[group[a]]
            for j in range(words):
                sums[j] += row[j]
        for j in range(words):
            fits[j] = sums[j] >= missing
        for a in range(size):
            row, degree, member = closeness[group[a]], np.int16(degrees[a]), group[a]
            for j in range(member):  # of equally close words the last one is dropped
                fits[j] &= sums[j] < np.int16(degree + row[j])
            fits[member] = 0
            for j in range(member + 1, words):
                fits[j] &= sums[j] <= np.int16(degree + row[j])
        count = 0
        if starts[item] < 0:
            for j in range(words):
                count += fits[j]
        else:
            for j in range(words):
                if fits[j]:
                    row = out[starts[item] + count]
                    row[:size], row[size] = group, j
                    count += 1
        counts[item] = count


@compiled
def candidates(
    first,
    last,
    groups,
    size,
    closeness,
    words,
    least,
    patterns,
    guesses,
    cell_rows,
    cell_sizes,
    cells,
    starts,
    counts,
    out,
):
    """Find the words, as `extend` does, that no guess of the sample tells apart from a group that it tells apart."""
    degrees = np.empty(size, np.int64)
    chunks = (words + 63) // 64
    left = np.empty(chunks, np.uint64)
    distinguishing, apart = np.empty(guesses + BLOCK, np.int64), np.empty(BLOCK, np.uint8)
    for item in range(first, last):
        group = groups[item]
        total = _degrees(closeness, group, size, degrees)
        n, tried = 0, 0  # number of guesses that tell the group apart, and of guesses tested
        while n < AT_ONCE and tried < guesses:
            n = _find_distinguishing(
                patterns, group, size, tried, min(tried + BLOCK, guesses), apart, distinguishing, n
            )
            tried += BLOCK
        left[:] = ~np.uint64(0)
        if words % 64:
            left[chunks - 1] = (np.uint64(1) << np.uint64(words % 64)) - np.uint64(1)
        for k in range(min(n, AT_ONCE)):
            _smallest_first(patterns, cell_sizes, group, size, distinguishing, k, n)
            _keep_cells(patterns, cell_rows[distinguishing[k]], cells, group, size, distinguishing[k], left)
        count = 0
        for chunk in range(chunks):
            bits = left[chunk]
            while bits:
                word = chunk * 64 + trailing_zeros(bits)
                bits &= bits - np.uint64(1)
                k, fits = AT_ONCE, _is_dropped_word(closeness, group, size, word, degrees, least - total)
                while fits:  # test the other guesses on this word alone
                    while k >= n and tried < guesses:
                        n = _find_distinguishing(
                            patterns, group, size, tried, min(tried + BLOCK, guesses), apart, distinguishing, n
                        )
                        tried += BLOCK
                    if k >= n:
                        break
                    g, fits = distinguishing[k], False
                    for a in range(size):
                        fits |= patterns[word, g] == patterns[group[a], g]
                    k += 1
                if fits:
                    if starts[item] >= 0:
                        larger = out[starts[item] + count]
                        larger[:size], larger[size] = group, word
                    count += 1
        counts[item] = count


@compiled
def _degrees(closeness, group, size, degrees):
    """Set degrees[a] to the closeness of word a to the other words of a group; return the closeness of all pairs."""
    total = 0
    for a in range(size):
        degrees[a] = 0
        for b in range(size):
            if a != b:
                degrees[a] += closeness[group[a], group[b]]
        total += degrees[a]
    return total // 2


@compiled
def _is_dropped_word(closeness, group, size, word, degrees, missing):
    """Return whether a group and a word have enough closeness together, and the word is the one to drop from them.

    That is the word that is the least close to the others, or the last of equally close words.
    """
    degree = 0
    for a in range(size):
        degree += closeness[group[a], word]
    fits = degree >= missing
    for a in range(size):
        other = degrees[a] + closeness[group[a], word]
        fits &= group[a] != word and (degree < other or (degree == other and group[a] < word))
    return fits


@compiled
def _smallest_first(patterns, cell_sizes, group, size, distinguishing, k, n):
    """Swap the guess that has the group's words in the smallest cells, of those from k to n, to position k."""
    best, at = np.int64(1 << 62), k
    for i in range(k, n):
        g, together = distinguishing[i], np.int64(0)
        for a in range(size):
            together += cell_sizes[g, patterns[group[a], g]]
        if together < best:
            best, at = together, i
    distinguishing[k], distinguishing[at] = distinguishing[at], distinguishing[k]


@compiled
def _find_distinguishing(patterns, group, size, begin, end, apart, distinguishing, n):
    """Append the guesses from `begin` to `end` that tell a group apart to `distinguishing`; return its new length."""
    apart[:] = 1
    for a in range(1, size):
        row = patterns[group[a], begin:end]
        for b in range(a):
            other = patterns[group[b], begin:end]
            for g in range(len(row)):
                apart[g] &= row[g] != other[g]
    for g in range(end - begin):
        distinguishing[n] = begin + g
        n += apart[g]
    return n


@compiled
def _keep_cells(patterns, cell_rows, cells, group, size, g, left):
    """Keep in `left` only the words in the cells of a group's words."""
    first_cell = cells[cell_rows[patterns[group[0], g]]]
    if size == 3:
        second_cell, third_cell = cells[cell_rows[patterns[group[1], g]]], cells[cell_rows[patterns[group[2], g]]]
        for chunk in range(len(left)):
            left[chunk] &= first_cell[chunk] | second_cell[chunk] | third_cell[chunk]
        return
    union = first_cell.copy()
    for a in range(1, size):
        union |= cells[cell_rows[patterns[group[a], g]]]
    left &= union


@compiled
def turns(first, last, groups, size, patterns, guesses, words, out):
    """Find within how many guesses each group can always be solved."""
    smallest = np.empty(64, np.int64)
    above, lowest = np.empty(64, np.uint64), np.empty(64, np.int64)  # supersets and lowest word of each smallest subset
    everything = (1 << size) - 1
    whole = np.uint64(1) << np.uint64(everything)
    for item in range(first, last):
        group = groups[item]
        unsolved = np.uint64(0)  # bits: the subsets that cannot be solved within `turn` guesses
        for a in range(1, size):
            for b in range(a):
                unsolved |= CONTAINING[a] & CONTAINING[b]
        turn = 1
        while turn < size and unsolved & whole:
            n = 0
            for subset in range(3, everything + 1):
                if not unsolved >> np.uint64(subset) & np.uint64(1):
                    continue
                supersets, is_smallest = ~np.uint64(0), True
                for a in range(size):
                    if subset >> a & 1:
                        supersets &= CONTAINING[a]
                        is_smallest = is_smallest and not unsolved >> np.uint64(subset & ~(1 << a)) & np.uint64(1)
                if is_smallest:
                    smallest[n], above[n], lowest[n] = subset, supersets, trailing_zeros(np.uint64(subset))
                    n += 1
            solved = np.uint64(0)
            for g in range(guesses):
                failed = np.uint64(0)
                for k in range(n):
                    subset, pattern, together = smallest[k], patterns[group[lowest[k]], g], True
                    for a in range(lowest[k] + 1, size):
                        if subset >> a & 1 and patterns[group[a], g] != pattern:
                            together = False
                            break
                    if together:
                        failed |= above[k]
                solved |= ~failed
                if solved & whole:
                    break
            unsolved &= ~solved
            turn += 1
        out[item] = turn
