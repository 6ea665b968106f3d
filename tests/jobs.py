"""Jobs for the tests of clusters; a worker imports this file."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from gpusolve.backend import Backend


def squares(seconds: float, backend: Backend) -> Callable[[int], int]:
    """Square a number; even numbers take this number of seconds."""

    def square(number: int) -> int:
        time.sleep(0 if number % 2 else seconds)
        return number * number

    return square


def sums(backend: Backend) -> Callable[[range], int]:
    """Add up the numbers of a part."""
    return sum


def deadly(file: Path, times: int, backend: Backend) -> Callable[[int], int]:
    """Number 3 kills its process a number of times, counted in `file`."""

    def do(number: int) -> int:
        if number == 3:
            with file.open("a+") as marks:
                marks.seek(0)
                if len(marks.read()) < times:
                    marks.write("x")
                    marks.flush()
                    os.kill(os.getpid(), signal.SIGKILL)
        return number

    return do


def processes(backend: Backend) -> Callable[[int], int]:
    """Return the process, after a while."""

    def number(_: int) -> int:
        time.sleep(0.05)
        return os.getpid()

    return number


def wrong(backend: Backend) -> Callable[[int], float]:
    """Fail for number 0."""
    return lambda number: 1 / number


def devices(backend: Backend) -> Callable[[int], str]:
    """Return the name of the device."""
    return lambda number: backend.name
