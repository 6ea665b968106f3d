"""Paths: where searches start, how they are divided among more searches, and how they are kept in a file.

The rest of a depth-first search follows from its current path: in every node on it, all moves after the one on the path
remain. So a search can stop anywhere, continue elsewhere, and be split in two: what remains in one of the nodes, and
what remains below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.fields import Fields
from gpusolve.runs.series import joined

MOST_MOVES = 256
"""Maximum number of moves on a path."""
PER_BYTE = 4


@dataclass(frozen=True, eq=False)
class Paths:
    """A batch of paths on the host, on which searches start or continue.

    Attributes
    ----------
    moves : ndarray of uint8, shape (paths, MOST_MOVES)
        The moves of the blank from the start, as indices in `rules.MOVES`.
    length : ndarray of int32, shape (paths,)
        Number of moves on the path.
    fixed : ndarray of int32, shape (paths,)
        Number of moves at the start of the path that the search never takes back.
    counted : ndarray of int32, shape (paths,)
        Nodes on the path with fewer moves than this are not counted as expanded.
    skip : ndarray of uint8, shape (paths,)
        1 if the node at the end of the path has already been expanded.
    owner : ndarray of int32, shape (paths,)
        The number of the prefix that the path belongs to.
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
        """Send paths to other processes in their packed form."""
        return unpacked, (packed(self),)


@dataclass(frozen=True, eq=False)
class Walk:
    """The paths that are legal from a start.

    Attributes
    ----------
    beside : ndarray of uint8, shape (cells, 4)
        The cell that the blank reaches by each move, from `kernels.neighbours`.
    blank : int
        The cell of the blank at the start.
    automaton : ndarray of int32, shape (states, 4)
        `Automaton.table`.
    state : int
        The automaton's state at the start.
    first : tuple of int
        The moves with which a path can begin.
    """

    beside: npt.NDArray[np.uint8]
    blank: int
    automaton: npt.NDArray[np.int32]
    state: int
    first: tuple[int, ...] = (0, 1, 2, 3)

    def allowed(self, cell: npt.NDArray[np.int64], state: npt.NDArray[np.int64], depth: int) -> npt.NDArray[np.bool_]:
        """Return the moves that are allowed in nodes of a depth with the blank in these cells: bool (nodes, 4)."""
        allowed: npt.NDArray[np.bool_] = (self.beside[cell] != cell[:, None]) & (self.automaton[state] >= 0)
        return allowed & np.isin(np.arange(4), self.first) if depth == 0 else allowed


def whole_tree() -> Paths:
    """Return a batch of one empty path, from which a search visits the whole tree."""
    zero = np.zeros(1, np.int32)
    return Paths(np.zeros((1, MOST_MOVES), np.uint8), zero, zero, zero, np.zeros(1, np.uint8), zero)


def join(*batches: Paths) -> Paths:
    """Return all paths in one batch."""
    return Paths(*joined(tuple(vars(paths).values()) for paths in batches))


def find_prefixes(walk: Walk, level: int) -> Paths:
    """Return all paths of `level` moves, and the shorter ones after which no move is allowed, in depth-first order.

    A node that several prefixes pass through is counted by the first of them.
    """
    moves = np.zeros((1, MOST_MOVES), np.uint8)
    cell, state, ends = np.array([walk.blank]), np.array([walk.state]), np.zeros(1, np.int32)
    for depth in range(level):
        allowed = walk.allowed(cell, state, depth) & (ends == depth)[:, None]
        dead_end = ~allowed.any(axis=1)
        allowed[dead_end, 0] = True  # so that the path is kept as it is
        number, move = np.nonzero(allowed)
        moves, cell, state, ends, continues = (
            moves[number],
            cell[number],
            state[number],
            ends[number],
            ~dead_end[number],
        )
        moves[continues, depth] = move[continues]
        ends += continues
        cell = np.where(continues, walk.beside[cell, move], cell)
        state = np.where(continues, walk.automaton[state, move], state)
    counted = np.zeros(len(moves), np.int32)
    if len(moves) > 1:
        counted[1:] = 1 + (moves[1:] != moves[:-1]).argmax(axis=1)
    return Paths(moves, ends, ends, counted, np.zeros(len(moves), np.uint8), np.arange(len(moves), dtype=np.int32))


