"""`walk` visits the strings of moves that contain no forbidden one, and `choose` finds the forbidden ones among them.

``automata/strings.py`` explains which strings are forbidden, and how the walks find them. A GPU has no twins of these.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.prefetch import prefetch

AHEAD = 64  # number of states whose filter slots are prefetched before they are read
BOX = 47
"""First bit of the bounding box in a record."""
DEPTH, VISITS, REPEATED = range(3)


class Graph(NamedTuple):
    """The cells on which the blank walks, the edges between them, and how far it may go.

    Attributes
    ----------
    start : int
        The cell in which the blank starts.
    after : ndarray of int32, shape (cells, 4)
        The cell that a move of each rank leads to, -1 for none.
    offsets : ndarray of int32, shape (cells, 2)
        Row and column of each cell relative to the start.
    rows, columns : int
        Sides of the largest bounding box.
    boxed : bool
        Whether bounding boxes are compared.
    """

    start: int
    after: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int32]
    rows: int
    columns: int
    boxed: bool


class Filter(NamedTuple):
    """A filter that finds the states that are reached twice.

    Attributes
    ----------
    slots : ndarray of uint8
        Four slots of two bits in each byte. A state's slot is 1 after its first visit and 3 after its second.
    part, parts : int
        Only the states of part `part` of `parts`, by their hash, are looked at.
    """

    slots: npt.NDArray[np.uint8]
    part: int
    parts: int


class Walk(NamedTuple):
    """A depth-first walk, which can stop after any number of visits and continue.

    Attributes
    ----------
    counters : ndarray of int64, shape (3,)
        The depth, the number of visits, and the number of visited strings whose states were reached twice.
    stack : ndarray of int64, shape (n + 1, 7)
        A level holds the cell of the blank, the state of the automaton, the next rank to try, and the extent of the box
        up, down, left and right.
    codes : ndarray of uint64, shape (n + 1, 2)
        A level holds the state's hash and the string's code.
    tiles : ndarray of int64, shape (cells,)
        The tile in each cell.
    """

    counters: npt.NDArray[np.int64]
    stack: npt.NDArray[np.int64]
    codes: npt.NDArray[np.uint64]
    tiles: npt.NDArray[np.int64]


@inlined
def _visit(hash, record, slots, records, count):
    """Count or write a string whose state is also reached by another string, as far as the filter knows."""
    slot = hash & np.uint64(4 * len(slots) - 1)
    byte, shift = np.int64(slot >> np.uint64(2)), np.int64(slot & np.uint64(3)) * 2
    seen = (slots[byte] >> shift) & 3
    if len(records):
        if seen == 3:
            records[count, 0] = hash
            records[count, 1] = record
            count += 1
    elif seen == 0:
        slots[byte] |= 1 << shift
    else:
        slots[byte] |= 2 << shift
        count += 2 if seen == 1 else 1
    return count


@compiled
def walk(budget, n, graph, table, keys, here, filter, records):
    """Continue a walk for at most `budget` visits, prefetching the filter slots of AHEAD states.

    It only counts if the filter is empty. Otherwise it fills the filter, or if there is room for records, writes one
    for each string whose state was reached twice: the state's hash, then its box and code.
    """
    counters, stack, codes, tiles = here
    slots, part, parts = filter
    depth, visits, count = counters[DEPTH], counters[VISITS], counters[REPEATED]
    end = visits + budget
    waiting, queued = np.empty((AHEAD, 2), np.uint64), 0
    address, mask = slots.ctypes.data, np.uint64(4 * len(slots) - 1)
    if visits == 0:
        visits = 1
        if n % 2 == 0 and part == 0 and len(slots):
            count = _visit(np.uint64(0), np.uint64(1), slots, records, count)
    while depth >= 0 and visits < end:
        blank, state, rank = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        if rank == 4:
            depth -= 1
            if depth >= 0:  # undo the move that led here
                tiles[blank] = tiles[stack[depth, 0]]
            continue
        stack[depth, 2] = rank + 1
        following, cell = table[state, rank], graph.after[blank, rank]
        if following < 0 or cell < 0:
            continue
        up, down, left, right = stack[depth, 3], stack[depth, 4], stack[depth, 5], stack[depth, 6]
        box = np.uint64(0)
        if graph.boxed:
            row, column = graph.offsets[cell, 0], graph.offsets[cell, 1]
            up, down, left, right = max(up, -row), max(down, row), max(left, -column), max(right, column)
            if up + down >= graph.rows or left + right >= graph.columns:
                continue
            box = np.uint64(((up * 16 + down) * 16 + left) * 16 + right)
        tile = tiles[cell]
        hash = codes[depth, 0] ^ keys[tile, cell] ^ keys[tile, blank]
        code = codes[depth, 1] << np.uint64(2) | np.uint64(rank)
        if (n - depth) % 2 == 1:
            visits += 1
            if len(slots) and (hash >> np.uint64(40)) * np.uint64(parts) >> np.uint64(24) == np.uint64(part):
                slot = queued % AHEAD
                if queued >= AHEAD:
                    count = _visit(waiting[slot, 0], waiting[slot, 1], slots, records, count)
                waiting[slot, 0], waiting[slot, 1] = hash, box << np.uint64(BOX) | code
                prefetch(np.uint64(address) + ((hash & mask) >> np.uint64(2)))
                queued += 1
        if depth + 1 < n:
            tiles[blank] = tile
            depth += 1
            stack[depth, 0], stack[depth, 1], stack[depth, 2] = cell, following, 0
            stack[depth, 3], stack[depth, 4], stack[depth, 5], stack[depth, 6] = up, down, left, right
            codes[depth, 0], codes[depth, 1] = hash, code
    for number in range(max(0, queued - AHEAD), queued):
        count = _visit(waiting[number % AHEAD, 0], waiting[number % AHEAD, 1], slots, records, count)
    counters[DEPTH], counters[VISITS], counters[REPEATED] = depth, visits, count


@compiled
def choose(n, records, smallest, start, after, forbidden):
    """Mark the forbidden strings of length n, given records that are sorted by their hash."""
    mask = np.uint64((1 << BOX) - 1)
    tiles, others = np.empty(len(after), np.int64), np.empty(len(after), np.int64)
    first = 0
    while first < len(records):
        last = first + 1
        while last < len(records) and records[last, 0] == records[first, 0]:
            last += 1
        for s in range(first, last):
            code, box = records[s, 1] & mask, records[s, 1] >> np.uint64(BOX)
            if code >> np.uint64(2 * n) == 0:
                continue
            for t in range(first, last):
                other, inner = records[t, 1] & mask, records[t, 1] >> np.uint64(BOX)
                if other < code or (smallest and inner != box):
                    within = True
                    for side in range(0, 16, 4):
                        within &= (inner >> np.uint64(side)) & 15 <= (box >> np.uint64(side)) & 15
                    if within and other != code and _equivalent(code, other, start, after, tiles, others):
                        forbidden[s] = True
                        break
        first = last


@compiled
def _equivalent(code, other, start, after, tiles, others):
    """Return whether two strings lead to the same state, since different states can have the same hash."""
    for string, places in ((code, tiles), (other, others)):
        places[:] = np.arange(len(places))
        length = 0
        while string >> np.uint64(2 * length + 2):
            length += 1
        blank = start
        for i in range(length):
            cell = after[blank, (string >> np.uint64(2 * (length - 1 - i))) & np.uint64(3)]
            places[blank], places[cell] = places[cell], start
            blank = cell
    return np.array_equal(tiles, others)
