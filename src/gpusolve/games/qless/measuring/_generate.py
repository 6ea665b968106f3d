"""Rolls of a given difficulty."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, check_type
from gpusolve.errors import NoSolution
from gpusolve.games.qless._count import counts
from gpusolve.games.qless.measuring._rate import Rating, order_of, rate_by
from gpusolve.games.qless.measuring.difficulty import ANY_LETTERS, DIFFICULTIES, Difficulty
from gpusolve.games.qless.rolls import DICE, random_rolls, text_of
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import FLAT, Result
from gpusolve.runs.seeds import check_seed, random_seed

MAX_TRIES = 20_000
"""Number of rolls of a seed among which one of the given day is searched for."""
BATCH = 64
MANY = 200
"""A roll with so many solutions of everyday words hardly ever has one of the HARD days, so it is not worth rating."""
HARD: tuple[Difficulty, ...] = ("wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, repr=False)
class Generated(Result, schema="qless.generate/3"):
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
    rating: Rating = field(metadata=FLAT)
    rolls_tried: int


def generate(
    *,
    difficulty: Difficulty = "saturday",
    order: Path | None = None,
    variant: Variant = STANDARD,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Generated:
    """Generate a roll of a given difficulty.

    The difficulty is that of a day in the daily game, as `rate` measures it. The result is the first roll of a seed
    with this difficulty. On Thursday and Sunday it consists of twelve letters that the dice cannot show, each drawn
    uniformly from the alphabet; on the other days it is a roll of the dice.

    Parameters
    ----------
    difficulty : str, default "saturday"
        Difficulty on the daily game's scale: ``too easy``, or ``monday`` to ``sunday``.
    order : Path, optional
        File with the shapes in the order in which the daily game tries them, as its repository has it, or one per line.
        By default an estimate, with a scale that was fitted to the rolls of the daily game.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Generated
        The roll, its rating, and the seed.

    Raises
    ------
    NoSolution
        If none of the first 20,000 rolls has this difficulty.
    BadInput
        If `difficulty` or `seed` is out of range, if `order` is not such a file, or if no word of the dictionary is an
        everyday word.

    Examples
    --------
    ``gpusolve qless generate --difficulty saturday --seed 1``

    >>> generate(difficulty="saturday", seed=1).rating.difficulty
    'saturday'
    """
    check_choice("difficulty", difficulty, DIFFICULTIES)
    check_type("variant", variant, Variant)
    seed, backend = random_seed() if seed is None else check_seed(seed), open_backend(backend)
    tries = order_of(order, variant, backend)
    for first in range(0, MAX_TRIES, BATCH):
        rolls = _any_letters(seed, first) if difficulty in ANY_LETTERS else random_rolls(seed, first, BATCH)
        numbers = counts(rolls, variant=variant.everyday, limit=MANY, backend=backend)
        for i, solutions in enumerate(numbers.tolist()):
            if 0 < solutions < MANY or (solutions == MANY and difficulty not in HARD):
                rating = rate_by(text_of(rolls[i]), tries, variant, backend)
                if rating.difficulty == difficulty:
                    return Generated(seed, rating, first + i + 1)
    raise NoSolution(f"none of the first {MAX_TRIES:,} rolls of seed {seed} has the difficulty '{difficulty}'")


def _any_letters(seed: int, first: int) -> npt.NDArray[np.uint8]:
    """Return rolls of twelve letters drawn uniformly from the alphabet: uint8, shape (BATCH, 26)."""
    random = np.random.Generator(np.random.PCG64([seed, first]))
    return random.multinomial(len(DICE), [1 / 26] * 26, BATCH).astype(np.uint8)
