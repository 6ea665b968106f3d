"""Training of weights by a particle swarm.

All particles play the same games, in one batch. Their fitness is the score of the policy for which the weights are
meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve import checks, clock
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import OutOfTime
from gpusolve.games.tetris.players.playing import play_rows
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.weights import Weights, load_weights, save_weights
from gpusolve.games.tetris.rules.board import MAXOUT
from gpusolve.games.tetris.rules.features import FEATURES
from gpusolve.games.tetris.training import swarm
from gpusolve.games.tetris.training.settings import FINALISTS, TrainingSettings
from gpusolve.games.tetris.training.swarm import Swarm
from gpusolve.games.tetris.variant import Variant, check_trainable
from gpusolve.result import FLAT, HIDDEN, Result, reported
from gpusolve.runs.cluster import Workers, open_workers
from gpusolve.runs.run import Run
from gpusolve.runs.series import joined

KIND = "tetris.train"
SPREAD = 0.5
"""The spread around the initial weights unless the settings say otherwise."""
FRESH_SEED = 2**32
"""Added to the seed for the games of the finals, which no particle has played."""
Job: TypeAlias = tuple[npt.NDArray[np.float64], int, range]
"""Rows of weights, a seed, and the numbers of the games to play with each row."""
Scored: TypeAlias = tuple[npt.NDArray[np.int32], ...]
"""The scores and the numbers of pieces placed, each of shape (weights, games)."""
Players: TypeAlias = Workers[Job, Scored]


@dataclass(frozen=True, repr=False)
class Iteration(Result):
    """The outcome of one iteration.

    Attributes
    ----------
    iteration : int
        The number of the iteration, from 1.
    best : float
        The fitness of the best position so far.
    iteration_best, mean, deviation : float
        The best fitness in this iteration, and the mean and standard deviation over the particles.
    spread : float
        The mean standard deviation of the coordinates, as a fraction of the greatest mean coordinate.
    pieces : int
        The number of pieces placed.
    seconds : float
        The time taken.
    """

    iteration: int
    best: float
    iteration_best: float
    mean: float
    deviation: float
    spread: float
    pieces: int
    seconds: float


@dataclass(frozen=True, repr=False)
class Training(Result, schema="tetris.train/2"):
    """The result of `train`.

    Attributes
    ----------
    training : TrainingSettings
        The settings.
    variant : Variant
        The rules of the games.
    weights : tuple of float
        The best weights, one for each of the 17 features.
    fitness : float
        Their fitness: on the games of the finals, or without finals on those of the training.
    swarm : Swarm
        The swarm after the last iteration.
    seed : int
        The seed of the training.
    seconds : float
        The time taken, including earlier runs that were resumed.
    complete : bool
        Whether the training reached its last iteration and its finals before its time limit.
    """

    training: TrainingSettings
    variant: Variant = field(metadata=FLAT)
    weights: tuple[float, ...]
    fitness: float
    swarm: Swarm = field(metadata=HIDDEN)
    seed: int
    seconds: float
    complete: bool

    @reported
    def iterations(self) -> int:
        """The number of iterations made."""
        return self.swarm.iteration

    def save(self, out: Path = Path("weights.json")) -> None:
        """Write the best weights to a file. Raises BadInput if it cannot be written.

        Parameters
        ----------
        out : Path, default weights.json
            Write the best weights to this file.
        """
        settings = self.training
        origin = (
            f"gpusolve tetris train: {settings.policy}, {settings.particles} particles, {self.iterations} iterations, "
            f"{settings.games} games, {settings.fitness}, {self.variant.summary}, seed {self.seed}"
        )
        save_weights(out, Weights(out.stem, origin, self.weights))


def train(
    training: TrainingSettings = TrainingSettings(),
    *,
    variant: Variant = Variant(),
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Iteration], None] = lambda iteration: None,
    backend: Backend | None = None,
) -> Training:
    """Find weights by particle swarm optimization.

    The weights are those of the 17 features of a board [1]_. With a checkpoint, Ctrl-C loses nothing.

    Parameters
    ----------
    training : TrainingSettings
        The swarm, the number of iterations and games, and the objective.
    variant : Variant
        The rules of the games.
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count. One iteration is always made, and there are no finals.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint. The result is identical to the bit to that of an uninterrupted training; the
        number of iterations and the finals can differ from those of the checkpoint.
    progress : callable
        Called with an `Iteration` after each iteration. If it has a method ``watch``, that is given the workers.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Training
        The best weights, and how the training went. `save_weights` writes weights to a file.

    Raises
    ------
    BadInput
        If the settings cannot be trained with, or `resume` is not a checkpoint of the same training.

    References
    ----------
    .. [1] J. Kennedy and R. Eberhart, "Particle swarm optimization", Proceedings of ICNN'95, 1995.

    Examples
    --------
    ``gpusolve tetris train --particles 6 --iterations 3 --games 10 --policy greedy --finals 20``

    >>> from gpusolve.games.tetris import TrainingSettings, Variant
    >>> trained = train(
    ...     TrainingSettings(particles=6, iterations=2, games=3, policy="greedy", finals=5),
    ...     variant=Variant(max_lines=8),
    ...     seed=1,
    ...     backend=open_backend("cpu"),
    ... )
    >>> len(trained.weights), trained.iterations, trained.complete
    (17, 2, True)
    """
    checks.check_type("training", training, TrainingSettings)
    training.check()
    check_trainable(variant)
    settings = training
    if training.init is not None:
        spread = SPREAD if training.spread is None else training.spread
        training = replace(training, init=load_weights(training.init).values, spread=spread)
    backend = open_backend(backend)
    same = asdict(training) | variant.settings
    del same["iterations"], same["finals"]
    run = Run(KIND, same, seed=seed, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    if run.state:
        now = swarm.from_state(run.state, training.particles, len(FEATURES), topology=training.topology)
    else:
        centre: Any = training.init
        now = swarm.scatter(run.seed, training.particles, len(FEATURES), centre=centre, spread=training.spread or 0.0)
    with open_workers(
        workers, partial(_playing, Policy(training.policy), variant), backend, run=run, progress=progress
    ) as players:
        with run.saved(lambda: swarm.as_state(now)) as more:
            while now.iteration < training.iterations and more():
                now, iteration = _step(now, training, run.seed, players)
                progress(iteration)
        complete = now.iteration >= training.iterations
        try:
            weights, fitness = _finals(now, training, run, players)
        except OutOfTime:
            complete = False
            weights, fitness = _best(now)
    return Training(settings, variant, weights, fitness, now, run.seed, run.seconds, complete)


def fitness_of(scores: npt.NDArray[np.int32], kind: str) -> npt.NDArray[np.float64]:
    """Return the fitness of each row of scores: the mean of all, of the best half or third, or the % of maxouts.

    >>> fitness_of(np.array([[0, 600_000, 1_200_000, 600_000, 0, 0]], np.int32), "top-third").tolist()
    [900000.0]
    """
    if kind == "maxout":
        return np.asarray(100.0 * (scores >= MAXOUT).mean(axis=1))
    part = {"mean": 1, "top-half": 2, "top-third": 3}[kind]
    best = np.sort(scores, axis=1)[:, ::-1][:, : -(-scores.shape[1] // part)]
    return np.asarray(best.mean(axis=1, dtype=np.float64))


def _playing(policy: Policy, variant: Variant, backend: Backend) -> Callable[[Job], Scored]:
    """Return a worker's function, which plays games with rows of weights."""

    def play(job: Job) -> Scored:
        weights, seed, games = job
        played = play_rows(backend, weights, games, seed=seed, policy=policy, variant=variant)
        return played.scores, played.pieces

    return play


