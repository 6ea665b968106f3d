"""The command `suggest`: the placements of a piece on one board, ranked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris.measuring.advice import AdvicePolicy, Adviser
from gpusolve.games.tetris.measuring.prospects import AHEAD, MOST_GAMES, MOST_PLAYOUTS, PLAYOUTS, Prospect
from gpusolve.games.tetris.measuring.ranking import Ranking, place_of, state_at
from gpusolve.games.tetris.players.misses import chances_of
from gpusolve.games.tetris.players.player import PlayerLike
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import PIECES, State, cells_of, player_place
from gpusolve.games.tetris.rules.features import FEATURES
from gpusolve.games.tetris.rules.reachability import paths
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.rules.timing import Falling
from gpusolve.games.tetris.variant import Variant
from gpusolve.reprs import columns_of
from gpusolve.result import FLAT, HIDDEN, ROWS, Result, Rows, reported, written
from gpusolve.runs.seeds import check_seed

PLAYED = 5
"""The number of best placements that playouts start from."""


@dataclass(frozen=True, repr=False)
class Suggestion(Result):
    """A placement of the piece on the board.

    Attributes
    ----------
    state : tuple of int
        Orientation, row and column of the box around the piece's cells.
    cells : list of tuple of int
        The row and the column of each cell of the piece.
    column, turned, row : int
        Where the piece is as players say it: the column of its left edge (1 to 10), its clockwise quarter turns, the
        row of its lower edge (1 at the bottom).
    value : float
        What the player expects to lose, less is better: with the next piece where it is best, if that is known. Its
        unit is the player's own, or points if `in_points`.
    loss : float or None
        What it loses against the best one; None if a tetris or being stuck decides instead. With a reaction time, a
        placement that turns out better than what the player does loses nothing.
    cleared : int
        The number of lines that the piece clears.
    tetris : bool
        Whether the piece makes a tetris.
    tetris_next : bool
        Whether the next piece then makes a tetris.
    stuck : bool
        Whether the next piece then has no placement.
    when : tuple of int
        With a reaction time: the next pieces with which the player's plan leads here; in JSON their letters.
    features : list of int
        The 17 features of the board after it; in JSON by their names.
    presses : tuple of str
        The presses that take the piece there.
    windows : tuple of tuple of int
        For each press the first and the last frame on which it may come while the same placement results, with the
        others early or late enough; see `rules.timing`. Empty without taps against gravity.
    made : float
        The chance that the piece comes to rest there, although presses can be missed (``miss``). `value` and `loss` are
        then expectations over where it comes to rest.
    in_points : bool
        Whether `value` is in points that are about to be lost. If not, `tetris`, `tetris_next` and `stuck` outweigh it.
    prospect : Prospect or None
        The chances of a tetris and of topping out after the placement, if playouts started from it.
    """

    state: State = field(metadata=HIDDEN)
    cells: list[tuple[int, int]]
    column: int
    turned: int
    row: int
    value: float
    loss: float | None
    cleared: int
    tetris: bool
    tetris_next: bool
    stuck: bool
    when: tuple[int, ...] = field(metadata=written("letters"))
    features: list[int] = field(metadata=written("by_name"))
    presses: tuple[str, ...]
    windows: tuple[tuple[int, int], ...] = ()
    made: float = 1.0
    in_points: bool = field(default=False, metadata=HIDDEN)
    prospect: Prospect | None = field(default=None, metadata=HIDDEN)

    @property
    def letters(self) -> str:
        """The letters of the next pieces with which the plan leads here."""
        return "".join(PIECES[then] for then in self.when)

    @property
    def by_name(self) -> dict[str, int]:
        """The features by their names."""
        return dict(zip(FEATURES, self.features, strict=True))

    @reported
    def window(self) -> int | None:
        """The number of frames of the narrowest window; None if no press is against gravity."""
        return min((last - first + 1 for first, last in self.windows), default=None)

    @reported
    def tetris_chance(self) -> float | None:
        """The chance of a tetris after the placement, if playouts started from it."""
        return None if self.prospect is None else self.prospect.tetris_chance

    @reported
    def risk(self) -> float | None:
        """The chance of topping out after the placement, if playouts started from it."""
        return None if self.prospect is None else self.prospect.risk


@dataclass(frozen=True, repr=False)
class Adjustment(Result):
    """Where the player puts the piece when the next piece turns out to be a certain one.

    With a reaction time, the adjustments of all pieces belong to one plan. Without one, the player sees the next piece
    before the first press.

    Attributes
    ----------
    following : int
        The next piece; in JSON its letter.
    chance : float
        The chance that it comes next.
    place : tuple of int
        The placement as players say it: column, turns, row.
    value : float
        What the placement is worth with this next piece; see `Suggestion`.
    score : float or None
        The points still to come in the game, as the player expects them; None if its values are not points.
    mean, error, deviation : float or None
        The mean of the points in games that went on from the placement to their end, its standard error, and the
        standard deviation of a game's points; None without such games.
    """

    following: int = field(metadata=written("letter"))
    chance: float
    state: State = field(metadata=HIDDEN)
    place: tuple[int, int, int]
    value: float
    score: float | None
    mean: float | None
    error: float | None
    deviation: float | None

    @property
    def letter(self) -> str:
        """The letter of the next piece."""
        return PIECES[self.following]


@dataclass(frozen=True, repr=False)
class Own(Result):
    """The placement that the user asked about.

    Attributes
    ----------
    rank : int
        Its number among all placements, from 1.
    suggestion : Suggestion
        The placement.
    """

    rank: int
    suggestion: Suggestion = field(metadata=FLAT)


@dataclass(frozen=True, repr=False)
class Suggestions(Rows[Suggestion], schema="tetris.suggest/3"):
    """Every placement of a piece, the best first, which are also its items. A notebook draws the best one.

    Attributes
    ----------
    rows : tuple of Suggestion
        The placements.
    position : Position
        The position before the placement.
    variant : Variant
        The rules of its game.
    player : str
        The name of the player who rated the placements.
    policy : Policy
        How far the player looked ahead.
    plan : tuple of Adjustment
        Where the piece goes with each of the seven next pieces; only with the next piece if the player knows it at
        once.
    games : int
        Number of games that went on to their end with each next piece.
    playouts : int
        Number of playouts from each of the best placements.
    seed : int
        The seed of the playouts.
    mine : Own or None
        The placement that the user asked about, if any.
    """

    rows: tuple[Suggestion, ...] = field(repr=False, metadata=ROWS)
    position: Position = field(metadata=HIDDEN)
    variant: Variant = field(metadata=FLAT)
    player: str
    policy: Policy = field(metadata=FLAT)
    plan: tuple[Adjustment, ...] = field(repr=False)
    games: int
    playouts: int
    seed: int
    mine: Own | None = None

    @reported
    def piece(self) -> str:
        """The piece to place."""
        return PIECES[self.position.piece]

    @reported
    def following(self) -> str | None:
        """The next piece, if it is known."""
        return None if self.position.following is None else PIECES[self.position.following]

    @reported
    def level(self) -> int:
        """The level."""
        return self.position.level

    @reported
    def lines(self) -> int:
        """The lines cleared so far."""
        return self.position.lines

    @reported
    def score(self) -> float | None:
        """The points still to come in the game, as the player expects them; None if its values are not points."""
        return self._over_plan("score")

    @reported
    def mean(self) -> float | None:
        """The mean of the points in the games that went on to their end; None without such games."""
        return self._over_plan("mean")

    @reported
    def deviation(self) -> float | None:
        """The standard deviation of the points of a game that goes on to its end; None without such games."""
        mean = self.mean
        if mean is None or any(each.deviation is None for each in self._likely):
            return None
        square = sum(each.chance * ((each.deviation or 0) ** 2 + (each.mean or 0) ** 2) for each in self._likely)
        return math.sqrt(max(0, square / sum(each.chance for each in self._likely) - mean**2))

    @property
    def _likely(self) -> list[Adjustment]:
        """The adjustments that can come about: of the next piece if it is known, or else all."""
        known = self.position.following
        return [each for each in self.plan if known in (None, each.following)]

    def _over_plan(self, name: str) -> float | None:
        """Return the expectation of a field of the adjustments; None if they do not have it."""
        if any(getattr(each, name) is None for each in self._likely):
            return None
        total = sum(each.chance for each in self._likely)
        return float(sum(each.chance * getattr(each, name) for each in self._likely)) / total

    @reported
    def placements(self) -> int:
        """Number of placements."""
        return len(self.rows)

    @reported
    def pieces_ahead(self) -> int:
        """Number of pieces of a playout."""
        return AHEAD

    def columns(self) -> dict[str, list[Any]]:
        """Return the placements as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``column``, ``turned``, ``row``, ``value``, ``cleared``, ``tetris`` and ``presses`` (see `Suggestion`), best
            first.
        """
        return columns_of(self.rows, "column", "turned", "row", "value", "cleared", "tetris", "presses")


def suggest(
    board: npt.ArrayLike | str | Path | Position,
    piece: int | str | None = None,
    following: int | str | None = None,
    *,
    player: PlayerLike | None = None,
    policy: AdvicePolicy = "two-piece",
    breadths: str | Sequence[int] | None = None,
    level: int | None = None,
    lines: int | None = None,
    variant: Variant | None = None,
    mine: str | Sequence[int] | None = None,
    playouts: int = PLAYOUTS,
    games: int = 0,
    seed: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Suggestions:
    """Rank the placements of a piece.

    Their features and the presses that reach them are shown. Every placement is searched. In a game by these rules the
    player makes the best one, unless it looks bad at first: there a learned value, and ``branching``, leave such
    placements out. If the piece that follows is given, a placement is rated together with that piece, placed where it
    is best. If not, weights rate the board after the placement, and a learned value rates the expectation over the next
    piece. With a reaction time, the player then has a plan, and the best placement is the one that the plan is most
    likely to lead to. The plan is shown with its adjustment for each of the seven next pieces.

    Parameters
    ----------
    board : array_like, str, Path or Position
        Rows of 10 cells from top to bottom, separated by ``/``, with ``.`` or ``0`` for empty cells and ``#``, ``1`` or
        the letter of a piece for filled ones; or 200 digits, an array in JSON, coloured squares, or ten columns as
        hexadecimal numbers, ``f f f f f f f f f 0``, where bit 0 is the lowest row; or a file, or - for stdin. Without
        a piece after it: a position as for ``play --start``. In Python also an array, or a `Position` with its rules.
    piece : int or str, optional
        Piece to place: I, L, J, T, Z, S or O. In Python also its number, 0 to 6.
    following : int or str, optional
        Next piece, if it is known.
    player : str, Path, Player or sequence of float, optional
        Player: a shipped name, or a file of weights or of a learned value. In Python also 17 weights. By default the
        best player that comes with gpusolve for these rules.
    policy : {"two-piece", "branching"}
        How far to look ahead: ``branching`` also looks at all pieces that can follow the known ones (expectimax). By
        weights, a tetris in that search counts with its chance.
    breadths : str or sequence of int, optional
        With ``branching``, as in `play`: numbers of best placements to consider for the first, second and further
        pieces. By default 3,5,5, learned 8,4.
    level : int, optional
        Level, 0 to 255, instead of `lines`: its first line. A level below the start level is the beginning of a game
        that starts there. By default the start level.
    lines : int, optional
        Lines cleared so far; 0 by default. A position beyond the usual 230 lines belongs to a game that goes on to 430
        lines, or else to the last one.
    variant : Variant, optional
        The rules of the game.
    mine : str or sequence of int, optional
        Your placement, to be rated, as ``COLUMN,TURNS`` or ``COLUMN,TURNS,ROW``: the column of its left edge (1 to 10),
        the number of clockwise quarter turns and, if it can rest at several heights, the row of its lower edge (1 is
        the bottom). Without a row it is the highest one.
    playouts : int, default 100
        Number of 20-piece playouts from each of the five best placements and from `mine`, by two-piece play of the same
        player, to estimate the chance of a tetris and of topping out; 0 for none.
    games : int, default 0
        Number of games that go on to their end with each next piece, 0 to 500, by two-piece play of the same player, to
        estimate the score and its deviation. A game from level 18 to 49 takes some hundredths of a second, with a
        reaction time some tenths.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default 0.
    progress : callable
        Called with the number of `games` that are over.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

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
    ``gpusolve tetris suggest '####...###/####..####/#########.' I T --reach 30hz``

    >>> best = suggest("#########./" * 4, "I")[0]
    >>> best.column, best.turned, best.row, best.tetris
    (10, 1, 1, True)
    """
    position = Position.of(board, piece, following, level=level, lines=lines, variant=variant)
    playouts = checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    games = checks.check_integer("games", games, 0, MOST_GAMES)
    seed = 0 if seed is None else check_seed(seed)
    asked = None if mine is None else place_of("mine", mine)
    adviser = Adviser.of(player, policy, breadths, position.variant, open_backend(backend))
    ranking = adviser.rank(position)
    states, ratings = ranking.states, ranking.ratings
    own = None if asked is None else state_at("mine", asked, position.piece, states)
    started = [i for number, i in enumerate(ranking.order) if playouts and (number < PLAYED or states[i] == own)]
    estimates = adviser.prospects(
        ranking.after[started],
        lines=[position.lines + int(ranking.cleared[i]) for i in started],
        pieces=[position.pieces] * len(started),
        playouts=playouts,
        seed=seed,
    )
    estimated = dict(zip(started, estimates, strict=True))
    plan = _plan(adviser, position, ranking, games, seed, progress)
    through = {each.following: each.state for each in plan if position.variant.delay}
    presses = paths(
        position.board,
        position.piece,
        position.variant.reach,
        position.level,
        doubled=position.variant.double_killscreen,
        delay=position.variant.delay,
        through=through.values(),
    )
    timings = _timings(position, presses)
    found = [
        Suggestion(
            states[i],
            list(cells_of(position.piece, states[i])),
            *player_place(position.piece, states[i]),
            value=float(ratings.values[i]),
            loss=ranking.loss(i),
            cleared=int(ranking.cleared[i]),
            tetris=bool(ranking.cleared[i] == 4),
            tetris_next=bool(ratings.tetris_next[i]),
            stuck=bool(ratings.stuck[i]),
            when=tuple(then for then in through if through[then] == states[i]),
            features=ranking.features[i].tolist(),
            presses=presses[states[i]],
            windows=timings[states[i]][0],
            made=timings[states[i]][1],
            in_points=adviser.player.in_points,
            prospect=estimated.get(i),
        )
        for i in ranking.order
    ]
    mine_at = next((number for number, each in enumerate(found) if each.state == own), None)
    return Suggestions(
        tuple(found),
        position,
        position.variant,
        adviser.player.name,
        adviser.policy,
        plan,
        games=games,
        playouts=playouts,
        seed=seed,
        mine=None if mine_at is None else Own(mine_at + 1, found[mine_at]),
    )


def _timings(
    position: Position, presses: dict[State, tuple[str, ...]]
) -> dict[State, tuple[tuple[tuple[int, int], ...], float]]:
    """Return for each placement the windows of its presses, and the chance that the piece comes to rest there."""
    variant = position.variant
    if variant.reach in ("free", "das"):
        return dict.fromkeys(presses, ((), 1.0))
    falling, found = Falling(position.board, position.piece, position.level, doubled=variant.double_killscreen), {}
    for state, path in presses.items():
        windows, landed = chances_of(falling, path, variant)
        found[state] = tuple((window[0], window[-1]) for window in windows), landed.get(state, 0.0)
    return found


def _plan(
    adviser: Adviser,
    position: Position,
    ranking: Ranking,
    games: int,
    seed: int,
    progress: Callable[[int], None],
) -> tuple[Adjustment, ...]:
    """Return where the piece goes with each next piece; only with the known one if it is known at once."""
    following = range(7) if position.variant.delay or position.following is None else [position.following]
    placed = adviser.adjusted(position, ranking, following)
    outcomes = adviser.outcomes(position, placed, games=games, seed=seed, progress=progress)
    chances = transitions(position.variant.source)[position.piece]
    plan = []
    for then, state in placed.items():
        ratings, outcome = adviser.rate(position, ranking, then), outcomes.get(then)
        value = float(ratings.values[ranking.states.index(state)])
        plan.append(
            Adjustment(
                then,
                float(chances[then] / chances.sum()),
                state,
                player_place(position.piece, state),
                value,
                None if ratings.possible is None else ratings.possible - value,
                *((outcome.mean, outcome.error, outcome.deviation) if outcome else (None, None, None)),
            )
        )
    return tuple(plan)
