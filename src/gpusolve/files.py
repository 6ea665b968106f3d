"""Files that users name: reading is bounded, and writing either replaces the whole file or leaves it alone."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from gpusolve.errors import BadInput, ReaderGone

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LARGEST = 256 << 20
"""Largest number of bytes that are read from a file: /dev/zero has no end."""
_NUMBER = re.compile("/(?:dev|proc/self)/fd/([0-9]{1,9})")
TEMPORARY = ".gpusolve.tmp"
"""Suffix of files that are being written."""
Version: TypeAlias = tuple[str, int, int, int, int]
State: TypeAlias = list[int] | None
readable: ContextVar[tuple[Path, ...] | None] = ContextVar("readable", default=None)
"""Folders, with all links resolved, that contain every file that `read` may read and `exists` may know.

None is for no limit. A server sets them because its clients may not read other files. What gpusolve reads of its own is
not read with the functions of this module.
"""
looked_up: ContextVar[dict[Path, State] | None] = ContextVar("looked_up", default=None)
"""The paths at which a file was looked for in the `readable` folders, each with what was there (`state_of`).

None if nobody wants to know.
"""


def exists(path: str | Path) -> bool:
    """Return whether a path leads to something that is not a folder. No name raises an error.

    >>> exists("x" * 5000), exists("/")
    (False, False)
    """
    try:
        path = located(path)
    except OSError:
        return False
    return os.path.exists(os.fspath(path)) and not os.path.isdir(path)


def obstacle(path: str | Path) -> str | None:
    """Return why something at a path is no file that can be read: a folder, or a folder that may not be entered.

    >>> obstacle("/"), obstacle("no such file")
    ('it is a folder', None)
    """
    try:
        return "it is a folder" if stat.S_ISDIR(os.stat(os.fspath(located(path))).st_mode) else None
    except PermissionError as error:
        return _reason(error)
    except (OSError, ValueError):
        return None


def version_of(path: Path) -> Version:
    """Return what changes with a file: its place, number, size and times, so that what was made from it can be kept."""
    found = path.stat()
    return str(path.resolve()), found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def state_of(path: Path) -> State:
    """Return what changes with a file, as JSON has it: its number, size and times; None if there is no such file.

    The time of the last change of its entry shows also a file that was overwritten and then given its earlier time.

    >>> state_of(Path("no such file"))
    """
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return [found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def read(path: str | Path, what: str = "", largest: int = LARGEST) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    path : str or Path
        The file.
    what : str
        What the file should be, for the message.
    largest : int
        Number of bytes that the file may have. A device or a pipe, which has no size, may have at most LARGEST.

    Raises
    ------
    BadInput
        If the file cannot be read, is a folder, or is too large for this limit or for memory.
    """
    place = _place(path, what)
    try:
        with open(os.fspath(located(path)), "rb") as file:  # a number is not taken for an open file
            size = os.fstat(file.fileno()).st_size
            most = min(largest, max(size, LARGEST))
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise BadInput(f"{place}: cannot be read: {_reason(error)}") from error
    except MemoryError:
        raise BadInput(f"{place}: cannot be read: not enough memory for {max(most, size) / 2**20:,.0f} MiB") from None
    if len(content) > most:
        raise BadInput(f"{place}: larger than {most >> 20:,} MiB: expected a smaller file")
    return content


def located(path: str | Path) -> str | Path:
    """Return the path of a file in one of the `readable` folders. Raises FileNotFoundError if it is in none of them."""
    folders, found = readable.get(), looked_up.get()
    if folders is None:
        return path
    for folder in folders:
        if found is not None:
            found.setdefault(folder / path, state_of(folder / path))
        with contextlib.suppress(ValueError):  # a zero character in the name
            target = Path(os.path.realpath(folder / path))
            if target.is_relative_to(folder) and target.exists():
                return target
    raise FileNotFoundError(errno.ENOENT, "there is no such file in the folder that this server offers")


def read_text(path: str | Path, what: str = "") -> str:
    """Return the content of a UTF-8 text file, without its byte order mark. Raises BadInput as `read` does."""
    return text_of(read(path, what), path, what)


def text_of(content: bytes, path: str | Path, what: str = "") -> str:
    """Return the content of a file as text, without its byte order mark. Raises BadInput if it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{_place(path, what)}: not a UTF-8 text file (byte {error.start})") from error


def read_json(path: str | Path, what: str = "") -> Any:
    """Return the value in a JSON file. Raises BadInput as `read_text` does, and as `parse_json` does."""
    return parse_json(read_text(path, what), _place(path, what))


def parse_json(text: str, place: str) -> Any:
    """Return the value of a JSON text.

    Raises BadInput, which begins with `place`, if the text is not JSON (NaN is not) or an object has a name twice:
    readers differ in which of the two values counts.

    >>> parse_json('{"guess": "crane", "guess": "salet"}', "tree x.json")
    Traceback (most recent call last):
    gpusolve.errors.BadInput: tree x.json: an object has the name 'guess' twice
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise BadInput(f"{place}: an object has the name '{twice[:40]}' twice")
        return fields

    def no_number(name: str) -> None:
        raise BadInput(f"{place}: not JSON: {name}")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=no_number)
    except BadInput:
        raise
    except RecursionError:
        raise BadInput(f"{place}: not JSON: nested too deeply") from None
    except ValueError as error:  # also for a number of more than 4,300 digits
        raise BadInput(f"{place}: not JSON: {error}") from None


