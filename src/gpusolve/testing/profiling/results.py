"""What a profile contains."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.testing.nvrtc import Resources

SECTOR = 32
"""Bytes of a sector, the least that a cache gives."""


@dataclass(frozen=True)
class Line:
    """A line of the ``.cu`` or of a header in a launch. The counts are sums over all warps.

    Attributes
    ----------
    file, number, text : str, int, str
        Where it is, and its text.
    instructions : float or None
        Machine instructions that warps issue, estimated from the compiler's PTX; None without NVIDIA's compiler.
    runs : int
        How often a warp runs a part of the line, whatever number of its lanes takes part.
    lanes : float
        Mean number of lanes, of 32, that take part in a run.
    divergent : int
        Runs after which the lanes of a warp go different ways.
    requests : int
        Accesses of warps to global memory.
    sectors : int
        Sectors of 32 bytes that these accesses request from the caches.
    used : int
        Bytes of these sectors that lanes asked for, each byte once per access.
    shared : int
        Accesses of warps to shared memory.
    conflicts : int
        Further passes that these need because lanes want different words of the same bank.
    atomics : int
        Atomic operations of warps.
    collisions : int
        Lanes of these whose operation waits for that of another lane on the same address.
    exchanges : int
        Votes, shuffles and reductions of warps.
    barriers : int
        Barriers that warps pass: ``__syncwarp()`` and ``__syncthreads()``.
    """

    file: str
    number: int
    text: str
    instructions: float | None = None
    runs: int = 0
    lanes: float = 0.0
    divergent: int = 0
    requests: int = 0
    sectors: int = 0
    used: int = 0
    shared: int = 0
    conflicts: int = 0
    atomics: int = 0
    collisions: int = 0
    exchanges: int = 0
    barriers: int = 0


@dataclass(frozen=True)
class Access:
    """One side of a race: what a thread did, and where. It ``reads``, ``writes`` or ``updates`` (atomically)."""

    thread: int
    verb: str
    file: str
    line: int
    text: str


@dataclass(frozen=True)
class Race:
    """Two accesses to the same element by different threads, of which one writes, without a barrier between them.

    `space` is ``shared`` or ``global``, and `count` is how often these two lines raced in the launch; the threads and
    the element are those of the first time. The threads are numbered over all blocks.
    """

    array: str
    element: int
    space: str
    first: Access
    second: Access
    count: int

    def __str__(self) -> str:
        both = " and ".join(
            f"thread {access.thread} {access.verb} it in {access.file}:{access.line}"
            for access in (self.first, self.second)
        )
        return f"race on {self.array}[{self.element}] in {self.space} memory: {both}, and no barrier separates them"


@dataclass(frozen=True)
class Array:
    """An array of a launch and who touched it.

    `owner` has the first thread that accessed each element, numbered over all blocks; -1 for nobody. Only the first
    65,536 elements are recorded. `space` is ``shared`` or ``global``, and `shape` is that of the argument.
    """

    name: str
    space: str
    shape: tuple[int, ...]
    owner: npt.NDArray[np.int32] = field(repr=False)


@dataclass(frozen=True)
class Profile:
    """The profile of a launch. ``print(profile)`` shows a table, and a notebook shows pictures as well.

    Attributes
    ----------
    kernel : str
        Name of the kernel.
    items, blocks, threads : int
        Number of items and blocks, and of threads per block.
    lines : tuple of Line
        The lines that ran, in the order of the files.
    races : tuple of Race
        Pairs of lines that race.
    arrays : tuple of Array
        The arrays of the launch, first the arguments.
    counted : dict
        Totals of basic blocks: ``runs`` by warps, and ``lanes`` that took part.
    steps : ndarray
        What one warp did over time: the index of a line in `lines` (-1: of the emulation), and the active lanes as
        bits; int64, shape (steps, 2). At most 65,536 steps are recorded.
    resources : Resources or None
        Registers, spills and shared memory on `architecture`; None without NVIDIA's compiler.
    occupancy : float or None
        Share of a multiprocessor's warps that these resources allow.
    architecture : str
        The architecture for which the kernel was compiled, such as ``sm_90``.
    """

    kernel: str
    items: int
    blocks: int
    threads: int
    lines: tuple[Line, ...]
    races: tuple[Race, ...]
    arrays: tuple[Array, ...] = field(repr=False)
    steps: npt.NDArray[np.int64] = field(repr=False)
    counted: dict[str, float] = field(repr=False)
    resources: Resources | None
    occupancy: float | None
    architecture: str

    @property
    def warps(self) -> int:
        """Number of warps of the launch."""
        return self.blocks * -(-self.threads // 32)

    @property
    def instructions(self) -> float | None:
        """Machine instructions per warp; None without NVIDIA's compiler."""
        numbers = [line.instructions for line in self.lines]
        if self.resources is None:
            return None
        return sum(number or 0.0 for number in numbers) / self.warps

    @property
    def lanes(self) -> float:
        """Mean number of active lanes, of 32, over the basic blocks that warps ran."""
        return self.counted["lanes"] / max(1.0, self.counted["runs"])

    @property
    def sectors(self) -> int:
        """Sectors of global memory that warps requested."""
        return self._sum("sectors")

    @property
    def used(self) -> float:
        """Share of the requested bytes of global memory that lanes asked for."""
        return self._sum("used") / max(1, SECTOR * self.sectors)

    @property
    def conflicts(self) -> int:
        """Further passes because of conflicts between banks of shared memory."""
        return self._sum("conflicts")

    @property
    def collisions(self) -> int:
        """Lanes whose atomic operation waited for that of another lane."""
        return self._sum("collisions")

    @property
    def divergent(self) -> int:
        """Branches after which the lanes of a warp went different ways."""
        return self._sum("divergent")

    @property
    def barriers(self) -> int:
        """Barriers that warps passed."""
        return self._sum("barriers")

    def _sum(self, name: str) -> int:
        return sum(getattr(line, name) for line in self.lines)

    def __str__(self) -> str:
        return str(import_module("gpusolve.testing.profiling.table").table(self))

    def _repr_html_(self) -> str:
        return str(import_module("gpusolve.testing.profiling.pictures").page(self))


def row(values: Any) -> dict[str, int]:
    """Return the counters of `profiler.h` by name."""
    names = ("runs", "active", "sectors", "used", "conflicts", "collisions", "divergent")
    return dict(zip(names, map(int, values), strict=True))
