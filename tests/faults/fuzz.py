"""Give damaged and forged contents to everything that reads something from outside (``readers.py``).

    PYTHONPATH=tests python -m faults.fuzz [--minutes 0.1] [--seed 1] [--reader NAME ...] [--keep FOLDER] [--list]

prints, for each reader, how many contents it read, and each fault. A reader may give a result, or a GpusolveError,
which a command prints as one line. Anything else is a fault: another exception, the end of the process, ten seconds of
processor time for one content, or more than 1 GiB of memory beyond what valid contents need. A content with a fault is
kept in a file.

The readers run in a separate process, which is started again after a crash. Content number N of a reader depends only
on the seed and N, as far as its valid contents do not contain times.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults import mutations
from faults.kills import ENVIRONMENT as OURS
from faults.readers import Reader, readers
from gpusolve.errors import Exit, GpusolveError, WordsLeftOut, plain

SECONDS = 10
"""Processor time that a content may take."""
MEMORY = 1 << 30
"""Memory that a content may take, in addition to what the process has after it has read valid contents."""
PATIENCE = 180
"""Seconds without a sign of life after which the process counts as hanging."""
ENVIRONMENT = OURS | {"PYTHONPATH": f"{OURS['PYTHONPATH']}{os.pathsep}{Path(__file__).parents[1]}"}


@dataclass
class Report:
    """What a reader was given: the number of contents, the seconds that it took, and the faults with their numbers."""

    name: str
    contents: int = 0
    seconds: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)


class SlowError(BaseException):
    """A content takes too long. No reader catches this."""


def fault_of(reader: Reader, content: bytes, file: Path, *, valid: bool = False) -> str:
    """Give a content to a reader. Return its fault, or "" if there is none. A valid content must not be refused."""
    given: Any = content.decode("utf-8", "surrogateescape") if reader.is_text else file
    file.write_bytes(content)
    try:
        with _limited_time(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=WordsLeftOut)  # a note, not a fault
            warnings.filterwarnings("error", "invalid value|overflow|divide by zero|.*empty slice", RuntimeWarning)
            reader.read(given)
    except SlowError:
        return f"not read after {SECONDS} s of processor time"
    except MemoryError:
        return "MemoryError: more than 1 GiB"
    except GpusolveError as error:
        return f"refused: {error}" if valid else _fault_of_message(error)
    except BaseException as error:
        return _place_of(error)
    return ""


def _place_of(error: BaseException) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {str(error)[:200]!a}"


def _fault_of_message(error: GpusolveError) -> str:
    message = plain(str(error))
    if error.exit_code == Exit.FAULT:
        return f"{type(error).__name__}, which is a fault of gpusolve: {message[:200]}"
    if "memory" in message and "machine" not in message:
        return f"more than 1 GiB: {message[:200]}"
    return ""


@contextlib.contextmanager
def _limited_time() -> Iterator[None]:
    """Raise SlowError after SECONDS of processor time."""

    def slow(*_: object) -> None:
        raise SlowError

    signal.signal(signal.SIGPROF, slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@contextlib.contextmanager
def _limited_memory() -> Iterator[None]:
    """Limit this process to its present size and MEMORY more."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def contents(reader: Reader, samples: list[bytes], seed: int, first: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield changed contents with their numbers, without end."""
    number = first
    while True:
        chance = random.Random(f"{seed} {reader.name} {number}")
        content = mutations.change(chance.choice(samples), reader.changes, chance)
        if chance.random() < 0.1:
            content = mutations.change_bytes(content, chance)
        yield number, content
        number += 1


def run(
    reader: Reader, folder: Path, *, seed: int, seconds: float = float("inf"), most: int = 1 << 60, first: int = 0
) -> Iterator[tuple[int, str, bytes]]:
    """Give contents to a reader for some seconds of processor time, or a number of them.

    Yields the number of each content, its fault, and the content.
    """
    try:
        samples = reader.samples(folder)
    except Exception as error:
        yield -1, f"no valid contents: {_place_of(error)}", b""
        return
    file = folder / "input"
    for content in samples:  # valid contents have no fault, and compile the kernels
        fault = fault_of(reader, content, file, valid=True)
        if fault:
            yield -1, f"a valid content: {fault}", content
    end = time.process_time() + seconds
    with _limited_memory():
        for number, content in contents(reader, samples, seed, first):
            if number >= first + most or time.process_time() > end:
                return
            yield number, fault_of(reader, content, file), content


@contextlib.contextmanager
def in_new_folder() -> Iterator[Path]:
    """Work in a new folder, which also keeps the tables."""
    before, tables = Path.cwd(), os.environ.get("GPUSOLVE_TABLES")
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        os.environ["GPUSOLVE_TABLES"] = str(Path(place) / "tables")
        try:
            yield Path(place)
        finally:
            os.chdir(before)
            os.environ.pop("GPUSOLVE_TABLES")
            if tables is not None:
                os.environ["GPUSOLVE_TABLES"] = tables


