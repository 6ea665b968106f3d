"""Training of a learned value by temporal differences, from games that it plays itself.

A round of games is played with the tables as they are, on all cores or on the GPU. Then the tables learn from the
boards of these games, one game at a time, in order. So the result depends only on the seed.

In the opening, games are played by one piece and the published weights, and only the table of lines to come learns.
Then all tables learn from games that they play themselves, by one piece. While play settles, the table of lines to come
takes most of each error, because it has to account for all play getting better. Otherwise the other tables would
account for it on the boards that are seen often, and what the beginner tried and gave up, such as a well on the right,
would keep the beginner's losses and never be tried again.

A value for play against the clock is better trained without a clock: with one, many games that are played by one piece
end early, and the value learns to fear what two-piece play need not fear.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris.players.judging import greedy
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.training.learner import Learner
from gpusolve.games.tetris.training.lessons import beginner, play_lessons
from gpusolve.games.tetris.training.settings import ValueTrainingSettings
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.runs.run import Run

KIND = "tetris.train-value"
FIRST_SHARE, SHARE = 0.85, 0.4
"""The fraction of an error that the table of lines to come takes while play settles, and after that."""
SETTLING_ROUNDS = 8
"""While play settles, rounds are smaller by this factor: a beginner who learns from a few games at a time goes less far
astray than one who learns from many."""


@dataclass(frozen=True)
class ValueIteration:
    """The outcome of one round of games.

    Attributes
    ----------
    iteration : int
        The number of the round, from 1.
    mean : float
        The mean score.
    early : float
        The fraction of games that ended before their last line.
    error : float
        The root mean squared error of the value, in points.
    rate : float
        The factor of the step sizes.
    games, pieces : int
        The number of games and of pieces played.
    seconds : float
        The time taken.
    """

    iteration: int
    mean: float
    early: float
    error: float
    rate: float
    games: int
    pieces: int
    seconds: float


@dataclass(frozen=True)
class ValueTraining:
    """The result of `train_value`.

    Attributes
    ----------
    value : LearnedValue
        The trained value.
    iterations : int
        The number of rounds that it has learnt from.
    seed : int
        The seed of the training.
    seconds : float
        The time taken, including earlier runs that were resumed.
    complete : bool
        Whether the training reached its last iteration before its time limit.
    """

    value: LearnedValue
    iterations: int
    seed: int
    seconds: float
    complete: bool


def train_value(
    training: ValueTrainingSettings = ValueTrainingSettings(),
    *,
    variant: Variant = Variant(),
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[ValueIteration], None] = lambda iteration: None,
    backend: Backend | None = None,
) -> ValueTraining:
    """Train a learned value by temporal differences from games that it plays itself.

    A value is a sum of tables that are indexed by properties of a board. It predicts the points that will be lost,
    compared with a game in which every line is cleared by a tetris. Each number of the tables has its own step size
    (temporal coherence [1]_); tables of a board's properties, or n-tuple networks, are described in [2]_.

    Parameters
    ----------
    training : ValueTrainingSettings
        The number of rounds and games, and the rates of learning.
    variant : Variant
        The rules of the games.
    seed : int, optional
        Seed of every random choice. Default: the seed of `resume`, or else a random one.
    time_limit : float, optional
        Stop after this many seconds and return the value so far.
    checkpoint : path, optional
        Save the state to this file as the training goes on. Default: `resume`.
    resume : path, optional
        Continue from this checkpoint, with a result identical to the bit to that of an uninterrupted training.
    progress : callable
        Called with a `ValueIteration` after each round.
    backend : Backend, optional
        The device that plays the games. Default: the best one available.

    Returns
    -------
    ValueTraining
        The value, and how the training went. `save_value` writes the value to a file that every command accepts.

    Raises
    ------
    BadInput
        If the settings cannot be trained with, or `resume` is not a checkpoint of the same training.

    References
    ----------
    .. [1] D. F. Beal and M. C. Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999.
    .. [2] W. Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion,
       redundant encoding and carousel shaping", IEEE Transactions on Games, 2018.

    Examples
    --------
    >>> from gpusolve.games.tetris import ValueTrainingSettings, Variant
    >>> trained = train_value(
    ...     ValueTrainingSettings(iterations=2, games=4),
    ...     variant=Variant(max_lines=8),
    ...     seed=1,
    ...     backend=open_backend("cpu"),
    ... )
    >>> trained.iterations, trained.complete
    (2, True)
    """
    checks.check_type("training", training, ValueTrainingSettings)
    training.check()
    check_variant(variant)
    backend = open_backend(backend)
    run = Run(
        KIND,
        asdict(training) | asdict(variant),
        seed=seed,
        checkpoint=checkpoint,
        resume=resume,
        time_limit=time_limit,
    )
    learner = Learner(run.state)
    with run.saved(learner.state) as more:
        while learner.iteration < training.iterations and more():
            progress(_round(learner, training, variant=variant, seed=run.seed, backend=backend))
    complete = learner.iteration >= training.iterations
    return ValueTraining(learner.value, learner.iteration, run.seed, run.seconds, complete)


def _round(
    learner: Learner, training: ValueTrainingSettings, *, variant: Variant, seed: int, backend: Backend
) -> ValueIteration:
    """Play a round of games and learn from it."""
    begin, iteration = time.monotonic(), learner.iteration
    opening, settled = training.phases
    settling = opening <= iteration < settled
    count = max(1, training.games // SETTLING_ROUNDS) if settling else training.games
    games = range(iteration * training.games, iteration * training.games + count)
    judge, state = learner.value.judge(backend, variant), Round(backend, games, seed=seed, variant=variant)
    choose = beginner(judge, np.random.default_rng((seed, iteration))) if iteration < opening else greedy(judge)
    lessons, results = play_lessons(judge, state, choose)
    rate = training.rate_of(iteration)
    share = 1.0 if iteration < opening else FIRST_SHARE if settling else SHARE
    error = learner.learn(lessons, trace=training.trace, rate=rate, share=share, variant=variant)
    return ValueIteration(
        iteration=learner.iteration,
        mean=float(results[:, 0].mean()),
        early=float((results[:, 1] < variant.max_lines).mean()),
        error=error,
        rate=rate,
        games=len(games),
        pieces=int(results[:, 2].sum()),
        seconds=time.monotonic() - begin,
    )
