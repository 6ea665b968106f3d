"""Compile twins before they are needed, from the games' lists of functions and argument types.

``python -m gpusolve.backend.ahead FILE`` reads a game's list ``signatures.txt``, and compiles the functions in it that
neither a library nor the user's cache has. Each function is printed when it is done. See `objects` for libraries.

A line of the list is a function and the types of its arguments. Only functions that Python calls are listed: their
machine code contains the functions that they call.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from subprocess import PIPE, STDOUT

from gpusolve.backend import library
from gpusolve.backend.compiled import Twin
from gpusolve.backend.signatures import types_of
from gpusolve.backend.threads import Outcome, Threads

LIST = "signatures.txt"
"""A package's list of its compiled functions."""


def shipped() -> list[Path]:
    """Return the lists of this package: those of the games and of the heuristic search."""
    return sorted(Path(__file__).parents[1].rglob(LIST))


def entries(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the functions of a list, each with the types of its arguments."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            function, _, signature = line.partition(" ")
            yield function, signature[1:-1]


def found(function: str) -> Twin:
    """Return the twin with this name (see `Twin.name`)."""
    module, _, name = function.partition(":")
    twin: Twin = getattr(import_module(module), name)
    return twin


def compile_list(file: Path) -> None:
    """Compile the functions of a list for the user's cache, and print the name of each."""
    for function, signature in entries(file):
        twin, types = found(function), types_of(signature)
        if not library.has(function, signature):
            twin.numba.compile(types)
        print(function, flush=True)


@dataclass(frozen=True)
class Job:
    """A module to run in a process of its own, its arguments, and variables for its environment."""

    module: str
    arguments: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)

    def start(self) -> subprocess.Popen[str]:
        """Start the process."""
        words = [sys.executable, "-m", self.module, *self.arguments]
        environment = {name: value for name, value in os.environ.items() if name not in library.SETTINGS}
        environment |= self.variables
        return subprocess.Popen(words, env=environment, stdout=PIPE, stderr=STDOUT, text=True, encoding="utf-8")


def job(file: Path) -> Job:
    """Return the job that compiles a list for the user's cache."""
    return Job("gpusolve.backend.ahead", (str(file),))


def compile_side_by_side(jobs: Sequence[Job], processes: int, done: Callable[[str], None]) -> None:
    """Do jobs in at most `processes` processes at a time. Call ``done(name)`` in this thread for each function.

    Raises RuntimeError with the last line that a process printed if it fails.
    """
    names: SimpleQueue[str | None] = SimpleQueue()
    started: list[subprocess.Popen[str]] = []
    stopped: list[bool] = []

    def do(job: Job) -> None:
        line = ""
        if stopped:
            return
        try:
            with job.start() as process:
                started.append(process)
                for line in process.stdout or ():
                    names.put(line.strip())
            if process.returncode:
                raise RuntimeError(f"{job.arguments[-1]}: {line.strip()}")
        finally:
            names.put(None)

    ended = SimpleQueue[Outcome[None]]()
    with Threads(processes) as threads:
        try:
            for job in jobs:
                threads.start(partial(do, job), ended)
            left = len(jobs)
            while left:
                name = names.get()
                left -= name is None
                if name is not None and ":" in name:
                    done(name)
        except BaseException:
            stopped.append(True)
            for process in started:
                process.kill()
            raise
    for _ in jobs:
        ended.get().value()


def number_closures(name: str) -> None:
    """Let the closures that this process compiles differ from those of other processes, given the list's name.

    Numba distinguishes closures of the same name only by a number, also in machine code of other processes.
    """
    from numba.core.bytecode import FunctionIdentity

    FunctionIdentity._unique_ids = count(zlib.crc32(name.encode()) << 16)


if __name__ == "__main__":
    list_of_functions = Path(sys.argv[1])
    number_closures(list_of_functions.parent.name)
    compile_list(list_of_functions)
