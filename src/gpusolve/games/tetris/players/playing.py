"""Whole games by any policy, under any settings: each where it is played fastest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.kernels import Games, Placements
from gpusolve.games.tetris.players import branching, playouts, turns, value_play
from gpusolve.games.tetris.players.branching import Branching
from gpusolve.games.tetris.players.planning import TwoPiece
from gpusolve.games.tetris.players.playouts import Judging, Playouts, Weighing
from gpusolve.games.tetris.players.turns import Choose, Lists, Now
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.rules.board import MAX_LINES
from gpusolve.games.tetris.rules.policies import POLICIES as SIMPLE_POLICIES
from gpusolve.games.tetris.variant import Settings

POLICIES = (*SIMPLE_POLICIES, "branching", "playouts")
WIDE_POLICIES = ("branching", "playouts")
"""Those that `breadths` are for."""
MOST_AT_ONCE = 100_000  # on a GPU some seconds
BYTES_PER_GAME = 1 << 17  # two workspaces of boards, and what is known of them; by turns, all placements of a board
RESULTS = ("scores", "lines", "pieces", "tetrises")
Judge: TypeAlias = npt.ArrayLike | LearnedValue
"""What boards are judged by: the 17 weights, rows of them where it says so, or a learned value."""


def breadths_of(
    judge: Judge, policy: str, breadths: tuple[int, ...] | None, settings: Settings = Settings()
) -> tuple[int, ...]:
    """How wide to look. Raises BadInput for breadths that cannot be, and for playouts with a delay."""
    if policy == "playouts" and settings.delay:
        raise BadInput(f"delay_ms {settings.delay_ms}: expected 0 with the policy playouts")
    found = branching.breadths_of(policy, breadths)
    return value_play.breadths_of(policy, breadths) if isinstance(judge, LearnedValue) else found


def chooser(
    backend: Backend,
    judge: Judge,
    policy: str,
    breadths: tuple[int, ...] | None,
    settings: Settings,
    ties: str = "number",
) -> Choose:
    """The policy as a choice for many boards at once."""
    wide = breadths_of(judge, policy, breadths, settings)
    if policy == "playouts":
        learned = isinstance(judge, LearnedValue)
        judging: Judging = (value_play.Table if learned else Weighing)(backend, judge, settings)  # type: ignore[arg-type]
        return Playouts(backend, judging, wide, settings).choose
    if isinstance(judge, LearnedValue):
        return value_play.Search(backend, judge, wide, settings).choose
    if policy == "branching":
        return Branching(backend, judge, wide, settings, ties).choose
    if policy == "two-piece":
        return TwoPiece(backend, judge, settings).choose
    row = backend.asarray(kernels.one_row(judge))
    timed, taps = kernels.timing(backend, settings.reach, settings.double_killscreen)
    order = backend.asarray(kernels.order_table())

    def greedy(now: Now) -> tuple[Placements, Array]:
        found = kernels.best_there(backend, row, now.boards, now.pieces, now.levels, timed, taps, order, 1)
        return found, backend.xp.zeros(len(now.boards), np.int32)

    return greedy


def at_once(backend: Backend, judge: Judge, policy: str, breadths: tuple[int, ...] | None, settings: Settings) -> int:
    """How many games of one step: as many as the device likes, but no more than are soon over."""
    wide = breadths_of(judge, policy, breadths, settings)
    if policy == "playouts":
        found = playouts.games_at_once(backend, wide)
    elif isinstance(judge, LearnedValue):
        found = value_play.games_at_once(backend, wide, settings)
    elif policy == "branching":
        found = branching.games_at_once(backend, wide, settings)
    else:
        found = min(backend.batch(BYTES_PER_GAME), MOST_AT_ONCE)
    return max(1, found * MAX_LINES // max(MAX_LINES, settings.max_lines))


def play(
    backend: Backend,
    judge: Judge,
    games: int,
    seed: int,
    first_game: int = 0,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    settings: Settings = Settings(),
    ties: str = "number",
) -> Games:
    """What comes of games `first_game`, `first_game` + 1, ... of `seed`, for a value or each row of weights."""
    if _has_kernel(judge, policy, settings):
        return kernels.play(backend, judge, games, seed, first_game, policy, settings)  # type: ignore[arg-type]
    numbers = range(first_game, first_game + games)
    played = [
        _turns(backend, one, numbers, seed, policy, breadths, settings, ties)[0]
        for one in ([judge] if isinstance(judge, LearnedValue) else np.atleast_2d(judge))
    ]
    return Games(*(np.concatenate([getattr(one, name) for one in played]) for name in RESULTS))


def trace(
    backend: Backend,
    judge: Judge,
    seed: int,
    game: int = 0,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    settings: Settings = Settings(),
    ties: str = "number",
) -> list[int]:
    """The placements of one game."""
    if _has_kernel(judge, policy, settings):
        return kernels.trace(backend, judge, seed, game, policy, settings)  # type: ignore[arg-type]
    return _turns(backend, judge, range(game, game + 1), seed, policy, breadths, settings, ties)[1][0]


def play_lists(
    backend: Backend,
    judge: Judge,
    lists: Lists,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    settings: Settings = Settings(),
    ties: str = "number",
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    """What comes of games with these pieces, arrays of shape (1, games), and the placements of each."""
    numbers = range(len(lists))
    return _turns(backend, judge, numbers, 0, policy, breadths, settings, ties, lists, progress)


def _has_kernel(judge: Judge, policy: str, settings: Settings) -> bool:
    """Whether there is a kernel that plays whole games so; else they are played by turns."""
    simple = policy == "greedy" or (policy == "two-piece" and settings.delay == 0)
    return simple and not isinstance(judge, LearnedValue)


def _turns(
    backend: Backend,
    judge: Judge,
    games: range,
    seed: int,
    policy: str,
    breadths: tuple[int, ...] | None,
    settings: Settings,
    ties: str,
    lists: Lists | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    choose = chooser(backend, judge, policy, breadths, settings, ties)
    side_by_side = at_once(backend, judge, policy, breadths, settings)
    return turns.play(choose, games, seed, settings, backend, side_by_side, lists, progress=progress)
