"""Training of weights by a particle swarm.

All particles play the same games, all of them in one batch: the fitness is what the policy scores that the weights are
meant for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, OutOfTime
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.players import playing
from gpusolve.games.tetris.players.weights import WeightsLike, load_weights
from gpusolve.games.tetris.rules.board import MAXOUT
from gpusolve.games.tetris.rules.features import FEATURES, LARGEST
from gpusolve.games.tetris.rules.policies import POLICIES
from gpusolve.games.tetris.training import swarm
from gpusolve.games.tetris.training.swarm import NEIGHBOURS, Swarm
from gpusolve.games.tetris.variant import Settings, check_settings
from gpusolve.runs.cluster import Workers, open_workers
from gpusolve.runs.run import Run

KIND = "tetris.train"
FITNESS = ("mean", "top-half", "top-third", "maxout")
TOPOLOGIES = ("star", "ring")
MOST_ITERATIONS = 1_000_000
STEEPEST = 10.0
"""The swarm's coefficients are not larger; beyond 1 or 2 it already flies apart."""
WIDEST = 1000.0
SPREAD = 0.5
FINALISTS = 10
BYTES_PER_GAME = 16
Played: TypeAlias = tuple[npt.NDArray[np.float64], int, range]
"""A job: weights, a seed, and which of its games are played with each of them."""
Scored: TypeAlias = tuple[npt.NDArray[np.int32], int]
"""What comes of it: the scores, (weights, games), and the pieces placed."""
Players: TypeAlias = Workers[Played, Scored]
FRESH_SEED = 2**32  # added to the seed for the games after training, which no particle has played


@dataclass(frozen=True)
class TrainingSettings:
    """What a training is, besides its seed and what games are played under: the same ones give the same weights.

    An iteration is `particles` times `games` games, `kernels.MOST_PLAYED` at most, and so are the finals.
    `init`: weights around which the swarm starts, each of its coordinates spread by `spread` (None: SPREAD) times its
    size; None: uniform in [0, 1]. `renew`: after so many iterations other games are played, and every personal best is
    played again on them, so that none stands for luck with some games only; 0: never. `finals`: fresh games between the
    ten best particles and their mean at the end, since being best in training is partly luck, and in the mean luck
    cancels out; 0: the best is believed.
    """

    particles: int = 96
    iterations: int = 100
    games: int = 150
    policy: str = "two-piece"
    fitness: str = "mean"
    inertia: float = 0.7298
    cognitive: float = 1.49618
    social: float = 1.49618
    clamp: float | None = None
    topology: str = "star"
    init: WeightsLike | None = None
    spread: float | None = None
    renew: int = 0
    finals: int = 500

    def check(self) -> None:
        """Raises BadInput for what cannot be trained."""
        most = kernels.MOST_PLAYED
        checks.check_integer("particles", self.particles, 2, most)
        checks.check_integer("iterations", self.iterations, 1, MOST_ITERATIONS)
        checks.check_integer("games", self.games, 1, most)
        checks.check_integer("renew", self.renew, 0, MOST_ITERATIONS)
        checks.check_integer("finals", self.finals, 0, most // (FINALISTS + 1))
        for name, known in (("policy", POLICIES), ("fitness", FITNESS), ("topology", TOPOLOGIES)):
            checks.check_choice(name, getattr(self, name), known)
        for name in ("inertia", "cognitive", "social"):
            checks.check_number(name, getattr(self, name), -STEEPEST, STEEPEST)
        if self.clamp is not None:
            checks.check_number("clamp", self.clamp, 0, LARGEST)
        if self.spread is not None:
            checks.check_number("spread", self.spread, 0, WIDEST)
        if self.particles * self.games > most:
            raise BadInput(
                f"particles {self.particles} and games {self.games}: {self.particles * self.games:,} games at once "
                f"would take {self.particles * self.games * BYTES_PER_GAME / 2**30:,.1f} GiB, expected at most {most:,}"
            )
        if self.renew and (self.iterations // self.renew + 1) * self.games > kernels.MOST_GAME:
            raise BadInput(
                f"renew {self.renew}: {self.iterations} iterations need more than 2^31 games, expected fewer"
            )
        if self.topology == "ring" and self.particles <= NEIGHBOURS:
            raise BadInput(f"particles {self.particles}: a ring needs more than {NEIGHBOURS}")
        if self.spread is not None and self.init is None:
            raise BadInput(f"spread {self.spread}: expected only with weights to start around")


QUICK = TrainingSettings(particles=24, iterations=60, games=40, policy="greedy", finals=400)
"""A training that shows learning within a minute."""


@dataclass(frozen=True)
class Iteration:
    """What one iteration came to: fitness of the best particle so far, of this iteration's best, and of all of them."""

    iteration: int
    best: float
    iteration_best: float
    mean: float
    deviation: float
    spread: float
    """The mean over the coordinates of the particles' standard deviation, as a part of the best's greatest weight."""
    pieces: int
    seconds: float


@dataclass(frozen=True)
class Training:
    """What came of a training: the best weights, their `fitness` (on fresh games if there were finals), the last swarm.

    `complete`: whether it came to its last iteration, rather than to its time limit.
    """

    weights: tuple[float, ...]
    fitness: float
    swarm: Swarm
    seed: int
    seconds: float
    complete: bool

    @property
    def iterations(self) -> int:
        """How many there were."""
        return self.swarm.iteration


def train(
    training: TrainingSettings = TrainingSettings(),
    settings: Settings = Settings(),
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Iteration], None] = lambda iteration: None,
    backend: Backend | None = None,
) -> Training:
    """Finds weights; `progress` is called after each iteration.

    `workers`: who plays the games, as `open_workers` has them; what moves the swarm is this process.
    `seed`, `time_limit`, `checkpoint`, `resume` as `gpusolve.runs.run.Run` has them: a training that is resumed gives what
    it would have given without a stop, to the bit; it may have more `iterations` or other `finals`. Raises
    BadInput for settings that cannot be trained and for a checkpoint of another training.
    """
    if not isinstance(training, TrainingSettings):
        raise TypeError(f"training: expected TrainingSettings, not {type(training).__name__}")
    training.check()
    check_settings(settings)
    if training.init is not None:
        spread = SPREAD if training.spread is None else training.spread
        training = replace(training, init=load_weights(training.init).values, spread=spread)
    backend = open_backend(backend)
    same = asdict(training) | asdict(settings)
    del same["iterations"], same["finals"]
    run = Run(KIND, same, seed, checkpoint, resume, time_limit)
    if run.state:
        now = swarm.from_state(run.state, training.particles, len(FEATURES))
    else:
        centre: Any = training.init
        now = swarm.scatter(run.seed, training.particles, len(FEATURES), centre, training.spread or 0.0)
    with open_workers(
        workers, partial(_playing, training.policy, settings), backend, run=run, progress=progress
    ) as players:
        with run.saved(lambda: swarm.as_state(now)) as more:
            while now.iteration < training.iterations and more():
                now, iteration = _step(now, training, run.seed, players)
                progress(iteration)
        complete = now.iteration >= training.iterations
        try:
            weights, fitness = _finals(now, training, run.seed, players)
        except OutOfTime:
            complete = False
            weights, fitness = _best(now)
    return Training(weights, fitness, now, run.seed, run.seconds, complete)


