"""The choice of a player who learns the next piece only some time after the current one has appeared.

Until then the player moves according to a plan, which is made by what is to be expected of the next piece; then the
player chooses among the placements that the plan leaves. So the choice needs what each placement is worth with each of
the seven pieces that can follow.
"""

from __future__ import annotations

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris.clock import clock_of
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.kernels import plan, plans
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.variant import Variant


class Planner:
    """The clock, the delay and the chances of the next piece on a device."""

    def __init__(self, backend: Backend, variant: Variant) -> None:
        self.backend = backend
        self.clock = clock_of(backend, variant.reach, variant.double_killscreen, variant.delay)
        self.chances = backend.asarray(transitions(variant.source))

    def plans(self, now: Now, placements: Placements) -> Array:
        """Return which placements each plan leaves, bool (n, k, most); see `kernels.plans`."""
        return plans(self.backend, now.boards, now.pieces, levels=now.levels, clock=self.clock, placements=placements)

    def choose(self, now: Now, placements: Placements, worths: Array) -> Array:
        """Return the index of the placement to make on each board, int32 (n,); 0 where there is none.

        `worths` is int64 (n, most, 7), each below 2^55 in size, and less is better. All arrays are the device's.
        """
        return plan(
            self.backend,
            now.boards,
            now.pieces,
            following=now.following,
            levels=now.levels,
            clock=self.clock,
            chances=self.chances,
            placements=placements,
            worths=worths,
        )
