"""Training of the learned value by temporal differences, from games that it plays itself.

A round of games is played with the tables as they are, on every core or the GPU; then the tables learn from the boards
of those games, a game at a time, in order. So what comes of it depends on the seed alone.

In the opening only the table of lines to come learns, from games by one piece and the published weights. Then all
tables learn from games by one piece that they play themselves, at first with the greater part of an error to the table
of lines to come: that all play gets better is for that table to say. Otherwise the others say it of the boards that are
seen often, and what the beginner tried and gave up, a well on the right, keeps the beginner's losses and is never tried
again.

A value for play against the clock is better learnt without one: by one piece many games end early then, and the value
fears what two-piece play need not.
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
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.cpu import learning
from gpusolve.games.tetris.cpu.losses import PLACES
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.turns import Choose, Now, Round
from gpusolve.games.tetris.players.value import ENDGAME, SIZE, LearnedValue, stakes, untrained
from gpusolve.games.tetris.players.value_play import Table
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.variant import Settings, check_settings
from gpusolve.runs.run import Run

KIND = "tetris.train.value"
FIRST_SHARE, SHARE = 0.85, 0.4
"""The part of an error that the table of lines to come takes, while play settles, and then."""
SETTLING_ROUNDS = 8
"""While play settles, a round is so many times smaller: with what is learnt from few games a beginner goes astray less
far than with what is learnt from many."""
SLIPS, SLIP_RANKS = 0.02, 34
"""In the opening: the part of the pieces that go anywhere, and how many of the best placements that is."""
MOST_ITERATIONS = 1_000_000
MOST_GAMES = 100_000


@dataclass(frozen=True)
class ValueSettings:
    """What a training of the value is, besides its seed and what games are played under.

    `iterations` rounds of `games` games. The first `opening` part of them is played by the published weights, the next
    ones, up to the `settling` part, with FIRST_SHARE and in smaller rounds. `trace`: lambda of the returns. `rate`: a
    factor of the steps, which after `settling` falls evenly, in its logarithm, to `last_rate`.
    """

    iterations: int = 5000
    games: int = 128
    opening: float = 0.0025
    settling: float = 0.07
    trace: float = 0.4
    rate: float = 1.0
    last_rate: float = 0.05

    def check(self) -> None:
        """Raises BadInput for what cannot be trained."""
        checks.check_integer("iterations", self.iterations, 1, MOST_ITERATIONS)
        checks.check_integer("games", self.games, 1, MOST_GAMES)
        for name in ("opening", "settling", "trace"):
            checks.check_number(name, getattr(self, name), 0, 1)
        for name in ("rate", "last_rate"):
            checks.check_number(name, getattr(self, name), 1e-6, 2)

    @property
    def parts(self) -> tuple[int, int]:
        """The iterations with which the games by what is learnt begin, and those in which play has settled."""
        opening, settled = (round(part * self.iterations) for part in (self.opening, self.settling))
        return opening, max(opening, settled)

    def rate_of(self, iteration: int) -> float:
        """The factor of the steps in an iteration, the first being 0."""
        settled = self.parts[1]
        if iteration <= settled:
            return self.rate
        part = (iteration - settled) / (self.iterations - settled)
        return float(self.rate * (self.last_rate / self.rate) ** part)


QUICK_VALUE = ValueSettings(iterations=100, games=64, opening=0.16, settling=1)
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
        self.rounds = np.zeros(1, np.int64)  # learnt from so far
        self.weights, self.drift, self.travel = (np.zeros(SIZE, np.float32) for _ in range(3))
        self.endgame, self.end_drift, self.end_travel = (np.zeros(ENDGAME, np.float32) for _ in range(3))
        self.endgame[:] = start.endgame
        if state:
            self._restore(state)

    @property
    def iteration(self) -> int:
        """How many rounds have been learnt from."""
        return int(self.rounds[0])

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
            checks.check_integer("iteration", state["iteration"], 0, MOST_ITERATIONS)
            self.rounds[0] = state["iteration"]
            for name in ("weights", "drift", "travel"):
                getattr(self, name)[touched] = state[name]
            for name in ("endgame", "end_drift", "end_travel"):
                getattr(self, name)[:] = state[name]
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise BadInput(f"checkpoint: expected the tables of a value: {error}") from None
        self.value.tables[:] = np.clip(self.weights, -32767, 32767).round()
        self.value.endgame[:] = self.endgame.round()

    def learn(self, lessons: Lessons, trace: float, rate: float, share: float, settings: Settings) -> float:
        """Learns from a round; gives the root of the mean squared error, in points."""
        boards, lines = lessons.boards, lessons.lines
        if not len(boards):
            self.rounds[0] += 1
            return 0.0
        places = np.empty((len(boards), PLACES + 2), np.int32)
        learning.describe(boards, lines, settings.max_lines, places)
        scales = stakes(settings.start_level, settings.max_lines).scales
        squares = learning.learn(
            lessons.ends, places, lines, lessons.costs, scales, settings.max_lines, trace, rate, share, self.weights,
            self.drift, self.travel, self.endgame, self.end_drift, self.end_travel, self.value.tables,
            self.value.endgame, self.rounds,
        )  # fmt: skip
        return float(np.sqrt(squares / len(boards)))


@dataclass(frozen=True)
class Lessons:
    """The boards of games that go on, game by game, in time: what the tables learn from.

    `boards` uint32 (n, 10), the `lines` cleared by then, int32, and what was lost with the placement after it, `costs`,
    int64, in points. `ends` (games,): where the boards of each game end.
    """

    boards: npt.NDArray[np.uint32]
    lines: npt.NDArray[np.int32]
    costs: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]


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

    `seed`, `time_limit`, `checkpoint`, `resume` as `gpusolve.runs.run.Run` has them: a training that is resumed gives what
    it would have given without a stop, to the bit. Raises BadInput for settings that cannot be trained and for a
    checkpoint of another training.
    """
    training.check()
    check_settings(settings)
    backend = open_backend(backend)
    run = Run(KIND, asdict(training) | asdict(settings), seed, checkpoint, resume, time_limit)
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
    opening, settled = training.parts
    settling = opening <= iteration < settled
    count = max(1, training.games // SETTLING_ROUNDS) if settling else training.games
    games = range(iteration * training.games, iteration * training.games + count)
    table, state = Table(backend, learner.value, settings), Round(backend, games, seed, settings)
    choose = _beginner(table, np.random.default_rng((seed, iteration))) if iteration < opening else table.best
    lessons, results = _play(table, state, choose)
    rate = training.rate_of(iteration)
    share = 1.0 if iteration < opening else FIRST_SHARE if settling else SHARE
    error = learner.learn(lessons, training.trace, rate, share, settings)
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


def _beginner(table: Table, random: np.random.Generator) -> Choose:
    """Play by one piece and the published weights, with SLIPS: as many lines are lost as by who begins to learn."""
    backend, xp = table.backend, table.backend.xp
    weights = backend.asarray(kernels.one_row(load_weights("published").values))
    order = backend.asarray(kernels.order_table())

    def choose(now: Now) -> tuple[Placements, Array]:
        found = kernels.best_there(
            backend, weights, now.boards, now.pieces, now.levels, table.timed, table.taps, order, SLIP_RANKS
        )
        n = len(now.pieces)
        slips = np.where(random.random(n) < SLIPS, random.integers(0, SLIP_RANKS, n), 0)
        return found, xp.maximum(xp.minimum(backend.asarray(slips), found.counts - 1), 0).astype(np.int32)

    return choose


def _play(table: Table, state: Round, choose: Choose) -> tuple[Lessons, npt.NDArray[np.int32]]:
    """Plays games to their ends: what is to be learnt from them, and their results."""
    backend, xp = table.backend, table.backend.xp
    games, boards, lines, costs = [], [], [], []
    while len(state.going):
        now = state.now()
        found, chosen = choose(now)
        _, goes_on = state.turn(state.going, found, chosen)
        stuck = found.counts == 0
        cleared = xp.where(stuck, 0, found.cleared[xp.arange(len(stuck)), chosen])
        # These games are those whose boards were taken at the turn before, in the same order.
        costs.append(backend.to_host(xp.where(stuck, table.future[now.lines], table.lost[now.lines * 5 + cleared])))
        state.going = state.going[goes_on]
        games.append(backend.to_host(state.going))
        boards.append(backend.to_host(state.boards[state.going]))
        lines.append(backend.to_host(state.results[state.going, 1]))
    game = np.concatenate(games)
    order = np.argsort(game, kind="stable")
    ends = np.bincount(game, minlength=len(state.results)).cumsum()
    after = np.concatenate([costs[0][:0], *costs[1:]])
    lessons = Lessons(np.concatenate(boards)[order], np.concatenate(lines)[order], after[order], ends)
    return lessons, backend.to_host(state.results)
