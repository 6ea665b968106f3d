"""How guesses split answers that have weights. There is no CUDA twin: a GPU's host computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.wordle import kernels
from gpusolve.games.wordle.cpu.weights import LOG_BITS, weigh
from gpusolve.games.wordle.kernels import Letters, Partition, Terms
from gpusolve.games.wordle.rules import Scoring

CHUNK = 1 << 24
"""Number of patterns that are computed at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class WeightedPartition(Partition):
    """Measures of how each guess splits each subset of weighted answers.

    `patterns` and `largest` count answers, as without weights. `sum_squares` is the sum of the weight of each cell
    times the number of its answers, and `sum_nlogn` is the sum of W log2 W over the weights W of the cells, times 2^24,
    where the logarithm is rounded down.

    Attributes
    ----------
    weights : ndarray of int64, shape (subsets,)
        The weight of each subset.
    sum_heaviest : ndarray of int64, shape (subsets, guesses)
        Sum of the weights of the heaviest answer of each cell.
    own : ndarray of int64, shape (subsets, guesses)
        The weight of the guess where it is in the subset; else 0.
    """

    weights: npt.NDArray[np.int64]
    sum_heaviest: npt.NDArray[np.int64]
    own: npt.NDArray[np.int64]

    @property
    def masses(self) -> npt.NDArray[np.int64]:
        """The weight of each subset, shape (subsets,)."""
        return self.weights

    @property
    def now(self) -> npt.NDArray[np.int64]:
        """The weight of the answers that the guess itself finds, shape (subsets, guesses)."""
        return self.own

    @property
    def next(self) -> npt.NDArray[np.int64]:
        """The largest weight of answers that this guess or the one after it can find."""
        return self.sum_heaviest

    @property
    def entropy(self) -> npt.NDArray[np.float64]:
        """The expected information of the pattern in bits, log2 N - (sum of W log2 W) / N for the weight N, float64."""
        masses = self.weights[:, None].astype(np.float64)
        return np.log2(masses) - self.sum_nlogn / (float(1 << LOG_BITS) * masses)

    @property
    def bit(self) -> int:
        """One bit of entropy for an answer of weight 1, in the unit of `sum_nlogn`."""
        return 1 << LOG_BITS


def weighted_partition(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    weights: npt.NDArray[np.int64],
    subsets: Sequence[npt.NDArray[np.integer[Any]]] | None = None,
    *,
    scoring: Scoring = "wordle",
) -> WeightedPartition:
    """Measure how each guess splits each subset of weighted answers: `kernels.partition` with weights.

    `weights`, int64 (answers,), are at least 0. The host of the backend computes it. Raises ValueError for an empty
    subset.
    """
    subsets = [np.arange(len(answers))] if subsets is None else subsets
    sizes = np.array([len(subset) for subset in subsets], np.int32)
    if not sizes.all():
        raise ValueError("partition of an empty subset of the answers")
    members = np.concatenate(subsets).astype(np.int64)
    shape = len(subsets), len(guesses.guesses)
    patterns, largest = (np.zeros(shape, np.int32) for _ in range(2))
    squares, logs, heaviest, own = (np.zeros(shape, np.int64) for _ in range(4))
    contains = np.zeros(shape, np.bool_)
    step = max(1, CHUNK // len(answers))
    for begin in range(0, shape[1], step):
        chunk = replace(guesses, guesses=guesses.guesses[begin : begin + step])
        matrix = np.ascontiguousarray(kernels.pattern_matrix(backend.host, chunk, answers, scoring=scoring))
        cells = 3**guesses.length
        weigh(matrix, members, sizes, weights, cells, begin, patterns, largest, squares, logs, heaviest, own, contains)
    totals = np.add.reduceat(weights[members], np.cumsum(sizes) - sizes)
    return WeightedPartition(sizes, patterns, largest, squares, logs, contains, totals, heaviest, own)
