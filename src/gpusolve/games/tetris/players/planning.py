"""The choice of a player who learns the next piece only some time after the current one has appeared.

Until then he moves by a plan, made by what is to be expected of the next piece; then he chooses among the placements
that the plan leaves. So his choice needs what each placement is worth with each of the seven pieces to follow.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.kernels import PROGRAM, Placements
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.rules.features import DECISIVE
from gpusolve.games.tetris.variant import Settings


class Planner:
    """The clock and the delay on the device."""

    def __init__(self, backend: Backend, settings: Settings) -> None:
        known = kernels.known_table(settings.reach, settings.delay, settings.double_killscreen)
        _, self.taps = kernels.timing(backend, settings.reach, settings.double_killscreen)
        self.backend, self.known = backend, backend.asarray(known)
        self.chances = backend.asarray(sources.transitions(settings.source))

    def choose(self, now: Now, found: Placements, worths: Array) -> Array:
        """Which of the placements found to make, int32 (n,): 0 where there are none.

        `worths`: int64 (n, most, 7), each below 2^55 in size, less being better. All arrays are the device's.
        """
        n = len(now.boards)
        chosen = self.backend.empty(n, np.int32)
        self.backend.launch(
            PROGRAM, "plan", n, now.boards, now.pieces, now.following, now.levels, self.taps, self.known, self.chances,
            found.counts, found.placements, worths, worths.shape[1], chosen,
        )  # fmt: skip
        return chosen


class TwoPiece:
    """Two-piece play as a choice for many boards at once, with the next piece known at once or later."""

    def __init__(self, backend: Backend, weights: npt.ArrayLike, settings: Settings) -> None:
        self.backend, self.weights = backend, backend.asarray(kernels.one_row(weights))
        self.timed, self.taps = kernels.timing(backend, settings.reach, settings.double_killscreen)
        self.order = backend.asarray(kernels.order_table())
        self.planner = Planner(backend, settings) if settings.delay else None

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """All placements of each board, and the number of the chosen one, int32."""
        xp, n, levels = self.backend.xp, len(now.boards), now.levels
        found = kernels.placements_there(
            self.backend, now.boards, now.pieces, levels, self.timed, self.taps, kernels.PLACEMENTS
        )
        board, rank = xp.nonzero(xp.arange(kernels.PLACEMENTS) < found.counts[:, None])
        after, its_level = found.after[board, rank], levels[board]
        tetris = DECISIVE * (found.cleared[board, rank] == 4)
        if self.planner is None:
            worths = xp.full((n, kernels.PLACEMENTS), np.iinfo(np.int64).max, np.int64)
            if len(board):
                best = kernels.best_there(
                    self.backend,
                    self.weights,
                    after,
                    now.following[board],
                    its_level,
                    self.timed,
                    self.taps,
                    self.order,
                    1,
                )
                assert best.values is not None
                worths[board, rank] = xp.where(best.counts == 0, DECISIVE, best.values[:, 0]) - tetris
            return found, worths.argmin(axis=1).astype(np.int32)
        out = self.backend.empty((len(board), 7), np.int64)
        if len(board):
            self.backend.launch(
                PROGRAM, "worths", len(board), self.weights, after, its_level, self.timed, self.taps, out
            )
        worths = xp.zeros((n, kernels.PLACEMENTS, 7), np.int64)
        worths[board, rank] = out - tetris[:, None]
        return found, self.planner.choose(now, found, worths)
