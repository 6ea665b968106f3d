"""Workers: what two are worth, what a Dask cluster costs beside processes, and how many one command can feed.

    PYTHONPATH=src:tests python benchmarks/cluster.py speed [COMMAND]   # needs two cores that nobody else uses
    PYTHONPATH=src:tests python benchmarks/cluster.py feed              # counts processor time, whoever else works

`speed` prints seconds of a command on one core, on two processes of one core, and on a scheduler with two workers of
one thread. `feed` runs each command on such a cluster and prints, for each job, the processor time of its worker, of
the command's own process, and of the scheduler: a command can feed as many workers as its own part goes into the job.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from dask_machines import Machines
from gpusolve import cluster
from gpusolve.backend import open_backend
from gpusolve.games import qless, queuedle, quiddler, quordle, tetris
from gpusolve.games.tetris.training import TrainingSettings
from harness import heading

PUZZLE = queuedle.parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiueieexuatov")
TRAINING = TrainingSettings(particles=96, games=50, iterations=1, finals=0, init="published", spread=0.1)
COMMANDS: dict[str, Callable[..., object]] = {
    "tetris train": lambda **how: tetris.train(TRAINING, seed=1, **how),
    "tetris evaluate": lambda **how: tetris.evaluate("published", games=2_000, seed=1, **how),
    "quiddler census": lambda **how: quiddler.census(10_000, seed=1, **how),
    "queuedle solve": lambda **how: queuedle.solve(PUZZLE, restarts=4, states=15_000_000, seed=1, **how),
    "qless census": lambda **how: qless.census(10_000, seed=1, **how),
    "quordle simulate": lambda **how: quordle.simulate(strategy="joint", games=2_000, seed=1, **how),
}


def seconds_of(command: str, **how: Any) -> float:
    """How long a command takes."""
    begin = time.perf_counter()
    COMMANDS[command](**how)
    return time.perf_counter() - begin


def speed(commands: list[str]) -> None:
    """The table of `speed`."""
    print("| command | one core | two processes | | two workers of Dask | | Dask beside processes |")
    print("|---|---|---|---|---|---|---|")
    for command in commands:
        one = seconds_of(command, backend="cpu:1")
        two = seconds_of(command, workers=2, backend="cpu:2")
        with tempfile.TemporaryDirectory() as folder:
            machines = started(Path(folder))
            dask = seconds_of(command, workers=machines.address, backend="cpu:1")
            machines.close()
        ratios = (
            f"{two:.1f} s | {one / two:.2f} x | {dask:.1f} s | {one / dask:.2f} x | {100 * (dask / two - 1):+.1f} %"
        )
        print(f"| {command} | {one:.1f} s | {ratios} |", flush=True)


def feed(commands: list[str]) -> None:
    """The table of `feed`."""
    print("| command | jobs | a job on its worker | the command's part | the scheduler's part | workers, at most |")
    print("|---|---|---|---|---|---|")
    for command in commands:
        with tempfile.TemporaryDirectory() as folder:
            machines = started(Path(folder))
            others = [psutil.Process(process.pid) for process in (machines.scheduler, *machines.workers)]
            COMMANDS[command](workers=machines.address, backend="cpu:1")  # compiles, and reads what stays
            before, own = [_cpu(one) for one in others], time.process_time()
            told: list[str] = []
            COMMANDS[command](
                workers=machines.address, backend="cpu:1", progress=lambda *_, told=told: told.append(cluster.status())
            )
            own, jobs = time.process_time() - own, int(told[-1].split()[-2].replace(",", ""))
            scheduler, *workers = (_cpu(one) - cpu for one, cpu in zip(others, before, strict=True))
            machines.close()
        job, part = sum(workers) / jobs, max(own, scheduler) / jobs
        each = f"{job:.2f} s | {1000 * own / jobs:.1f} ms | {1000 * scheduler / jobs:.1f} ms | {job / part:,.0f}"
        print(f"| {command} | {jobs} | {each} |", flush=True)


def started(folder: Path) -> Machines:
    """A scheduler and two workers of one thread."""
    machines = Machines(folder)
    machines.add_worker()
    machines.add_worker()
    machines.wait_for(2)
    return machines


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "feed"))
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=f"of {', '.join(COMMANDS)}; default: all")
    arguments = parser.parse_args()
    print(heading(f"Workers: {arguments.what}", open_backend("cpu:1")))
    {"speed": speed, "feed": feed}[arguments.what](arguments.commands or list(COMMANDS))
