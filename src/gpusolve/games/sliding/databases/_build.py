"""Building the pattern databases of a partition before they are needed, and measuring them."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer
from gpusolve.games.sliding._scramble import scramble
from gpusolve.games.sliding.boards import check_size
from gpusolve.games.sliding.databases import kernels
from gpusolve.games.sliding.databases._tables import TableFile, describe
from gpusolve.games.sliding.databases.catalogue import Progress, databases_of, partition_of, path_of
from gpusolve.games.sliding.databases.tilesets import Partition
from gpusolve.runs import store
from gpusolve.runs.seeds import check_seed, random_seed

MOST_SAMPLES = 1_000_000


@dataclass(frozen=True)
class Built:
    """The pattern databases of a partition, built and measured.

    Attributes
    ----------
    partition : Partition
        The sets of tiles that have a database each.
    file : TableFile
        The file of the databases.
    mean : float
        Mean lower bound on the number of moves, over random boards.
    seed : int
        The seed of these boards.
    seconds : float
        Seconds to build the databases, or to open them if they existed.
    """

    partition: Partition
    file: TableFile
    mean: float
    seed: int
    seconds: float


def build(
    rows: int = 5,
    columns: int = 5,
    *,
    partition: str | None = None,
    samples: int = 10_000,
    seed: int | None = None,
    progress: Progress | None = None,
    backend: Backend | None = None,
) -> Built:
    """Build the pattern databases of a partition unless they exist, and measure them on random boards.

    Parameters
    ----------
    rows, columns : int, default 5
        Size of the boards, at most 25 cells.
    partition : str, optional
        The sets of tiles that have a database each, such as ``1,2,3/4,5,6,7,8``, or a partition's name: ``6-6-6-6`` for
        5x5; ``6-6-3`` or ``5-5-5`` for 4x4. By default the best that has been built, or else the fastest to build.
    samples : int, default 10,000
        Number of random boards, up to 1,000,000.
    seed : int, optional
        Seed of these boards. By default a random seed.
    progress : callable, optional
        Called while a database is built, with its pattern and the number of its entries so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Built

    Raises
    ------
    BadInput
        For a partition that is unknown, incomplete or too large, for numbers out of range, and if the file cannot be
        written.

    References
    ----------
    .. [1] R. E. Korf and A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).

    Examples
    --------
    >>> build(2, 3, samples=1_000, seed=1).file.entries
    360
    """
    check_size(rows, columns)
    check_integer("samples", samples, 1, MOST_SAMPLES)
    seed = random_seed() if seed is None else check_seed(seed)
    begin = time.monotonic()
    chosen = partition_of(rows, columns, partition)
    path = path_of(chosen)
    store.check_writable(path)
    databases = databases_of(chosen, open_backend(backend), progress=progress, strict=True)
    seconds = time.monotonic() - begin
    boards = np.array([board.tiles for board in scramble(rows, columns, count=samples, seed=seed)], np.uint8)
    mean = float(kernels.measure(databases, boards).views.max(axis=1).mean())
    return Built(chosen, describe(store.open_table(path)), mean, seed, seconds)
