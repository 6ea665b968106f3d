"""The settings of both kinds of training: of weights by a particle swarm, and of a value by temporal differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, get_args

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.kernels import MOST_GAME, MOST_PLAYED
from gpusolve.games.tetris.players.value import ValueLike
from gpusolve.games.tetris.players.weights import WeightsLike
from gpusolve.games.tetris.rules.board import DOUBLED
from gpusolve.games.tetris.rules.features import LARGEST
from gpusolve.games.tetris.rules.losses import MOST_PHASES
from gpusolve.games.tetris.rules.policies import POLICIES, SimplePolicy
from gpusolve.games.tetris.training.swarm import MOST_ITERATIONS, NEIGHBOURS
from gpusolve.options import Options
from gpusolve.result import Result

Fitness = Literal["mean", "top-half", "top-third", "maxout"]
FITNESS: tuple[Fitness, ...] = get_args(Fitness)
Topology = Literal["star", "ring"]
TOPOLOGIES: tuple[Topology, ...] = get_args(Topology)
STEEPEST = 10.0
"""The greatest coefficient of a swarm; beyond 1 or 2 it already flies apart."""
WIDEST = 1000.0
"""The greatest `spread`."""
FINALISTS = 10
BYTES_PER_GAME = 16
MOST_GAMES = 100_000
"""The greatest number of games in an iteration of a value's training."""


