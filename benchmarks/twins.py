"""Compare kernels of the libraries with the same kernels compiled by Numba in this process.

python benchmarks/twins.py

A command is run, and the longest call that it makes of a kernel is kept, with copies of the arguments. Then the call is
made in turns through the library and through Numba's own wrapper, each time with new copies, on one thread. What they
write must be equal to the bit. The last rows are calls that do nothing, so that they show what a call costs.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from gpusolve import cli
from gpusolve.backend.compiled import Twin
from gpusolve.games.sliding.cpu import measure
from gpusolve.games.wordle.cpu import patterns
from gpusolve.search.heap import _pop
from harness import processor

COMMANDS = """
wordle partition-table --top 5
wordle solve salet:-y--g
wordle solve salet:----- --mode hard
wordle beat-adversary salet:-----
quordle suggest
queuedle solve 2025-06-01 --states 1000000 --seed 1
quiddler solve 'n w u th r y y i / a c j o u n b i'
qless solve cddeeimprtwx
qless unsolvable fgjlmmnnnoot
sliding solve '8 6 7 / 2 5 4 / 3 0 1'
sliding solve '8 6 7 / 2 5 4 / 3 0 1' --all-solutions
sliding solve '5 1 2 3 / 4 9 6 7 / 8 10 0 11 / 12 13 14 15' --goal blank-last --weight 2
tetris play --seed 5 --max-lines 20
tetris play published --seed 5 --max-lines 20
tetris train-value --iterations 2 --games 10 --opening 0.25 --max-lines 20
"""
TURNS = 15
RESULT = Path(__file__).parent / "results" / "twins.md"


def copied(argument: Any) -> Any:
    """Return an argument with copies of its arrays, which stay read-only if they are."""
    if isinstance(argument, np.ndarray):
        copy = argument.copy()
        copy.flags.writeable = argument.flags.writeable
        return copy
    if isinstance(argument, tuple):
        fields = map(copied, argument)
        return tuple(fields) if type(argument) is tuple else type(argument)(*fields)
    return argument


def longest_call(words: str) -> tuple[Twin, tuple[Any, ...]]:
    """Run a command on one thread; return the kernel that took the longest call, and its arguments."""
    found: list[tuple[float, Twin, tuple[Any, ...]]] = []
    call = Twin.__call__

    def watched(twin: Twin, *arguments: Any) -> Any:
        kept = copied(arguments)
        begin = time.perf_counter()
        result = call(twin, *arguments)
        seconds = time.perf_counter() - begin
        if not found or seconds > found[0][0]:
            found[:] = [(seconds, twin, kept)]
        return result

    setattr(Twin, "__call__", watched)  # noqa: B010
    sys.argv = ["gpusolve", *shlex.split(words), "--device", "cpu:1"]
    text = io.StringIO()
    try:
        with redirect_stdout(text), redirect_stderr(text):
            code = cli.main()
    finally:
        setattr(Twin, "__call__", call)  # noqa: B010
    if code or not found:
        sys.exit(f"{words}: {code}: {text.getvalue()}")
    return found[0][1:]


def seconds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[float, tuple[Any, ...]]:
    """Return how long a call takes, and the arguments as it leaves them, with its result."""
    own = copied(arguments)
    begin = time.perf_counter()
    result = function(*own)
    return time.perf_counter() - begin, (result, *own)


def is_equal(a: Any, b: Any) -> bool:
    """Return whether two results are equal to the bit."""
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, tuple):
        return bool(len(a) == len(b) and all(map(is_equal, a, b)))
    equal: bool = a == b
    return equal


def calls() -> list[tuple[Twin, tuple[Any, ...]]]:
    """Return calls of kernels with several arguments that have nothing to do."""
    empty = np.zeros(0, np.int32), np.zeros(0, np.int64)
    terms, guesses, out = np.zeros((1, 64), np.uint8), np.zeros((1, 5), np.int32), np.zeros((1, 64), np.uint8)
    tiles = [np.zeros((1, 16), np.uint8) for _ in range(5)]
    table = np.zeros(1, np.uint32)
    table.flags.writeable = False
    numbers = np.zeros(1, np.int64), table, np.zeros((1, 1), np.int32), np.zeros((1, 1), np.int64)
    return [
        (patterns, (0, 0, guesses, terms, 64, out)),
        (measure, (0, 0, 1, 1, *tiles, *numbers)),
        (_pop, (np.zeros(65536, np.int32), empty[1], 0, empty[1])),
    ]


def shown(twin: Twin) -> str:
    """Return a kernel's name as code."""
    return f"`{twin.name.partition('.games.')[2] or twin.name}`"


def main() -> None:
    """Measure, and write the table."""
    lines = [
        "# Kernels of the libraries beside Numba's",
        "",
        f"{processor()}, one thread; the median of {TURNS} turns. `python benchmarks/twins.py` measures it.",
        "",
        "| kernel | from | library | Numba | Numba : library |",
        "|---|---|---|---|---|",
    ]
    met: set[str] = set()
    os.chdir(tempfile.mkdtemp())  # some commands write files
    for words in COMMANDS.strip().splitlines():
        twin, arguments = longest_call(words)
        if twin.name in met:
            continue
        met.add(twin.name)
        if seconds(twin, arguments)[0] >= 0 and "numba" in vars(twin):
            sys.exit(f"{twin.name}: no library has it")
        pair: tuple[list[float], list[float]] = ([], [])
        for _ in range(TURNS):
            (ours, a), (theirs, b) = seconds(twin, arguments), seconds(twin.numba, arguments)
            if not is_equal(a, b):
                sys.exit(f"{twin.name}: the library and Numba differ")
            pair[0].append(ours)
            pair[1].append(theirs)
        library, numba = median(pair[0]), median(pair[1][1:])
        name = twin.name.partition(".games.")[2] or twin.name
        lines.append(
            f"| `{name}` | `{words}` | {library * 1e3:.3f} ms | {numba * 1e3:.3f} ms | {numba / library:.2f} |"
        )
        print(lines[-1], flush=True)
    for twin, arguments in calls():
        twin(*arguments), twin.numba(*arguments)
        times = []
        for function in (twin, twin.numba):
            begin = time.perf_counter()
            for _ in range(20000):
                function(*arguments)
            times.append((time.perf_counter() - begin) / 20000)
        name = twin.name.partition(".games.")[2] or twin.name
        about = f"{len(arguments)} arguments, nothing to do"
        lines.append(
            f"| `{name}` | {about} | {times[0] * 1e6:.2f} us | {times[1] * 1e6:.2f} us | {times[1] / times[0]:.2f} |"
        )
        print(lines[-1], flush=True)
    RESULT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
