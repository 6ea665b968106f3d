"""Lower bounds on the cost of many subsets of the answers at once: the part of an exact search that a device does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, in_batches
from gpusolve.games.wordle.kernels import ALIGN, PROGRAM, Letters, Terms, prepare
from gpusolve.games.wordle.rules import SOLVED, Scoring

TERMS = 350
"""Approximate number of rows of terms: bytes on the device for each answer of a subset."""


def bounds(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    subsets: Sequence[npt.NDArray[np.integer[Any]]],
    *,
    scoring: Scoring = "wordle",
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the minimum bound over all guesses on each subset, and the first guess that attains it.

    Both are int32 (subsets,). The bound is on the total number of guesses over all answers of the subset. `subsets`
    are arrays of indices into `answers`, none of them empty.
    """
    sizes = np.array([len(subset) for subset in subsets], np.int32)
    room = (sizes + ALIGN - 1) // ALIGN * ALIGN
    starts = np.cumsum(room, dtype=np.int64) - room
    members = np.concatenate(subsets)
    columns = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(members))
    prepared = prepare(backend, guesses, answers[members], columns=columns, scoring=scoring)
    given = map(backend.asarray, (starts.astype(np.int32), sizes))
    bound, best = map(backend.to_host, backend.launch(PROGRAM, "bounds", len(subsets), *prepared, *given))
    return bound, best


def start_bounds(
    backend: Backend,
    guesses: Terms,
    answers: Letters,
    *,
    patterns: npt.NDArray[np.uint8],
    chosen: Sequence[int],
    scoring: Scoring = "wordle",
) -> npt.NDArray[np.int64]:
    """Return a lower bound on the total over all answers after each of the chosen guesses: int64 (len(chosen),).

    It is the sum of the bounds of the guess's cells, each minimized over the second guess. `patterns` are those of the
    guesses, uint8 (answers, guesses or more).
    """

    def bound_batch(batch: range) -> npt.NDArray[np.int64]:
        totals = np.full(len(batch), len(answers), np.int64)
        subsets: list[npt.NDArray[np.intp]] = []
        owners: list[int] = []
        for i, guess in enumerate(chosen[batch.start : batch.stop]):
            order = np.argsort(patterns[:, guess], kind="stable")
            codes, at = np.unique(patterns[order, guess], return_index=True)
            cells = np.split(order, at[1:])
            subsets += [cell for code, cell in zip(codes, cells, strict=True) if code != SOLVED]
            owners += [i] * (len(subsets) - len(owners))
        if subsets:
            np.add.at(totals, owners, bounds(backend, guesses, answers, subsets, scoring=scoring)[0])
        return totals

    room = partial(backend.batch, TERMS * len(answers))
    return np.concatenate([np.empty(0, np.int64), *in_batches(range(len(chosen)), room, bound_batch)])
