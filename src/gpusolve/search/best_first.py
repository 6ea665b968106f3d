"""Best-first search over batches of states that may live on a device: the queue is on the host.

The most promising states are taken a batch at a time, those that were visited are dropped, the rest is expanded by one
call. A state waits in the queue as its key, its parent and its move only; it is made when it is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from gpusolve.search.beam import Make

Keys = Callable[[Any], Any]
"""(states) -> the priority of every move of each state: unsigned integers (count, moves), 0 where not allowed."""
Values = Callable[[Any], Any]
"""(states) -> what the search maximises, int32 (count,)."""
Visited = Callable[[Any], Any]
"""(states) -> uint64 (count, words): states with the same words are expanded once."""


@dataclass(frozen=True)
class Found:
    """The best state taken from the queue: its value, the moves to it; and what the search did.

    `expanded` counts the states taken, visited before or not, `generated` the states put into the queue. `exhausted`:
    the queue ran empty, so every state that is not taken for a visited one was seen.
    """

    value: int
    moves: list[int]
    expanded: int
    generated: int
    seconds: float
    exhausted: bool


def best_first(
    xp: Any,
    root: Any,
    keys: Keys,
    make: Make,
    values: Values,
    visited: Visited,
    limit: int,
    batch: int = 4096,
    time_limit: float = float("inf"),
    progress: Callable[[int], None] = lambda expanded: None,
) -> Found:
    """Takes at most `limit` states from the queue, `batch` at a time, for at most `time_limit` seconds.

    `root` is one column, (fields, 1). A batch of one gives the textbook's order; the queue is a binary heap, in which a
    state does not overtake an equal one on its way up or down. Of the best states the first one taken is given.
    """
    begin = time.monotonic()
    queue, seen = Heap(), VisitedSet()
    store = _Store(xp, root.shape[0], root.dtype)
    taken, parents, moves = root, np.full(1, -1, np.int64), np.zeros(1, np.uint8)
    best, best_parent, best_move = -1, -1, 0
    expanded = generated = width = 0
    while True:
        expanded += taken.shape[1]
        progress(expanded)
        value = values(taken)
        top = int(value.argmax())
        if int(value[top]) > best:
            best, best_parent, best_move = int(value[top]), int(parents[top]), int(moves[top])
        fresh = np.flatnonzero(seen.add(_host(visited(taken))))
        if len(fresh):
            if len(fresh) < taken.shape[1]:
                taken, parents, moves = taken[:, xp.asarray(fresh)], parents[fresh], moves[fresh]
            first = store.append(xp.ascontiguousarray(taken), parents, moves)
            found = _host(keys(taken))
            width = found.shape[1]
            generated += queue.push(found.reshape(-1), first * width)
        if not len(queue) or expanded >= limit or time.monotonic() - begin >= time_limit:
            break
        items = queue.pop(min(batch, limit - expanded))
        parents, moves = items // width, (items % width).astype(np.uint8)
        taken = make(store.states, xp.asarray(parents.astype(np.int32)), xp.asarray(moves))
    path = [] if best_parent < 0 else [*store.path(best_parent), best_move]
    return Found(best, path, expanded, generated, time.monotonic() - begin, not len(queue))


def _host(array: Any) -> npt.NDArray[Any]:
    return np.asarray(array.get() if hasattr(array, "get") else array)


class _Store:
    """The expanded states, on the device, with the way that each came, on the host."""

    def __init__(self, xp: Any, fields: int, dtype: Any) -> None:
        self._xp = xp
        self._count = 0
        self.states = xp.zeros((fields, 1024), dtype)
        self._parents = np.zeros(1024, np.int32)
        self._moves = np.zeros(1024, np.uint8)

    def append(self, states: Any, parents: npt.NDArray[np.int64], moves: npt.NDArray[np.uint8]) -> int:
        """Keeps these states; the number of the first of them."""
        first, last = self._count, self._count + states.shape[1]
        if last > len(self._moves):
            room = max(last, 2 * len(self._moves))
            grown = self._xp.zeros((len(self.states), room), self.states.dtype)
            grown[:, :first] = self.states[:, :first]
            self.states = grown
            self._parents, self._moves = np.resize(self._parents, room), np.resize(self._moves, room)
        self.states[:, first:last] = states
        self._parents[first:last], self._moves[first:last] = parents, moves
        self._count = last
        return first

    def path(self, number: int) -> list[int]:
        """The moves from the root to a state."""
        moves: list[int] = []
        while self._parents[number] >= 0:
            moves.append(int(self._moves[number]))
            number = int(self._parents[number])
        return moves[::-1]


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


@njit(nogil=True, cache=True)
def _push(heap_keys: Any, heap_items: Any, size: int, keys: Any, first: int) -> int:
    for i in range(len(keys)):
        key = np.int32(keys[i])
        if key == 0:
            continue
        at = size
        size += 1
        while at > 0:
            above = (at - 1) >> 1
            if key <= heap_keys[above]:
                break
            heap_keys[at] = heap_keys[above]
            heap_items[at] = heap_items[above]
            at = above
        heap_keys[at] = key
        heap_items[at] = first + i
    return size


@njit(nogil=True, cache=True)
def _pop(heap_keys: Any, heap_items: Any, size: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = heap_items[0]
        size -= 1
        key, item = heap_keys[size], heap_items[size]
        at = 0
        while True:
            below = 2 * at + 1
            if below >= size:
                break
            if below + 1 < size and heap_keys[below + 1] > max(key, heap_keys[below]):
                below += 1
            elif heap_keys[below] <= key:
                break
            heap_keys[at] = heap_keys[below]
            heap_items[at] = heap_items[below]
            at = below
        heap_keys[at] = key
        heap_items[at] = item


class VisitedSet:
    """A set of rows of 64-bit words, compared whole: open addressing, at most half full."""

    def __init__(self) -> None:
        self._rows = np.empty((0, 0), np.uint64)
        self._used = np.zeros(0, np.bool_)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Adds the rows; which of them were not in the set, nor among the rows before them."""
        if 2 * (self._count + len(rows)) > len(self._used):
            room = 1 << max(12, (4 * (self._count + len(rows))).bit_length())
            old = self._rows[self._used]
            self._rows, self._used = np.empty((room, rows.shape[1]), np.uint64), np.zeros(room, np.bool_)
            if len(old):
                _add(self._rows, self._used, old, np.empty(len(old), np.bool_))
        new = np.empty(len(rows), np.bool_)
        self._count += int(_add(self._rows, self._used, np.ascontiguousarray(rows), new))
        return new


@njit(nogil=True, cache=True)
def _add(table: Any, used: Any, rows: Any, new: Any) -> int:
    mask = np.uint64(len(used) - 1)
    added = 0
    for i in range(len(rows)):
        row = rows[i]
        mixed = np.uint64(0)
        for word in row:
            mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(31)
        at = mixed & mask
        new[i] = True
        while used[at]:
            same = True
            for k in range(len(row)):
                same &= table[at, k] == row[k]
            if same:
                new[i] = False
                break
            at = (at + np.uint64(1)) & mask
        if new[i]:
            used[at] = True
            table[at] = row
            added += 1
    return added
