"""The worker's side of `gpusolve.runs.cluster`: it does jobs, and reports what is installed."""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from gpusolve import __version__, clock
from gpusolve.backend import Backend, open_backend
from gpusolve.resources import kernels_dir, wordlists_dir

Prepare: TypeAlias = Callable[[Backend], Callable[[Any], Any]]
Do: TypeAlias = Callable[[Any], tuple[Any, float]]
"""Does a job and returns its result and the seconds that it took."""
Fingerprint: TypeAlias = dict[str, str]


@dataclass
class Work:
    """What all jobs of a command share: the pickled function that does them, and the device."""

    payload: bytes
    device: str | None
    worker: int = 0
    workers: int = 0
    """Number of workers that share the device; 0 if each job gets one CPU thread."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _do: Callable[[Any], Any] | None = None

    def do(self, job: Any) -> tuple[Any, float]:
        """Do a job; return its result and the seconds that it took. The first job opens the device."""
        with self._lock:
            if self._do is None:
                backend = open_backend(self.device)
                backend = open_backend(backend.share(self.worker, self.workers or 9999))
                self._do = pickle.loads(self.payload)(backend)
        return timed(self._do, job)


works: dict[str, Work] = {}
"""The commands that this process works for, by name."""


def timed(do: Callable[[Any], Any], job: Any) -> tuple[Any, float]:
    """Do a job; return its result and the seconds that it took."""
    begin = clock.now()
    result = do(job)
    return result, clock.now() - begin


def do(name: str, job: Any) -> tuple[Any, float]:
    """Do a job of the command with this name; return its result and the seconds that it took."""
    return works[name].do(job)


def start_process(name: str, payload: bytes, device: str, workers: int, turn: Any) -> None:
    """Prepare a new process, which works for one command and ends with that command's process."""
    with turn.get_lock():
        number, turn.value = turn.value, turn.value + 1
    works[name] = Work(payload, device, number % workers, workers)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def fingerprint(packages: list[str]) -> Fingerprint:
    """Return the digests of everything that must be equal on a worker, for gpusolve and other `packages`.

    >>> list(fingerprint(["gpusolve"]))
    ['version', 'kernels', 'word lists', 'code of gpusolve']
    """
    digests = {"version": __version__, "kernels": _digest(kernels_dir()), "word lists": _digest(wordlists_dir())}
    for name in dict.fromkeys(["gpusolve", *packages]):
        folders = getattr(import_module(name), "__path__", ())
        digests[f"code of {name}"] = "".join(_digest(Path(folder), "**/*.py") for folder in folders)
    return digests


def package_of(prepare: Prepare) -> str:
    """Return the package that defines this function."""
    while isinstance(prepare, partial):
        prepare = prepare.func
    return prepare.__module__.partition(".")[0]


def differences(found: Fingerprint, expected: Fingerprint) -> str:
    """Describe how a worker's fingerprint differs from the expected one; "" if it does not.

    >>> differences({"version": "0.1", "kernels": "a"}, {"version": "0.2", "kernels": "b"})
    'version 0.1, not 0.2; other kernels'
    """
    wrong = [name for name in expected if found.get(name) != expected[name]]
    return "; ".join(
        f"version {found.get(name)}, not {expected[name]}" if name == "version" else f"other {name}" for name in wrong
    )


def _digest(folder: Path, pattern: str = "*") -> str:
    """Return the SHA-256 of a folder's files and their names."""
    files = sorted(path for path in folder.glob(pattern) if path.is_file())
    return hashlib.sha256(
        repr([(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]).encode()
    ).hexdigest()
