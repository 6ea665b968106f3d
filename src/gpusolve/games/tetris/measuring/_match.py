"""The command `match`: our player against another player's results, on the same piece lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.estimates import CONFIDENCE, LEAST_CONFIDENCE, MOST_CONFIDENCE, Estimate, estimate
from gpusolve.games.tetris.kernels import Ties
from gpusolve.games.tetris.measuring._evaluate import Difference, percentiles_of
from gpusolve.games.tetris.measuring.results import Results, read_results
from gpusolve.games.tetris.players.kernels import RESULTS, Games
from gpusolve.games.tetris.players.player import Player, PlayerLike, policy_of
from gpusolve.games.tetris.players.playing import games_at_once, play_lists
from gpusolve.games.tetris.players.policy import Policy, PolicyName
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.players.turns import Start
from gpusolve.games.tetris.rules.board import MAXOUT
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.result import FLAT, HIDDEN, Result, reported, written
from gpusolve.runs.run import Run
from gpusolve.runs.series import Column, Rows as Series, extend

KIND = "tetris.match"


@dataclass(frozen=True, repr=False)
class Side(Result):
    """The games of one side of a match.

    Attributes
    ----------
    score : Estimate
        The mean score.
    percentiles : dict of int to float
        The 5th, 25th, 50th, 75th and 95th percentile of the scores.
    maxout : float
        The percentage of games of at least 999,999 points.
    lines : float
        Lines per game.
    """

    score: Estimate
    percentiles: dict[int, float]
    maxout: float
    lines: float

    @classmethod
    def of(cls, scores: npt.NDArray[Any], lines: npt.NDArray[Any]) -> Side:
        """Return the statistics of games."""
        maxout = 100 * float((scores >= MAXOUT).mean())
        return cls(estimate(scores), percentiles_of(scores), maxout, float(lines.mean()))


@dataclass(frozen=True, repr=False)
class Match(Result, schema="tetris.match/2"):
    """Our games and another player's games on the same pieces; a difference is our score less the other's.

    Attributes
    ----------
    player : Player
        Our player.
    policy : Policy
        How far our player looked ahead.
    variant : Variant
        The rules.
    ours : Games
        Our results, arrays of shape (1, games); in JSON their statistics.
    theirs : Results
        The other player's results, for the games that were played; in JSON their statistics.
    confidence : float
        The level of `interval`.
    short : int
        The number of our games that ended because their list of pieces did.
    seconds : float
        The time that all games took.
    complete : bool
        Whether all games were played before the time limit.
    """

    player: Player = field(metadata=written("name"))
    policy: Policy = field(metadata=FLAT)
    variant: Variant = field(metadata=FLAT)
    ours: Games = field(metadata=written("our_side"))
    theirs: Results = field(metadata=written("their_side"))
    confidence: float = field(metadata=HIDDEN)
    short: int
    seconds: float
    complete: bool

    @property
    def differences(self) -> npt.NDArray[np.int64]:
        """The difference of the scores of each game, int64."""
        differences: npt.NDArray[np.int64] = self.ours.scores[0] - self.theirs.scores
        return differences

    @property
    def name(self) -> str:
        """The name of our player."""
        return self.player.name

    @property
    def our_side(self) -> Side:
        """The statistics of our games."""
        return Side.of(self.ours.scores[0], self.ours.lines[0])

    @property
    def their_side(self) -> Side:
        """The statistics of their games."""
        return Side.of(self.theirs.scores, self.theirs.lines)

    @reported
    def count(self) -> int:
        """Number of games."""
        return len(self.theirs.pieces)

    @reported
    def checked(self) -> int:
        """Number of their games whose placements were given; all of these can be reached."""
        return self.theirs.checked

    @reported
    def difference(self) -> Difference:
        """The mean difference of the scores."""
        return Difference(estimate(self.differences), self.confidence)

    @reported
    def wins(self) -> int:
        """The number of games in which our score is greater."""
        return int((self.differences > 0).sum())

    @reported
    def losses(self) -> int:
        """The number of games in which the other player's score is greater."""
        return int((self.differences < 0).sum())

    def columns(self) -> dict[str, list[int]]:
        """Return the games as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list of int
            Our ``score``, ``lines``, ``pieces`` and ``tetrises``, ``their_score``, ``their_lines``, and the
            ``difference`` of the scores.
        """
        ours = dict(zip(("score", *RESULTS[1:]), self.ours.results[0].T.tolist(), strict=True))
        theirs = {"their_score": self.theirs.scores.tolist(), "their_lines": self.theirs.lines.tolist()}
        return ours | theirs | {"difference": self.differences.tolist()}

    def plot(self, path: Path) -> None:
        """Plot the scores of both sides, each sorted."""
        from gpusolve.output.plot import save_lines

        x = (np.arange(len(self.differences)) + 0.5) * 100 / len(self.differences)
        lines = {self.player.name: np.sort(self.ours.scores[0]), "theirs": np.sort(self.theirs.scores)}
        save_lines(path, x, lines, f"{len(x):,} games with the same pieces", "per cent of the games", "score")


