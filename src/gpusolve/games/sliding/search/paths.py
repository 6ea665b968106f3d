"""Paths: where searches begin, how they are split among more of them, and how they are kept in a file.

What is left of a depth-first search is known from its path: all moves after those on it, in each of its nodes. So a
search can stop anywhere, go on elsewhere, and be split in two: what is left in one node, and what is left below it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    number, depth, move, fixed = _left(paths, per_path, walk)
    # In depth-first order: what is left below comes before what is left above.
    source = np.concatenate([np.arange(len(paths)), number])
    above = np.concatenate([np.full(len(paths), -MOST_MOVES), -depth])
    order = np.lexsort((np.concatenate([np.zeros(len(paths), int), move]), above, source))
    place = np.flatnonzero(order >= len(paths))  # of the new ones
    new = order[place] - len(paths)
    source = source[order]
    found = replace(paths[source], fixed=fixed[source])
    found.moves[place, depth[new]] = move[new]
    for ends in (found.length, found.fixed, found.counted):
        ends[place] = depth[new] + 1
    found.skip[place] = 0
    return found


def _left(paths: Paths, most: int, walk: Walk) -> tuple[npt.NDArray[np.int64], ...]:
    """Moves that are left in the first nodes of each path where any are, in at most so many nodes of each.

    The number of the path, the depth of the node, and the move; and for each path how many moves it may not leave then.
    """
    moves, fixed = [np.zeros((3, 0), np.int64)], paths.fixed.copy()
    cell, state, nodes = (np.full(len(paths), value) for value in (walk.blank, walk.state, 0))
    on = np.arange(len(paths))
    for depth in range(int(paths.length.max(initial=0))):
        on = on[(paths.length[on] > depth) & (nodes[on] < most)]
        taken = paths.moves[on, depth].astype(np.int64)
        free = paths.fixed[on] <= depth
        here = on[free]
        left = walk.allowed(cell[here], state[here]) & (np.arange(4) > taken[free, None])
        some = here[left.any(axis=1)]
        nodes[some] += 1
        fixed[some] = depth + 1
        which, move = np.nonzero(left)
        moves.append(np.stack([here[which], np.full(len(which), depth), move]))
        cell[on], state[on] = walk.beside[cell[on], taken], np.maximum(walk.automaton[state[on], taken], 0)
    return (*np.concatenate(moves, axis=1), fixed)


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
