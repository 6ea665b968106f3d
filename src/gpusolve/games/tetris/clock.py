"""The console's clock as tables: when pieces drop, when presses can start, when the next piece is known."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris.rules.board import DOUBLED, gravity
from gpusolve.games.tetris.rules.reachability import is_tap
from gpusolve.games.tetris.variant import check_reach

LEVELS, DROPS = DOUBLED + 1, 24
"""Rows of a table: the last one is for all levels above it. Drops of a piece: no piece falls further."""


class Clock(NamedTuple):
    """What a kernel knows of time."""

    is_timed: int
    """0 with the reach ``free``, 1 where pieces are tapped against gravity, 2 for ``das``."""
    taps: Array
    """`tap_table` on the device."""


def clock_of(backend: Backend, reach: str, doubled: bool = False) -> Clock:
    """Return the clock of a reach, with its table on the device; `doubled`: two rows per drop from level 39 on."""
    return Clock(0 if reach == "free" else 2 if reach == "das" else 1, backend.asarray(tap_table(reach, doubled)))


@cache
def tap_table(reach: str, doubled: bool = False) -> npt.NDArray[np.uint8]:
    """Return the number of frames before each drop on which a press can start; all frames for ``das``.

    The table is uint8 and flat, with a row of DROPS for each level. It is 0 for ``free``.
    """
    check_reach(reach)
    taps = np.zeros((LEVELS, DROPS), np.uint8)
    if reach != "free":
        for level in range(LEVELS):
            frames, rows = gravity(level, doubled)
            for drop in range(0, DROPS, rows):
                begin = drop // rows * frames
                presses = [reach == "das" or is_tap(reach, frame) for frame in range(begin, begin + frames)]
                taps[level, drop] = sum(presses)
    return taps.reshape(-1)


@cache
def known_table(reach: str, delay: int, doubled: bool = False) -> npt.NDArray[np.uint8]:
    """Return when the next piece is known, `delay` frames after the current one appeared.

    The table is uint8 and flat, with two numbers for each level: the drops before that moment, at most DROPS, and the
    number of frames between the last of these drops and that moment on which a press can start.
    """
    known = np.zeros((LEVELS, 2), np.uint8)
    for level in range(LEVELS):
        frames, rows = gravity(level, doubled)
        drops = delay // frames * rows
        before = sum(is_tap(reach, frame) for frame in range(delay // frames * frames, delay))
        known[level] = (drops, before) if drops < DROPS else (DROPS, 0)
    return known.reshape(-1)
