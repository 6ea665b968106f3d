"""Threads that do jobs: their results and errors, and a signal at any moment."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from queue import SimpleQueue
from types import FrameType
from typing import Any

import numpy as np
import pytest

from backend.weighing import PROBE
from gpusolve.backend.cpu import CpuBackend
from gpusolve.backend.threads import Outcome, Threads
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.variant import Variant

WORDS = ["batch", "catch", "crane", "hatch", "patch"]


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in a block that has not ended after a number of seconds."""

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def interrupt_everywhere(run: Callable[[], object], check: Callable[[], object]) -> int:
    """Interrupt `run` at each call and return of a function in turn, and `check` after each; return their number.

    An interrupt at the return of a function of C is what a signal does that arrives while the function runs.
    """
    for moment in count():
        left = moment

        def watch(frame: FrameType, event: str, argument: Any) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise KeyboardInterrupt

        with time_limit(30):
            try:
                sys.setprofile(watch)
                run()
                sys.setprofile(None)
                return moment
            except KeyboardInterrupt:
                check()
    raise AssertionError


def add(left: int, right: int) -> int:
    return left + right


def test_jobs_are_done_and_their_errors_raised() -> None:
    done = SimpleQueue[Outcome[int]]()
    with Threads(3) as threads:
        for i in range(20):
            threads.start(partial(add, i, 1), done)
        assert sorted(done.get().value() for _ in range(20)) == list(range(1, 21))
        threads.start(partial(add, 1, "one"), done)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            done.get().value()


def test_threads_work_on_after_an_interrupt_at_any_moment() -> None:
    threads = Threads(2)

    def run() -> None:
        done = SimpleQueue[Outcome[int]]()
        for i in range(4):
            threads.start(partial(add, i, i), done)
        assert sum(done.get().value() for _ in range(4)) == 12

    assert interrupt_everywhere(run, run) > 10


def test_a_launch_works_on_after_an_interrupt_at_any_moment() -> None:
    backend, out = CpuBackend(2), np.zeros(64, np.int32)

    def run() -> None:
        backend.launch(PROBE, "count_items", 64, out)

    run()
    assert interrupt_everywhere(run, run) > 10


def test_a_search_ends_after_an_interrupt_at_any_moment() -> None:
    variant, backend = Variant.load(WORDS, WORDS), CpuBackend(2)
    position = Position(after([], variant, "patterns", backend), variant, memory=1, backend=backend)

    def run() -> None:
        jobs = iter([partial(add, i, i) for i in range(6)])
        assert sum(position.each(jobs, lambda: True)) == 30

    assert interrupt_everywhere(run, run) > 30
