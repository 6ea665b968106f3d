"""Processes of this machine as workers: what of `gpusolve.runs.cluster` is theirs."""

from __future__ import annotations

import pickle
import signal
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context
from typing import Any

from gpusolve.backend import Backend
from gpusolve.errors import ClusterUnavailable
from gpusolve.runs import worker
from gpusolve.runs.worker import Do

LOSSES = 3
"""Times that a job is done again because its process was ended from outside, as by a lack of memory."""


class ProcessPool:
    """Processes of this machine. If one is ended from outside, that ends the others, too, and new ones take over."""

    def __init__(self, size: int, *about: Any) -> None:
        context = get_context("spawn")  # threads and GPUs do not survive a fork
        turn = context.Value("i", 0)
        self.size = size
        self._new = partial(ProcessPoolExecutor, size, context, worker.start_process, (*about, size, turn))
        self.executor = self._new()
        self.under_way: set[Future[Any]] = set()
        """Jobs that have not ended."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        with _without_interrupts():
            try:
                future = self.executor.submit(function, *arguments)
            except BrokenProcessPool:
                self.executor.shutdown()
                self.executor = self._new()
                future = self.executor.submit(function, *arguments)
        self.under_way.add(future)
        future.add_done_callback(self.under_way.discard)
        return future

    def look(self) -> None:
        pass

    def told(self, error: BaseException) -> BaseException:
        if isinstance(error, BrokenProcessPool):
            return ClusterUnavailable(f"a job was lost with {LOSSES + 1} processes: is there too little memory?")
        return error


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """What begins in here never gets a Ctrl-C, which the terminal sends to all processes: this one sees to them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def started(size: int, prepare: worker.Prepare, backend: Backend) -> Iterator[tuple[ProcessPool, Do]]:
    """Processes that share a device, and what they do a job by."""
    name, others = uuid.uuid4().hex, active_children()
    pool = ProcessPool(size, name, pickle.dumps(prepare), backend.name)
    idle = False
    try:
        yield pool, partial(worker.do, name)
        idle = not pool.under_way
    finally:
        if not idle:  # nobody wants what they do
            for process in active_children():
                if process not in others:
                    process.kill()
        pool.executor.shutdown(cancel_futures=True)
