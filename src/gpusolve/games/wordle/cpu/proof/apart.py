"""Answers that one guess tells apart (`census.strategies`)."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.columns import WIDTH, same


@compiled
def tell_apart(flat, columns, answers, legal, taken):
    """Take one answer after the other if a guess is left that tells it from those taken before.

    `legal` has a bit for each guess. Write the answers to `taken` and return their number.
    """
    left, fewer = legal.copy(), np.zeros_like(legal)
    row, other = np.zeros(1, np.int64), np.zeros(1, np.int64)
    n = 0
    for answer in answers:
        row[0] = answer * columns
        some = np.uint64(0)
        for b in range(len(left)):
            bits = left[b]
            for i in range(n):
                if bits == 0:
                    break
                other[0] = taken[i] * columns
                bits &= ~same(flat, row, other, 1, b * WIDTH, bits)
            fewer[b] = bits
            some |= bits
        if some:
            taken[n] = answer
            n += 1
            left, fewer = fewer, left
    return n
