"""Beam search, level by level, over batches of states that may live on a device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

KEYS = 1 << 16
"""A key is less than this: 0 for a move that is not allowed, else the larger the better."""

Expand = Callable[[Any, int, int], Any]
"""(states, first, last) -> the keys of every move of the states first..last-1, uint16, shape (last - first, moves)."""
Make = Callable[[Any, Any, Any], Any]
"""(states, parents, moves) -> the states that these moves (uint8) of these parents (int32) lead to."""


@dataclass(frozen=True)
class Step:
    """How a level came about: for each state its parent in the level before (int32) and its move (uint8)."""

    parents: Any
    moves: Any


class Beam:
    """The frontier of a beam search and the way back to its root.

    States are one array of unsigned integers, shape (fields, count), each column a state: two states are the same
    just when their columns are. `xp` is the array module, NumPy or CuPy, where the states live. For each level before
    the last, one (parent, move) is kept a state, no list.
    """

    def __init__(self, xp: Any, root: Any, expand: Expand, make: Make) -> None:
        self.xp = xp
        self.states = root
        self.generated = 0
        """States generated and scored so far."""
        self.dropped = False
        """Whether some state was left out because a level was full; if not, every state there is was seen."""
        self.steps: list[Step] = []
        self._expand, self._make = expand, make

    def advance(self, width: int, batch: int) -> bool:
        """Goes one level on: the best `width` of all that the moves lead to, without the duplicates among these.

        `batch` states are expanded at once. Among equal keys the lowest parent, then the lowest move wins, so the
        level does not depend on `batch`. False, and the frontier stays, where no state has a move.
        """
        xp = self.xp
        index, moves = self._best_children(width, batch)
        if len(index) == 0:
            return False
        parents, chosen = (index // moves).astype(xp.int32), (index % moves).astype(xp.uint8)
        states = self._make(self.states, parents, chosen)
        keep = distinct(xp, states)
        if keep is not None:
            states, parents, chosen = xp.ascontiguousarray(states[:, keep]), parents[keep], chosen[keep]
        self.states = states
        self.steps.append(Step(parents, chosen))
        return True

    def _best_children(self, width: int, batch: int) -> tuple[Any, int]:
        """The numbers (parent * moves + move), ascending, of the best `width` children, and the moves of a state."""
        xp = self.xp
        floor, pool_keys, pool_index, pooled = 1, [], [], 0
        for first in range(0, self.states.shape[1], batch):
            keys = self._expand(self.states, first, min(first + batch, self.states.shape[1]))
            moves = keys.shape[1]
            keys = keys.reshape(-1)
            index = xp.flatnonzero(keys >= floor)
            self.generated += int(xp.count_nonzero(keys)) if floor > 1 else len(index)
            pool_keys.append(keys[index])
            pool_index.append(index + first * moves)
            pooled += len(index)
            if pooled > 2 * width:
                self.dropped = True
                found, index = _top(xp, xp.concatenate(pool_keys), xp.concatenate(pool_index), width)
                # Whoever comes later with the least key kept has the higher number, and loses the tie.
                floor = int(found.min()) + 1
                pool_keys, pool_index, pooled = [found], [index], len(found)
        self.dropped |= pooled > width
        return _top(xp, xp.concatenate(pool_keys), xp.concatenate(pool_index), width)[1], moves

    def path(self, level: int, index: int) -> list[int]:
        """The moves from the root to state `index` of `level`; the root is level 0."""
        moves: list[int] = []
        for step in reversed(self.steps[:level]):
            moves.append(int(step.moves[index]))
            index = int(step.parents[index])
        return moves[::-1]


def _top(xp: Any, keys: Any, index: Any, count: int) -> tuple[Any, Any]:
    """The `count` largest keys with their numbers, in the order given; of equal keys the first. By counting."""
    if len(keys) <= count:
        return keys, index
    at_least = xp.cumsum(xp.bincount(keys, minlength=KEYS)[::-1])
    least = KEYS - 1 - int(xp.argmax(at_least >= count))
    above = int(at_least[KEYS - 2 - least]) if least < KEYS - 1 else 0
    chosen = keys > least
    chosen[xp.flatnonzero(keys == least)[: count - above]] = True
    kept = xp.flatnonzero(chosen)  # eight times as fast as a mask as an index
    return keys[kept], index[kept]


def distinct(xp: Any, states: Any) -> Any:
    """The numbers, ascending, of the states without the duplicates, of which the first stays; None if all are distinct.

    A sort of 64-bit words, some bits a state's hash and the rest its number, brings duplicates together; whole states
    are then compared, so that the answer is exact.
    """
    count = states.shape[1]
    bits = max(1, (count - 1).bit_length())
    mask = np.uint64((1 << bits) - 1)
    mixed = _hashes(xp, states)
    mixed &= ~mask
    mixed |= xp.arange(count, dtype=xp.uint64)
    mixed.sort()
    order = (mixed & mask).astype(xp.int64)
    mixed >>= np.uint64(bits)
    alike = xp.flatnonzero(mixed[1:] == mixed[:-1])
    if len(alike) == 0:
        return None
    a, b = order[alike], order[alike + 1]
    same = (states[:, a] == states[:, b]).all(axis=0)
    keep = xp.ones(count, bool)
    keep[b[same]] = False
    if not bool(same.all()):
        # Different states with one hash, perhaps between two that are the same: settle these on the host.
        hashes = xp.unique(mixed[alike[~same]])
        members = xp.sort(order[xp.isin(mixed, hashes)])
        columns = states[:, members].T.tolist()
        seen: set[tuple[int, ...]] = set()
        for member, column in zip(members.tolist(), map(tuple, columns), strict=True):
            keep[member] = column not in seen
            seen.add(column)
    return None if bool(keep.all()) else xp.flatnonzero(keep)


def _hashes(xp: Any, states: Any) -> Any:
    """A 64-bit hash of each state, the upper bits the better mixed."""
    mixed = xp.zeros(states.shape[1], xp.uint64)
    for field in states:
        mixed ^= field
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed
