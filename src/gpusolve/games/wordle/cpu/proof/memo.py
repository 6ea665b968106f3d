"""The transposition table: what the search has learnt about sets of answers, shared by all threads.

A slot has two numbers of 64 bits: the datum, and the key of the set combined with the datum by exclusive or. A slot
that two threads have written to at the same time, half each, therefore matches no key (Hyatt and Mann, A lock-less
transposition table implementation for parallel search chess engines, 2002). Four slots fill a line of the cache. If all
four are taken, the smallest set is replaced, because it is the cheapest to search again.

The key of a set is the sum of a random number for each of its answers. The probability that any two sets of a search
share a key is below (sets)^2 / 2^65: one in 700,000 for ten million sets.

Only the first lines are used: one of them in an empty table, and twice as many whenever they have as many sets as
lines. So a short search touches little memory, which the system would have to clear first. A thread moves the sets to
their new lines while others go on; what it overwrites or they miss meanwhile is searched again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined

WAYS = 4
GUESS_BITS = 20
_GUESS = (1 << GUESS_BITS) - 1

Memo = npt.NDArray[np.uint64]
"""uint64 (lines + 2, WAYS * 2); the number of lines is a power of two. The last two rows have MASK and COUNT."""
MASK, COUNT = 2, 1
"""Which row from the end has, as its first number, the number of lines in use minus one; the number of sets stored.

They are in different lines of the cache, because every search reads the first, and the second changes often.
"""


class Layout(NamedTuple):
    """The bits of a datum: the cost, the guess, a bit that says whether the cost is exact, and the size of the set."""

    cost_bits: int
    size_at: int


EQUAL = Layout(24, 48)
"""The layout without weights: the size is a number of answers."""
WEIGHTED = Layout(39, 60)
"""The layout with weights, where costs are larger: the size is a number of binary digits."""


def empty_memo(megabytes: int) -> Memo:
    """Return an empty table whose lines take at most this number of MiB."""
    lines = 1 << max(0, (megabytes << 20) // (WAYS * 16)).bit_length() - 1
    return np.zeros((lines + 2, WAYS * 2), np.uint64)


@inlined
def _line_of(memo, key):
    """Return the line in which a set is stored."""
    return memo[(key >> np.uint64(16)) & memo[len(memo) - MASK, 0]]


@inlined
def recall(memo, key):
    """Return the datum of a key, or 0 if there is none."""
    line = _line_of(memo, key)
    for way in range(WAYS):
        datum = line[2 * way + 1]
        if line[2 * way] ^ datum == key:
            return np.int64(datum)
    return np.int64(0)


@inlined
def remember(memo, key, size, low, exact, guess, layout):
    """Store the lower bound of a set of `size` answers, whether it is exact, and the guess that attains it."""
    rest = np.uint64(size)
    if layout.size_at == WEIGHTED.size_at:
        size = 0
        while rest:
            rest, size = rest >> np.uint64(1), size + 1
    datum = np.uint64(low) | np.uint64(guess) << np.uint64(layout.cost_bits)
    datum |= np.uint64(exact) << np.uint64(layout.cost_bits + GUESS_BITS) | np.uint64(size) << np.uint64(layout.size_at)
    _put(memo, key, datum, np.uint64(layout.size_at))


@compiled
def _grow(memo):
    """Use twice as many lines, unless all are used."""
    lines = np.int64(memo[len(memo) - MASK, 0]) + 1
    if 2 * lines > len(memo) - 2:
        return
    for i in range(lines):
        for way in range(WAYS):
            mixed, datum = memo[i, 2 * way], memo[i, 2 * way + 1]
            if (mixed ^ datum) >> np.uint64(16) & np.uint64(lines):
                memo[i + lines, 2 * way], memo[i + lines, 2 * way + 1] = mixed, datum
                memo[i, 2 * way], memo[i, 2 * way + 1] = 0, 0
    memo[len(memo) - MASK, 0] = 2 * lines - 1


@inlined
def _put(memo, key, datum, size_at):
    """Store a datum in place of that with the same key, or else of the one with the smallest set."""
    if memo[len(memo) - COUNT, 0] > memo[len(memo) - MASK, 0]:
        _grow(memo)
    line = _line_of(memo, key)
    least, slot = line[1] >> size_at, 0
    for way in range(WAYS):
        stored = line[2 * way + 1]
        if line[2 * way] ^ stored == key:
            slot = way
            break
        if stored >> size_at < least:
            least, slot = stored >> size_at, way
    if line[2 * slot + 1] == 0:
        memo[len(memo) - COUNT, 0] += np.uint64(1)
    line[2 * slot] = key ^ datum
    line[2 * slot + 1] = datum


@inlined
def low_of(datum, layout):
    """Return the lower bound of the set's cost."""
    return datum & (1 << layout.cost_bits) - 1


@inlined
def guess_of(datum, layout):
    """Return the guess that attains the bound, where it is exact."""
    return datum >> layout.cost_bits & _GUESS


@inlined
def is_exact(datum, layout):
    """Return 1 if the bound is the exact cost, else 0."""
    return datum >> layout.cost_bits + GUESS_BITS & 1
