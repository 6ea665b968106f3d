"""What each round of a value's training plays, and how it learns from it.

A value with tables for one phase of a game starts untrained. In the opening the published weights play and only the
table of lines to come learns. Then the value plays itself; while its play settles, rounds are small.

A value with tables for several phases starts from a value that plays already, whose tables the phases take over
(`extension`). The first phase stays as it is: its tables come from millions of games without a clock, or from faster
taps, and learning them further made play worse (``benchmarks/results/tetris-tournament-trials.md``). The others are
learned backwards, one stage for each: in the first stage games start at the last phase, in the next one also at the
phase before, and so on. So a phase works towards a value of the next one that is trained, and the last phase, which few
games reach, is met as often as the others. Games start from an empty board LEAD lines before their phase. Each stage
has an opening of its own, in which only the table of lines to come learns what its new lines are worth.
"""

from __future__ import annotations

from typing import NamedTuple

from gpusolve.games.tetris.training.settings import ValueTrainingSettings
from gpusolve.games.tetris.variant import Variant

FIRST_SHARE, SHARE = 0.85, 0.4
"""The fraction of an error that the table of lines to come takes while play settles, and after that."""
SETTLING_ROUNDS = 8
"""While play settles, rounds are smaller by this factor: a beginner who learns from a few games at a time goes less far
astray than one who learns from many."""
LEAD = 15
GROWTH = 3, 2
"""The numbers of rounds of a stage and of the one before it are in this proportion."""


class Step(NamedTuple):
    """A round: its number of games, the lines at which they start in turn, and how the value learns from them.

    `share` is the fraction of an error that the table of lines to come takes; at 1 nothing else learns. `is_opening`
    is whether a beginner plays, `looks_ahead` whether play is two pieces deep.
    """

    games: int
    starts: tuple[int, ...]
    rate: float
    share: float
    is_opening: bool
    looks_ahead: bool


def step_of(training: ValueTrainingSettings, variant: Variant, phases: tuple[int, ...], iteration: int) -> Step:
    """Return what round `iteration`, counted from 0, plays to train a value with these phases."""
    if len(phases) == 1:
        opening, settled = training.milestones
        settling = opening <= iteration < settled
        count = max(1, training.games // SETTLING_ROUNDS) if settling else training.games
        share = 1.0 if iteration < opening else FIRST_SHARE if settling else SHARE
        return Step(count, (0,), training.rate_of(iteration), share, iteration < opening, False)
    stage, begin, end = _stage(training.iterations, iteration, len(phases))
    starts = [variant.line_of(level) for level in phases[stage:]]
    rate = training.rate * (training.last_rate / training.rate) ** ((iteration - begin) / (end - begin))
    share = 1.0 if iteration - begin < round(training.opening * (end - begin)) else SHARE
    return Step(training.games, tuple(max(0, line - LEAD) for line in starts), float(rate), share, False, True)


def _stage(iterations: int, iteration: int, phases: int) -> tuple[int, int, int]:
    """Return the first phase whose games a round plays, and the rounds where its stage begins and ends."""
    more, less = GROWTH
    parts, begin = [more ** (phases - 1 - stage) * less ** (stage - 1) for stage in range(1, phases)], 0
    for stage in range(phases - 1, 0, -1):
        end = round(iterations * sum(parts[stage - 1 :]) / sum(parts))
        if iteration < end:
            break
        begin = end
    return stage, begin, end
