"""What the placements of a piece are worth: by weights, or by a learned value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players.value_play import Search
from gpusolve.games.tetris.players.weights import Weights
from gpusolve.games.tetris.rules.features import DECISIVE, fixed_point
from gpusolve.games.tetris.variant import Settings


class Judged(NamedTuple):
    """Of each placement: its value, less being better; with the next piece at its best, if that is known."""

    values: npt.NDArray[np.float64]
    tetris_next: npt.NDArray[np.bool_]
    """Whether the next piece makes a tetris there."""
    stuck: npt.NDArray[np.bool_]
    """Whether it has nowhere to go."""


def by_weights(
    weights: Weights,
    features: npt.NDArray[np.int32],
    after: kernels.Boards,
    following: int | None,
    level: int,
    settings: Settings,
    backend: Backend,
) -> Judged:
    """In the weights' own units. `after`, (n, 10), are the boards, `features`, (n, 17), theirs."""
    count = len(after)
    fixed, shift = fixed_point(weights.values)
    if following is None:
        values = features.astype(np.int64) @ np.array(fixed, np.int64)
        return Judged(np.ldexp(values.astype(np.float64), -shift), np.zeros(count, np.bool_), np.zeros(count, np.bool_))
    second = kernels.best(
        backend, weights.values, after, np.full(count, following), level, settings.reach,
        doubled=settings.double_killscreen,
    )  # fmt: skip
    assert second.values is not None
    stuck = second.counts == 0
    tetris = (second.cleared[:, 0] == 4) & ~stuck
    values = np.where(stuck, 0, second.values[:, 0] + DECISIVE * tetris)
    return Judged(np.ldexp(values.astype(np.float64), -shift), tetris, stuck)


def by_value(
    search: Search,
    after: kernels.Boards,
    cleared: npt.NDArray[np.uint8],
    piece: int,
    following: int | None,
    level: int,
    lines: int,
) -> Judged:
    """In points about to be lost; of a next piece that is not known, the expectation. `lines`: those before."""
    backend, count = search.backend, len(after)
    then = np.minimum(lines + cleared.astype(np.int32), search.settings.max_lines)
    boards, gone = backend.asarray(after), backend.asarray(then)
    rows = backend.asarray(np.full(count, min(level, kernels.LEVELS - 1), np.int32))
    lost = backend.to_host(search.cost(backend.asarray(np.full(count, lines)), backend.asarray(cleared)))
    if following is None:
        previous = backend.asarray(np.full(count, piece, np.int32))
        expected = backend.to_host(search.expected(boards, previous, rows, gone, 0))
        return Judged(lost + expected / search.whole, np.zeros(count, np.bool_), np.zeros(count, np.bool_))
    pieces = backend.asarray(np.full(count, following, np.int32))
    second = search.least(boards, pieces, rows, gone, 1).on_host(backend)
    worths = backend.to_host(search.value(boards, pieces, rows, gone, 0))
    plays, stuck = then < search.settings.max_lines, second.counts == 0
    tetris = (second.cleared[:, 0] == 4) & ~stuck & plays
    return Judged((lost + worths).astype(np.float64), tetris, stuck & plays)
