"""Breadth-first search over planes of bits, on a device: every launch of its kernels."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding.depths.ranks import Carry, Ranks, Turn
from gpusolve.games.sliding.kernels import PROGRAM


class Mover:
    """Moves whole planes: each of their positions at once."""

    def __init__(self, backend: Backend, ranks: Ranks) -> None:
        self._backend, self._ranks = backend, ranks
        self._turn = cache(self._load)  # of this board

    def _load(self, start: int, forth: bool) -> Carry | Turn:
        turn, put = self._ranks.turn(start, forth), self._backend.asarray
        if isinstance(turn, Carry):
            return replace(turn, to=put(turn.to))
        return replace(turn, to=put(turn.to), odd=put(turn.odd))

    def move(self, plane: int, to: int, source: Array, into: Array) -> None:
        """Add to a plane `into` what the blank's move from one cell to the next above or below makes of `source`."""
        forth = to < plane
        turn = self._turn(to if forth else plane, forth)
        if isinstance(turn, Carry):
            self._backend.launch(PROGRAM, "carry", self._ranks.words, turn.inner, turn.to, source, into)
        else:
            parity = self._ranks.parity(plane)
            self._backend.launch(PROGRAM, "turn", len(turn.odd), turn.words, parity, turn.odd, turn.to, source, into)


def sift(backend: Backend, reached: Array, now: Array, level: Array) -> int:
    """Replace the level before by the next one, and return the number of its positions."""
    counts = backend.launch(PROGRAM, "sift", len(reached), reached, now, level)
    return int(counts.sum(dtype=np.int64))
