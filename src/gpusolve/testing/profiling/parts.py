"""The parts of a profile: counts by line, races, and who touched an array."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


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
class Fault:
    """A wrong access to memory.

    `what` is ``outside``: of all arrays, where `array` is the nearest one; ``misaligned``: not at a multiple of its
    bytes; ``null``: through a null pointer; or ``unwritten``: in shared memory that its block of threads has not
    written before. All but the last end the launch. `element` is the index in the flat array, and `count` is how often
    it happened.
    """

    what: str
    array: str
    element: int
    elements: int
    space: str
    access: Access
    bytes: int
    count: int

    def __str__(self) -> str:
        access, one = self.access, f"element {self.element:,} of {self.array}"
        place = f"in {access.file}:{access.line}: {access.text}"
        if self.what == "outside":
            return f"thread {access.thread} {access.verb} {one}, which has {self.elements:,} elements, {place}"
        if self.what == "misaligned":
            wrong = f"{self.bytes} bytes at {one}, not at a multiple of them"
            return f"thread {access.thread} {access.verb} {wrong}, {place}"
        if self.what == "null":
            return f"thread {access.thread} {access.verb} through a null pointer {place}"
        return f"thread {access.thread} {access.verb} {one} in shared memory, which was not written before, {place}"


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
