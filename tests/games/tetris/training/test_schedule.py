"""What each round of a training plays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpusolve.games.tetris import ValueTrainingSettings, Variant
from gpusolve.games.tetris.players.value import phases_of
from gpusolve.games.tetris.training.schedule import step_of

LONG = Variant("30hz", "nes", start_level=18, max_lines=430, double_killscreen=True)


@pytest.mark.parametrize(
    ("variant", "phases"),
    [
        (Variant(), (0,)),
        (Variant(max_lines=430), (0,)),
        (Variant("30hz"), (0,)),
        (Variant("30hz", max_lines=231), (0, 29)),
        (Variant("30hz", max_lines=430), (0, 29)),
        (Variant("30hz", max_lines=330, double_killscreen=True), (0, 29)),
        (LONG, (0, 29, 39)),
        (replace(LONG, reach="slow5"), (0, 29, 39)),
    ],
)
def test_a_value_has_tables_for_each_gravity_that_its_games_meet(variant: Variant, phases: tuple[int, ...]) -> None:
    assert phases_of(variant) == phases


def test_phases_are_learned_backwards() -> None:
    training = ValueTrainingSettings(iterations=100, opening=0.1, rate=1, last_rate=0.1)
    steps = [step_of(training, LONG, (0, 29, 39), iteration) for iteration in range(100)]
    assert [step.starts for step in steps] == [(315,)] * 40 + [(215, 315)] * 60  # the first phase is not learned
    assert [i for i, step in enumerate(steps) if step.share == 1] == [0, 1, 2, 3, 40, 41, 42, 43, 44, 45]
    rates = [step.rate for step in steps]
    assert rates[0] == rates[40] == 1
    assert rates[39] > rates[99] > 0.1
    assert not any(step.is_opening for step in steps)
    assert all(step.looks_ahead for step in steps)
    assert not any(step_of(training, Variant(), (0,), iteration).looks_ahead for iteration in range(100))


def test_each_stage_takes_half_as_long_again_as_the_one_before() -> None:
    training = ValueTrainingSettings(iterations=190)
    starts = [step_of(training, LONG, (0, 19, 29, 39), iteration).starts for iteration in range(190)]
    assert starts == [(315,)] * 40 + [(215, 315)] * 60 + [(115, 215, 315)] * 90
    only = [step_of(training, LONG, (0, 19), iteration).starts for iteration in range(190)]
    assert only == [(115,)] * 190
