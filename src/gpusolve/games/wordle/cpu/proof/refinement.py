"""The columns that are worth guessing on a set of answers, where every guess is legal.

Guess A refines guess B if every cell of A lies within a cell of B; then the same holds on every subset of the answers.
So B is useless beside A unless B can be the answer. To test this, it is enough to compare the patterns of B on each
pair of neighbours within A's cells. A good guess has few such pairs, and one instruction compares 64 guesses on a pair.
For a dozen answers, a few hundred of the 12,972 guesses remain.

Most columns are refined by one of the first few. Then those that are left are scattered over all blocks of 64, so they
are copied together, again and again as they become fewer.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount
from gpusolve.backend.intrinsics.columns import WIDTH, gather, same
from gpusolve.games.wordle.cpu.proof.frames import own_column, patterns_at
from gpusolve.games.wordle.cpu.proof.memory import CELLS, COLUMNS, LAST, UNTIL

REFINERS = 300
"""Number of guesses, those with the most patterns first, that are tested for refining others."""
SETTLED = 8
"""After this number of them, the columns that are left are copied together when more than half have been refined."""


@compiled
def choose_columns(table, work, state, top):
    """Choose the columns that are worth guessing on a state whose patterns have been counted.

    These are the columns of its answers, then the columns that no other column refines, in descending order of their
    patterns. Write them to work.guesses[top.guesses:] and return their number. work.cells[level + 1, UNTIL, k] gets the
    number of columns before the first of the others that has k patterns or fewer.
    """
    level, size = state.level, state.size
    order, alive, own = work.order[level], work.alive[level], work.alive[level + 1]
    chosen = work.guesses[top.guesses :]
    for j in range(size):
        chosen[j] = own_column(table, work, state, j)
    if table.hidden_only:
        _note_counts(work, level, chosen, size, size)
        return size
    columns = work.frame[level, COLUMNS]
    useful = _sort_by_count(work.counts[level], columns, order, work.cells[level, LAST])
    blocks = (columns + WIDTH - 1) // WIDTH
    left = _set_alive(order, useful, chosen, size, own, alive, blocks)
    patterns, starts = patterns_at(table, work, level), work.starts[level]
    current, begins, is_copy, passed, width = patterns, starts, False, 0, left
    n, tried, x = size, 0, 0
    while x < useful:
        column = order[x]
        x += 1
        if not _has(own, column):
            here = passed if is_copy else column
            passed += 1
            if not _has(alive, here):
                continue
            alive[here // WIDTH] &= ~_bit(here)
            chosen[n] = column
            n += 1
            left -= 1
        if tried == REFINERS or left == 0:
            continue
        tried += 1
        pairs = _pairs_within(work, level, size, patterns, starts, begins, column)
        left -= _strike_refined(current, work, level, pairs, passed // WIDTH if is_copy else 0, blocks)
        fits = top.tables + (left + WIDTH) * size <= len(work.tables)
        if tried >= SETTLED and blocks > 1 and 2 * left < width - passed and fits:
            useful = _keep_alive(order, x, useful, own, alive, passed if is_copy else -1)
            begins = work.order[level + 1]
            blocks = _copy_columns(work, patterns, starts, size, order, x, useful, own, begins, top.tables)
            current, is_copy, passed, width = work.tables, True, 0, left
            for b in range(blocks):
                alive[b] = ~np.uint64(0)
            if left % WIDTH:
                alive[blocks - 1] = _bit(left) - np.uint64(1)
    _note_counts(work, level, chosen, size, n)
    return n


@inlined
def _bit(column):
    """Return the bit of a column in its block."""
    return np.uint64(1) << np.uint64(column % WIDTH)


@inlined
def _has(bits, column):
    """Return whether the bit of a column is set."""
    return bits[column // WIDTH] & _bit(column) != 0


@inlined
def _set_alive(order, useful, chosen, size, own, alive, blocks):
    """Set the bits `own` of the chosen columns and `alive` of the other useful ones; return the number of these."""
    for b in range(blocks):
        own[b] = 0
        alive[b] = 0
    for j in range(size):
        own[chosen[j] // WIDTH] |= _bit(chosen[j])
    left = 0
    for x in range(useful):
        if not _has(own, order[x]):
            alive[order[x] // WIDTH] |= _bit(order[x])
            left += 1
    return left


@inlined
def _pairs_within(work, level, size, patterns, starts, begins, column):
    """Set work.left and work.right to where the neighbours within the cells of a column begin; return their number."""
    left, right, last = work.left[level], work.right[level], work.cells[level, LAST]
    for pattern in range(CELLS):
        last[pattern] = -1
    pairs = 0
    for j in range(size):
        pattern = patterns[starts[j] + column]
        if last[pattern] >= 0:
            left[pairs], right[pairs] = begins[last[pattern]], begins[j]
            pairs += 1
        last[pattern] = j
    return pairs


@inlined
def _strike_refined(current, work, level, pairs, first, blocks):
    """Clear the bits of work.alive, from a block on, of columns that are equal on all pairs; return their number."""
    left, right, alive = work.left[level], work.right[level], work.alive[level]
    struck = 0
    for b in range(first, blocks):
        if alive[b]:
            refined = same(current, left, right, pairs, b * WIDTH, alive[b])
            alive[b] &= ~refined
            struck += popcount(refined)
    return struck


@inlined
def _keep_alive(order, x, useful, own, alive, passed):
    """Leave out of order[x:useful] what is neither alive nor own; return where it ends then.

    The columns of a copy are numbered in their order, those before order[x] being `passed`; -1 if there is no copy.
    """
    end = x
    for y in range(x, useful):
        column = order[y]
        is_kept = _has(own, column)
        if not is_kept:
            is_kept = _has(alive, column if passed < 0 else passed)
            passed += passed >= 0
        order[end] = column
        end += is_kept
    return end


@inlined
def _copy_columns(work, patterns, starts, size, order, x, useful, own, begins, at):
    """Copy the columns order[x:useful] that are not own to work.tables[at:]; return the number of their blocks.

    `begins` gets where the copy of each row begins; the rest of it is scratch.
    """
    n, kept = 0, begins[size:]
    for y in range(x, useful):
        if not _has(own, order[y]):
            kept[n] = order[y]
            n += 1
    stride = (n + WIDTH - 1) // WIDTH * WIDTH
    for j in range(size):
        row = at + j * stride
        begins[j] = row
        gather(patterns, starts[j], kept, n, work.tables, row)
        for y in range(n, stride):
            work.tables[row + y] = 0
    return stride // WIDTH


@inlined
def _note_counts(work, level, chosen, size, n):
    """Set work.cells[level + 1, UNTIL], as `choose_columns` says."""
    until, counts, x = work.cells[level + 1, UNTIL], work.counts[level], size
    for k in range(CELLS, -1, -1):
        while x < n and counts[chosen[x]] > k:
            x += 1
        until[k] = x


@compiled
def _sort_by_count(counts, columns, order, tally):
    """Write the columns to `order` in descending order of their counts; return how many have two or more."""
    tally[:] = 0
    for column in range(columns):
        tally[counts[column]] += 1
    position = 0
    for k in range(CELLS, -1, -1):
        tally[k], position = position, position + tally[k]
    for column in range(columns):
        k = counts[column]
        order[tally[k]] = column
        tally[k] += 1
    return tally[2]
