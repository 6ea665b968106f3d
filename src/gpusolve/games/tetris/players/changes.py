"""A learned value as what differs from another one; a fifth to an eighth of the size if it was trained from that one.

Each phase of the value has the tables of one phase of the other, except for the numbers at some places.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.games.tetris.rules.losses import SIZE


class Changes(NamedTuple):
    """What turns the tables of a value into those of another."""

    parts: list[int]
    """For each phase, the phase of the other value that has its tables."""
    places: npt.NDArray[np.int32]
    """The indices of the numbers that differ from these tables, in ascending order."""
    numbers: npt.NDArray[np.int16]
    """The numbers at these places."""


def changes_from(base: npt.NDArray[np.int16], tables: npt.NDArray[np.int16]) -> Changes:
    """Return the changes that lead from the tables of `base` to `tables`, as few as possible.

    >>> base = np.arange(2 * SIZE).astype(np.int16)
    >>> tables = np.roll(base, SIZE)
    >>> tables[[5, SIZE]] = 7
    >>> changes = changes_from(base, tables)
    >>> changes.parts, changes.places.tolist() == [5, SIZE], changes.numbers.tolist()
    ([1, 0], True, [7, 7])
    >>> np.array_equal(changed(base, changes), tables)
    True
    """
    known = base.reshape(-1, SIZE)
    parts = [int(np.count_nonzero(known == phase, axis=1).argmax()) for phase in tables.reshape(-1, SIZE)]
    places = np.flatnonzero(known[parts].reshape(-1) != tables).astype(np.int32)
    return Changes(parts, places, tables[places])


def changed(base: npt.NDArray[np.int16], changes: Changes) -> npt.NDArray[np.int16]:
    """Return the tables to which changes lead from the tables of `base`."""
    tables = base.reshape(-1, SIZE)[changes.parts].reshape(-1)
    tables[changes.places] = changes.numbers
    return tables
