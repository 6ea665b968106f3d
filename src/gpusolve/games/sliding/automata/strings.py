"""Duplicate operator strings: sequences of moves that a search need never make (Taylor and Korf 1993).

Two strings of moves that take the blank and all tiles to the same cells are *equivalent*. One of two equivalent strings
can be forbidden: a search that has just made it turns back. A string is forbidden only if an equivalent string that is
no longer can be made wherever it can be made. The choice says which of the two is forbidden:

- ``first``: s is forbidden if an equivalent string t comes before it in shortlex order and t's bounding box lies within
  that of s, so that t stays on the board wherever s does. (Before means that t is shorter, or of the same length and
  earlier by the alphabet U D L R.)
- ``smallest``: s is forbidden if t has a smaller box within that of s, or the same box and comes first by the alphabet
  U R L D. These are the published strings, 18,414 of them up to length 14.
- ``square``, for each start square separately, uses no boxes: s is forbidden if an equivalent string t, on the board
  around that square, comes before it in shortlex order.

Why ``first`` and ``square`` lose no optimal solution: of all optimal solutions of a board, take the first in shortlex
order. If it contained a forbidden string s, then replacing s by t would give another solution that is legal, no longer,
and earlier in shortlex order, because adding the same moves before or after two strings does not change which of them
comes first. That is a contradiction. For ``smallest`` the argument fails where the string with the smaller box comes
later in the order, which is so for 16 of the 18,414 strings. There, the evidence is that the optimal lengths of all 2x4
and 3x3 boards are still reached (tests/games/sliding). The search uses ``first``.

The strings of length n follow from the shorter ones: walk all strings of length n that contain no forbidden string, and
look for those that lead to the same state as another string. So no forbidden string contains another one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.prefetch import prefetch
from gpusolve.games.sliding.automata.grounds import Choice, Codes, Ground
from gpusolve.games.sliding.automata.trie import transitions
from gpusolve.runs.seeds import mix_all

MOST_DEPTH = 23
"""Maximum length of a string: its moves, of 2 bits each, and its bounding box fit into a word of 64 bits."""
MEMORY = 1 << 30
"""Bytes of the filter that finds the states that are reached twice."""
LOAD = 12  # minimum number of filter slots per state
GROWTH = 7  # strings with two moves more lead to about this many times more states
SLICE = 1 << 24  # visits between two calls of `progress`, so that a signal is noticed
AHEAD = 64  # number of states whose filter slots are prefetched before they are read
BOX = 47  # first bit of the bounding box in a record


def strings_of_length(
    n: int,
    shorter: list[Codes],
    grounds: list[Ground],
    *,
    choice: Choice,
    memory: int = MEMORY,
    progress: Callable[[int], None] = lambda visits: None,
) -> list[Codes]:
    """Return the forbidden strings of n moves for each ground, as sorted codes.

    Parameters
    ----------
    n : int
        Number of moves.
    shorter : list of ndarray of uint64
        All shorter forbidden strings of each ground.
    grounds : list of Ground
        The grounds, from `grounds_of`.
    choice : {"first", "smallest", "square"}
        Which of two equivalent strings is forbidden.
    memory : int, default 1 GiB
        Bytes of the filter. If it is too small for all states, they are searched in several parts.
    progress : callable, optional
        Called regularly with the number of strings visited since the last call. An exception from it ends the work.
    """
    table, starts = transitions(shorter, grounds)
    return [
        _strings_of_ground(_Walks(n, ground, table, int(start), progress), choice, memory)
        for ground, start in zip(grounds, starts, strict=True)
    ]


def _strings_of_ground(walks: _Walks, choice: Choice, memory: int) -> Codes:
    """Return the forbidden strings of one ground, sorted."""
    n, ground = walks.n, walks.ground
    states = GROWTH * walks.shorter_by_two().count()
    slots = min(4 * memory, 1 << (LOAD * states).bit_length())
    parts = -(-LOAD * states // slots)
    strings = [np.empty(0, np.uint64)]
    for part in range(parts):
        records = walks.repeated(np.zeros(slots // 4, np.uint8), part, parts)
        records = records[np.argsort(records[:, 0])]
        forbidden = np.zeros(len(records), np.bool_)
        _choose(n, records, choice == "smallest", ground.start, ground.after, forbidden)
        strings.append(records[forbidden, 1] & np.uint64((1 << BOX) - 1))
    return np.sort(np.concatenate(strings))


class _Walks:
    """Walks over all strings of length n, n - 2, n - 4 ... that contain no forbidden string."""

    def __init__(
        self, n: int, ground: Ground, table: npt.NDArray[np.int32], root: int, progress: Callable[[int], None]
    ) -> None:
        self.n, self.ground, self._table, self._root, self._progress = n, ground, table, root, progress
        cells = len(ground.after)
        self._keys = mix_all(np.arange(1, cells * cells + 1, dtype=np.uint64) << np.uint64(20)).reshape(cells, cells)

    def shorter_by_two(self) -> _Walks:
        """Return the walks over strings of length n - 2, n - 4 ..."""
        return _Walks(self.n - 2, self.ground, self._table, self._root, self._progress)

    def count(self) -> int:
        """Return the number of strings."""
        return self._walk(np.empty(0, np.uint8), np.empty((0, 2), np.uint64), 0, 1)[0]

    def repeated(self, filter: npt.NDArray[np.uint8], part: int, parts: int) -> npt.NDArray[np.uint64]:
        """Return the strings whose states are reached twice, as far as the filter can tell: uint64 (strings, 2).

        Each row is the hash of the state, then box and code of the string. There are two walks. The first fills the
        filter: a state's slot is 1 after its first visit and 3 after its second. The other writes down the strings
        whose slot is 3. Only the states of one part, by their hash, are looked at.
        """
        records = np.empty((0, 2), np.uint64)
        count = self._walk(filter, records, part, parts)[1]
        if count:
            records = np.empty((count, 2), np.uint64)
            self._walk(filter, records, part, parts)
        return records

    def _walk(
        self, filter: npt.NDArray[np.uint8], records: npt.NDArray[np.uint64], part: int, parts: int
    ) -> tuple[int, int]:
        """Walk once. Return the number of strings, and the number of them whose states were reached twice."""
        ground = self.ground
        stack, codes = np.zeros((self.n + 1, 7), np.int64), np.zeros((self.n + 1, 2), np.uint64)
        stack[0, :2], codes[0, 1] = (ground.start, self._root), 1
        tiles = np.arange(len(ground.after))
        at = np.zeros(3, np.int64)  # depth, visits, strings whose states were reached twice
        while at[0] >= 0:
            _walk(
                SLICE, self.n, at, stack, codes, tiles, ground.after, ground.offsets, ground.rows, ground.columns,
                ground.boxed, self._table, self._keys, filter, part, parts, records,
            )  # fmt: skip
            self._progress(SLICE)
        return int(at[1]), int(at[2])


@inlined
def _visit(hash: Any, record: Any, filter: Any, records: Any, count: Any) -> Any:
    """Count or write a string whose state is also reached by another string, as far as the filter knows."""
    slot = hash & np.uint64(4 * len(filter) - 1)
    byte, shift = np.int64(slot >> np.uint64(2)), np.int64(slot & np.uint64(3)) * 2
    seen = (filter[byte] >> shift) & 3
    if len(records):
        if seen == 3:
            records[count, 0] = hash
            records[count, 1] = record
            count += 1
    elif seen == 0:
        filter[byte] |= 1 << shift
    else:
        filter[byte] |= 2 << shift
        count += 2 if seen == 1 else 1
    return count


@compiled
def _walk(
    budget: Any, n: Any, at: Any, stack: Any, codes: Any, tiles: Any, after: Any, offsets: Any, rows: Any, columns: Any,
    boxed: Any, table: Any, keys: Any, filter: Any, part: Any, parts: Any, records: Any,
) -> None:  # fmt: skip
    """Continue a depth-first walk for at most `budget` visits, prefetching the filter slots of AHEAD states.

    A level of the stack holds the cell of the blank, the state of the automaton, the next rank to try, and the extent
    of the box up, down, left and right. A level of the codes holds the state's hash and the string's code.
    """
    depth, visits, count = at[0], at[1], at[2]
    end = visits + budget
    waiting, queued = np.empty((AHEAD, 2), np.uint64), 0
    address, mask = filter.ctypes.data, np.uint64(4 * len(filter) - 1)
    if visits == 0:
        visits = 1
        if n % 2 == 0 and part == 0 and len(filter):
            count = _visit(np.uint64(0), np.uint64(1), filter, records, count)
    while depth >= 0 and visits < end:
        blank, state, rank = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        if rank == 4:
            depth -= 1
            if depth >= 0:  # undo the move that led here
                tiles[blank] = tiles[stack[depth, 0]]
            continue
        stack[depth, 2] = rank + 1
        following, cell = table[state, rank], after[blank, rank]
        if following < 0 or cell < 0:
            continue
        up, down, left, right = stack[depth, 3], stack[depth, 4], stack[depth, 5], stack[depth, 6]
        box = np.uint64(0)
        if boxed:
            up, down = max(up, -offsets[cell, 0]), max(down, offsets[cell, 0])
            left, right = max(left, -offsets[cell, 1]), max(right, offsets[cell, 1])
            if up + down >= rows or left + right >= columns:
                continue
            box = np.uint64(((up * 16 + down) * 16 + left) * 16 + right)
        tile = tiles[cell]
        hash = codes[depth, 0] ^ keys[tile, cell] ^ keys[tile, blank]
        code = codes[depth, 1] << np.uint64(2) | np.uint64(rank)
        if (n - depth) % 2 == 1:
            visits += 1
            if len(filter) and (hash >> np.uint64(40)) * np.uint64(parts) >> np.uint64(24) == np.uint64(part):
                slot = queued % AHEAD
                if queued >= AHEAD:
                    count = _visit(waiting[slot, 0], waiting[slot, 1], filter, records, count)
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
        count = _visit(waiting[number % AHEAD, 0], waiting[number % AHEAD, 1], filter, records, count)
    at[0], at[1], at[2] = depth, visits, count


@compiled
def _choose(n: Any, records: Any, smallest: Any, start: Any, after: Any, forbidden: Any) -> None:
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
def _equivalent(code: Any, other: Any, start: Any, after: Any, tiles: Any, others: Any) -> Any:
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
