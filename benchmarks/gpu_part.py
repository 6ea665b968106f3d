"""A part of the report of `gpu.py` for one game, printed row by row as Markdown. `gpu.py` runs each in a process.

    python benchmarks/gpu_part.py about|verify|speed|cold [GAME] --device cuda --beside cpu --scale 1 --cpu-scale 0.01

Verification needs no library for tests: each kernel is launched on both devices with copies of the same arguments, and
all of its arrays are compared to the bit.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.backend import Backend, open_backend
from harness import Work, heading
from launches import ROUNDS, Launch, difference, longest, on_host, programs, seconds_alone, seconds_of, watched

COUNTS = Path(__file__).parent / "results" / "kernels.csv"
OPTIONAL = {"pyswarms": "tetris train", "matplotlib": "`--plot`", "hypothesis": "a part of the tests"}
LIBRARIES = ("cupy-cuda13x", "cupy-cuda12x", "numpy", "numba")
COPY = 1 << 30  # bytes
WORKSPACE = {
    "quordle.joint": ("judged", "scratch"),
    "quordle.joint_16": ("judged", "scratch"),
    "beam.claim": ("slots", "place"),
    "sliding.search": ("stacks",),
}
"""Arrays in which a kernel keeps something that depends on the device or on the order of the threads."""
KEPT = 1 << 30  # bytes of arguments that are kept of a game's launches
MOST_LAUNCHES = 8  # of each kernel that are compared


def main() -> int:
    """Print the rows; return 1 if any of them is a failure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("game", nargs="?", default="")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--beside", default="cpu", help="the CPU to compare with")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the work on the GPU")
    parser.add_argument("--cpu-scale", type=float, default=0.01, help="the same for what both devices do")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="number of times that everything is measured")
    given = parser.parse_args()
    failed = 0
    for line in PARTS[given.part](given):
        failed += "failed: " in line
        print(line, flush=True)
    return int(failed > 0)


def about(given: argparse.Namespace) -> Iterator[str]:
    """Yield the machine, the libraries, and the limits of the card: by its attributes, and measured by a copy."""
    backend = open_backend(given.device)
    yield heading("GPU report: `make gpu`", backend)
    found = [f"Python {sys.version.split()[0]}"]
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    missing = [f"{name} ({what})" for name, what in OPTIONAL.items() if find_spec(name) is None]
    yield ", ".join(found) + "." + (f" Missing: {', '.join(missing)}." if missing else "") + "\n"
    device = backend.xp.cuda.Device()
    attributes = device.attributes
    bandwidth = 2 * attributes["MemoryClockRate"] * 1e3 * attributes["GlobalMemoryBusWidth"] / 8
    there, copy = (backend.empty(max(1 << 16, round(COPY * given.scale)), np.uint8) for _ in range(2))

    def duplicate() -> None:
        copy[...] = there

    duplicate()
    copied = 2 * there.nbytes / min(backend.timed(duplicate) for _ in range(5))
    yield (
        f"The card: {attributes['MultiProcessorCount']} multiprocessors at {attributes['ClockRate'] / 1e6:.2f} GHz, "
        f"{attributes['L2CacheSize'] / 2**20:.0f} MiB of second-level cache, compute capability "
        f"{device.compute_capability}. A copy of {there.nbytes / 2**20:,.0f} MiB moves {copied / 1e12:.3f} TB/s, "
        f"{copied / bandwidth:.0%} of the {bandwidth / 1e12:.2f} TB/s by its attributes."
    )


# ---- verification ---------------------------------------------------------------------------------------------------


def verify(given: argparse.Namespace) -> Iterator[str]:
    """Yield a row for each kernel of a game, also for those that no call launches."""
    backend, beside = open_backend(given.device), open_backend(given.beside)
    launched, reason = _launches(given.game, beside, given.cpu_scale)
    if reason:
        yield _failed(given.game, reason)
    for name in [f"{program.name}.{kernel}" for program in programs(given.game) for kernel in program.kernels]:
        pairs = launched.get(name, [])
        different = "" if pairs else "failed: never launched"
        for before, after in pairs:
            try:
                found = _differences(backend, before, after)
            except Exception as error:  # the other kernels are still compared
                found = _words(error)
            if found:
                different = f"failed: {found}"
                break
        items = sum(before.count for before, _ in pairs)
        yield f"| {name} | {len(pairs)} | {items:,} | {different or 'equal'} |"


def _launches(game: str, cpu: Backend, scale: float) -> tuple[dict[str, list[tuple[Launch, Launch]]], str]:
    """Run a game's calls on the CPU. Return launches of each kernel before and after they ran, and why a call failed.

    The launches number 1, 2, 4, 8 ... of each kernel are kept, as long as they are not too large.
    """
    kept: dict[str, list[tuple[Launch, Launch]]] = {}
    numbers: dict[str, int] = {}
    room = KEPT

    def see(launch: Launch, run: Callable[[], None]) -> None:
        nonlocal room
        number = numbers[launch.name] = numbers.get(launch.name, 0) + 1
        pairs = kept.setdefault(launch.name, [])
        wanted = launch.count and number & (number - 1) == 0 and len(pairs) < MOST_LAUNCHES
        if not wanted or (pairs and launch.bytes > room):
            run()
            return
        room -= launch.bytes
        before = launch.copied(launch.arrays)
        run()
        pairs.append((before, launch.copied(launch.written)))

    reason = ""
    with watched(cpu, see):
        try:
            for work in import_module(game).works(cpu, scale).values():
                work.run()
        except Exception as error:
            reason = _words(error)
    return kept, reason


