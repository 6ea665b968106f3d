"""Jobs for the tests of clusters; a worker imports this file."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend


def squares(seconds: float, backend: Backend) -> Callable[[int], int]:
    """Return a job that squares a number and takes this number of seconds if the number is even."""

    def square(number: int) -> int:
        time.sleep(0 if number % 2 else seconds)
        return number * number

    return square


def ranges(backend: Backend) -> Callable[[range], range]:
    """Return a job whose result is the range of numbers that it was given."""
    return lambda part: part


def tables(backend: Backend) -> Callable[[range], tuple[npt.NDArray[Any], ...]]:
    """Return a job whose results are the squares of some numbers, and a table of shape (2, numbers, 3)."""

    def table(part: range) -> tuple[npt.NDArray[Any], ...]:
        numbers = np.arange(part.start, part.stop)
        return numbers**2, np.broadcast_to(numbers[None, :, None], (2, len(part), 3))

    return table


def deadly(file: Path, times: int, backend: Backend) -> Callable[[int], int]:
    """Return a job that kills its process at number 3, up to `times` times; `file` counts them."""

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


def blocked(backend: Backend) -> Callable[[int], set[int]]:
    """Return a job that returns the signals that its process does not receive."""
    return lambda _: signal.pthread_sigmask(signal.SIG_BLOCK, [])


def processes(backend: Backend) -> Callable[[int], int]:
    """Return a job that returns its process after 50 ms."""

    def number(_: int) -> int:
        time.sleep(0.05)
        return os.getpid()

    return number


def wrong(backend: Backend) -> Callable[[int], float]:
    """Return a job that fails for number 0."""
    return lambda number: 1 / number


def devices(backend: Backend) -> Callable[[int], str]:
    """Return a job that returns the name of the device."""
    return lambda number: backend.name
