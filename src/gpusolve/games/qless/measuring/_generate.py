"""Rolls of a given difficulty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, check_type
from gpusolve.errors import NoSolution
from gpusolve.games.qless._count import counts
from gpusolve.games.qless.measuring._rate import Rating, rate
from gpusolve.games.qless.measuring.difficulty import ANY_LETTERS, DAYS, ENOUGH, SOLUTION_BOUNDS
from gpusolve.games.qless.rolls import DICE, random_rolls, text_of
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.notebook import as_html, as_text
from gpusolve.runs.seeds import check_seed, random_seed

MAX_TRIES = 20_000
"""Number of rolls of a seed among which one of the given day is searched for."""
BATCH = 64


@dataclass(frozen=True)
class Generated:
    """A roll of a given difficulty.

    Attributes
    ----------
    seed : int
        Seed of the random choice.
    rating : Rating
        The roll and its difficulty.
    rolls_tried : int
        Number of rolls of the seed that were tried; the last one is the result.
    """

    seed: int
    rating: Rating
    rolls_tried: int

    _repr_html_ = as_html
    __repr__ = as_text


def generate(
    day: str = "saturday", *, variant: Variant = STANDARD, seed: int | None = None, backend: Backend | None = None
) -> Generated:
    """Generate a roll with the difficulty of a day in the daily game.

    It is the first roll of a seed with this difficulty. On Thursday and Sunday it consists of twelve letters that the
    dice cannot show, each drawn uniformly from the alphabet; on the other days it is a roll of the dice.

    Parameters
    ----------
    day : str, default "saturday"
        "too easy", or "monday" to "sunday".
    variant : Variant, optional
        The words that count, and the rules; the standard game by default.
    seed : int, optional
        Seed of the random choice; a random seed by default.
    backend : Backend, optional
        The device; by default the one that `open_backend` chooses.

    Returns
    -------
    Generated
        The roll, its rating, and the seed.

    Raises
    ------
    NoSolution
        If none of the first 20,000 rolls has this difficulty.
    BadInput
        If `day` or `seed` is out of range.

    Examples
    --------
    >>> generate("saturday", seed=1).rating.day
    'saturday'
    """
    check_choice("day", day, DAYS)
    check_type("variant", variant, Variant)
    seed, backend = random_seed() if seed is None else check_seed(seed), open_backend(backend)
    fewest, too_many = SOLUTION_BOUNDS.get(day, (ENOUGH, None))
    for first in range(0, MAX_TRIES, BATCH):
        rolls = _any_letters(seed, first) if day in ANY_LETTERS else random_rolls(seed, first, BATCH)
        numbers = counts(rolls, variant=variant, limit=too_many or ENOUGH, backend=backend)
        for i, solutions in enumerate(numbers.tolist()):
            if solutions >= fewest and (too_many is None or solutions < too_many):
                rating = rate(text_of(rolls[i]), variant=variant, backend=backend)
                if rating.day == day:
                    return Generated(seed, rating, first + i + 1)
    raise NoSolution(f"none of the first {MAX_TRIES:,} rolls of seed {seed} has the difficulty '{day}'")


def _any_letters(seed: int, first: int) -> npt.NDArray[np.uint8]:
    """Return rolls of twelve letters drawn uniformly from the alphabet: uint8, shape (BATCH, 26)."""
    random = np.random.Generator(np.random.PCG64([seed, first]))
    return random.multinomial(len(DICE), [1 / 26] * 26, BATCH).astype(np.uint8)
