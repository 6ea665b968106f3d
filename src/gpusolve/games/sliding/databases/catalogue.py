"""Which pattern databases a board is solved with: a partition for each size, and how its tables come to a device."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding import kernels
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.tilesets import Partition, Pattern, parse_partition
from gpusolve.runs import store

Progress: TypeAlias = Callable[[Pattern, int], object]
"""Called with what is built and the number of its entries found so far."""

NAMED = {
    (5, 5, "6-6-6-6"): "1,2,5,6,7,12/3,4,8,9,13,14/10,11,15,16,20,21/17,18,19,22,23,24",
    (4, 4, "6-6-3"): "1,4,5,8,9,12/2,3,6,7,10,11/13,14,15",
    (4, 4, "5-5-5"): "1,2,3,6,7/4,5,8,9,12/10,11,13,14,15",
}
"""Partitions by the size of the board and a name; 6-6-6-6 is Korf and Felner's (2002)."""


def partition_of(rows: int, columns: int, name: str | None = None) -> Partition:
    """The partition of that name, or one written as sets.

    None: the default for boards of this size, the first whose tables have been built, else that which is built soonest.
    Raises BadInput for a name that is none, and for sets that are no partition.

    >>> print(partition_of(3, 4))
    1,4,5,8,9/2,3,6,7,10,11
    """
    if name is None:
        known = [partition_of(rows, columns, one) for one in names(rows, columns)] or [_blocks(rows, columns)]
        return next((one for one in known if path_of(one).exists()), known[-1])
    if (rows, columns, name) in NAMED:
        return parse_partition(rows, columns, NAMED[rows, columns, name])
    if "," not in name and "/" not in name:
        there = ", ".join(names(rows, columns)) or "none by name"
        raise BadInput(f"partition {name}: expected sets of tiles such as 1,2,3/4,5,6, or {there}")
    return parse_partition(rows, columns, name)


def names(rows: int, columns: int) -> list[str]:
    """The names of the partitions for boards of this size, the best first."""
    return [known for *size, known in NAMED if size == [rows, columns]]


def _blocks(rows: int, columns: int) -> Partition:
    """Sets of much the same size, of tiles that lie together."""
    tiles = rows * columns - 1
    long_way = sorted(range(1, tiles + 1), key=lambda tile: (tile % columns, tile) if columns > rows else (tile, 0))
    count = -(-tiles // 6)
    cuts = [tiles * i // count for i in range(count + 1)]
    return Partition(rows, columns, tuple(tuple(sorted(long_way[a:b])) for a, b in pairwise(cuts)))


def path_of(partition: Partition) -> Path:
    """The file with the tables of a partition."""
    patterns = (str(pattern).partition("-")[2] for pattern in partition.patterns)
    return store.path_of("-".join((f"sliding-{partition.rows}x{partition.columns}", *patterns)))


def load_tables(
    partition: Partition, backend: Backend, progress: Progress | None = None, strict: bool = False
) -> kernels.Tables:
    """The tables of a partition on a device; those that are not there are built. The last few are kept.

    `strict`: their file is there afterwards and whole; BadInput where it cannot be written.
    """
    key = partition, backend.name

    def make() -> store.Arrays:
        built = []
        for pattern in partition.patterns:
            report = None if progress is None else partial(progress, pattern)
            built.append(build_database(pattern, backend, report))
        counts = np.zeros((len(built), max(len(one.counts) for one in built)), np.int64)
        for row, one in zip(counts, built, strict=True):
            row[: len(one.counts)] = one.counts
        return {"steps": np.concatenate([one.steps for one in built]), "counts": counts}

    if strict or key not in _loaded:
        about = {"game": "sliding", "patterns": [str(pattern) for pattern in partition.patterns], "version": VERSION}
        steps = store.made(path_of(partition).stem, about, make, strict)["steps"]
        while len(_loaded) >= KEPT:
            del _loaded[next(iter(_loaded))]
        _loaded[key] = kernels.load(backend, partition, steps)
    return _loaded[key]


VERSION = 2  # of the files
KEPT = 2  # tables of so many partitions stay loaded
_loaded: dict[tuple[Partition, str], kernels.Tables] = {}


def forget() -> None:
    """Lets go of the tables that are loaded."""
    _loaded.clear()
