"""The Numba twins of the kernels for patterns and partitions; ``kernels/wordle.cu`` explains the idea and the layout.

A GPU gives each guess a warp. Here one thread walks along whole rows, one array operation per row, so that LLVM turns
each loop into a few vector instructions for 64 answers.
"""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

LETTERS = 5
CELLS = 243
SOLVED = 242
CELL_ROW = 256
NEVER = 1 << 62  # higher than any cost
SMALL = 144  # below this many answers, updating the results at each answer beats clearing and scanning 243 counters


@compiled
def terms(first, last, letters, masks, answers, columns, presence, out):
    """Compute what each term adds to the pattern of each answer."""
    unclaimed = np.empty(columns, np.uint8)
    for t in range(first, last):
        letter, mask, row = letters[t], masks[t], out[t]
        row[:] = 0
        unclaimed[:] = 0
        for i in range(LETTERS):
            if presence or not mask >> i & 1:
                position = answers[i]
                for j in range(columns):
                    unclaimed[j] += position[j] == letter
        weight = 1
        for i in range(LETTERS):
            if mask >> i & 1:
                position = answers[i]
                for j in range(columns):
                    green = np.uint8(position[j] == letter)
                    yellow = np.uint8(unclaimed[j] > 0) & (green ^ np.uint8(1))
                    row[j] += np.uint8(weight) * (green + green + yellow)
                    if not presence:
                        unclaimed[j] -= yellow
            weight *= 3


@compiled
def patterns(first, last, guess_terms, terms, columns, out):
    """Compute the pattern of every guess against every answer."""
    for g in range(first, last):
        _add_terms(guess_terms[g], terms, 0, columns, out[g])


@compiled
def partition(
    first,
    last,
    guess_terms,
    guesses,
    terms,
    columns,
    starts,
    sizes,
    nlogn,
    n_patterns,
    largest,
    sum_squares,
    sum_nlogn,
    contains,
):
    """Measure how each guess splits each subset of the answers."""
    row = np.empty(columns + 8, np.uint8)
    # Four sets of counters, because consecutive patterns are often equal and an increment waits for the previous one.
    cells, counts = np.zeros((4, CELL_ROW), np.uint32), np.empty(CELL_ROW, np.uint32)
    for item in range(first, last):
        s = item // guesses
        size = sizes[s]
        _add_terms(guess_terms[item - s * guesses], terms, starts[s], size, row)
        occur, most, squares, logs = 0, 0, 0, 0
        if size < SMALL:
            for j in range(size):
                n = np.uint64(cells[0, row[j]])
                cells[0, row[j]] = n + np.uint64(1)
                occur += n == 0
                most = max(most, np.int64(n))
                squares += np.int64(n)
                logs += nlogn[n + np.uint64(1)] - nlogn[n]
            most, squares = most + 1, 2 * squares + size
            contains[item] = cells[0, SOLVED] > 0
            for j in range(size):
                cells[0, row[j]] = 0
        else:
            _count(row, size, cells)
            occurring, highest = np.uint32(0), np.uint32(0)
            for c in range(CELL_ROW):  # with 32 bits alone, so that a vector instruction takes 16 cells
                n = np.uint32(cells[0, c] + cells[1, c] + cells[2, c] + cells[3, c])
                cells[0, c] = cells[1, c] = cells[2, c] = cells[3, c] = 0
                counts[c] = n
                occurring += np.uint32(n > 0)
                highest = max(highest, n)
            for c in range(CELLS):
                n = np.uint64(counts[c])
                squares += np.int64(n * n)
                logs += nlogn[n]
            occur, most, contains[item] = np.int64(occurring), np.int64(highest), counts[SOLVED] > 0
        n_patterns[item] = occur
        largest[item] = most
        sum_squares[item] = squares
        sum_nlogn[item] = logs


@compiled
def choose(
    first,
    last,
    n_patterns,
    largest,
    sum_squares,
    sum_nlogn,
    contains,
    guesses,
    measure,
    allowed,
    words,
    contained,
    best,
):
    """Find the best guess of each subset by a measure."""
    costs = np.empty(guesses, np.int64)
    for s in range(first, last):
        here = slice(s * guesses, (s + 1) * guesses)
        inside = contains[here]
        if measure == 0:
            _costs_of(sum_nlogn[here], 1, inside, costs)
        elif measure == 1:
            _costs_of(sum_squares[here], 1, inside, costs)
        elif measure == 2:
            _costs_of(n_patterns[here], -1, inside, costs)
        else:
            _costs_of(largest[here], 1, inside, costs)
        if contained:
            for g in range(guesses):
                costs[g] = costs[g] if inside[g] else NEVER
        if words:
            for g in range(guesses):
                costs[g] = costs[g] if allowed[s, g // 32] >> np.uint32(g % 32) & 1 else NEVER
        least = NEVER
        for g in range(guesses):
            least = min(least, costs[g])
        g = 0
        while costs[g] != least:
            g += 1
        best[s] = g


@inlined
def _costs_of(numbers, sign, inside, costs):
    """Set the costs to twice the number, plus one if the guess is not in the subset."""
    for g in range(len(costs)):
        costs[g] = 2 * sign * np.int64(numbers[g]) + 1 - inside[g]


@compiled
def _add_terms(guess, terms, start, size, row):
    """Set row[:size] to the patterns of one guess against the answers from column `start` on."""
    t0, t1, t2 = terms[guess[0], start:], terms[guess[1], start:], terms[guess[2], start:]
    t3, t4 = terms[guess[3], start:], terms[guess[4], start:]
    for j in range(size):
        row[j] = t0[j] + t1[j] + t2[j] + t3[j] + t4[j]


@compiled
def _count(row, size, cells):
    """Add how often each pattern occurs in row[:size] to the four sets of counters, reading eight patterns at once."""
    eights = row[: size // 8 * 8].view(np.uint64)
    byte = np.uint64(255)
    for k in range(len(eights)):
        eight = eights[k]
        cells[0, eight & byte] += 1
        cells[1, eight >> np.uint64(8) & byte] += 1
        cells[2, eight >> np.uint64(16) & byte] += 1
        cells[3, eight >> np.uint64(24) & byte] += 1
        cells[0, eight >> np.uint64(32) & byte] += 1
        cells[1, eight >> np.uint64(40) & byte] += 1
        cells[2, eight >> np.uint64(48) & byte] += 1
        cells[3, eight >> np.uint64(56)] += 1
    for j in range(size // 8 * 8, size):
        cells[0, row[j]] += 1


@compiled
def bounds(first, last, guess_terms, guesses, terms, columns, starts, sizes, bound, best):
    """Find the minimum bound of any guess on each subset, and the first guess that attains it."""
    row = np.empty(columns + 8, np.uint8)
    seen = np.full(CELL_ROW, -1, np.int64)  # the last item that saw each pattern, so that nothing has to be cleared
    for s in range(first, last):
        size = sizes[s]
        least, first_best = 3 * size, 0
        for g in range(guesses):
            item = np.int64(s) * guesses + g
            _add_terms(guess_terms[g], terms, starts[s], size, row)
            occur = 0
            for j in range(size):
                occur += seen[row[j]] != item
                seen[row[j]] = item
            cost = 3 * size - occur - (seen[SOLVED] == item)
            if cost < least:
                least, first_best = cost, g
        bound[s] = least
        best[s] = first_best
