"""What Numba compiles at this moment, for who wants to report it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

watchers: list[Callable[[str, int], None]] = []
"""What is called before a function is compiled; see `watching`."""


@contextmanager
def watching(report: Callable[[str, int], None]) -> Iterator[None]:
    """Call ``report(name, left)`` within the block before a function is compiled; the name is empty after the last one.

    `left` is the number of other functions that have to be compiled for the same call, at most.
    """
    watchers.append(report)
    try:
        yield
    finally:
        watchers.remove(report)
