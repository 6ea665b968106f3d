"""The daily game's scale of difficulty, from too easy to Sunday.

The daily game tries the shapes one by one, the most promising first, until it has ten solutions of everyday words. The
number of shapes that it tries determines the weekday.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Difficulty = Literal["too easy", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
ENOUGH = 10
"""The daily game tries shapes until it has this number of solutions."""
ANY_LETTERS: tuple[Difficulty, ...] = ("thursday", "sunday")
"""Days whose letters the dice cannot show."""


class Scale(NamedTuple):
    """The highest numbers of shapes tried on the days on which the dice can show the roll.

    A roll that they cannot show is Thursday's if it is harder than `easy` and not harder than `friday`.
    """

    too_easy: int
    monday: int
    tuesday: int
    easy: int
    wednesday: int
    friday: int


def difficulty_of(solutions: int, shapes_tried: int | None, on_dice: bool, scale: Scale) -> Difficulty | None:
    """Return the day of a roll, or None if it has no solution of everyday words.

    `shapes_tried` is the number of shapes tried until there are ENOUGH solutions, None if the roll has fewer. `on_dice`
    says whether the dice can show the roll.

    >>> scale = Scale(9, 20, 150, 299, 600, 6223)
    >>> difficulty_of(2046, 30, True, scale), difficulty_of(9, None, True, scale), difficulty_of(0, None, True, scale)
    ('tuesday', 'saturday', None)
    """
    if not solutions:
        return None
    if shapes_tried is None or shapes_tried > scale.friday:
        return "saturday" if on_dice else "sunday"
    if shapes_tried <= scale.too_easy:
        return "too easy"
    if shapes_tried <= scale.monday:
        return "monday"
    if shapes_tried <= scale.tuesday:
        return "tuesday"
    if on_dice:
        return "wednesday" if shapes_tried <= scale.wednesday else "friday"
    return "wednesday" if shapes_tried <= scale.easy else "thursday"
