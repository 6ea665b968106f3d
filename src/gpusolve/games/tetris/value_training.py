"""Training of the learned value by temporal differences, from games that it plays itself.

A round of games is played with the tables as they are, on every core or the GPU; then the tables learn from the boards
of those games, a game at a time, in order. So what comes of it depends on the seed alone.

The games are played by one piece, without a look at the next: that is fast, every board is one that the tables have
chosen themselves, and what is learnt so serves those who look further better than what is learnt under their own play.
The first rounds are played by the published weights: tables that have learnt nothing yet end their games so early
that all they learn is that every game ends early.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.cpu import learning
from gpusolve.games.tetris.kernels import Placements, Settings
from gpusolve.games.tetris.value import ENDGAME, SIZE, LearnedValue, stakes, untrained
from gpusolve.games.tetris.value_play import Round, Table
from gpusolve.games.tetris.weights import load_weights
from gpusolve.run import Run

KIND = "tetris.train.value"
SHARE = 0.3
"""The part of an error that the table of lines to come and rows ready takes; the others share the rest."""
MOST_ITERATIONS = 1_000_000
MOST_GAMES = 100_000


@dataclass(frozen=True)
class ValueSettings:
    """What a training of the value is, besides its seed and what games are played under.

    `iterations` rounds of `games` games, the first `opening` of them played by the published weights.
    `trace`: lambda of the returns. `rate`: a factor of all steps, which falls evenly, in its logarithm, to `last_rate`.
    """

    iterations: int = 1500
    games: int = 128
    opening: int = 40
    trace: float = 0.5
    rate: float = 1.0
    last_rate: float = 0.05

    def check(self) -> None:
        """Raises BadInput for what cannot be trained."""
        checks.whole("iterations", self.iterations, 1, MOST_ITERATIONS)
        checks.whole("games", self.games, 1, MOST_GAMES)
        checks.whole("opening", self.opening, 0, MOST_ITERATIONS)
        checks.number("trace", self.trace, 0, 1)
        for name in ("rate", "last_rate"):
            checks.number(name, getattr(self, name), 1e-6, 2)

    def rate_of(self, iteration: int) -> float:
        """The factor of the steps in an iteration, the first being 0."""
        return float(self.rate * (self.last_rate / self.rate) ** (iteration / self.iterations))


QUICK_VALUE = ValueSettings(iterations=60, games=64, opening=10, last_rate=0.2)
"""A training that shows learning within a minute."""


@dataclass(frozen=True)
class ValueIteration:
    """What one round came to: the games' mean score, the part that ended early, the error of the value in points."""

    iteration: int
    mean: float
    early: float
    error: float
    rate: float
    games: int
    pieces: int
    seconds: float


@dataclass(frozen=True)
class ValueRun:
    """What came of a training: the value. `complete`: whether it came to its last round, not to its time limit."""

    value: LearnedValue
    iterations: int
    seed: int
    seconds: float
    complete: bool


class Learner:
    """The tables in floats, what each of their numbers has learnt from, and the value they stand for."""

    def __init__(self, state: dict[str, Any]) -> None:
        start = untrained()
        self.value = LearnedValue("value", "", start.tables.copy(), start.endgame.copy())
        self.iteration = 0
        self.weights, self.drift, self.travel = (np.zeros(SIZE, np.float32) for _ in range(3))
        self.endgame, self.end_drift, self.end_travel = (np.zeros(ENDGAME, np.float32) for _ in range(3))
        self.endgame[:] = start.endgame
        self._sums = np.zeros(SIZE, np.float64), np.zeros(SIZE, np.int32)
        self._end_sums = np.zeros(ENDGAME, np.float64), np.zeros(ENDGAME, np.int32)
        if state:
            self._restore(state)

    def state(self) -> dict[str, Any]:
        """All that a round depends on: the numbers that were ever touched."""
        touched = np.flatnonzero(self.travel).astype(np.int32)
        found: dict[str, Any] = {"iteration": self.iteration, "touched": touched}
        for name in ("weights", "drift", "travel"):
            found[name] = getattr(self, name)[touched]
        for name in ("endgame", "end_drift", "end_travel"):
            found[name] = getattr(self, name).copy()
        return found

    def _restore(self, state: dict[str, Any]) -> None:
        try:
            touched = state["touched"]
            checks.whole("iteration", state["iteration"], 0, MOST_ITERATIONS)
            self.iteration = int(state["iteration"])
            for name in ("weights", "drift", "travel"):
                getattr(self, name)[touched] = state[name]
            for name in ("endgame", "end_drift", "end_travel"):
                getattr(self, name)[:] = state[name]
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise BadInput(f"checkpoint: expected the tables of a value: {error}") from None
        self.value.tables[:] = np.clip(self.weights, -32767, 32767).round()
        self.value.endgame[:] = self.endgame.round()

    def learn(self, games: _Records, trace: float, rate: float, settings: Settings) -> float:
        """Learns from a round; gives the root of the mean squared error, in points."""
        boards, lines, costs, ends = games.in_order()
        if not len(boards):
            return 0.0
        places = np.empty((len(boards), learning.PLACES + 2), np.int32)
        learning.describe(boards, lines, settings.max_lines, places)
        scales = stakes(settings.start_level, settings.max_lines).scales
        sums, hits = self._sums
        end_sums, end_hits = self._end_sums
        squares = learning.gather(
            ends, places, lines, costs, scales, settings.max_lines, trace, self.weights, self.endgame, sums, hits,
            end_sums, end_hits,
        )  # fmt: skip
        share = (1 - SHARE) / (learning.PLACES * learning.UNIT)
        learning.learn(rate, share, sums, hits, self.weights, self.drift, self.travel, self.value.tables)
        learning.learn(
            rate, SHARE, end_sums, end_hits, self.endgame, self.end_drift, self.end_travel, self.value.endgame
        )
        return float(np.sqrt(squares / len(boards)))


