"""Tables that take long to build: kept as files in the user's cache folder, and mapped into memory from there.

A file is a line of JSON, padded to a page: a description of the table (`About`), its arrays, a checksum of each array
and a digest of the line itself. The arrays follow, each starting on a page. A file that is damaged or describes
another table is never used; the table is built again.

All tables together take at most as much of the disk as `most_bytes` says: after a new one is written, those that were
used the longest time ago are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import mmap
import os
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import clock, files
from gpusolve.backend import caches
from gpusolve.backend.compiled import compiled
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.runs.arrays import declared

SCHEMA = "gpusolve.table/1"
PAGE = 4096
SUFFIX = ".table"
VERIFIED = ".verified"
"""The suffix of the mark of a table whose checksums were right."""
LARGE = 1 << 28
"""Number of bytes from which a table has such a mark."""
USED = ".used"
"""The suffix of an empty file whose time is that of the last use of a table: the table's own time says whether it has
changed, and programs that only copy files change the time of access."""
LIMIT, USUAL = "GPUSOLVE_TABLES_LIMIT", 20.0
"""The environment variable with the gigabytes that all tables may take together, and what they are without it."""
MOST_GIGABYTES = 1e9
About = dict[str, Any]
"""Description of a table in JSON values: the game, the settings that determine it, the version of its builder."""
Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Table:
    """An opened and verified file of the store. Its arrays are read-only and mapped from the file."""

    path: Path
    about: About
    arrays: Arrays

    @property
    def size(self) -> int:
        """Size of the arrays in bytes."""
        return sum(array.nbytes for array in self.arrays.values())


def folder() -> Path:
    """Return the folder of the tables (see `caches`). Raises BadInput if the user has no home folder."""
    return caches.folder("tables")


def path_of(name: str) -> Path:
    """Return the file of a table."""
    return folder() / f"{name}{SUFFIX}"


def paths() -> list[Path]:
    """Return the files of all tables, including damaged ones, sorted by name; none if the folder cannot be read."""
    try:
        return sorted(folder().glob(f"*{SUFFIX}"))
    except OSError:  # its name is too long, for example
        return []


def most_bytes() -> int:
    """Return the number of bytes that all tables may take together. Raise BadInput if the user has set no number."""
    text = os.environ.get(LIMIT) or str(USUAL)
    try:
        gigabytes = float(text)
    except ValueError:
        gigabytes = math.nan
    if not 0 <= gigabytes <= MOST_GIGABYTES:
        raise BadInput(f"{LIMIT} {text[:40]}: expected a number of gigabytes, such as 20")
    return round(gigabytes * 1e9)


def last_use(path: Path) -> float:
    """Return when a table was used for the last time, or written if it has never been, in seconds since 1970."""
    times = [0.0]
    for file in (path, path.with_suffix(USED)):
        with contextlib.suppress(OSError):
            times.append(file.stat().st_mtime)
    return max(times)


def mark_used(path: Path) -> None:
    """Note that a table is used now. Where nothing can be written, nothing is noted, and nothing is removed either."""
    with contextlib.suppress(OSError):
        path.with_suffix(USED).touch()


def remove(path: Path) -> None:
    """Remove a table and its marks. Raise OSError if that fails. Processes that have opened it can go on."""
    path.unlink(missing_ok=True)
    for suffix in (VERIFIED, USED):  # not the lock: another process may wait for it
        path.with_suffix(suffix).unlink(missing_ok=True)


def made(name: str, about: About, make: Callable[[], Arrays], strict: bool = False) -> Arrays:
    """Return the arrays of a table from its file. If it is missing or damaged, build them with `make` and write it.

    If several processes need a missing table, one builds it and the others wait. If the file cannot be written,
    a RuntimeWarning is issued and the arrays stay in memory; with `strict`, BadInput is raised.
    """
    path = path_of(name)
    with contextlib.suppress(BadInput):
        return _open_once(path, about).arrays
    with files.locked(path):
        with contextlib.suppress(BadInput):  # another process has built it meanwhile
            return _open_once(path, about).arrays
        most_bytes()  # raises an error now, not after the work
        with clock.building:
            arrays = make()
        if strict:
            save(path, about, arrays)
            _make_room(path)
        elif not keep(path, about, arrays):
            return arrays
        with contextlib.suppress(BadInput):  # another process has written a larger one, and removed this one
            return _open_once(path, about).arrays
        return arrays


def _open_once(path: Path, about: About) -> Table:
    """Open a table, and verify the checksums of a large one only if its file has changed since they were verified.

    That takes seconds, longer than many searches. A mark beside the file says which version of it was intact.
    """
    mark, version = path.with_suffix(VERIFIED), json.dumps(files.state_of(path))
    with contextlib.suppress(OSError, ValueError):
        if mark.read_text(encoding="utf-8") == version:
            table = open_table(path, about, verify=False)
            mark_used(path)
            return table
    table = open_table(path, about)
    mark_used(path)
    if table.size >= LARGE:
        with contextlib.suppress(BadInput):
            files.write(mark, version, "table")
    return table


def keep(path: Path, about: About, arrays: Arrays) -> bool:
    """Write a table and return whether that succeeded; if not, issue a RuntimeWarning.

    Others are removed if all tables are larger than `most_bytes` then.
    """
    most_bytes()
    try:
        save(path, about, arrays)
    except BadInput as error:
        warnings.warn(f"{error}; the table will be built again next time", RuntimeWarning, stacklevel=3)
        return False
    _make_room(path)
    return True


def _make_room(new: Path) -> None:
    """Remove the tables that were used the longest time ago until there is room for all, but not the new one.

    A RuntimeWarning says what was removed. A file that is not known to be a table is neither counted nor removed,
    because the folder may be one that the user has chosen.
    """
    sizes = {}
    for path in filter(os.path.isfile, paths()):  # a pipe would never end
        with contextlib.suppress(OSError), path.open("rb") as file:
            if file.read(PAGE).startswith(json.dumps({"schema": SCHEMA})[:-1].encode()):
                sizes[path] = path.stat().st_size
    most, total, gone = most_bytes(), sum(sizes.values()), []
    for path in sorted(sizes.keys() - {new}, key=last_use):
        if total <= most:
            break
        with contextlib.suppress(OSError):
            remove(path)
            total -= sizes[path]
            gone.append(path.stem)
    if gone:
        limit = f"more than {most / 1e9:g} GB ({LIMIT})"
        warnings.warn(f"tables took {limit}; removed: {', '.join(gone)}", RuntimeWarning, stacklevel=4)


def save(path: Path, about: About, arrays: Arrays) -> None:
    """Write a table atomically. Raises BadInput if it cannot be written."""
    layout, pieces, offset = {}, [], PAGE
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        room = -(-len(raw) // PAGE) * PAGE
        layout[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "offset": offset, "sum": _sum_of(raw)}
        pieces += [memoryview(raw.data), memoryview(bytes(room - len(raw)))]
        offset += room
    header = {"schema": SCHEMA, "about": about, "arrays": layout, "bytes": offset}
    line = json.dumps(header | {"sha256": _digest(header)}).encode()
    if len(line) >= PAGE:
        raise ValueError(f"a header of {len(line)} bytes: expected less than {PAGE}")
    check_writable(path)
    files.write(path, [memoryview(line.ljust(PAGE - 1) + b"\n"), *pieces], "table")


def scratch(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array in a file without a name, for a table that may be larger than memory while it is built.

    The file is in the folder of the tables and ends with the array. Raises BadInput if it cannot be made.
    """
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()) as file:
            return np.memmap(file, dtype, "w+", shape=(size,))
    except OSError as error:
        raise BadInput(f"folder {folder()}: cannot be written: {error.strerror or error}") from None


