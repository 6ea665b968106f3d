"""The pieces of a game, drawn as `rules.sources` draws them."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.tetris.cpu.tables import i32, u64
from gpusolve.games.tetris.rules.sources import NES_ORDER, NES_SPAWN_IDS
from gpusolve.runs.seeds import GOLDEN as GOLDEN_INT

GOLDEN = u64(GOLDEN_INT)
ORDER = np.array(NES_ORDER, i32)
NES_IDS = np.array(NES_SPAWN_IDS, i32)


@compiled
def seed_dice(dice, seed, game, source):
    """Set dice to the generator's state, the console's register, its count, and the previous piece (7: none)."""
    dice[0] = mix(mix(u64(seed) + GOLDEN) + u64(game) * GOLDEN)
    dice[2] = u64(0)
    dice[3] = u64(7)
    if source:
        dice[1] = draw(dice) % u64(32767) + u64(1) << u64(1)


@compiled
def next_piece(dice, source):
    """Draw the piece that follows dice[3] and return its number."""
    if source == 0:
        piece = draw(dice) >> u64(29)
        if piece == dice[3] or piece == u64(7):
            piece = draw(dice) * u64(7) >> u64(32)
        dice[3] = piece
        return i32(piece)
    register = dice[1]
    for _ in range(u64(16) + (draw(dice) & u64(15))):
        register = lfsr(register)
    dice[2] += u64(1)
    piece = (register >> u64(8)) + dice[2] & u64(7)
    if piece == dice[3] or piece == u64(7):
        register = lfsr(register)
        spawn_id = u64(NES_IDS[dice[3]]) if dice[3] < u64(7) else u64(0)
        piece = ((register >> u64(8) & u64(7)) + spawn_id) % u64(7)
    dice[1] = register
    dice[3] = piece
    return ORDER[piece]


@compiled
def draw(dice):
    """Return 32 random bits and advance the counter dice[0]."""
    dice[0] += GOLDEN
    return mix(dice[0]) >> u64(32)


@compiled
def lfsr(v):
    """Return the next state of the console's linear feedback shift register."""
    return v >> u64(1) | ((v >> u64(1) ^ v >> u64(9)) & u64(1)) << u64(15)


@compiled
def mix(x):
    """Compute SplitMix64's output function (Steele, Lea and Flood 2014)."""
    x = (x ^ x >> u64(30)) * u64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> u64(27)) * u64(0x94D049BB133111EB)
    return x ^ x >> u64(31)
