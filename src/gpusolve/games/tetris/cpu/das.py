"""The placements of the console's delayed auto-shift (`gpusolve.games.tetris.rules.das`), all charges at once."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.tetris.cpu.reachability import open_after, rest, turn_rows, turned
from gpusolve.games.tetris.cpu.tables import SPAWN_COLUMN, u32, u64
from gpusolve.games.tetris.rules.das import READY, REPEAT

CHARGES = READY + 1  # a charge of 16 does what 15 does
# The words: the left button with each charge, the right button, and no button with a charge that is ready or is not;
# and all of these again for states in which a button has been pressed since the piece appeared.
RIGHT, UP, LOST, AGAIN = CHARGES, 2 * CHARGES, 2 * CHARGES + 1, 2 * CHARGES + 2
WORDS = 2 * AGAIN


@compiled
def das_placements(columns, begin, piece, frames, scratch):
    """Find the placements that leave the charge ready: frames[s] frames come before drop s + 1.

    Returns what `timed_placements` returns, and fills AFTER. A state is a bit of a word, as there; there is a word for
    each button that is held, each charge, and whether it was pressed again.
    """
    turn_rows(columns, begin, scratch)
    words = np.zeros(WORDS, u64)
    allowed = open_after(scratch, piece, u32(0))
    spawned = allowed & u64(1) << SPAWN_COLUMN[piece]
    words[READY], words[RIGHT + READY], words[UP] = spawned, spawned, spawned
    count, drops, frame, falling = u64(0), u32(0), 0, spawned
    while falling:
        for _ in range(frames[drops]):
            _hold(words, allowed)
            if frame % 2 == 0:
                for i in range(WORDS):
                    if words[i]:
                        words[i] = turned(words[i], piece) & allowed
            frame += 1
        allowed = open_after(scratch, piece, drops + u32(1))
        resting = (words[READY] | words[RIGHT + READY] | words[UP]) & ~allowed
        resting |= (words[AGAIN + READY] | words[AGAIN + RIGHT + READY] | words[AGAIN + UP]) & ~allowed
        falling = u64(0)
        for i in range(WORDS):
            words[i] &= allowed
            falling |= words[i]
        count += rest(scratch, drops, resting)
        drops += u32(1)
    return count, drops


@inlined
def _hold(words, allowed):
    """Move the words of all buttons and charges by one frame."""
    up = words[UP] | words[LOST]
    to_left, to_right = up | _any(words, RIGHT), up | _any(words, 0)  # those that press the button now
    _keep(words, 0, allowed)
    _keep(words, AGAIN, allowed)
    left, right = to_left >> u64(1) & allowed, to_right << u64(1) & allowed
    words[AGAIN] = left
    words[AGAIN + RIGHT] = right
    words[AGAIN + READY] |= to_left & ~(left << u64(1))
    words[AGAIN + RIGHT + READY] |= to_right & ~(right >> u64(1))


@inlined
def _any(words, button):
    states = u64(0)
    for charge in range(CHARGES):
        states |= words[button + charge]
    return states


@inlined
def _keep(words, begin, allowed):
    """Move the words from `begin` on by a frame in which the button is held or released, but none is pressed."""
    left, right = words[begin + READY], words[begin + RIGHT + READY]
    words[begin + UP] |= left | right
    words[begin + LOST] |= (_any(words, begin) | _any(words, begin + RIGHT)) & ~words[begin + UP]
    for charge in range(READY, 0, -1):
        words[begin + charge] = words[begin + charge - 1]
        words[begin + RIGHT + charge] = words[begin + RIGHT + charge - 1]
    words[begin], words[begin + RIGHT] = u64(0), u64(0)
    further = left >> u64(1) & allowed
    words[begin + REPEAT] |= further
    words[begin + READY] |= left & ~(further << u64(1))
    further = right << u64(1) & allowed
    words[begin + RIGHT + REPEAT] |= further
    words[begin + RIGHT + READY] |= right & ~(further >> u64(1))
