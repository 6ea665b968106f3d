"""What the placements of a piece are worth: by weights, or by a learned value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.features import DECISIVE, fixed_point
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.value_play import Table
from gpusolve.games.tetris.weights import Weights


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
    table: Table,
    board: kernels.Boards,
    piece: int,
    following: int | None,
    level: int,
    lines: int,
    placements: npt.NDArray[np.uint32],
) -> Judged:
    """In points about to be lost, of these `placements` on one board, (1, 10), after `lines`."""
    backend, count = table.backend, len(placements)
    row = min(level, kernels.LEVELS - 1)
    number, its_row, gone = (backend.asarray(np.array([one], np.int32)) for one in (piece, row, lines))
    first = table.least(backend.asarray(board), number, its_row, gone, kernels.PLACEMENTS).on_host(backend)
    assert first.values is not None
    ranks = np.argsort(first.placements[0, :count])[np.argsort(np.argsort(placements))]
    after, cleared = first.after[0, ranks], first.cleared[0, ranks].astype(np.int32)
    if following is None:
        values = first.values[0, ranks].astype(np.float64)
        return Judged(values, np.zeros(count, np.bool_), np.zeros(count, np.bool_))
    then = np.minimum(lines + cleared, table.settings.max_lines)
    pieces, rows = (backend.asarray(np.full(count, one, np.int32)) for one in (following, row))
    second = table.least(backend.asarray(after), pieces, rows, backend.asarray(then), 1).on_host(backend)
    assert second.values is not None
    over, stuck = then == table.settings.max_lines, second.counts == 0
    future, lost = backend.to_host(table.future), backend.to_host(table.lost)
    values = np.where(over, 0, np.where(stuck, future[then], second.values[:, 0])) + lost[lines * 5 + cleared]
    tetris = (second.cleared[:, 0] == 4) & ~stuck & ~over
    return Judged(values.astype(np.float64), tetris, stuck & ~over)
