"""Training of the learned value by temporal differences, from games that it plays itself.

A round of games is played with the tables as they are, on every core or the GPU; then the tables learn from the boards
of those games, a game at a time, in order. So what comes of it depends on the seed alone.

Three kinds of rounds follow each other. In the opening only the table of lines to come and rows ready learns, from
games by one piece, all of which end early. Then all tables learn from such games: they are fast, and soon end less
early. Then two pieces are known, and both are placed as they were planned, before the next two are drawn: what a board
is worth after both is what two-piece play asks the tables for.
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
from gpusolve.games.tetris.cpu.losses import PLACES
from gpusolve.games.tetris.kernels import Placements, Settings
from gpusolve.games.tetris.turns import Round
from gpusolve.games.tetris.value import ENDGAME, SIZE, LearnedValue, stakes, untrained
from gpusolve.games.tetris.value_play import WORST, Table
from gpusolve.run import Run

KIND = "tetris.train.value"
OPENING_TRACE, OPENING_RATE = 0.9, 0.3
KEPT = 4
"""Placements of the first piece that are looked at, in games by two pieces."""
MOST_ITERATIONS = 1_000_000
MOST_GAMES = 100_000


@dataclass(frozen=True)
class ValueSettings:
    """What a training of the value is, besides its seed and what games are played under.

    `iterations` rounds of `games` games. The first `opening` part of them teaches only the table of lines to come, the
    next ones, up to the `greedy` part of all, are played by one piece, the rest by two. `trace`: lambda of the returns.
    `rate`: a factor of the steps after the opening, which falls evenly, in its logarithm, to `last_rate`.
    """

    iterations: int = 1000
    games: int = 64
    opening: float = 0.12
    greedy: float = 0.8
    trace: float = 0.5
    rate: float = 1.0
    last_rate: float = 0.05

    def check(self) -> None:
        """Raises BadInput for what cannot be trained."""
        checks.whole("iterations", self.iterations, 1, MOST_ITERATIONS)
        checks.whole("games", self.games, 1, MOST_GAMES)
        for name in ("opening", "greedy", "trace"):
            checks.number(name, getattr(self, name), 0, 1)
        for name in ("rate", "last_rate"):
            checks.number(name, getattr(self, name), 1e-6, 2)

    @property
    def parts(self) -> tuple[int, int]:
        """The iterations with which the games by one piece begin, and those by two."""
        opening = round(self.opening * self.iterations)
        return opening, max(opening, round(self.greedy * self.iterations))

    def rate_of(self, iteration: int) -> float:
        """The factor of the steps in an iteration, the first being 0."""
        first = self.parts[0]
        if iteration < first:
            return float(self.rate * OPENING_RATE ** (iteration / first))
        return float(self.rate * (self.last_rate / self.rate) ** ((iteration - first) / (self.iterations - first)))


QUICK_VALUE = ValueSettings(iterations=200, last_rate=0.2)
"""A training that shows learning within a minute."""


@dataclass(frozen=True)
class ValueIteration:
    """What one round came to: the games' mean score, the part that ended early, the error of the value in points."""

    iteration: int
    policy: str
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

    def learn(self, games: _Records, trace: float, rate: float, settings: Settings, opening: bool) -> float:
        """Learns from a round; gives the root of the mean squared error, in points."""
        boards, lines, costs, ends = games.in_order()
        if not len(boards):
            return 0.0
        places = np.empty((len(boards), PLACES + 2), np.int32)
        learning.describe(boards, lines, settings.max_lines, places)
        scales = stakes(settings.start_level, settings.max_lines).scales
        squares = learning.learn(
            ends, places, lines, costs, scales, settings.max_lines, trace, rate, opening, self.weights, self.drift,
            self.travel, self.endgame, self.end_drift, self.end_travel, self.value.tables, self.value.endgame,
        )  # fmt: skip
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
        """Boards, lines, costs by game, in time; where each game ends. Losses before its first board are left out."""
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
    first, second = training.parts
    opening, greedy = iteration < first, iteration < second
    records, results = (_by_one if greedy else _by_two)(table, Round(backend, games, seed, settings))
    rate = training.rate_of(iteration)
    error = learner.learn(records, OPENING_TRACE if opening else training.trace, rate, settings, opening)
    if iteration + 1 == first:
        learner.end_drift[:], learner.end_travel[:] = 0, 0  # its steps are long again: games end otherwise now
    learner.iteration += 1
    return ValueIteration(
        learner.iteration,
        "greedy" if greedy else "two-piece",
        float(results[:, 0].mean()),
        float((results[:, 1] < settings.max_lines).mean()),
        error,
        rate,
        len(games),
        int(results[:, 2].sum()),
        time.monotonic() - begin,
    )


def _by_one(table: Table, state: Round) -> tuple[_Records, npt.NDArray[np.int32]]:
    """Games in which each piece goes where least is lost; every board is learnt from."""
    records = _Records(len(state.results))
    while len(state.going):
        boards, pieces, _, _, lines = state.now()
        found = table.least(boards, pieces, lines, 1)
        _make(table, state, records, state.going, found, table.backend.xp.zeros(len(boards), np.int32), lines)
        _learn_from(state, records, state.going)
    return records, table.backend.to_host(state.results)


def _by_two(table: Table, state: Round) -> tuple[_Records, npt.NDArray[np.int32]]:
    """Games in which two pieces at a time go where both together lose least; the boards after both are learnt from."""
    xp = table.backend.xp
    records = _Records(len(state.results))
    while len(state.going):
        boards, pieces, following, _, lines = state.now()
        found = table.least(boards, pieces, lines, KEPT)
        n = len(boards)
        kept = xp.arange(KEPT) < found.counts[:, None]
        cleared = xp.where(kept, found.cleared, 0)
        after = xp.where(kept[:, :, None], found.after, 0).reshape(n * KEPT, -1)
        then = table.after(lines[:, None], cleared)
        second = table.least(after, xp.repeat(following, KEPT), then.reshape(-1), 1)
        assert second.values is not None
        worths = xp.where(second.counts == 0, table.future[then.reshape(-1)], second.values[:, 0]).reshape(n, KEPT)
        worths = xp.where(then >= table.settings.max_lines, 0, worths) + table.lost[lines[:, None] * 5 + cleared]
        chosen = xp.where(kept, worths, WORST).argmin(axis=1).astype(np.int32)
        goes_on = _make(table, state, records, state.going, found, chosen, lines)
        planned = (xp.arange(n) * KEPT + chosen)[goes_on]
        second = Placements(
            second.counts[planned], second.placements[planned], second.cleared[planned], second.after[planned]
        )
        zeros = xp.zeros(len(planned), np.int32)
        _make(table, state, records, state.going, second, zeros, then.reshape(-1)[planned])
        _learn_from(state, records, state.going)
    return records, table.backend.to_host(state.results)


def _make(table: Table, state: Round, records: _Records, games: Any, found: Placements, chosen: Any, lines: Any) -> Any:
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
