"""The catalogue of pattern databases: a partition for each board size, the file of its databases, and opening them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.backend import Backend, open_backend
from gpusolve.backend.cpu import free_bytes
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.sliding.boards import Board, check_exact_size
from gpusolve.games.sliding.databases import library
from gpusolve.games.sliding.databases.database import build_database
from gpusolve.games.sliding.databases.lookups import Databases, load_databases
from gpusolve.games.sliding.databases.tilesets import MOST_TILES, Partition, Pattern, parse_partition
from gpusolve.games.sliding.goals import Layout
from gpusolve.runs import store

Progress: TypeAlias = Callable[[Pattern, int], object]
"""Called while a database is built, with its pattern and the number of its entries so far."""

VERSION = 3
"""Version of the files: those of another version are built again."""
Size = Literal["small", "large"]
"""Names for the smallest and the best partition of a board size that have names."""
ONLY_CENTRED = "5-5-5-5-4"
NAMED = {
    (5, 5, "6-6-6-6-best"): "1,2,5,6,7,10/3,4,8,9,13,14/11,12,15,16,20,21/17,18,19,22,23,24",
    (5, 5, "6-6-6-6"): "1,2,5,6,7,12/3,4,8,9,13,14/10,11,15,16,20,21/17,18,19,22,23,24",
    (5, 5, "5-5-5-4-4-1"): "1,5,6,10/2,3,4,8,9/7,11,12,17/13/14,18,19,23,24/15,16,20,21,22",
    (5, 5, ONLY_CENTRED): "1,2,5,6,12/3,4,8,9,14/10,15,16,20,21/18,19,22,23,24/7,11,13,17",
    (4, 4, "7-8"): "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15",
    (4, 4, "7-7-1"): "1,2,3,4,5,6,7/8,9,10,11,12,13,14/15",
    (4, 4, "6-6-3"): "1,4,5,8,9,12/2,3,6,7,10,11/13,14,15",
    (4, 4, "5-5-5"): "1,2,3,6,7/4,5,8,9,12/10,11,13,14,15",
}
"""Partitions by board size and name, the best first and the smallest last.

6-6-6-6 is Korf and Felner's (2002); 6-6-6-6-best has the greatest mean height of all partitions into four connected
sets of six tiles; see benchmarks/results/sliding.md.
"""
CENTRED = {(5, 5, 12): ("6-6-6-6", ONLY_CENTRED)}
"""The names by board size and goal cell of the blank, where they differ: with the blank in the centre, these sets are
connected and are one another's rotations, so that one database serves all large ones."""
BUILT_FIRST = {(4, 4): "5-5-5"}
"""What is built by default if a board size has partitions with names and none of them has been built, else the best."""
MOST_WORDS = 1 << 28
"""Maximum number of words in the database of tiles that are all alike: 1 GiB."""
GATHERED = 1 << 26
"""Number of words that a set is filled up to with further tiles where tiles are alike."""
MOST_NAME = 200  # characters of a file's name
WORKING = 1 << 28  # bytes that building takes besides the databases
KEPT = 1 << 28
"""Largest number of bytes of databases that stay open for the next call: opening takes longer than solving a board."""
MOST_KEPT = 4
"""Largest number of partitions whose databases stay open."""
_opened: dict[tuple[files.Version, Backend], Databases] = {}


def partition_for(board: Board, name: str | None = None) -> Partition:
    """Return the partition with this name for a board and its goal. Raise BadInput as `partition_of` does."""
    layout = board.layout
    return partition_of(board.rows, board.columns, name, blank=layout.blank, alike=layout.alike)


def partition_of(
    rows: int, columns: int, name: str | None = None, *, blank: int = 0, alike: tuple[tuple[int, ...], ...] = ()
) -> Partition:
    """Return the partition with this name, or the partition that is written as sets of tiles.

    None stands for the default of the board size: the best partition whose databases have been built; or else the one
    that is built by default; or, if memory or disk is short, the smallest. Raise BadInput for an unknown name, for sets
    that are not a partition, and for boards that cannot be solved optimally. `blank` and `alike` are those of a
    `Layout`; without a text, tiles that are alike are kept in one set.

    >>> print(partition_of(3, 4))
    1,4,5,8,9/2,3,6,7,10,11
    """
    rows, columns = check_exact_size(rows, columns)
    known = names(rows, columns, blank)
    if name is None or name in ("small", "large"):
        if alike:
            return _gathered(Layout(rows, columns, blank, alike))
        if not known:
            return replace(_blocks(rows, columns), blank=blank)
        if name is None:
            return _default(rows, columns, blank)
        name = known[-1] if name == "small" else known[0]
    if (rows, columns, name) in NAMED:
        return parse_partition(rows, columns, NAMED[rows, columns, name], blank, alike)
    if "," not in name and "/" not in name:
        alternatives = "".join(f", or {known}" for known in ("small", "large", *known))
        raise BadInput(f"partition {name}: expected sets of tiles such as 1,2,3/4,5,6{alternatives}")
    return parse_partition(rows, columns, name, blank, alike)


def most_alike(cells: int) -> int:
    """Return the largest number of tiles of one kind for which a database is built.

    >>> [most_alike(cells) for cells in (9, 16, 25)]
    [8, 7, 6]
    """
    return max(tiles for tiles in range(1, MOST_TILES + 1) if cells**tiles <= MOST_WORDS)


def _gathered(layout: Layout) -> Partition:
    """Return sets that each contain all tiles of a kind: large kinds first, then the others where there is room."""
    kinds = sorted(layout.alike, key=len, reverse=True)
    single = sorted(set(range(1, layout.cells)) - {tile for kind in kinds for tile in kind}, key=layout.goal_cell)
    room = max(tiles for tiles in range(1, MOST_TILES + 1) if layout.cells**tiles <= GATHERED)
    sets: list[list[int]] = []
    for tiles in [*kinds, *((tile,) for tile in single)]:
        if len(tiles) > most_alike(layout.cells):
            raise BadInput(
                f"{len(tiles)} tiles are alike: expected at most {most_alike(layout.cells)} on a board of "
                f"{layout.rows}x{layout.columns} with pattern databases, or the strategy beam"
            )
        fits = next((own for own in sets if len(own) + len(tiles) <= room), None)
        if fits is None:
            sets.append(list(tiles))
        else:
            fits.extend(tiles)
    return Partition(
        layout.rows,
        layout.columns,
        tuple(tuple(sorted(tiles)) for tiles in sets),
        blank=layout.blank,
        alike=layout.alike,
    )


def _default(rows: int, columns: int, blank: int) -> Partition:
    known = [partition_of(rows, columns, name, blank=blank) for name in names(rows, columns, blank)]
    first = partition_of(rows, columns, BUILT_FIRST.get((rows, columns), "large"), blank=blank)
    usable = known if first == known[-1] else known[:-1]  # a first answer builds the smallest, which is slower
    candidates = [*filter(is_built, usable), first]
    return next((partition for partition in candidates if has_room(partition)), known[-1])


def has_room(partition: Partition) -> bool:
    """Return whether there is memory for the databases of a partition, and to build them if they are missing."""
    sizes = [4 * size for size in partition.sizes]
    return _has_room(sizes, path_of(partition), on_disk=sum(sizes))


def has_room_for_library(partition: Partition) -> bool:
    """Return whether there is room for the library that serves a partition, also within the limit of all tables."""
    path = library.path_of(partition.rows, partition.columns)
    sizes = [4 * partition.size_of(pattern) for pattern in library.patterns(partition.rows, partition.columns)]
    used = sizes[: 2 * len(partition.sets)]  # of two divisions
    return path is not None and sum(sizes) <= store.most_bytes() and _has_room(used, path, on_disk=2 * sum(sizes))


