"""Measure a GPU and write one Markdown report: tests, cold start, and the speed of all games beside the CPU.

    PYTHONPATH=src python benchmarks/gpu.py [--device cuda[:n]] [--out FILE] [--scale S] [GAME ...]

It needs CuPy, Numba, pytest, Typer and Rich. Parts that need more are left out, and the report says so. The file is
written after each step, so that a later failure loses nothing.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import GpusolveError
from harness import Work, heading
from launches import LONG, Launch, launches, seconds_of

HERE = Path(__file__).parent
OUT = HERE / "results" / "gpu.md"
COUNTS = HERE / "results" / "kernels.csv"
OPTIONAL = {
    "pyswarms": "tetris train",
    "matplotlib": "`--plot`",
    "hypothesis": "most tests of kernels",
}
LIBRARIES = ("cupy-cuda13x", "cupy-cuda12x", "numpy", "numba")
INTEGERS = {"80": 64, "86": 64, "89": 64, "90": 64, "100": 64, "120": 128}
"""Compute capability -> 32-bit integer operations per clock of a multiprocessor (CUDA C++ Programming Guide)."""
COPY = 1 << 30  # bytes
ROUNDS = 5
BESIDE_ROUNDS = 3

COLD = """
import json, sys, time
begin = time.perf_counter()
times = {}
def lap(name):
    global begin
    now = time.perf_counter()
    times[name] = now - begin
    begin = now
import cupy
lap("import cupy")
from gpusolve.backend import open_backend
backend = open_backend(sys.argv[1])
lap("open the device, compile and run the probe")
from importlib import import_module
for room in sys.argv[2:]:
    program = import_module(room).PROGRAM
    lap("import " + room)
    backend._function(program, next(iter(program.kernels)))
    lap("compile " + program.source.name)
print(json.dumps(times))
"""


class Report:
    """A Markdown file that grows section by section."""

    def __init__(self, path: Path, title: str) -> None:
        self.path = path
        self.text = title

    def add(self, text: str) -> None:
        """Add a paragraph and write the file."""
        self.text += f"\n{text}\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text, encoding="utf-8")
        print(text, flush=True)


def main() -> int:
    """Write the report; return 1 if something in it failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--beside", default="cpu", help="the CPU to compare with")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the work; 1 suits a large GPU")
    parser.add_argument("--tests", nargs="*", default=["tests", "src"], help="tests to run; without a value, none")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"one or more of {', '.join(games())} (default: all)")
    given = parser.parse_args()
    if unknown := set(given.games) - set(games()):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(games())}")
    try:
        backend, beside = open_backend(given.device), open_backend(given.beside)
    except GpusolveError as error:
        parser.error(str(error))
    report = Report(given.out, heading("GPU report: `make gpu`", backend))
    card = Card(backend)
    report.add(libraries())
    report.add(card.text(given.scale))
    failed = run_tests(report, given.device, given.tests) if given.tests else 0
    report.add(cold_start(given.device))
    failed += speed(report, backend, beside, card, given.scale, given.games or games())
    return int(failed > 0)


def libraries() -> str:
    """Return the versions of the libraries, and the missing ones."""
    found = [f"Python {sys.version.split()[0]}"]
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    missing = [f"{name} ({what})" for name, what in OPTIONAL.items() if find_spec(name) is None]
    return ", ".join(found) + "." + (f" Missing, so these parts are left out: {', '.join(missing)}." if missing else "")


class Card:
    """The limits of a GPU: by its attributes, and measured by a copy."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        device = backend.xp.cuda.Device()
        self.attributes = device.attributes
        self.capability = device.compute_capability
        clock = self.attributes["ClockRate"] * 1e3
        self.integers = self.attributes["MultiProcessorCount"] * INTEGERS.get(self.capability, 64) * clock
        """32-bit integer operations per second."""
        self.bandwidth = 2 * self.attributes["MemoryClockRate"] * 1e3 * self.attributes["GlobalMemoryBusWidth"] / 8
        """Bytes per second."""

    def text(self, scale: float) -> str:
        """Return a description of the limits."""
        there, copy = (self.backend.empty(max(1 << 16, round(COPY * scale)), "uint8") for _ in range(2))

        def duplicate() -> None:
            copy[...] = there

        copied = 2 * there.nbytes / seconds_of(self.backend, duplicate, ROUNDS)
        return (
            f"The card: {self.attributes['MultiProcessorCount']} multiprocessors at "
            f"{self.attributes['ClockRate'] / 1e6:.2f} GHz, {self.attributes['L2CacheSize'] / 2**20:.0f} MiB of "
            f"second-level cache, compute capability {self.capability}. Its limits by these attributes: "
            f"{self.bandwidth / 1e12:.2f} TB/s of memory, {self.integers / 1e12:.2f} T integer operations/s. "
            f"A copy of {there.nbytes / 2**20:,.0f} MiB moves {copied / 1e12:.3f} TB/s, "
            f"{copied / self.bandwidth:.0%} of the first."
        )


def run_tests(report: Report, device: str, tests: list[str]) -> int:
    """Run all tests that take a device on this one; return whether they failed."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "--quiet", "--device", device.partition(":")[0]]
    done = subprocess.run(
        [*command, "-W", "default", "-p", "no:cacheprovider", *tests],
        cwd=HERE.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "SKIPPED"))]
    last = done.stdout.splitlines()[-1] if done.stdout.strip() else done.stderr[-500:]
    details = "".join(f"\n    {line}" for line in lines)
    report.add(
        f"## Tests\n\n`pytest --device {device}`: {last} ({time.perf_counter() - begin:.0f} s in all)\n{details}"
    )
    return done.returncode


