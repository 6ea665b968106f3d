"""Training of a learned value by temporal differences, from games that it plays itself.

A round of games is played with the tables as they are, on all cores or on the GPU. Then the tables learn from the
boards of these games, one game at a time, in order. So the result depends only on the seed.

In the opening, games are played by one piece and the published weights, and only the table of lines to come learns.
Then all tables learn from games that they play themselves, by one piece. While play settles, the table of lines to come
takes most of each error, because it has to account for all play getting better. Otherwise the other tables would
account for it on the boards that are seen often, and what the beginner tried and gave up, such as a well on the right,
would keep the beginner's losses and never be tried again.

A value for play against the clock is better trained without a clock: with one, many games that are played by one piece
end early, and the value learns to fear what two-piece play need not fear. That is so up to level 28. Beyond, a clock
decides what can be reached at all. A value learns it phase by phase, see `schedule`, from games whose pieces come in
pairs: the player knows two pieces and places both, then learns the next two. Such games are played nearly as well as
with the next piece always known, and the value of a board stays that before anything is known of what follows. With a
reaction time, the next piece is known too late to matter for most placements. So every piece is placed by plan, and the
value learns from the board after each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from gpusolve import checks, clock
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.judge import greedy
from gpusolve.games.tetris.players.turns import Round
from gpusolve.games.tetris.players.value import (
    LearnedValue,
    ValueLike,
    base_for_changes,
    load_value,
    phases_of,
    save_value,
    untrained,
)
from gpusolve.games.tetris.rules.board import KILL_SCREEN
from gpusolve.games.tetris.rules.losses import SIZE
from gpusolve.games.tetris.training.blending import blended
from gpusolve.games.tetris.training.empty_board import with_empty_board
from gpusolve.games.tetris.training.episodes import beginner, play_ahead, play_episodes
from gpusolve.games.tetris.training.extension import extended, with_first_phase
from gpusolve.games.tetris.training.learner import Learner
from gpusolve.games.tetris.training.schedule import step_of
from gpusolve.games.tetris.training.settings import ValueTrainingSettings
from gpusolve.games.tetris.variant import Variant, check_trainable
from gpusolve.result import FLAT, HIDDEN, Result
from gpusolve.runs.run import Run

KIND = "tetris.train-value"
INIT = "tournament-30hz"
"""What a value with tables for several phases starts from by default."""


@dataclass(frozen=True, repr=False)
class ValueIteration(Result):
    """The outcome of one round of games.

    Attributes
    ----------
    iteration : int
        The number of the round, from 1.
    mean : float
        The mean score of the games that started with the fewest lines.
    early : float
        The fraction of these games that ended before their last line.
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


