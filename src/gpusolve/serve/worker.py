"""A process that runs commands for the server, one after another: ``python -m gpusolve.serve.worker``.

It reads one request per line from stdin: ``{"number": 7, "game": "wordle", "name": "suggest", "given": {...}, "files":
{"name": "content"}}``. It writes messages to stdout, also one per line, and each has the number of its request. While
the command runs it writes ``{"event": {...}}`` (progress, or a part of the result that is known already, as ``{"event":
{"interim": {...}}}``) and ``{"compiled": seconds}`` while it compiles kernels. ``{"object": {...}}`` is a result, and
``{"code": 0, "error": ""}`` comes at the end with the exit code and the error line. SIGINT ends the command that runs,
and nothing else. The process ends with its stdin.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import gpusolve
from gpusolve import clock, files, signals
from gpusolve.commands import command, running
from gpusolve.commands.outcome import outcome
from gpusolve.errors import BadInput, Exit
from gpusolve.output import report
from gpusolve.resources import kernels_dir, wordlists_dir

MOST_OUTPUT = 16 << 20
"""Largest number of bytes of the results of a command."""
PAUSE = 0.1
"""Least number of seconds between two events."""

Send = Callable[..., None]


def serve(requests: BinaryIO, answers: BinaryIO, folder: Path | None) -> None:
    """Run each request until there are no more. `folder` has files that requests may name; None for no files."""
    lock = threading.Lock()

    def write(number: int, **message: Any) -> None:
        line = json.dumps({"number": number, **message}, ensure_ascii=True).encode()
        with lock:
            answers.write(line + b"\n")
            answers.flush()

    with tempfile.TemporaryDirectory(prefix="gpusolve-") as own:
        package = Path(gpusolve.__file__).parent
        folders = [Path(own), *([folder] if folder else []), package, kernels_dir(), wordlists_dir()]
        files.readable.set(tuple(map(Path.resolve, folders)))
        os.chdir(own)
        for line in requests:
            request = json.loads(line)
            send = partial(write, request["number"])
            for name, content in request["files"].items():
                Path(name).write_text(content, encoding="utf-8", errors="backslashreplace")
            with _telling_of_compilation(send):
                code, error = run(request["game"], request["name"], request["given"], send)
            for file in Path(own).iterdir():
                file.unlink()
            send(code=code, error=error)


def run(game: str, name: str, given: Mapping[str, Any], send: Send) -> tuple[int, str]:
    """Run a command and return its exit code and its error line."""
    received: list[int] = []
    found = command.find(game, name)
    assert found is not None, f"no command {game} {name}"
    size = 0

    def emit(fields: Mapping[str, Any]) -> None:
        nonlocal size
        size += len(json.dumps(fields))
        if size > MOST_OUTPUT:
            raise BadInput(f"the result is larger than {MOST_OUTPUT >> 20} MiB: expected a request for less")
        send(object=fields)

    values = {key: Path(value) if found.parameters[key].kind == "file" else value for key, value in given.items()}
    report.watcher.set(_seldom(lambda event: send(event=event)))
    code, error = int(Exit.INTERRUPTED), ""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            signals.handle(partial(signals.interrupt, received))
            code, error = outcome(partial(running.run, found, values, emit), quiet=True)
    except (KeyboardInterrupt, SystemExit):  # the signal came in the last moment
        pass
    finally:
        signals.ignore()
        report.watcher.set(None)
    return (int(Exit.INTERRUPTED) if received else code), error


@contextmanager
def _telling_of_compilation(send: Send) -> Iterator[None]:
    """Send the seconds that kernels have taken to compile within the block: the time limit does not contain them."""
    done, before = threading.Event(), clock.compiling.seconds

    def tell() -> None:
        last = 0.0
        while not done.wait(1):
            if (seconds := clock.compiling.seconds - before) > last:
                last = seconds
                send(compiled=seconds)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _seldom(send: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    """Return a function that passes on at most one event per PAUSE, so that a fast search does not fill the pipe.

    Parts of the result are always passed on.
    """
    due = 0.0

    def sparing(event: dict[str, Any]) -> None:
        nonlocal due
        now = time.monotonic()
        if "interim" in event:
            send(event)
        elif now >= due:
            due = now + PAUSE
            send(event)

    return sparing


def main() -> None:
    """Serve requests from stdin, with the memory limit in bytes and the folder from the command line."""
    signals.ignore()
    memory, folder = int(sys.argv[1]), sys.argv[2]
    if memory:
        try:
            import resource
        except ImportError:  # Windows has no such limits
            pass
        else:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints does not get among the answers
    requests = os.fdopen(os.dup(0), "rb", 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    serve(io.BufferedReader(requests), answers, Path(folder) if folder else None)


if __name__ == "__main__":
    main()
