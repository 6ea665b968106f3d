"""The tables of a value while it learns, with the errors that each number has seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.fields import Fields
from gpusolve.games.tetris.cpu import learning
from gpusolve.games.tetris.cpu.losses import PLACES
from gpusolve.games.tetris.players.value import LearnedValue, untrained
from gpusolve.games.tetris.rules.losses import ENDGAME, SIZE, stakes
from gpusolve.games.tetris.training.lessons import Lessons
from gpusolve.games.tetris.training.swarm import MOST_ITERATIONS
from gpusolve.games.tetris.variant import Variant

LARGEST_WEIGHT = 32767
"""The greatest number of a table in a value, int16."""


class Learner:
    """The weights of a value in floats, the sums of their errors, and the value that they round to.

    Parameters
    ----------
    state : Fields
        The state of a checkpoint; without fields it starts untrained.
    """

    def __init__(self, state: Fields) -> None:
        start = untrained()
        self.value = LearnedValue("value", "", start.tables.copy(), start.endgame.copy())
        self.rounds = np.zeros(1, np.int64)  # learnt from so far
        self.weights, self.drift, self.travel = (np.zeros(SIZE, np.float32) for _ in range(3))
        self.endgame, self.end_drift, self.end_travel = (np.zeros(ENDGAME, np.float32) for _ in range(3))
        self.endgame[:] = start.endgame
        if state:
            self._restore(state)

    @property
    def iteration(self) -> int:
        """The number of rounds that it has learnt from."""
        return int(self.rounds[0])

    def state(self) -> dict[str, Any]:
        """Return everything that the next round depends on. Of the tables that is the numbers that have changed."""
        touched = np.flatnonzero(self.travel).astype(np.int32)
        state: dict[str, Any] = {"iteration": self.iteration, "touched": touched}
        for name in ("weights", "drift", "travel"):
            state[name] = getattr(self, name)[touched]
        for name in ("endgame", "end_drift", "end_travel"):
            state[name] = getattr(self, name).copy()
        return state

    def learn(self, lessons: Lessons, *, trace: float, rate: float, share: float, variant: Variant) -> float:
        """Learn from a round of games and return the root mean squared error of the value, in points.

        `trace` is the lambda of the returns, `rate` a factor of the step sizes, and `share` the fraction of each error
        that goes to the table of lines to come.
        """
        boards, lines = lessons.boards, lessons.lines
        if not len(boards):
            self.rounds[0] += 1
            return 0.0
        places = np.empty((len(boards), PLACES + 2), np.int32)
        learning.describe(boards, lines, variant.max_lines, places)
        scales = stakes(variant.start_level, variant.max_lines).scales
        squares = learning.learn(
            lessons.ends, places, lines, lessons.costs, scales, variant.max_lines, trace, rate, share, self.weights,
            self.drift, self.travel, self.endgame, self.end_drift, self.end_travel, self.value.tables,
            self.value.endgame, self.rounds,
        )  # fmt: skip
        return float(np.sqrt(squares / len(boards)))

    def _restore(self, state: Fields) -> None:
        self.rounds[0] = state.integer("iteration", 0, MOST_ITERATIONS)
        touched = state.array("touched", np.int32, (None,), 0, SIZE - 1)
        for name in ("weights", "drift", "travel"):
            getattr(self, name)[touched] = state.array(name, np.float32, touched.shape)
        for name in ("endgame", "end_drift", "end_travel"):
            getattr(self, name)[:] = state.array(name, np.float32, (ENDGAME,))
        self.value.tables[:] = np.clip(self.weights, -LARGEST_WEIGHT, LARGEST_WEIGHT).round()
        self.value.endgame[:] = self.endgame.round()
