"""The tables of a value while it learns, with the errors that each number has seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.fields import Fields
from gpusolve.games.tetris.cpu import learning
from gpusolve.games.tetris.cpu.losses import PLACES
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.rules.losses import READY, SIZE
from gpusolve.games.tetris.training.episodes import Episodes
from gpusolve.games.tetris.training.swarm import MOST_ITERATIONS
from gpusolve.games.tetris.variant import Variant

TRUST = 3000.0
"""The travel that the numbers of a trained value start with. Their first steps are small, and a number takes large ones
only if its errors keep pointing the same way."""
FIRST_KNOT, SPACING = 20, 50
"""In a value for several phases, the table of lines to come is learned at 0 to 20, 50, 100, 150, ... lines to come and
interpolated in between: errors of single rows would look like gains and losses of clearing lines."""
LARGEST_WEIGHT = 32767
"""The greatest number of a table in a value, int16."""
FARTHEST = 1e30
"""Bound of the numbers in a checkpoint: their sums stay finite."""
MOST_POINTS = 2e9
"""Bound of the table of lines to come, which a value keeps as int32."""


class Learner:
    """The weights of a value in floats, the sums of their errors, and the value that they round to.

    Parameters
    ----------
    start : LearnedValue
        The value that it starts from.
    variant : Variant
        The rules of the games.
    state : Fields
        The state of a checkpoint; without fields it starts from `start`.
    """

    def __init__(self, start: LearnedValue, variant: Variant, state: Fields) -> None:
        self.value = LearnedValue("value", "", start.tables.copy(), start.endgame.copy(), start.phases)
        self.max_lines, self.course = variant.max_lines, start.stakes(variant).course.reshape(-1)
        phases = self.course.reshape(-1, 4)[:, 1] if len(start.phases) > 1 else None
        self.knots = knots_of(phases, len(start.endgame) // READY - 1)
        self.rounds = np.zeros(1, np.int64)  # learnt from so far
        self.weights, self.endgame = start.tables.astype(np.float32), start.endgame.astype(np.float32)
        self.trust = np.float32(TRUST) * (start.tables != 0)
        self.kept = SIZE if len(start.phases) > 1 else 0  # numbers that stay as they are: the first phase of several
        self.drift, self.travel = np.zeros_like(self.weights), self.trust.copy()
        self.start = start
        self.end_drift, self.end_travel = (np.zeros(len(self.endgame), np.float32) for _ in range(2))
        if state:
            self._restore(state)

    @property
    def iteration(self) -> int:
        """The number of rounds that it has learnt from."""
        return int(self.rounds[0])

    def state(self) -> dict[str, Any]:
        """Return everything that the next round depends on. From the tables it takes the numbers that have changed."""
        untouched = (self.weights == self.start.tables) & (self.drift == 0)
        untouched &= self.travel == self.trust
        touched = np.flatnonzero(~untouched).astype(np.int32)
        state: dict[str, Any] = {"iteration": self.iteration, "touched": touched}
        for name in ("weights", "drift", "travel"):
            state[name] = getattr(self, name)[touched]
        for name in ("endgame", "end_drift", "end_travel"):
            state[name] = getattr(self, name).copy()
        return state

    def learn(self, episodes: Episodes, *, trace: float, rate: float, share: float) -> float:
        """Learn from a round of games and return the root mean squared error of the value, in points.

        `trace` is the lambda of the returns, `rate` a factor of the step sizes, and `share` the fraction of each error
        that goes to the table of lines to come.
        """
        boards, lines = episodes.boards, episodes.lines
        if not len(boards):
            self.rounds[0] += 1
            return 0.0
        places = np.empty((len(boards), PLACES + 2), np.int32)
        learning.describe(boards, lines, self.course, places)
        squares = learning.learn(
            episodes.ends, places, lines, episodes.costs, self.course, self.max_lines, trace, rate, share, self.kept,
            *self.knots, self.weights, self.drift, self.travel, self.endgame, self.end_drift, self.end_travel,
            self.value.tables, self.value.endgame, self.rounds,
        )  # fmt: skip
        return float(np.sqrt(squares / len(boards)))

    def _restore(self, state: Fields) -> None:
        self.rounds[0] = state.integer("iteration", 0, MOST_ITERATIONS)
        touched = state.array("touched", np.int32, (None,), 0, len(self.weights) - 1)
        for name in ("weights", "drift", "travel"):
            getattr(self, name)[touched] = state.array(name, np.float32, touched.shape, -FARTHEST, FARTHEST)
        for name in ("end_drift", "end_travel"):
            getattr(self, name)[:] = state.array(name, np.float32, self.endgame.shape, -FARTHEST, FARTHEST)
        self.endgame[:] = state.array("endgame", np.float32, self.endgame.shape, -MOST_POINTS, MOST_POINTS)
        self.value.tables[:] = np.clip(self.weights, -LARGEST_WEIGHT, LARGEST_WEIGHT).round()
        self.value.endgame[:] = self.endgame.round()


def knots_of(
    phases: npt.NDArray[np.int32] | None, horizon: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the two rows that each row of the table of lines to come is interpolated from, and the second one's part.

    `phases` says for each number of lines cleared, from 0 to `horizon`, in which phase it is; None if there is only
    one, whose rows are all learned. No row is interpolated from another phase, whose tables have another mean.

    >>> rows, parts = knots_of(np.repeat([0, 1], [60, 101]), 160)
    >>> [(*rows[left].tolist(), float(parts[left])) for left in (19, 35, 75, 100, 101, 155)]
    [(19, 19, 0.0), (20, 50, 0.5), (50, 100, 0.5), (100, 100, 0.0), (101, 150, 0.0), (150, 160, 0.5)]
    """
    left = np.arange(horizon + 1)
    if phases is None:
        return np.stack([left, left], axis=1), np.zeros(horizon + 1)
    phase = phases[::-1]
    knots = np.array([*range(FIRST_KNOT), FIRST_KNOT, *range(SPACING, horizon, SPACING), horizon])
    place = np.minimum(np.searchsorted(knots, left, side="right") - 1, len(knots) - 2)
    knot, upper = knots[place], np.where(left < FIRST_KNOT, left, knots[place + 1])
    knot += phase[knot] != phase
    upper = np.where(phase[upper] == phase, upper, upper - 1)
    upper = np.where(phase[upper] == phase, np.maximum(upper, knot), knot)
    return np.stack([knot, upper], axis=1), np.where(upper > knot, (left - knot) / np.maximum(upper - knot, 1), 0)