def work(names: list[str], *, seed: int, seconds: float, first: int) -> None:
    """Run readers in this process and folder, and print what happens as lines of JSON for the parent process."""
    folder = Path.cwd()
    for reader in readers():
        if reader.name not in names:
            continue
        begin, last = time.process_time(), time.monotonic()
        count = 0
        print(json.dumps({"reader": reader.name, "number": first - 1, "count": 0}), flush=True)
        for number, fault, content in run(reader, folder, seed=seed, seconds=seconds, first=first):
            count += number >= 0
            line: dict[str, Any] = {"number": number, "count": count}
            if fault:
                print(json.dumps(line | {"fault": fault, "content": content.hex()}), flush=True)
            elif time.monotonic() > last + 1:
                last = time.monotonic()
                print(json.dumps(line), flush=True)
        print(json.dumps({"count": count, "seconds": time.process_time() - begin, "done": reader.name}), flush=True)
        first = 0


def fuzz(names: list[str], *, seed: int, minutes: float, keep: Path) -> Iterator[Report]:
    """Run readers in a separate process, and yield the report of each."""
    left, first, found, before = list(names), 0, Report(""), 0
    while left:
        options = ["--minutes", str(minutes), "--seed", str(seed), "--first", str(first)]
        with (
            in_new_folder() as folder,
            tempfile.TemporaryFile("w+") as errors,
            subprocess.Popen(
                [sys.executable, "-m", "faults.fuzz", "--work", *options, "--reader", *left],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=ENVIRONMENT | {"GPUSOLVE_TABLES": str(folder / "tables")},
            ) as process,
        ):
            number = first - 1
            for line in _lines(process):
                number = line.get("number", number)
                if "reader" in line:
                    if found.name != line["reader"]:
                        found = Report(line["reader"])
                    before = found.contents
                found.contents = before + line["count"]
                if "fault" in line:
                    _add(found, line["fault"], number, bytes.fromhex(line["content"]), keep)
                if "done" in line:
                    found.seconds += line["seconds"]
                    left.remove(found.name)
                    first = 0
                    yield found
            process.wait()
            if left and found.name in left:  # it ended in the middle of a reader
                errors.seek(0)
                last = folder / "input"
                content = last.read_bytes() if last.exists() else b""
                message = f"the process ended with {process.returncode}: {errors.read().strip()[-300:]!a}"
                _add(found, message, number, content, keep)
                first = number + 1000
            elif left:
                errors.seek(0)
                raise RuntimeError(f"the process ended with {process.returncode}: {errors.read()[-2000:]}")
        if len(found.faults) > 20:
            left.remove(found.name)
            yield found
            first = 0


def _lines(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a process; kill it if it gives no sign of life."""
    assert process.stdout
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    stream = process.stdout

    def read() -> None:
        for line in stream:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=PATIENCE)
        except queue.Empty:
            process.kill()
            return
        if not line:
            return
        yield json.loads(line)


def _add(found: Report, fault: str, number: int, content: bytes, keep: Path) -> None:
    """Add a fault, unless it is known, and keep its content."""
    if fault not in found.faults:
        found.faults[fault] = number
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{found.name.replace(' ', '-').replace('/', '-')}.{number}").write_bytes(content)


def report(names: list[str], *, seed: int, minutes: float, keep: Path) -> int:
    """Print the results; return 1 if there is a fault."""
    given = wrong = 0
    for found in fuzz(names, seed=seed, minutes=minutes, keep=keep):
        given, wrong = given + found.contents, wrong + len(found.faults)
        print(
            f"{found.name}: {found.contents:,} inputs in {found.seconds:.0f} s (processor), {len(found.faults)} faults",
            flush=True,
        )
        for fault, number in found.faults.items():
            print(f"    number {number}: {fault}", flush=True)
    print(f"inputs: {given:,} for {len(names)} readers, wrong: {wrong:,}")
    return int(wrong > 0)


def _names() -> list[str]:
    with in_new_folder():
        return [reader.name for reader in readers()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=0.1, help="processor time for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--reader", nargs="*", default=[], help="readers whose names contain this text")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "gpusolve-fuzz")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.reader, seed=given.seed, seconds=60 * given.minutes, first=given.first)
        sys.exit()
    chosen = [name for name in _names() if not given.reader or any(part in name for part in given.reader)]
    if given.list:
        print("\n".join(chosen))
        sys.exit()
    sys.exit(report(chosen, seed=given.seed, minutes=given.minutes, keep=given.keep))
