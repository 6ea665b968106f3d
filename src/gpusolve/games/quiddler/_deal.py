"""One random deal."""

from __future__ import annotations

from gpusolve.checks import check_integer
from gpusolve.games.quiddler.deals import Deal, decode, random_deals
from gpusolve.runs.seeds import check_seed, random_seed

MOST_NUMBER = 10**18
"""The largest number of a deal."""


def deal(seed: int | None = None, number: int = 0) -> Deal:
    """Deal 16 random cards of the deck's 118.

    Parameters
    ----------
    seed : int, optional
        Seed of the deal, 0 to 2^64 - 1. By default a random seed.
    number : int
        Which deal of the seed, from 0: a census solves deals 0, 1, 2, ... of its seed.

    Returns
    -------
    Deal

    Raises
    ------
    BadInput
        For a seed or a number out of range.

    Examples
    --------
    >>> print(deal(1))
    e n s o r d c cl / o o e e t d t u
    """
    check_integer("number", number, 0, MOST_NUMBER)
    return decode(random_deals(random_seed() if seed is None else check_seed(seed), number, 1)[0])
