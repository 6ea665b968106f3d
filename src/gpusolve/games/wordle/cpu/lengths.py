"""Words of more than five letters: the Numba twins of their kernels, and how their guesses split answers.

The latter has no CUDA twin, because the counters of up to 531,441 patterns do not fit in a block's shared memory: a
GPU computes the patterns, and its host counts them.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled


@compiled
def terms_16(first, last, letters, masks, answers, length, columns, presence, out):
    """Compute what each term adds to the pattern of each answer, in 16 bits."""
    _terms(first, last, letters, masks, answers, length, columns, presence, out)


@compiled
def terms_32(first, last, letters, masks, answers, length, columns, presence, out):
    """Compute what each term adds to the pattern of each answer, in 32 bits."""
    _terms(first, last, letters, masks, answers, length, columns, presence, out)


@compiled
def _terms(first, last, letters, masks, answers, length, columns, presence, out):
    unclaimed = np.empty(columns, np.uint8)
    for t in range(first, last):
        letter, mask, row = letters[t], masks[t], out[t]
        row[:] = 0
        unclaimed[:] = 0
        for i in range(length):
            if presence or not mask >> i & 1:
                position = answers[i]
                for j in range(columns):
                    unclaimed[j] += position[j] == letter
        weight = 1
        for i in range(length):
            if mask >> i & 1:
                position = answers[i]
                for j in range(columns):
                    green = np.uint8(position[j] == letter)
                    yellow = np.uint8(unclaimed[j] > 0) & (green ^ np.uint8(1))
                    row[j] += np.uint32(weight) * np.uint32(green + green + yellow)
                    if not presence:
                        unclaimed[j] -= yellow
            weight *= 3


@compiled
def patterns_16(first, last, guess_terms, length, terms, columns, out):
    """Compute the pattern of every guess against every answer, in 16 bits."""
    for g in range(first, last):
        _add_terms(guess_terms[g], length, terms, columns, out[g])


@compiled
def patterns_32(first, last, guess_terms, length, terms, columns, out):
    """Compute the pattern of every guess against every answer, in 32 bits."""
    for g in range(first, last):
        _add_terms(guess_terms[g], length, terms, columns, out[g])


@compiled
def _add_terms(guess, length, terms, columns, row):
    """Set a row to the patterns of a guess of at least six letters."""
    t0, t1, t2 = terms[guess[0]], terms[guess[1]], terms[guess[2]]
    t3, t4, t5 = terms[guess[3]], terms[guess[4]], terms[guess[5]]
    for j in range(columns):
        row[j] = t0[j] + t1[j] + t2[j] + t3[j] + t4[j] + t5[j]
    for i in range(6, length):
        more = terms[guess[i]]
        for j in range(columns):
            row[j] += more[j]


@compiled
def measure(matrix, members, sizes, cells, nlogn, begin, n_patterns, largest, sum_squares, sum_nlogn, contains):
    """Write the measures of the guesses of a matrix, which are number `begin` and those after it, on each subset.

    `members`, int64, are the subsets, one after the other, and `cells` is the number of patterns, of which the last is
    solved.
    """
    number = np.zeros(cells, np.int32)
    at = 0
    for s in range(len(sizes)):
        chosen = members[at : at + sizes[s]].view(np.uint64)  # a signed index would be compared with 0 each time
        for g in range(len(matrix)):
            row = matrix[g]
            occur, most, squares, logs = 0, np.int64(0), np.int64(0), 0
            for member in chosen:
                code = row[member]
                before = np.uint32(number[code])
                n = before + np.uint32(1)
                number[code] = n
                occur += before == 0
                most = max(most, np.int64(n))
                squares += np.int64(before) + np.int64(n)
                logs += nlogn[n] - nlogn[before]
            item = begin + g
            contains[s, item] = number[cells - 1] > 0
            for member in chosen:
                number[row[member]] = 0
            n_patterns[s, item], largest[s, item] = occur, most
            sum_squares[s, item], sum_nlogn[s, item] = squares, logs
        at += sizes[s]


@compiled
def rank_patterns(codes, solved, seen, ranks):
    """Write the patterns of each column as bytes: from 0 in the order in which they occur, and 242 for `solved`.

    `codes` and `ranks` have the same shape, and `seen` is -1 for each pattern. A column with more than 242 patterns
    beside `solved` is set to 0, as if it told no two rows apart. Return how many columns that are.
    """
    left_out = 0
    for column in range(codes.shape[1]):
        n = 0
        for row in range(len(codes)):
            code = codes[row, column]
            if code == solved:
                ranks[row, column] = 242
                continue
            if seen[code] < 0:
                seen[code] = n
                n += 1
            ranks[row, column] = min(seen[code], 241)
        for row in range(len(codes)):
            seen[codes[row, column]] = -1
        if n > 242:
            left_out += 1
            for row in range(len(codes)):
                ranks[row, column] = 0
    return left_out


@compiled
def bound_guesses(codes, weights, heaviest, bounds):
    """Write a lower bound on the total of guesses over all rows for the guess of each column.

    A row has the guess's patterns of an answer, and its weight. A guess finds its own answer first and the heaviest
    answer of each other cell next; others need three guesses. `heaviest` is 0 for each pattern, and stays so.
    """
    solved, mass = len(heaviest) - 1, weights.sum()
    for column in range(codes.shape[1]):
        bound = 3 * mass
        for row in range(len(codes)):
            code, weight = codes[row, column], weights[row]
            if code == solved:
                bound -= 2 * weight
            elif weight > heaviest[code]:
                bound -= weight - heaviest[code]
                heaviest[code] = weight
        for row in range(len(codes)):
            heaviest[codes[row, column]] = 0
        bounds[column] = bound