def _play_all(players: Players, weights: npt.NDArray[np.float64], seed: int, games: range) -> Scored:
    """Play games of the seed with each row of weights."""
    return joined(players.parts(games.start, games.stop, len(games), lambda part: (weights, seed, part)), axis=1)


def _step(before: Swarm, training: TrainingSettings, seed: int, players: Players) -> tuple[Swarm, Iteration]:
    """Make one iteration: play, remember the best positions, move."""
    begin = clock.now()
    renew, pieces = training.renew, 0

    def costs(position: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        nonlocal pieces
        first = before.iteration // renew * training.games if renew else 0
        scores, placed = _play_all(players, position, seed, range(first, first + training.games))
        pieces += int(placed.sum())
        return -fitness_of(scores, training.fitness)

    if renew and before.iteration and before.iteration % renew == 0:
        before = replace(before, best_cost=costs(before.best_position), swarm_cost=np.inf)
    cost = costs(before.position)
    after = swarm.step(
        before,
        cost,
        inertia=training.inertia,
        cognitive=training.cognitive,
        social=training.social,
        clamp=training.clamp,
        topology=training.topology,
    )
    return after, Iteration(
        iteration=after.iteration,
        best=-float(after.best_cost.min()),
        iteration_best=-float(cost.min()),
        mean=-float(cost.mean()),
        deviation=float(cost.std()),
        spread=before.spread,
        pieces=pieces,
        seconds=clock.now() - begin,
    )


def _best(last: Swarm) -> tuple[tuple[float, ...], float]:
    """Return the best position and its fitness in the training."""
    return tuple(last.best.tolist()), -float(last.best_cost.min())


def _finals(last: Swarm, training: TrainingSettings, run: Run, players: Players) -> tuple[tuple[float, ...], float]:
    """Return the winner of the finals, among the FINALISTS best positions and their mean, and its fitness there.

    Raises OutOfTime if there is no time left for them.
    """
    if training.finals == 0:
        return _best(last)
    if run.time_left <= 0:
        raise OutOfTime
    order = np.argsort(last.best_cost, kind="stable")[:FINALISTS]
    finalists = last.best_position[order]
    finalists = np.concatenate([finalists, finalists.mean(axis=0, keepdims=True)])
    scores, _ = _play_all(players, finalists, run.seed + FRESH_SEED, range(training.finals))
    fitness = fitness_of(scores, training.fitness)
    return tuple(finalists[np.argmax(fitness)].tolist()), float(fitness.max())
