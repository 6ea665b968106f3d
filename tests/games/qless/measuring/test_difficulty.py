"""The daily game's scale of difficulty."""

from __future__ import annotations

import pytest

from gpusolve.games.qless.measuring.difficulty import difficulty_of


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
        (500, 600, False, "thursday"),
        (500, 601, False, "friday"),
    ],
)
def test_the_day_depends_on_the_shapes_tried_and_on_the_dice(
    solutions: int, shapes_tried: int | None, on_dice: bool, day: str | None
) -> None:
    assert difficulty_of(solutions, shapes_tried, on_dice) == day
