"""The command `suggest`: the placements of a piece on one board, ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris.measuring.advice import Adviser
from gpusolve.games.tetris.measuring.prospects import MOST_PLAYOUTS, PLAYOUTS, Prospect
from gpusolve.games.tetris.measuring.ranking import place_of, state_at
from gpusolve.games.tetris.players.player import PlayerLike
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import State, player_place
from gpusolve.games.tetris.rules.reachability import paths
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.notebook import as_html, as_text, columns_of
from gpusolve.runs.seeds import check_seed

PLAYED = 5
"""The number of best placements that playouts start from."""


@dataclass(frozen=True)
class Suggestion:
    """A placement of the piece on the board.

    Attributes
    ----------
    state : tuple of int
        Orientation, row and column of the box around the piece's cells.
    column, turned, row : int
        Where the piece is as players say it: the column of its left edge (1 to 10), its clockwise quarter turns, the
        row of its lower edge (1 at the bottom).
    value : float
        What the player expects to lose, less is better: with the next piece where it is best, if that is known. Its
        unit is the player's own, or points if `in_points`.
    tetris : bool
        Whether the piece makes a tetris.
    tetris_next : bool
        Whether the next piece then makes a tetris.
    stuck : bool
        Whether the next piece then has no placement.
    cleared : int
        The number of lines that the piece clears.
    features : list of int
        The 17 features of the board after it.
    presses : tuple of str
        The presses that take the piece there.
    loss : float or None
        What it loses against the best one; None if a tetris or being stuck decides instead. A placement that turns out
        better than what the player does loses nothing.
    in_points : bool
        Whether `value` is in points that are about to be lost. If not, `tetris`, `tetris_next` and `stuck` outweigh it.
    when : tuple of int
        With a reaction time: the next pieces with which the player's plan leads here.
    mine : bool
        Whether this is the placement that the user asked about.
    prospect : Prospect or None
        The chances of a tetris and of topping out after the placement, if playouts started from it.
    """

    state: State
    column: int
    turned: int
    row: int
    value: float
    tetris: bool
    tetris_next: bool
    stuck: bool
    cleared: int
    features: list[int]
    presses: tuple[str, ...]
    loss: float | None = 0.0
    in_points: bool = False
    when: tuple[int, ...] = ()
    mine: bool = False
    prospect: Prospect | None = None

    _repr_html_ = as_html
    __repr__ = as_text


@dataclass(frozen=True)
class Suggestions(Sequence[Suggestion]):
    """Every placement of a piece, the best first: a sequence of `Suggestion`. A notebook draws the best one.

    Attributes
    ----------
    ranked : tuple of Suggestion
        The placements.
    position : Position
        The position before the placement.
    variant : Variant
        The rules of the game that the position belongs to.
    player : str
        The name of the player who rated the placements.
    seed : int
        The seed of the playouts.
    """

    ranked: tuple[Suggestion, ...] = field(repr=False)
    position: Position
    variant: Variant
    player: str
    seed: int

    _repr_html_ = as_html
    __repr__ = as_text

    def __len__(self) -> int:
        return len(self.ranked)

    @overload
    def __getitem__(self, number: int) -> Suggestion: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Suggestion, ...]: ...
    def __getitem__(self, number: int | slice) -> Suggestion | tuple[Suggestion, ...]:
        return self.ranked[number]

    @property
    def level(self) -> int:
        """The level."""
        return self.variant.level_at(self.position.lines)

    @property
    def mine(self) -> int | None:
        """The index of the placement that the user asked about; None if there was none."""
        return next((number for number, each in enumerate(self.ranked) if each.mine), None)

    def columns(self) -> dict[str, list[Any]]:
        """Return the placements as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``column``, ``turned``, ``row``, ``value``, ``cleared``, ``tetris`` and ``presses`` (see `Suggestion`), best
            first.
        """
        return columns_of(self.ranked, "column", "turned", "row", "value", "cleared", "tetris", "presses")


def suggest(
    board: npt.ArrayLike | str | Path,
    piece: int | str,
    following: int | str | None = None,
    *,
    player: PlayerLike | None = None,
    level: int | None = None,
    lines: int | None = None,
    variant: Variant = Variant(),
    mine: str | Sequence[int] | None = None,
    playouts: int = PLAYOUTS,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Suggestions:
    """Rank the placements of a piece, the best first.

    The best placement is the one that the player makes there in a game by these rules. If the piece that follows is
    given, a placement is rated together with that piece, placed where it is best. If not, weights rate the board after
    the placement, and a learned value rates the expectation over the next piece. With a reaction time, the player then
    has a plan, and the best placement is the one that the plan is most likely to lead to.

    Parameters
    ----------
    board : array_like, str or Path
        22 rows and 10 columns, 1 where a cell is filled; or text, or a file with it. Text has rows of 10 cells from top
        to bottom, separated by ``/``, with ``.`` or ``0`` for empty cells and ``#`` or ``1`` for filled cells. All
        cells can be in one string, such as StackRabbit's 200 digits. Ten hexadecimal numbers are columns in which bit 0
        is the lowest row, such as ``"f f f f f f f f f 0"``.
    piece : int or str
        The piece to place: its number, 0 to 6, or its letter, one of ILJTZSO.
    following : int or str, optional
        The piece that follows, if it is known.
    player : str, Path, Player or sequence of float, optional
        Who rates the placements: a shipped name, a file of weights or of a learned value, a player, or 17 weights. By
        default the best player that comes with gpusolve for these rules.
    level : int, optional
        The level, 0 to 255, instead of `lines`: its first line. A level below the start level is the beginning of a
        game that starts there. By default the start level.
    lines : int, optional
        The lines cleared so far; 0 by default. A position beyond the usual 230 lines belongs to a game that goes on to
        430 lines, or else to the last one.
    variant : Variant, optional
        The rules of the game.
    mine : str or sequence of int, optional
        Your placement, which is marked in the result: the column of the piece's left edge (1 to 10), its clockwise
        quarter turns and, if it can rest at several heights, the row of its lower edge (1 is the bottom), as in
        ``4,1,3``. Without a row it is the highest one.
    playouts : int, default 100
        Number of 20-piece playouts from each of the five best placements and from `mine`, by two-piece play of the same
        player, to estimate the chances of a tetris and of topping out; 0 for none.
    seed : int, optional
        Seed of the playouts; 0 by default.
    backend : Backend, optional
        The device; by default the one that `open_backend` chooses.

    Returns
    -------
    Suggestions
        Every placement, the best first.

    Raises
    ------
    BadInput
        For a value that is not in its range, and for a board with a full row.
    NoSolution
        If the piece cannot spawn, so that the game is over.

    Examples
    --------
    >>> best = suggest("#########./" * 4, "I")[0]
    >>> best.column, best.turned, best.row, best.tetris
    (10, 1, 1, True)
    """
    check_variant(variant)
    variant, cleared = variant.game_at(level=level, lines=lines)
    position = Position.of(board, piece, following, lines=cleared)
    checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    seed = 0 if seed is None else check_seed(seed)
    asked = None if mine is None else place_of("mine", mine)
    adviser = Adviser(player_of(player, variant), variant, open_backend(backend))
    ranking = adviser.rank(position)
    states, ratings = ranking.states, ranking.ratings
    own = None if asked is None else state_at("mine", asked, position.piece, states)
    started = [i for number, i in enumerate(ranking.order) if playouts and (number < PLAYED or states[i] == own)]
    estimates = adviser.prospects(
        ranking.after[started],
        lines=[cleared + int(ranking.cleared[i]) for i in started],
        pieces=[position.pieces] * len(started),
        playouts=playouts,
        seed=seed,
    )
    estimated = dict(zip(started, estimates, strict=True))
    plan = adviser.plan(position)
    presses = paths(
        position.board,
        position.piece,
        variant.reach,
        variant.level_at(cleared),
        doubled=variant.double_killscreen,
        delay=variant.delay,
        through=plan.values(),
    )
    found = [
        Suggestion(
            states[i],
            *player_place(position.piece, states[i]),
            value=float(ratings.values[i]),
            tetris=bool(ranking.cleared[i] == 4),
            tetris_next=bool(ratings.tetris_next[i]),
            stuck=bool(ratings.stuck[i]),
            cleared=int(ranking.cleared[i]),
            features=ranking.features[i].tolist(),
            presses=presses[states[i]],
            loss=ranking.loss(i),
            in_points=adviser.player.in_points,
            when=tuple(then for then in plan if plan[then] == states[i]),
            mine=states[i] == own,
            prospect=estimated.get(i),
        )
        for i in ranking.order
    ]
    return Suggestions(tuple(found), position, variant, adviser.player.name, seed)
