"""A learned value as what differs from another one; a fifth to an eighth of the size if it was trained from that one.

Each phase of the value has a blend of the sets of tables of the other, in the simplest case one of them, except for the
numbers at some places. A phase that has little in common with all blends is kept whole. The numbers and their places
are kept as differences, small numbers that a wheel packs into half the space.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gpusolve.games.tetris.rules.losses import SIZE

Number = TypeVar("Number", np.int16, np.int32)
PARTS = 4
"""A blend is the mean of this number of sets of tables, some of which may be the same."""
WHOLE = -1
"""Replaces the sets of a blend for a phase that is kept whole."""
MOST_CHANGES = SIZE // 3
"""A phase with more changes is kept whole: a change takes six bytes, and a number of a whole phase takes two."""


class Changes(NamedTuple):
    """What turns the tables of a value into those of another."""

    parts: list[int]
    """For each phase, PARTS phases of the other value, whose blend it has, or PARTS times WHOLE."""
    gaps: npt.NDArray[np.int32]
    """The places of the numbers that differ from these blends: the first one's index plus one, then how far each is
    from the one before."""
    steps: npt.NDArray[np.int16]
    """By how much these numbers are greater than those of the blends, modulo 65,536."""
    whole: npt.NDArray[np.int16] = np.empty(0, np.int16)
    """The tables of the phases that are kept whole, one after the other."""


def changes_from(base: npt.NDArray[np.int16], tables: npt.NDArray[np.int16]) -> Changes:
    """Return the changes that lead from the tables of `base` to `tables`, as few as possible.

    >>> base = np.arange(2 * SIZE).astype(np.int16)
    >>> tables = np.concatenate([base[SIZE:], np.full(SIZE, 8, np.int16)])
    >>> tables[5] = 7
    >>> changes = changes_from(base, tables)
    >>> changes.parts, changes.gaps.tolist(), int(changes.steps[0] + base[SIZE + 5]), changes.whole[:2].tolist()
    ([1, 1, 1, 1, -1, -1, -1, -1], [6], 7, [8, 8])
    >>> np.array_equal(changed(base, changes), tables)
    True
    """
    sets = np.split(base, len(base) // SIZE)
    unlike = {
        blend: [np.count_nonzero(blend_of(sets, blend) != part) for part in tables.reshape(-1, SIZE)]
        for blend in blends_of(len(sets))
    }
    parts: list[int] = []
    whole = [np.empty(0, np.int16)]
    for phase, part in enumerate(tables.reshape(-1, SIZE)):
        nearest = min(unlike, key=lambda blend: unlike[blend][phase])
        is_whole = unlike[nearest][phase] > MOST_CHANGES
        parts += [WHOLE] * PARTS if is_whole else nearest
        whole += [part] if is_whole else []
    kept = np.concatenate(whole)
    steps = tables - _unchanged(base, parts, kept)
    places = np.flatnonzero(steps)
    return Changes(parts, np.diff(places, prepend=-1).astype(np.int32), steps[places], kept)


def changed(base: npt.NDArray[np.int16], changes: Changes) -> npt.NDArray[np.int16]:
    """Return the tables to which changes lead from the tables of `base`."""
    tables = _unchanged(base, changes.parts, changes.whole)
    tables[changes.gaps.cumsum(dtype=np.int64) - 1] += changes.steps
    return tables


def blends_of(count: int) -> list[tuple[int, ...]]:
    """Return all blends of a number of sets of tables.

    >>> blends_of(2)
    [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1)]
    """
    return list(combinations_with_replacement(range(count), PARTS))


def blend_of(sets: Sequence[npt.NDArray[Number]], blend: Iterable[int]) -> npt.NDArray[Number]:
    """Return the mean of some sets of tables, rounded.

    >>> blend_of([np.array([0, -8], np.int16), np.array([2, 8], np.int16)], (0, 0, 0, 1)).tolist()
    [0, -4]
    """
    chosen = [sets[part] for part in blend]
    if all(part is chosen[0] for part in chosen):
        return chosen[0]
    return np.rint(np.mean(chosen, axis=0, dtype=np.float64)).astype(chosen[0].dtype)


def _unchanged(base: npt.NDArray[np.int16], parts: list[int], whole: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Return the tables that have, in each phase, a blend of the sets of `base` or the next set of `whole`."""
    sets, kept = np.split(base, len(base) // SIZE), iter(whole.reshape(-1, SIZE))
    blends = (parts[begin : begin + PARTS] for begin in range(0, len(parts), PARTS))
    return np.concatenate([next(kept) if WHOLE in blend else blend_of(sets, blend) for blend in blends])
