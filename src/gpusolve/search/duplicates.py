"""Duplicates among the states of a batch, found where the states live."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.backend import Array


def distinct(xp: Any, words: Array) -> Array | None:
    """The numbers, ascending, of the columns without duplicates, of which the first stays; None if all are distinct.

    `words` are uint64 (words, count), `xp` is the array module that they belong to. A sort of 64-bit numbers, some bits
    a column's hash and the rest its number, brings duplicates together; whole columns are then compared, so that the
    answer is exact.
    """
    count = words.shape[1]
    bits = max(1, (count - 1).bit_length())
    mask = np.uint64((1 << bits) - 1)
    mixed = _hashes(xp, words)
    mixed &= ~mask
    mixed |= xp.arange(count, dtype=xp.uint64)
    mixed.sort()
    order = (mixed & mask).astype(xp.int64)
    mixed >>= np.uint64(bits)
    alike = xp.flatnonzero(mixed[1:] == mixed[:-1])
    if len(alike) == 0:
        return None
    a, b = order[alike], order[alike + 1]
    same = (words[:, a] == words[:, b]).all(axis=0)
    keep = xp.ones(count, bool)
    keep[b[same]] = False
    if not bool(same.all()):
        # Different columns with one hash, perhaps between two that are the same: settle these on the host.
        hashes = xp.unique(mixed[alike[~same]])
        members = xp.sort(order[xp.isin(mixed, hashes)])
        columns = words[:, members].T.tolist()
        seen: set[tuple[int, ...]] = set()
        for member, column in zip(members.tolist(), map(tuple, columns), strict=True):
            keep[member] = column not in seen
            seen.add(column)
    return None if bool(keep.all()) else xp.flatnonzero(keep)


def _hashes(xp: Any, words: Array) -> Array:
    """A 64-bit hash of each column, the upper bits the better mixed."""
    mixed = xp.zeros(words.shape[1], xp.uint64)
    for word in words:
        mixed ^= word
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed
