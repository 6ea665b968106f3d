"""The files of pattern databases and forbidden strings that a machine keeps: listing and removing them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.result import Result, Rows
from gpusolve.runs import store

MOST_ENTRIES = 1 << 40
"""More entries than any database has at one distance."""


@dataclass(frozen=True, repr=False)
class TableFile(Result):
    """A file of tables in the cache folder.

    Attributes
    ----------
    path : Path
        The file.
    bytes : int
        Size of its tables, or of the file if it is damaged.
    kind : str
        ``pattern databases`` or ``forbidden strings``; empty if the file is damaged.
    entries : int
        Number of entries of pattern databases; 0 for other files.
    mean : float
        Mean height of these entries; 0 for other files.
    damaged : str or None
        What is wrong with the file, in one line; None if it is intact.
    used : str
        When it was used for the last time, such as ``2026-05-31T12:00:00+00:00``.
    """

    path: Path
    bytes: int
    kind: str
    entries: int = 0
    mean: float = 0.0
    damaged: str | None = None
    used: str = ""


@dataclass(frozen=True, repr=False)
class Tables(Rows[TableFile], schema="sliding.tables/2"):
    """The files of tables on this machine, which are also its items.

    Attributes
    ----------
    tables : list of TableFile
        The files, sorted by name.
    folder : Path
        The cache folder, which contains them.
    limit : int
        Number of bytes that all tables of all games may take together: after a new one is written, those that were used
        the longest time ago are removed.
    removed : list of str
        Names of the tables that were removed now.
    """

    tables: list[TableFile]
    folder: Path
    limit: int
    removed: list[str]


def tables(*, remove: str | None = None) -> Tables:
    """List the tables of this machine, or remove some of them.

    Pattern databases and forbidden strings are checked for damage: each file is read completely. All tables may take 20
    GB together, or as many as the variable GPUSOLVE_TABLES_LIMIT says; those that were used the longest time ago are
    removed first. A search builds again what it needs.

    Parameters
    ----------
    remove : str, optional
        First remove the table with this name, or tables whose names have this form, such as ``sliding-5x5-*``.

    Returns
    -------
    Tables

    Raises
    ------
    BadInput
        If no table has the name to remove, or it cannot be removed; and if the limit is not a number.

    Examples
    --------
    ``gpusolve sliding tables``

    >>> all(table.path.name.startswith("sliding-") for table in tables())
    True
    """
    limit, own = store.most_bytes(), [path for path in store.paths() if path.name.startswith("sliding-")]
    gone = [] if remove is None else [path for path in own if fnmatchcase(path.stem, remove)]
    if remove is not None and not gone:
        raise BadInput(f"remove {remove}: expected the name of a table of sliding tiles in {store.folder()}")
    for path in gone:
        try:
            store.remove(path)
        except OSError as error:
            raise BadInput(f"table {path}: cannot be removed: {error.strerror or error}") from None
    found = [_examine(path) for path in own if path not in gone]
    return Tables(found, store.folder(), limit, [path.stem for path in gone])


def describe(table: store.Table) -> TableFile:
    """Return the properties of a table that was opened. Raises BadInput if it lacks what such tables have."""
    used = _last_use(table.path)
    if "patterns" not in table.about:
        return TableFile(table.path, table.size, str(table.about.get("what", "")), used=used)
    fields = Fields(f"table {table.path}: damaged", table.arrays)
    counts = fields.array("counts", np.int64, (None, None), 0, MOST_ENTRIES).sum(axis=0)
    if not counts.any():
        raise fields.wrong("counts", "at least one entry")
    mean = float(counts @ np.arange(len(counts)) / counts.sum())
    return TableFile(table.path, table.size, "pattern databases", int(counts.sum()), mean, used=used)


def _examine(path: Path) -> TableFile:
    try:
        return describe(store.open_table(path))
    except BadInput as error:
        size = path.stat().st_size if os.path.isfile(path) else 0
        return TableFile(path, size, "", damaged=str(error), used=_last_use(path))


def _last_use(path: Path) -> str:
    return datetime.fromtimestamp(store.last_use(path), UTC).isoformat(timespec="seconds")
