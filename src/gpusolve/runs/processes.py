"""Processes of this machine as workers."""

from __future__ import annotations

import pickle
import signal
import uuid
import warnings
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
"""How often a job is repeated because its process was killed from outside, for example for lack of memory."""


class ProcessPool:
    """Processes of this machine. If one is killed from outside, the others end too, and new ones take over."""

    def __init__(self, size: int, *about: Any) -> None:
        context = get_context("spawn")  # threads and GPUs do not survive a fork
        turn = context.Value("i", 0)
        self.size = size
        self._start = partial(ProcessPoolExecutor, size, context, worker.start_process, (*about, size, turn))
        self.executor = self._start()
        self.under_way: set[Future[Any]] = set()
        """Jobs that have not ended yet."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        with _without_interrupts():
            try:
                future = self.executor.submit(function, *arguments)
            except BrokenProcessPool:
                killed = "a worker process was killed from outside: new processes repeat its jobs"
                warnings.warn(killed, RuntimeWarning, stacklevel=2)
                self.executor.shutdown()
                self.executor = self._start()
                future = self.executor.submit(function, *arguments)
        self.under_way.add(future)
        future.add_done_callback(self.under_way.discard)
        return future

    def refresh(self) -> None:
        pass

    def explain(self, error: BaseException) -> BaseException:
        if isinstance(error, BrokenProcessPool):
            return ClusterUnavailable(
                f"{LOSSES + 1} processes were lost while doing the same job: is there too little memory?"
            )
        return error


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes started in this block ignore Ctrl-C and SIGHUP, which a terminal sends to all; ours ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def started(size: int, prepare: worker.Prepare, backend: Backend) -> Iterator[tuple[ProcessPool, Do]]:
    """Start processes that share a device, and yield them and the function that does a job."""
    name, others = uuid.uuid4().hex, active_children()
    payload = pickle.dumps(prepare)
    with _without_interrupts():  # it starts a process that keeps track of the others' semaphores
        pool = ProcessPool(size, name, payload, backend.name)
    idle = False
    try:
        yield pool, partial(worker.do, name)
        idle = not pool.under_way
    finally:
        if not idle:  # the results of their jobs are no longer needed
            for process in active_children():
                if process not in others:
                    process.kill()
        pool.executor.shutdown(cancel_futures=True)
