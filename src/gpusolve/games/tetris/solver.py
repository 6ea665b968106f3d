"""Evaluation of weights over fresh games, comparison on the same games, and suggestions for one board."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.tetris import branching, kernels, rules
from gpusolve.games.tetris.kernels import Games, Settings
from gpusolve.games.tetris.rules import DECISIVE, Board, State

POLICIES = (*rules.POLICIES, "branching")
PERCENTILES = (5, 25, 50, 75, 95)
GAMES_AT_ONCE = 64  # so that progress shows and Ctrl-C is heard


@dataclass(frozen=True)
class Estimate:
    """A mean over games and its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Evaluation:
    """What came of games: `games` holds them, the rest is drawn from them."""

    games: Games

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
        return estimate(100.0 * (self.scores >= rules.MAXOUT))

    @property
    def lines(self) -> Estimate:
        """Lines a game."""
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


def estimate(values: npt.NDArray[Any]) -> Estimate:
    """The mean and its standard error; no error from one value.

    >>> estimate(np.array([1.0, 3.0]))
    Estimate(mean=2.0, error=1.0)
    """
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Estimate(float(values.mean()), error)


def evaluate(
    weights: Sequence[float],
    games: int,
    seed: int,
    policy: str = "two-piece",
    settings: Settings = Settings(),
    breadths: tuple[int, ...] = branching.BREADTHS,
    backend: Backend | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Plays games 0, 1, ... of `seed`. `progress` is called with the number of games that are over."""
    check_games(games)
    backend = backend or open_backend()
    if policy == "branching":
        return Evaluation(branching.play(backend, weights, games, seed, 0, breadths, settings, progress)[0])
    parts: list[Games] = []
    at_once = GAMES_AT_ONCE if backend.name == "cpu" else games
    for begin in range(0, games, at_once):
        some = min(at_once, games - begin)
        parts.append(kernels.play(backend, weights, some, seed, begin, policy, settings))
        progress(begin + some)
    names = ("scores", "lines", "pieces", "tetrises")
    return Evaluation(Games(*(np.concatenate([getattr(part, name) for part in parts], axis=1) for name in names)))


@dataclass(frozen=True)
class Comparison:
    """Two evaluations of the same games; `difference`: second less first, game by game."""

    first: Evaluation
    second: Evaluation

    @property
    def difference(self) -> Estimate:
        """The mean paired difference of the scores."""
        return estimate(self.second.scores.astype(np.int64) - self.first.scores)

    def interval(self, confidence: float = 0.99) -> tuple[float, float]:
        """The confidence interval of the difference, from the normal distribution."""
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.difference.error
        return self.difference.mean - reach, self.difference.mean + reach


def check_games(games: int) -> None:
    """Raises BadInput for less than one game."""
    if games < 1:
        raise BadInput(f"games {games}: expected at least 1")


# --- one board --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Suggestion:
    """A placement: its value in the weights' own units (less is better), features, and the presses that reach it.

    `value` is that of the policy: for two-piece, of the best placement of the next piece after it. `tetris` (by this
    piece), `tetris_next` (by the next one) and `stuck` (that one has nowhere to go) outweigh any value.
    """

    state: State
    value: float
    tetris: bool
    tetris_next: bool
    stuck: bool
    cleared: int
    features: list[int]
    presses: tuple[str, ...]


def suggest(
    weights: Sequence[float],
    board: Board,
    piece: int,
    following: int | None = None,
    level: int = 19,
    reach: str = "free",
    backend: Backend | None = None,
) -> list[Suggestion]:
    """The placements of a piece, the best first: greedy, or two-piece if the next piece is given.

    Raises BadInput for a board with a full row and NoSolution if the piece cannot spawn: then the game is over.

    >>> from gpusolve.games.tetris.weights import load_weights
    >>> board = rules.parse_board("#########.\\n" * 4)
    >>> suggest(load_weights("published").values, board, rules.parse_piece("I"))[0].state
    (1, 18, 9)
    """
    if board.shape != (rules.ROWS, rules.COLUMNS):
        raise BadInput(f"board of shape {board.shape}: expected {rules.ROWS} rows and {rules.COLUMNS} columns")
    if board.all(axis=1).any():
        raise BadInput(f"board, row {int(board.all(axis=1).argmax())}: full, the game would have removed it")
    if not rules.can_spawn(board, piece):
        raise NoSolution(f"{rules.PIECES[piece]} cannot spawn: cells in rows 2 and 3 are filled, the game is over")
    backend = backend or open_backend()
    found = kernels.placements(backend, kernels.columns_of(board[None]), [piece], level, reach)
    count = int(found.counts[0])
    states = [kernels.state_of(piece, int(placement)) for placement in found.placements[0, :count]]
    after, cleared = found.after[0, :count], found.cleared[0, :count]
    lowest = [max(row for row, _ in rules.cells_of(piece, state)) for state in states]
    features = kernels.features(backend, after, cleared, lowest)
    fixed, shift = rules.fixed_point(weights)
    values = features.astype(np.int64) @ np.array(fixed, np.int64)
    stuck = np.zeros(count, np.bool_)
    second_tetris = np.zeros(count, np.int64)
    if following is not None:
        second = kernels.best(backend, weights, after, np.full(count, following), level, reach)
        assert second.values is not None
        stuck = second.counts == 0
        second_tetris = ((second.cleared[:, 0] == 4) & ~stuck).astype(np.int64)
        values = np.where(stuck, 0, second.values[:, 0] + DECISIVE * second_tetris)
    tetris = cleared == 4
    decisive = stuck.astype(np.int64) - tetris - second_tetris
    order = np.lexsort((np.arange(count), np.where(decisive == 1, 0, values), decisive))
    paths = rules.free_paths(board, piece) if reach == "free" else rules.timed_paths(board, piece, reach, level)
    return [
        Suggestion(
            states[i],
            float(np.ldexp(float(values[i]), -shift)),
            bool(tetris[i]),
            bool(second_tetris[i]),
            bool(stuck[i]),
            int(cleared[i]),
            features[i].tolist(),
            paths[states[i]],
        )
        for i in order
    ]
