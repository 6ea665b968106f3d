"""Measure whole commands that find the exact total of one first word, beside another program.

    python benchmarks/wordle_commands.py [--python PYTHON] [--beside 'COMMAND {word} {hard}'] [--folder FOLDER]

PYTHON is the interpreter of an environment with gpusolve and its libraries. Each command runs with a fresh, empty cache
(cold) and again with the one that this leaves (warm), on one thread and on two. COMMAND is another program's command,
run in FOLDER, in turn with ours: {word} is the first word, and {hard} is -H in hard mode and nothing in easy mode. The
medians are printed: processor time of user and system, wall-clock time, page faults, and largest memory.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import NamedTuple

CASES = (("salet", "easy"), ("trace", "easy"), ("salet", "hard"), ("crate", "hard"))
"""Trace has no strategy within six guesses in hard mode."""


class Cost(NamedTuple):
    """What a command took: seconds, page faults, MiB."""

    user: float
    system: float
    wall: float
    faults: int
    memory: float


def main() -> None:
    """Run the commands in turn and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="interpreter of an environment with gpusolve")
    parser.add_argument("--beside", help="command of another program")
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="folder in which that command runs")
    parser.add_argument("--runs", type=int, default=5, help="number of runs of each command")
    arguments = parser.parse_args()
    print("| first word, mode | command | user + system | wall | page faults | MiB |\n|---|---|---|---|---|---|")
    for word, mode in CASES:
        costs = defaultdict[str, list[Cost]](list)
        for _ in range(arguments.runs):
            for threads in (1, 2):
                ours = [arguments.python, "-m", "gpusolve", "wordle", "solve", "--first", word, "--mode", mode]
                ours += ["--device", f"cpu:{threads}", "--quiet"]
                with tempfile.TemporaryDirectory() as cache:
                    for state in ("cold", "warm"):
                        cost = measure(ours, os.environ | {"XDG_CACHE_HOME": cache}, Path.cwd())
                        costs[f"gpusolve, {threads} thread{'s' * (threads > 1)}, {state}"].append(cost)
            if arguments.beside:
                hard = "-H" if mode == "hard" else ""
                other = shlex.split(arguments.beside.format(word=word, hard=hard))
                costs["other program"].append(measure(other, dict(os.environ), arguments.folder))
        for name, taken in costs.items():
            user, system, wall, faults, memory = (median(values) for values in zip(*taken, strict=True))
            times = f"{user:.2f} + {system:.2f} = {user + system:.2f} | {wall:.2f}"
            print(f"| {word}, {mode} | {name} | {times} | {faults:,.0f} | {memory:,.0f} |", flush=True)


def measure(command: list[str], environment: dict[str, str], folder: Path) -> Cost:
    """Run a command and return what it took. Raises CalledProcessError if it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    wall = time.perf_counter() - began
    return Cost(usage.ru_utime, usage.ru_stime, wall, usage.ru_minflt, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