class _Records:
    """The boards of a round that the tables learn from, and what each game lost from one of them to the next."""

    def __init__(self, games: int) -> None:
        self.games = games
        self._rows: list[tuple[npt.NDArray[Any], ...]] = []
        self._before: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = []

    def lost(self, games: npt.NDArray[Any], points: npt.NDArray[Any]) -> None:
        """These games lose points."""
        self._rows.append((games, None, None, points))  # type: ignore[arg-type]

    def board(self, games: npt.NDArray[Any], boards: npt.NDArray[Any], lines: npt.NDArray[Any]) -> None:
        """These games come to boards that are learnt from."""
        self._rows.append((games, boards, lines, None))  # type: ignore[arg-type]

    def in_order(self) -> tuple[npt.NDArray[Any], ...]:
        """Boards, lines and costs by game, then in time; where each game's end. What was lost before the first: none's."""
        seen = [row for row in self._rows if row[1] is not None]
        if not seen:
            return tuple(np.zeros(0, np.int64) for _ in range(4))
        game = np.concatenate([row[0] for row in seen]).astype(np.int64)
        boards, lines = np.concatenate([row[1] for row in seen]), np.concatenate([row[2] for row in seen])
        costs, last = np.zeros(len(game), np.int64), np.full(self.games, -1, np.int64)
        begin = 0
        for games, some, _, points in self._rows:
            if some is not None:
                last[games] = begin + np.arange(len(games))
                begin += len(games)
            else:
                known = last[games] >= 0
                costs[last[games[known]]] += points[known]
        order = np.argsort(game, kind="stable")
        ends = np.cumsum(np.bincount(game, minlength=self.games))
        return boards[order], lines[order].astype(np.int32), costs[order], ends


def train_value(
    training: ValueSettings = ValueSettings(),
    settings: Settings = Settings(),
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[ValueIteration], None] = lambda iteration: None,
    backend: Backend | None = None,
) -> ValueRun:
    """Learns a value; `progress` is called after each round.

    `seed`, `time_limit`, `checkpoint`, `resume` as `gpusolve.run.Run` has them: a training that is resumed gives what
    it would have given without a stop, to the bit. Raises BadInput for settings that cannot be trained and for a
    checkpoint of another training.
    """
    training.check()
    kernels.check_settings(settings)
    kernels.check_seed(seed)
    backend = open_backend(backend)
    run = Run(KIND, asdict(training) | asdict(settings), seed, checkpoint, resume, time_limit)
    kernels.check_seed(run.seed)
    learner = Learner(run.state)
    with run.saved(learner.state) as more:
        while learner.iteration < training.iterations and more():
            progress(_round(learner, training, settings, run.seed, backend))
    return ValueRun(learner.value, learner.iteration, run.seed, run.seconds, learner.iteration >= training.iterations)


def _round(
    learner: Learner, training: ValueSettings, settings: Settings, seed: int, backend: Backend
) -> ValueIteration:
    """Plays a round, and learns from it."""
    begin, iteration = time.monotonic(), learner.iteration
    games = range(iteration * training.games, (iteration + 1) * training.games)
    table = Table(backend, learner.value, settings)
    rate, opening = training.rate_of(iteration), iteration < training.opening
    records, results = _play(table, Round(backend, games, seed, settings), opening)
    error = learner.learn(records, training.trace, rate, settings)
    learner.iteration += 1
    return ValueIteration(
        learner.iteration,
        float(results[:, 0].mean()),
        float((results[:, 1] < settings.max_lines).mean()),
        error,
        rate,
        len(games),
        int(results[:, 2].sum()),
        time.monotonic() - begin,
    )


def _play(table: Table, state: Round, opening: bool) -> tuple[_Records, npt.NDArray[np.int32]]:
    """Games in which each piece goes where least is lost, or, in the opening, where the published weights want it."""
    backend, records = table.backend, _Records(len(state.results))
    weights = backend.asarray(kernels.one_row(load_weights("published").values))
    order = backend.asarray(kernels.order_table())
    while len(state.going):
        boards, pieces, _, lines = state.now()
        if opening:
            levels = table.levels[lines]
            found = kernels.best_there(
                backend, weights, boards, pieces, levels, table.timed, table.taps, order, 1
            )
        else:
            found = table.least(boards, pieces, lines, 1)
        _make(table, state, records, state.going, found, backend.xp.zeros(len(boards), np.int32), lines)
        _learn_from(state, records, state.going)
    return records, backend.to_host(state.results)


def _make(
    table: Table, state: Round, records: _Records, games: Any, found: Placements, chosen: Any, lines: Any
) -> Any:
    """Makes placements, and notes what they lose; which games go on."""
    backend, xp = table.backend, table.backend.xp
    if not len(games):
        return games > 0
    _, goes_on = state.turn(games, found, chosen)
    stuck = found.counts == 0
    cleared = xp.where(stuck, 0, found.cleared[xp.arange(len(games)), chosen])
    points = xp.where(stuck, table.future[lines], table.lost[lines * 5 + cleared])
    records.lost(backend.to_host(games), backend.to_host(points))
    state.going = games[goes_on]
    return goes_on


def _learn_from(state: Round, records: _Records, games: Any) -> None:
    host = state.backend.to_host
    records.board(host(games), host(state.boards[games]), host(state.results[games, 1]))
