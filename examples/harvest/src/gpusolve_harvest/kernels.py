"""Batches of walkers on a device: the program, and the space of states for the search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from gpusolve.backend import Array, Backend, Program
from gpusolve_harvest.rules import Field

PROGRAM = Program(Path(__file__).with_name("harvest.cu"), "gpusolve_harvest.cpu")
STEPS = 16
"""The lowest bit of the number of steps in a walker's last word; the bits below are the sum reaped."""


@dataclass(frozen=True)
class Walkers:
    """The space of all walks of at most `steps` steps over a field (see `gpusolve.search.space.Space`).

    A state is uint32 (4,): two words with a bit for each cell reaped; the walker's cell; its steps and its sum.
    """

    backend: Backend
    field: Field
    steps: int

    @property
    def side(self) -> int:
        """Number of rows, and of cells in a row."""
        return len(self.field)

    @cached_property
    def digits(self) -> Array:
        """The field row by row, uint8 (side * side,)."""
        return self.backend.asarray(np.array(self.field, np.uint8).reshape(-1))

    @cached_property
    def root(self) -> Array:
        """The walker in the upper left corner."""
        return self.backend.asarray(np.array([[1], [0], [0], [self.field[0][0]]], np.uint32))

    def expand(self, states: Array, first: int, last: int) -> Array:
        """Return 1 + the sum after each move, uint16 (last - first, 4); 0 for a move that is not allowed."""
        return self.backend.launch(PROGRAM, "expand", last - first, states, first, self.digits, self.side, self.steps)

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the walkers after moves (uint16) of the walkers numbered `parents` (int32)."""
        count = len(parents)
        return self.backend.launch(PROGRAM, "walk", count, states, self.digits, self.side, parents, moves, count)

    def value(self, states: Array) -> Array:
        """Return the sum that each walker has reaped, int32 (count,)."""
        return (states[3] & np.uint32((1 << STEPS) - 1)).astype(np.int32)

    def identity(self, states: Array) -> Array:
        """Return the cells reaped and the walker's cell, uint64 (2, count); steps and sum follow from them."""
        wide = states.astype(np.uint64)
        return self.backend.xp.stack([wide[0] | wide[1] << np.uint64(32), wide[2]])
