"""Paths: where searches begin, how they are split among more of them, and how they are kept in a file.

What is left of a depth-first search is known from its path: all moves after those on it, in each of its nodes. So a
search can stop anywhere, go on elsewhere, and be split in two: what is left in one node, and what is left below it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.games.sliding.kernels import MOST_MOVES, Paths

PER_BYTE = 4


def root() -> Paths:
    """The one path that begins at the start and may go anywhere."""
    return of_rows(np.zeros((1, MOST_MOVES), np.uint8), np.zeros(1, np.int32), np.zeros(1, np.int32))


def of_rows(moves: npt.NDArray[np.uint8], length: npt.NDArray[np.int32], fixed: npt.NDArray[np.int32]) -> Paths:
    """Paths none of which has been expanded at its end."""
    return Paths(moves, length, fixed, np.zeros(len(length), np.uint8))


def join(*parts: Paths) -> Paths:
    """One after the other."""
    return Paths(
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.length for part in parts]),
        np.concatenate([part.fixed for part in parts]),
        np.concatenate([part.skip for part in parts]),
    )


def split(
    paths: Paths,
    wanted: int,
    blank: int,
    beside: npt.NDArray[np.uint8],
    automaton: npt.NDArray[np.int32],
    state: int,
) -> Paths:
    """About `wanted` paths, or as many as can be had, that together are these, in the same order.

    `blank`: its cell at the start; `beside` as `kernels.neighbours` gives it; `automaton`, int32 (states, 4), with
    its `state` at the start.
    """
    per_path = -(-(wanted - len(paths)) // max(1, len(paths)))
    if per_path < 1 or not len(paths):
        return paths
    left = _left(paths, blank, beside, automaton, state)
    # The first nodes of each path where moves are left, as many as are wanted.
    nodes = left.any(axis=2)
    chosen = nodes & (np.cumsum(nodes, axis=1) <= per_path)
    depths = np.arange(left.shape[1])
    deepest = np.where(chosen, depths, -1).max(axis=1, initial=-1)
    rest = Paths(paths.moves, paths.length, np.maximum(paths.fixed, deepest + 1).astype(np.int32), paths.skip)
    number, depth, move = np.nonzero(left & chosen[:, :, None])
    moves = paths.moves[number]
    moves[np.arange(len(number)), depth] = move
    ends = (depth + 1).astype(np.int32)
    both = join(rest, of_rows(moves, ends, ends.copy()))
    # In depth-first order: what is left below comes before what is left above.
    owner = np.concatenate([np.arange(len(paths)), number])
    above = np.concatenate([np.full(len(paths), -MOST_MOVES), -depth])
    return both[np.lexsort((np.concatenate([np.zeros(len(paths), int), move]), above, owner))]


def _left(
    paths: Paths, blank: int, beside: npt.NDArray[np.uint8], automaton: npt.NDArray[np.int32], start: int
) -> npt.NDArray[np.bool_]:
    """The moves that are left in each node of each path, bool (paths, depths, 4)."""
    most = int(paths.length.max(initial=0))
    left = np.zeros((len(paths), most, 4), bool)
    cell, state = np.full(len(paths), blank), np.full(len(paths), start)
    for depth in range(most):
        move = paths.moves[:, depth].astype(np.int64)
        allowed = (beside[cell] != cell[:, None]) & (automaton[state] >= 0)
        here = (paths.fixed <= depth) & (depth < paths.length)
        left[:, depth] = allowed & (np.arange(4) > move[:, None]) & here[:, None]
        cell, state = beside[cell, move].astype(np.int64), np.maximum(automaton[state, move], 0).astype(np.int64)
    return left


def packed(paths: Paths) -> dict[str, npt.NDArray[np.uint8]]:
    """The paths in as few bytes as are needed, four moves to a byte."""
    most = -(-int(paths.length.max(initial=0)) // PER_BYTE) * PER_BYTE
    moves = paths.moves[:, :most].reshape(len(paths), -1, PER_BYTE)
    return {
        "moves": (moves << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2, dtype=np.uint8),
        "length": paths.length.astype(np.uint8),
        "fixed": paths.fixed.astype(np.uint8),
        "skip": paths.skip,
    }


def unpacked(
    moves: npt.NDArray[np.uint8],
    length: npt.NDArray[np.uint8],
    fixed: npt.NDArray[np.uint8],
    skip: npt.NDArray[np.uint8],
) -> Paths:
    """What `packed` has packed."""
    whole = np.zeros((len(length), MOST_MOVES), np.uint8)
    some = moves[:, :, None] >> np.array([0, 2, 4, 6], np.uint8) & 3
    whole[:, : some.shape[1] * PER_BYTE] = some.reshape(len(length), -1)
    return Paths(whole, length.astype(np.int32), fixed.astype(np.int32), skip)


def texts(paths: Paths, names: str) -> list[str]:
    """The moves of each path by their names."""
    return [
        "".join(names[move] for move in row[:length]) for row, length in zip(paths.moves, paths.length, strict=True)
    ]
