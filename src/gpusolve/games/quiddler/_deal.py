"""One random deal."""

from __future__ import annotations

from dataclasses import replace

from gpusolve.checks import check_integer
from gpusolve.games.quiddler.deals import Deal, decode, random_deals
from gpusolve.runs.seeds import check_seed, random_seed

MOST_NUMBER = 10**18
"""The largest number of a deal."""


def deal(seed: int | None = None, *, number: int = 0) -> Deal:
    """Deal 16 random cards from the deck of 118.

    Parameters
    ----------
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    number : int, default 0
        Number of the deal among those of the seed, from 0. A census solves deals 0, 1, 2 and so on.

    Returns
    -------
    Deal

    Raises
    ------
    BadInput
        For a seed or a number out of range.

    Examples
    --------
    ``gpusolve quiddler deal --seed 1``

    >>> print(deal(1))
    e n s o r d c cl / o o e e t d t u
    """
    number = check_integer("number", number, 0, MOST_NUMBER)
    seed = random_seed() if seed is None else check_seed(seed)
    return replace(decode(random_deals(seed, range(number, number + 1))[0]), seed=seed, number=number)