@dataclass(frozen=True, repr=False)
class ValueTraining(Result, schema="tetris.train-value/2"):
    """The result of `train_value`.

    Attributes
    ----------
    training : ValueTrainingSettings
        The settings.
    variant : Variant
        The rules of the games.
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

    training: ValueTrainingSettings
    variant: Variant = field(metadata=FLAT)
    value: LearnedValue = field(metadata=HIDDEN)
    iterations: int
    seed: int
    seconds: float
    complete: bool

    @property
    def about(self) -> str:
        """What was trained, in a few words."""
        return f"value, {self.training.games} games an iteration, {self.variant.summary}"

    def save(self, out: Path = Path("learned.value"), *, changes_only: bool = False) -> None:
        """Write the value to a file that every command accepts. Raises BadInput if it cannot be written.

        Parameters
        ----------
        out : Path, default learned.value
            Write the value to this file.
        changes_only : bool, default False
            Write only what differs from the shipped value that `init` names, or from the one that its file differs
            from. The file is small, but another version of gpusolve may not be able to load it.
        """
        origin = f"gpusolve tetris train-value: {self.iterations} iterations, {self.about}, seed {self.seed}"
        base = base_for_changes(self.training.init, "--init with") if changes_only else None
        save_value(out, replace(self.value, name=out.stem, about=origin), base=base)


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
    """Train a learned value on games that it plays itself.

    A value is a sum of tables that are indexed by properties of a board. It predicts the points that will be lost,
    compared with a game in which every line is cleared by a tetris. It learns by temporal differences; each number of
    the tables has its own step size (temporal coherence [1]_); tables of a board's properties, or n-tuple networks, are
    the value [2]_. With a checkpoint, Ctrl-C loses nothing.

    Parameters
    ----------
    training : ValueTrainingSettings
        The number of rounds and games, and the rates of learning.
    variant : Variant
        The rules of the games.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint. The result is identical to the bit to that of an uninterrupted training.
    progress : callable
        Called with a `ValueIteration` after each round.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

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
    ``gpusolve tetris train-value --iterations 4 --games 10 --opening 0.25 --max-lines 20``

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
    check_trainable(variant)
    backend = open_backend(backend)
    phases = _phases(training, variant)
    init = training.init if training.init is not None or len(phases) == 1 else INIT
    blend = None if training.blend is None else load_value(training.blend)
    start = untrained() if init is None else extended(load_value(init), variant, phases, backend)
    if training.first_phase is not None:
        start = with_first_phase(start, _first_phase(training.first_phase, variant), variant, backend)
    settings = asdict(replace(training, init=None, first_phase=None, blend=None))
    del settings["first_phase"]  # it is part of the start
    settings["phases"] = list(phases)
    run = Run(
        KIND,
        settings | {"init": init and start.digest, "blend": blend and blend.digest} | variant.settings,
        seed=seed,
        checkpoint=checkpoint,
        resume=resume,
        time_limit=time_limit,
    )
    learner = Learner(start, variant, run.state)
    with run.saved(learner.state) as more:
        while learner.iteration < training.iterations and more():
            progress(_round(learner, training, variant=variant, seed=run.seed, backend=backend))
    complete = learner.iteration >= training.iterations
    value = with_empty_board(learner.value, variant, backend)
    if blend is not None and complete:
        value = blended(value, blend, games=2 * training.games, variant=variant, seed=run.seed, backend=backend)
        value = with_empty_board(value, variant, backend)
    return ValueTraining(training, variant, value, learner.iteration, run.seed, run.seconds, complete)


def _phases(training: ValueTrainingSettings, variant: Variant) -> tuple[int, ...]:
    """Return the levels at which the phases of the training begin."""
    if training.phases is None:
        return phases_of(variant)
    phases = (0, *map(int, training.phases))
    last = variant.level_at(variant.max_lines - 1)
    if variant.reach == "free":
        raise BadInput("phases: expected only for games against a clock")
    if phases[-1] > last:
        raise BadInput(f"phases {phases[-1]}: expected levels that these games reach, {last} at most")
    return phases


def _first_phase(source: ValueLike, variant: Variant) -> LearnedValue:
    """Load the value whose tables the phases before level 29 take over."""
    if len(phases_of(variant)) == 1 or variant.start_level >= KILL_SCREEN:
        raise BadInput("first_phase: expected only for games against a clock that begin before level 29 and go beyond")
    first = load_value(source)
    if len(first.tables) != SIZE:
        raise BadInput(f"first_phase {first.name}: expected a value with tables for one phase")
    return first


def _round(
    learner: Learner, training: ValueTrainingSettings, *, variant: Variant, seed: int, backend: Backend
) -> ValueIteration:
    """Play a round of games and learn from it."""
    begin, iteration = clock.now(), learner.iteration
    step = step_of(training, variant, learner.value.phases, iteration)
    games = range(iteration * training.games, iteration * training.games + step.games)
    lines = np.resize(np.array(step.starts, np.int32), len(games))
    judge = learner.value.judge(backend, variant)
    state = Round(backend, games, seed=seed, variant=variant, lines=lines)
    if step.looks_ahead:
        episodes, results = play_ahead(judge, state)
    else:
        choose = beginner(judge, np.random.default_rng((seed, iteration))) if step.is_opening else greedy(judge)
        episodes, results = play_episodes(judge, state, choose)
    error = learner.learn(episodes, trace=training.trace, rate=step.rate, share=step.share)
    first = lines == step.starts[0]
    return ValueIteration(
        iteration=learner.iteration,
        mean=float(results[first, 0].mean()),
        early=float((results[first, 1] < variant.max_lines).mean()),
        error=error,
        rate=step.rate,
        games=len(games),
        pieces=int(results[:, 2].sum()),
        seconds=clock.now() - begin,
    )
