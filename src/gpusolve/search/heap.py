"""The queue of a best-first search, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled


class Heap:
    """A binary heap of (key, item), the greatest key on top; among equal keys none moves for another's sake."""

    def __init__(self) -> None:
        self._keys = np.empty(1024, np.int32)
        self._items = np.empty(1024, np.int64)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, keys: npt.NDArray[Any], first: int) -> int:
        """Puts in item first + i with keys[i] for every i whose key is not 0; the number of these."""
        if self._size + len(keys) > len(self._keys):
            room = max(self._size + len(keys), 2 * len(self._keys))
            self._keys, self._items = np.resize(self._keys, room), np.resize(self._items, room)
        before = self._size
        self._size = int(_push(self._keys, self._items, before, keys, first))
        return self._size - before

    def pop(self, count: int) -> npt.NDArray[np.int64]:
        """Takes the items of the `count` greatest keys, or all there are, the greatest first."""
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
        place = size
        size += 1
        while place > 0:
            above = (place - 1) >> 1
            if key <= heap_keys[above]:
                break
            heap_keys[place] = heap_keys[above]
            heap_items[place] = heap_items[above]
            place = above
        heap_keys[place] = key
        heap_items[place] = first + i
    return size


@compiled
def _pop(heap_keys: Any, heap_items: Any, size: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = heap_items[0]
        size -= 1
        key, item = heap_keys[size], heap_items[size]
        place = 0
        while True:
            below = 2 * place + 1
            if below >= size:
                break
            if below + 1 < size and heap_keys[below + 1] > max(key, heap_keys[below]):
                below += 1
            elif heap_keys[below] <= key:
                break
            heap_keys[place] = heap_keys[below]
            heap_items[place] = heap_items[below]
            place = below
        heap_keys[place] = key
        heap_items[place] = item
