"""The daily game's scale of difficulty."""

from __future__ import annotations

import pytest

from gpusolve.games.qless.measuring.difficulty import difficulty_of
from gpusolve.games.qless.measuring.order import DAILY, FITTED


@pytest.mark.parametrize(
    ("solutions", "shapes_tried", "on_dice", "day"),
    [
        (0, None, True, None),
        (9, None, True, "saturday"),
        (9, None, False, "sunday"),
        (500, 9, True, "too easy"),
        (500, 10, True, "monday"),
        (500, 21, True, "tuesday"),
        (500, 151, True, "wednesday"),
        (500, 300, True, "wednesday"),
        (500, 300, False, "thursday"),
        (500, 299, False, "wednesday"),
        (500, 600, True, "wednesday"),
        (500, 601, True, "friday"),
        (500, 601, False, "thursday"),
        (10, 6223, True, "friday"),
    ],
)
def test_the_day_depends_on_the_shapes_tried_and_on_the_dice(
    solutions: int, shapes_tried: int | None, on_dice: bool, day: str | None
) -> None:
    assert difficulty_of(solutions, shapes_tried, on_dice, DAILY) == day


def test_on_the_fitted_scale_the_last_shapes_are_for_saturday_and_sunday() -> None:
    last = FITTED.friday
    assert difficulty_of(10, last, True, FITTED) == "friday"
    assert difficulty_of(10, last + 1, True, FITTED) == "saturday"
    assert difficulty_of(10, last + 1, False, FITTED) == "sunday"
    assert list(FITTED) == sorted(FITTED)
    assert list(DAILY) == sorted(DAILY)
