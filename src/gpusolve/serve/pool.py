"""Worker processes, and the queue of the requests that wait for one.

A search runs in a process of its own, so that a crash, or the system's killer of processes that take too much memory,
ends this search and nothing else. A long request never takes the last free process: that is left to the short ones.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpusolve.errors import Exit

GRACE = 3.0
"""Seconds that a command gets to end after a signal, before its process is killed."""
SPARE = 2.0
"""Seconds beyond its time limit after which a command gets a signal."""
LONGEST_LINE = 32 << 20
"""Largest number of bytes of a line from a worker."""

Tell = Callable[[dict[str, Any]], None]


class Full(Exception):
    """So many requests wait already that no more are taken."""


@dataclass(frozen=True)
class Job:
    """A command to run.

    Attributes
    ----------
    words : list of str
        The words after ``gpusolve``.
    files : dict
        Name -> content of the files that the words name.
    seconds : float
        Time limit, from the start of the command, without the compilation of kernels.
    long : bool
        Whether the command may take longer than short requests want to wait.
    tell : callable
        It gets each message: ``{"waiting": n}``, ``{"event": {...}}`` or ``{"object": {...}}``.
    """

    words: list[str]
    files: dict[str, str]
    seconds: float
    long: bool
    tell: Tell


@dataclass(frozen=True)
class Outcome:
    """How a command ended: its exit code, its error line, and whether the time limit of the server ended it."""

    code: int
    error: str = ""
    overdue: bool = False


@dataclass(eq=False)
class Worker:
    """A process, and whether it has been lost."""

    process: asyncio.subprocess.Process
    lost: bool = False


@dataclass
class Pool:
    """Worker processes for a number of commands at the same time.

    Parameters
    ----------
    jobs : int
        Number of processes. All but one of them take long requests, if there are several.
    waiting : int
        Largest number of requests that wait.
    memory : int
        Bytes of address space for each process; 0 for no limit.
    folder : Path or None
        Folder with files that requests may name.
    """

    jobs: int
    waiting: int
    memory: int
    folder: Path | None
    _idle: list[Worker] = field(default_factory=list)
    _all: set[Worker] = field(default_factory=set)
    _short: deque[asyncio.Future[None]] = field(default_factory=deque)
    _long: deque[asyncio.Future[None]] = field(default_factory=deque)
    _tells: dict[asyncio.Future[None], Tell] = field(default_factory=dict)
    _running: int = 0
    _running_long: int = 0
    _closed: bool = False

    async def open(self) -> None:
        """Start the processes."""
        self._idle = [await self._start() for _ in range(self.jobs)]

    async def close(self) -> None:
        """Kill all processes, and start no others."""
        self._closed = True
        for worker in list(self._all):
            await self._kill(worker)

    async def run(self, job: Job) -> Outcome:
        """Wait for a free process and run a command there. If this is cancelled once, the command ends.

        Raises Full if too many requests wait already.
        """
        await self._take(job)
        worker = self._idle.pop()
        try:
            if worker.process.returncode is not None:  # something ended it while it was idle
                await self._kill(worker)
                worker = await self._start()
            outcome = await self._run(worker, job)
            if outcome.code == Exit.FAULT and not worker.lost:  # who knows what state it left the process in
                await self._kill(worker)
            return outcome
        finally:
            self._idle.append(await self._start() if worker.lost and not self._closed else worker)
            self._running -= 1
            self._running_long -= job.long
            self._wake()

    @property
    def most_long(self) -> int:
        """The number of long requests that may run at the same time."""
        return max(1, self.jobs - 1)

    def _has_room(self, long: bool) -> bool:
        return self._running < self.jobs and (not long or self._running_long < self.most_long)

    async def _take(self, job: Job) -> None:
        """Wait until a process is free for the job, and count the job as running."""
        queue = self._long if job.long else self._short
        if queue or not self._has_room(job.long):
            if len(self._short) + len(self._long) >= self.waiting:
                raise Full
            turn = asyncio.get_running_loop().create_future()
            queue.append(turn)
            self._tells[turn] = job.tell
            job.tell({"waiting": len(queue)})
            try:
                await turn  # _wake has counted the job when this returns
            except asyncio.CancelledError:
                if turn in queue:
                    queue.remove(turn)
                elif turn.done() and not turn.cancelled():
                    self._running -= 1
                    self._running_long -= job.long
                    self._wake()
                raise
            finally:
                del self._tells[turn]
        else:
            self._running += 1
            self._running_long += job.long

    def _wake(self) -> None:
        """Let waiting requests run as long as there are free processes, the short ones first."""
        for queue, long in ((self._short, False), (self._long, True)):
            while queue and self._has_room(long):
                turn = queue.popleft()
                if not turn.cancelled():
                    self._running += 1
                    self._running_long += long
                    turn.set_result(None)
            for place, turn in enumerate(queue, 1):
                self._tells[turn]({"waiting": place})

    async def _start(self) -> Worker:
        """Start a process. Its own session keeps it from the Ctrl-C that ends the server."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "gpusolve.serve.worker", str(self.memory), str(self.folder or "")),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=LONGEST_LINE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        worker = Worker(process)
        self._all.add(worker)
        return worker

    async def _run(self, worker: Worker, job: Job) -> Outcome:
        request = json.dumps({"words": job.words, "files": job.files}).encode() + b"\n"
        overdue = False
        assert worker.process.stdin is not None
        try:
            with suppress(ConnectionError):
                worker.process.stdin.write(request)
                await worker.process.stdin.drain()
            try:
                async with asyncio.timeout(job.seconds + SPARE) as limit:
                    return await self._follow(worker, job.tell, limit)
            except TimeoutError:
                overdue = True
                return Outcome(*(await self._interrupt(worker)), overdue=True)
        except BaseException:
            if not overdue and not worker.lost:
                await self._interrupt(worker)
            raise

    async def _follow(self, worker: Worker, tell: Tell, limit: asyncio.Timeout | None = None) -> Outcome:
        """Pass on what a worker sends until the command has ended. Compilation moves the limit."""
        assert worker.process.stdout is not None
        end = limit and limit.when()
        while line := await worker.process.stdout.readline():
            message = json.loads(line)
            if "code" in message:
                return Outcome(message["code"], message["error"])
            if "compiled" not in message:
                tell(message)
            elif limit is not None and end is not None:
                limit.reschedule(end + message["compiled"])
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):  # a signal to a process that has ended would hide how it ended
                await worker.process.wait()
        await self._kill(worker)
        return Outcome(Exit.FAULT, f"the process that ran this request was ended: {_reason(worker.process.returncode)}")

    async def _interrupt(self, worker: Worker) -> tuple[int, str]:
        """End the command that a worker runs, and return the exit code and the error line."""
        with suppress(ProcessLookupError):
            worker.process.send_signal(signal.SIGINT)
        try:
            async with asyncio.timeout(GRACE) as limit:  # a process that compiles ends the command after that
                outcome = await self._follow(worker, lambda _: None, limit)
                return outcome.code, outcome.error
        except TimeoutError:
            await self._kill(worker)
            return Exit.INTERRUPTED, ""

    async def _kill(self, worker: Worker) -> None:
        worker.lost = True
        self._all.discard(worker)
        if worker.process.returncode is None:
            with suppress(ProcessLookupError):
                worker.process.kill()
        await worker.process.wait()


def _reason(code: int | None) -> str:
    if code is not None and code < 0:
        return f"{signal.Signals(-code).name}, perhaps because the machine ran out of memory"
    return f"exit code {code}"
