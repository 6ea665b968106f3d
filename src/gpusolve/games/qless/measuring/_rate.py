"""The difficulty of a roll.

The order in which the daily game tries the shapes is not public. Here a shape comes earlier if more rolls of a sample
have a solution in it, and of equally frequent shapes the one with fewer words comes first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_type
from gpusolve.errors import BadInput, Exit
from gpusolve.games.qless._solve import Solutions, solve
from gpusolve.games.qless.measuring.difficulty import ENOUGH, Difficulty, difficulty_of
from gpusolve.games.qless.rolls import DICE, Roll, can_roll, parse_roll, random_rolls, text_of
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import Result

SAMPLE = 40
"""Number of rolls from which the order of the shapes is estimated."""
SAMPLE_SEED = 0


@dataclass(frozen=True, repr=False)
class Rating(Result, schema="qless.rate/2"):
    """The difficulty of a roll.

    Attributes
    ----------
    roll : str
        The letters of the roll in alphabetical order.
    solutions : int
        Number of solutions.
    shapes : int
        Number of different shapes that the solutions have.
    shapes_tried : int or None
        Number of shapes tried, the most promising first, until ten solutions are found; None if there are fewer.
    on_dice : bool
        Whether the dice can show the roll.
    difficulty : str or None
        Difficulty on the daily game's scale: "too easy", or "monday" to "sunday"; None if the roll has no solution.
    seconds : float
        Time that the search took.
    """

    roll: str
    solutions: int
    shapes: int
    shapes_tried: int | None
    on_dice: bool
    difficulty: Difficulty | None
    seconds: float = field(compare=False)

    @property
    def exit_code(self) -> int:
        """The exit code of the command: `Exit.NO_SOLUTION` for a roll without one."""
        return Exit.DONE if self.solutions else Exit.NO_SOLUTION


def rate(roll: str | Roll, *, variant: Variant = STANDARD, backend: Backend | None = None) -> Rating:
    """Rate how hard a roll of twelve letters is.

    The scale is that of the daily game, from Monday to Sunday.

    Parameters
    ----------
    roll : str
        The twelve letters of the roll, such as ``bbcefklnnpux``; spaces and commas are ignored.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Rating
        The weekday, and the numbers that determine it.

    Raises
    ------
    BadInput
        If `roll` does not have twelve letters.

    Examples
    --------
    ``gpusolve qless rate bbcefklnnpux``

    >>> rate("bbcefklnnpux").difficulty
    'saturday'
    """
    begin = clock.now()
    backend = open_backend(backend)
    check_type("variant", variant, Variant)
    letters = parse_roll(roll)
    if len(letters) != len(DICE):
        raise BadInput(f"roll: {len(letters)} letters: expected {len(DICE)}, because the scale is made for them")
    solutions = solve(letters, variant=variant, backend=backend)
    tried = _shapes_tried(solutions, _ranks(variant, cast(Any, backend)))
    on_dice = can_roll(letters)
    return Rating(
        roll=letters,
        solutions=len(solutions),
        shapes=len(np.unique(solutions.shape)),
        shapes_tried=tried,
        on_dice=on_dice,
        difficulty=difficulty_of(len(solutions), tried, on_dice),
        seconds=clock.now() - begin,
    )


def _shapes_tried(solutions: Solutions, ranks: npt.NDArray[np.int64]) -> int | None:
    """Return the number of shapes tried until there are ENOUGH solutions, None if there are fewer."""
    if len(solutions) < ENOUGH:
        return None
    return int(np.partition(ranks[solutions.shape], ENOUGH - 1)[ENOUGH - 1]) + 1


@lru_cache(maxsize=4)  # a property of the variant; it takes longer than rating a roll
def _ranks(variant: Variant, backend: Any) -> npt.NDArray[np.int64]:
    """Return the rank of each shape in the order in which they are tried, from 0."""
    shapes = variant.loaded(len(DICE), backend).tree.shapes
    frequency = np.zeros(len(shapes), np.int64)
    for roll in random_rolls(SAMPLE_SEED, 0, SAMPLE):
        frequency[np.unique(solve(text_of(roll), variant=variant, backend=backend).shape)] += 1
    ranks = np.empty(len(shapes), np.int64)
    ranks[np.lexsort((shapes.words, -frequency))] = np.arange(len(shapes))
    return ranks
