"""What is to come of boards: estimates by playing on from each over many sequences of pieces (playouts)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.kernels import Boards
from gpusolve.games.tetris.players.turns import Choose, Start, play_by_turns, simple_games_at_once
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.variant import MOST_LINES, Variant
from gpusolve.result import HIDDEN, Result
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

AHEAD = 20
"""Pieces of a playout."""
PLAYOUTS = 100
MOST_PLAYOUTS = 10_000
MOST_GAMES = 500
"""Whole games from each placement."""


@dataclass(frozen=True, repr=False)
class Prospect(Result):
    """What is to come of a board, estimated by playouts of AHEAD pieces.

    Each chance is a mean of draws that are 0 or 1, so its standard error is that of a proportion.

    Attributes
    ----------
    playouts : int
        The number of playouts.
    tetris_chance : float
        The fraction of playouts with a tetris.
    risk : float
        The fraction of playouts in which the player topped out.
    """

    playouts: int = field(metadata=HIDDEN)
    tetris_chance: float
    risk: float


def prospects(
    choose: Choose,
    boards: Boards,
    *,
    levels: npt.NDArray[np.int32],
    lines: npt.NDArray[np.int32],
    pieces: Sequence[Sequence[int]],
    playouts: int,
    variant: Variant,
    seed: int,
    backend: Backend,
) -> list[Prospect]:
    """Return what is to come of each board if `choose` plays on.

    For each board, `pieces` has the piece before and those that come first, if they are known; the others are drawn.
    `levels` are rows of the clock's tables, `lines` the lines cleared so far; both stay the same. All boards meet the
    same sequences of pieces, so that luck cancels out between them.
    """
    lists = [
        [*known[1:], *_draw(known[-1], AHEAD + 2 - len(known), variant.source, seed, number)]  # the last is only seen
        for known in pieces
        for number in range(playouts)
    ]
    n = len(boards)
    games, _ = play_by_turns(
        choose,
        range(n * playouts),
        seed=seed,
        variant=replace(variant, max_lines=MOST_LINES),
        backend=backend,
        at_once=partial(simple_games_at_once, backend),
        lists=lists,
        start=Start(np.repeat(boards, playouts, axis=0), np.repeat(levels, playouts), np.repeat(lines, playouts)),
    )
    tetris = (games.tetrises[0] > 0).reshape(n, playouts).mean(axis=1)
    ended = (games.pieces[0] < AHEAD).reshape(n, playouts).mean(axis=1)
    return [Prospect(playouts, *chances) for chances in zip(tetris.tolist(), ended.tolist(), strict=True)]


@dataclass(frozen=True)
class Outcome:
    """How games end that go on from a placement: the points from the placement on, its own included."""

    games: int
    mean: float
    error: float
    """The standard error of the mean; nan for a single game."""
    deviation: float
    """The standard deviation of the points of a game; nan for a single game."""


def outcomes(
    choose: Choose,
    boards: Boards,
    *,
    lines: npt.NDArray[np.int32],
    pieces: Sequence[Sequence[int]],
    scored: Sequence[int],
    games: int,
    variant: Variant,
    seed: int,
    backend: Backend,
    at_once: Callable[[], int],
    progress: Callable[[int], None],
) -> list[Outcome]:
    """Return how games go on from each board to their end if `choose` plays on.

    For each board, `pieces` has the piece before and those that come first, if they are known; the others are drawn.
    `scored` are the points that the piece before has brought. All boards meet the same sequences of pieces.
    """
    n = len(boards)
    most = ((variant.max_lines + 3 - int(lines.min())) * COLUMNS + ROWS * COLUMNS) // 4 + 2  # four cells a piece
    lists = [
        [*known[1:], *_draw(known[-1], most + 2 - len(known), variant.source, seed, number)]
        for known in pieces
        for number in range(games)
    ]
    levels = np.array([min(variant.level_at(number), LEVELS - 1) for number in lines.tolist()], np.int32)
    over = lines >= variant.max_lines  # the placement ended the game
    going = np.flatnonzero(np.repeat(~over, games))
    scores = np.zeros(n * games, np.int64)
    if len(going):
        which = going // games
        played, _ = play_by_turns(
            choose,
            range(len(going)),
            seed=seed,
            variant=variant,
            backend=backend,
            at_once=at_once,
            lists=[lists[number] for number in going],
            start=Start(boards[which], levels[which], lines[which], stays=False),
            progress=progress,
        )
        scores[going] = played.scores[0]
    rows = scores.reshape(n, games) + np.array(scored)[:, None]
    deviations = rows.std(axis=1, ddof=1) if games > 1 else np.full(n, np.nan)
    return [
        Outcome(games, float(row.mean()), float(deviation) / games**0.5, float(deviation))
        for row, deviation in zip(rows, deviations, strict=True)
    ]


def _draw(previous: int, count: int, source: str, seed: int, number: int) -> list[int]:
    """Draw sequence `number` of a seed from the piece generator `source`."""
    bounds = np.cumsum(transitions(source), axis=1).tolist()
    state, drawn = mix((mix((seed + GOLDEN) & MASK64) + number * GOLDEN) & MASK64), []
    for _ in range(count):
        state = (state + GOLDEN) & MASK64
        previous = bisect_right(bounds[previous], (mix(state) >> 32) * bounds[previous][-1] >> 32)
        drawn.append(previous)
    return drawn
