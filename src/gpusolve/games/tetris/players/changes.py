"""A learned value as what differs from another one; a fifth to an eighth of the size if it was trained from that one.

Each phase of the value has a blend of the sets of tables of the other, in the simplest case one of them, except for the
numbers at some places.
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


class Changes(NamedTuple):
    """What turns the tables of a value into those of another."""

    parts: list[int]
    """For each phase, PARTS phases of the other value, whose blend it has."""
    places: npt.NDArray[np.int32]
    """The indices of the numbers that differ from these tables, in ascending order."""
    numbers: npt.NDArray[np.int16]
    """The numbers at these places."""


def changes_from(base: npt.NDArray[np.int16], tables: npt.NDArray[np.int16]) -> Changes:
    """Return the changes that lead from the tables of `base` to `tables`, as few as possible.

    >>> base = np.arange(2 * SIZE).astype(np.int16)
    >>> tables = np.concatenate([base[SIZE:], np.full(SIZE, 8, np.int16)])
    >>> tables[5] = 7
    >>> changes = changes_from(base, tables)
    >>> changes.parts[:4], int(changes.places[0]), changes.numbers[:2].tolist()
    ([1, 1, 1, 1], 5, [7, 8])
    >>> np.array_equal(changed(base, changes), tables)
    True
    """
    sets = np.split(base, len(base) // SIZE)
    unlike = {
        blend: [np.count_nonzero(blend_of(sets, blend) != part) for part in tables.reshape(-1, SIZE)]
        for blend in blends_of(len(sets))
    }
    nearest = [min(unlike, key=lambda blend: unlike[blend][phase]) for phase in range(len(tables) // SIZE)]
    parts = [part for blend in nearest for part in blend]
    places = np.flatnonzero(_blends(base, parts) != tables).astype(np.int32)
    return Changes(parts, places, tables[places])


def changed(base: npt.NDArray[np.int16], changes: Changes) -> npt.NDArray[np.int16]:
    """Return the tables to which changes lead from the tables of `base`."""
    tables = _blends(base, changes.parts)
    tables[changes.places] = changes.numbers
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


def _blends(base: npt.NDArray[np.int16], parts: list[int]) -> npt.NDArray[np.int16]:
    """Return the tables that consist of a blend of the sets of `base` for each PARTS numbers."""
    sets = np.split(base, len(base) // SIZE)
    blends = (parts[begin : begin + PARTS] for begin in range(0, len(parts), PARTS))
    return np.concatenate([blend_of(sets, blend) for blend in blends])
