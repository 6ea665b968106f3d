"""The console's delayed auto-shift (DAS), frame by frame: what a held button does, and which placements it reaches.

The console counts the frames for which left or right has been held, its *charge*. Each frame of a falling piece works
like this; all figures are NTSC:

* A button that was not held on the frame before sets the charge to 0 and shifts the piece.
* A button that is still held adds 1. At 16 the charge becomes 10 and the piece shifts: first after 16 frames, then
  every 6 frames.
* If a shift is blocked, by a wall or by the pile, the charge becomes 16 (the wall charge).
* Without a button the charge stays as it is.

Between two pieces, while a piece locks, rows are removed and the next piece is delayed, none of this happens: the
charge stays as it is, and a button that is pressed then counts as held. The delay of a piece (10 frames after a piece
that locks in the two lowest rows, 2 more for every four rows above them, at every level; 17 to 20 more after a clear)
is longer than any such press needs. So a player whose charge is 15 or 16 when a piece locks, and who then holds a
button, shifts the next piece on its first frame, and again every 6 frames.

The player here always does that: every piece starts READY, and only placements that leave the charge READY are made.
There always is one, because a piece on which no button is pressed keeps the charge. So no state is carried from piece
to piece. A player who held buttons down and tapped at any rate as well would be faster than one who taps; so left and
right are pressed again once per piece at most. The down button, which stops shifting, is not used, since only gravity
moves a piece down. The buttons of rotation are pressed on even frames, so that they can be released in between.

Sources: the routine ``shift_tetrimino`` and its constants in https://github.com/CelestialAmber/TetrisNESDisasm, and
https://harddrop.com/wiki/NES_Tetris for the delays.
"""

from __future__ import annotations

from typing import NamedTuple

from gpusolve.games.tetris.rules.board import Board, State, fits, gravity, moved, pressed, spawn_state

CHARGED, REPEAT = 16, 10
READY = 15
"""The least charge with which a button that is held shifts a piece on its first frame."""


class Button(NamedTuple):
    """The button that was held on the last frame, ``left``, ``right`` or none, and the charge.

    `again` is whether a button has been pressed since the piece appeared.
    """

    held: str = ""
    charge: int = READY
    again: bool = False


Falling = dict[tuple[State, Button], tuple[str, ...]]
"""Pieces in the air with the presses that lead to each."""


def held(board: Board, piece: int, state: State, button: Button, hold: str) -> tuple[State, Button]:
    """Return what a frame makes of a piece on which a button is held: ``left``, ``right``, or none.

    >>> import numpy as np
    >>> board, here, button = np.zeros((22, 10), np.uint8), spawn_state(6), Button("left", 0)
    >>> shifts = []
    >>> for frame in range(1, 29):
    ...     before = here
    ...     here, button = held(board, 6, here, button, "left")
    ...     shifts += [frame] * (here != before)
    >>> shifts, button.charge
    ([16, 22, 28], 10)
    """
    if not hold:
        return state, Button("", button.charge, button.again)
    charge, again = 0, True
    if hold == button.held:
        charge, again = button.charge + 1, button.again
        if charge < CHARGED:
            return state, Button(hold, charge, again)
        charge = REPEAT
    after = pressed(piece, state, hold)
    return (after, Button(hold, charge, again)) if fits(board, piece, after) else (state, Button(hold, CHARGED, again))


def das_paths(board: Board, piece: int, level: int, *, doubled: bool = False) -> dict[State, tuple[str, ...]]:
    """Return every placement that leaves the charge ready, with its presses.

    Presses are written ``frame:press``: a rotation, or ``hold left``, ``hold right`` and ``release``. A hold on frame 0
    begins before the piece appears.
    """
    start = spawn_state(piece)
    falling: Falling = {}
    if fits(board, piece, start):
        falling = {(start, Button(hold)): (f"0:hold {hold}",) if hold else () for hold in ("", "left", "right")}
    locked: dict[State, tuple[str, ...]] = {}
    frames, rows = gravity(level, doubled)
    frame = 0
    while falling:
        falling = _shifted(board, piece, falling, frame)
        if frame % 2 == 0:
            falling = _turned(board, piece, falling, frame)
        frame += 1
        for _ in range(rows if frame % frames == 0 else 0):
            dropped: Falling = {}
            for (state, button), path in falling.items():
                below = moved(state, 1, 0)
                if fits(board, piece, below):
                    dropped[below, button] = path
                elif button.charge >= READY:
                    locked.setdefault(state, path)
            falling = dropped
    return locked


def _shifted(board: Board, piece: int, falling: Falling, frame: int) -> Falling:
    after: Falling = {}
    for (state, button), path in falling.items():
        for hold in dict.fromkeys((button.held, "", "left", "right")):  # an unchanged button first: fewer presses
            if button.again and hold not in ("", button.held):
                continue
            press = () if hold == button.held else (f"{frame}:{f'hold {hold}' if hold else 'release'}",)
            after.setdefault(held(board, piece, state, button, hold), (*path, *press))
    return after


def _turned(board: Board, piece: int, falling: Falling, frame: int) -> Falling:
    after = dict(falling)
    for (state, button), path in falling.items():
        for press in ("clockwise", "counter-clockwise"):
            turned = pressed(piece, state, press)
            if fits(board, piece, turned):
                after.setdefault((turned, button), (*path, f"{frame}:{press}"))
    return after
