"""What has been found out about sets of answers: one table in memory, which all threads fill.

A place holds two numbers of 64 bits: the datum, and the key of the set combined with the datum by exclusive or. So a
place that two threads wrote at once, half and half, matches no key (Hyatt and Mann, A lock-less transposition table
implementation for parallel search chess engines, 2002). Four places are one line of the cache; where all are taken, the
smallest set goes, as the cheapest to do again.

A key is the sum of a random number for each answer of the set. Two sets of a search share one with a probability below
(sets)^2 / 2^65: for ten million sets, one in 700,000.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import inlined

WAYS = 4
LOW_BITS, GUESS_BITS, SIZE_BITS = 24, 20, 16
_LOW, _GUESS = (1 << LOW_BITS) - 1, (1 << GUESS_BITS) - 1

Memo = npt.NDArray[np.uint64]
"""uint64 (lines, WAYS * 2); the lines are a power of two."""


def empty_memo(megabytes: int) -> Memo:
    """A table of at most so many MiB in which nothing is known."""
    lines = 1 << max(0, (megabytes << 20) // (WAYS * 16)).bit_length() - 1
    return np.zeros((lines, WAYS * 2), np.uint64)


@inlined
def recall(memo: Any, key: Any) -> Any:
    """The datum of a key; 0 where there is none."""
    line = memo[(key >> np.uint64(16)) & np.uint64(len(memo) - 1)]
    for way in range(WAYS):
        datum = line[2 * way + 1]
        if line[2 * way] ^ datum == key:
            return np.int64(datum)
    return np.int64(0)


@inlined
def remember(memo: Any, key: Any, size: Any, low: Any, exact: Any, guess: Any) -> Any:
    """Keeps for a set of `size` answers what it costs at least, whether just that, and by which guess."""
    head = np.uint64(low) | np.uint64(guess) << np.uint64(LOW_BITS) | np.uint64(exact) << np.uint64(44)
    datum = head | np.uint64(min(size, (1 << SIZE_BITS) - 1)) << np.uint64(48)
    line = memo[(key >> np.uint64(16)) & np.uint64(len(memo) - 1)]
    least, place = np.uint64(1 << SIZE_BITS), 0
    for way in range(WAYS):
        held = line[2 * way + 1]
        if line[2 * way] ^ held == key:
            place = way
            break
        if held >> np.uint64(48) < least:
            least, place = held >> np.uint64(48), way
    line[2 * place] = key ^ datum
    line[2 * place + 1] = datum


@inlined
def low_of(datum: Any) -> Any:
    """What the set costs at least."""
    return datum & _LOW


@inlined
def guess_of(datum: Any) -> Any:
    """The guess by which it costs that, where it is exact."""
    return datum >> LOW_BITS & _GUESS


@inlined
def is_exact(datum: Any) -> Any:
    """Whether it costs just that."""
    return datum >> 44 & 1