def check_writable(path: str | Path, what: str = "") -> None:
    """Raise BadInput if `write` could not write to this path. Call it before hours of work, not after them."""
    _target(path, what)


def write(path: str | Path, content: bytes | str | Sequence[memoryview], what: str = "") -> None:
    """Write a file atomically: even if the power fails, it holds either all of `content` or what it held before.

    Parameters
    ----------
    path : str or Path
        The file. Links are followed; a device or a pipe is written to directly.
    content : bytes, str, or sequence of memoryview
        The new content; several pieces avoid a copy of a large one.
    what : str
        What the file should be, for the message.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    if isinstance(content, str):
        content = content.encode("utf-8", "backslashreplace")  # a name can contain half a surrogate pair
    pieces = [memoryview(content)] if isinstance(content, bytes) else content
    target, mode = _target(path, what)
    try:
        if mode is None or stat.S_ISREG(mode):
            _replace(target, pieces, mode)
        else:
            with _opened(target) as file:
                file.writelines(pieces)
    except BrokenPipeError as error:
        raise ReaderGone(f"{_place(path, what)}: the program that reads it has ended") from error
    except OSError as error:
        raise BadInput(f"{_place(path, what)}: cannot be written: {_reason(error)}") from error


def append(path: str | Path, text: str, what: str = "") -> None:
    """Append to a text file, or create it. Raises BadInput if it cannot be written."""
    target, _ = _target(path, what)
    try:
        with _opened(target, "ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise BadInput(f"{_place(path, what)}: cannot be written: {_reason(error)}") from error


def _replace(target: Path, pieces: Sequence[memoryview], mode: int | None) -> None:
    """Replace `target` by a complete new file with the same mode. Raises OSError."""
    _sweep(target.parent)
    temporary = target.with_name(f".{os.urandom(6).hex()}{TEMPORARY}")
    try:
        with _created(temporary) as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _created(path: Path) -> BinaryIO:
    """Create and lock a file. If another process swept it away before it was locked, create it again."""
    while True:
        file = path.open("xb")
        if fcntl:
            with contextlib.suppress(OSError):  # not every file system has locks
                fcntl.flock(file, fcntl.LOCK_EX)
                if os.fstat(file.fileno()).st_nlink == 0:
                    file.close()
                    continue
        return file


@cache
def _sweep(folder: Path) -> None:
    """Remove temporary files of writers that were killed: their locks are gone, so the files are not locked."""
    for path in folder.glob(f".*{TEMPORARY}") if fcntl else ():
        with contextlib.suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def _target(path: str | Path, what: str) -> tuple[Path, int | None]:
    """Resolve a path and return it with the mode of the file there (None if none). Raises BadInput as `write` does."""
    try:
        if (number := _number_of(path)) is not None:
            os.fstat(number)
            return Path(path), stat.S_IFIFO
        is_regular = not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path)
        target = Path(os.path.realpath(path) if is_regular else path)  # the link to a pipe leads to no path
        try:
            mode = target.stat().st_mode
        except FileNotFoundError:
            mode = None
        if not str(path) or target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no folder {target.parent}")
        if not os.access(target.parent if mode is None else target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise BadInput(f"{_place(path, what)}: cannot be written: {_reason(error)}") from error
    return target, mode


def _number_of(path: str | Path) -> int | None:
    """Return the number of the open file that a path such as /dev/stdout stands for; None for other paths."""
    name = {"/dev/stdout": "/dev/fd/1", "/dev/stderr": "/dev/fd/2"}.get(str(path), str(path))
    found = _NUMBER.fullmatch(name)
    return None if found is None or os.name != "posix" else int(found[1])


def _opened(path: Path, mode: Literal["wb", "ab"] = "wb") -> BinaryIO:
    """Open a file to write to it; an open file goes on where it is."""
    number = _number_of(path)
    return path.open(mode) if number is None else os.fdopen(os.dup(number), "wb")


def _place(path: str | Path, what: str) -> str:
    return f"{what} {path}".strip()


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time work on a file. Without locks, as on Windows, no process waits."""
    if not fcntl:
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.with_suffix(".lock").open("wb")
    except OSError:  # nothing can be written there at all
        yield
        return
    with file:
        with contextlib.suppress(OSError):  # not every file system has locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
