"""The Numba twins of the kernels of ``kernels/wordle.cu`` that look for groups of words that no guess tells apart.

The idea and the layout are told there. The package has them with the other twins.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import trailing_zeros
from gpusolve.backend.compiled import compiled

MOST_WORDS = 6
AT_ONCE = 2  # guesses whose cells are joined before anybody looks which words are left: few, on average
BLOCK = 64  # guesses that are tried on a word at once
HOLDING = np.array(
    [sum(1 << some for some in range(64) if some >> i & 1) for i in range(MOST_WORDS)], np.uint64
)  # the subsets of a group that hold word i


@compiled
def closeness(first, last, patterns, guesses, words, out):
    for i in range(first, last):
        row = out[i]
        row[:] = 0
        for g in range(guesses):
            others, own = patterns[g], patterns[g, i]
            for j in range(words):
                row[j] += others[j] == own


@compiled
def extend(first, last, groups, size, closeness, words, least, starts, counts, out):
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
            for j in range(member):  # of equals the last is dropped
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
    degrees = np.empty(size, np.int64)
    chunks = (words + 63) // 64
    left = np.empty(chunks, np.uint64)
    telling, apart = np.empty(guesses + BLOCK, np.int64), np.empty(BLOCK, np.uint8)
    for item in range(first, last):
        group = groups[item]
        held = _degrees(closeness, group, size, degrees)
        n, tried = 0, 0  # guesses that tell the group apart, of as many as have been tried
        while n < AT_ONCE and tried < guesses:
            n = _find_telling(patterns, group, size, tried, min(tried + BLOCK, guesses), apart, telling, n)
            tried += BLOCK
        left[:] = ~np.uint64(0)
        if words % 64:
            left[chunks - 1] = (np.uint64(1) << np.uint64(words % 64)) - np.uint64(1)
        for k in range(min(n, AT_ONCE)):
            _smallest_first(patterns, cell_sizes, group, size, telling, k, n)
            _keep_cells(patterns, cell_rows[telling[k]], cells, group, size, telling[k], left)
        count = 0
        for chunk in range(chunks):
            bits = left[chunk]
            while bits:
                word = chunk * 64 + trailing_zeros(bits)
                bits &= bits - np.uint64(1)
                k, fits = AT_ONCE, _is_to_drop(closeness, group, size, word, degrees, least - held)
                while fits:  # the other guesses, on this word alone
                    while k >= n and tried < guesses:
                        n = _find_telling(patterns, group, size, tried, min(tried + BLOCK, guesses), apart, telling, n)
                        tried += BLOCK
                    if k >= n:
                        break
                    g, fits = telling[k], False
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
    """Sets what each word of a group is close to the others, and gives what all pairs hold."""
    held = 0
    for a in range(size):
        degrees[a] = 0
        for b in range(size):
            if a != b:
                degrees[a] += closeness[group[a], group[b]]
        held += degrees[a]
    return held // 2


@compiled
def _is_to_drop(closeness, group, size, word, degrees, missing):
    """Whether a group and a word hold enough, and the word is the one to drop from them."""
    degree = 0
    for a in range(size):
        degree += closeness[group[a], word]
    fits = degree >= missing
    for a in range(size):
        other = degrees[a] + closeness[group[a], word]
        fits &= group[a] != word and (degree < other or (degree == other and group[a] < word))
    return fits


@compiled
def _smallest_first(patterns, cell_sizes, group, size, telling, k, n):
    """Puts in place k, of the guesses from there to n, the one that has the group's words in the smallest cells."""
    best, at = np.int64(1 << 62), k
    for i in range(k, n):
        g, together = telling[i], np.int64(0)
        for a in range(size):
            together += cell_sizes[g, patterns[group[a], g]]
        if together < best:
            best, at = together, i
    telling[k], telling[at] = telling[at], telling[k]


@compiled
def _find_telling(patterns, group, size, begin, end, apart, telling, n):
    """Adds to the `n` of `telling` which of these guesses tell the words of a group apart; gives how many there are."""
    apart[:] = 1
    for a in range(1, size):
        row = patterns[group[a], begin:end]
        for b in range(a):
            other = patterns[group[b], begin:end]
            for g in range(len(row)):
                apart[g] &= row[g] != other[g]
    for g in range(end - begin):
        telling[n] = begin + g
        n += apart[g]
    return n


@compiled
def _keep_cells(patterns, cell_rows, cells, group, size, g, left):
    """left &= the words of the cells of a group's words."""
    one = cells[cell_rows[patterns[group[0], g]]]
    if size == 3:
        two, three = cells[cell_rows[patterns[group[1], g]]], cells[cell_rows[patterns[group[2], g]]]
        for chunk in range(len(left)):
            left[chunk] &= one[chunk] | two[chunk] | three[chunk]
        return
    some = one.copy()
    for a in range(1, size):
        some |= cells[cell_rows[patterns[group[a], g]]]
    left &= some


@compiled
def turns(first, last, groups, size, patterns, guesses, words, out):
    above, lowest = np.empty(64, np.uint64), np.empty(64, np.int64)  # of the smallest subsets: what holds them, a word
    smallest = np.empty(64, np.int64)
    everything = (1 << size) - 1
    whole = np.uint64(1) << np.uint64(everything)
    for item in range(first, last):
        group = groups[item]
        beyond = np.uint64(0)
        for a in range(1, size):
            for b in range(a):
                beyond |= HOLDING[a] & HOLDING[b]
        turn = 1
        while turn < size and beyond & whole:
            n = 0
            for some in range(3, everything + 1):
                if not beyond >> np.uint64(some) & np.uint64(1):
                    continue
                held, is_smallest = ~np.uint64(0), True
                for a in range(size):
                    if some >> a & 1:
                        held &= HOLDING[a]
                        is_smallest = is_smallest and not beyond >> np.uint64(some & ~(1 << a)) & np.uint64(1)
                if is_smallest:
                    smallest[n], above[n], lowest[n] = some, held, trailing_zeros(np.uint64(some))
                    n += 1
            solved = np.uint64(0)
            for g in range(guesses):
                failed = np.uint64(0)
                for k in range(n):
                    some, pattern, together = smallest[k], patterns[group[lowest[k]], g], True
                    for a in range(lowest[k] + 1, size):
                        if some >> a & 1 and patterns[group[a], g] != pattern:
                            together = False
                            break
                    if together:
                        failed |= above[k]
                solved |= ~failed
                if solved & whole:
                    break
            beyond &= ~solved
            turn += 1
        out[item] = turn
