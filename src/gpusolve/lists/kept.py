"""The word lists that the user keeps: downloaded ones and own ones, a file for each in the user's data folder.

The folder is ``gpusolve/lists``, or the one that ``GPUSOLVE_LISTS`` names. A file is kept as it was, and its name is
the name of the list.
"""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.lists import public

VARIABLE = "GPUSOLVE_LISTS"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
"""The names that a list can have. No file with an ending has such a name."""


def folder() -> Path:
    """Return the folder of the lists. Raises BadInput if the user has no home folder."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).absolute()
    with suppress(RuntimeError):  # older versions return a path that begins with ~
        place = _data_path() / "lists"
        if place.is_absolute():
            return place
    raise BadInput(f"the user's data folder is not known without a home folder: set {VARIABLE}")


def _data_path() -> Path:
    """Return gpusolve's data folder; without platformdirs, the one that it names on Linux."""
    try:
        from platformdirs import user_data_path
    except ImportError:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share", "gpusolve")
    return user_data_path("gpusolve", appauthor=False)


def path_of(name: str) -> Path:
    """Return the file of a list."""
    return folder() / f"{name}.txt"


def names() -> list[str]:
    """Return the names of the lists in alphabetical order; none if the folder cannot be read."""
    with suppress(BadInput, OSError):
        return sorted(path.stem for path in folder().glob("*.txt") if NAME.fullmatch(path.stem) and path.is_file())
    return []


def downloaded() -> list[public.PublicList]:
    """Return the public lists that can be used."""
    here = names()
    return [each for each in public.LISTS if each.name in here and is_intact(each.name)]


def own() -> list[str]:
    """Return the names of the user's own lists in alphabetical order."""
    return [name for name in names() if name not in public.BY_NAME]


def version(name: str) -> tuple[int, ...] | None:
    """Return what changes with the file of a list; None if no list has this name."""
    if not NAME.fullmatch(name):
        return None
    with suppress(BadInput):
        path = path_of(name)
        found = files.state_of(path) if path.is_file() else None
        return None if found is None else tuple(found)
    return None


def state() -> files.State:
    """Return what changes whenever a list comes, goes or changes."""
    with suppress(BadInput):
        return files.state_of(folder())
    return None


def is_intact(name: str) -> bool:
    """Return whether a list can be read and, if it is a public one, has the SHA-256 that it should have."""
    with suppress(BadInput):
        read(name)
        return True
    return False


def read(name: str) -> bytes:
    """Return the content of a list. Raises BadInput if it cannot be read, or for a public list that has changed."""
    path = path_of(name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{name}: {path}: cannot be read: {error.strerror}") from error
    known = public.BY_NAME.get(name)
    if known is not None and hashlib.sha256(content).hexdigest() != known.sha256:
        raise BadInput(f"{name}: {path} has changed since it was downloaded: gpusolve lists get {name}")
    return content


def make_folder() -> Path:
    """Return the folder of the lists, which is made if there is none. Raises BadInput if that is not possible."""
    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{place}: cannot be made: {error.strerror}") from error
    return place


def keep(name: str, content: bytes) -> Path:
    """Write a list atomically, and return its file. Raises BadInput if it cannot be written."""
    make_folder()
    files.write(path_of(name), content)
    return path_of(name)


def remove(name: str) -> None:
    """Remove a list. Raises BadInput if that is not possible."""
    try:
        path_of(name).unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"{path_of(name)}: cannot be removed: {error.strerror}") from error
