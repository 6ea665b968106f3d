"""The first phase of a value, blended with the tables of another value.

Tables that were learned under different conditions judge a board differently, and their mean often plays better than
each of them. With slow taps, tables that were learned there survive but give points away, those that were learned
without a clock die early, and a blend does neither. So the first phase, which a training in stages does not learn, can
get the blend that plays best.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gpusolve.backend import Backend
from gpusolve.games.tetris.players.changes import blend_of, blends_of
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.playing import play
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.rules.losses import SIZE, STAGES
from gpusolve.games.tetris.training.extension import extended
from gpusolve.games.tetris.variant import Variant

EMPTY = len(STAGES) + 1
"""Tables that a value took over differ at most in this number of places, those of the empty board."""


def blended(
    value: LearnedValue,
    other: LearnedValue,
    *,
    games: int,
    seed: int,
    variant: Variant,
    backend: Backend,
) -> LearnedValue:
    """Return a value whose first phase has the best blend of its own tables with all sets of tables of another value.

    Each blend plays the same games, two pieces deep, and the one with the highest mean score is the best. If the value
    has tables for one phase, the table of lines to come is blended, too; otherwise it must fit the phases after that.
    """
    own, later = value.tables[:SIZE], value.tables[SIZE:]
    alone = extended(other, variant, value.phases[:1], backend)
    if len(other.tables) > SIZE:  # all are centred already
        others = np.split(other.tables, len(other.tables) // SIZE)
    else:
        others = [extended(other, variant, value.phases, backend).tables[:SIZE]]
    sets = [own, *(part for part in others if np.count_nonzero(part != own) > EMPTY)]

    def with_blend(blend: tuple[int, ...]) -> LearnedValue:
        endgame = value.endgame
        if not len(later):
            endgame = blend_of([value.endgame, alone.endgame], [min(part, 1) for part in blend])
        return replace(value, tables=np.concatenate([blend_of(sets, blend), later]), endgame=endgame)

    policy = policy_of(value, variant=variant)
    best, most = value, -1.0
    for blend in blends_of(len(sets)):
        candidate = with_blend(blend)
        mean = float(play(backend, candidate, range(games), seed=seed, policy=policy, variant=variant).scores.mean())
        if mean > most:
            best, most = candidate, mean
    return best
