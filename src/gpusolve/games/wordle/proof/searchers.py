"""Those who search: the threads of this process, or workers elsewhere, each with a position of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from gpusolve.backend import Backend
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Job, Position
from gpusolve.games.wordle.rules import History
from gpusolve.games.wordle.variant import Variant
from gpusolve.runs.cluster import Workers, open_workers, parse
from gpusolve.runs.run import Run

Numbered: TypeAlias = tuple[int, Job]


class Searchers:
    """Does jobs: on the threads of `position`, or by workers."""

    def __init__(self, position: Position, those: Workers[Job, tuple[int, int]] | None) -> None:
        self.position, self._those = position, those

    def each(self, jobs: Iterator[Numbered], tick: Callable[[], bool]) -> Iterator[tuple[int, int]]:
        """The number of each job and what it gives. Between them `tick` is asked whether to go on.

        If not, or if whoever takes the results stops, the jobs under way are ended and lost.
        """
        if self._those is None:
            yield from self.position.each((partial(self._do, number, job) for number, job in jobs), tick)
            return
        numbers: deque[int] = deque()

        def taken() -> Iterator[Job]:
            for number, job in jobs:
                numbers.append(number)
                yield job

        results = self._those.results(taken(), tick)
        while tick():
            found = next(results, None)
            if found is None:
                return
            value, states = found
            self.position.met_elsewhere += states
            yield numbers.popleft(), value

    def _do(self, number: int, job: Job) -> tuple[int, int]:
        return number, self.position.do(job)


@contextmanager
def open_searchers(
    workers: int | str,
    position: Position,
    history: History,
    *,
    run: Run,
    progress: Callable[..., object],
    backend: Backend,
) -> Iterator[Searchers]:
    """Searchers of a position that is that after `history`; `open_workers` tells of `workers` and `run`."""
    if parse(workers) == (None, 1):
        yield Searchers(position, None)
        return
    about = history, position.variant, position.search.width, position.memory
    with open_workers(workers, partial(_searching, *about), backend, run=run, progress=progress) as those:
        yield Searchers(position, those)


def _searching(
    history: History, variant: Variant, width: int, memory: int, backend: Backend
) -> Callable[[Job], tuple[int, int]]:
    """What does a job: its result, and how many states were met since the last one."""
    position = Position(after(history, variant, "patterns", backend), variant, width, memory, backend)
    told = 0

    def do(job: Job) -> tuple[int, int]:
        nonlocal told
        value = position.do(job)
        states = position.states
        new, told = states - told, states
        return value, new

    return do
