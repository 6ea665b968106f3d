"""Divide work into jobs for this process, for processes of this machine, or for a Dask cluster: the results are equal.

A job contains everything that its result depends on: numbers of games, a seed, a prefix. So the result does not depend
on the number of workers or on their order, and a job whose worker was lost is repeated by another worker. Dask is only
imported if a cluster is requested.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from gpusolve import files
from gpusolve.backend import Backend
from gpusolve.checks import digits
from gpusolve.errors import BadInput, ClusterUnavailable, OutOfTime
from gpusolve.installation import install_command
from gpusolve.runs import processes, worker
from gpusolve.runs.processes import LOSSES
from gpusolve.runs.run import Run
from gpusolve.runs.worker import Do

MOST = 1024
"""Largest number of worker processes."""
SECONDS = 2.0
"""How long a job should take: much longer than it takes to send it."""
LEAST_SECONDS = 0.5  # near the end jobs get smaller, so that all workers finish together
AHEAD = 2  # jobs sent to each worker, so that the next job is there when a job ends
POLL = 1.0  # seconds between two checks of a cluster while no job ends

Job = TypeVar("Job")
Result = TypeVar("Result")


class Pool(Protocol):
    """An executor that knows how many jobs it does at a time, and whether it is still alive."""

    @property
    def size(self) -> int:
        """Number of jobs that it does at a time; 0 while it has no workers."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """See `concurrent.futures.Executor`."""

    def refresh(self) -> None:
        """Count the workers. Raises ClusterUnavailable if they cannot be reached."""

    def explain(self, error: BaseException) -> BaseException:
        """Return the error that a user should see if a job ends with this one."""


@dataclass
class _Ticket(Generic[Job]):
    """A job that was sent to a worker."""

    job: Job
    items: int
    future: Future[Any] = field(default_factory=Future)
    lost: int = 0
    """Number of processes that ended while doing it."""
    is_done: bool = False


class Workers(Generic[Job, Result]):
    """The workers of one command, opened by `open_workers`. Its text says how many there are."""

    def __init__(self, pool: Pool, do: Do, run: Run | None) -> None:
        self._pool, self._do, self._run = pool, do, run
        self._alone = isinstance(pool, _Here)
        self._speed = 0.0  # items per second and worker
        self.done = 0
        """Number of jobs done so far."""

    @property
    def count(self) -> int:
        """Number of jobs that are done at a time."""
        return self._pool.size

    def __str__(self) -> str:
        return "" if self._alone else f"{self.count} worker{'s' * (self.count != 1)}, {self.done:,} jobs"

    def results(self, jobs: Iterable[Job], go_on: Callable[[], bool] = lambda: True) -> Iterator[Result]:
        """Yield the result of each job, in the order of the jobs.

        A job is taken from `jobs` when a worker will soon need it; an iterator that is exhausted may have more jobs
        after the next result. While no result arrives, `go_on` is called every POLL seconds; if it returns False, the
        results end, and unfinished jobs are abandoned. A job's error is raised here. Raises ClusterUnavailable if the
        workers can no longer be reached, and OutOfTime if there are no workers when the run's time is up.
        """
        return self._in_order(zip(jobs, repeat(1), strict=False), go_on)

    def parts(
        self, first: int, last: int, batch: int, job: Callable[[range], Any] = lambda part: part
    ) -> Iterator[Result]:
        """Divide the numbers `first` to `last` - 1 into parts, and yield the result of each part's `job`, in order.

        In this process, and until the first part is done, a part has `batch` numbers. On workers, the parts are then
        sized to take SECONDS, and less near the end. So a result must not depend on how the numbers are divided.
        """

        def cut() -> Iterator[tuple[Job, int]]:
            at = first
            while at < last:
                part = range(at, min(at + self._length(last - at, batch), last))
                yield job(part), len(part)
                at = part.stop

        return self._in_order(cut())

    def _length(self, left: int, batch: int) -> int:
        """Return how many of the remaining numbers the next part should have."""
        if self._alone:
            return batch
        even = left / (AHEAD * max(1, self.count))
        if not self._speed:
            return max(1, int(min(even, batch)))
        return max(1, int(min(max(even, self._speed * LEAST_SECONDS), self._speed * SECONDS)))

    def _in_order(self, jobs: Iterator[tuple[Job, int]], go_on: Callable[[], bool] = lambda: True) -> Iterator[Result]:
        """Yield the result of each job, in order. With a job comes its number of items."""
        waiting: deque[_Ticket[Job]] = deque()
        ended: SimpleQueue[_Ticket[Job]] = SimpleQueue()
        in_flight = 0

        def send(ticket: _Ticket[Job]) -> None:
            ticket.future = self._pool.submit(self._do, ticket.job)
            ticket.future.add_done_callback(lambda _: ended.put(ticket))

        try:
            while True:
                while in_flight < max(1, self.count * (1 if self._alone else AHEAD)):
                    job, items = next(jobs, (None, 0))
                    if not items:
                        break
                    ticket = _Ticket[Any](job, items)
                    waiting.append(ticket)
                    in_flight += 1
                    send(ticket)
                if not waiting:
                    return
                next_ended = self._next(ended, go_on)
                if next_ended is None:
                    return
                ticket = next_ended
                error = _error_of(ticket.future)
                if isinstance(error, BrokenProcessPool) and ticket.lost < LOSSES:
                    ticket.lost += 1
                    send(ticket)
                    continue
                if error is not None:
                    raise self._pool.explain(error) from error
                ticket.is_done = True
                in_flight -= 1
                self.done += 1
                speed = ticket.items / max(ticket.future.result()[1], 1e-6)
                self._speed = (self._speed + speed) / 2 if self._speed else speed
                while waiting and waiting[0].is_done:
                    yield waiting.popleft().future.result()[0]
        finally:
            for ticket in waiting:
                ticket.future.cancel()

    def _next(self, ended: SimpleQueue[_Ticket[Job]], go_on: Callable[[], bool]) -> _Ticket[Job] | None:
        """Return the next ticket whose job has ended, or None if `go_on` says not to wait."""
        while True:
            try:
                return ended.get(timeout=POLL)
            except Empty:
                self._pool.refresh()
                if not go_on():
                    return None
                if not self.count and self._run is not None and self._run.time_left <= 0:
                    raise OutOfTime("the time limit was reached before any worker joined") from None


def _error_of(future: Future[Any]) -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()


def _address_in(file: str) -> str:
    """Read the address from a Dask scheduler's file. Raises BadInput for any other file."""
    try:
        return str(json.loads(files.read_text(file, "workers"))["address"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"workers {file}: expected the file of a Dask scheduler") from None


@contextmanager
def open_workers(
    workers: int | str,
    prepare: Callable[[Backend], Callable[[Job], Result]],
    backend: Backend,
    *,
    run: Run | None = None,
    progress: Callable[..., object] | None = None,
) -> Iterator[Workers[Job, Result]]:
    """Open workers, each of which turns `prepare` into a function once and then runs it on job after job.

    Parameters
    ----------
    workers : int or str
        1 for this process, on `backend`; N for N processes of this machine, which share the device, or take its GPUs
        in turn; the address (``tcp://HOST:PORT``) or the file of a Dask scheduler, whose workers open the device that
        their own ``GPUSOLVE_DEVICE`` names.
    prepare : callable
        Given a backend, returns the function that does a job. Unless `workers` is 1 it is pickled: a function of a
        module, or a `functools.partial` of one with what the jobs have in common.
    backend : Backend
        The device of this process.
    run : Run, optional
        Its time limit ends a wait for workers while there are none.
    progress : callable, optional
        The command's progress callback. If it has a method ``watch``, that is called with the workers, so that a
        progress bar can show how many there are.

    Yields
    ------
    Workers

    Raises
    ------
    BadInput
        If `workers` is none of these.
    ClusterUnavailable
        If no cluster answers at the address, or if a worker differs from this process (`worker.fingerprint`).

    Examples
    --------
    >>> from gpusolve.backend import open_backend
    >>> with open_workers(1, lambda backend: lambda job: job * job, open_backend("cpu")) as workers:
    ...     list(workers.results(range(5)))
    [0, 1, 4, 9, 16]
    """
    address, number = parse(workers)
    if address is not None:
        opened: AbstractContextManager[tuple[Pool, Do]] = _dask(address, prepare)
    elif number > 1:
        opened = processes.started(number, prepare, backend)
    else:
        opened = nullcontext((_Here(), partial(worker.timed, prepare(backend))))
    with opened as (pool, do):
        opened_workers: Workers[Job, Result] = Workers(pool, do, run)
        if (watch := getattr(progress, "watch", None)) is not None:
            watch(opened_workers)
        yield opened_workers


def parse(workers: int | str) -> tuple[str | None, int]:
    """Return the address of a cluster or None, and the number of processes.

    >>> parse("4"), parse("tcp://10.0.0.1:8786")
    ((None, 4), ('tcp://10.0.0.1:8786', 0))
    """
    number = workers if isinstance(workers, int) else digits(str(workers), MOST)
    if number is not None and not isinstance(number, bool) and 1 <= number <= MOST:
        return None, number
    if isinstance(workers, str) and re.fullmatch(r"[a-z]+://[!-~]+", workers):
        return workers, 0
    if isinstance(workers, str) and files.exists(workers):
        return _address_in(workers), 0
    expected = f"1 to {MOST:,}, the address of a Dask scheduler (tcp://HOST:PORT) or its scheduler file"
    raise BadInput(f"workers {workers}: expected {expected}")


class _Here(Executor):
    """An executor that does each job at once, in this process."""

    size = 1

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **named))
        return future

    def refresh(self) -> None:
        pass

    def explain(self, error: BaseException) -> BaseException:
        return error


@contextmanager
def _dask(address: str, prepare: worker.Prepare) -> Iterator[tuple[Pool, Do]]:
    try:
        from gpusolve.runs import dask_cluster
    except ImportError as error:
        raise ClusterUnavailable(f"workers {address}: needs Dask: {install_command('cluster')} ({error})") from error
    with dask_cluster.joined(address, prepare) as opened:
        yield opened
