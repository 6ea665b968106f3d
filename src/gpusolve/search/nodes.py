"""The nodes of a search that knows a state again, on the host: a table of states, and a queue of nodes by priority."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.prefetch import prefetch
from gpusolve.search.problem import MOST_COST, resized

INFINITE = 2**31 - 1
FREE = -1
NOWHERE = -1
INITIAL = 1024
AHEAD = 16  # rows whose slots are fetched while another is entered


class Nodes:
    """All states that a search has made, once each, and for each side the cheapest path known to it.

    A side is a search of its own: forward from the root, or backward from the goal. A node is the number of a state.

    Attributes
    ----------
    count : int
        Number of nodes.
    states : Array, shape (fields, capacity)
        The states, on the device.
    costs : ndarray of int32, shape (sides, capacity)
        The cost of the cheapest path known from the side's root; INFINITE if there is none.
    parents, moves : ndarray of int32 and uint16, shape (sides, capacity)
        The last step of this path.
    estimates : ndarray of int32, shape (sides, capacity)
        Each side's heuristic.
    """

    def __init__(self, backend: Backend, states: Array, words: int, sides: int) -> None:
        self.count = 0
        self._backend = backend
        self.states = backend.empty((len(states), INITIAL), states.dtype)
        self._rows = np.empty((INITIAL, words), np.uint64)
        self._slots = np.full(2 * INITIAL, FREE, np.int32)
        self.costs = np.empty((sides, INITIAL), np.int32)
        self.parents = np.empty((sides, INITIAL), np.int32)
        self.moves = np.empty((sides, INITIAL), np.uint16)
        self.estimates = np.empty((sides, INITIAL), np.int32)
        self._improved = np.empty(INITIAL, np.bool_)

    @property
    def bytes_per_node(self) -> int:
        """Bytes of memory that a node takes, with its slots and its place in a queue."""
        state = int(self.states.shape[0] * self.states.dtype.itemsize) + 8 * self._rows.shape[1]
        return state + 4 * len(self._slots) // len(self._rows) + 1 + 22 * len(self.costs)

    def enter(self, states: Array, identities: Array) -> npt.NDArray[np.int32]:
        """Return the node of each state; new states get the next numbers, with no path and no estimate yet."""
        rows = np.ascontiguousarray(self._backend.to_host(identities).T)
        self._reserve(self.count + len(rows))
        before, nodes = self.count, np.empty(len(rows), np.int32)
        firsts = np.empty(len(rows), np.int32)
        self.count = int(_enter(self._slots, self._rows, before, rows, nodes, firsts))
        if self.count > before:
            new = self._backend.asarray(firsts[: self.count - before])
            self.states[:, before : self.count] = states[:, new]
            self.costs[:, before : self.count] = INFINITE
            self._improved[before : self.count] = False
        return nodes

    def relax(
        self,
        side: int,
        nodes: npt.NDArray[np.int32],
        costs: npt.NDArray[np.int32],
        parents: npt.NDArray[np.int32],
        moves: npt.NDArray[np.uint16],
    ) -> npt.NDArray[np.int32]:
        """Keep cheaper paths to nodes, and return the nodes with one, each once. Of equal paths the first stays."""
        improved = np.empty(len(nodes), np.int32)
        arrays = self.costs[side], self.parents[side], self.moves[side], self._improved
        return improved[: int(_relax(*arrays, nodes, costs, parents, moves, improved))]

    def path(self, side: int, node: int) -> list[tuple[int, int]]:
        """Return the steps (parent, move) of the cheapest path known to a node."""
        steps: list[tuple[int, int]] = []
        while self.parents[side, node] != NOWHERE:
            steps.append((int(self.parents[side, node]), int(self.moves[side, node])))
            node = steps[-1][0]
        return steps[::-1]

    def _reserve(self, count: int) -> None:
        if count <= len(self._rows):
            return
        capacity = max(count, 2 * len(self._rows))
        rows, self._rows = self._rows, np.empty((capacity, self._rows.shape[1]), np.uint64)
        self._rows[: self.count] = rows[: self.count]
        del rows
        self.costs, self.parents = resized(self.costs, capacity), resized(self.parents, capacity)
        self.moves, self.estimates = resized(self.moves, capacity), resized(self.estimates, capacity)
        self._improved = resized(self._improved, capacity)
        states, self.states = self.states, self._backend.empty((len(self.states), capacity), self.states.dtype)
        self.states[:, : self.count] = states[:, : self.count]
        self._slots = np.full(1 << (2 * capacity - 1).bit_length(), FREE, np.int32)
        _place(self._slots, self._rows, self.count)


class Queue:
    """Open nodes by priority, the least first, and of equal ones the last that came.

    There is a stack for each priority. A node whose priority changes is pushed again, and `pop` returns it from
    its old place as well.
    """

    def __init__(self) -> None:
        self.least = 0
        """No node has a lower priority."""
        self.size = 0
        """Number of entries."""
        self._tops = np.full(64, NOWHERE, np.int32)
        self._counts = np.zeros(64, np.int32)
        self._entries = np.empty((INITIAL, 2), np.int32)  # a node, and the entry below it
        self._state = np.array([0, NOWHERE], np.int64)  # number of entries made, and the first one that is free again

    def push(self, nodes: npt.NDArray[np.int32], priorities: npt.NDArray[np.int32]) -> None:
        """Push nodes with their priorities, from 0 to MOST_COST."""
        if not len(nodes):
            return
        low, high = int(priorities.min()), int(priorities.max())
        assert 0 <= low <= high <= MOST_COST
        if high >= len(self._tops):
            old = len(self._tops)
            self._tops, self._counts = resized(self._tops, 2 * high), resized(self._counts, 2 * high)
            self._tops[old:], self._counts[old:] = NOWHERE, 0
        if self._state[0] + len(nodes) > len(self._entries):
            entries, self._entries = self._entries, np.empty((2 * len(self._entries) + len(nodes), 2), np.int32)
            self._entries[: len(entries)] = entries
        _push(self._tops, self._counts, self._entries, self._state, nodes, priorities)
        self.least = low if not self.size else min(self.least, low)
        self.size += len(nodes)

    @property
    def waiting(self) -> int:
        """Number of entries of the least priority."""
        return int(self._counts[self.least])

    def pop(self, count: int) -> npt.NDArray[np.int32]:
        """Remove and return up to `count` nodes of the least priority; none if the queue is empty."""
        nodes = np.empty(min(count, self.waiting), np.int32)
        _pop(self._tops, self._counts, self._entries, self._state, self.least, nodes)
        self.size -= len(nodes)
        if self.size and not self._counts[self.least]:
            self.least += int(np.argmax(self._counts[self.least :] > 0))
        return nodes


@inlined
def _hash(row: Any) -> Any:
    mixed = np.uint64(0)
    for word in row:
        mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ mixed >> np.uint64(32)


@compiled
def _enter(slots: Any, rows: Any, count: int, given: Any, nodes: Any, firsts: Any) -> int:
    mask, base = np.uint64(len(slots) - 1), np.uint64(slots.ctypes.data)
    hashed = np.empty(AHEAD, np.uint64)
    before = count
    for begin in range(0, len(given), AHEAD):
        end = min(len(given), begin + AHEAD)
        for item in range(begin, end):
            hashed[item - begin] = _hash(given[item]) & mask
            prefetch(base + hashed[item - begin] * np.uint64(4))
        for item in range(begin, end):
            slot = hashed[item - begin]
            while True:
                node = slots[slot]
                if node == FREE:
                    node = np.int32(count)
                    slots[slot] = node
                    firsts[count - before] = item
                    for word in range(given.shape[1]):
                        rows[node, word] = given[item, word]
                    count += 1
                    break
                same = True
                for word in range(given.shape[1]):
                    same &= rows[node, word] == given[item, word]
                if same:
                    break
                slot = (slot + np.uint64(1)) & mask
            nodes[item] = node
    return count


@compiled
def _place(slots: Any, rows: Any, count: int) -> None:
    mask = np.uint64(len(slots) - 1)
    for node in range(count):
        slot = _hash(rows[node]) & mask
        while slots[slot] != FREE:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = node


@compiled
def _relax(
    known: Any, known_parents: Any, known_moves: Any, improved: Any, nodes: Any, costs: Any, parents: Any, moves: Any,
    out: Any,
) -> int:  # fmt: skip
    count = 0
    for item in range(len(nodes)):
        node = nodes[item]
        if costs[item] < known[node]:
            known[node], known_parents[node], known_moves[node] = costs[item], parents[item], moves[item]
            if not improved[node]:
                improved[node] = True
                out[count] = node
                count += 1
    for item in range(count):
        improved[out[item]] = False
    return count


@compiled
def _push(tops: Any, counts: Any, entries: Any, state: Any, nodes: Any, priorities: Any) -> None:
    for item in range(len(nodes)):
        entry = state[1]
        if entry == NOWHERE:
            entry = state[0]
            state[0] += 1
        else:
            state[1] = entries[entry, 1]
        priority = priorities[item]
        entries[entry, 0], entries[entry, 1] = nodes[item], tops[priority]
        tops[priority] = entry
        counts[priority] += 1


@compiled
def _pop(tops: Any, counts: Any, entries: Any, state: Any, priority: int, out: Any) -> None:
    for item in range(len(out)):
        entry = tops[priority]
        out[item] = entries[entry, 0]
        tops[priority] = entries[entry, 1]
        entries[entry, 1] = state[1]
        state[1] = entry
    counts[priority] -= len(out)