def split(paths: Paths, count: int, walk: Walk) -> Paths:
    """Split paths into about `count` paths, or as many as possible, that together visit the same nodes in order."""
    per_path = -(-(count - len(paths)) // max(1, len(paths)))
    if per_path < 1 or not len(paths):
        return paths
    number, depth, move, fixed = _remaining_moves(paths, per_path, walk)
    # In depth-first order, what remains below a node comes before what remains in the node itself.
    source = np.concatenate([np.arange(len(paths)), number])
    above = np.concatenate([np.full(len(paths), -MOST_MOVES), -depth])
    order = np.lexsort((np.concatenate([np.zeros(len(paths), int), move]), above, source))
    at = np.flatnonzero(order >= len(paths))  # positions of the new paths
    new = order[at] - len(paths)
    source = source[order]
    parts = replace(paths[source], fixed=fixed[source])
    parts.moves[at, depth[new]] = move[new]
    for ends in (parts.length, parts.fixed, parts.counted):
        ends[at] = depth[new] + 1
    parts.skip[at] = 0
    return parts


def _remaining_moves(paths: Paths, most: int, walk: Walk) -> tuple[npt.NDArray[np.int64], ...]:
    """Return the moves that remain in the first nodes of each path that have any, in at most `most` nodes per path.

    The result is the number of the path, the depth of the node, and the move, for each such move; and for each path the
    number of moves that its search may not take back once these moves are searched separately.
    """
    moves, fixed = [np.zeros((3, 0), np.int64)], paths.fixed.copy()
    cell, state, nodes = (np.full(len(paths), value) for value in (walk.blank, walk.state, 0))
    active = np.arange(len(paths))
    for depth in range(int(paths.length.max(initial=0))):
        active = active[(paths.length[active] > depth) & (nodes[active] < most)]
        taken = paths.moves[active, depth].astype(np.int64)
        free = paths.fixed[active] <= depth
        here = active[free]
        remaining = walk.allowed(cell[here], state[here], depth) & (np.arange(4) > taken[free, None])
        divided = here[remaining.any(axis=1)]
        nodes[divided] += 1
        fixed[divided] = depth + 1
        index, move = np.nonzero(remaining)
        moves.append(np.stack([here[index], np.full(len(index), depth), move]))
        cell[active], state[active] = (
            walk.beside[cell[active], taken],
            np.maximum(walk.automaton[state[active], taken], 0),
        )
    return (*np.concatenate(moves, axis=1), fixed)


def packed(paths: Paths) -> dict[str, npt.NDArray[np.generic]]:
    """Return the paths in as few bytes as possible, with four moves in each byte."""
    most = -(-int(paths.length.max(initial=0)) // PER_BYTE) * PER_BYTE
    moves = paths.moves[:, :most].reshape(len(paths), most // PER_BYTE, PER_BYTE)
    numbers = {name: getattr(paths, name).astype(np.uint8) for name in ("length", "fixed", "counted", "skip")}
    return {
        "moves": (moves << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2, dtype=np.uint8),
        **numbers,
        "owner": paths.owner,
    }


def unpacked(arrays: Mapping[str, npt.NDArray[Any]]) -> Paths:
    """Return the paths that `packed` packed."""
    length, fixed, counted = (arrays[name].astype(np.int32) for name in ("length", "fixed", "counted"))
    moves = np.zeros((len(length), MOST_MOVES), np.uint8)
    apart = arrays["moves"].astype(np.uint8)[:, :, None] >> np.array([0, 2, 4, 6], np.uint8) & np.uint8(3)
    most = apart.shape[1] * PER_BYTE
    moves[:, :most] = apart.reshape(len(length), most)
    return Paths(moves, length, fixed, counted, arrays["skip"].astype(np.uint8), arrays["owner"].astype(np.int32))


def read_packed(state: Fields, prefix: str, owners: int) -> Paths:
    """Read packed paths from a checkpoint.

    Parameters
    ----------
    state : Fields
        The checkpoint.
    prefix : str
        Text before the name of each array.
    owners : int
        Number of prefixes that the paths can belong to.

    Raises
    ------
    BadInput
        If an array is missing, has the wrong type or shape, or holds a number that no path has.
    """
    moves = state.array(f"{prefix}moves", np.uint8, (None, None))
    if moves.shape[1] > MOST_MOVES // PER_BYTE:
        raise state.wrong(f"{prefix}moves", f"at most {MOST_MOVES // PER_BYTE} bytes per path")
    arrays = {"moves": moves}
    for name, most in (("length", moves.shape[1] * PER_BYTE), ("fixed", None), ("counted", None), ("skip", 1)):
        arrays[name] = state.array(f"{prefix}{name}", np.uint8, (len(moves),), 0, most)
    for name in ("fixed", "counted"):
        if (arrays[name] > arrays["length"]).any():
            raise state.wrong(f"{prefix}{name}", "no more moves than the path has")
    arrays["owner"] = state.array(f"{prefix}owner", np.int32, (len(moves),), 0, owners - 1)
    return unpacked(arrays)
