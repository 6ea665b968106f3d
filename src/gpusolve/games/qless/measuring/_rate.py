"""How hard a roll is, on the scale of the daily game, and rolls as hard as one likes.

The daily game tries the shapes one by one, the most promising first, until it has ten solutions; the number of shapes
tried makes the weekday. Its own order is not public. Here a shape comes the earlier the more of SAMPLE rolls of the
dice have a solution in it, and among equals one with fewer words.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, check_type
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.qless._solve import Solutions, counts, solve
from gpusolve.games.qless.rolls import DICE, can_roll, parse_roll, random_rolls, text_of
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.runs.seeds import check_seed, random_seed

DAYS = ("too easy", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ENOUGH = 10
"""Solutions that end the daily game's search."""
SOLUTIONS = {"wednesday": (ENOUGH, 200), "thursday": (ENOUGH, 200), "friday": (ENOUGH, 200)}
SOLUTIONS |= {"saturday": (1, ENOUGH), "sunday": (1, ENOUGH)}
"""Day -> the solutions that a generated roll has, at least and below: a roll with more is hardly ever of this day."""
SAMPLE = 40
SAMPLE_SEED = 0
MOST_TRIES = 20_000
"""Rolls among which one of a wanted day is looked for."""
BATCH = 64


@dataclass(frozen=True)
class Rating:
    """How hard a roll is. `solutions`: how many it has; `shapes`: in how many shapes; `tried`: the shapes tried until
    ten solutions are found, None where there are fewer; `on_dice`: whether the dice can give it; `day`: one of DAYS,
    None for a roll without a solution.
    """

    roll: str
    solutions: int
    shapes: int
    tried: int | None
    on_dice: bool
    day: str | None
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class Generated:
    """A roll of the wanted day, and how many of the seed were looked at."""

    seed: int
    rating: Rating
    tries: int


def rate(roll: str, variant: Variant = STANDARD, backend: Backend | None = None) -> Rating:
    """How hard a roll of twelve letters is. Raises BadInput for another roll.

    >>> rate("bbcefklnnpux").day
    'saturday'
    """
    begin = time.monotonic()
    backend = open_backend(backend)
    check_type("variant", variant, Variant)
    letters = parse_roll(roll)
    if len(letters) != len(DICE):
        raise BadInput(f"roll: {len(letters)} letters: expected {len(DICE)}, as the scale is made for")
    found = solve(letters, variant, backend=backend)
    tried = _tried(found, _places(variant, cast(Any, backend)))
    on_dice = can_roll(letters)
    day = _day(len(found), tried, on_dice)
    return Rating(letters, len(found), len(np.unique(found.shape)), tried, on_dice, day, time.monotonic() - begin)


def generate(
    day: str = "saturday", variant: Variant = STANDARD, seed: int | None = None, backend: Backend | None = None
) -> Generated:
    """A roll as hard as those of a day: the first among the rolls of a seed. Thursday's and Sunday's are twelve letters
    that the dice do not give, each as likely as another; the others are the dice's.

    Raises BadInput for another day, and NoSolution where none of MOST_TRIES rolls is as wanted.
    """
    check_choice("day", day, DAYS)
    check_type("variant", variant, Variant)
    seed, backend = random_seed() if seed is None else check_seed(seed), open_backend(backend)
    least, most = SOLUTIONS.get(day, (ENOUGH, None))
    for first in range(0, MOST_TRIES, BATCH):
        rolls = _any_letters(seed, first) if day in ("thursday", "sunday") else random_rolls(seed, first, BATCH)
        for i, solutions in enumerate(counts(rolls, variant, most or ENOUGH, backend).tolist()):
            if solutions >= least and (most is None or solutions < most):
                rating = rate(text_of(rolls[i]), variant, backend)
                if rating.day == day:
                    return Generated(seed, rating, first + i + 1)
    raise NoSolution(f"none of {MOST_TRIES:,} rolls of seed {seed} is as hard as on a {day}")


def _day(solutions: int, tried: int | None, on_dice: bool) -> str | None:
    """The day of the published scale."""
    if not solutions:
        return None
    if tried is None:
        return "saturday" if on_dice else "sunday"
    for most, day in ((9, "too easy"), (20, "monday"), (150, "tuesday")):
        if tried <= most:
            return day
    if tried > 600:
        return "friday"
    return "thursday" if tried >= 300 and not on_dice else "wednesday"


def _tried(found: Solutions, places: npt.NDArray[np.int64]) -> int | None:
    """The shapes that are tried until there are ENOUGH solutions."""
    if len(found) < ENOUGH:
        return None
    return int(np.partition(places[found.shape], ENOUGH - 1)[ENOUGH - 1]) + 1


@lru_cache(maxsize=4)
def _places(variant: Variant, backend: Any) -> npt.NDArray[np.int64]:
    """The place of each shape in the order of trying."""
    rolls = random_rolls(SAMPLE_SEED, 0, SAMPLE)
    shapes = variant.loaded(len(DICE), backend).tree.shapes
    having = np.zeros(len(shapes), np.int64)
    for roll in rolls:
        having[np.unique(solve(text_of(roll), variant, backend=backend).shape)] += 1
    places = np.empty(len(shapes), np.int64)
    places[np.lexsort((shapes.words, -having))] = np.arange(len(shapes))
    return places


def _any_letters(seed: int, first: int) -> npt.NDArray[np.uint8]:
    """Rolls of any twelve letters, each as likely as another: uint8, shape (BATCH, 26)."""
    random = np.random.Generator(np.random.PCG64([seed, first]))
    return random.multinomial(len(DICE), [1 / 26] * 26, BATCH).astype(np.uint8)