def check_writable(path: Path) -> None:
    """Create the folder of a table, and raise BadInput if `save` could not write there."""
    with contextlib.suppress(OSError):  # if it fails, the file cannot be written either
        path.parent.mkdir(parents=True, exist_ok=True)
    files.check_writable(path, "table")


def open_table(path: Path, about: About | None = None, *, verify: bool = True) -> Table:
    """Map a table into memory and verify its checksums, which reads all of it once at the speed of memory.

    Without that, the system is asked to read the file ahead. Raises BadInput if the file is not a table, is damaged,
    or does not match `about` (None accepts any).
    """
    try:
        mapped = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise BadInput(f"table {path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        header = json.loads(bytes(mapped[:PAGE]))
        digest = header.pop("sha256")
        intact = header["schema"] == SCHEMA and digest == _digest(header) and len(mapped) == header["bytes"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        intact = False
    if not intact:
        raise BadInput(f"table {path}: damaged, or not a table of this version")
    fields = Fields(f"table {path}: damaged", header)  # its digest only shows that it is as somebody wrote it
    found = dict(fields.object("about").values)
    if about is not None and found != json.loads(json.dumps(about)):
        raise BadInput(f"table {path}: describes {found}: expected {about}")
    places = fields.object("arrays")
    if not verify and hasattr(mmap, "MADV_WILLNEED"):
        mapped._mmap.madvise(mmap.MADV_WILLNEED)  # type: ignore[attr-defined]
    place = f"table {path}"
    return Table(
        path, found, {name: _array(mapped, places.object(name), place, name, verify) for name in places.values}
    )


def _array(mapped: npt.NDArray[np.uint8], place: Fields, file: str, name: str, verify: bool) -> npt.NDArray[Any]:
    """Return an array of a table. Raises BadInput if it is not within the file, or not the array that was written."""
    offset = place.integer("offset", PAGE, len(mapped))
    shape = place.integers("shape", 0, len(mapped))
    try:
        dtype, size = declared(place.text("dtype"), shape)
    except ValueError as error:
        raise BadInput(f"{place.place}: {error}") from None
    if offset % PAGE or size > len(mapped) - offset:
        raise place.wrong("offset", f"the start of a page, and {size:,} bytes from there")
    raw = np.asarray(mapped[offset : offset + size])
    if verify and _sum_of(raw) != place.text("sum"):
        raise BadInput(f"{file}: damaged in its {name}")
    return raw.view(dtype).reshape(shape)


def _digest(header: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()


def _sum_of(raw: npt.NDArray[np.uint8]) -> str:
    """Return a checksum of 16 hexadecimal digits. Any change of a single 64-bit word changes it."""
    words = raw[: len(raw) // 8 * 8].view(np.uint64)
    rest = int.from_bytes(bytes(raw[len(words) * 8 :]), "little")
    return f"{int(_mixed(words, np.uint64(rest))):016x}"


@compiled
def _mixed(words: Any, rest: Any) -> Any:
    """Mix eight lanes at once; each step h -> (h + word) * odd is a bijection, so a difference never disappears."""
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
