"""Paths: where searches begin, how they are split among more of them, and how they are kept in a file.

What is left of a depth-first search is known from its path: all moves after those on it, in each of its nodes. So a
search can stop anywhere, go on elsewhere, and be split in two: what is left in one node, and what is left below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_MOVES = 256
"""Moves of a path."""
PER_BYTE = 4


@dataclass(frozen=True, eq=False)
class Paths:
    """Where searches begin or go on; arrays of one element a path, on the host.

    `moves` (uint8 (paths, MOST_MOVES)): the moves of the blank from the start, by their number in `rules.MOVES`, of
    which `length` (int32) count. A search does not leave the first `fixed` (int32), and does not count nodes less than
    `counted` (int32) moves deep. `skip` (uint8): 1 where the node at the end has been expanded before. `owner` (int32):
    the number of the prefix that it belongs to.
    """

    moves: npt.NDArray[np.uint8]
    length: npt.NDArray[np.int32]
    fixed: npt.NDArray[np.int32]
    counted: npt.NDArray[np.int32]
    skip: npt.NDArray[np.uint8]
    owner: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.length)

    def __getitem__(
        self, chosen: slice | npt.NDArray[np.bool_] | npt.NDArray[np.intp] | npt.NDArray[np.int32]
    ) -> Paths:
        return Paths(*(array[chosen] for array in vars(self).values()))

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes get them as they are kept in a file."""
        return unpacked, (packed(self),)


@dataclass(frozen=True, eq=False)
class Walk:
    """Where paths can go: `beside`, uint8 (cells, 4), from `kernels.neighbours`; `automaton`, int32 (states, 4).

    They begin with the blank in the cell `blank`, and the automaton in `state`.
    """

    beside: npt.NDArray[np.uint8]
    blank: int
    automaton: npt.NDArray[np.int32]
    state: int

    def allowed(self, cell: npt.NDArray[np.int64], state: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which moves may be made in nodes with the blank in these cells: bool (nodes, 4)."""
        found: npt.NDArray[np.bool_] = (self.beside[cell] != cell[:, None]) & (self.automaton[state] >= 0)
        return found


def root() -> Paths:
    """The one path that begins at the start and may go anywhere."""
    zero = np.zeros(1, np.int32)
    return Paths(np.zeros((1, MOST_MOVES), np.uint8), zero, zero, zero, np.zeros(1, np.uint8), zero)


def join(*parts: Paths) -> Paths:
    """One after the other."""
    return Paths(*(np.concatenate(arrays) for arrays in zip(*(vars(part).values() for part in parts), strict=True)))


def prefixes(walk: Walk, depth: int) -> Paths:
    """All paths of so many moves, and those that end before, where no move is allowed; in depth-first order.

    The first to come through a node is the one that counts it.
    """
    moves = np.zeros((1, MOST_MOVES), np.uint8)
    cell, state, ends = np.array([walk.blank]), np.array([walk.state]), np.zeros(1, np.int32)
    for level in range(depth):
        allowed = walk.allowed(cell, state) & (ends == level)[:, None]
        over = ~allowed.any(axis=1)
        allowed[over, 0] = True  # it stays what it is
        number, move = np.nonzero(allowed)
        moves, cell, state, ends, goes_on = moves[number], cell[number], state[number], ends[number], ~over[number]
        moves[goes_on, level] = move[goes_on]
        ends += goes_on
        cell = np.where(goes_on, walk.beside[cell, move], cell)
        state = np.where(goes_on, walk.automaton[state, move], state)
    counted = np.zeros(len(moves), np.int32)
    if len(moves) > 1:
        counted[1:] = 1 + (moves[1:] != moves[:-1]).argmax(axis=1)
    return Paths(moves, ends, ends, counted, np.zeros(len(moves), np.uint8), np.arange(len(moves), dtype=np.int32))


def split(paths: Paths, wanted: int, walk: Walk) -> Paths:
    """About `wanted` paths, or as many as can be had, that together are these, in the same order."""
    per_path = -(-(wanted - len(paths)) // max(1, len(paths)))
    if per_path < 1 or not len(paths):
        return paths
    left = _left(paths, walk)
    # The first nodes of each path where moves are left, as many as are wanted.
    nodes = left.any(axis=2)
    chosen = nodes & (np.cumsum(nodes, axis=1) <= per_path)
    deepest = np.where(chosen, np.arange(left.shape[1]), -1).max(axis=1, initial=-1)
    fixed = np.maximum(paths.fixed, deepest + 1).astype(np.int32)
    rest = Paths(paths.moves, paths.length, fixed, paths.counted, paths.skip, paths.owner)
    number, depth, move = np.nonzero(left & chosen[:, :, None])
    moves = paths.moves[number]
    moves[np.arange(len(number)), depth] = move
    ends = (depth + 1).astype(np.int32)
    both = join(rest, Paths(moves, ends, ends, ends, np.zeros(len(ends), np.uint8), paths.owner[number]))
    # In depth-first order: what is left below comes before what is left above.
    source = np.concatenate([np.arange(len(paths)), number])
    above = np.concatenate([np.full(len(paths), -MOST_MOVES), -depth])
    return both[np.lexsort((np.concatenate([np.zeros(len(paths), int), move]), above, source))]


def _left(paths: Paths, walk: Walk) -> npt.NDArray[np.bool_]:
    """The moves that are left in each node of each path, bool (paths, depths, 4)."""
    most = int(paths.length.max(initial=0))
    left = np.zeros((len(paths), most, 4), bool)
    cell, state = np.full(len(paths), walk.blank), np.full(len(paths), walk.state)
    for depth in range(most):
        move = paths.moves[:, depth].astype(np.int64)
        here = (paths.fixed <= depth) & (depth < paths.length)
        left[:, depth] = walk.allowed(cell, state) & (np.arange(4) > move[:, None]) & here[:, None]
        cell = walk.beside[cell, move].astype(np.int64)
        state = np.maximum(walk.automaton[state, move], 0).astype(np.int64)
    return left


def packed(paths: Paths) -> dict[str, npt.NDArray[np.generic]]:
    """The paths in as few bytes as are needed, four moves to a byte."""
    most = -(-int(paths.length.max(initial=0)) // PER_BYTE) * PER_BYTE
    moves = paths.moves[:, :most].reshape(len(paths), most // PER_BYTE, PER_BYTE)
    rest = {name: getattr(paths, name).astype(np.uint8) for name in ("length", "fixed", "counted", "skip")}
    return {
        "moves": (moves << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2, dtype=np.uint8),
        **rest,
        "owner": paths.owner,
    }


def unpacked(arrays: dict[str, npt.NDArray[np.generic]]) -> Paths:
    """What `packed` has packed."""
    length, fixed, counted = (arrays[name].astype(np.int32) for name in ("length", "fixed", "counted"))
    moves = np.zeros((len(length), MOST_MOVES), np.uint8)
    some = arrays["moves"].astype(np.uint8)[:, :, None] >> np.array([0, 2, 4, 6], np.uint8) & np.uint8(3)
    most = some.shape[1] * PER_BYTE
    moves[:, :most] = some.reshape(len(length), most)
    return Paths(moves, length, fixed, counted, arrays["skip"].astype(np.uint8), arrays["owner"].astype(np.int32))


def text_of(moves: npt.NDArray[np.uint8], names: str) -> str:
    """Moves by their names."""
    return "".join(names[move] for move in moves)
