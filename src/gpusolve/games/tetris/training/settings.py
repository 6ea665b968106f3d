"""The settings of both kinds of training: of weights by a particle swarm, and of a value by temporal differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

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
from gpusolve.notebook import as_html, as_text

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


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of `train`: with the same seed and the same rules, equal settings lead to equal weights.

    An iteration plays `particles` * `games` games, 10 million at most.

    Attributes
    ----------
    particles : int
        Number of particles in the swarm, 2 or more.
    iterations : int
        Number of iterations.
    games : int
        Number of games that each particle plays in an iteration. All particles play the same games.
    policy : str
        ``greedy`` or ``two-piece``: how a particle's weights are used to play.
    fitness : str
        The objective: ``mean`` score, mean score of the ``top-half`` or ``top-third`` of the games, or ``maxout``, the
        percentage of games with at least 999,999 points.
    inertia, cognitive, social : float
        Coefficients of a particle's velocity, of the pull towards its own best position, and of the pull towards the
        best position of the swarm; -10 to 10.
    clamp : float, optional
        The greatest speed in a coordinate. Default: no limit.
    topology : str
        ``star``: the best position of the whole swarm attracts all particles; ``ring``: that of its five nearest
        particles attracts each.
    init : str, path, Weights or sequence of float, optional
        Weights to start around. Default: each coordinate starts at random between 0 and 1.
    spread : float, optional
        Standard deviation of the start around `init`, as a fraction of each weight. Default: 0.5.
    renew : int
        Play other games after this many iterations, and play every particle's best position again on them, so that no
        position owes its rank to luck with a few games. 0: keep the same games.
    finals : int
        Number of new games on which the ten best positions and their mean compete at the end: the best position in
        training is partly lucky, and in the mean luck cancels out. 0: return the best position of the training.
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

    _repr_html_ = as_html
    __repr__ = as_text

    @classmethod
    def quick(cls) -> TrainingSettings:
        """Return settings with which learning shows within a minute."""
        return cls(particles=24, iterations=60, games=40, policy="greedy", finals=400)

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


@dataclass(frozen=True)
class ValueTrainingSettings:
    """Settings of `train_value`: with the same seed and the same rules, equal settings lead to the same value.

    The training has three phases. In the opening, the published weights play. While play settles, the value plays and
    rounds have an eighth of the games. After that, rounds are whole and the step size falls. Games that go beyond level
    29 against a clock are learned in stages instead, see `schedule`; each stage has its own opening and falling steps.

    Attributes
    ----------
    iterations : int
        Number of rounds of games, up to a million.
    games : int
        Number of games in a round, up to 100,000.
    opening : float
        Fraction of the iterations that belong to the opening, 0 to 1.
    settling : float
        Fraction of the iterations after which play has settled, 0 to 1.
    trace : float
        The lambda of the returns, 0 to 1.
    rate : float
        Factor of the step sizes until play has settled.
    last_rate : float
        Factor of the step sizes at the end; in between its logarithm changes evenly.
    init : str, path or LearnedValue, optional
        A value to start from. Default: untrained; for a value with several phases, ``tournament-30hz``. There each
        phase takes over those of its tables with which it plays best.
    first_phase : str, path or LearnedValue, optional
        A value for one phase, for games that go beyond level 29 against a clock. Their phases before level 29 start
        from its tables instead of those of `init`. Default: none.
    phases : str or sequence of int, optional
        For games against a clock: the levels from which another set of tables judges boards, in ascending order, as
        in ``19,29,39``. Default: 29, and 39 with two rows per drop from there on, as far as games get. The phase before
        the first of these levels is not learned further.
    blend : str, path or LearnedValue, optional
        A value to blend the tables of the first phase with at the end. Each blend plays twice the number of games of a
        round, and the one with the highest mean score stays. Default: none.
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

    _repr_html_ = as_html
    __repr__ = as_text

    def __post_init__(self) -> None:
        if isinstance(self.phases, str):
            levels = checks.numbers_in(self.phases)
            if levels is None:
                raise BadInput(f"phases {shown(self.phases)}: expected levels, as in 19,29,39")
            object.__setattr__(self, "phases", levels)

    @classmethod
    def quick(cls) -> ValueTrainingSettings:
        """Return settings with which learning shows within a minute."""
        return cls(iterations=100, games=64, opening=0.16, settling=1)

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
