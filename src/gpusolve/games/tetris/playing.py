"""Whole games by any policy, under any settings: each where it is played fastest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris import branching, kernels, turns
from gpusolve.games.tetris.branching import Branching
from gpusolve.games.tetris.kernels import Games, Placements, Settings
from gpusolve.games.tetris.planning import TwoPiece
from gpusolve.games.tetris.policies import POLICIES as SIMPLE_POLICIES
from gpusolve.games.tetris.rules import MAX_LINES
from gpusolve.games.tetris.turns import Choose, Lists

POLICIES = (*SIMPLE_POLICIES, "branching")
MOST_AT_ONCE = 100_000  # on a GPU some seconds
BYTES_PER_GAME = 1 << 17  # two workspaces of boards, and what is known of them; by turns, all placements of a board
RESULTS = ("scores", "lines", "pieces", "tetrises")


def chooser(
    backend: Backend,
    weights: npt.ArrayLike,
    policy: str,
    breadths: tuple[int, ...],
    settings: Settings,
    ties: str = "number",
) -> Choose:
    """The policy as a choice for many boards at once."""
    if policy == "branching":
        return Branching(backend, weights, breadths, settings, ties).choose
    if policy == "two-piece":
        return TwoPiece(backend, weights, settings).choose
    row = backend.asarray(kernels.one_row(weights))
    timed, taps = kernels.timing(backend, settings.reach, settings.double_killscreen)
    order = backend.asarray(kernels.order_table())

    def greedy(boards: Array, pieces: Array, following: Array, levels: Array) -> tuple[Placements, Array]:
        found = kernels.best_there(backend, row, boards, pieces, levels, timed, taps, order, 1)
        return found, backend.xp.zeros(len(boards), np.int32)

    return greedy


def at_once(backend: Backend, policy: str, breadths: tuple[int, ...], settings: Settings) -> int:
    """How many games of one step: as many as the device likes, but no more than are soon over."""
    if policy == "branching":
        found = branching.games_at_once(backend, breadths, settings)
    else:
        found = min(backend.batch(BYTES_PER_GAME), MOST_AT_ONCE)
    return max(1, found * MAX_LINES // max(MAX_LINES, settings.max_lines))


def play(
    backend: Backend,
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int = 0,
    policy: str = "two-piece",
    breadths: tuple[int, ...] = branching.BREADTHS,
    settings: Settings = Settings(),
    ties: str = "number",
) -> Games:
    """What comes of games `first_game`, `first_game` + 1, ... of `seed` with each row of `weights`, (n, 17)."""
    if not _by_turns(policy, settings):
        return kernels.play(backend, weights, games, seed, first_game, policy, settings)
    played = [
        _turns(backend, row, range(first_game, first_game + games), seed, policy, breadths, settings, ties)[0]
        for row in np.atleast_2d(weights)
    ]
    return Games(*(np.concatenate([getattr(one, name) for one in played]) for name in RESULTS))


def trace(
    backend: Backend,
    weights: npt.ArrayLike,
    seed: int,
    game: int = 0,
    policy: str = "two-piece",
    breadths: tuple[int, ...] = branching.BREADTHS,
    settings: Settings = Settings(),
    ties: str = "number",
) -> list[int]:
    """The placements of one game."""
    if not _by_turns(policy, settings):
        return kernels.trace(backend, weights, seed, game, policy, settings)
    return _turns(backend, weights, range(game, game + 1), seed, policy, breadths, settings, ties)[1][0]


def play_lists(
    backend: Backend,
    weights: npt.ArrayLike,
    lists: Lists,
    policy: str = "two-piece",
    breadths: tuple[int, ...] = branching.BREADTHS,
    settings: Settings = Settings(),
    ties: str = "number",
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    """What comes of games with these pieces, arrays of shape (1, games), and the placements of each."""
    numbers = range(len(lists))
    return _turns(backend, weights, numbers, 0, policy, breadths, settings, ties, lists, progress)


def _by_turns(policy: str, settings: Settings) -> bool:
    """Whether there is no kernel that plays whole games so."""
    return policy == "branching" or (policy == "two-piece" and settings.delay > 0)


def _turns(
    backend: Backend,
    weights: npt.ArrayLike,
    games: range,
    seed: int,
    policy: str,
    breadths: tuple[int, ...],
    settings: Settings,
    ties: str,
    lists: Lists | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    choose = chooser(backend, weights, policy, breadths, settings, ties)
    side_by_side = at_once(backend, policy, breadths, settings)
    return turns.play(choose, games, seed, settings, backend, side_by_side, lists, progress=progress)
