"""Players by name: those that come with gpusolve, and those in files."""

from __future__ import annotations

from pathlib import Path

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.player import Player, PlayerLike
from gpusolve.games.tetris.players.value import SUFFIX, load_value, phases_of, shipped_file, shipped_values
from gpusolve.games.tetris.players.weights import load_weights, shipped_weights
from gpusolve.games.tetris.rules.reachability import FASTEST, rate_of, rhythm_of
from gpusolve.games.tetris.rules.timing import pace_of
from gpusolve.games.tetris.variant import Variant

BEST_PLAYER = "learned"
"""The shipped player that scores most in games up to level 29 with unlimited time or quick taps, by every policy
(``benchmarks/results/tetris-value.md``)."""
RATES = {"das": 10, "slow5": 15}
"""Taps per second of rhythms that have a name of their own."""
OWN_RHYTHM = 24
"""Taps on frames of their own choose their value as if there were this number of them per second, or fewer if no two
of them are that close."""
SLOW, FAST_FALL = 15, 18
"""With at most this number of taps per second, the values for tournaments score more than ``learned`` in games up to
level 29, too, if these begin at this level or a later one (``benchmarks/results/tetris-clock.md``)."""
DELAYED = "300ms"
"""The end of the name of a value that plays better with a reaction time of any length."""


def best_player(variant: Variant) -> str:
    """Return the name of the shipped player that scores most by these rules.

    Games that go beyond level 29 against a clock, and shorter ones with slow taps that begin at a high level, have
    values of their own: ``tournament-<reach>`` if it is shipped, or else of ``tournament-<N>hz`` the one for the next
    faster taps. That is better than one for slower taps: at 24 Hz, before there was one of its own, the values for 30
    and 20 Hz scored 2,094,000 and 2,009,000. With a reaction time, a value that plays better with one, such as
    ``tournament-30hz-300ms``, takes the place of the same name without ``-300ms``.
    """
    name = _player_at_once(variant)
    delayed = f"{name}-{DELAYED}"
    return delayed if variant.delay and shipped_file(delayed) else name


def _player_at_once(variant: Variant) -> str:
    """Return the name of the player that scores most when the next piece is known at once."""
    rhythm, _ = rhythm_of(variant.reach)
    if rhythm == "free":
        return BEST_PLAYER
    mine = rate_of(rhythm) or RATES.get(rhythm) or min(OWN_RHYTHM, 60 // pace_of(rhythm))
    if len(phases_of(variant)) == 1 and (mine > SLOW or variant.start_level < FAST_FALL):
        return BEST_PLAYER
    for name in (f"tournament-{variant.reach}", f"tournament-{rhythm}"):
        if shipped_file(name):
            return name
    rates = [rate for rate in range(1, FASTEST + 1) if shipped_file(f"tournament-{rate}hz")]
    return f"tournament-{min((rate for rate in rates if rate >= mine), default=max(rates))}hz"


def player_of(source: PlayerLike | None, variant: Variant) -> Player:
    """Load a player; without a source, the best one that comes with gpusolve for these rules."""
    return load_player(best_player(variant) if source is None else source)


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

    >>> shipped_players()[:3], len(shipped_players())
    (['30hz', 'learned', 'published'], 13)
    """
    return sorted([*shipped_weights(), *shipped_values()])