def _differences(backend: Backend, before: Launch, after: Launch) -> str:
    """Launch a kernel with copies of the arguments on a device; return how its arrays differ from those of the CPU."""
    here = before.copied(before.arrays, backend.asarray)
    here = here.copied([n for n in here.arrays if here.arguments[n] is before.arguments[n]])  # a CPU copies nothing
    here.run(backend)
    for number in here.arrays:
        if here.parameter(number) in WORKSPACE.get(before.name, ()):
            continue
        expected = after if number in before.written else before  # what is only read must stay as it was
        if found := difference(backend.to_host(here.arguments[number]), expected.arguments[number]):
            return f"{here.parameter(number)}, {here.count:,} items: {found}"
    return ""


# ---- speed ----------------------------------------------------------------------------------------------------------


def speed(given: argparse.Namespace) -> Iterator[str]:
    """Yield three tables of a game: its calls, the kernels that they launch, and both devices side by side."""
    backend, beside = open_backend(given.device), open_backend(given.beside)
    module = import_module(given.game)
    yield f"### {given.game}\n\n| call | {backend.name}, s | rate | goal |\n|---|---|---|---|"
    rates: dict[int, float] = {}
    try:
        works: dict[str, Work] = module.works(backend, given.scale)
    except Exception as error:
        yield _failed(given.game, _words(error))
        works = {}
    for number, (name, work) in enumerate(works.items()):
        try:
            items = work.items(work.run())  # also compiles
            seconds = seconds_of(backend, work.run, given.rounds)
        except Exception as error:
            yield _failed(name, _words(error))
            continue
        rates[number] = items / seconds
        yield f"| {name} | {seconds:.6f} | {_short(items / seconds)}{work.unit}/s | {work.goal} |"
    yield "\n| kernel | launches | items | s | items/s | estimated limit | of the limit |"
    yield "|---|---|---|---|---|---|---|"
    yield from _kernel_rows(backend, works, given.rounds)
    size = f"{given.cpu_scale:g} of the size"
    yield f"\n| call, {size} | results | {backend.name}, s | {beside.name}, s | ratio of the rates |"
    yield "|---|---|---|---|---|"
    try:
        ours, theirs = (module.works(device, given.cpu_scale) for device in (backend, beside))
    except Exception as error:
        yield _failed(given.game, _words(error))
        return
    for number, (name, mine) in enumerate(ours.items()):
        both = {backend: mine, beside: [*theirs.values()][number]}
        yield _beside_row(name, both, rates.get(number), given.rounds)


def _kernel_rows(backend: Backend, works: dict[str, Work], rounds: int) -> Iterator[str]:
    """Yield a row for each kernel: its longest launch, repeated on restored arguments."""
    limits, shown = _limits(), set()
    for name, work in works.items():
        try:
            with longest(backend) as found:
                work.run()
        except Exception as error:
            yield _failed(f"kernels of {name}", _words(error))
            continue
        for kernel, launch in found.launch.items():
            if kernel in shown:
                continue
            shown.add(kernel)
            try:
                seconds = seconds_alone(backend, launch, rounds)
            except Exception as error:
                yield _failed(kernel, _words(error))
                continue
            rate, limit = launch.count / seconds, limits.get(kernel)
            share = f"{_short(limit)} | {rate / limit:.1%}" if limit else " | "
            cells = [kernel, f"{found.launches[kernel]:,}", f"{launch.count:,}", f"{seconds:.7f}", _short(rate), share]
            yield f"| {' | '.join(cells)} |"


def _beside_row(name: str, works: dict[Backend, Work], rate: float | None, rounds: int) -> str:
    """Compare the results of a call on both devices, and the rates: the GPU's is that of the whole size."""
    try:
        results = [(device, work.run()) for device, work in works.items()]
        different = difference(*(on_host(device, result) for device, result in results))
        there, here = (seconds_of(device, work.run, rounds) for device, work in works.items())
        items = next(iter(works.values())).items(results[0][1])
    except Exception as error:
        return _failed(name, _words(error))
    ratio = f"{(rate or items / there) / (items / here):.2f}"
    return f"| {name} | {f'failed: {different}' if different else 'equal'} | {there:.6f} | {here:.6f} | {ratio} |"


def _limits() -> dict[str, float]:
    """Return the items per second that `estimate.py` expects of each kernel at most."""
    if not COUNTS.exists():
        return {}
    with COUNTS.open(encoding="utf-8", newline="") as file:
        return {row["kernel"]: float(row["items/s"]) for row in csv.DictReader(file) if row.get("items/s")}


# ---- cold start -----------------------------------------------------------------------------------------------------


def cold(given: argparse.Namespace) -> Iterator[str]:
    """Yield how long a new process takes until each program is compiled."""
    begin = time.perf_counter()

    def lap(name: str) -> str:
        nonlocal begin
        seconds, begin = time.perf_counter() - begin, time.perf_counter()
        return f"| {name} | {seconds:.3f} |"

    import_module("cupy")
    yield lap("import cupy")
    backend: Any = open_backend(given.device)
    yield lap("open the device, compile and run the probe")
    for game in games():
        found = programs(game)
        yield lap(f"import the kernels of {game}")
        for program in found:
            backend._function(program, next(iter(program.kernels)))
            yield lap(f"compile {program.source.name}")


def games() -> list[str]:
    """Return the games with a benchmark for a GPU."""
    files = Path(__file__).parent.glob("*.py")
    return sorted(path.stem for path in files if "\ndef works(" in path.read_text(encoding="utf-8"))


def _short(value: float) -> str:
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.1f} {unit} ".rstrip() + " "
    return f"{value:.1f} "


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def _failed(name: str, reason: str) -> str:
    return f"| {name} | failed: {reason} |"


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "about": about,
    "verify": verify,
    "speed": speed,
    "cold": cold,
}

if __name__ == "__main__":
    sys.exit(main())
