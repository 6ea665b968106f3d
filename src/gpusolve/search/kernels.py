"""The parts of a beam search that need no rules, on a device: every launch of the kernels of ``beam.cu``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpusolve.backend import Array, Backend, Program
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "beam.cu", "gpusolve.search.cpu")
TILE, BYTES = 8192, 256
EVERY, FREE = -1, 2**31 - 1


def best_children(backend: Backend, keys: Sequence[Array], width: int) -> tuple[Array, Array, int]:
    """Return the parents and the moves of the best children of a level, and the number of moves that are allowed.

    The host waits for the device once, for the number of children.

    Parameters
    ----------
    backend : Backend
        The device of the keys.
    keys : sequence of Array of uint16, shape (states, moves)
        The keys of the states of a level, one array after the other. A key of 0 is a move that is not allowed.
    width : int
        Number of children to keep: those with the largest keys, and among equal keys the first.

    Returns
    -------
    parents : Array of int32, shape (kept,)
        The state of each child; the children are in the order of their states and moves.
    moves : Array of uint16, shape (kept,)
        The move of each child.
    allowed : int
        Number of keys above 0.
    """
    xp, moves = backend.xp, keys[0].shape[1]
    flat = [part.reshape(-1) for part in keys]
    sizes = [-(-len(part) // TILE) for part in flat]
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    tiles = sum(sizes)
    cut = backend.asarray(np.array([EVERY, width, 0, 0, 0], np.int64))

    def counted() -> Array:
        counts = backend.empty((tiles, BYTES), np.int32)
        for part, size, start in zip(flat, sizes, starts, strict=True):
            backend.launch(PROGRAM, "tally", size, part, len(part), cut, counts[start : start + size])
        backend.launch(PROGRAM, "narrow", 1, counts.sum(axis=0, dtype=np.int64), cut)
        return counts

    upper = counted()
    lower = upper if sum(len(part) for part in flat) <= width else counted()  # all are kept: there is no least key
    sums = xp.cumsum(backend.launch(PROGRAM, "compare", tiles, cut, upper, lower), dtype=np.int64)
    allowed, kept = (int(number) for number in backend.to_host(cut)[3:])
    parents, made = backend.empty(kept, np.int32), backend.empty(kept, np.uint16)
    first = 0
    for part, size, start in zip(flat, sizes, starts, strict=True):
        backend.launch(
            PROGRAM, "pick", size, part, len(part), first, moves, cut, sums, tiles, start, kept, parents, made
        )
        first += len(part) // moves
    return parents, made, allowed


def first_of_equals(backend: Backend, columns: Array) -> Array | None:
    """Return the ascending numbers of the columns without duplicates, int64, or None if all columns are distinct.

    The first of equal columns is kept. `columns` are uint64 (words, count), with at least one column.

    Examples
    --------
    >>> from gpusolve.backend import open_backend
    >>> first_of_equals(open_backend("cpu"), np.array([[7, 5, 7]], np.uint64)).tolist()
    [0, 1]
    """
    xp, count = backend.xp, columns.shape[1]
    slots = xp.full(1 << (2 * count - 1).bit_length(), FREE, np.int32)
    place = backend.launch(PROGRAM, "claim", count, xp.ascontiguousarray(columns), slots)
    numbers = xp.flatnonzero(slots[place] == xp.arange(count, dtype=np.int32))
    return None if len(numbers) == count else numbers
