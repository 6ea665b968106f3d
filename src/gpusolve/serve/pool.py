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
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from gpusolve.errors import Exit
from gpusolve.files import State

STARTING = 120.0
"""Seconds in which a process has to begin with a command. They do not count towards the command's limit."""
GRACE = 3.0
"""Seconds that a command gets to end after a signal, before its process is killed."""
SPARE = 2.0
"""Seconds beyond its time limit after which a command gets a signal."""
LOOK = 0.5
"""Seconds after which a limit is looked at again: it begins later than the request, and compilation moves it."""
LONGEST_LINE = 32 << 20
"""Largest number of bytes of a line from a worker."""

Tell = Callable[[str, bytes], None]
"""It gets a message: its word, and the JSON value, which is not parsed here."""


class Full(Exception):
    """So many requests wait already that no more are taken."""


@dataclass(eq=False)
class Body:
    """The bytes of a request's body."""

    content: bytearray = field(default_factory=bytearray)


@dataclass(frozen=True)
class Job:
    """A command to run.

    Attributes
    ----------
    game, name : str
        The command.
    device : str
        The device, as for ``--device``.
    body : Body
        The body of the request.
    seconds : float
        Time limit, from the start of the command, without imports and the compilation of kernels.
    long : bool
        Whether the command may take longer than short requests want to wait.
    tell : callable
        It gets each message: ``waiting``, ``began``, ``progress``, ``interim`` or ``object``.
    """

    game: str
    name: str
    device: str
    body: Body
    seconds: float
    long: bool
    tell: Tell


@dataclass(frozen=True)
class Outcome:
    """How a command ended.

    Attributes
    ----------
    code : int
        Its exit code.
    error : str
        Its error line.
    overdue : bool
        Whether the time limit of the server ended it.
    files : dict
        The files of the folder for which it has looked, each as it was then (`files.state_of`).
    """

    code: int
    error: str = ""
    overdue: bool = False
    files: dict[str, State] = field(default_factory=dict)


class Deadline:
    """The end of a time limit, which moves when a worker imports or compiles."""

    def __init__(self, seconds: float) -> None:
        self.begun = False
        self._prepared = 0.0
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        """Let the limit end after these seconds from now, beside those of further imports and compilation."""
        self._end, self._before = time.monotonic() + seconds, self._prepared

    def extend(self, prepared: float) -> None:
        """Take note of the seconds in which the command has imported and compiled so far."""
        self._prepared = prepared

    def left(self) -> float:
        """Return the seconds until the limit; negative ones after it."""
        return self._end + self._prepared - self._before - time.monotonic()


@dataclass(eq=False)
class Worker:
    """A process, whether it runs a command whose end it has not acknowledged, and whether it has been lost."""

    process: asyncio.subprocess.Process
    busy: bool = False
    lost: bool = False

    @property
    def usable(self) -> bool:
        """Whether it can run another command."""
        return not self.busy and not self.lost and self.process.returncode is None


