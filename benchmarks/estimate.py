"""Estimate the speed of every kernel on a GPU without having one, from the code that NVIDIA's compiler makes.

    python benchmarks/estimate.py    # writes benchmarks/results/kernels.md and kernels.csv; takes some minutes
    python benchmarks/estimate.py quiddler    # replaces the rows of a game

Each call of the benchmarks runs on the CPU; the kernels that it launches run again as PTX, and
`gpusolve.testing.counting` counts instructions and bytes. Registers and shared memory come from the compiler's report.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from gpu import GAMES
from gpusolve.backend import open_backend
from gpusolve.testing import nvrtc
from gpusolve.testing.counting import Counted, Counting
from gpusolve.testing.counting.machines import H200, keeps_local, occupancy
from gpusolve.testing.extent import Extent
from harness import Work
from launches import Launch, longest, programs

RESULTS = Path(__file__).with_name("results")
ARCH = "sm_90"
SCALES = {"wordle": 1.0}
"""Fraction of the work by game: where the size of an item depends on it, all of it."""
SCALE = 0.01  # of the other games
ENOUGH = 1.0  # seconds for which a kernel is counted

BLOCK = 256


HEAD = f"""# An estimate of every kernel on an H200

Nothing here was measured on a GPU. Registers and shared memory are from NVIDIA's compiler for sm_90 with CuPy's
options, with blocks of {BLOCK} threads. Instructions and bytes were counted by running the compiler's PTX on a CPU, for
the first items of the longest launch of each kernel in the calls of `benchmarks/<game>.py`. The calls have their full
size where the size of an item depends on it, and otherwise a hundredth. The counts were then scaled to the machine
instructions that the compiler makes of the PTX. A lane that waits for other lanes of its warp counts, too. *Requested*
are the bytes that warps request from the caches, in sectors of 32; *memory* are the bytes that must come from or go to
memory if the caches keep everything else.

