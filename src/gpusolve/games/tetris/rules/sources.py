"""Sequences of pieces in plain Python: drawn evenly, or by the console's generator."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from gpusolve.games.tetris.rules.board import PIECES
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

Source = Literal["uniform8", "nes"]
SOURCES: tuple[Source, ...] = get_args(Source)
NES_ORDER = tuple(PIECES.index(name) for name in "TJZOSLI")
NES_SPAWN_IDS = (2, 7, 8, 10, 11, 14, 18)
"""The console's spawn ids, in its order T J Z O S L I."""


def lfsr(v: int) -> int:
    """Return the next state of the console's linear feedback shift register."""
    return v >> 1 | ((v >> 1 ^ v >> 9) & 1) << 15


def pieces(seed: int, game: int, source: str = "uniform8", *, after: int | None = None) -> Iterator[int]:
    """Yield the pieces of a game without end; they depend only on the seed, the game's number and the source.

    ``uniform8`` draws 0 to 7, and draws again from 0 to 6 if that is 7 or the piece before. ``nes`` starts the
    console's register at a state drawn from (seed, game) and lets it run for 16 to 31 frames between two pieces. On a
    console that number depends on the player's speed; here it is drawn, too. In a game that starts from a position, the
    third piece comes `after` the last piece that the position shows, and the first two are not used.

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
        for number in count():
            if number == 2 and after is not None:
                previous = after
            x = draw() >> 29
            if x in (previous, 7):
                x = draw() * 7 >> 32
            yield x
            previous = x
    register = (draw() % 32767 + 1) << 1
    for number in count():
        if number == 2 and after is not None:
            previous = NES_ORDER.index(after)
        for _ in range(16 + (draw() & 15)):
            register = lfsr(register)
        i = ((register >> 8) + number + 1) & 7
        if i in (7, previous):
            register = lfsr(register)
            i = ((register >> 8 & 7) + (NES_SPAWN_IDS[previous] if previous >= 0 else 0)) % 7
        yield NES_ORDER[i]
        previous = i


def transitions(source: str) -> npt.NDArray[np.int64]:
    """Return the chances of each piece after each piece as integers, int64 (7, 7): row p is for what follows p.

    >>> transitions("uniform8")[0].tolist()
    [2, 9, 9, 9, 9, 9, 9]
    """
    if source == "uniform8":
        return np.full((7, 7), 9, np.int64) - 7 * np.eye(7, dtype=np.int64)
    table = np.zeros((7, 7), np.int64)
    for i, previous in enumerate(NES_ORDER):
        for first in range(8):  # the high byte is uniform, so the residues modulo 8 are equally likely, in both draws
            if first not in (i, 7):
                table[previous, NES_ORDER[first]] += 8
                continue
            for second in range(8):
                table[previous, NES_ORDER[(second + NES_SPAWN_IDS[i]) % 7]] += 1
    return table