@dataclass
class Pool:
    """Worker processes for a number of commands at the same time.

    A command runs in a task of its own, which nothing cancels: only there does a worker change hands. Whoever asked for
    the command may go at any moment; the task then ends the command, and the worker is used again only if it has
    acknowledged that end. Every message has the number of its request.

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
    _works: set[asyncio.Task[Outcome]] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _running: int = 0
    _running_long: int = 0
    _closed: bool = False
    _place: tempfile.TemporaryDirectory[str] | None = None
    """Folder of the temporary files of all processes: one that is killed leaves its own behind."""

    async def open(self) -> None:
        """Start the processes."""
        self._place = tempfile.TemporaryDirectory(prefix="gpusolve-", ignore_cleanup_errors=True)
        self._idle = [await self._start() for _ in range(self.jobs)]

    async def close(self) -> None:
        """Kill all processes, and start no others."""
        self._closed = True
        for worker in list(self._all):
            await self._kill(worker)
        if self._works:
            await asyncio.wait(self._works)
        if self._place is not None:
            self._place.cleanup()

    async def run(self, job: Job) -> Outcome:
        """Wait for a free process and run a command there. If this is cancelled, the command ends.

        Raises Full if too many requests wait already.
        """
        await self._take(job)
        stop = asyncio.Event()
        work = asyncio.create_task(self._work(job, stop))
        self._works.add(work)
        work.add_done_callback(self._works.discard)
        try:
            return await asyncio.shield(work)
        finally:
            stop.set()

    async def _work(self, job: Job, stop: asyncio.Event) -> Outcome:
        """Run a command in an idle process, and leave an idle process behind."""
        worker = self._idle.pop() if self._idle else None  # None: an earlier one could not be started again
        try:
            if worker is None or not worker.usable:
                if worker is not None:  # something ended it while it was idle
                    await self._kill(worker)
                worker = await self._start()
            told: set[str] = set()
            outcome = await self._run(worker, replace(job, tell=_noted(job.tell, told)), stop)
            if _was_interrupted(outcome, stop) and "object" not in told and not self._closed:
                await self._kill(worker)
                worker = await self._start()
                outcome = await self._run(worker, job, stop)
            if _was_interrupted(outcome, stop):
                outcome = replace(outcome, error="a signal from outside of the server has interrupted this request")
            if outcome.code == Exit.FAULT and not worker.lost:  # nobody knows in what state it left the process
                await self._kill(worker)
            if worker.lost and not self._closed:
                worker = await self._start()
            return outcome
        except OSError as error:  # no process can be started
            return Outcome(Exit.UNAVAILABLE, f"the server cannot start a process: {error.strerror}")
        finally:
            if worker is not None:
                self._idle.append(worker)
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
            job.tell("waiting", _place(len(queue)))
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
                self._tells[turn]("waiting", _place(place))

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
            env={**os.environ, "PYTHONUNBUFFERED": "1", **({"TMPDIR": self._place.name} if self._place else {})},
        )
        worker = Worker(process)
        self._all.add(worker)
        return worker

    async def _run(self, worker: Worker, job: Job, stop: asyncio.Event) -> Outcome:
        """Run a command in this process until it ends, its time is up, or nobody wants it any more."""
        number = next(self._numbers)
        content = job.body.content
        fields = {"number": number, "game": job.game, "name": job.name, "device": job.device, "seconds": job.seconds}
        assert worker.process.stdin is not None
        worker.busy = True
        with suppress(ConnectionError):
            head = json.dumps({**fields, "bytes": len(content)}).encode()
            worker.process.stdin.write(b"\n".join((head, content)))  # in one call of the system
            await worker.process.stdin.drain()
        limit = Deadline(STARTING)

        def tell(word: str, content: bytes) -> None:
            if not stop.is_set():
                job.tell(word, content)

        follow = asyncio.create_task(self._follow(worker, number, job.seconds + SPARE, tell, limit))
        stopped = asyncio.create_task(stop.wait())
        try:
            while not follow.done() and not stop.is_set() and (left := limit.left()) > 0:
                await asyncio.wait((follow, stopped), timeout=min(left, LOOK), return_when=asyncio.FIRST_COMPLETED)
            if follow.done():
                return follow.result()
            if not stop.is_set() and not limit.begun:
                await self._kill(worker)
                return Outcome(Exit.FAULT, f"the process for this request did not start within {STARTING:g} seconds")
            overdue = not stop.is_set()
            with suppress(ProcessLookupError):
                worker.process.send_signal(signal.SIGINT)
            limit.restart(GRACE)  # a process that compiles ends the command after that
            while not follow.done() and (left := limit.left()) > 0:
                await asyncio.wait((follow,), timeout=left)
            if not follow.done():
                await self._kill(worker)
                return Outcome(Exit.INTERRUPTED, overdue=overdue)
            return replace(follow.result(), overdue=overdue)
        finally:
            follow.cancel()
            stopped.cancel()

    async def _follow(self, worker: Worker, number: int, seconds: float, tell: Tell, limit: Deadline) -> Outcome:
        """Pass on what a worker sends until the command has ended. Its `seconds` start when it begins."""
        assert worker.process.stdout is not None
        while line := await self._line(worker.process.stdout):
            own, word, content = line.rstrip(b"\n").split(b" ", 2)
            if int(own) != number:
                break  # an answer to another request: this process cannot be trusted
            if word == b"end":
                worker.busy = False
                return Outcome(**json.loads(content))
            if word == b"prepared":
                limit.extend(float(content))
                continue
            if word == b"began":
                limit.begun = True
                limit.restart(seconds)
            tell(word.decode(), content)
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):  # a signal to a process that has ended would hide how it ended
                await worker.process.wait()
        await self._kill(worker)
        return Outcome(Exit.FAULT, f"the process that ran this request was ended: {_reason(worker.process.returncode)}")

    async def _line(self, stream: asyncio.StreamReader) -> bytes:
        """Return the next line of a worker; nothing if it has ended, or if the line is longer than any can be."""
        try:
            return await stream.readline()
        except ValueError:
            return b""

    async def _kill(self, worker: Worker) -> None:
        worker.lost = True
        self._all.discard(worker)
        if worker.process.returncode is None:
            with suppress(ProcessLookupError):
                worker.process.kill()
        await worker.process.wait()


def _noted(tell: Tell, told: set[str]) -> Tell:
    """Return a function that passes messages on, and notes their words."""

    def noting(word: str, content: bytes) -> None:
        told.add(word)
        tell(word, content)

    return noting


def _was_interrupted(outcome: Outcome, stop: asyncio.Event) -> bool:
    """Return whether a command was interrupted by neither its client nor its time limit."""
    return outcome.code == Exit.INTERRUPTED and not outcome.overdue and not stop.is_set()


def _place(number: int) -> bytes:
    return b'{"waiting": %d}' % number


def _reason(code: int | None) -> str:
    if code is not None and code < 0:
        return f"{signal.Signals(-code).name}, perhaps because the machine ran out of memory"
    return f"exit code {code}"