def _has_room(sizes: list[int], path: Path, on_disk: int) -> bool:
    """Return whether there is memory for tables of these numbers of bytes, and to build them if there is no file."""
    memory = sum(sizes)
    if not path.is_file():
        memory += max(sizes) + WORKING
        existing = next((folder for folder in path.parents if folder.exists()), None)
        if existing is not None and shutil.disk_usage(existing).free < on_disk:
            return False
    free = free_bytes()
    return free is None or free >= memory


def names(rows: int, columns: int, blank: int = 0) -> list[str]:
    """Return the names of the partitions for boards of this size and this goal cell of the blank, the best first.

    >>> names(5, 5), names(5, 5, 12)
    (['6-6-6-6-best', '6-6-6-6', '5-5-5-4-4-1'], ['6-6-6-6', '5-5-5-5-4'])
    """
    own = CENTRED.get((rows, columns, blank))
    return list(own or (known for *size, known in NAMED if size == [rows, columns] and known != ONLY_CENTRED))


@cache
def _blocks(rows: int, columns: int) -> Partition:
    """Return sets of adjacent tiles, all of about the same size."""
    tiles = rows * columns - 1
    long_way = sorted(range(1, tiles + 1), key=lambda tile: (tile % columns, tile) if columns > rows else (tile, 0))
    count = -(-tiles // 6)
    cuts = [tiles * i // count for i in range(count + 1)]
    return Partition(rows, columns, tuple(tuple(sorted(long_way[a:b])) for a, b in pairwise(cuts)))


def is_built(partition: Partition) -> bool:
    """Return whether this machine keeps a file with the databases of a partition."""
    return path_of(partition).is_file()


def path_of(partition: Partition) -> Path:
    """Return the file with the databases of a partition; that of the library if this serves it and has been built."""
    own, shared = store.path_of(_name_of(partition)), library.path_of(partition.rows, partition.columns)
    if shared is not None and shared.is_file() and not own.is_file() and library.serves(partition):
        return shared
    return own


@lru_cache(maxsize=64)
def _name_of(partition: Partition) -> str:
    patterns = (str(pattern).partition("-")[2] for pattern in partition.patterns)
    name = "-".join((f"sliding-{partition.rows}x{partition.columns}", *patterns))
    if len(name) > MOST_NAME:
        name = f"{name[:MOST_NAME]}-{sha256(name.encode()).hexdigest()[:16]}"
    return name


def open_databases(
    rows: int,
    columns: int,
    *,
    partition: str | None = None,
    progress: Progress | None = None,
    backend: Backend | None = None,
) -> Databases:
    """Load the pattern databases for boards of some size, so that several calls of `solve` can share them.

    Databases that this machine does not keep yet are built first, which takes seconds for the 15-puzzle and up to a
    minute for the 24-puzzle.

    Parameters
    ----------
    rows, columns : int
        Size of the boards, at most 25 cells.
    partition : str, optional
        The sets of tiles that have a database each, such as ``1,2,3/4,5,6,7,8``, or a partition's name: ``large`` or
        ``small``; ``6-6-6-6-best``, ``6-6-6-6`` or ``5-5-5-4-4-1`` for 5x5; ``7-8``, ``7-7-1``, ``6-6-3`` or ``5-5-5``
        for 4x4. By default the best that has been built, or else ``large`` for 5x5 and ``small`` for 4x4; ``small`` if
        memory or disk is short. Two partitions have a ``+`` between them: a search looks up both, instead of one
        straight and reflected.
    progress : callable, optional
        Called while a database is built, with its pattern and the number of its entries so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Databases

    Raises
    ------
    BadInput
        For a size out of range, and for a partition that is unknown, incomplete or too large.

    Examples
    --------
    >>> from gpusolve.games.sliding import scramble, solve
    >>> databases = open_databases(3, 3)
    >>> [len(solve(board, databases=databases).moves) for board in scramble(rows=3, columns=3, seed=1, count=3)]
    [22, 27, 21]
    """
    rows, columns = check_exact_size(rows, columns)
    return databases_of(partition_of(rows, columns, partition), open_backend(backend), progress=progress)


def databases_of(
    partition: Partition, backend: Backend, *, progress: Progress | None = None, strict: bool = False
) -> Databases:
    """Load the databases of a partition on a device, after building them if they are not in their file.

    If `strict`, raise BadInput where the file cannot be written. Otherwise that is a RuntimeWarning.
    """
    path = path_of(partition)
    if path != library.path_of(partition.rows, partition.columns):
        return load_databases(backend, partition, _steps_of(path, partition, backend, progress, strict))
    patterns = library.patterns(partition.rows, partition.columns)
    steps = _steps_of(path, partition, backend, progress, strict, patterns)
    ends = np.cumsum([0, *map(partition.size_of, patterns)]).tolist()
    starts = dict(zip(patterns, ends, strict=False))
    if backend.host is not backend:  # a device takes only what the partition needs
        parts = [steps[starts[pattern] :][: partition.size_of(pattern)] for pattern in partition.patterns]
        return load_databases(backend, partition, np.concatenate(parts))
    return load_databases(backend, partition, steps, starts)


def build_library(partition: Partition, backend: Backend, *, progress: Progress | None = None) -> None:
    """Build the library of a partition's board size unless this machine keeps it. Raise BadInput if that fails."""
    rows, columns = partition.rows, partition.columns
    if (path := library.path_of(rows, columns)) is not None:
        _steps_of(path, partition, backend, progress, True, library.patterns(rows, columns))


def _steps_of(
    path: Path,
    partition: Partition,
    backend: Backend,
    progress: Progress | None,
    strict: bool,
    patterns: tuple[Pattern, ...] = (),
) -> npt.NDArray[np.uint32]:
    """Return the steps of a partition's patterns from a file, or newly built; or of `patterns`, those of a library."""
    make = store.scratch if patterns else np.empty
    patterns = patterns or partition.patterns
    sizes = [partition.size_of(pattern) for pattern in patterns]

    def build() -> store.Arrays:
        steps, counts = make(sum(sizes), np.uint32), []
        for pattern, part in zip(patterns, np.split(steps, np.cumsum(sizes)[:-1]), strict=True):
            told = None if progress is None else partial(progress, pattern)
            built = build_database(pattern, backend, told, dense=partition.is_dense)
            part[:] = built.steps
            counts.append(built.counts)
        longest = max(map(len, counts))
        return {"steps": steps, "counts": np.stack([np.pad(each, (0, longest - len(each))) for each in counts])}

    about = {"game": "sliding", "patterns": [*map(str, patterns)], "version": _version(partition)}
    table = Fields(f"table {path}: damaged", store.made(path.stem, about, build, strict))
    return table.array("steps", np.uint32, (sum(sizes),))


def stays_open(partition: Partition) -> bool:
    """Return whether databases are so small that they stay open."""
    return 4 * sum(partition.sizes) <= KEPT


def _version(partition: Partition) -> int:
    """Return the version of the file of a partition: if it is not dense, it has the layout of version 2."""
    return VERSION if partition.is_dense else 2


def keep_databases(partition: Partition, backend: Backend, *, progress: Progress | None = None) -> Databases:
    """Load databases as `databases_of` does, but small ones stay open: a process of the server runs many commands."""
    path = path_of(partition)
    if backend.host is not backend or not stays_open(partition) or not os.path.isfile(path):
        return databases_of(partition, backend, progress=progress)
    version = files.version_of(path)
    if (version, backend) not in _opened:
        databases = databases_of(partition, backend, progress=progress)
        if len(_opened) >= MOST_KEPT:
            _opened.clear()
        _opened[version, backend] = databases
    store.mark_used(path)
    return _opened[version, backend]