The maximum rate is the lowest of nine limits. {H200.multiprocessors} multiprocessors at {H200.clock / 1e9} GHz issue
{H200.issued} thread instructions per clock, of these at most {H200.units["logic"]} for logic, shifts to the right,
comparisons and selections, {H200.units["products"]} for products of integers, {H200.units["bits"]} that count bits or
find the first (POPC, FLO) or reduce a warp, and {H200.units["exchange"]} for memory and shuffles. Memory transfers
{H200.memory / 1e12} TB/s, the second-level cache {H200.cache / 1e12} TB/s, although the first-level cache may serve a
part of the requests. A line of local memory has the same four bytes of all lanes, and the first-level cache takes one
per clock, so lanes at different depths of a stack need a clock each. An atomic operation on global memory is assumed
to take as long as the transfer of its sector, {H200.atomics / 1e9:.0f} G sectors/s. Nothing is published about it, so a
rate that is limited by `atomics` may be wrong by a factor of two. Where the local memory of all threads is larger than
the first-level cache, *requested* has its sectors. Kernels reach less, because they wait for memory and barriers, and
batches that do not fill the card reach still less. Each kernel is listed with the first call that launches it. `make
estimate` writes this file, except for what follows the table.

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
    atomics: float
    local: float
    units: dict[str, float]
    """Instructions of each of `translation.UNITS`, per unit of the call."""
    items: float
    """Items of the kernel per unit of the call."""

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds per unit by each limit."""
        return H200.seconds(self.instructions, self.units, self.memory, self.asked, self.atomics, self.local)

    @property
    def limit(self) -> str:
        """The limit that takes longest."""
        return max(self.seconds, key=self.seconds.__getitem__)


def estimates(game: str) -> list[Estimate]:
    """Estimate every kernel that the calls of a game launch, with the first call that launches it."""
    cpu = open_backend("cpu")
    compiled = {
        program: (nvrtc.compile(program.text, program.source.name, ARCH), Counting(program, ARCH))
        for program in programs(game)
    }
    works: dict[str, Work] = import_module(game).works(cpu, SCALES.get(game, SCALE))
    found: dict[str, Estimate] = {}
    for call, work in works.items():
        work.run()  # or the longest launch would be the one whose twin had to be compiled
        with longest(cpu) as launched:
            units = work.items(work.run())
        for launch in launched.launch.values():
            if launch.name in found or launch.program not in compiled:
                continue
            used, counting = compiled[launch.program]
            counted, count = _counted(counting, launch)
            per_unit = launched.items[launch.name] / count / units
            once = min(counted.read, launch.bytes * count / launch.count)  # repeated reads come from a cache
            resources = used[launch.kernel]
            share = occupancy(resources)
            misses = 0 if keeps_local(resources, share) else counted.local_sectors
            found[launch.name] = Estimate(
                call, launch.name, work.unit, resources.registers, resources.shared,
                share, counted.instructions * per_unit,
                32 * (counted.sectors + misses) * per_unit, (once + counted.written) * per_unit,
                counted.atomics * per_unit, counted.local_lines * per_unit if resources.stack else 0.0,
                {name: number * per_unit for name, number in counted.units.items()},
                launched.items[launch.name] / units,
            )  # fmt: skip
            print(found[launch.name], flush=True)
    return list(found.values())


def _counted(counting: Counting, launch: Launch) -> tuple[Counted, int]:
    """Count the first items of a launch, doubling their number until that takes ENOUGH time; return both."""
    kernel = launch.program.kernel(launch.kernel)
    count = min(launch.count, 32 if kernel.threads == 1 else 8)  # at least a whole warp
    while True:
        begin = time.perf_counter()
        counted = counting.run(launch.kernel, Extent.of_items(count, kernel), (0, count, *launch.arguments))
        if count == launch.count or time.perf_counter() - begin > ENOUGH:
            return counted, count
        count = min(launch.count, 2 * count)


def rows(found: list[Estimate]) -> list[str]:
    """Return the rows of the table as Markdown."""
    lines = []
    for one in found:
        unit = one.unit.replace("ies", "ys")[:-1]
        cells = [
            one.kernel, one.call, str(one.registers), f"{one.shared:,}", f"{one.occupancy:.0%}",
            f"{_short(one.instructions)} / {unit}", _short(one.asked), _short(one.memory), one.limit,
            f"{_short(1 / max(one.seconds.values()))} {one.unit}/s",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def merged(new: list[str], old: str, games: list[str], begin: str = "") -> list[str]:
    """Return the new rows, with the rows of an older table for all other games, in the order of the games."""
    parts = {game: [program.name for program in programs(game)] for game in GAMES}
    order = [name for names in parts.values() for name in names]
    again = {name for game in games for name in parts[game]}

    def name_of(line: str) -> str:
        return line.removeprefix(begin).split(".")[0]

    kept = [line for line in old.splitlines() if line.startswith(begin) and name_of(line) in {*order} - again]
    return sorted(kept + new, key=lambda line: order.index(name_of(line)))


def _short(value: float) -> str:
    for letter, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def main() -> None:
    """Write the table, and the items per second for the report of `make gpu`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for the results")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"one or more of {', '.join(GAMES)} (default: all)")
    given = parser.parse_args()
    games = given.games or list(GAMES)
    found = [one for game in games for one in estimates(game)]
    given.out.mkdir(parents=True, exist_ok=True)
    page, rates = given.out / "kernels.md", given.out / "kernels.csv"
    old = page.read_text(encoding="utf-8") if page.exists() else ""
    old, heading, notes = old.partition("\n## ")  # the notes have tables, too
    page.write_text("\n".join([HEAD, *merged(rows(found), old, games, "| "), ""]) + heading + notes, encoding="utf-8")
    old = rates.read_text(encoding="utf-8") if rates.exists() else ""
    speeds = [f"{one.kernel},{one.items / max(one.seconds.values()):.4g}" for one in found]
    rates.write_text("\n".join(["kernel,items/s", *merged(speeds, old, games), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
