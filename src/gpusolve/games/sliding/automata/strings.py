"""Duplicate operator strings: sequences of moves that a search need never make (Taylor and Korf 1993).

Two strings of moves that take the blank and all tiles to the same places are *alike*. Of those, some are forbidden, and
whoever comes upon one of them turns back. A string is forbidden only if another one, alike and no longer, can be made
wherever it can be made. Which of two that is, an order says:

- ``first``: s is forbidden if an alike t comes before it in shortlex order (shorter, or as long and first by the
  alphabet U D L R) and its bounding box lies within that of s, so that t stays on the board where s does.
- ``smallest``: s is forbidden if t has a smaller box within that of s, or the same box and comes first by the alphabet
  U R L D. These are the strings that others have published, 18,414 up to length 14.
- for each start square by itself there is no box: s is forbidden if an alike t, on the board as it lies around that
  square, comes before it in shortlex order.

Why ``first`` and the strings of a square lose no optimal solution: take of all optimal solutions of a board the first
in shortlex order. If it had a forbidden string s in it, t in its place would give another solution, legal, no longer,
and earlier in shortlex order, since putting something before or behind two strings does not change which comes first.
For ``smallest`` the argument fails where the smaller box comes later in the order, with 16 of the 18,414 strings: what
speaks for it is that all optimal lengths of the boards 2x4 and 3x3 are still found (tests/games/sliding). The search
uses ``first``.

The strings of length n follow from those that are shorter: walk all strings of length n that contain none of them, and
look which arrive where another one did. Only strings that contain no forbidden one are found, so none contains another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.prefetch import prefetch
from gpusolve.games.sliding.automata.trie import transitions
from gpusolve.runs.seeds import mix_all

Choice = Literal["first", "smallest", "square"]
ORDERS: dict[Choice, str] = {"first": "UDLR", "smallest": "URLD", "square": "UDLR"}
"""Choice -> the moves in the order of its alphabet. A move's place there is its *rank*."""
MOST_DEPTH = 23
"""Length of a string, at most: 2 bits for a move, with a bounding box in a word of 64 bits."""
MEMORY = 1 << 30
"""Bytes of the filter that tells which states come twice."""
LOAD = 12  # slots of the filter for a state, at least
GROWTH = 7  # times more states that strings of two moves more lead to, about
SLICE = 1 << 24  # visits between two looks for a signal
AHEAD = 64  # states for which the filter is asked before it is read
BOX = 47  # where the bounding box begins in a record

Codes = npt.NDArray[np.uint64]
"""Strings as numbers, uint64: a 1, then two bits for the rank of each move. Their order is shortlex order."""


@dataclass(frozen=True)
class Ground:
    """The cells that the blank walks on, and how far.

    `after`: int32 (cells, 4), the cell behind a move of a rank, -1 for none; `offsets`: int32 (cells, 2), row and
    column as seen from the start; `rows`, `columns`: sides of the largest bounding box.
    """

    start: int
    after: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int32]
    rows: int
    columns: int
    boxed: bool
    """Whether bounding boxes count."""


