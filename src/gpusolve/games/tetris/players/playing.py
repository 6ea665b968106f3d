"""Whole games by any player, policy and variant, each played in the fastest way there is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris.kernels import Boards, Placements, checked, in_range
from gpusolve.games.tetris.players import kernels
from gpusolve.games.tetris.players.kernels import Games
from gpusolve.games.tetris.players.misses import chooser_of
from gpusolve.games.tetris.players.player import Player
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.turns import Now, PieceLists, Start, play_by_turns
from gpusolve.games.tetris.players.weights import Weights
from gpusolve.games.tetris.rules.board import MAX_LINES
from gpusolve.games.tetris.variant import MOST_LINES, Variant, check_variant


def games_at_once(backend: Backend, player: Player, policy: Policy, variant: Variant) -> int:
    """Return how many games to play in one step: as many as suit the device, but fewer if games are long."""
    at_once = player.games_at_once(backend, policy, variant)
    return max(1, at_once * MAX_LINES // max(MAX_LINES, variant.max_lines))


def play(
    backend: Backend, player: Player, games: range, *, seed: int, policy: Policy, variant: Variant = Variant()
) -> Games:
    """Return the results of games of a seed, of shape (1, games)."""
    weights = player.kernel_weights(policy, variant)
    if weights is None:
        return play_turns(backend, player, games, seed=seed, policy=policy, variant=variant)[0]
    return kernels.play(
        backend, weights, len(games), seed=seed, first_game=games.start, policy=policy.name, variant=variant
    )


def play_rows(
    backend: Backend, rows: npt.NDArray[np.float64], games: range, *, seed: int, policy: Policy, variant: Variant
) -> Games:
    """Return the results of games of a seed with each row of weights, (n, 17); one kernel plays all where it can."""
    if policy.has_kernel(variant):
        return kernels.play(
            backend, rows, len(games), seed=seed, first_game=games.start, policy=policy.name, variant=variant
        )
    players = [Weights("weights", "", tuple(row)) for row in rows.tolist()]
    results = [play(backend, player, games, seed=seed, policy=policy, variant=variant).results for player in players]
    return Games.of(np.concatenate(results))


def trace(
    backend: Backend, player: Player, *, seed: int, game: int = 0, policy: Policy, variant: Variant = Variant()
) -> list[int]:
    """Return the placements of one game."""
    weights = player.kernel_weights(policy, variant)
    if weights is None:
        games = range(game, game + 1)
        return play_turns(backend, player, games, seed=seed, policy=policy, variant=variant)[1][0]
    return kernels.trace(backend, weights, seed=seed, game=game, policy=policy.name, variant=variant)


def play_turns(
    backend: Backend,
    player: Player,
    games: range,
    *,
    seed: int,
    policy: Policy,
    variant: Variant = Variant(),
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    """Play games of a seed turn by turn; return their results, of shape (1, games), and the placements of each.

    `progress` is called with the number of games that are over.
    """
    return play_by_turns(
        chooser_of(player, backend, policy, variant),
        games,
        seed=seed,
        variant=variant,
        backend=backend,
        at_once=partial(games_at_once, backend, player, policy, variant),
        progress=progress,
    )


def play_lists(
    backend: Backend,
    player: Player,
    lists: PieceLists,
    *,
    policy: Policy,
    variant: Variant = Variant(),
    start: Start | None = None,
) -> tuple[Games, list[list[int]]]:
    """Play games with given pieces; return their results, of shape (1, games), and the placements of each."""
    return play_by_turns(
        chooser_of(player, backend, policy, variant),
        range(len(lists)),
        seed=0,
        variant=variant,
        backend=backend,
        at_once=partial(games_at_once, backend, player, policy, variant),
        lists=lists,
        start=start,
    )


def choose(
    player: Player,
    boards: Boards,
    pieces: npt.ArrayLike,
    *,
    following: npt.ArrayLike,
    levels: npt.ArrayLike,
    lines: npt.ArrayLike = 0,
    policy: Policy,
    variant: Variant = Variant(),
    backend: Backend | None = None,
) -> tuple[Placements, npt.NDArray[np.int32]]:
    """Return placements of a piece on each board, and the index of the one that the player chooses, int32 (n,).

    The index is 0 where a piece has no placement. Raises BadInput for values that are out of range.
    """
    check_variant(variant)
    columns, numbers, rows = checked(boards, np.asarray(pieces), in_range("levels", levels, 0, MOST_LINES))
    n = len(columns)
    after = in_range("following", following, 0, 6, n).astype(np.int32)
    gone = in_range("lines", lines, 0, variant.max_lines - 1, n).astype(np.int32)
    backend = open_backend(backend)
    now = Now(*map(backend.asarray, (columns, numbers, after, rows, gone)))
    placements, chosen = chooser_of(player, backend, policy, variant)(now)
    return placements.on_host(backend), backend.to_host(chosen)
