"""The rules, for every solution that a search returns."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import borrowing, compiled
from gpusolve.games.qless.cpu.hashing import is_known
from gpusolve.games.qless.cpu.shapes import ROW
from gpusolve.games.qless.rules import MAX_LETTERS

MOST_RUNS = 2 * MAX_LETTERS
"""More words than a grid can have: each letter is in one across and one down at most."""


@compiled
def first_wrong(
    rolls, owners, cells, shape, fill, min_length, touching, no_repeats, heads, tails
):  # fmt: skip
    """Return the index of the first solution that breaks a rule, or -1. Solution i is of roll ``owners[i]``."""
    n = fill.shape[1]
    # Four bits count each letter, 16 letters in each number; the last bit of the second is for what is no letter.
    units = np.zeros((256, 2), np.uint64)
    units[26:, 1] = np.uint64(1) << np.uint64(60)
    for letter in range(26):
        units[letter, letter // 16] = np.uint64(1) << np.uint64(4 * (letter % 16))
    owner, low, high = -1, np.uint64(0), np.uint64(0)
    runs = np.zeros((len(cells), MOST_RUNS + 1), np.uint64)  # of a shape, when its first solution is checked
    used = np.zeros((MOST_RUNS, 2), np.uint64)  # the words of a solution, packed
    for i in range(len(fill)):
        if not 0 <= shape[i] < len(cells):
            return i
        if owners[i] != owner:
            owner, low, high = owners[i], np.uint64(0), np.uint64(0)
            for letter in range(26):
                low += units[letter, 0] * np.uint64(rolls[owner, letter])
                high += units[letter, 1] * np.uint64(rolls[owner, letter])
        here = runs[shape[i]]
        if here[0] == 0 and not _find_runs(cells[shape[i]], min_length, touching, here):
            return i
        low_here = high_here = np.uint64(0)
        for k in range(n):
            low_here += units[fill[i, k], 0]
            high_here += units[fill[i, k], 1]
        if low_here != low or high_here != high:
            return i
        for number in range(MOST_RUNS):
            run = here[number]
            if run == 0:
                break
            head, tail = _packed(fill[i], run)
            seen = i > 0 and used[number, 0] == head and used[number, 1] == tail  # consecutive solutions share words
            if not (seen or is_known(heads, tails, head, tail)):
                return i
            for other in range(number if no_repeats else 0):
                if used[other, 0] == head and used[other, 1] == tail:
                    return i
            used[number, 0], used[number, 1] = head, tail
    return -1


@borrowing
def _packed(letters, run):
    """Return the word that a solution has in a run of its shape, as in the table of words."""
    head = tail = np.uint64(0)
    for j in range(np.int64(run >> np.uint64(56))):
        code = np.uint64(letters[run >> np.uint64(4 * j) & np.uint64(15)]) + np.uint64(1)
        if j < 12:
            head |= code << np.uint64(5 * j)
        else:
            tail |= code << np.uint64(5 * (j - 12))
    return head, tail


@compiled
def _find_runs(cells, min_length, touching, runs):
    """Find the words of a shape. Return whether the shape is legal: connected, with every letter in a word.

    A word is written as its length, above 56 bits, and the indices of its cells, four bits each.
    """
    n, side, count = len(cells), ROW + 2, 0
    grid, covered = np.full(side * side, -1, np.int64), np.zeros(n, np.bool_)  # index of the cell; -1: empty
    for k in range(n):
        at = (cells[k] // ROW + 1) * side + cells[k] % ROW + 1
        if grid[at] >= 0:
            return False
        grid[at] = k
    for at in range(side, side * (side - 1)):
        for step in (1, side):
            if grid[at] < 0 or grid[at - step] >= 0 or grid[at + step] < 0:
                continue
            length, run = 0, np.uint64(0)
            while grid[at + length * step] >= 0:
                run |= np.uint64(grid[at + length * step]) << np.uint64(4 * length)
                length += 1
            if touching and length == 2:
                continue
            if length < min_length or count == MOST_RUNS:
                return False
            for j in range(length):
                covered[grid[at + j * step]] = True
            runs[count] = run | np.uint64(length) << np.uint64(56)
            count += 1
    reached, waiting, queued = 0, np.empty(4 * n + 1, np.int64), 1
    waiting[0] = (cells[0] // ROW + 1) * side + cells[0] % ROW + 1
    while queued:  # empty the grid from the first cell on
        queued -= 1
        at = waiting[queued]
        if grid[at] >= 0:
            grid[at] = -1
            reached += 1
            for step in (1, side, -1, -side):
                waiting[queued] = at + step
                queued += 1
    for k in range(n):
        if not covered[k]:
            return False
    return bool(reached == n)
