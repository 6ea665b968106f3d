"""The transposition table: what the search has learnt about sets of answers, shared by all threads.

A slot has two numbers of 64 bits: the datum, and the key of the set combined with the datum by exclusive or. A slot
that two threads have written to at the same time, half each, therefore matches no key (Hyatt and Mann, A lock-less
transposition table implementation for parallel search chess engines, 2002). Four slots fill a line of the cache. If all
four are taken, the smallest set is replaced, because it is the cheapest to search again.

The key of a set is the sum of a random number for each of its answers. The probability that any two sets of a search
share a key is below (sets)^2 / 2^65: one in 700,000 for ten million sets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import inlined

WAYS = 4
GUESS_BITS = 20
_GUESS = (1 << GUESS_BITS) - 1

Memo = npt.NDArray[np.uint64]
"""uint64 (lines, WAYS * 2); the number of lines is a power of two."""


class Layout(NamedTuple):
    """The bits of a datum: the cost, the guess, a bit that says whether the cost is exact, and the size of the set."""

    cost_bits: int
    size_at: int


EQUAL = Layout(24, 48)
"""The layout without weights: the size is a number of answers."""
WEIGHTED = Layout(39, 60)
"""The layout with weights, where costs are larger: the size is a number of binary digits."""


def empty_memo(megabytes: int) -> Memo:
    """Return an empty table of at most this number of MiB."""
    lines = 1 << max(0, (megabytes << 20) // (WAYS * 16)).bit_length() - 1
    return np.zeros((lines, WAYS * 2), np.uint64)


@inlined
def recall(memo, key):
    """Return the datum of a key, or 0 if there is none."""
    line = memo[(key >> np.uint64(16)) & np.uint64(len(memo) - 1)]
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


@inlined
def _put(memo, key, datum, size_at):
    """Store a datum in place of that with the same key, or else of the one with the smallest set."""
    line = memo[(key >> np.uint64(16)) & np.uint64(len(memo) - 1)]
    least, slot = line[1] >> size_at, 0
    for way in range(WAYS):
        stored = line[2 * way + 1]
        if line[2 * way] ^ stored == key:
            slot = way
            break
        if stored >> size_at < least:
            least, slot = stored >> size_at, way
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
