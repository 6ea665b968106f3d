"""Profile a launch: run it in the emulation and, if NVIDIA's compiler is installed, as PTX, and add up by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.cuda import BLOCK
from gpusolve.backend.kernel import Kernel
from gpusolve.backend.program import Program
from gpusolve.testing import emulation, nvrtc
from gpusolve.testing.counting import Counting, Text
from gpusolve.testing.counting.machines import occupancy
from gpusolve.testing.extent import Extent
from gpusolve.testing.profiling.parts import Array, Line
from gpusolve.testing.profiling.results import Profile
from gpusolve.testing.profiling.shared_library import Library, library
from gpusolve.testing.profiling.watching import (
    ATOMIC,
    EXCHANGE,
    Raw,
    found_faults,
    found_races,
    line_of,
    watch,
)


def profile(
    program: Program,
    kernel: str,
    count: int,
    *arguments: Any,
    threads: int = BLOCK,
    blocks: int | None = None,
    block: int = 0,
    warp: int = 0,
    instructions: bool = True,
    arch: str = "sm_90",
) -> Profile:
    """Profile a launch without a GPU. The arrays that the kernel writes contain its results afterwards.

    Parameters
    ----------
    program : Program
        The kernels.
    kernel : str
        Name of the kernel.
    count : int
        Number of items.
    *arguments
        The arguments as for a launch: NumPy arrays and numbers. They are checked as in a launch.
    threads : int, default 256
        Threads per block. The machine code is always that for 256.
    blocks : int, optional
        Number of blocks; by default as on a GPU, where each item has its threads.
    block, warp : int, default 0
        The warp whose steps are recorded: number of its block, and its number in the block.
    instructions : bool, default True
        Whether NVIDIA's compiler, if it is installed, compiles the kernel and its instructions are counted.
    arch : str, default "sm_90"
        The architecture for which NVIDIA's compiler compiles the kernel.

    Returns
    -------
    Profile
        The counts, line by line, and the races.

    Raises
    ------
    RuntimeError
        If there is no C++ compiler, if it refuses the text, if the kernel fails (an access outside of its arrays or not
        aligned, a deadlock, a trap), or if a block of threads makes more than 20 million events.
    TypeError, ValueError, OverflowError
        If an argument does not fit its parameter.
    """
    called = program.kernel(kernel)
    arguments, _ = called.complete(count, arguments, np.ndarray, np.empty)
    extent = Extent.of(blocks, threads) if blocks else Extent.of_items(count, called, threads)
    return profiled(
        program, called, extent, (0, count, *arguments),
        items=count, block=block, warp=warp, arch=arch if instructions and not nvrtc.missing() else None,
    )  # fmt: skip


def profiled(
    source: Text, kernel: Kernel, extent: Extent, arguments: tuple[Any, ...], *,
    items: int, block: int, warp: int, arch: str | None, constants: Mapping[str, npt.NDArray[Any]] | None = None,
) -> Profile:  # fmt: skip
    """Profile a launch with all of a kernel's arguments; without `arch`, no instructions are counted."""
    before = tuple(value.copy() if isinstance(value, np.ndarray) else value for value in arguments)
    built = library(source.text)
    raw = watch(source.text, kernel, extent, arguments, block=block, warp=warp)
    by_line: dict[tuple[str, int], float] = {}
    used = None
    if arch is not None:
        used = nvrtc.compile(source.text, source.source.name, arch)[kernel.name]
        by_line = Counting(source, arch).run(kernel.name, extent, before, constants or {}).lines
    races = found_races(source.text, built, raw)
    lines, index = _lines(source.text, built, raw, by_line, arch is not None)
    blocks_run = [number for number, site in enumerate(built.sites) if site.hook == "__sanitizer_cov_trace_pc"]
    chosen = raw.counts[blocks_run, 0] if blocks_run else np.zeros((0, 7), np.uint64)
    at = [index.get(line_of(built, raw, int(site)), -1) for site in raw.steps[:, 0]]
    return Profile(
        kernel.name, items, extent.blocks, extent.threads, lines, races,
        found_faults(source.text, built, raw, races),
        tuple(Array(*about[:3], owner) for about, owner in zip(raw.places, raw.owners, strict=True)),
        np.stack([np.array(at, np.int64), raw.steps[:, 1].astype(np.int64)], axis=1),
        {"runs": float(chosen[:, 0].sum()), "lanes": float(chosen[:, 1].sum())},
        used, None if used is None else occupancy(used, extent.threads), arch or "",
    )  # fmt: skip


def _lines(
    text: str, built: Library, raw: Raw, instructions: dict[tuple[str, int], float], compiled: bool
) -> tuple[tuple[Line, ...], dict[tuple[str, int], int]]:
    """Add the counts of sites up by line."""
    found: dict[tuple[str, int], dict[str, Any]] = defaultdict(lambda: defaultdict(int))
    for number, site in enumerate(built.sites):
        for space in range(2):
            counts = _counters(raw.counts[number, space])
            if not counts["runs"]:
                continue
            if site.hook == "__sanitizer_cov_trace_pc":
                for line in site.lines:
                    found[line]["runs"] += counts["runs"]
                    found[line]["active"] += counts["active"]
                found[site.branch or site.line]["divergent"] += counts["divergent"]
            else:
                _add_access(found[site.line], counts, space)
    for number, (kind, line) in enumerate(raw.extras, len(built.sites)):
        for space in range(2):
            counts = _counters(raw.counts[number, space])
            if kind == ATOMIC:
                _add_access(found[line], counts, space)
                found[line]["atomics"] += counts["runs"]
                found[line]["collisions"] += counts["collisions"]
            else:
                found[line]["exchanges" if kind == EXCHANGE else "barriers"] += counts["runs"]
                found[line]["own_runs"] += counts["runs"]
                found[line]["own_active"] += counts["active"]
    for line in instructions:
        found[line]  # adds a line that only the other compiler knows
    texts = emulation.texts_of(text)
    keys = sorted(found, key=lambda key: (key[0] == "common.cuh", *key))
    lines = []
    for key in keys:
        counts = found[key]
        runs, active = counts.pop("runs", 0), counts.pop("active", 0)
        own_runs, own_active = counts.pop("own_runs", 0), counts.pop("own_active", 0)
        if not runs:
            runs, active = own_runs, own_active
        issued = instructions.get(key, 0.0) if compiled else None
        counted: dict[str, Any] = {"runs": runs, "lanes": active / max(1, runs), **counts}
        lines.append(Line(*key, texts.get(key, ""), issued, **counted))
    return tuple(lines), {key: number for number, key in enumerate(keys)}


def _counters(values: npt.NDArray[np.uint64]) -> dict[str, int]:
    """Return the counters of ``profiler.h`` by name."""
    names = ("runs", "active", "sectors", "used", "conflicts", "collisions", "divergent")
    return dict(zip(names, map(int, values), strict=True))


def _add_access(into: dict[str, Any], counts: dict[str, int], space: int) -> None:
    if space:
        into["shared"] += counts["runs"]
        into["conflicts"] += counts["conflicts"]
    else:
        into["requests"] += counts["runs"]
        into["sectors"] += counts["sectors"]
        into["used"] += counts["used"]
    into["own_runs"] += counts["runs"]
    into["own_active"] += counts["active"]