def cold_start(device: str) -> str:
    """Time the start of a new process, without and with the compiled kernels of an earlier one."""
    rooms = [f"gpusolve.games.{game}.kernels" for game in games()]
    laps = []
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", COLD, device, *rooms],
                env=os.environ | {"CUPY_CACHE_DIR": cache}, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                return f"## Cold start\n\nfailed: {done.stderr.strip().splitlines()[-1]}"
            laps.append(json.loads(done.stdout))
    cold, warm = laps
    rows = [f"| {name} | {seconds:.3f} | {warm[name]:.3f} |" for name, seconds in cold.items()]
    rows.append(f"| in all | {sum(cold.values()):.3f} | {sum(warm.values()):.3f} |")
    head = "| what a new process does | seconds | seconds, compiled before |\n|---|---|---|"
    return "\n".join(["## Cold start", "", head, *rows])


def games() -> list[str]:
    """Return the games with a benchmark for a GPU."""
    return sorted(path.stem for path in HERE.glob("*.py") if "\ndef works(" in path.read_text(encoding="utf-8"))


def speed(report: Report, backend: Backend, beside: Backend, card: Card, scale: float, chosen: list[str]) -> int:
    """Measure the calls of every game and the kernels that they launch; return the number of failures."""
    report.add(
        f"## Speed\n\nThe same calls on both devices, {backend.about} and {beside.about}: warm medians, including "
        "copies between host and device. Below them is each kernel alone, in its largest launch: *memory* is the share "
        "of the card's bandwidth if each array is read or written once, and *integers* the share of its integer "
        f"operations that the kernel's instructions use, if {COUNTS.name} has counted them."
    )
    failed = 0
    for game in chosen:
        with launches(backend) as on_gpu, launches(beside) as on_cpu:
            lines = [*call_rows(game, backend, beside, scale)]
        lines += ["", *kernel_rows(on_gpu, on_cpu, backend, beside, card)]
        failed += sum("failed: " in line for line in lines)
        report.add(f"### {game}\n\n" + "\n".join(lines))
    return failed


def call_rows(game: str, backend: Backend, beside: Backend, scale: float) -> Iterator[str]:
    """Yield the table of a game's calls. A failure shows its reason, and the other calls are still measured."""
    yield f"| call | {backend.name}, s | rate | {beside.name}, s | speedup | goal |"
    yield "|---|---|---|---|---|---|"
    module = import_module(game)
    try:
        works: dict[str, Work] = module.works(backend, scale)
        same: dict[str, Work] = module.works(beside, scale)
    except Exception as error:
        yield _failed(game, error)
        return
    for name, work in works.items():
        try:
            items = work.run()  # also compiles
            there = seconds_of(backend, work.run, ROUNDS)
            items_here = same[name].run()
            here = seconds_of(beside, same[name].run, BESIDE_ROUNDS)
        except Exception as error:
            yield _failed(name, error)
            continue
        doubt = "" if items == items_here else f" (but {items_here:,} {work.unit})"
        yield (
            f"| {name} | {there:.6f} | {_rate(items / there)} {work.unit}/s | {here:.6f}{doubt} "
            f"| {here / there * items / items_here:.2f} | {work.goal} |"
        )


def kernel_rows(
    on_gpu: dict[str, Launch], on_cpu: dict[str, Launch], backend: Backend, beside: Backend, card: Card
) -> Iterator[str]:
    """Yield the table of the kernels."""
    yield f"| kernel | items | s | items/s | memory | integers | {beside.name}, s |\n|---|---|---|---|---|---|---|"
    counts = instructions()
    for name, launch in on_gpu.items():
        try:
            there = seconds_of(backend, partial(launch.again, backend), ROUNDS)
            same = on_cpu.get(name)
            here = seconds_of(beside, partial(same.again, beside), 1) * launch.count / same.count if same else None
        except Exception as error:
            yield _failed(name, error)
            continue
        memory = launch.bytes / there / card.bandwidth
        integers = f"{counts[name] * launch.count / there / card.integers:.0%}" if name in counts else ""
        beside_text = "" if here is None else f"{here:.6f}"
        yield (
            f"| {name} | {launch.count:,} | {there:.6f} | {_rate(launch.count / there)} | {memory:.0%} | {integers} "
            f"| {beside_text} |"
        )
    if on_gpu:
        name, launch = min(on_gpu.items(), key=lambda entry: entry[1].count)
        took = _launch_time(backend, launch)
        yield f"\nThe host takes {took:.1f} µs for a launch of {name} with {launch.count:,} items."


def _launch_time(backend: Backend, launch: Launch) -> float:
    """Return the microseconds that the host needs for one launch."""
    backend.synchronize()
    begin, times = time.perf_counter(), 0
    while times < 100 and time.perf_counter() - begin < LONG:
        launch.again(backend)
        times += 1
    return (time.perf_counter() - begin) / times * 1e6


def instructions() -> dict[str, float]:
    """Return the counted instructions per item of each kernel."""
    if not COUNTS.exists():
        return {}
    with COUNTS.open(encoding="utf-8", newline="") as file:
        return {row["kernel"]: float(row["instructions"]) for row in csv.DictReader(file) if row["instructions"]}


def _rate(per_second: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if per_second >= size:
            return f"{per_second / size:.1f} {unit}"
    return f"{per_second:.1f}"


def _failed(name: str, error: Exception) -> str:
    words = " ".join(str(error).split())[:300]
    return f"| {name} | failed: {type(error).__name__}: {words} |"


if __name__ == "__main__":
    sys.exit(main())
