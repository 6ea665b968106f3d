"""The memory that a search needs: batch sizes, beam widths, and a check of what is free.

The work of a run depends on the memory that it is allowed, never on the memory of the machine. The machine's is only
checked.
"""

from __future__ import annotations

from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.kernels import ALPHABET, Boards

MEMORY = 4096
"""MiB that a beam may take by default."""
MOST_MEMORY = 1 << 30
MIB = 1 << 20
PROCESS = 200 * MIB  # of the host's memory: the libraries and the compiled kernels
LEAST_BATCH = 1024  # states expanded at a time by the widest beam


def batch_size(boards: Boards, *, width: int, memory: int, tables: int) -> int:
    """Return the number of states that a beam of `width` with `tables` tables can expand at a time in `memory` MiB.

    Raises BadInput if the memory is too little for even one state, and if the host has less memory free.
    """
    memory = check_integer("memory", memory, 1, MOST_MEMORY)
    fixed = fixed_bytes(boards, tables) + width * width_bytes(boards)
    batch = (memory * MIB - fixed) // expand_bytes(boards)
    if batch < 1:
        needed = -(-(fixed + expand_bytes(boards)) // MIB)
        raise BadInput(f"memory {memory}: too little for a beam of {width:,}: expected at least {needed:,} MiB")
    check_free(boards, fixed)
    return min(batch, boards.backend.batch(expand_bytes(boards)))


def most_width(boards: Boards, *, memory: int, tables: int) -> int:
    """Return the width of the widest beam that fits into `memory` MiB. Raises BadInput if no beam fits."""
    memory = check_integer("memory", memory, 1, MOST_MEMORY)
    left = memory * MIB - fixed_bytes(boards, tables) - expand_bytes(boards) * LEAST_BATCH
    most = left // width_bytes(boards)
    if most < 1:
        batch_size(boards, width=1, memory=memory, tables=tables)
        return 1
    return most


def check_free(boards: Boards, needed: int) -> None:
    """Raise BadInput if the host has less than `needed` bytes free, of which PROCESS are not for the boards.

    The memory of a GPU is not checked: what it reports as free leaves out the memory that CuPy keeps for reuse.
    """
    host = boards.backend.host
    size = needed if boards.backend is host else PROCESS
    free = host.free_memory
    if free is not None and size > free:
        grid = f"{boards.size}x{boards.size}"
        raise BadInput(
            f"not enough memory: a search on a {grid} grid needs {size // MIB:,} MiB, and {free // MIB:,} are free"
        )


def fixed_bytes(boards: Boards, tables: int) -> int:
    """Return the bytes of a beam of any width: the process, the tables, and the buffers that make them."""
    lines: int = ALPHABET**boards.size
    return PROCESS + lines * tables + (5 * lines if tables > 1 else 0)


def width_bytes(boards: Boards) -> int:
    """Return the bytes for each state of a level: two levels, the search for duplicates, the keys, the way back."""
    return 12 * (boards.size + 1) + 24 + 2 * 28 + 6 * boards.queue_length


def expand_bytes(boards: Boards) -> int:
    """Return the bytes for each state of a batch: for each move its key, mask, number and pool position, twice."""
    return 28 * boards.moves


def best_first_bytes(boards: Boards, expanded: int) -> int:
    """Return the bytes of a best-first search: its table, and each state taken with its hash and its children."""
    taken: int = min(expanded, boards.moves**boards.queue_length)
    each = 4 * boards.size + 10 + 16 * (boards.size + 2) + 12 * boards.moves
    return fixed_bytes(boards, 1) + taken * each