@dataclass(frozen=True, repr=False)
class TrainingSettings(Result, Options):
    """Settings of `train`: with the same seed and the same rules, equal settings lead to equal weights.

    An iteration plays `particles` * `games` games, 10 million at most.

    Attributes
    ----------
    particles : int
        Number of particles in the swarm, 2 or more. By default 96, quick 24.
    iterations : int
        Number of iterations. By default 100, quick 60.
    games : int
        Number of games that each particle plays in an iteration. All particles play the same games. By default 150,
        quick 40.
    policy : {"greedy", "two-piece"}
        ``greedy`` looks at one piece, ``two-piece`` also at the next piece. By default two-piece, quick greedy.
    fitness : {"mean", "top-half", "top-third", "maxout"}
        Objective: the mean score, of all games or of the best half or third of them, or the percentage of games with at
        least 999,999 points (``maxout``). By default mean.
    inertia : float
        Fraction of its velocity that a particle keeps in the next iteration, -10 to 10. By default 0.7298.
    cognitive : float
        Pull of a particle towards the best position that it has visited, -10 to 10. By default 1.49618.
    social : float
        Pull of a particle towards the best position of the swarm (see `topology`), -10 to 10. By default 1.49618.
    clamp : float, optional
        Maximum speed of a particle in each coordinate. By default there is no limit.
    topology : {"star", "ring"}
        ``star``: the best position of the whole swarm attracts every particle; ``ring``: each particle is attracted by
        the best position of the five nearest particles. By default star.
    init : str, Path, Weights or sequence of float, optional
        Weights to start around: a shipped name or a file. By default each coordinate starts at random between 0 and 1.
    spread : float, optional
        Standard deviation of the start around `init`, as a fraction of each weight. By default 0.5.
    renew : int
        Play other games after this many iterations, and play every particle's best position again on them, so that no
        position owes its rank to luck with a few games. By default 0: the same games throughout.
    finals : int
        Number of new games on which the ten best particles and their mean compete at the end: the best position in
        training is partly lucky, and in the mean luck cancels out. 0: no finals. By default 500, quick 400.
    """

    particles: int = 96
    iterations: int = 100
    games: int = 150
    policy: SimplePolicy = "two-piece"
    fitness: Fitness = "mean"
    inertia: float = 0.7298
    cognitive: float = 1.49618
    social: float = 1.49618
    clamp: float | None = None
    topology: Topology = "star"
    init: WeightsLike | None = None
    spread: float | None = None
    renew: int = 0
    finals: int = 500

    @classmethod
    def load(cls, *, quick: bool = False, **settings: Any) -> TrainingSettings:
        """Return settings in which those that are not given have their defaults.

        Parameters
        ----------
        quick : bool
            Use smaller defaults, which show learning within a minute.
        **settings
            The fields.
        """
        smaller = cls(particles=24, iterations=60, games=40, policy="greedy", finals=400)
        return replace(smaller if quick else cls(), **settings)

    def check(self) -> None:
        """Raise BadInput for settings that cannot be trained with."""
        checks.check_integer("particles", self.particles, 2, MOST_PLAYED)
        checks.check_integer("iterations", self.iterations, 1, MOST_ITERATIONS)
        checks.check_integer("games", self.games, 1, MOST_PLAYED)
        checks.check_integer("renew", self.renew, 0, MOST_ITERATIONS)
        checks.check_integer("finals", self.finals, 0, MOST_PLAYED // (FINALISTS + 1))
        for name, known in (("policy", POLICIES), ("fitness", FITNESS), ("topology", TOPOLOGIES)):
            checks.check_choice(name, getattr(self, name), known)
        for name in ("inertia", "cognitive", "social"):
            checks.check_number(name, getattr(self, name), -STEEPEST, STEEPEST)
        if self.clamp is not None:
            checks.check_number("clamp", self.clamp, 0, LARGEST)
        if self.spread is not None:
            checks.check_number("spread", self.spread, 0, WIDEST)
        if self.particles * self.games > MOST_PLAYED:
            memory = self.particles * self.games * BYTES_PER_GAME / 2**30
            raise BadInput(
                f"particles {self.particles} and games {self.games}: {self.particles * self.games:,} games at once "
                f"would take {memory:,.1f} GiB, expected at most {MOST_PLAYED:,} games"
            )
        if self.renew and (self.iterations // self.renew + 1) * self.games > MOST_GAME:
            raise BadInput(
                f"renew {self.renew}: {self.iterations} iterations need more than 2^31 games, expected fewer"
            )
        if self.topology == "ring" and self.particles <= NEIGHBOURS:
            raise BadInput(f"particles {self.particles}: expected more than {NEIGHBOURS} for a ring")
        if self.spread is not None and self.init is None:
            raise BadInput(f"spread {self.spread}: expected only with weights to start around")


@dataclass(frozen=True, repr=False)
class ValueTrainingSettings(Result, Options):
    """Settings of `train_value`: with the same seed and the same rules, equal settings lead to the same value.

    The training has three phases. In the opening, the published weights play. While play settles, the value plays and
    rounds have an eighth of the games. After that, rounds are whole and the step size falls. Games that go beyond level
    29 against a clock are learned in stages instead, see `schedule`; each stage has its own opening and falling steps.

    Attributes
    ----------
    iterations : int
        Number of rounds of games, up to a million. By default 5000, quick 100.
    games : int
        Number of games in a round, up to 100,000. By default 128, quick 64.
    opening : float
        Fraction of the rounds that are played by the published weights, at the start, 0 to 1. By default 0.0025, quick
        0.16.
    settling : float
        Fraction of the rounds after which play has settled, 0 to 1; until then, rounds have an eighth of the games. By
        default 0.07, quick 1.
    trace : float
        Lambda of the returns, 0 to 1. By default 0.4.
    rate : float
        Factor of the step sizes until play has settled. By default 1.
    last_rate : float
        Factor of the step sizes in the last round; in between its logarithm changes evenly. By default 0.05.
    init : str, Path or LearnedValue, optional
        Value to start from: a shipped name or a file. By default untrained; for several phases ``tournament-30hz``, of
        whose tables each phase takes over those with which it plays best.
    first_phase : str, Path or LearnedValue, optional
        Value for one phase: a shipped name or a file. In games beyond level 29 against a clock, the phases before level
        29 start from its tables instead of those of `init`.
    phases : str or sequence of int, optional
        For games against a clock: the levels from which another set of tables judges boards, in ascending order, as in
        ``19,29,39``. Those before the first of these levels are not learned further. By default 29, and 39 with a
        double killscreen, as far as games get.
    blend : str, Path or LearnedValue, optional
        Value to blend the tables of the first phase with at the end: a shipped name or a file. Each blend plays twice
        the number of games of a round, and the one with the highest mean score stays.
    """

    iterations: int = 5000
    games: int = 128
    opening: float = 0.0025
    settling: float = 0.07
    trace: float = 0.4
    rate: float = 1.0
    last_rate: float = 0.05
    init: ValueLike | None = None
    first_phase: ValueLike | None = None
    phases: str | Sequence[int] | None = None
    blend: ValueLike | None = None

    def __post_init__(self) -> None:
        if isinstance(self.phases, str):
            levels = checks.numbers_in(self.phases)
            if levels is None:
                raise BadInput(f"phases {shown(self.phases)}: expected levels, as in 19,29,39")
            object.__setattr__(self, "phases", levels)

    @classmethod
    def load(cls, *, quick: bool = False, **settings: Any) -> ValueTrainingSettings:
        """Return settings in which those that are not given have their defaults.

        Parameters
        ----------
        quick : bool
            Use smaller defaults, which show learning within a minute.
        **settings
            The fields.
        """
        smaller = cls(iterations=100, games=64, opening=0.16, settling=1)
        return replace(smaller if quick else cls(), **settings)

    def check(self) -> None:
        """Raise BadInput for settings that cannot be trained with."""
        checks.check_integer("iterations", self.iterations, 1, MOST_ITERATIONS)
        checks.check_integer("games", self.games, 1, MOST_GAMES)
        for name in ("opening", "settling", "trace"):
            checks.check_number(name, getattr(self, name), 0, 1)
        if self.phases is not None:
            for level in self.phases:
                checks.check_integer("phases", level, 1, DOUBLED)
            if not self.phases or any(a >= b for a, b in pairwise(map(int, self.phases))):
                raise BadInput(f"phases {','.join(map(str, self.phases))}: expected levels in ascending order")
            if len(self.phases) >= MOST_PHASES:
                raise BadInput(f"phases: expected at most {MOST_PHASES - 1} levels, not {len(self.phases)}")
        for name in ("rate", "last_rate"):
            checks.check_number(name, getattr(self, name), 1e-6, 2)

    @property
    def milestones(self) -> tuple[int, int]:
        """The iterations at which the opening ends and at which play has settled."""
        opening, settled = (round(fraction * self.iterations) for fraction in (self.opening, self.settling))
        return opening, max(opening, settled)

    def rate_of(self, iteration: int) -> float:
        """Return the factor of the step sizes in an iteration, counted from 0."""
        settled = self.milestones[1]
        if iteration <= settled:
            return self.rate
        fraction = (iteration - settled) / (self.iterations - settled)
        return float(self.rate * (self.last_rate / self.rate) ** fraction)
