"""The daily game's scale of difficulty, from too easy to Sunday.

The daily game tries the shapes one by one, the most promising first, until it has ten solutions. The number of shapes
that it tries determines the weekday.
"""

from __future__ import annotations

from typing import Literal, get_args

Difficulty = Literal["too easy", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
ENOUGH = 10
"""The daily game tries shapes until it has this number of solutions."""
EASIER_DAYS: tuple[tuple[int, Difficulty], ...] = ((9, "too easy"), (20, "monday"), (150, "tuesday"))
"""Pairs of the highest number of shapes tried and the day."""
THURSDAY, FRIDAY = 300, 600
"""Above 600 shapes a roll is Friday's. From 300 on it is Thursday's, not Wednesday's, if the dice cannot show it."""
ANY_LETTERS: tuple[Difficulty, ...] = ("thursday", "sunday")
"""Days whose letters the dice cannot show."""
SOLUTION_BOUNDS: dict[str, tuple[int, int]] = {
    "wednesday": (ENOUGH, 200),
    "thursday": (ENOUGH, 200),
    "friday": (ENOUGH, 200),
    "saturday": (1, ENOUGH),
    "sunday": (1, ENOUGH),
}
"""Day -> number of solutions of a generated roll, from the first bound to below the second.

A roll with 200 solutions or more hardly ever has such a day, so it is not worth rating.
"""


def difficulty_of(solutions: int, shapes_tried: int | None, on_dice: bool) -> Difficulty | None:
    """Return the day of a roll, or None if it has no solution.

    `shapes_tried` is the number of shapes tried until there are ENOUGH solutions, None if the roll has fewer. `on_dice`
    says whether the dice can show the roll.

    >>> difficulty_of(2046, 30, True), difficulty_of(9, None, True), difficulty_of(0, None, True)
    ('tuesday', 'saturday', None)
    """
    if not solutions:
        return None
    if shapes_tried is None:
        return "saturday" if on_dice else "sunday"
    for most, day in EASIER_DAYS:
        if shapes_tried <= most:
            return day
    if shapes_tried > FRIDAY:
        return "friday"
    return "thursday" if shapes_tried >= THURSDAY and not on_dice else "wednesday"
