"""Players by name: those that come with gpusolve, and those in files."""

from __future__ import annotations

from pathlib import Path

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.player import Player, PlayerLike
from gpusolve.games.tetris.players.value import FOLDER, SUFFIX, load_value, shipped_file
from gpusolve.games.tetris.players.weights import load_weights, shipped_weights

BEST_PLAYER = "learned"
"""The shipped player that scores most with every reach and by every policy (``benchmarks/results/tetris-value.md``)."""


def load_player(source: PlayerLike) -> Player:
    """Load a player.

    Parameters
    ----------
    source : str, Path, Player or sequence of float
        The name of a player that comes with gpusolve, a file of weights (JSON) or of a learned value (``.value``), a
        player, or 17 weights.

    Returns
    -------
    Player

    Raises
    ------
    BadInput
        If there is no such file, or if it is damaged.

    Examples
    --------
    >>> load_player("published").name, load_player("learned").name
    ('published', 'learned')
    """
    if not isinstance(source, str | Path):
        return source if isinstance(source, Player) else load_weights(source)
    if shipped_file(source) or Path(source).suffix == SUFFIX:
        return load_value(source)
    if source not in shipped_weights() and not files.exists(source):
        raise BadInput(f"player {source}: expected a file or one of {', '.join(shipped_players())}")
    return load_weights(source)


def shipped_players() -> list[str]:
    """Return the names of the players that come with gpusolve.

    >>> shipped_players()
    ['30hz', 'learned', 'published', 'two-piece']
    """
    return sorted([*shipped_weights(), *(path.stem for path in FOLDER.iterdir() if path.suffix == SUFFIX)])
