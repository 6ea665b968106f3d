"""The command `play`: one whole game, with every turn kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.kernels import columns_of, state_of
from gpusolve.games.tetris.measuring.prospects import MOST_PLAYOUTS, Prospect, prospects
from gpusolve.games.tetris.players.kernels import MOST_GAME
from gpusolve.games.tetris.players.player import Player, PlayerLike, policy_of
from gpusolve.games.tetris.players.playing import trace
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import best_player, load_player
from gpusolve.games.tetris.recording import Recording, turns_of
from gpusolve.games.tetris.rules.sources import pieces
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.runs.seeds import check_seed, random_seed


def play(
    player: PlayerLike | None = None,
    *,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    ties: str | None = None,
    game: int = 0,
    variant: Variant = Variant(),
    playouts: int = 0,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Recording:
    """Play one game and keep every turn.

    Parameters
    ----------
    player : str, Path, Player or sequence of float, optional
        The name of a player that comes with gpusolve, a file, or 17 weights. By default ``learned``, the best player
        that comes with gpusolve.
    policy : str, default "two-piece"
        How far the player looks ahead: ``greedy`` at the current piece, ``two-piece`` at the next one as well,
        ``branching`` at the pieces that can follow; ``playouts`` plays on over many sequences of pieces.
    breadths : tuple of int, optional
        Breadths of branching or playouts, see `evaluate`.
    ties : str, optional
        What settles ties of branching by weights: ``number`` (default) or ``presses``.
    game : int, default 0
        The number of the game in the seed.
    variant : Variant, optional
        The rules of the game.
    playouts : int, default 0
        Number of 20-piece playouts after each turn, to estimate the chance of a tetris and of topping out.
    seed : int, optional
        Seed of the pieces, 0 to 2^64 - 1; by default a random one.
    backend : Backend, optional
        The device; by default the one that `open_backend` chooses.

    Returns
    -------
    Recording

    Raises
    ------
    BadInput
        For a value that is not in its range, or a player that cannot be loaded.

    Examples
    --------
    >>> play("published", policy="greedy", variant=Variant(max_lines=4), seed=5).summary
    'score 24,800, 5 lines, 1 tetris (80 %), 28 pieces'
    """
    check_variant(variant)
    checks.check_integer("game", game, 0, MOST_GAME - 1)
    checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    chosen = load_player(best_player(variant) if player is None else player)
    plan = policy_of(chosen, policy, breadths=breadths, ties=ties, variant=variant)
    seed = random_seed() if seed is None else check_seed(seed)
    backend = open_backend(backend)
    placements = trace(backend, chosen, seed=seed, game=game, policy=plan, variant=variant)
    drawn = pieces(seed, game, variant.source)
    states = [(piece, state_of(piece, placement)) for placement, piece in zip(placements, drawn, strict=False)]
    recording = Recording(chosen.name, policy, seed, game, variant, turns_of(states, variant))
    if not playouts or not recording.turns:
        return recording
    return replace(recording, prospects=tuple(_prospects(chosen, recording, playouts, backend)))


def _prospects(player: Player, recording: Recording, playouts: int, backend: Backend) -> list[Prospect]:
    """Return what is to come after each turn by two-piece play, the next piece being known."""
    variant, count = recording.variant, len(recording.turns)
    drawn = list(islice(pieces(recording.seed, recording.game, variant.source), count + 1))[1:]
    return prospects(
        player.chooser(backend, Policy("two-piece"), variant),
        columns_of(np.stack([board for board, _ in recording.boards])),
        levels=np.array([min(turn.level, LEVELS - 1) for turn in recording.turns], np.int32),
        lines=np.array([min(turn.lines, variant.max_lines - 1) for turn in recording.turns], np.int32),
        known=[[piece] for piece in drawn],
        previous=drawn,
        playouts=playouts,
        variant=variant,
        seed=recording.seed,
        backend=backend,
    )
