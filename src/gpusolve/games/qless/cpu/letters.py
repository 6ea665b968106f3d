"""The letters of a roll, and collections of them as one number."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import inlined

ALPHABET = 26
WIDTH = 16
NO_LETTER = 255
NO_CLASS = -1


@inlined
def units_of(roll, units, kinds, shifts, masks):
    """What each letter adds to a collection of the roll's letters, and where in it the count of each kind of letter is.
    The number of kinds is returned."""
    shift, radix, n = 0, 1, 0
    for letter in range(ALPHABET):
        units[letter] = np.uint64(0)
        if roll[letter]:
            width = 0
            while 1 << width <= roll[letter]:
                width += 1
            units[letter] = np.uint64(radix) << np.uint64(32) | np.uint64(1) << np.uint64(shift)
            kinds[n], shifts[n], masks[n] = letter, np.uint64(shift), np.uint64((1 << width) - 1)
            n += 1
            shift += width + 1
            radix *= roll[letter] + 1
    return n
