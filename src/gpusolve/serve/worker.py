"""A process that runs commands for the server, one after another: ``python -m gpusolve.serve.worker``.

It reads one request per line from stdin, ``{"words": [...], "files": {"name": "content"}}``, and writes to stdout, also
one per line: ``{"event": {...}}`` while the command runs (progress, or a part of the result that is known already, as
``{"event": {"interim": {...}}}``), ``{"compiled": seconds}`` while it compiles kernels,
``{"object": {...}}`` for each JSON object that it prints, at the end ``{"code": 0, "error": ""}`` with its exit code
and error line. SIGINT ends the command that runs, and nothing else. The process ends with its stdin.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from gpusolve import cli, clock, files, signals
from gpusolve.errors import BadInput, Exit
from gpusolve.output import report
from gpusolve.resources import kernels_dir, wordlists_dir

MOST_OUTPUT = 16 << 20
"""Largest number of bytes that a command may print."""
PAUSE = 0.1
"""Least number of seconds between two events."""


class Objects(io.TextIOBase):
    """A text stream that sends each line, which is a JSON object, as soon as it is complete."""

    def __init__(self, send: Callable[..., None]) -> None:
        self._send, self._line, self._size = send, "", 0

    def write(self, text: str, /) -> int:
        """Take text of any length."""
        self._size += len(text)
        if self._size > MOST_OUTPUT:
            raise BadInput(f"the result is larger than {MOST_OUTPUT >> 20} MiB: expected a request for less")
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._send(object=json.loads(line))
        return len(text)


def serve(requests: BinaryIO, answers: BinaryIO, folder: Path | None) -> None:
    """Run each request until there are no more. `folder` has files that requests may name; None for no files."""
    lock = threading.Lock()

    def send(**message: Any) -> None:
        with lock:
            answers.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            answers.flush()

    with tempfile.TemporaryDirectory(prefix="gpusolve-") as own:
        package = Path(cli.__file__).parent
        folders = [Path(own), *([folder] if folder else []), package, kernels_dir(), wordlists_dir()]
        files.readable.set(tuple(map(Path.resolve, folders)))
        os.chdir(own)
        for line in requests:
            request = json.loads(line)
            for name, content in request["files"].items():
                Path(name).write_text(content, encoding="utf-8", errors="backslashreplace")
            with _telling_of_compilation(send):
                code, error = run(request["words"], send)
            for file in Path(own).iterdir():
                file.unlink()
            send(code=code, error=error)


def run(words: list[str], send: Callable[..., None]) -> tuple[int, str]:
    """Run a command and return its exit code and the last line that it wrote to stderr."""
    received: list[int] = []
    sys.argv = ["gpusolve", *words]
    errors = io.StringIO()
    report.watcher.set(_seldom(lambda event: send(event=event)))
    try:
        with redirect_stdout(Objects(send)), redirect_stderr(errors):
            signals.handle(partial(signals.interrupt, received))
            code = cli.main()
    except (KeyboardInterrupt, SystemExit):  # the signal came in the last moment
        code = Exit.INTERRUPTED
    finally:
        signals.ignore()
        report.watcher.set(None)
    *_, last = errors.getvalue().splitlines() or [""]
    return (Exit.INTERRUPTED if received else code), last


@contextmanager
def _telling_of_compilation(send: Callable[..., None]) -> Iterator[None]:
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
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints does not get among the answers
    requests = os.fdopen(os.dup(0), "rb", 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    serve(io.BufferedReader(requests), answers, Path(folder) if folder else None)


if __name__ == "__main__":
    main()
