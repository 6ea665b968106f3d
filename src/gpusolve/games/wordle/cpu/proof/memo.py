"""The transposition table: what the search has learnt about sets of answers, shared by all threads.

A slot has two numbers of 64 bits: the datum, and the key of the set combined with the datum by exclusive or. A slot
that two threads have written to at the same time, half each, therefore matches no key (Hyatt and Mann, A lock-less
transposition table implementation for parallel search chess engines, 2002). Four slots fill a line of the cache. If all
four are taken, the smallest set is replaced, because it is the cheapest to search again.

The key of a set is the sum of a random number for each of its answers. The probability that any two sets of a search
share a key is below (sets)^2 / 2^65: one in 700,000 for ten million sets.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import inlined

WAYS = 4
LOW_BITS, GUESS_BITS, SIZE_BITS = 24, 20, 16
_LOW, _GUESS = (1 << LOW_BITS) - 1, (1 << GUESS_BITS) - 1

Memo = npt.NDArray[np.uint64]
"""uint64 (lines, WAYS * 2); the number of lines is a power of two."""


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
def remember(memo, key, size, low, exact, guess):
    """Store the lower bound of a set of `size` answers, whether it is exact, and the guess that attains it."""
    head = np.uint64(low) | np.uint64(guess) << np.uint64(LOW_BITS) | np.uint64(exact) << np.uint64(44)
    datum = head | np.uint64(min(size, (1 << SIZE_BITS) - 1)) << np.uint64(48)
    put(memo, key, datum, 48)


@inlined
def put(memo, key, datum, shift):
    """Store a datum in place of that with the same key, or else of the one whose bits from `shift` on are the least."""
    line = memo[(key >> np.uint64(16)) & np.uint64(len(memo) - 1)]
    least, slot = line[1] >> np.uint64(shift), 0
    for way in range(WAYS):
        stored = line[2 * way + 1]
        if line[2 * way] ^ stored == key:
            slot = way
            break
        if stored >> np.uint64(shift) < least:
            least, slot = stored >> np.uint64(shift), way
    line[2 * slot] = key ^ datum
    line[2 * slot + 1] = datum


@inlined
def low_of(datum):
    """Return the lower bound of the set's cost."""
    return datum & _LOW


@inlined
def guess_of(datum):
    """Return the guess that attains the bound, where it is exact."""
    return datum >> LOW_BITS & _GUESS


@inlined
def is_exact(datum):
    """Return 1 if the bound is the exact cost, else 0."""
    return datum >> 44 & 1
