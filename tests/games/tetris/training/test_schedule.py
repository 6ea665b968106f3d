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
        (Variant(), 1),
        (Variant(max_lines=430), 1),
        (Variant("30hz"), 1),
        (Variant("30hz", max_lines=231), 2),
        (Variant("30hz", max_lines=430), 2),
        (Variant("30hz", max_lines=330, double_killscreen=True), 2),
        (LONG, 3),
        (replace(LONG, reach="slow5"), 3),
    ],
)
def test_a_value_has_tables_for_each_gravity_that_its_games_meet(variant: Variant, phases: int) -> None:
    assert phases_of(variant) == phases


def test_phases_are_learned_backwards() -> None:
    training = ValueTrainingSettings(iterations=100, opening=0.1, rate=1, last_rate=0.1)
    steps = [step_of(training, LONG, iteration) for iteration in range(100)]
    assert [step.starts for step in steps] == [(315,)] * 40 + [(215, 315)] * 60  # the first phase is not learned
    assert [i for i, step in enumerate(steps) if step.share == 1] == [0, 1, 2, 3, 40, 41, 42, 43, 44, 45]
    rates = [step.rate for step in steps]
    assert rates[0] == rates[40] == 1
    assert rates[39] > rates[99] > 0.1
    assert not any(step.is_opening for step in steps)
    assert all(step.looks_ahead for step in steps)
    assert not any(step_of(training, Variant(), iteration).looks_ahead for iteration in range(100))
