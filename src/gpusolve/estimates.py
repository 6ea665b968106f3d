"""Estimates from a sample of games: a mean, its standard error, and its confidence interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy.typing as npt

CONFIDENCE = 0.99
"""The level of every confidence interval unless the user asks for another one."""
LEAST_CONFIDENCE, MOST_CONFIDENCE = 0.5, 0.9999
"""Bounds of the level that a user may ask for."""


@dataclass(frozen=True)
class Estimate:
    """A mean over games and its standard error, which is nan for a single game."""

    mean: float
    error: float

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the ends of the confidence interval, from the normal distribution.

        >>> low, high = Estimate(mean=2.0, error=1.0).interval(0.95)
        >>> round(low, 2), round(high, 2)
        (0.04, 3.96)
        """
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.error
        return self.mean - reach, self.mean + reach


def estimate(values: npt.NDArray[Any]) -> Estimate:
    """Return the mean of some values and its standard error.

    >>> import numpy as np
    >>> estimate(np.array([1.0, 3.0]))
    Estimate(mean=2.0, error=1.0)
    """
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Estimate(float(values.mean()), error)
