"""The command `evaluate`: how good players are, over fresh games, and compared on the same games."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
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
from gpusolve.notebook import as_html, as_text
from gpusolve.runs.run import Run
from gpusolve.runs.series import Column, Rows, extend, joined

KIND = "tetris.evaluate"
PERCENTILES = (5, 25, 50, 75, 95)
MOST_GAMES = 5_000_000
"""Games of an evaluation: with two players a checkpoint of 160 MB, and an error of 0.01 % in the mean."""
Results = npt.NDArray[np.int32]
"""RESULTS of each game by each player, int32 (players, games, 4)."""


@dataclass(frozen=True)
class Evaluation:
    """The results of a player's games, and the statistics that are drawn from them.

    Attributes
    ----------
    player : Player
        Who played.
    policy : Policy
        How far the player looked ahead.
    games : Games
        The results, arrays of shape (1, games).
    seed : int
        The seed of the pieces.
    seconds : float
        The time that all games took, those of a comparison included.
    complete : bool
        Whether all games were played before the time limit.
    comparison : Comparison or None
        The comparison with another player on the same games.
    """

    player: Player
    policy: Policy
    games: Games
    seed: int
    seconds: float
    complete: bool
    comparison: Comparison | None = None

    _repr_html_ = as_html
    __repr__ = as_text

    def columns(self) -> dict[str, npt.NDArray[np.int32]]:
        """Return the games as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to ndarray of int32
            ``scores``, ``lines``, ``pieces`` and ``tetrises``, each of shape (games,).
        """
        return {name: values[0] for name, values in vars(self.games).items()}

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


@dataclass(frozen=True)
class Comparison:
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

    _repr_html_ = as_html
    __repr__ = as_text

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
    games: int = 1000,
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
    """Measure a player over many games, and compare it with another player on the same games.

    Parameters
    ----------
    player : str, Path, Player or sequence of float, optional
        The name of a player that comes with gpusolve, a file, or 17 weights. By default the best player
        that comes with gpusolve for these rules.
    compare : str, Path, Player or sequence of float, optional
        Another player, for the same games.
    games : int, default 1000
        Games for each player, up to 5,000,000.
    policy : str, default "two-piece"
        How far players look ahead: ``greedy`` at the current piece, ``two-piece`` at the next one as well,
        ``branching`` at the pieces that can follow; ``playouts`` plays on over many sequences of pieces.
    breadths : tuple of int, optional
        For branching, the number of placements that are tried of the first, second, third piece (by weights 3, 5, 5);
        by a learned value up to four numbers (8, 4). For playouts the placements that are tried, the sequences of
        pieces and the pieces of each (4, 16, 4).
    ties : str, optional
        What settles ties of branching by weights: ``number`` (default), the better placement by itself, then the lower
        number; or ``presses``, the placement that presses reach first on an empty board.
    confidence : float, optional
        The level of the comparison's confidence interval, 0.5 to 0.9999; 0.99 by default.
    variant : Variant, optional
        The rules of the games.
    workers : int or str, default 1
        The number of processes, or a Dask scheduler's address or file; see `gpusolve.runs.cluster.open_workers`.
    seed : int, optional
        Seed of the pieces, 0 to 2^64 - 1; by default a random one.
    time_limit : float, optional
        Seconds after which no more games start.
    checkpoint, resume : Path, optional
        Save the results to this file; continue from this file. A run that is continued can have another number of
        `games`.
    progress : callable, optional
        Called with the number of games that are over, those of both players.
    backend : Backend, optional
        The device; by default the one that `open_backend` chooses.

    Returns
    -------
    Evaluation

    Raises
    ------
    BadInput
        For a value that is not in its range, a player that cannot be loaded, and a checkpoint of another run.

    Examples
    --------
    >>> evaluate("published", games=3, policy="greedy", seed=1).scores.tolist()
    [1066420, 795360, 896300]
    """
    checks.check_integer("games", games, 1, MOST_GAMES)
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
        **asdict(variant),
    }
    run = Run(KIND, settings, seed=seed, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    played = Rows(run.state, games, results=Column(np.int32, (len(players), None, len(RESULTS)), 0))
    complete = extend(
        played,
        games,
        run,
        partial(_playing, sides, variant, run.seed),
        batch=_games_at_once(backend, sides, variant),
        workers=workers,
        progress=progress,
        each=len(players),
        backend=backend,
    )
    (results,), seconds = played.first(games), run.seconds
    evaluations = [
        Evaluation(each, plan, Games.of(rows[None]), run.seed, seconds, complete)
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
