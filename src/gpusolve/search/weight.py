"""The weight of a search whose solutions cost at most this many times the optimum."""

from __future__ import annotations

from fractions import Fraction

FINEST = 10
"""Greatest denominator of the fraction that a search uses."""


def ratio_of(weight: float) -> Fraction:
    """Return the largest fraction with a denominator of at most FINEST that is not above a weight of at least 1.

    >>> ratio_of(1.2), ratio_of(1.05), ratio_of(1.5)
    (Fraction(6, 5), Fraction(1, 1), Fraction(3, 2))
    """
    exact = Fraction(str(float(weight)))  # 1.2 as it is written, not the float below it
    return max(Fraction(int(exact * parts), parts) for parts in range(1, FINEST + 1))
