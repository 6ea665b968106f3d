"""Duplicates among the states of a batch, removed on the device that holds the states."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.backend import Array


def distinct(xp: Any, words: Array) -> Array | None:
    """Return the numbers of the columns without duplicates.

    A sort of 64-bit numbers, each made of some bits of a column's hash and the column's number, brings duplicates
    together. Whole columns are then compared, so the answer is exact.

    Parameters
    ----------
    xp : module
        The array module that `words` belongs to, NumPy or CuPy.
    words : Array of uint64, shape (words, count)
        The columns to compare.

    Returns
    -------
    Array of int64, shape (kept,), or None
        The ascending numbers of the columns kept: of equal columns, the first. None if all columns are distinct.

    Examples
    --------
    >>> import numpy as np
    >>> distinct(np, np.array([[7, 5, 7]], np.uint64)).tolist()
    [0, 1]
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
        # Different columns share a hash and may lie between two equal ones: compare these on the host.
        hashes = xp.unique(mixed[alike[~same]])
        members = xp.sort(order[xp.isin(mixed, hashes)])
        columns = words[:, members].T.tolist()
        seen: set[tuple[int, ...]] = set()
        for member, column in zip(members.tolist(), map(tuple, columns), strict=True):
            keep[member] = column not in seen
            seen.add(column)
    return None if bool(keep.all()) else xp.flatnonzero(keep)


def _hashes(xp: Any, words: Array) -> Array:
    """Return a 64-bit hash of each column, whose upper bits are mixed best."""
    mixed = xp.zeros(words.shape[1], xp.uint64)
    for word in words:
        mixed ^= word
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed
