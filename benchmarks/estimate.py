"""Estimate the speed of every kernel on a GPU without having one, from the code that NVIDIA's compiler makes.

    python benchmarks/estimate.py    # writes benchmarks/results/kernels.md and kernels.csv; takes some minutes

Each call of the benchmarks runs on the CPU; the kernels that it launches run again as PTX (`ptx`), which counts
instructions and bytes. Registers and shared memory come from the compiler's report.
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from gpu import games
from gpusolve.backend import open_backend
from gpusolve.testing import nvrtc
from harness import Work
from launches import Launch, launches
from ptx import Counted, Counting

RESULTS = Path(__file__).with_name("results")
ARCH = "sm_90"
SCALE = 0.01
ENOUGH = 1.0  # seconds for which a kernel is counted

# Limits of an H200.
MULTIPROCESSORS = 132
CLOCK = 1.98e9
ISSUED = 4 * 32  # thread instructions per clock of a multiprocessor: four schedulers, one warp each
MEMORY = 4.3e12  # bytes/s moved by a copy
CACHE = 5.5e12  # bytes/s from the L2 cache, from published microbenchmarks of the H100
BLOCKS, WARPS, REGISTERS, SHARED = 32, 64, 65536, 227 << 10  # per multiprocessor
BLOCK = 256
OWN_SHARED = 1 << 10  # bytes of shared memory that each block uses in addition


HEAD = f"""# An estimate of every kernel on an H200

Nothing here was measured on a GPU. Registers and shared memory are from NVIDIA's compiler for sm_90, with blocks of
{BLOCK} threads. Instructions and bytes were counted by running the compiler's PTX on a CPU, with the arguments of the
calls in `benchmarks/<game>.py` at a hundredth of their size. The counts were then scaled to the machine instructions
that the compiler makes of the PTX. A lane that waits for other lanes of its warp counts, too. *Requested* are the
bytes that warps request from the caches, in sectors of 32; *memory* are the bytes that must come from or go to memory
if the caches keep everything else. The maximum rate is the lowest of three limits: {MULTIPROCESSORS} multiprocessors
that issue {ISSUED} thread instructions per clock at {CLOCK / 1e9} GHz, {MEMORY / 1e12} TB/s of memory, and {
    CACHE / 1e12
} TB/s of second-level cache, although the first-level cache may serve a part of the requests. Kernels reach about
half of that rate, because they wait for memory and barriers, and because integer instructions are issued at half the
rate. Batches that do not fill the card reach less. Each kernel is listed with the first call that launches it. `make
estimate` writes this file.

| kernel | call | registers | shared, bytes | occupancy | instructions | requested | memory | limit | maximum rate |
|---|---|---|---|---|---|---|---|---|---|"""


@dataclass(frozen=True)
class Estimate:
    """The estimate of a kernel in a call. Instructions and bytes (`asked`: from caches) are per unit of the call."""

    call: str
    kernel: str
    unit: str
    registers: int
    shared: int
    occupancy: float
    instructions: float
    asked: float
    memory: float
    per_item: float
    """Instructions of an item of the kernel."""

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds per unit by each limit."""
        return {
            "instructions": self.instructions / (MULTIPROCESSORS * ISSUED * CLOCK),
            "memory": self.memory / MEMORY,
            "cache": self.asked / CACHE,
        }

    @property
    def limit(self) -> str:
        """The limit that takes longest."""
        return max(self.seconds, key=self.seconds.__getitem__)


def occupancy(used: nvrtc.Resources) -> float:
    """Return the share of a multiprocessor's warps that registers and shared memory allow."""
    by_registers = REGISTERS // (-(-used.registers // 8) * 8 * BLOCK)
    by_shared = SHARED // (used.shared + OWN_SHARED)
    return min(BLOCKS, WARPS * 32 // BLOCK, by_registers, by_shared) * (BLOCK // 32) / WARPS


def estimates(game: str) -> list[Estimate]:
    """Estimate every kernel that the calls of a game launch, with the first call that launches it."""
    cpu = open_backend("cpu")
    program = import_module(f"gpusolve.games.{game}.kernels").PROGRAM
    used = nvrtc.compile(program.text, program.source.name, ARCH)
    counting = Counting(program, ARCH)
    works: dict[str, Work] = import_module(game).works(cpu, SCALE)
    found: dict[str, Estimate] = {}
    for call, work in works.items():
        with launches(cpu) as launched:
            units = work.run()
        for launch in launched.values():
            if launch.name in found:
                continue
            counted, count = _counted(counting, launch)
            per_unit = launched.counts[launch.name] / count / units
            once = min(counted.read, launch.bytes * count / launch.count)  # repeated reads come from a cache
            found[launch.name] = Estimate(
                call, launch.name, work.unit, used[launch.kernel].registers, used[launch.kernel].shared,
                occupancy(used[launch.kernel]), counted.instructions * per_unit,
                32 * counted.sectors * per_unit, (once + counted.written) * per_unit,
                counted.instructions / count,
            )  # fmt: skip
            print(found[launch.name], flush=True)
    return list(found.values())


def _counted(counting: Counting, launch: Launch) -> tuple[Counted, int]:
    """Count the first items of a launch, doubling their number until that takes ENOUGH time; return both."""
    count = min(launch.count, 8)
    while True:
        begin = time.perf_counter()
        counted = counting.run(launch.kernel, count, launch.arguments)
        if count == launch.count or time.perf_counter() - begin > ENOUGH:
            return counted, count
        count = min(launch.count, 2 * count)


def table(found: list[Estimate]) -> str:
    """Return the table as Markdown."""
    lines = [HEAD]
    for one in found:
        cells = [
            one.kernel, one.call, str(one.registers), f"{one.shared:,}", f"{one.occupancy:.0%}",
            f"{_short(one.instructions)} / {one.unit[:-1]}", _short(one.asked), _short(one.memory), one.limit,
            f"{_short(1 / max(one.seconds.values()))} {one.unit}/s",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _short(value: float) -> str:
    for letter, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def main() -> None:
    """Write the table, and the instructions per item for the report of `make gpu`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the results")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"one or more of {', '.join(games())} (default: all)")
    given = parser.parse_args()
    found = [one for game in given.games or games() for one in estimates(game)]
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "kernels.md").write_text(table(found), encoding="utf-8")
    with (given.out / "kernels.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["kernel", "instructions"])
        rows.writerows([one.kernel, round(one.per_item, 1)] for one in found)


if __name__ == "__main__":
    main()
