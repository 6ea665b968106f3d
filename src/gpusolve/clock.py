"""The time that a search takes: a clock that stands still while kernels are compiled or tables are built.

Time limits and reported seconds are measured with `now`. What a process does once, before it can search, is measured
by `compiling`, `importing` and `building`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Pause:
    """Seconds that were spent in ``with`` blocks of this object, which may be nested and in several threads.

    `clock` returns the current time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._depth = 0
        self._total = self._since = 0.0

    def __enter__(self) -> None:
        with self._lock:
            if not self._depth:
                self._since = self._clock()
            self._depth += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._depth -= 1
            if not self._depth:
                self._total += self._clock() - self._since

    @property
    def under_way(self) -> bool:
        """Whether a thread is in such a block."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """Seconds that all blocks have taken so far, including one that has not ended."""
        with self._lock:
            return self._total + (self._clock() - self._since if self._depth else 0.0)


class OwnPause(threading.local):
    """A `Pause` of each thread, for work that delays no other thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._pause = Pause(clock)

    def __enter__(self) -> None:
        self._pause.__enter__()

    def __exit__(self, *_: object) -> None:
        self._pause.__exit__()

    @property
    def seconds(self) -> float:
        """Seconds that the blocks of this thread have taken so far."""
        return self._pause.seconds


compiling = Pause(time.monotonic)
"""Compilation of kernels. Numba compiles one function at a time, so all threads of the process wait for it."""

importing = Pause(lambda: time.monotonic() - compiling.seconds)
"""Imports, without compilation. A worker of the server measures them (`gpusolve.serve.worker`)."""


def running() -> float:
    """Return seconds on a clock that stands still during compilation and imports, for the building of tables itself."""
    return time.monotonic() - compiling.seconds - importing.seconds


building = OwnPause(running)
"""Building of tables that are kept for later calls, in this thread; without compilation."""


def now() -> float:
    """Return seconds on a clock of this thread that stands still during compilation and while it builds tables."""
    return running() - building.seconds
