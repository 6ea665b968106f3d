"""How good weights are: evaluation over fresh games, and comparison on the same games."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris.kernels import Games
from gpusolve.games.tetris.players import branching, playing
from gpusolve.games.tetris.players.playing import POLICIES, RESULTS, WIDE_POLICIES
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.weights import Weights, WeightsLike, best_weights, load_evaluation
from gpusolve.games.tetris.rules.board import MAXOUT
from gpusolve.games.tetris.variant import Settings, check_settings
from gpusolve.runs.cluster import batches, open_workers
from gpusolve.runs.run import Run

KIND = "tetris.evaluate"
PERCENTILES = (5, 25, 50, 75, 95)
CONFIDENCE = 0.99
CONFIDENCES = (0.5, 0.9999)
MOST_GAMES = 5_000_000
"""Games of an evaluation: with two weights a checkpoint of 160 MB, a hundredth of a per cent of error in the mean."""
Results = npt.NDArray[np.int32]
"""RESULTS of each game with each of the weights, int32 (weights, games, 4)."""


@dataclass(frozen=True)
class Estimate:
    """A mean over games and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Evaluation:
    """What came of games with these weights: `games` holds them, the rest is drawn from them.

    `complete`: whether all were played that were asked for, before the time limit. `comparison`: with other weights on
    the same games, if there are any. `seconds`: what all games took.
    """

    weights: Weights | LearnedValue
    games: Games
    seed: int
    seconds: float
    complete: bool
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
        return percentiles_of(self.scores)

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
        return interval_of(self.difference, self.confidence)


def estimate(values: npt.NDArray[Any]) -> Estimate:
    """The mean and its standard error; no error from one value.

    >>> estimate(np.array([1.0, 3.0]))
    Estimate(mean=2.0, error=1.0)
    """
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Estimate(float(values.mean()), error)


def percentiles_of(scores: npt.NDArray[Any]) -> dict[int, float]:
    """The scores that PERCENTILES of a hundred games do not exceed."""
    return dict(zip(PERCENTILES, np.percentile(scores, PERCENTILES).tolist(), strict=True))


def interval_of(found: Estimate, confidence: float) -> tuple[float, float]:
    """The confidence interval of an estimate, from the normal distribution.

    >>> low, high = interval_of(Estimate(mean=2.0, error=1.0), 0.95)
    >>> round(low, 2), round(high, 2)
    (0.04, 3.96)
    """
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * found.error
    return found.mean - reach, found.mean + reach


def evaluate(
    weights: WeightsLike | LearnedValue | None = None,
    compare: WeightsLike | LearnedValue | None = None,
    games: int = 1000,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    ties: str | None = None,
    confidence: float | None = None,
    settings: Settings = Settings(),
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Evaluation:
    """Plays games 0, 1, ... of `seed`, and the same ones with the weights to `compare`.

    `weights`: None: the best that come with gpusolve (`best_weights`); a learned value, too.
    `breadths`: for the policies branching and playouts; None: what `playing.breadths_of` gives.
    `confidence`: of the comparison's interval, None: CONFIDENCE. `workers` as `gpusolve.runs.cluster.open_workers` has them,
    `seed`, `time_limit`, `checkpoint`, `resume` as `gpusolve.runs.run.Run`; one that is resumed may have other `games`.
    `progress` is called with the number of games that are over, those of both weights. Raises BadInput for what cannot
    be played, for more than MOST_GAMES, and for breadths or a confidence that would mean nothing.
    """
    checks.check_integer("games", games, 1, MOST_GAMES)
    checks.check_choice("policy", policy, POLICIES)
    check_settings(settings)
    if confidence is not None and compare is None:
        raise BadInput(f"confidence {confidence}: expected only with weights to compare")
    if confidence is not None:
        checks.check_number("confidence", confidence, *CONFIDENCES)
    given = breadths
    breadths, ties = branching.breadths_of(policy, breadths), branching.ties_of(policy, ties)
    weights = best_weights(settings.reach) if weights is None else weights
    chosen = [load_evaluation(one) for one in ([weights] if compare is None else [weights, compare])]
    for one in chosen:
        playing.breadths_of(one.judge, policy, given, settings)
    backend = open_backend(backend)
    same = {
        "weights": [one.name for one in chosen],
        "weights_values": [one.values for one in chosen],
        "policy": policy,
        "breadths": breadths if policy in WIDE_POLICIES else None,
        "ties": ties,
        **asdict(settings),
    }
    run = Run(KIND, same, seed=seed, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    parts = [_results_of(run.state, len(chosen))]
    done = parts[0].shape[1]
    at_once = _at_once(backend, chosen, policy, given, settings)
    prepare = partial(_playing, chosen, policy, given, ties, settings, run.seed)
    with (
        open_workers(workers, prepare, backend, run=run, progress=progress) as players,
        run.saved(lambda: {"results": np.concatenate(parts, axis=1)}) as more,
    ):
        played = players.parts(done, games, at_once)
        while done < games and more():
            part, found = next(played)
            parts.append(found)
            done = part.stop
            progress(done * len(chosen))
    results = np.concatenate(parts, axis=1)[:, :games]
    complete, seconds = results.shape[1] == games, run.seconds
    evaluations = [
        Evaluation(one, Games(*(its[None, :, i] for i in range(4))), run.seed, seconds, complete)
        for one, its in zip(chosen, results, strict=True)
    ]
    if compare is None:
        return evaluations[0]
    comparison = Comparison(evaluations[0], evaluations[1], confidence or CONFIDENCE)
    return replace(evaluations[0], comparison=comparison)


def _playing(
    weights: list[Weights | LearnedValue],
    policy: str,
    breadths: tuple[int, ...] | None,
    ties: str,
    settings: Settings,
    seed: int,
    backend: Backend,
) -> Callable[[range], Results]:
    """What plays some games of the seed with each of the weights."""
    at_once = _at_once(backend, weights, policy, breadths, settings)

    def play(games: range) -> Results:
        found = [
            _play(weights, some, policy, breadths, ties, settings, seed, backend) for some in batches(games, at_once)
        ]
        return np.concatenate(found, axis=1)

    return play


def _at_once(
    backend: Backend,
    weights: list[Weights | LearnedValue],
    policy: str,
    breadths: tuple[int, ...] | None,
    settings: Settings,
) -> int:
    """Games of one step."""
    least = min(playing.at_once(backend, one.judge, policy, breadths, settings) for one in weights)
    return max(1, least // len(weights))


def _play(
    weights: list[Weights | LearnedValue],
    games: range,
    policy: str,
    breadths: tuple[int, ...] | None,
    ties: str,
    settings: Settings,
    seed: int,
    backend: Backend,
) -> Results:
    """The same games with each of the weights."""
    played = [
        playing.play(backend, one.judge, len(games), seed, games.start, policy, breadths, settings, ties)
        for one in weights
    ]
    return np.stack([np.concatenate([getattr(one, name) for one in played]) for name in RESULTS], axis=-1)


def _results_of(state: dict[str, Any], weights: int) -> Results:
    """What a checkpoint holds; nothing for a run that begins. Raises BadInput for what is no such thing."""
    if not state:
        return np.zeros((weights, 0, len(RESULTS)), np.int32)
    found = np.asarray(state.get("results"))
    if found.dtype != np.int32 or found.ndim != 3 or found.shape[::2] != (weights, len(RESULTS)) or (found < 0).any():
        raise BadInput(f"checkpoint: expected the results of games with {weights} weights")
    return found
