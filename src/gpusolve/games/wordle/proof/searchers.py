"""The threads of this process, or workers elsewhere, that do the jobs of an exact search."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TypeAlias

from gpusolve.backend import Backend
from gpusolve.games.wordle.census.first_words import Census
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Job, Position
from gpusolve.games.wordle.rules import LETTERS, History
from gpusolve.games.wordle.variant import Variant
from gpusolve.runs.cluster import Workers, open_workers, parse
from gpusolve.runs.run import Run

LEAST_TURNS = 3
"""With fewer turns there is nothing to learn."""
NumberedJob: TypeAlias = tuple[int, Job]


class Answerer:
    """Answers the questions of jobs about a position.

    In easy mode, what one guess shows about the worst case is used for the others (`Census`). Everything else is left
    to the position.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self._learns = position.variant.mode == "easy" and not position.variant.guess_hidden_only
        self._learns &= position.length == LETTERS
        self._censuses: dict[int, Census] = {}  # by the number of turns
        self._lock = Lock()

    def do(self, job: Job) -> int:
        """Answer the question of a job; 1 means yes and 0 no."""
        if job.beta or job.turns < LEAST_TURNS or not self._learns:
            return self.position.do(job)
        with self._lock:
            if job.turns not in self._censuses:
                self._censuses[job.turns] = Census(self.position, within=job.turns)
        return self._censuses[job.turns].solves(job.guess, job.code)


class Searchers:
    """Threads or workers that do jobs on a position: the threads of `position`, unless there are `workers`."""

    def __init__(self, position: Position, workers: Workers[Job, tuple[int, int]] | None = None) -> None:
        self.position, self._workers = position, workers
        self._answerer = Answerer(position)

    def each(self, jobs: Iterator[NumberedJob], tick: Callable[[], bool]) -> Iterator[tuple[int, int]]:
        """Yield the number and the result of each job: threads as they end, workers in the order of the jobs.

        `tick` is called between them and says whether to continue. If it says no, or if the caller stops iterating,
        the unfinished jobs are cancelled and their results lost.
        """
        if self._workers is None:
            yield from self.position.each((partial(self._do, number, job) for number, job in jobs), tick)
            return
        numbers: deque[int] = deque()

        def numbered() -> Iterator[Job]:
            for number, job in jobs:
                numbers.append(number)
                yield job

        results = self._workers.results(numbered(), tick)
        while tick():
            result = next(results, None)
            if result is None:
                return
            value, states = result
            self.position.met_elsewhere += states
            yield numbers.popleft(), value

    def _do(self, number: int, job: Job) -> tuple[int, int]:
        return number, self._answerer.do(job)


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
    """Open the searchers of the position after `history`; `workers`, `run` and `progress` are as in `open_workers`."""
    if parse(workers) == (None, 1):
        yield Searchers(position)
        return
    prepare = partial(
        _prepare,
        history=history,
        variant=position.variant,
        width=position.search.width,
        memory=position.memory,
    )
    with open_workers(workers, prepare, backend, run=run, progress=progress) as opened:
        yield Searchers(position, opened)


def _prepare(
    backend: Backend, *, history: History, variant: Variant, width: int, memory: int
) -> Callable[[Job], tuple[int, int]]:
    """Return a worker's function that does a job and returns its result and the number of states met in it."""
    table = after(history, variant, "patterns", backend)
    position = Position(table, variant, width=width, memory=memory, backend=backend)
    answerer, states_before = Answerer(position), 0

    def do(job: Job) -> tuple[int, int]:
        nonlocal states_before
        value = answerer.do(job)
        states = position.states
        new, states_before = states - states_before, states
        return value, new

    return do
