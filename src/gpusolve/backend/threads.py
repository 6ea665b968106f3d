"""Threads that compute while the main thread waits for them, and that a signal cannot lock up.

A signal raises an exception wherever the main thread is. `concurrent.futures` and the locks of `threading` are partly
written in Python, so the exception can come just after a lock was taken; then nobody releases it, and a thread that
needs it waits for ever. Here the threads and the main thread share nothing but a `queue.SimpleQueue`, whose operations
are single steps for the interpreter.
"""

from __future__ import annotations

import _thread
from collections.abc import Callable
from queue import SimpleQueue
from types import TracebackType
from typing import Generic, NamedTuple, TypeVar

Result = TypeVar("Result")


class Outcome(NamedTuple, Generic[Result]):
    """How a job ended: its result, or the error that it raised."""

    result: Result | None
    error: BaseException | None = None

    def value(self) -> Result:
        """Return the result. Raises the error if there is one."""
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]


class Threads:
    """A number of threads that do jobs. In a ``with`` statement they end with the block, after the jobs they do."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._ended: SimpleQueue[None] = SimpleQueue()
        for _ in range(count):
            _thread.start_new_thread(self._work, ())

    def start(self, job: Callable[[], Result], done: SimpleQueue[Outcome[Result]]) -> None:
        """Let a thread do a job and put its outcome into `done`."""

        def do() -> None:
            try:
                outcome = Outcome(job())
            except BaseException as error:  # it is raised in the thread that takes it
                outcome = Outcome(None, error)
            done.put(outcome)

        self._jobs.put(do)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it holds the arrays of the caller
        self._ended.put(None)

    def __enter__(self) -> Threads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for _ in range(self._count):
            self._jobs.put(None)
        for _ in range(self._count):
            self._ended.get()
