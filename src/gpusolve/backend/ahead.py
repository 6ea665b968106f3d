"""Compile functions before they are needed: for the user's cache, or for a processor level to be shipped.

``python -m gpusolve.backend.ahead FILE`` reads a game's list ``signatures.txt`` and compiles the functions in it that
the user's cache lacks. With a folder as second argument it writes the machine code there, for `machine_code.pack`.
Each function is printed when it is done.

A line of the list is a function and the types of its arguments. Only functions that Python calls are listed: their
machine code contains the functions that they call.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from subprocess import PIPE, STDOUT
from typing import Any, cast

from numba.core.bytecode import FunctionIdentity
from numba.core.serialize import dumps

from gpusolve.backend import machine_code
from gpusolve.backend.compiled import digest, without_scipy
from gpusolve.backend.levels import Level
from gpusolve.backend.signatures import types_of
from gpusolve.backend.threads import Outcome, Threads

MODULE = "gpusolve.backend.ahead"


def entries(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the functions of a list, each with the types of its arguments."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            function, _, signature = line.partition(" ")
            yield function, signature[1:-1]


def found(function: str) -> Any:
    """Return the compiled function with this name (see `compiled.name_of`)."""
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)


def compile_list(file: Path, out: Path | None = None) -> None:
    """Compile the functions of a list and print the name of each. Write their machine code to the folder `out`."""
    # Numba distinguishes closures of the same name only by this number, also in machine code of other processes.
    FunctionIdentity._unique_ids = count(zlib.crc32(str(file.parent.name).encode()) << 16)
    digests = {}
    for function, signature in entries(file):
        dispatcher, types = found(function), types_of(signature)
        dispatcher.compile(types)
        if out is not None:
            result, pickled = dispatcher.overloads[types], cast(Callable[[Any], bytes], dumps)
            machine = result._asdict()["library"]
            if not machine.has_dynamic_globals:
                path = out / f"{machine_code.entry(function, signature)}.code"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(pickled(result._reduce()))
                module = function.partition(":")[0]
                digests[module] = digest(module)
        print(function, flush=True)
    if out is not None:
        (out / "digests.json").write_text(json.dumps(digests), encoding="utf-8")


@dataclass(frozen=True)
class Job:
    """A list to compile: for the user's cache, or for a `level`, with the machine code written to `out`."""

    file: Path
    out: Path | None = None
    level: Level | None = None

    def start(self) -> subprocess.Popen[str]:
        """Start a process that does it, and prints the name of each function."""
        words = [sys.executable, "-m", MODULE, str(self.file)]
        environment = dict(os.environ)
        if self.level is not None and self.out is not None:
            words.append(str(self.out))
            own = {"NUMBA_CACHE_DIR": str(self.out / "cache"), "GPUSOLVE_MACHINE_CODE": ""}
            environment |= self.level.variables | own
        return subprocess.Popen(words, env=environment, stdout=PIPE, stderr=STDOUT, text=True, encoding="utf-8")


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
                raise RuntimeError(f"{job.file}: {line.strip()}")
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


if __name__ == "__main__":
    without_scipy()
    compile_list(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
