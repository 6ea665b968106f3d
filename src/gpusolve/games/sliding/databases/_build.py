"""Building the pattern databases of a partition before they are needed, and measuring them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, check_integer
from gpusolve.errors import BadInput
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding.boards import check_exact_size
from gpusolve.games.sliding.databases import kernels
from gpusolve.games.sliding.databases._tables import TableFile, describe
from gpusolve.games.sliding.databases.catalogue import Progress, Size, databases_of, partition_of, path_of
from gpusolve.games.sliding.databases.tilesets import Partition
from gpusolve.result import Result, reported
from gpusolve.runs import store
from gpusolve.runs.seeds import check_seed, random_seed

MOST_SAMPLES = 1_000_000


@dataclass(frozen=True, repr=False)
class Built(Result, schema="sliding.build/2"):
    """The pattern databases of a partition, built and measured.

    Attributes
    ----------
    partition : Partition
        The sets of tiles that have a database each.
    table : TableFile
        The file of the databases.
    samples : int
        Number of random boards on which they were measured.
    mean : float
        Mean lower bound on the number of moves, over random boards.
    seed : int
        The seed of these boards.
    seconds : float
        Seconds to build the databases, or to open them if they existed.
    """

    partition: Partition
    table: TableFile
    samples: int
    mean: float
    seed: int
    seconds: float

    @reported
    def rows(self) -> int:
        """Number of rows of the boards."""
        return self.partition.rows

    @reported
    def columns(self) -> int:
        """Number of columns of the boards."""
        return self.partition.columns


def build(
    *,
    rows: int = 5,
    columns: int = 5,
    partition: str | None = None,
    size: Size | None = None,
    samples: int = 10_000,
    seed: int | None = None,
    progress: Progress | None = None,
    backend: Backend | None = None,
) -> Built:
    """Build pattern databases, unless they exist.

    They are measured on random boards.

    Parameters
    ----------
    rows : int, default 5
        Number of rows; a board has at most 25 cells.
    columns : int, default 5
        Number of columns.
    partition : str, optional
        Sets of tiles that have a database each, such as ``1,2,3/4,5,6,7,8``, or a partition's name: ``large`` or
        ``small``; ``6-6-6-6-best``, ``6-6-6-6`` or ``5-5-5-4-4-1`` for 5x5; ``7-8``, ``7-7-1``, ``6-6-3`` or ``5-5-5``
        for 4x4. By default the best that has been built, or else ``large`` for 5x5 and ``small`` for 4x4; ``small`` if
        memory or disk is short. Two partitions have a ``+`` between them.
    size : {"small", "large"}, optional
        In place of a partition: the smallest or the best that has a name. For 5x5 the databases take 42 MB and 3 GB,
        for 4x4 8 MB and 2.3 GB.
        By default it depends on the size of the board.
    samples : int, default 10,000
        Number of random boards on which the databases are measured, up to 1,000,000.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    progress : callable, optional
        Called with the pattern of the database that is built, and the number of its entries so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Built

    Raises
    ------
    BadInput
        For a partition that is unknown, incomplete or too large, for a size beside a partition, for numbers out of
        range, and if the file cannot be written.

    References
    ----------
    .. [1] R. E. Korf and A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).

    Examples
    --------
    ``gpusolve sliding build --rows 4 --columns 4``

    >>> build(rows=2, columns=3, samples=1_000, seed=1).table.entries
    360
    """
    rows, columns = check_exact_size(rows, columns)
    samples = check_integer("samples", samples, 1, MOST_SAMPLES)
    if size is not None:
        check_choice("size", size, get_args(Size))
        if partition is not None:
            raise BadInput(f"size {size}: expected without a partition")
    seed = random_seed() if seed is None else check_seed(seed)
    begin = clock.running()
    chosen = partition_of(rows, columns, size if partition is None else partition)
    path = path_of(chosen)
    store.check_writable(path)
    databases = databases_of(chosen, open_backend(backend), progress=progress, strict=True)
    seconds = clock.running() - begin
    boards = np.array(scramble(rows=rows, columns=columns, count=samples, seed=seed).tiles, np.uint8)
    mean = float(kernels.measure(databases, boards).views.max(axis=1).mean())
    return Built(chosen, describe(store.open_table(path)), samples, mean, seed, seconds)
