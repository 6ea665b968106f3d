"""Time functions side by side, and describe the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from gpusolve.backend import Backend


@dataclass(frozen=True)
class Row:
    """A row of a benchmark's table: what ran, its median seconds, its rate, and the ratio to something else."""

    name: str
    seconds: float
    rate: str
    ratio: str = ""


@dataclass(frozen=True)
class Work:
    """A call for the report of `make gpu`, made on a GPU and on a CPU.

    `run` returns the result, which is the same on every device; `items` returns the number of `unit` that led to it.
    `goal` is the target on a large GPU.
    """

    run: Callable[[], Any]
    items: Callable[[Any], int]
    unit: str
    goal: str = ""


def side_by_side(runs: Mapping[str, Callable[[], object]], backend: Backend, rounds: int = 7) -> dict[str, list[float]]:
    """Time each run in each round, in seconds. The runs take turns, so a slowdown of the machine affects all of them.

    On CUDA the device measures the time, with events around the run; on a CPU it is wall-clock time. The first round is
    a warm-up and is not counted.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds + 1):
        for name, run in runs.items():
            backend.synchronize()
            seconds[name].append(backend.timed(run))
    return {name: values[1:] for name, values in seconds.items()}


def ratio(seconds: Mapping[str, list[float]], name: str, beside: str) -> float:
    """Return how many times longer `name` takes than `beside`: the median of the ratios within each round."""
    return median(a / b for a, b in zip(seconds[name], seconds[beside], strict=True))


def heading(title: str, backend: Backend) -> str:
    """Return the title, machine, device, commit and date as Markdown."""
    dirty = _git("status", "--porcelain", "../src", "../kernels")
    commit = (_git("rev-parse", "--short", "HEAD") or "unknown") + (" and uncommitted changes" if dirty else "")
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"# {title}\n\n{processor()}, {os.cpu_count()} cores; {backend.about}; commit {commit}; {when}\n"


def table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| what | seconds | rate | compared with |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {row.name} | {row.seconds:.6f} | {row.rate} | {row.ratio} |" for row in rows])


def _git(*arguments: str) -> str:
    """Return git's output, or "" without git or a repository."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip()


def processor() -> str:
    """Return the model name of the CPU."""
    cpuinfo = Path("/proc/cpuinfo")
    for line in cpuinfo.read_text().splitlines() if cpuinfo.exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
