"""The start of a value with tables for several phases: a trained value, whose tables the phases take over.

From a value for one phase, every phase takes over the same tables, and two things have to change. The numbers of the
table of heights differ from stage to stage by what the table of lines to come took the other way. Games of another
length have another table of lines to come, so every stage starts from the numbers of one. And the sum of a board's
numbers is scaled by the level: if its mean is not near 0, a new level looks like a gain or a loss of thousands of
points, and play burns lines or waits. So the mean moves from the tables to the table of lines to come.

From a value that has tables for several phases, each phase takes over those with which it plays best. They need not be
those of the same phase: if the start was trained for faster taps, a phase plays better with the tables of a later one,
where a piece falls as far between two taps. With other tables, too much cannot be reached, games end early, and the
value learns to expect that instead of better play.

The phases before level 29 can also take over the tables of a value for one phase that was trained for the same taps.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.tetris.cpu import learning
from gpusolve.games.tetris.cpu.losses import PLACES, PRIOR
from gpusolve.games.tetris.players.judge import greedy
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.players.value import LearnedValue, up_to_kill_screen
from gpusolve.games.tetris.rules.board import DOUBLED, KILL_SCREEN, MAX_LINES
from gpusolve.games.tetris.rules.losses import (
    BEGINS,
    LAST_LINES,
    READY,
    SCALE_BITS,
    SIZE,
    STAGES,
    TABLES,
    UNIT_BITS,
    stakes,
)
from gpusolve.games.tetris.training.episodes import play_ahead, play_episodes
from gpusolve.games.tetris.variant import Variant

SLOPE, LAST_SLOPE = 0.3, 0.7
"""The fraction of what a line still to come can bring that a value expects to lose at first: before level 39, and from
there on."""
STAGE = 4
"""All stages start from the numbers of this one, with 70 to 99 lines to come."""
GAMES = 8
"""Number of games from which the mean is taken."""
TRIALS = 64
"""Number of games by which two sets of tables are compared."""
LARGEST = 32767


def extended(start: LearnedValue, variant: Variant, phases: tuple[int, ...], backend: Backend) -> LearnedValue:
    """Return a value with tables for these phases and for all lines of a variant that starts from a value.

    If both have one phase or both have several, and as many lines, it keeps the table of lines to come. If both have
    several phases, each phase starts from those of the value's tables with which it plays best, otherwise all start
    from the same tables.
    """
    sets, horizon = len(start.phases), variant.max_lines if len(phases) > 1 else MAX_LINES
    endgame, fits = start.endgame, (sets > 1, len(start.endgame)) == (len(phases) > 1, (horizon + 1) * READY)
    if fits and len(phases) == 1:
        return start
    if not fits:
        at_stake = stakes(variant.start_level, horizon, phases=(0, DOUBLED), horizon=horizon)
        to_lose = -np.diff(at_stake.future) * np.where(at_stake.course[:horizon, 1], LAST_SLOPE, SLOPE)
        endgame = np.repeat(np.append(0, to_lose[::-1].cumsum()).round(), READY).astype(np.int32)
    parts = np.split(start.tables, sets) if sets > 1 else [_centred(_without_stages(start), Variant(), backend)[0]]
    chosen = [start.phase_at(level) for level in phases]

    def with_tables(numbers: list[int]) -> LearnedValue:
        return LearnedValue(start.name, start.about, np.concatenate([parts[i] for i in numbers]), endgame, phases)

    if sets == 1 or len(phases) == 1:
        return with_tables(chosen)
    for phase in reversed(range(len(phases))):  # the last one first: what a phase is worth depends on the next
        means = [
            _mean_from(phases[phase], with_tables([*chosen[:phase], part, *chosen[phase + 1 :]]), variant, backend)
            for part in range(sets)
        ]
        chosen[phase] = max(range(sets), key=lambda part: (means[part], part == chosen[phase]))
    return with_tables(chosen)


def with_first_phase(value: LearnedValue, first: LearnedValue, variant: Variant, backend: Backend) -> LearnedValue:
    """Return a value for several phases with the tables of `first`, a value for one phase, before level 29.

    A line still to come there costs as much as it does in `first`, except for the last LAST_LINES. `first` knows games
    that end at level 29, so it gives less and less weight to the boards before that. Games of several phases go on, so
    each of these lines costs as much as a line just before them.
    """
    own, horizon = up_to_kill_screen(variant), len(value.endgame) // READY - 1
    end, early = own.max_lines, bisect_left(value.phases, KILL_SCREEN)
    tables, mean = _centred(first, own, backend)
    scales, _, _, rows = first.stakes(own).course[: end - LAST_LINES].T
    costs = first.endgame[rows * READY] + mean * scales / (1 << SCALE_BITS - UNIT_BITS)
    step = (costs[-LAST_LINES] - costs[-1]) / (LAST_LINES - 1)
    costs = np.append(costs, costs[-1] - step * np.arange(1, LAST_LINES + 2))
    endgame = value.endgame.reshape(-1, READY).copy()
    row = horizon - end  # where level 29 begins
    endgame[row + 1 :] = (endgame[row, 0] + costs[:-1] - costs[-1]).round()[::-1, None]
    tables = np.concatenate([*[tables] * early, value.tables[early * SIZE :]])
    return LearnedValue(value.name, value.about, tables, endgame.reshape(-1), value.phases)


def _mean_from(level: int, value: LearnedValue, variant: Variant, backend: Backend) -> float:
    """Return the mean score of games that start with an empty board where a level begins."""
    lines = np.full(TRIALS, variant.line_of(level), np.int32)
    state = Round(backend, range(TRIALS), seed=0, variant=variant, lines=lines)
    _, results = play_ahead(value.judge(backend, variant), state)
    return float(results[:, 0].mean())


def _without_stages(start: LearnedValue) -> LearnedValue:
    """Return the value with the same numbers of the table of heights for all stages."""
    tables, height = start.tables.copy(), list(TABLES).index("height")
    stages = tables[BEGINS[height] : BEGINS[height + 1]].reshape(-1, len(STAGES) + 1)
    stages[:] = stages[:, [STAGE]]
    return LearnedValue(start.name, start.about, tables, start.endgame)


def _centred(start: LearnedValue, variant: Variant, backend: Backend) -> tuple[npt.NDArray[np.int16], int]:
    """Return the tables of a value for one phase, less the mean sum of the boards of its own games, and that mean."""
    judge, course = start.judge(backend, variant), start.stakes(variant).course.reshape(-1)
    episodes, _ = play_episodes(judge, Round(backend, range(GAMES), seed=0, variant=variant), greedy(judge))
    places = np.empty((len(episodes.boards), PLACES + 2), np.int32)
    learning.describe(episodes.boards, episodes.lines, course, places)
    sums = places[:, int(PRIOR)] + start.tables[places[:, :PLACES]].astype(np.int64).sum(axis=1)
    share = round(float(np.median(sums)) / PLACES) if len(sums) else 0
    return np.clip(start.tables.astype(np.int32) - share, -LARGEST, LARGEST).astype(np.int16), share * PLACES
