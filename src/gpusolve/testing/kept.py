"""Files that are made once and kept in the user's cache folder: compiled kernels and reports of compilers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from gpusolve.backend import caches


def kept_file(folder: str, key: str, suffix: str, make: Callable[[Path], None]) -> Path:
    """Return a file of the cache folder, and make it if it is missing.

    Parameters
    ----------
    folder : str
        Name of the part of the cache folder.
    key : str
        Everything on which the content depends.
    suffix : str
        End of the file's name.
    make : callable
        Writes the file to a path. It is renamed afterwards, because several processes may make it at once.
    """
    file = caches.home() / folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}{suffix}"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=file.parent) as scratch:
            made = Path(scratch) / file.name
            make(made)
            made.replace(file)
    return file
