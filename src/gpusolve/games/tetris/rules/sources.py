"""Where pieces come from, in plain Python: evenly drawn ones, and the console's own generator."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from gpusolve.games.tetris.rules.board import PIECES
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

SOURCES = ("uniform8", "nes")
NES_ORDER = tuple(PIECES.index(name) for name in "TJZOSLI")
NES_SPAWN_IDS = (2, 7, 8, 10, 11, 14, 18)
"""In the console's order T J Z O S L I."""


def lfsr(v: int) -> int:
    """The console's random register, one step on."""
    return v >> 1 | ((v >> 1 ^ v >> 9) & 1) << 15


def pieces(seed: int, game: int, source: str = "uniform8") -> Iterator[int]:
    """The pieces of a game, without end. They depend on the seed, the game's number and the source alone.

    ``nes`` starts the register where (seed, game) says and lets it run 16 to 31 frames from piece to piece, as many as
    the same generator says: on a console that depends on how long the player takes.

    >>> from itertools import islice
    >>> "".join(PIECES[piece] for piece in islice(pieces(1, 0), 20))
    'TTOLSTOOZSTOTILTSTOZ'
    """
    state = mix((mix((seed + GOLDEN) & MASK64) + game * GOLDEN) & MASK64)

    def draw() -> int:
        nonlocal state
        state = (state + GOLDEN) & MASK64
        return mix(state) >> 32

    previous = -1
    if source == "uniform8":
        while True:
            x = draw() >> 29
            if x in (previous, 7):
                x = draw() * 7 >> 32
            yield x
            previous = x
    register, count = (draw() % 32767 + 1) << 1, 0
    while True:
        for _ in range(16 + (draw() & 15)):
            register = lfsr(register)
        count += 1
        i = ((register >> 8) + count) & 7
        if i in (7, previous):
            register = lfsr(register)
            i = ((register >> 8 & 7) + (NES_SPAWN_IDS[previous] if previous >= 0 else 0)) % 7
        yield NES_ORDER[i]
        previous = i


def transitions(source: str) -> npt.NDArray[np.int64]:
    """P(next | piece) times their sum, int64 (7, 7), a row for each piece.

    >>> transitions("uniform8")[0].tolist()
    [2, 9, 9, 9, 9, 9, 9]
    """
    if source == "uniform8":
        return np.full((7, 7), 9, np.int64) - 7 * np.eye(7, dtype=np.int64)
    table = np.zeros((7, 7), np.int64)
    for i, previous in enumerate(NES_ORDER):
        for first in range(8):  # the high byte is uniform: all residues of 8 are as likely, twice
            if first not in (i, 7):
                table[previous, NES_ORDER[first]] += 8
                continue
            for second in range(8):
                table[previous, NES_ORDER[(second + NES_SPAWN_IDS[i]) % 7]] += 1
    return table
