"""The limits of a GPU: how many warps fit on it, and how long counted instructions and bytes take at least."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpusolve.testing.nvrtc import Resources

WARP = 32


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
    blocks, warps, registers, shared : int
        Blocks, warps, registers and bytes of shared memory on a multiprocessor.
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

    def seconds(self, instructions: float, units: dict[str, float], memory: float, cache: float) -> dict[str, float]:
        """Return the least time that counted work takes, by each limit.

        Parameters
        ----------
        instructions : float
            Thread instructions; idle lanes count, too.
        units : dict
            The instructions of each unit.
        memory, cache : float
            Bytes that come from or go to memory, and bytes that are requested from the caches.
        """
        clocks = {"instructions": instructions / self.issued}
        clocks |= {name: units.get(name, 0.0) / lanes for name, lanes in self.units.items()}
        seconds = {name: count / (self.multiprocessors * self.clock) for name, count in clocks.items()}
        return seconds | {"memory": memory / self.memory, "cache": cache / self.cache}


H200 = Machine(
    "H200", 132, 1.98e9, 4 * WARP, {"logic": 64, "products": 64, "bits": 16, "exchange": 32},
    4.3e12, 5.5e12, 32, 64, 65536, 227 << 10,
)  # fmt: skip
"""Four schedulers issue one warp each. The units are from the CUDA C++ Programming Guide, the cache from published
microbenchmarks of the H100."""

OWN_SHARED = 1 << 10
"""Bytes of shared memory that each block uses in addition to its own."""
REGISTER_UNIT = 8
"""Registers of a thread are given in multiples of this."""


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
