"""The profile of a launch: what was counted, as a table and as pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

import numpy as np
import numpy.typing as npt

from gpusolve.testing.counting.machines import SECTOR
from gpusolve.testing.nvrtc import Resources
from gpusolve.testing.profiling import pictures
from gpusolve.testing.profiling.parts import Array, Fault, Line, Race
from gpusolve.testing.profiling.table import number, short, table


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
    faults : tuple of Fault
        Reads of shared memory before it is written.
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
    faults: tuple[Fault, ...]
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
        races = ["", *map(str, self.races + self.faults)] if self.races or self.faults else []
        return "\n".join([*self._totals(), "", *table(self.lines, self.warps), *races])

    def _repr_html_(self) -> str:
        drawn = [pictures.lanes(self.lines, self.steps)]
        drawn += [pictures.memory(array) for array in self.arrays if (array.owner >= 0).any()]
        return "\n".join([f"<pre>{escape(str(self))}</pre>", *(f"<div>{picture}</div>" for picture in drawn)])

    def _totals(self) -> list[str]:
        """Return the totals, one sentence each."""
        found = [
            f"{self.kernel}: {number(self.items, 'item')}, {number(self.blocks, 'block')} of {self.threads} "
            f"threads, {number(self.warps, 'warp')}"
        ]
        if self.instructions is not None:
            found.append(f"instructions  {short(self.instructions)} per warp")
        found.append(f"active lanes  {self.lanes:.1f} of 32, {number(self.divergent, 'divergent branch', 'es')}")
        found.append(f"memory        {number(self.sectors, 'sector')}, {self.used:.0%} of their bytes used")
        if self.conflicts or any(line.shared for line in self.lines):
            found.append(f"shared        {number(self.conflicts, 'bank conflict')}")
        if any(line.atomics for line in self.lines):
            found.append(f"atomics       {number(self.collisions, 'collision')}")
        if self.barriers:
            found.append(f"barriers      {self.barriers:,}")
        if used := self.resources:
            spills = used.spill_stores + used.spill_loads
            found.append(
                f"resources     {used.registers} registers, {number(spills, 'byte')} spilled, {used.shared:,} bytes of "
                f"shared memory, occupancy {self.occupancy:.0%} ({self.architecture})"
            )
        found.append(f"races         {len(self.races) or 'none'}")
        return found
