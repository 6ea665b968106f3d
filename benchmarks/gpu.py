"""Verify and measure a GPU: every kernel against the CPU, the speed of all games, the tests of kernels, the cold start.

    PYTHONPATH=src python benchmarks/gpu.py [--part PART ...] [--games GAME ...] [--out FOLDER] [--limit SECONDS] ...

It needs CuPy, Numba, NumPy, Typer and Rich, and pytest for the part `tests`. Each part has a file ``gpu-<part>.md`` in
the folder `--out`, written row by row as soon as a row is measured, so that an end at any moment loses nothing. Each
game of a part runs in its own process with its own limit, so that a kernel that hangs or crashes stops only itself.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
PARTS = {"verify": 0.31, "speed": 0.38, "tests": 0.2, "cold": 0.11}
"""The parts by value, the most valuable first -> share of the time. What a part leaves over, the next ones get."""
GAMES = ("wordle", "tetris", "sliding", "queuedle", "quiddler", "qless", "quordle", "search")
LIMIT = 570.0  # seconds
HEADS = {
    "verify": "## Every kernel on both devices\n\n| kernel | launches | items | results |\n|---|---|---|---|",
    "speed": (
        "## Speed\n\nCalls are timed warm, with the copies between host and device. A kernel is timed in its longest "
        "launch, again and again on restored arguments. The estimated limit is that of kernels.md, for an H200."
    ),
    "tests": "## Tests of kernels",
    "cold": "## Cold start\n\n| what a new process does | seconds |\n|---|---|",
}


@dataclass
class Report:
    """A Markdown file made of blocks, written again after each line."""

    path: Path
    blocks: dict[str, list[str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, block: str, line: str, *, instead: bool = False) -> None:
        """Add a line to the end of a block, or let it replace the block's last line."""
        with self.lock:
            lines = self.blocks.setdefault(block, [])
            if instead and lines:
                lines.pop()
            lines.append(line)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text("\n".join(line for block in self.blocks.values() for line in block) + "\n", "utf-8")
        if not instead:
            print(line, flush=True)


