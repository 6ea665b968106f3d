"""The files of pattern databases and forbidden strings that a machine keeps."""

from __future__ import annotations

import os
from dataclasses import dataclass
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
    """

    path: Path
    bytes: int
    kind: str
    entries: int = 0
    mean: float = 0.0
    damaged: str | None = None


@dataclass(frozen=True, repr=False)
class Tables(Rows[TableFile], schema="sliding.tables/1"):
    """The files of tables on this machine, which are also its items.

    Attributes
    ----------
    tables : list of TableFile
        The files, sorted by name.
    folder : Path
        The cache folder, which contains them.
    """

    tables: list[TableFile]
    folder: Path


def tables() -> Tables:
    """List the tables of this machine.

    Pattern databases and forbidden strings are checked for damage: each file is read completely.

    Returns
    -------
    Tables

    Examples
    --------
    ``gpusolve sliding tables``

    >>> all(table.path.name.startswith("sliding-") for table in tables())
    True
    """
    found = [_examine(path) for path in store.paths() if path.name.startswith("sliding-")]
    return Tables(found, store.folder())


def describe(table: store.Table) -> TableFile:
    """Return the properties of a table that was opened. Raises BadInput if it lacks what such tables have."""
    if "patterns" not in table.about:
        return TableFile(table.path, table.size, str(table.about.get("what", "")))
    fields = Fields(f"table {table.path}: damaged", table.arrays)
    counts = fields.array("counts", np.int64, (None, None), 0, MOST_ENTRIES).sum(axis=0)
    if not counts.any():
        raise fields.wrong("counts", "at least one entry")
    mean = float(counts @ np.arange(len(counts)) / counts.sum())
    return TableFile(table.path, table.size, "pattern databases", int(counts.sum()), mean)


def _examine(path: Path) -> TableFile:
    try:
        return describe(store.open_table(path))
    except BadInput as error:
        return TableFile(path, path.stat().st_size if os.path.isfile(path) else 0, "", damaged=str(error))
