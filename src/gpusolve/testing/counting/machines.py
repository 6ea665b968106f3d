"""The limits of a GPU: how many warps fit on it, and how long counted instructions and bytes take at least."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpusolve.testing.nvrtc import Resources

WARP = 32
SECTOR = 32
"""Bytes of a sector, the least that a cache gives."""


@dataclass(frozen=True)
class Machine:
    """The limits of a GPU.

    Attributes
    ----------
    name : str
        Its name.
    multiprocessors : int
        Number of multiprocessors.
    clock : float
        Clocks per second.
    issued : int
        Thread instructions that a multiprocessor issues per clock.
    units : dict
        Thread instructions per clock that each of the units of `translation.UNITS` takes, on a multiprocessor.
    memory, cache : float
        Bytes per second of memory, moved by a copy, and of the second-level cache.
    blocks, warps, registers, shared, first_level : int
        Blocks, warps, registers, bytes of shared memory, and bytes of the first-level cache and shared memory
        together, on a multiprocessor.
    """

    name: str
    multiprocessors: int
    clock: float
    issued: int
    units: dict[str, int] = field(hash=False)
    memory: float
    cache: float
    blocks: int
    warps: int
    registers: int
    shared: int
    first_level: int

    def seconds(
        self,
        instructions: float,
        units: dict[str, float],
        memory: float,
        cache: float,
        atomics: float = 0.0,
        local: float = 0.0,
    ) -> dict[str, float]:
        """Return the least time that counted work takes, by each limit.

        Parameters
        ----------
        instructions : float
            Thread instructions; idle lanes count, too.
        units : dict
            The instructions of each unit.
        memory, cache : float
            Bytes that come from or go to memory, and bytes that are requested from the caches.
        atomics : float
            Sectors of atomic operations.
        local : float
            Lines of local memory; the first-level cache takes one per clock.
        """
        clocks = {"instructions": instructions / self.issued}
        clocks["local"] = local
        clocks |= {name: units.get(name, 0.0) / lanes for name, lanes in self.units.items()}
        seconds = {name: count / (self.multiprocessors * self.clock) for name, count in clocks.items()}
        others = {"memory": memory / self.memory, "cache": cache / self.cache, "atomics": atomics / self.atomics}
        return seconds | others

    @property
    def atomics(self) -> float:
        """Sectors of atomic operations per second: as many as the second-level cache transfers. It is not published."""
        return self.cache / SECTOR


H200 = Machine(
    "H200", 132, 1.98e9, 4 * WARP, {"logic": 64, "products": 64, "bits": 16, "exchange": 32},
    4.3e12, 5.5e12, 32, 64, 65536, 227 << 10, 256 << 10,
)  # fmt: skip
"""Four schedulers issue one warp each. The units are from the CUDA C++ Programming Guide, the cache from published
microbenchmarks of the H100."""

OWN_SHARED = 1 << 10
"""Bytes of shared memory that each block uses in addition to its own."""
REGISTER_UNIT = 8
"""Registers of a thread are given in multiples of this."""


def keeps_local(used: Resources, share: float, machine: Machine = H200) -> bool:
    """Return whether the first-level cache holds the local memory of the warps of a multiprocessor.

    Parameters
    ----------
    used : Resources
        What the compiler reports.
    share : float
        The share of the warps that run (`occupancy`).
    machine : Machine
        The GPU.
    """
    return used.stack * share * machine.warps * WARP <= machine.first_level - used.shared


def occupancy(used: Resources, threads: int = 256, machine: Machine = H200) -> float:
    """Return the share of a multiprocessor's warps that registers and shared memory allow.

    Parameters
    ----------
    used : Resources
        What the compiler reports.
    threads : int, default 256
        Threads per block.
    machine : Machine
        The GPU.

    Examples
    --------
    >>> occupancy(Resources(registers=118, spill_stores=0, spill_loads=0, stack=0, shared=0))
    0.25
    """
    warps = -(-threads // WARP)
    by_registers = machine.registers // (-(-used.registers // REGISTER_UNIT) * REGISTER_UNIT * WARP * warps)
    by_shared = machine.shared // (used.shared + OWN_SHARED)
    return min(machine.blocks, machine.warps // warps, by_registers, by_shared) * warps / machine.warps
