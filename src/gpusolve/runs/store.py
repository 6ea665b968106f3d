"""Tables that take long to make: kept as files in the user's cache folder, and mapped into memory from there.

A file is a line of JSON, padded to a page: what the table is (`About`), its arrays, and a checksum of their bytes and
of the line itself; then the arrays, each on a page of its own. A file that is damaged, or of another kind, is never
used: it is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.backend.compiled import compiled
from gpusolve.errors import BadInput

SCHEMA = "gpusolve.table/1"
PAGE = 4096
SUFFIX = ".table"
About = dict[str, Any]
"""What a table is, in values that JSON has: the game, the settings that it follows from, the version of its maker."""
Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Table:
    """A file of the store that was opened, and found whole: its arrays are read-only and lie in the file."""

    path: Path
    about: About
    arrays: Arrays

    @property
    def size(self) -> int:
        """Bytes of the arrays."""
        return sum(array.nbytes for array in self.arrays.values())


def folder() -> Path:
    """Where the tables are: ``GPUSOLVE_TABLES``, or a folder in the user's cache folder."""
    if chosen := os.environ.get("GPUSOLVE_TABLES"):
        return Path(chosen)
    if sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "gpusolve" / "tables"


def path_of(name: str) -> Path:
    """The file of a table."""
    return folder() / f"{name}{SUFFIX}"


def paths() -> list[Path]:
    """The files of all tables that there are, damaged ones too, by name."""
    return sorted(folder().glob(f"*{SUFFIX}"))


def made(name: str, about: About, make: Callable[[], Arrays], strict: bool = False) -> Arrays:
    """The arrays of a table: those of its file, or else what `make` gives, which then are written there.

    Of several processes that want a table that is not there, one makes it and the others wait. Where it cannot be
    written, that is a RuntimeWarning, and the arrays are those in memory; if `strict`, it raises BadInput.
    """
    path = path_of(name)
    with contextlib.suppress(BadInput):
        return open_table(path, about).arrays
    with files.locked(path):
        with contextlib.suppress(BadInput):  # another process has made it meanwhile
            return open_table(path, about).arrays
        arrays = make()
        if strict:
            save(path, about, arrays)
        elif not keep(path, about, arrays):
            return arrays
        return open_table(path, about).arrays


def keep(path: Path, about: About, arrays: Arrays) -> bool:
    """Writes a table as `save` does, whether that succeeds; where it does not, there is a RuntimeWarning."""
    try:
        save(path, about, arrays)
    except BadInput as error:
        warnings.warn(f"{error}; the table is made again next time", RuntimeWarning, stacklevel=3)
        return False
    return True


def save(path: Path, about: About, arrays: Arrays) -> None:
    """Writes a table, whole or not at all. Raises BadInput where it cannot be written."""
    places, pieces, offset = {}, [], PAGE
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        room = -(-len(raw) // PAGE) * PAGE
        places[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "offset": offset, "sum": _sum_of(raw)}
        pieces += [memoryview(raw.data), memoryview(bytes(room - len(raw)))]
        offset += room
    header = {"schema": SCHEMA, "about": about, "arrays": places, "bytes": offset}
    line = json.dumps(header | {"sha256": _digest(header)}).encode()
    if len(line) >= PAGE:
        raise ValueError(f"a header of {len(line)} bytes: expected less than {PAGE}")
    check_writable(path)
    files.write(path, [memoryview(line.ljust(PAGE - 1) + b"\n"), *pieces], "table")


def check_writable(path: Path) -> None:
    """Makes the folder of a table, and raises BadInput if `save` could not write there."""
    with contextlib.suppress(OSError):  # if it fails, the file cannot be written either
        path.parent.mkdir(parents=True, exist_ok=True)
    files.check_writable(path, "table")


def open_table(path: Path, about: About | None = None) -> Table:
    """Maps a table into memory, and reads all of it once for its checksum, at the speed of memory.

    Raises BadInput for what is no table, for a damaged one, and for one that is not what `about` says (None: any).
    """
    try:
        mapped = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise BadInput(f"table {path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        header = json.loads(bytes(mapped[:PAGE]))
        digest = header.pop("sha256")
        whole = header["schema"] == SCHEMA and digest == _digest(header) and len(mapped) == header["bytes"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        raise BadInput(f"table {path}: damaged, or not a table of this version")
    if about is not None and header["about"] != json.loads(json.dumps(about)):
        raise BadInput(f"table {path}: made as {header['about']}: expected {about}")
    arrays: Arrays = {}
    for name, place in header["arrays"].items():
        dtype, shape, offset = np.dtype(place["dtype"]), tuple(place["shape"]), place["offset"]
        raw = np.asarray(mapped[offset : offset + dtype.itemsize * int(np.prod(shape, dtype=np.int64))])
        if _sum_of(raw) != place["sum"]:
            raise BadInput(f"table {path}: damaged in its {name}")
        arrays[name] = raw.view(dtype).reshape(shape)
    return Table(path, header["about"], arrays)


def _digest(header: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()


def _sum_of(raw: npt.NDArray[np.uint8]) -> str:
    """A checksum, 16 hexadecimal digits, that no change of one word of 64 bits leaves the same."""
    words = raw[: len(raw) // 8 * 8].view(np.uint64)
    rest = int.from_bytes(bytes(raw[len(words) * 8 :]), "little")
    return f"{int(_mixed(words, np.uint64(rest))):016x}"


@compiled
def _mixed(words: Any, rest: Any) -> Any:
    """Eight lanes at once; each step h -> (h + word) * odd can be undone, so that a difference never goes away."""
    factor = np.uint64(0x9E3779B97F4A7C15)
    lanes = np.arange(8).astype(np.uint64)
    whole = len(words) // 8 * 8
    a, b, c, d, e, f, g, h = lanes
    for i in range(0, whole, 8):
        a = (a + words[i]) * factor
        b = (b + words[i + 1]) * factor
        c = (c + words[i + 2]) * factor
        d = (d + words[i + 3]) * factor
        e = (e + words[i + 4]) * factor
        f = (f + words[i + 5]) * factor
        g = (g + words[i + 6]) * factor
        h = (h + words[i + 7]) * factor
    total = rest + np.uint64(len(words))
    for lane in (a, b, c, d, e, f, g, h):
        total = (total ^ (total >> np.uint64(29))) * factor + lane
    for i in range(whole, len(words)):
        total = (total ^ (total >> np.uint64(29))) * factor + words[i]
    return total
