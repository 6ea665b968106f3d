"""The command `suggest`: the placements of a piece on one board, ranked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.measuring.prospects import MOST_PLAYOUTS, PLAYOUTS, Prospect, prospects
from gpusolve.games.tetris.measuring.ranking import board_of, piece_of, place_of, rank, state_at
from gpusolve.games.tetris.players.player import PlayerLike
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import BEST_PLAYER, load_player
from gpusolve.games.tetris.rules.board import MAX_LINES, Board, State, level_at, player_place
from gpusolve.games.tetris.rules.reachability import free_paths, timed_paths
from gpusolve.games.tetris.variant import Variant
from gpusolve.notebook import as_html, as_text, columns_of
from gpusolve.runs.seeds import check_seed

LEVEL = 19
PLAYED = 5
"""The number of best placements that playouts start from."""
MOST_LEVEL = 255


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
    in_points : bool
        Whether `value` is in points that are about to be lost. If not, `tetris`, `tetris_next` and `stuck` outweigh it.
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
    in_points: bool = False
    mine: bool = False
    prospect: Prospect | None = None

    _repr_html_ = as_html
    __repr__ = as_text

    @property
    def decisive(self) -> int:
        """What outweighs the value, less is better: 0 for a value in points."""
        return 0 if self.in_points else self.stuck - self.tetris - self.tetris_next


class Suggestions(list[Suggestion]):
    """Every placement of a piece on a board, the best first. A notebook draws the best one.

    Parameters
    ----------
    suggestions : iterable of Suggestion
        The placements.
    board : array_like, uint8, (22, 10)
        The board before the placement.
    piece : int
        The number of the piece.
    """

    _repr_html_ = as_html

    def __init__(self, suggestions: Iterable[Suggestion], board: Board, piece: int) -> None:
        super().__init__(suggestions)
        self.board, self.piece = board, piece

    def columns(self) -> dict[str, list[Any]]:
        """Return the placements as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``column``, ``turned``, ``row``, ``value``, ``cleared``, ``tetris`` and ``presses`` (see `Suggestion`), best
            first.
        """
        return columns_of(self, "column", "turned", "row", "value", "cleared", "tetris", "presses")


def suggest(
    board: npt.ArrayLike | str,
    piece: int | str,
    following: int | str | None = None,
    *,
    player: PlayerLike | None = None,
    level: int | None = None,
    lines: int | None = None,
    reach: str = "free",
    mine: Sequence[int] | None = None,
    source: str = "uniform8",
    double_killscreen: bool = False,
    playouts: int = PLAYOUTS,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Suggestions:
    """Rank the placements of a piece, the best first.

    If the piece that follows is given, a placement is rated together with that piece, placed where it is best. If not,
    weights rate the board after the placement, and a learned value rates the expectation over the next piece.

    Parameters
    ----------
    board : array_like or str
        22 rows and 10 columns, 1 where a cell is filled; or text: rows such as ``"##.......#/#########."``, all cells
        in one string (StackRabbit's 200 digits), or ten columns as hexadecimal numbers (``"f f f f f f f f f 0"``,
        where bit 0 is the lowest row).
    piece : int or str
        The piece to place: its number, 0 to 6, or its letter, one of ILJTZSO.
    following : int or str, optional
        The piece that follows, if it is known.
    player : str, Path, Player or sequence of float, optional
        Who rates the placements. By default ``learned``, the best player that comes with gpusolve.
    level : int, optional
        The level, 0 to 255, for gravity and for a learned value; 19 by default.
    lines : int, optional
        Instead of `level`: the lines cleared so far in a game from level 19, 0 to 229.
    reach, source, double_killscreen
        See `Variant`.
    mine : sequence of int, optional
        A placement of the user's, which is marked in the result: the column of the piece's left edge (1 to 10), its
        clockwise quarter turns, and the row of its lower edge (1 at the bottom). Without a row it is the highest one.
    playouts : int, default 100
        Number of 20-piece playouts from each of the five best placements and from `mine`, by two-piece play of the same
        player; 0 for none.
    seed : int, optional
        Seed of the playouts; 0 by default.
    backend : Backend, optional
        The device; by default the one that `open_backend` chooses.

    Returns
    -------
    Suggestions
        A list of every placement, the best first.

    Raises
    ------
    BadInput
        For a value that is not in its range, a board with a full row, and a level or lines where they mean nothing.
    NoSolution
        If the piece cannot spawn, so that the game is over.

    Examples
    --------
    >>> best = suggest("#########./" * 4, "I")[0]
    >>> best.column, best.turned, best.row, best.tetris
    (10, 1, 1, True)
    """
    board = board_of(board)
    piece = piece_of("piece", piece)
    following = None if following is None else piece_of("following", following)
    variant = Variant(reach, source, double_killscreen=double_killscreen)
    checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    seed = 0 if seed is None else check_seed(seed)
    chosen = load_player(BEST_PLAYER if player is None else player)
    level, lines = progress_of(level, lines, reach=reach, in_points=chosen.in_points)
    asked = None if mine is None else place_of("mine", mine)
    backend = open_backend(backend)
    ranking = rank(board, piece, following, player=chosen, level=level, lines=lines, variant=variant, backend=backend)
    states, ratings = ranking.states, ranking.ratings
    paths = (
        free_paths(board, piece)
        if reach == "free"
        else timed_paths(board, piece, reach, level, doubled=double_killscreen)
    )
    own = None if asked is None else state_at("mine", asked, piece, states)
    estimated: dict[int, Prospect] = {}
    if playouts:
        started = [i for number, i in enumerate(ranking.order) if number < PLAYED or states[i] == own]
        known, n = [] if following is None else [following], len(started)
        estimates = prospects(
            chosen.chooser(backend, Policy("two-piece"), variant),
            ranking.after[started],
            levels=np.full(n, min(level, LEVELS - 1), np.int32),
            lines=np.full(n, lines, np.int32),
            known=[known] * n,
            previous=[[piece, *known][-1]] * n,
            playouts=playouts,
            variant=variant,
            seed=seed,
            backend=backend,
        )
        estimated = dict(zip(started, estimates, strict=True))
    found = [
        Suggestion(
            states[i],
            *player_place(piece, states[i]),
            value=float(ratings.values[i]),
            tetris=bool(ranking.cleared[i] == 4),
            tetris_next=bool(ratings.tetris_next[i]),
            stuck=bool(ratings.stuck[i]),
            cleared=int(ranking.cleared[i]),
            features=ranking.features[i].tolist(),
            presses=paths[states[i]],
            in_points=chosen.in_points,
            mine=states[i] == own,
            prospect=estimated.get(i),
        )
        for i in ranking.order
    ]
    return Suggestions(found, board, piece)


def loss(best: Suggestion, other: Suggestion) -> float | None:
    """Return what another placement than the best one loses; None if a tetris or being stuck decides instead."""
    return other.value - best.value if other.decisive == best.decisive else None


def progress_of(level: int | None, lines: int | None, *, reach: str, in_points: bool) -> tuple[int, int]:
    """Return the level and the lines cleared, given one of them or neither.

    Raises BadInput for both, and where they mean nothing.
    """
    for name, value in (("level", level), ("lines", lines)):
        if value is not None and reach == "free" and not in_points:
            where = "where pieces are reached against gravity, not free, or with a learned value"
            raise BadInput(f"{name} {shown(value)}: expected only {where}")
    if lines is not None:
        if level is not None:
            raise BadInput(f"level {shown(level)}: expected without lines, which determine it")
        checks.check_integer("lines", lines, 0, MAX_LINES - 1)
        return level_at(lines, LEVEL), lines
    if level is None:
        return LEVEL, 0
    checks.check_integer("level", level, 0, MOST_LEVEL)
    # Above level 28, where the games that a value learned from have ended, it judges as at the beginning of one.
    return level, next((cleared for cleared in range(MAX_LINES) if level_at(cleared, LEVEL) == level), 0)
