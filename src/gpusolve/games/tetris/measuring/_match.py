"""The command `match`: our player against another player's results, on the same piece lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.estimates import CONFIDENCE, LEAST_CONFIDENCE, MOST_CONFIDENCE, Estimate, estimate
from gpusolve.games.tetris.kernels import Ties
from gpusolve.games.tetris.measuring.results import Results, read_results
from gpusolve.games.tetris.players.kernels import RESULTS, Games
from gpusolve.games.tetris.players.player import Player, PlayerLike, policy_of
from gpusolve.games.tetris.players.playing import games_at_once, play_lists
from gpusolve.games.tetris.players.policy import Policy, PolicyName
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.notebook import as_html, as_text
from gpusolve.runs.run import Run
from gpusolve.runs.series import Column, Rows, extend

KIND = "tetris.match"


@dataclass(frozen=True)
class Match:
    """Our games and another player's games on the same pieces; a difference is our score less the other's.

    Attributes
    ----------
    player : Player
        Our player.
    policy : Policy
        How far our player looked ahead.
    ours : Games
        Our results, arrays of shape (1, games).
    theirs : Results
        The other player's results, for the games that were played.
    confidence : float
        The level of `interval`.
    short : int
        The number of our games that ended because their list of pieces did.
    seconds : float
        The time that all games took.
    complete : bool
        Whether all games were played before the time limit.
    """

    player: Player
    policy: Policy
    ours: Games
    theirs: Results
    confidence: float
    short: int
    seconds: float
    complete: bool

    _repr_html_ = as_html
    __repr__ = as_text

    @property
    def differences(self) -> npt.NDArray[np.int64]:
        """The difference of the scores of each game, int64."""
        differences: npt.NDArray[np.int64] = self.ours.scores[0] - self.theirs.scores
        return differences

    @property
    def difference(self) -> Estimate:
        """The mean difference of the scores."""
        return estimate(self.differences)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the mean difference, from the normal distribution."""
        return self.difference.interval(self.confidence)

    @property
    def wins(self) -> int:
        """The number of games in which our score is greater."""
        return int((self.differences > 0).sum())

    @property
    def losses(self) -> int:
        """The number of games in which the other player's score is greater."""
        return int((self.differences < 0).sum())


def match(
    results: Path | str | Results,
    *,
    player: PlayerLike | None = None,
    policy: PolicyName = "two-piece",
    breadths: str | Sequence[int] | None = None,
    ties: Ties | None = None,
    confidence: float | None = None,
    variant: Variant = Variant(),
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Match:
    """Play the piece lists of another player's games, and compare game by game.

    Parameters
    ----------
    results : Path, str or Results
        The other player's games: a CSV file with the columns ``pieces`` (letters), ``score``, ``lines`` and, to have
        the placements checked, ``game``, a file that ``gpusolve tetris play --out`` writes; or one such file.
    player : str, Path, Player or sequence of float, optional
        Our player, as in `evaluate`.
    policy, breadths, ties, confidence, variant
        As in `evaluate`.
    time_limit : float, optional
        Seconds after which no more games start.
    checkpoint, resume : Path, optional
        Save the results to this file; continue from this file.
    progress : callable, optional
        Called with the number of games that are over.
    backend : Backend, optional
        The device; by default the one that `open_backend` chooses.

    Returns
    -------
    Match

    Raises
    ------
    BadInput
        For a value that is not in its range, a file that cannot be read or does not hold together, and a checkpoint of
        another run.
    """
    check_variant(variant)
    if confidence is not None:
        checks.check_number("confidence", confidence, LEAST_CONFIDENCE, MOST_CONFIDENCE)
    chosen = player_of(player, variant)
    plan = policy_of(chosen, policy, breadths=breadths, ties=ties, variant=variant)
    backend = open_backend(backend)
    theirs = results if isinstance(results, Results) else read_results(Path(results), variant=variant, backend=backend)
    settings = {"results": theirs.digest, "player": chosen.digest, "policy": asdict(plan), **asdict(variant)}
    run = Run(KIND, settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    games, at_once = len(theirs.pieces), games_at_once(backend, chosen, plan, variant)
    played = Rows(run.state, games, results=Column(np.int32, (None, len(RESULTS)), 0))

    def play(numbers: range) -> tuple[npt.NDArray[np.int32]]:
        lists = theirs.pieces[numbers.start : numbers.stop]
        return (play_lists(backend, chosen, lists, policy=plan, variant=variant)[0].results[0],)

    complete = extend(played, games, run, lambda backend: play, batch=at_once, progress=progress, backend=backend)
    (rows,) = played.first(games)
    ours, done = Games.of(rows[None]), len(rows)
    lengths = np.array([len(pieces) - 1 for pieces in theirs.pieces[:done]])
    return Match(
        chosen,
        plan,
        ours,
        Results(theirs.pieces[:done], theirs.scores[:done], theirs.lines[:done], theirs.checked),
        confidence=confidence or CONFIDENCE,
        short=int(((ours.pieces[0] >= lengths) & (ours.lines[0] < variant.max_lines)).sum()),
        seconds=run.seconds,
        complete=complete,
    )
