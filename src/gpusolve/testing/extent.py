"""How many threads a launch has, in up to three dimensions, and how much dynamic shared memory."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpusolve.backend.cuda import BLOCK
from gpusolve.backend.kernel import Kernel

MOST_THREADS = 1024
"""Most threads of a block."""
MOST_DYNAMIC = 227 << 10
"""Most bytes of dynamic shared memory of a block, as on compute capability 9.0; ``cuda_on_cpu.h`` has as many."""

Three = tuple[int, int, int]


@dataclass(frozen=True)
class Extent:
    """The blocks of a grid, the threads of a block, and the bytes of dynamic shared memory of a block.

    >>> Extent.of(4, (16, 16))
    Extent(grid=(4, 1, 1), block=(16, 16, 1), shared_memory=0)
    """

    grid: Three
    block: Three
    shared_memory: int = 0

    @classmethod
    def of(cls, grid: int | Sequence[int], block: int | Sequence[int], shared_memory: int = 0) -> Extent:
        """Make an extent of numbers or of tuples of one to three numbers. Raises ValueError for what no GPU takes."""
        made = cls(_three("grid", grid), _three("block", block), shared_memory)
        if made.threads > MOST_THREADS:
            raise ValueError(f"block {made.block}: {made.threads:,} threads: expected at most {MOST_THREADS:,}")
        if not 0 <= shared_memory <= MOST_DYNAMIC:
            raise ValueError(f"shared_memory {shared_memory:,}: expected 0 to {MOST_DYNAMIC:,} bytes")
        return made

    @classmethod
    def of_items(cls, count: int, kernel: Kernel, threads: int = BLOCK) -> Extent:
        """Make the extent with which each item of a program's kernel has its threads, as on a GPU."""
        return cls.of(max(1, -(-count * kernel.threads // threads)), threads)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return math.prod(self.grid)

    @property
    def threads(self) -> int:
        """Number of threads of a block."""
        return math.prod(self.block)

    def as_c(self) -> Any:
        """Return what the functions of an emulated library take: seven unsigned integers."""
        return (ctypes.c_uint * 7)(*self.grid, *self.block, self.shared_memory)


def _three(name: str, given: int | Sequence[int]) -> Three:
    numbers = (given,) if isinstance(given, int) else tuple(map(int, given))
    if not 1 <= len(numbers) <= 3 or min(numbers) < 1:
        raise ValueError(f"{name} {given}: expected one to three positive numbers")
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z
