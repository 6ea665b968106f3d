"""One roll of the dice."""

from __future__ import annotations

from gpusolve.checks import check_integer
from gpusolve.games.qless.rolls import Roll, random_rolls, text_of
from gpusolve.runs.seeds import check_seed, random_seed

MAX_NUMBER = 10**15
"""The highest number of a roll within a seed."""


def roll(*, number: int = 0, seed: int | None = None) -> Roll:
    """Roll the twelve dice.

    Parameters
    ----------
    number : int, default 0
        Number of the roll among those of the seed, from 0 to 10^15. A sample of `census` consists of rolls 0, 1, 2 and
        so on of its seed.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.

    Returns
    -------
    Roll
        The twelve letters, the seed and the number.

    Raises
    ------
    BadInput
        If `number` or `seed` is out of range.

    Examples
    --------
    ``gpusolve qless roll --seed 1``

    >>> print(roll(seed=1), roll(number=1, seed=1))
    cdfkloorttxy ccegilmnortx
    """
    number = check_integer("number", number, 0, MAX_NUMBER)
    seed = random_seed() if seed is None else check_seed(seed)
    return Roll(text_of(random_rolls(seed, number, 1)[0]), seed, number)
