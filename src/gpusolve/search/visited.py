"""The set of states that a search has visited, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled


class VisitedSet:
    """A set of rows of 64-bit words, compared in full: a hash table with open addressing, at most half full."""

    def __init__(self) -> None:
        self._rows = np.empty((0, 0), np.uint64)
        self._used = np.zeros(0, np.bool_)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Add rows to the set, and return for each whether it is new.

        Parameters
        ----------
        rows : ndarray of uint64, shape (count, words)
            Always with the same number of words.

        Returns
        -------
        ndarray of bool, shape (count,)
            True for a row that was neither in the set nor among the rows before it.
        """
        if 2 * (self._count + len(rows)) > len(self._used):
            capacity = 1 << max(12, (4 * (self._count + len(rows))).bit_length())
            old = self._rows[self._used]
            self._rows, self._used = np.empty((capacity, rows.shape[1]), np.uint64), np.zeros(capacity, np.bool_)
            if len(old):
                _add(self._rows, self._used, old, np.empty(len(old), np.bool_))
        new = np.empty(len(rows), np.bool_)
        self._count += int(_add(self._rows, self._used, np.ascontiguousarray(rows), new))
        return new


@compiled
def _add(table: Any, used: Any, rows: Any, new: Any) -> int:
    mask = np.uint64(len(used) - 1)
    added = 0
    for i in range(len(rows)):
        row = rows[i]
        mixed = np.uint64(0)
        for word in row:
            mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(31)
        slot = mixed & mask
        new[i] = True
        while used[slot]:
            same = True
            for k in range(len(row)):
                same &= table[slot, k] == row[k]
            if same:
                new[i] = False
                break
            slot = (slot + np.uint64(1)) & mask
        if new[i]:
            used[slot] = True
            table[slot] = row
            added += 1
    return added
