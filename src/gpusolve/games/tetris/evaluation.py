"""How good weights are: evaluation over fresh games, and comparison on the same games."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import branching, kernels
from gpusolve.games.tetris.kernels import Games, Settings
from gpusolve.games.tetris.policies import POLICIES as SIMPLE_POLICIES
from gpusolve.games.tetris.rules import MAXOUT
from gpusolve.games.tetris.weights import Weights, WeightsLike, load_weights
from gpusolve.seeds import random_seed

POLICIES = (*SIMPLE_POLICIES, "branching")
PERCENTILES = (5, 25, 50, 75, 95)
CONFIDENCE = 0.99
BYTES_PER_GAME = 1 << 16  # two workspaces of boards, and what is known of them


@dataclass(frozen=True)
class Estimate:
    """A mean over games and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Evaluation:
    """What came of games with these weights: `games` holds them, the rest is drawn from them.

    `comparison`: with other weights on the same games, if there are any. `seconds`: what all games took.
    """

    weights: Weights
    games: Games
    seed: int
    seconds: float
    comparison: Comparison | None = None

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """The score of each game, int32."""
        scores: npt.NDArray[np.int32] = self.games.scores[0]
        return scores

    @property
    def score(self) -> Estimate:
        """The mean score."""
        return estimate(self.scores)

    @property
    def percentiles(self) -> dict[int, float]:
        """The scores that 5, 25, 50, 75 and 95 of a hundred games do not exceed."""
        return dict(zip(PERCENTILES, np.percentile(self.scores, PERCENTILES).tolist(), strict=True))

    @property
    def maxout(self) -> Estimate:
        """The percentage of games of at least 999,999 points."""
        return estimate(100.0 * (self.scores >= MAXOUT))

    @property
    def lines(self) -> Estimate:
        """Lines per game."""
        return estimate(self.games.lines[0])

    @property
    def tetris_rate(self) -> Estimate:
        """The percentage of lines that were cleared four at a time, all games taken together."""
        lines, four = self.games.lines[0].astype(np.float64), 4.0 * self.games.tetrises[0]
        rate = four.sum() / max(lines.sum(), 1)
        spread = (four - rate * lines).std(ddof=1) / max(lines.mean(), 1) if len(lines) > 1 else math.nan
        return Estimate(100 * float(rate), 100 * float(spread) / math.sqrt(len(lines)))

    @property
    def pieces(self) -> int:
        """Pieces placed in all games."""
        return int(self.games.pieces.sum())


@dataclass(frozen=True)
class Comparison:
    """The evaluation of weights beside that of others on the same games; the difference is theirs less the first's."""

    first: Evaluation
    second: Evaluation
    confidence: float = CONFIDENCE

    @property
    def difference(self) -> Estimate:
        """The mean paired difference of the scores."""
        return estimate(self.second.scores.astype(np.int64) - self.first.scores)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the difference, from the normal distribution."""
        reach = NormalDist().inv_cdf((1 + self.confidence) / 2) * self.difference.error
        return self.difference.mean - reach, self.difference.mean + reach


def estimate(values: npt.NDArray[Any]) -> Estimate:
    """The mean and its standard error; no error from one value.

    >>> estimate(np.array([1.0, 3.0]))
    Estimate(mean=2.0, error=1.0)
    """
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Estimate(float(values.mean()), error)


def evaluate(
    weights: WeightsLike = "published",
    compare: WeightsLike | None = None,
    games: int = 1000,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    confidence: float | None = None,
    settings: Settings = Settings(),
    seed: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Evaluation:
    """Plays games 0, 1, ... of `seed`, and the same ones with the weights to `compare`.

    `breadths`: for the policy branching only; None: `branching.BREADTHS`. `confidence`: of the comparison's interval,
    None: CONFIDENCE. `progress` is called with the number of games that are over. Raises BadInput for what cannot be
    played, and for breadths or a confidence that would mean nothing.
    """
    if games < 1:
        raise BadInput(f"games {games}: expected at least 1")
    if policy not in POLICIES:
        raise BadInput(f"policy {policy}: expected one of {', '.join(POLICIES)}")
    if confidence is not None and compare is None:
        raise BadInput(f"confidence {confidence}: expected only with weights to compare")
    if confidence is not None and not 0 < confidence < 1:
        raise BadInput(f"confidence {confidence}: expected a number between 0 and 1")
    breadths = branching.breadths_of(policy, breadths)
    chosen = [load_weights(one) for one in ([weights] if compare is None else [weights, compare])]
    seed = random_seed() if seed is None else seed
    backend = backend or open_backend()

    def counted(before: int) -> Callable[[int], None]:
        return lambda done: progress(before + done)

    begin = time.monotonic()
    played = [
        _play(one, games, policy, breadths, settings, seed, counted(i * games), backend) for i, one in enumerate(chosen)
    ]
    seconds = time.monotonic() - begin
    found = [Evaluation(one, its_games, seed, seconds) for one, its_games in zip(chosen, played, strict=True)]
    if compare is None:
        return found[0]
    return replace(found[0], comparison=Comparison(found[0], found[1], confidence or CONFIDENCE))


def _play(
    weights: Weights,
    games: int,
    policy: str,
    breadths: tuple[int, ...],
    settings: Settings,
    seed: int,
    progress: Callable[[int], None],
    backend: Backend,
) -> Games:
    if policy == "branching":
        return branching.play(weights.values, games, seed, 0, breadths, settings, progress, backend)[0]
    parts: list[Games] = []
    at_once = backend.batch(BYTES_PER_GAME)
    for begin in range(0, games, at_once):
        some = min(at_once, games - begin)
        parts.append(kernels.play(backend, weights.values, some, seed, begin, policy, settings))
        progress(begin + some)
    names = ("scores", "lines", "pieces", "tetrises")
    return Games(*(np.concatenate([getattr(part, name) for part in parts], axis=1) for name in names))
