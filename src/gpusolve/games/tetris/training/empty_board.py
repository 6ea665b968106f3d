"""The value of the empty board, which games rarely come back to and from which training learns nearly nothing.

A board is empty at the start of a game and after a clear of everything. A value that overestimates its loss prefers to
lay an I flat where four lines would leave nothing. The numbers for height 0 in the table of heights belong to the
empty board alone, one for each phase and stage of a game. So they can be set such that its loss is what is to be
expected: the mean over the seven pieces of the loss of the best placement. Games that are played out confirm that loss,
and also that clearing everything costs as much as waiting; a small bonus settles it for the clear, as players would.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gpusolve.backend import Backend
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, level_at
from gpusolve.games.tetris.rules.losses import BEGINS, SCALE_BITS, TABLES, UNIT_BITS, loss
from gpusolve.games.tetris.variant import Variant

LARGEST = 32767
BONUS = 500
"""In the tables' units, 4,000 points at level 19: less than the errors of the tables."""
HEIGHT = BEGINS[list(TABLES).index("height")]


def with_empty_board(value: LearnedValue, variant: Variant, backend: Backend) -> LearnedValue:
    """Return the value with the expectation for the empty board, in each phase and stage of a variant's games.

    It is taken in the middle of a stage. Stages that the games do not have stay as they are.
    """
    at_stake, tables = value.stakes(variant), np.array(value.tables)
    empty = np.zeros((ROWS, COLUMNS), np.uint8)
    judge = value.judge(backend, variant)
    kinds, groups = np.unique(at_stake.course[:-1, 1:3], axis=0, return_inverse=True)
    for kind, (begin, stage) in enumerate(kinds.tolist()):
        lines = np.flatnonzero(groups.reshape(-1) == kind)
        middle = int(lines[len(lines) // 2])
        level = min(level_at(middle, variant.start_level), LEVELS - 1)
        leaves = judge.leaf(
            backend.asarray(np.zeros((7, COLUMNS), np.uint32)),
            backend.asarray(np.arange(7, dtype=np.int32)),
            levels=backend.asarray(np.full(7, level, np.int32)),
            accounts=backend.asarray(np.full(7, middle, np.int32)),
        )
        expected = float(backend.to_host(leaves).mean())
        excess = expected - loss(value.tables, value.endgame, empty, lines=middle, at_stake=at_stake)
        units = round(excess * 2 ** (SCALE_BITS - UNIT_BITS) / int(at_stake.course[middle, 0])) - BONUS
        entry = int(tables[begin + HEIGHT + stage]) + units  # beyond int16 after a short training
        tables[begin + HEIGHT + stage] = max(-LARGEST, min(entry, LARGEST))
    return replace(value, tables=tables)
