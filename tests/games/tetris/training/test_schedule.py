"""What each round of a training plays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpusolve.games.tetris import ValueTrainingSettings, Variant
from gpusolve.games.tetris.players.value import phases_of
from gpusolve.games.tetris.training.schedule import step_of

LONG = Variant("slow5", "nes", start_level=18, max_lines=430, double_killscreen=True)
FAST = replace(LONG, reach="30hz")


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
        (FAST, 3),
    ],
)
def test_a_value_has_tables_for_each_gravity_that_its_games_meet(variant: Variant, phases: int) -> None:
    assert phases_of(variant) == phases


def test_phases_are_learned_backwards() -> None:
    training = ValueTrainingSettings(iterations=100, opening=0.1, rate=1, last_rate=0.1)
    steps = [step_of(training, LONG, iteration) for iteration in range(100)]
    assert [step.starts for step in steps] == [(315,)] * 20 + [(215, 315)] * 30 + [(0, 215, 315)] * 50
    assert [i for i, step in enumerate(steps) if step.share == 1] == [0, 1, 20, 21, 22, 50, 51, 52, 53, 54]
    rates = [step.rate for step in steps]
    assert rates[0] == rates[20] == rates[50] == 1
    assert rates[19] > rates[49] > rates[99] > 0.1
    assert not any(step.is_opening for step in steps)
    assert all(step.in_pairs for step in steps)
    assert not any(step_of(training, Variant(), iteration).in_pairs for iteration in range(100))


def test_fast_taps_play_no_stage_of_the_first_phase() -> None:
    training = ValueTrainingSettings(iterations=100, opening=0.1, rate=1, last_rate=0.1)
    steps = [step_of(training, FAST, iteration) for iteration in range(100)]
    assert [step.starts for step in steps] == [(315,)] * 40 + [(215, 315)] * 60
    assert [i for i, step in enumerate(steps) if step.share == 1] == [0, 1, 2, 3, 40, 41, 42, 43, 44, 45]
