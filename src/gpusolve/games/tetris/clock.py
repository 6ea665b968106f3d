"""The console's clock as tables: when pieces drop, when presses can start, when the next piece is known."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris.rules.board import DOUBLED, gravity
from gpusolve.games.tetris.rules.reachability import is_tap, restarts, rhythm_of
from gpusolve.games.tetris.variant import check_reach

LEVELS, DROPS = DOUBLED + 1, 24
"""Rows of a table: the last one is for all levels above it. Drops of a piece: no piece falls further."""
TAPS, KNOWN = 3 * DROPS + 1, 3 * DROPS
"""Numbers in a row, and where in it the moment stands at which the next piece is known; see `tap_table`."""
TUCKS = 128
"""Added to the number of taps between two drops where there are frames without a tap, and a piece can be tucked."""
FREE, TAPPING, HELD = range(3)


class Clock(NamedTuple):
    """What a kernel knows of time."""

    timed: int
    """FREE with the reach ``free``, TAPPING where pieces are tapped against gravity, HELD for ``das``."""
    taps: Array
    """`tap_table` on the device."""


def clock_of(backend: Backend, reach: str, doubled: bool = False, delay: int = 0) -> Clock:
    """Return the clock of a reach, with its table on the device.

    `doubled`: two rows per drop from level 39 on. `delay`: the frame on which the next piece is known.
    """
    taps = tap_table(reach, doubled, delay)
    return Clock({"free": FREE, "das": HELD}.get(reach, TAPPING), backend.asarray(taps))


@cache
def tap_table(reach: str, doubled: bool = False, delay: int = 0) -> npt.NDArray[np.uint8]:
    """Return the frames with a tap between two drops, as a flat table: a row of TAPS numbers for each level.

    A row has three parts of DROPS numbers, uint8. Each number counts the frames before a drop on which a tap can start.
    The first part counts the frames until the next piece is known. The other two count the frames after that moment:
    one for a player who left out the latest tap of the rhythm, and one for a player who made it. With ``+tuck``, TUCKS
    stands where there are frames, but none with a tap. At KNOWN is the number of drops before that moment. If the next
    piece is known at once, `delay` 0, the first part has all frames, and KNOWN has DROPS. All frames count as taps for
    ``das``, and none for ``free``.
    """
    check_reach(reach)
    table, frames_in = np.zeros((2, LEVELS, TAPS), np.uint8)
    rhythm, tucks = rhythm_of(reach)
    shifts = restarts(rhythm, delay) if tucks and delay else (0, 0)
    for level in range(LEVELS):
        frames, rows = gravity(level, doubled)
        for frame in range((DROPS + rows - 1) // rows * frames if reach != "free" else 0):
            drop, is_known = frame // frames * rows, 0 < delay <= frame
            for part, shift in enumerate(shifts, 1) if is_known else ((0, 0),):
                table[level, part * DROPS + drop] += reach == "das" or is_tap(rhythm, frame - shift)
                frames_in[level, part * DROPS + drop] += 1
        table[level, KNOWN] = min(delay // frames * rows, DROPS) if delay else DROPS
    if tucks:
        table[:, :KNOWN][(frames_in[:, :KNOWN] > 0) & (table[:, :KNOWN] == 0)] = TUCKS
    return table.reshape(-1)
