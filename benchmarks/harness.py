"""Timing things beside one another, and saying on what machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from gpusolve.backend import Backend


@dataclass(frozen=True)
class Row:
    """One line of a benchmark's table: what ran, its median seconds, how much that is, and beside what."""

    name: str
    seconds: float
    rate: str
    ratio: str = ""


@dataclass(frozen=True)
class Work:
    """A call that a GPU and a CPU both make for the report of `make gpu`; `run` returns how many `unit` it has done.

    `goal` is what it should take on a large GPU.
    """

    run: Callable[[], int]
    unit: str
    goal: str = ""


def side_by_side(runs: Mapping[str, Callable[[], object]], backend: Backend, rounds: int = 7) -> dict[str, list[float]]:
    """Seconds of each run in each round. The runs take turns, so that a machine that slows down slows all of them.

    On CUDA the time is the device's own, by events around the run; elsewhere the wall clock's. The first round is a
    warm-up and not counted.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds + 1):
        for name, run in runs.items():
            backend.synchronize()
            seconds[name].append(backend.timed(run))
    return {name: values[1:] for name, values in seconds.items()}


def ratio(seconds: Mapping[str, list[float]], name: str, beside: str) -> float:
    """How many times longer `name` takes than `beside`: the median over the rounds of the ratio within a round."""
    return median(a / b for a, b in zip(seconds[name], seconds[beside], strict=True))


def heading(title: str, backend: Backend) -> str:
    """Title, machine, device, commit and date, as Markdown."""
    dirty = _git("status", "--porcelain", "../src", "../kernels")
    commit = (_git("rev-parse", "--short", "HEAD") or "unknown") + (" and uncommitted changes" if dirty else "")
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"# {title}\n\n{processor()}, {os.cpu_count()} cores; {backend.about}; commit {commit}; {when}\n"


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | seconds | rate | beside |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {row.name} | {row.seconds:.6f} | {row.rate} | {row.ratio} |" for row in rows])


def _git(*arguments: str) -> str:
    """What git says, "" where there is no git or no repository."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip()


def processor() -> str:
    """What the CPU calls itself."""
    cpuinfo = Path("/proc/cpuinfo")
    for line in cpuinfo.read_text().splitlines() if cpuinfo.exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
