"""Numba's cache of compiled functions, used by test processes that run side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from gpusolve.testing.emulation import cache_folder


def take_turns() -> None:
    """From now on this process and others that have called this read and write the cache one at a time.

    Numba writes a function's index, then its machine code. Two processes that save two signatures of one function at
    the same moment can take the same file for both, and a later process is given the code of the wrong one.
    """
    from numba.core.caching import IndexDataCacheFile

    for name in ("load", "save"):
        setattr(IndexDataCacheFile, name, _locked(getattr(IndexDataCacheFile, name)))


def _locked(method: Callable[..., Any]) -> Callable[..., Any]:
    import fcntl

    path = cache_folder("numba.lock")
    path.parent.mkdir(parents=True, exist_ok=True)

    @wraps(method)
    def locked(*arguments: Any) -> Any:
        with path.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed
            return method(*arguments)

    return locked
