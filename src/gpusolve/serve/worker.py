"""A process that runs commands for the server, one after another: ``python -m gpusolve.serve.worker``.

It reads requests from stdin. Each is a line, ``{"number": 7, "game": "wordle", "name": "suggest", "device": "cpu:1",
"seconds": 10, "bytes": 42}``, and then the bytes of its body, which is parsed here, because a large one takes time. It
writes messages to stdout, one per line: the number of the request, a word, and a JSON value. The first is ``began``.
While the command runs come ``progress``, ``interim`` (a part of the result that is known already) and ``prepared`` (the
seconds in which it imported modules and compiled kernels). ``object`` is a result. ``end`` comes last, with the exit
code, the error line, and the files of the folder for which the command has looked, each as it was then. No message has
the path of a folder of this machine. SIGINT ends the command that runs, and nothing else. The process ends with its
stdin.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import gpusolve
from gpusolve import clock, files, signals
from gpusolve.commands import running
from gpusolve.commands.outcome import outcome
from gpusolve.errors import BadInput, Exit
from gpusolve.lists import kept
from gpusolve.output import report
from gpusolve.resources import kernels_dir, wordlists_dir
from gpusolve.runs import store
from gpusolve.serve.operations import lists_in_use, operation_of

MOST_OUTPUT = 16 << 20
"""Largest number of bytes of the results of a command."""
PAUSE = 0.1
"""Least number of seconds between two events."""

Send = Callable[[str, str], None]
"""It writes a message of the request: its word, and the JSON value."""


def serve(requests: BinaryIO, answers: BinaryIO, folder: Path | None) -> None:
    """Run each request until there are no more. `folder` has files that requests may name; None for no files."""
    with tempfile.TemporaryDirectory(prefix="gpusolve-") as own:
        folders = tuple(each.resolve() for each in (Path(own), folder) if each)
        files.readable.set(folders)
        os.chdir(own)
        ours = [Path(gpusolve.__file__).parent, kernels_dir(), wordlists_dir()]
        for place in (store.folder, kept.folder):
            with suppress(BadInput):  # the user has no home folder
                ours.append(place())
        messages = Answers(answers, without_folders([*folders, *ours]))
        for line in requests:
            request = json.loads(line)
            content = requests.read(request["bytes"])
            messages.begin(request["number"])
            found: dict[Path, files.State] = {}
            files.looked_up.set(found)
            code, error = run(Request(**request), content, messages.send)
            for file in Path(own).iterdir():
                file.unlink()
            offered = folders[-1]
            known = {str(path.relative_to(offered)): found[path] for path in found if path.is_relative_to(offered)}
            messages.end(json.dumps({"code": code, "error": error, "files": known if folder else {}}))


def without_folders(folders: Iterable[Path]) -> Callable[[str], str]:
    """Return a function that leaves out these folders from a line of JSON: a path in one of them begins below it.

    >>> without_folders([Path("/srv/lists")])('{"path": "/srv/lists/mine.txt", "folder": "/srv/lists"}')
    '{"path": "mine.txt", "folder": "lists"}'
    """
    names = {json.dumps(str(each))[1:-1]: each.name for each in folders if each.name and each.is_absolute()}
    if not names:
        return str
    longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = re.compile(rf"({longest_first})(?:(/|\\\\)|(?![\w.-]))")
    return lambda line: pattern.sub(lambda found: "" if found[2] else names[found[1]], line)


@dataclass(frozen=True)
class Request:
    """A command to run: its number, its two words, the device, its time limit, and the number of bytes of its body."""

    number: int
    game: str
    name: str
    device: str
    seconds: float
    bytes: int


def run(request: Request, content: bytes, send: Send) -> tuple[int, str]:
    """Run a command and return its exit code and its error line."""
    received: list[int] = []
    size = 0

    def emit(fields: Mapping[str, Any]) -> None:
        nonlocal size
        text = json.dumps(fields)
        size += len(text)
        if size > MOST_OUTPUT:
            raise BadInput(f"the result is larger than {MOST_OUTPUT >> 20} MiB: expected a request for less")
        send("object", text)

    def work() -> int:
        operation = operation_of(request.game, request.name)
        body = {**lists_in_use(operation.command), **operation.read(content)}
        for name, sent in operation.files(body).items():
            Path(name).write_bytes(sent)
        given = operation.given(operation.within(body, request.seconds), request.device)
        with clock.importing:
            _ = operation.command.function
        kinds = operation.command.parameters
        values = {key: Path(value) if kinds[key].kind == "file" else value for key, value in given.items()}
        return running.run(operation.command, values, emit)

    report.watcher.set(_seldom(send))
    code, error = int(Exit.INTERRUPTED), ""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            signals.handle(partial(signals.interrupt, received))
            code, error = outcome(work, quiet=True)
    except (KeyboardInterrupt, SystemExit):  # the signal came in the last moment
        pass
    finally:
        signals.ignore()
        report.watcher.set(None)
    return (int(Exit.INTERRUPTED) if received else code), error


class Answers:
    """What the process writes, from several threads: messages of the request that runs.

    A thread tells every second how long the request has imported and compiled: its time limit does not contain that.
    """

    def __init__(self, stream: BinaryIO, hidden: Callable[[str], str]) -> None:
        self._stream, self._hidden = stream, hidden
        self._lock = threading.Lock()
        self._number: int | None = None
        self._before = self._told = 0.0
        threading.Thread(target=self._tell_of_preparation, daemon=True).start()

    def begin(self, number: int) -> None:
        """Begin with the messages of a request."""
        with self._lock:
            self._number, self._before, self._told = number, _preparation(), 0.0
        self.send("began", "{}")

    def send(self, word: str, content: str) -> None:
        """Write a message: its word, and the JSON value."""
        with self._lock:
            self._write(word, content)

    def end(self, content: str) -> None:
        """Write the last message of the request."""
        with self._lock:
            self._write("end", content)
            self._number = None

    def _write(self, word: str, content: str) -> None:
        self._stream.write(f"{self._number} {word} {self._hidden(content)}\n".encode())
        self._stream.flush()

    def _tell_of_preparation(self) -> None:
        while True:
            time.sleep(1)
            with self._lock:
                if self._number is not None and (seconds := _preparation() - self._before) > self._told:
                    self._told = seconds
                    self._write("prepared", str(seconds))


def _preparation() -> float:
    """Return the seconds in which this process has imported modules and compiled kernels."""
    return clock.compiling.seconds + clock.importing.seconds


def _seldom(send: Send) -> Callable[[dict[str, Any]], None]:
    """Return a function that sends at most one event per PAUSE, so that a fast search does not fill the pipe.

    Parts of the result are always passed on.
    """
    due = 0.0

    def sparing(event: dict[str, Any]) -> None:
        nonlocal due
        now = time.monotonic()
        if "interim" in event:
            send("interim", json.dumps(event["interim"]))
        elif now >= due:
            due = now + PAUSE
            send("progress", json.dumps(event))

    return sparing


def measure_imports() -> None:
    """Let `clock.importing` measure every import statement of this process from now on."""
    plain_import = builtins.__import__

    def measured(name: str, *others: Any, **named: Any) -> Any:
        wanted = (others[2] if len(others) > 2 else named.get("fromlist")) or ()
        known = sys.modules.get(name)
        if known is not None and all(each in vars(known) for each in wanted):
            return plain_import(name, *others, **named)  # as most imports, it brings what is there already
        with clock.importing:
            return plain_import(name, *others, **named)

    builtins.__import__ = measured


def main() -> None:
    """Serve requests from stdin, with the memory limit in bytes and the folder from the command line."""
    signals.ignore()
    measure_imports()
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
