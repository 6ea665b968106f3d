"""The folder in which gpusolve keeps what it has made: one for each user, shared by all environments.

It contains the folders ``tables`` (pattern databases, unpacked values of Tetris and similar, see `runs.store`),
``kernels`` (what Numba has compiled, see `backend.just_in_time`), and those of the tests of kernels. Everything in it
can be made again.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from gpusolve.errors import BadInput

VARIABLES = {"tables": "GPUSOLVE_TABLES", "kernels": "NUMBA_CACHE_DIR"}
"""Name of a folder -> the environment variable with which the user chooses another one."""
MOST_KERNELS = 512 << 20
"""Bytes of compiled kernels that are kept; beyond that, the oldest files are removed."""


def home() -> Path:
    """Return gpusolve's folder in the user's cache folder. Raises BadInput if the user has no home folder."""
    with suppress(RuntimeError):  # older versions return a path that begins with ~
        place = _cache_path()
        if place.is_absolute():
            return place
    chosen = " and ".join(VARIABLES.values())
    raise BadInput(f"the user's cache folder is not known without a home folder: set {chosen}")


def _cache_path() -> Path:
    """Return gpusolve's cache folder; without platformdirs, the one that it names on Linux."""
    try:
        from platformdirs import user_cache_path
    except ImportError:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "gpusolve")
    return user_cache_path("gpusolve", appauthor=False)


def folder(name: str) -> Path:
    """Return the folder for tables or kernels: the one that the user has chosen, or one in `home`."""
    chosen = os.environ.get(VARIABLES[name])
    return Path(chosen) if chosen else home() / name


def contents() -> dict[str, Path]:
    """Return the folders that exist, by name: those in `home`, and those that the user has chosen."""
    found = {name: Path(chosen) for name, variable in VARIABLES.items() if (chosen := os.environ.get(variable))}
    with suppress(BadInput, OSError):
        found = {path.name: path for path in sorted(home().iterdir()) if path.is_dir()} | found
    return {name: path for name, path in found.items() if path.is_dir()}


def size(place: Path) -> tuple[int, int]:
    """Return the number of files in a folder and its subfolders, and their bytes."""
    sizes = [status.st_size for _, status in _files(place)]
    return len(sizes), sum(sizes)


def empty(name: str) -> None:
    """Remove a folder in `home`. Raises BadInput if the user has chosen another one, or if it cannot be removed.

    A folder that the user has chosen may contain files of other programs.
    """
    if chosen := os.environ.get(VARIABLES.get(name, "")):
        raise BadInput(f"{name}: {VARIABLES[name]} is set, and only gpusolve's own folder is emptied, not {chosen}")
    place = home() / name
    try:
        if place.exists():
            shutil.rmtree(place)
    except OSError as error:
        raise BadInput(f"{place}: cannot be removed: {error.strerror or error}") from error


def shrink(place: Path, most: int) -> None:
    """Remove the files of a folder that were written first, until it has at most this number of bytes."""
    found = sorted(_files(place), key=lambda file: file[1].st_mtime)
    total = sum(status.st_size for _, status in found)
    for path, status in found:
        if total <= most:
            break
        with suppress(OSError):  # another process was faster
            path.unlink()
        total -= status.st_size


def _files(place: Path) -> list[tuple[Path, os.stat_result]]:
    found = []
    for root, _, names in os.walk(place):
        for path in (Path(root, name) for name in names):
            with suppress(OSError):
                found.append((path, path.stat()))
    return found
