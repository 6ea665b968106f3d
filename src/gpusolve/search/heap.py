"""The queue of a best-first search, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled


class Heap:
    """A binary heap of keys and items with the greatest key on top. A key never moves past an equal one."""

    def __init__(self) -> None:
        self._keys = np.empty(1024, np.int32)
        self._items = np.empty(1024, np.int64)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, keys: npt.NDArray[Any], first: int) -> int:
        """Push the items whose key is not 0, and return how many there are.

        Parameters
        ----------
        keys : ndarray of unsigned integers below 2^31, shape (count,)
            The key of each item; 0 for an item to leave out.
        first : int
            The first item: ``keys[i]`` is the key of item ``first + i``.
        """
        if self._size + len(keys) > len(self._keys):
            capacity = max(self._size + len(keys), 2 * len(self._keys))
            self._keys, self._items = np.resize(self._keys, capacity), np.resize(self._items, capacity)
        before = self._size
        self._size = int(_push(self._keys, self._items, before, keys, first))
        return self._size - before

    def pop(self, count: int) -> npt.NDArray[np.int64]:
        """Remove and return the items with the `count` greatest keys, greatest first; all items if there are fewer."""
        out = np.empty(min(count, self._size), np.int64)
        _pop(self._keys, self._items, self._size, out)
        self._size -= len(out)
        return out


@compiled
def _push(heap_keys: Any, heap_items: Any, size: int, keys: Any, first: int) -> int:
    for i in range(len(keys)):
        key = np.int32(keys[i])
        if key == 0:
            continue
        position = size
        size += 1
        while position > 0:
            above = (position - 1) >> 1
            if key <= heap_keys[above]:
                break
            heap_keys[position] = heap_keys[above]
            heap_items[position] = heap_items[above]
            position = above
        heap_keys[position] = key
        heap_items[position] = first + i
    return size


@compiled
def _pop(heap_keys: Any, heap_items: Any, size: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = heap_items[0]
        size -= 1
        key, item = heap_keys[size], heap_items[size]
        position = 0
        while True:
            below = 2 * position + 1
            if below >= size:
                break
            if below + 1 < size and heap_keys[below + 1] > max(key, heap_keys[below]):
                below += 1
            elif heap_keys[below] <= key:
                break
            heap_keys[position] = heap_keys[below]
            heap_items[position] = heap_items[below]
            position = below
        heap_keys[position] = key
        heap_items[position] = item