def grounds(rows: int, columns: int, choice: Choice) -> list[Ground]:
    """The board from each of its squares; or, for strings of any square, all that a box of its size can reach."""
    order = ORDERS[choice]
    if choice == "square":
        return [_ground(rows, columns, square, order, rows, columns, boxed=False) for square in range(rows * columns)]
    height, width = 2 * rows - 1, 2 * columns - 1
    return [_ground(height, width, height * width // 2, order, rows, columns, boxed=True)]


def _ground(height: int, width: int, start: int, order: str, rows: int, columns: int, boxed: bool) -> Ground:
    row, column = np.divmod(np.arange(height * width, dtype=np.int32), width)
    after = np.full((height * width, 4), -1, np.int32)
    for rank, move in enumerate(order):
        there, beside = row + (move == "D") - (move == "U"), column + (move == "R") - (move == "L")
        inside = (there >= 0) & (there < height) & (beside >= 0) & (beside < width)
        after[inside, rank] = (there * width + beside)[inside]
    offsets = np.stack([row - row[start], column - column[start]], axis=1)
    return Ground(start, after, np.ascontiguousarray(offsets), rows, columns, boxed)


def strings_of_length(
    n: int,
    shorter: list[Codes],
    grounds: list[Ground],
    choice: Choice,
    memory: int = MEMORY,
    progress: Callable[[int], None] = lambda visits: None,
) -> list[Codes]:
    """The forbidden strings of n moves, from all `shorter` ones: for each of the `grounds` their codes, sorted.

    `memory`: bytes of a filter; where the states are too many for it they are done in parts. `progress` is called now
    and then with the number of strings walked since; what it raises ends the work.
    """
    table, starts = transitions(shorter, grounds)
    return [
        _of_ground(n, ground, table, int(start), choice, memory, progress)
        for ground, start in zip(grounds, starts, strict=True)
    ]


def text_of(code: int, choice: Choice) -> str:
    """The moves of a code.

    >>> text_of(0b1_00_01, "first")
    'UD'
    """
    ranks = [code >> 2 * i & 3 for i in reversed(range(code.bit_length() // 2))]
    return "".join(ORDERS[choice][rank] for rank in ranks)


def _of_ground(
    n: int,
    ground: Ground,
    table: npt.NDArray[np.int32],
    root: int,
    choice: Choice,
    memory: int,
    progress: Callable[[int], None],
) -> Codes:
    """The strings of one ground that are forbidden, sorted."""
    walks = _Walks(n, ground, table, root, progress)
    states = GROWTH * _Walks(n - 2, ground, table, root, progress).count()
    slots = min(4 * memory, 1 << (LOAD * states).bit_length())
    parts = -(-LOAD * states // slots)
    found = [np.empty(0, np.uint64)]
    for part in range(parts):
        records = walks.twice(np.zeros(slots // 4, np.uint8), part, parts)
        records = records[np.argsort(records[:, 0])]
        forbidden = np.zeros(len(records), np.bool_)
        _choose(n, records, choice == "smallest", ground.start, ground.after, forbidden)
        found.append(records[forbidden, 1] & np.uint64((1 << BOX) - 1))
    return np.sort(np.concatenate(found))


class _Walks:
    """Walks of all strings of length n that contain no forbidden one, and of those shorter by 2, 4, ..."""

    def __init__(
        self,
        n: int,
        ground: Ground,
        table: npt.NDArray[np.int32],
        root: int,
        progress: Callable[[int], None],
    ) -> None:
        self._n, self._ground, self._table, self._root, self._progress = n, ground, table, root, progress
        cells = len(ground.after)
        self._keys = mix_all(np.arange(1, cells * cells + 1, dtype=np.uint64) << np.uint64(20)).reshape(cells, cells)

    def count(self) -> int:
        """How many strings there are."""
        return self._walk(np.empty(0, np.uint8), np.empty((0, 2), np.uint64), 0, 1)[0]

    def twice(self, filter: npt.NDArray[np.uint8], part: int, parts: int) -> npt.NDArray[np.uint64]:
        """Those whose states come twice, as far as the filter can tell: hash of the state, box and code of the string.

        Two walks: one fills the filter, a state's slot with 1 when it comes and with 3 when it comes again; the other
        writes down what has a 3. Only the states of one part, by their hash, are looked at.
        """
        records = np.empty((0, 2), np.uint64)
        found = self._walk(filter, records, part, parts)[1]
        if found:
            records = np.empty((found, 2), np.uint64)
            self._walk(filter, records, part, parts)
        return records

    def _walk(
        self, filter: npt.NDArray[np.uint8], records: npt.NDArray[np.uint64], part: int, parts: int
    ) -> tuple[int, int]:
        """One walk; how many strings there were, and how many of them with states that came twice."""
        ground = self._ground
        stack, codes = np.zeros((self._n + 1, 7), np.int64), np.zeros((self._n + 1, 2), np.uint64)
        stack[0, :2], codes[0, 1] = (ground.start, self._root), 1
        tiles = np.arange(len(ground.after))
        at = np.zeros(3, np.int64)  # depth, visits, strings found
        while at[0] >= 0:
            _walk(
                SLICE, self._n, at, stack, codes, tiles, ground.after, ground.offsets, ground.rows, ground.columns,
                ground.boxed, self._table, self._keys, filter, part, parts, records,
            )  # fmt: skip
            self._progress(SLICE)
        return int(at[1]), int(at[2])


@inlined
def _visit(hash: Any, record: Any, filter: Any, records: Any, found: Any) -> Any:
    """Counts or writes a string whose state came before or comes again, as far as the filter knows."""
    slot = hash & np.uint64(4 * len(filter) - 1)
    byte, shift = np.int64(slot >> np.uint64(2)), np.int64(slot & np.uint64(3)) * 2
    seen = (filter[byte] >> shift) & 3
    if len(records):
        if seen == 3:
            records[found, 0] = hash
            records[found, 1] = record
            found += 1
    elif seen == 0:
        filter[byte] |= 1 << shift
    else:
        filter[byte] |= 2 << shift
        found += 2 if seen == 1 else 1
    return found


@compiled
def _walk(
    budget: Any, n: Any, at: Any, stack: Any, codes: Any, tiles: Any, after: Any, offsets: Any, rows: Any, columns: Any,
    boxed: Any, table: Any, keys: Any, filter: Any, part: Any, parts: Any, records: Any,
) -> None:  # fmt: skip
    """Goes on with a depth-first walk for so many visits. The filter is asked for AHEAD states before it is read.

    A level of the stack is the cell of the blank, the state of the automaton, the rank to be tried next, and the extent
    of the box up, down, left and right; a level of the codes is hash and code.
    """
    depth, visits, found = at[0], at[1], at[2]
    end = visits + budget
    waiting, queued = np.empty((AHEAD, 2), np.uint64), 0
    address, mask = filter.ctypes.data, np.uint64(4 * len(filter) - 1)
    if visits == 0:
        visits = 1
        if n % 2 == 0 and part == 0 and len(filter):
            found = _visit(np.uint64(0), np.uint64(1), filter, records, found)
    while depth >= 0 and visits < end:
        blank, state, rank = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        if rank == 4:
            depth -= 1
            if depth >= 0:  # the move that led here is taken back
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
                    found = _visit(waiting[slot, 0], waiting[slot, 1], filter, records, found)
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
        found = _visit(waiting[number % AHEAD, 0], waiting[number % AHEAD, 1], filter, records, found)
    at[0], at[1], at[2] = depth, visits, found


@compiled
def _choose(n: Any, records: Any, smallest: Any, start: Any, after: Any, forbidden: Any) -> None:
    """Marks the strings of length n that are forbidden, of records sorted by their hash."""
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
                    if within and other != code and _alike(code, other, start, after, tiles, others):
                        forbidden[s] = True
                        break
        first = last


@compiled
def _alike(code: Any, other: Any, start: Any, after: Any, tiles: Any, others: Any) -> Any:
    """Whether two strings lead to the same state: hashes can agree by chance."""
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
