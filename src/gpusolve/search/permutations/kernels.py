"""Permutation puzzles on a device: every launch of the kernels of ``permutations.cu``."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.backend import Array, Backend, Program
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "permutations.cu", "gpusolve.search.permutations.cpu")
MOST_KEPT, MOST_PLACES, UNKNOWN = 16, 32, 255


@dataclass(frozen=True)
class Looks:
    """The moves and look-ups of a puzzle, as `foresee` takes them."""

    automaton: Array
    costs: Array
    shapes: Array
    pieces: Array
    steps: Array
    table: Array


def spread(backend: Backend, table: Array, steps: Array, kept: int, costs: tuple[int, int]) -> int:
    """Let the entries of the first cost give the second to the unknown entries behind steps; return their number."""
    places = steps.shape[1]
    rows = len(table) // (places - kept + 1)
    found = backend.launch(PROGRAM, "spread", rows, kept, *costs, steps, table)
    return int(found.sum(dtype="int64"))


def foresee(backend: Backend, states: Array, room: Array, at: Array, looks: Looks) -> Array:
    """Return by how much each move with the estimate behind it exceeds the room of the state, uint8 (states, moves)."""
    count, moves = states.shape[1], looks.steps.shape[1]
    found = backend.launch(
        PROGRAM, "foresee", count * moves, states, room, at, looks.automaton, looks.costs, looks.shapes, looks.pieces,
        looks.steps, looks.table,
    )  # fmt: skip
    return found.reshape(count, moves)


def play(backend: Backend, states: Array, parents: Array, moves: Array, steps: Array) -> Array:
    """Return the states that moves lead to, uint8 (places, children)."""
    return backend.launch(PROGRAM, "play", len(parents), states, parents, moves, steps)
