"""What a search takes in memory: how many states are expanded at once, how wide a beam may be, whether it is there.

What a run does depends on what it is told it may take, never on what the machine has: that is only checked.
"""

from __future__ import annotations

from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.kernels import ALPHABET, Boards

MEMORY = 4096
"""MiB that a beam may take unless it is told otherwise."""
MOST_MEMORY = 1 << 30
MIB = 1 << 20
LEAST_BATCH = 1024  # states expanded at once in the widest beam


def batch_size(boards: Boards, width: int, memory: int, tables: int) -> int:
    """How many states a beam of `width` with so many tables may expand at once in `memory` MiB.

    Raises BadInput if not even one, and where the machine has not so much memory free.
    """
    check_integer("memory", memory, 1, MOST_MEMORY)
    fixed = fixed_bytes(boards, tables) + width * width_bytes(boards)
    batch = (memory * MIB - fixed) // expand_bytes(boards)
    if batch < 1:
        needed = -(-(fixed + expand_bytes(boards)) // MIB)
        raise BadInput(f"memory {memory}: too little for a beam of {width:,}: expected at least {needed:,} MiB")
    check_free(boards, fixed)
    return min(batch, boards.backend.batch(expand_bytes(boards)))


def most_width(boards: Boards, memory: int, tables: int) -> int:
    """The widest beam that `memory` MiB hold with a batch of some size. Raises BadInput if there is none."""
    check_integer("memory", memory, 1, MOST_MEMORY)
    left = memory * MIB - fixed_bytes(boards, tables) - expand_bytes(boards) * LEAST_BATCH
    most = left // width_bytes(boards)
    if most < 1:
        batch_size(boards, 1, memory, tables)
        return 1
    return most


def check_free(boards: Boards, wanted: int) -> None:
    """Raises BadInput if the machine has not so many bytes free, where it says so and the boards live in its memory."""
    free = boards.backend.free_memory
    if free is not None and wanted > free:
        n = boards.size
        raise BadInput(
            f"not enough memory: a search of a {n}x{n} grid wants {wanted // MIB:,} MiB, and {free // MIB:,} are free"
        )


def fixed_bytes(boards: Boards, tables: int) -> int:
    """Bytes that a beam takes whatever its width: the tables and what makes them, and 200 MiB for the process."""
    lines: int = ALPHABET**boards.size
    return 200 * MIB + lines * tables + (5 * lines if tables > 1 else 0)


def width_bytes(boards: Boards) -> int:
    """Bytes for each state of a level: both levels and what duplicates are found with, the pool, the way back."""
    return 12 * (boards.size + 1) + 24 + 2 * 28 + 6 * boards.queue_length


def expand_bytes(boards: Boards) -> int:
    """Bytes for each state of a batch: for each move a key, its mask, its number and its place in the pool, twice."""
    return 28 * boards.moves


def best_first_bytes(boards: Boards, expanded: int) -> int:
    """Bytes that a best-first search takes: its table, and for each state taken itself, its hash, what it leads to."""
    taken: int = min(expanded, boards.moves**boards.queue_length)
    each = 4 * boards.size + 10 + 16 * (boards.size + 2) + 12 * boards.moves
    return fixed_bytes(boards, 1) + taken * each