def fitness_of(scores: npt.NDArray[np.int32], kind: str) -> npt.NDArray[np.float64]:
    """One number for each row of `scores`: their mean, that of the best half or third, or the percentage of maxouts.

    >>> fitness_of(np.array([[0, 600_000, 1_200_000, 600_000, 0, 0]], np.int32), "top-third").tolist()
    [900000.0]
    """
    if kind == "maxout":
        return np.asarray(100.0 * (scores >= MAXOUT).mean(axis=1))
    part = {"mean": 1, "top-half": 2, "top-third": 3}[kind]
    best = np.sort(scores, axis=1)[:, ::-1][:, : -(-scores.shape[1] // part)]
    return np.asarray(best.mean(axis=1, dtype=np.float64))


def _playing(policy: str, settings: Settings, backend: Backend) -> Callable[[Played], Scored]:
    """What plays some games with some weights."""

    def play(job: Played) -> Scored:
        weights, seed, games = job
        found = playing.play(backend, weights, len(games), seed, games.start, policy, settings=settings)
        return found.scores, int(found.pieces.sum())

    return play


def _played(players: Players, weights: npt.NDArray[np.float64], seed: int, games: range) -> Scored:
    """The scores of games of the seed with each of the weights, int32 (weights, games), and the pieces of all."""
    parts = players.parts(games.start, games.stop, len(games), lambda part: (weights, seed, part))
    scores, pieces = zip(*(found for _, found in parts), strict=True)
    return np.concatenate(scores, axis=1), sum(pieces)


def _step(before: Swarm, training: TrainingSettings, seed: int, players: Players) -> tuple[Swarm, Iteration]:
    """One iteration: play, remember the bests, move."""
    begin = time.monotonic()
    renew, pieces = training.renew, 0

    def costs(position: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        nonlocal pieces
        first = before.iteration // renew * training.games if renew else 0
        scores, placed = _played(players, position, seed, range(first, first + training.games))
        pieces += placed
        return -fitness_of(scores, training.fitness)

    if renew and before.iteration and before.iteration % renew == 0:
        before = replace(before, best_cost=costs(before.best_position), swarm_cost=np.inf)
    cost = costs(before.position)
    after = swarm.step(
        before, cost, training.inertia, training.cognitive, training.social, training.clamp, training.topology
    )
    return after, Iteration(
        after.iteration,
        -float(after.best_cost.min()),
        -float(cost.min()),
        -float(cost.mean()),
        float(cost.std()),
        before.spread,
        pieces,
        time.monotonic() - begin,
    )


def _best(last: Swarm) -> tuple[tuple[float, ...], float]:
    """The best position and its fitness."""
    return tuple(last.best.tolist()), -float(last.best_cost.min())


def _finals(last: Swarm, training: TrainingSettings, seed: int, players: Players) -> tuple[tuple[float, ...], float]:
    """The best on fresh games of the FINALISTS best positions and their mean; its fitness."""
    if training.finals == 0:
        return _best(last)
    order = np.argsort(last.best_cost, kind="stable")[:FINALISTS]
    finalists = last.best_position[order]
    finalists = np.concatenate([finalists, finalists.mean(axis=0, keepdims=True)])
    scores, _ = _played(players, finalists, seed + FRESH_SEED, range(training.finals))
    fitness = fitness_of(scores, training.fitness)
    return tuple(finalists[np.argmax(fitness)].tolist()), float(fitness.max())
