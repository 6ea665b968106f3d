"""The pattern databases that a machine has: built before they are needed, and listed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.sliding import kernels
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding.boards import check_size
from gpusolve.games.sliding.databases.catalogue import Progress, load_tables, partition_of, path_of
from gpusolve.games.sliding.databases.tilesets import Partition
from gpusolve.runs import store
from gpusolve.runs.seeds import check_seed, random_seed

MOST_SAMPLES = 1_000_000


@dataclass(frozen=True)
class TableFile:
    """A file of the store, and the bytes in it. `damaged`: what is wrong, in a line; then nothing else is known.

    `entries` and `mean`, the mean height of these, are of pattern databases; 0 for other tables.
    """

    path: Path
    bytes: int
    what: str
    entries: int = 0
    mean: float = 0.0
    damaged: str | None = None


@dataclass(frozen=True)
class Built:
    """The tables of a partition. `mean`: of the bound that they give, the mean over random boards of a seed."""

    partition: Partition
    file: TableFile
    mean: float
    seed: int
    seconds: float


def build(
    rows: int = 5,
    columns: int = 5,
    partition: str | None = None,
    samples: int = 10_000,
    seed: int | None = None,
    progress: Progress | None = None,
    backend: Backend | None = None,
) -> Built:
    """Builds the tables of a partition that are not there yet, and measures them on so many random boards.

    `partition` as `solve` has it. `progress` is called with what is built and the number of its entries found so far.
    Raises BadInput for a partition that is none, for numbers out of range, and where tables cannot be
    kept.
    """
    check_size(rows, columns)
    check_integer("samples", samples, 1, MOST_SAMPLES)
    seed = random_seed() if seed is None else check_seed(seed)
    begin = time.monotonic()
    chosen = partition_of(rows, columns, partition)
    path = path_of(chosen)
    store.check_writable(path)
    backend = open_backend(backend)
    tables = load_tables(chosen, backend, progress, strict=True)
    seconds = time.monotonic() - begin
    boards = np.array([board.tiles for board in scramble(rows, columns, count=samples, seed=seed)], np.uint8)
    heights, _ = kernels.measure(backend, tables, boards)
    mean = float(heights.reshape(samples, 2, -1).sum(axis=2).max(axis=1).mean())
    return Built(chosen, _described(store.open_table(path)), mean, seed, seconds)


def tables() -> list[TableFile]:
    """All tables that this machine keeps for sliding tiles, by name: each is read, and damage is told."""
    return [_examine(path) for path in store.paths() if path.name.startswith("sliding-")]


def _examine(path: Path) -> TableFile:
    try:
        return _described(store.open_table(path))
    except BadInput as error:
        return TableFile(path, path.stat().st_size if path.exists() else 0, "", damaged=str(error))


def _described(found: store.Table) -> TableFile:
    if "patterns" not in found.about:
        return TableFile(found.path, found.size, str(found.about.get("what", "")))
    counts = found.arrays["counts"].sum(axis=0)
    mean = float(counts @ np.arange(len(counts)) / counts.sum())
    return TableFile(found.path, found.size, "pattern databases", int(counts.sum()), mean)
