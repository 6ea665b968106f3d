"""The twins of probe.cu."""

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def weigh(
    first: Any,
    last: Any,
    table: Any,
    columns: Any,
    marks: Any,
    pairs: Any,
    shift: Any,
    seed: Any,
    factor: Any,
    out: Any,
) -> None:
    for item in range(first, last):
        total = np.int64(0)
        for column in range(columns):
            total += table[item, column]
        out[item, 0] = (total << shift) + marks[item % 3] + pairs[0, 0] + pairs[0, 1]
        out[item, 1] = np.int64(seed) + np.int64(total * factor)


@njit(nogil=True, cache=True)
def count_items(first: Any, last: Any, out: Any) -> None:
    for item in range(first, last):
        out[item] += 1
