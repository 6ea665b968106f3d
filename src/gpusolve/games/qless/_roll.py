"""One roll of the dice."""

from __future__ import annotations

from gpusolve.checks import check_integer
from gpusolve.games.qless.rolls import random_rolls, text_of
from gpusolve.runs.seeds import check_seed, random_seed

MAX_NUMBER = 10**15
"""The highest number of a roll within a seed."""


def roll(*, number: int = 0, seed: int | None = None) -> str:
    """Roll the twelve dice.

    Parameters
    ----------
    number : int, default 0
        Number of the roll within the seed, 0 to 10^15. A sample of `census` consists of rolls 0, 1, 2, ... of its seed.
    seed : int, optional
        Seed of the random choice; a random seed by default.

    Returns
    -------
    str
        The twelve letters in alphabetical order.

    Raises
    ------
    BadInput
        If `number` or `seed` is out of range.

    Examples
    --------
    >>> roll(seed=1), roll(number=1, seed=1)
    ('cdfkloorttxy', 'ccegilmnortx')
    """
    check_integer("number", number, 0, MAX_NUMBER)
    counts = random_rolls(random_seed() if seed is None else check_seed(seed), number, 1)
    return text_of(counts[0])