def main() -> int:
    """Write the reports; return the exit code: 1 if something failed, 4 without a device."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES, metavar="GAME")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--beside", default="cpu", help="the CPU to compare with")
    parser.add_argument("--out", type=Path, default=HERE / "results", help="folder of the reports")
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"seconds for everything (default: {LIMIT:.0f})")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the work; 1 suits a large GPU")
    parser.add_argument("--cpu-scale", type=float, default=0.01, help="fraction of the work that the CPU does, too")
    parser.add_argument("--rounds", type=int, default=5, help="number of times that everything is measured")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2), help="games verified at once")
    parser.add_argument("--tests", nargs="+", help="files of tests; by default all that test kernels")
    given = parser.parse_args()
    options = ["--device", given.device, "--beside", given.beside]
    options += ["--scale", str(given.scale), "--cpu-scale", str(given.cpu_scale), "--rounds", str(given.rounds)]
    begin, share, failed = time.monotonic(), 0.0, 0
    about = Report(given.out / "gpu.md")
    if not run(about, "about", [*_part("about"), *options], begin + given.limit):
        return 4
    for part in (part for part in PARTS if part in given.part):
        share += PARTS[part] / sum(PARTS[name] for name in given.part)
        report = Report(given.out / f"gpu-{part}.md")
        report.add("", HEADS[part])
        for line in PART_FUNCTIONS[part](report, given, options, begin + share * given.limit):
            failed += 1
            report.add("end", line)
        about.add("parts", f"{part}: {time.monotonic() - begin:.0f} s after the start")
    return int(failed > 0)


def run(
    report: Report, block: str, command: list[str], deadline: float, environment: dict[str, str] | None = None
) -> bool:
    """Run a command and add its lines to a block as they come; end it at the deadline. Return whether it succeeded."""
    errors: list[str] = []
    late = threading.Event()
    with subprocess.Popen(
        command, cwd=HERE.parent, env=os.environ | (environment or {}), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        reader = threading.Thread(target=errors.extend, args=[process.stderr])
        reader.start()

        def end() -> None:
            late.set()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # also what it has started

        timer = threading.Timer(max(1.0, deadline - time.monotonic()), end)
        timer.start()
        try:
            for line in process.stdout:
                report.add(block, line.rstrip("\n"))
        finally:
            process.wait()
            timer.cancel()
            reader.join()
    if late.is_set():
        report.add(block, f"\n{block}: stopped at its limit\n")
    elif process.returncode and not any("failed: " in line for line in report.blocks.get(block, [])):
        report.add(block, f"\n{block}: ended with {process.returncode}: {''.join(errors[-3:]).strip()}\n")
    return process.returncode == 0


def verify(report: Report, given: argparse.Namespace, options: list[str], deadline: float) -> Iterator[str]:
    """Compare the kernels of several games at once; yield the games that failed.

    `jobs` games run side by side, and each such group has its share of the time.
    """
    begin, groups = time.monotonic(), -(-len(given.games) // given.jobs)
    with ThreadPoolExecutor(given.jobs) as pool:
        runs = {}
        for number, game in enumerate(given.games):
            until = begin + (deadline - begin) * (number // given.jobs + 1) / groups
            runs[game] = pool.submit(run, report, game, [*_part("verify", game), *options], until)
        for game, future in runs.items():
            if not future.result():
                yield f"\n{game}: not verified"


def speed(report: Report, given: argparse.Namespace, options: list[str], deadline: float) -> Iterator[str]:
    """Measure one game after another; yield the games in which something failed."""
    begin = time.monotonic()
    for number, game in enumerate(given.games, 1):
        until = begin + (deadline - begin) * number / len(given.games)
        if not run(report, game, [*_part("speed", game), *options], until):
            yield f"\n{game}: not complete"


def tests(report: Report, given: argparse.Namespace, options: list[str], deadline: float) -> Iterator[str]:
    """Run the tests that take a device on this one. All but those that pass are listed."""
    files = given.tests or test_files(given.games)
    command = [sys.executable, "-m", "pytest", "-v", "-rsfE", "-o", "addopts=", "-p", "gpusolve.testing.plugin"]
    command += ["--import-mode=importlib", "-m", "not slow and not thorough", "-W", "default", "-p", "no:cacheprovider"]
    command += ["--device", given.device.partition(":")[0], *files]
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # a plugin that we do not know could change anything
    counts = dict.fromkeys(("PASSED", "FAILED", "SKIPPED", "ERROR"), 0)

    class Counted(Report):
        def add(self, block: str, line: str, *, instead: bool = False) -> None:
            outcome = re.match(r"\S.*::.* (PASSED|FAILED|SKIPPED|ERROR)\b", line)
            if outcome:
                counts[outcome[1]] += 1
                text = ", ".join(f"{count} {name.lower()}" for name, count in counts.items() if count)
                super().add("counts", f"\n{text}\n", instead=True)
            if re.match(r"(FAILED|SKIPPED|ERROR|E  |=+ .* in )|\S*: (stopped|ended)", line.strip()):
                super().add(block, f"    {line.strip()}")

    if not run(Counted(report.path, report.blocks), "pytest", command, deadline, environment):
        yield "\nThe tests did not pass."


def cold(report: Report, given: argparse.Namespace, options: list[str], deadline: float) -> Iterator[str]:
    """Time the start of a new process, without and with the compiled kernels of an earlier one."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("compiling", "compiled before"):
            report.add(name, f"| **{name}** | |")
            if not run(report, name, [*_part("cold"), *options], deadline, {"CUPY_CACHE_DIR": folder}):
                yield f"\n{name}: not complete"


def test_files(games: list[str]) -> list[str]:
    """Return the files with tests that take a device: those of the games, of the backends and of the searches."""
    tests = HERE.parent / "tests"
    files = [*tests.glob("backend/test_*.py"), *tests.glob("search/test_*.py")]
    files += [path for game in games for path in tests.glob(f"games/{game}/**/test_*.py")]
    takes_device = re.compile(r"^def \w+\([^)]*\bbackend: ", re.MULTILINE)
    return [str(path.relative_to(HERE.parent)) for path in files if takes_device.search(path.read_text("utf-8"))]


def _part(*arguments: str) -> list[str]:
    return [sys.executable, str(HERE / "gpu_part.py"), *arguments]


PART_FUNCTIONS = {"verify": verify, "speed": speed, "tests": tests, "cold": cold}

if __name__ == "__main__":
    sys.exit(main())
