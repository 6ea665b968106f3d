"""Collections of a roll's letters, each as one number."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import inlined

ALPHABET = 26
WIDTH = 16
"""Length of a row of letters."""
NO_LETTER = 255
NO_CLASS = -1


@inlined
def units_of(roll, units, kinds, shifts, masks):
    """Fill in the unit of each letter, 0 if the roll does not have it, and return the number of different letters.

    A unit is what the letter adds to a collection. `kinds` are the different letters; the count of ``kinds[d]`` in a
    collection is ``collection >> shifts[d] & masks[d]``.
    """
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
