"""The command `evaluate`: how good players are, over fresh games, and compared on the same games."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, in_batches, open_backend
from gpusolve.errors import BadInput
from gpusolve.estimates import CONFIDENCE, LEAST_CONFIDENCE, MOST_CONFIDENCE, Estimate, estimate
from gpusolve.games.tetris.kernels import Ties
from gpusolve.games.tetris.players.kernels import RESULTS, Games
from gpusolve.games.tetris.players.player import Player, PlayerLike, policy_of
from gpusolve.games.tetris.players.playing import games_at_once, play
from gpusolve.games.tetris.players.policy import Policy, PolicyName
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.rules.board import MAXOUT
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.result import FLAT, HIDDEN, Result, reported
from gpusolve.runs.run import Run
from gpusolve.runs.series import Column, Rows as Series, extend, joined

KIND = "tetris.evaluate"
PERCENTILES = (5, 25, 50, 75, 95)
MOST_GAMES = 5_000_000
"""Games of an evaluation: with two players a checkpoint of 160 MB, and an error of 0.01 % in the mean."""
Results = npt.NDArray[np.int32]
"""RESULTS of each game by each player, int32 (players, games, 4)."""


@dataclass(frozen=True, repr=False)
class Statistics(Result):
    """The statistics of a player's games.

    Attributes
    ----------
    name : str
        The name of the player.
    score : Estimate
        The mean score.
    percentiles : dict of int to float
        The 5th, 25th, 50th, 75th and 95th percentile of the scores.
    maxout : Estimate
        The percentage of games of at least 999,999 points.
    lines : Estimate
        Lines per game.
    tetris_rate : Estimate
        The percentage of lines that were cleared four at a time, over all games.
    pieces : int
        The number of pieces placed in all games.
    """

    name: str
    score: Estimate
    percentiles: dict[int, float]
    maxout: Estimate
    lines: Estimate
    tetris_rate: Estimate
    pieces: int


@dataclass(frozen=True, repr=False)
class Difference(Result):
    """The mean paired difference of scores.

    Attributes
    ----------
    estimate : Estimate
        The mean and its standard error.
    confidence : float
        The level of the interval.
    """

    estimate: Estimate = field(metadata=FLAT)
    confidence: float

    @reported
    def interval(self) -> tuple[float, float] | None:
        """The confidence interval, from the normal distribution; None for a single game."""
        return None if math.isnan(self.estimate.error) else self.estimate.interval(self.confidence)


@dataclass(frozen=True, repr=False)
class Evaluation(Result, schema="tetris.evaluate/2"):
    """The results of a player's games, and the statistics that are drawn from them.

    Attributes
    ----------
    player : Player
        Who played.
    policy : Policy
        How far the player looked ahead.
    variant : Variant
        The rules.
    games : Games
        The results, arrays of shape (1, games).
    seed : int
        The seed of the pieces.
    seconds : float
        The time that all games took, those of a comparison included.
    complete : bool
        Whether all games were played before the time limit.
    wanted : int
        The number of games that were to be played.
    comparison : Comparison or None
        The comparison with another player on the same games.
    """

    player: Player = field(metadata=HIDDEN)
    policy: Policy = field(metadata=FLAT)
    variant: Variant = field(metadata=FLAT)
    games: Games = field(metadata=HIDDEN)
    seed: int
    seconds: float
    complete: bool
    wanted: int = field(metadata=HIDDEN)
    comparison: Comparison | None = field(default=None, metadata=HIDDEN)

    @property
    def both(self) -> list[Evaluation]:
        """The evaluations of the player and, if there is one, of the other player."""
        return [self] if self.comparison is None else [self, self.comparison.second]

    @reported
    def count(self) -> int:
        """Number of games that each player played."""
        return len(self.scores)

    @reported
    def players(self) -> list[Statistics]:
        """The statistics of each player."""
        names = ("score", "percentiles", "maxout", "lines", "tetris_rate", "pieces")
        return [Statistics(one.player.name, **{name: getattr(one, name) for name in names}) for one in self.both]

    @reported
    def difference(self) -> Difference | None:
        """The score of the other player less that of the first one, game by game."""
        one = self.comparison
        return None if one is None else Difference(one.difference, one.confidence)

    def columns(self) -> dict[str, npt.NDArray[Any] | list[str]]:
        """Return the games as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to ndarray or list
            ``player``, ``game``, ``score``, ``lines``, ``pieces`` and ``tetrises``, game by game, those of another
            player at the end.
        """
        names = [one.player.name for one in self.both for _ in range(self.count)]
        rows = np.concatenate([one.games.results[0] for one in self.both])
        numbers = np.tile(np.arange(self.count), len(self.both))
        results: dict[str, Any] = dict(zip(("score", *RESULTS[1:]), rows.T, strict=True))
        return {"player": names, "game": numbers, **results}

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
        """The 5th, 25th, 50th, 75th and 95th percentile of the scores."""
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
        """The percentage of lines that were cleared four at a time, over all games."""
        lines, four = self.games.lines[0].astype(np.float64), 4.0 * self.games.tetrises[0]
        rate = four.sum() / max(lines.sum(), 1)
        spread = (four - rate * lines).std(ddof=1) / max(lines.mean(), 1) if len(lines) > 1 else math.nan
        return Estimate(100 * float(rate), 100 * float(spread) / math.sqrt(len(lines)))

    @property
    def pieces(self) -> int:
        """The number of pieces placed in all games."""
        return int(self.games.pieces.sum())


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Two players on the same games; a difference is the second player's score less the first player's.

    Attributes
    ----------
    first, second : Evaluation
        The evaluations of the players.
    confidence : float
        The level of `interval`.

    Raises
    ------
    BadInput
        If the evaluations are not of the same games.
    """

    first: Evaluation
    second: Evaluation
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        numbers = [(len(each.scores), each.seed) for each in (self.first, self.second)]
        if numbers[0] != numbers[1]:
            played = " and ".join(f"{games:,} games of seed {seed}" for games, seed in numbers)
            raise BadInput(f"comparison of {played}: expected the same games")

    @property
    def difference(self) -> Estimate:
        """The mean paired difference of the scores."""
        return estimate(self.second.scores.astype(np.int64) - self.first.scores)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the difference, from the normal distribution."""
        return self.difference.interval(self.confidence)


def percentiles_of(scores: npt.NDArray[Any]) -> dict[int, float]:
    """Return PERCENTILES of the scores."""
    return dict(zip(PERCENTILES, np.percentile(scores, PERCENTILES).tolist(), strict=True))


def evaluate(
    player: PlayerLike | None = None,
    *,
    compare: PlayerLike | None = None,
    count: int = 1000,
    policy: PolicyName = "two-piece",
    breadths: str | Sequence[int] | None = None,
    ties: Ties | None = None,
    confidence: float | None = None,
    variant: Variant = Variant(),
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Evaluation:
    """Evaluate a player over many games.

    Mean score, percentiles, maxouts and tetris rate are shown with their errors; with `compare`, also the paired
    difference of two players on the same games.

    Parameters
    ----------
    player : str, Path, Player or sequence of float, optional
        Player: a shipped name, or a file of weights or of a learned value. In Python also 17 weights. By default the
        best player that comes with gpusolve for these rules.
    compare : str, Path, Player or sequence of float, optional
        Another player for the same games; the paired difference is reported.
    count : int, default 1000
        Number of games, 1 to 5,000,000.
    policy : {"two-piece", "greedy", "branching", "playouts"}
        ``greedy`` looks at one piece, ``two-piece`` also at the next piece, ``branching`` also at all pieces that can
        follow (expectimax), ``playouts`` at random sequences of the pieces that follow.
    breadths : str or sequence of int, optional
        With ``branching``: numbers of best placements to consider for the first, second and third piece; with a learned
        value up to four numbers, from the second on only where the choice is still open. With ``playouts``: numbers of
        placements to try, of sequences of pieces, and of pieces in each sequence. By default 3,5,5, learned 8,4, and
        playouts 4,16,4.
    ties : {"number", "presses"}, optional
        With ``branching`` by weights: choice between placements of equal expectation. ``number``, the default: the one
        with the better value by itself, then the one with the lower number; ``presses``: the one that presses reach
        first on an empty board, as in the program behind the published results.
    confidence : float, optional
        Level of the confidence interval of the difference, 0.5 to 0.9999. By default 0.99.
    variant : Variant, optional
        The rules of the games.
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint. The run can have another `count`.
    progress : callable, optional
        Called with the number of games that are over, those of both players.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Evaluation

    Raises
    ------
    BadInput
        For a value that is not in its range, a player that cannot be loaded, and a checkpoint of another run.

    Examples
    --------
    ``gpusolve tetris evaluate published --compare two-piece --count 20 --policy greedy``

    >>> evaluate("published", count=3, policy="greedy", seed=1).scores.tolist()
    [1066420, 795360, 896300]
    """
    count = checks.check_integer("count", count, 1, MOST_GAMES)
    check_variant(variant)
    if confidence is not None and compare is None:
        raise BadInput(f"confidence {confidence}: expected only with a player to compare")
    if confidence is not None:
        checks.check_number("confidence", confidence, LEAST_CONFIDENCE, MOST_CONFIDENCE)
    players = [player_of(source, variant) for source in ([player] if compare is None else [player, compare])]
    sides = [(each, policy_of(each, policy, breadths=breadths, ties=ties, variant=variant)) for each in players]
    backend = open_backend(backend)
    settings = {
        "players": [each.name for each in players],
        "digests": [each.digest for each in players],
        "policy": policy,
        "breadths": [list(plan.breadths) for _, plan in sides],
        "ties": sides[0][1].ties,
        **variant.settings,
    }
    run = Run(KIND, settings, seed=seed, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    played = Series(run.state, count, results=Column(np.int32, (len(players), None, len(RESULTS)), 0))
    complete = extend(
        played,
        count,
        run,
        partial(_playing, sides, variant, run.seed),
        batch=_games_at_once(backend, sides, variant),
        workers=workers,
        progress=progress,
        each=len(players),
        backend=backend,
    )
    (results,), seconds = played.first(count), run.seconds
    evaluations = [
        Evaluation(each, plan, variant, Games.of(rows[None]), run.seed, seconds, complete, count)
        for (each, plan), rows in zip(sides, results, strict=True)
    ]
    if compare is None:
        return evaluations[0]
    comparison = Comparison(evaluations[0], evaluations[1], confidence or CONFIDENCE)
    return replace(evaluations[0], comparison=comparison)


def _playing(
    sides: list[tuple[Player, Policy]], variant: Variant, seed: int, backend: Backend
) -> Callable[[range], tuple[Results, ...]]:
    """Return the function that plays games of the seed with each player."""

    def results_of(games: range) -> tuple[Results]:
        results = [
            play(backend, player, games, seed=seed, policy=policy, variant=variant).results for player, policy in sides
        ]
        return (np.concatenate(results),)

    at_once = partial(_games_at_once, backend, sides, variant)
    return lambda games: joined(in_batches(games, at_once, results_of), axis=1)


def _games_at_once(backend: Backend, sides: list[tuple[Player, Policy]], variant: Variant) -> int:
    """Return the number of games of one step."""
    return max(1, min(games_at_once(backend, *side, variant) for side in sides) // len(sides))