def match(
    results: Path | str | Results,
    *,
    player: PlayerLike | None = None,
    policy: PolicyName = "two-piece",
    breadths: str | Sequence[int] | None = None,
    ties: Ties | None = None,
    confidence: float | None = None,
    variant: Variant | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Match:
    """Compare a player with another player's games.

    It plays with the same pieces, and the scores are compared game by game.

    Parameters
    ----------
    results : Path, str or Results
        Games of another player: a CSV file with the columns ``pieces`` (letters), ``score`` and ``lines``; an optional
        column ``game`` names files like those of ``play --out``, so that placements are checked. Or one such file.
    player : str, Path, Player or sequence of float, optional
        Player: a shipped name, or a file of weights or of a learned value. In Python also 17 weights. By default the
        best player that comes with gpusolve for these rules.
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
        The rules of the games. A single saved game has its own by default, and may have started from a position.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint.
    progress : callable, optional
        Called with the number of games that are over.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Match

    Raises
    ------
    BadInput
        For a value that is not in its range, a file that cannot be read or does not hold together, and a checkpoint of
        another run.

    Examples
    --------
    ``gpusolve tetris match game.json --max-lines 20 --player 30hz``
    """
    if variant is not None:
        check_variant(variant)
    if confidence is not None:
        checks.check_number("confidence", confidence, LEAST_CONFIDENCE, MOST_CONFIDENCE)
    backend = open_backend(backend)
    theirs = results if isinstance(results, Results) else read_results(Path(results), variant=variant, backend=backend)
    variant = theirs.variant if variant is None else variant
    chosen = player_of(player, variant)
    plan = policy_of(chosen, policy, breadths=breadths, ties=ties, variant=variant)
    settings = {"results": theirs.digest, "player": chosen.digest, "policy": asdict(plan), **variant.settings}
    run = Run(KIND, settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    games, at_once = len(theirs.pieces), games_at_once(backend, chosen, plan, variant)
    played = Series(run.state, games, results=Column(np.int32, (None, len(RESULTS)), 0))

    def play(numbers: range) -> tuple[npt.NDArray[np.int32]]:
        lists = theirs.pieces[numbers.start : numbers.stop]
        start = None if theirs.start is None else Start.at(theirs.start, len(lists))
        return (play_lists(backend, chosen, lists, policy=plan, variant=variant, start=start)[0].results[0],)

    complete = extend(played, games, run, lambda backend: play, batch=at_once, progress=progress, backend=backend)
    (rows,) = played.first(games)
    ours, done = Games.of(rows[None]), len(rows)
    lengths = np.array([len(pieces) - 1 for pieces in theirs.pieces[:done]])
    return Match(
        chosen,
        plan,
        variant,
        ours,
        replace(theirs, pieces=theirs.pieces[:done], scores=theirs.scores[:done], lines=theirs.lines[:done]),
        confidence=confidence or CONFIDENCE,
        short=int(((ours.pieces[0] >= lengths) & (ours.lines[0] < variant.max_lines)).sum()),
        seconds=run.seconds,
        complete=complete,
    )
