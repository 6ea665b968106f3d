"""`carry`, `turn` and `sift`: breadth-first search over planes of bits; ``kernels/sliding_planes.cuh`` explains it."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros

u64 = np.uint64
WORD = 64


@compiled
def carry(first, last, values, inner, to, source, into):
    word = first
    while word < last:
        run = word // inner
        value = run % values
        end = min(last, (run + 1) * inner)
        shift = (to[value] - value) * inner
        for each in range(word, end):
            into[each + shift] |= source[each]
        word = end


@compiled
def turn(first, last, words, bits, parity, odd, to, source, into):
    for group in range(first, last):
        base, variant = group * words, odd[group] ^ parity
        for word in range(words):
            left = source[base + word]
            while left:
                after = to[variant, word * WORD + trailing_zeros(left)]
                into[base + (after >> 6)] |= u64(1) << u64(after & 63)
                left &= left - u64(1)


@compiled
def sift(first, last, reached, now, level, counts):
    for word in range(first, last):
        new = reached[word] & ~(now[word] | level[word])
        level[word] = new
        counts[word] = popcount(new)
