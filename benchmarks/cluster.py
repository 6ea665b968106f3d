"""Workers: the speedup with two, the cost of Dask compared with processes, and the number that a command can feed.

    PYTHONPATH=src:tests python benchmarks/cluster.py speed [COMMAND]   # needs two idle cores
    PYTHONPATH=src:tests python benchmarks/cluster.py feed [COMMAND]    # other load does not matter
    PYTHONPATH=src:tests python benchmarks/cluster.py crowd WORKERS     # needs an otherwise idle machine for 20 s

`speed` prints the seconds of a command on one core, with two processes, and with a scheduler and two workers of one
thread. `feed` runs each command on such a cluster in jobs of SHORT seconds, in two sizes, and prints the processor time
that the command's process and the scheduler spend on each additional job of the larger size. One thread does each of
these parts, so the number of workers that can be fed is two seconds, the length of a real job, divided by the larger
part. `crowd` simulates that: the threads of two Dask workers act as many workers whose jobs only wait two seconds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from math import log
from pathlib import Path
from typing import Any

import psutil

import jobs
from dask_machines import Machines
from gpusolve.backend import open_backend
from gpusolve.games import qless, queuedle, quiddler, quordle, sliding, tetris, wordle
from gpusolve.games.sliding.search import jobs as jobs_of_sliding
from gpusolve.runs import cluster
from gpusolve.wordlists import load_words
from harness import heading

PUZZLE = queuedle.Puzzle.parse("fndoi/eedgr/aadqs/oeilx/eyatg aikiueieexuatov")
TRAINING = tetris.TrainingSettings(particles=16, games=30, finals=0, init="published", spread=0.1)
FEW = wordle.Variant.load("wordle-guesses", load_words("wordle-answers")[::8])
BOARD, FOURS = sliding.Board.parse("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4"), "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15"
SHORT = 0.1
SHORT_NODES = 400_000
"""Nodes in a job of `sliding solve`."""
COMMANDS: dict[str, Callable[..., object]] = {
    "tetris train": lambda n, **how: tetris.train(replace(TRAINING, iterations=n), seed=1, **how),
    "tetris evaluate": lambda n, **how: tetris.evaluate("published", count=250 * n, seed=1, **how),
    "quiddler census": lambda n, **how: quiddler.census(count=1_000 * n, seed=1, **how),
    "queuedle solve": lambda n, **how: queuedle.solve(PUZZLE, restarts=20 * n, states=200_000, seed=1, **how),
    "qless census": lambda n, **how: qless.census(count=20_000 * n, seed=1, **how),
    "quordle simulate": lambda n, **how: quordle.simulate(strategy="joint", count=1_500 * n, seed=1, **how),
    "wordle solve": lambda n, **how: wordle.solve(variant=FEW, first=f"top {200 * n}", memory=64, **how),
    "sliding solve": lambda n, **how: sliding.solve(BOARD, partition=FOURS, bound=61 + 2 * int(log(n, 4)), **how),
}
"""The commands, each in sizes that take some seconds on one core."""
LONG = 10
"""The size for `speed`."""
ROUNDS = 6
"""Number of jobs for each worker of `crowd`."""
ONE = open_backend("cpu:1")


def seconds_of(command: str, **how: Any) -> float:
    """Return the seconds that a command takes."""
    begin = time.perf_counter()
    COMMANDS[command](LONG, **how)
    return time.perf_counter() - begin


def speed(commands: list[str]) -> None:
    """Print the table of `speed`."""
    print("| command | one core | two processes | | two Dask workers | | Dask compared with processes |")
    print("|---|---|---|---|---|---|---|")
    for command in commands:
        one = seconds_of(command, backend="cpu:1")
        two = seconds_of(command, workers=2, backend="cpu:2")
        with tempfile.TemporaryDirectory() as folder, closing(started(Path(folder))) as machines:
            dask = seconds_of(command, workers=machines.address, backend="cpu:1")
        ratios = (
            f"{two:.1f} s | {one / two:.2f} x | {dask:.1f} s | {one / dask:.2f} x | {100 * (dask / two - 1):+.1f} %"
        )
        print(f"| {command} | {one:.1f} s | {ratios} |", flush=True)


def feed(commands: list[str]) -> None:
    """Print the table of `feed`."""
    usual, cluster.SECONDS, cluster.LEAST_SECONDS = cluster.SECONDS, SHORT, SHORT
    jobs_of_sliding.NODES_PER_JOB = SHORT_NODES
    print("| command | jobs | the command's part of a job | the scheduler's part | workers fed, with jobs of 2 s |")
    print("|---|---|---|---|---|")
    for command in commands:
        _, small, large = (_parts(command, size) for size in (1, 1, 4))  # the first run warms up
        count, own, theirs = (b - a for a, b in zip(small, large, strict=True))
        each = f"{1000 * own / count:.1f} ms | {1000 * theirs / count:.1f} ms"
        print(f"| {command} | {count:,} | {each} | {usual * count / max(own, theirs):,.0f} |", flush=True)


class Watcher:
    """A progress callback that keeps the workers, because they count their jobs."""

    workers: Any = None

    def __call__(self, *_: object) -> None:
        """Ignore the progress."""

    def watch(self, workers: Any) -> None:
        """Keep the workers."""
        self.workers = workers


def _parts(command: str, size: int) -> tuple[int, float, float]:
    """Return the number of jobs, and the processor time of the command's process and of the scheduler."""
    watcher = Watcher()
    with tempfile.TemporaryDirectory() as folder, closing(started(Path(folder))) as machines:
        scheduler = psutil.Process(machines.scheduler.pid)
        begin, own = _cpu(scheduler), time.process_time()
        COMMANDS[command](size, workers=machines.address, backend="cpu:1", progress=watcher)
        own, theirs = time.process_time() - own, _cpu(scheduler) - begin
    return watcher.workers.done, own, theirs


def crowd(sizes: list[str]) -> None:
    """Print the table of `crowd`."""
    print("| workers | jobs | seconds | at best | fraction of the best |\n|---|---|---|---|---|")
    for size in map(int, sizes):
        numbers, best = range(0, 2 * ROUNDS * size, 2), ROUNDS * cluster.SECONDS  # jobs with even numbers wait
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(started(Path(folder), size // 2)) as machines,
            cluster.open_workers(machines.address, partial(jobs.squares, cluster.SECONDS), ONE) as workers,
        ):
            begin = time.perf_counter()
            done = sum(1 for _ in workers.results(numbers))
            seconds = time.perf_counter() - begin
        print(f"| {size:,} | {done:,} | {seconds:.1f} | {best:.1f} | {best / seconds:.2f} |", flush=True)


def started(folder: Path, threads: int = 1) -> Machines:
    """Start a scheduler and two workers with this number of threads."""
    machines = Machines(folder)
    machines.add_worker(threads=threads)
    machines.add_worker(threads=threads)
    machines.wait_for(2)
    return machines


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "feed", "crowd"))
    parser.add_argument(
        "which", nargs="*", help=f"one or more of {', '.join(COMMANDS)} (default: all); for crowd: numbers of workers"
    )
    arguments = parser.parse_args()
    print(heading(f"Workers: {arguments.what}", ONE))
    {"speed": speed, "feed": feed, "crowd": crowd}[arguments.what](arguments.which or list(COMMANDS))
