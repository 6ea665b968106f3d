"""The command `review`: what each placement of a game loses against the best one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import numpy.typing as npt

from gpusolve import checks, files
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.tetris._replay import replay
from gpusolve.games.tetris.kernels import columns_of
from gpusolve.games.tetris.measuring.advice import AdvicePolicy, Adviser
from gpusolve.games.tetris.measuring.positions import Listed, positions_of, read_positions
from gpusolve.games.tetris.measuring.prospects import AHEAD, MOST_PLAYOUTS, Prospect
from gpusolve.games.tetris.measuring.ranking import Ranking, state_at
from gpusolve.games.tetris.players.player import PlayerLike
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.recording import Recording
from gpusolve.games.tetris.rules.board import PIECES, Board, State, cells_of, place, player_place
from gpusolve.games.tetris.variant import MOST_LINES, Variant, check_variant
from gpusolve.reprs import columns_of as table_of
from gpusolve.result import FLAT, HIDDEN, Result, Rows, reported, rows as with_top, written
from gpusolve.runs.seeds import check_seed

PLAYOUTS = 20
AT_ONCE = 20
"""Boards whose playouts are played side by side."""


@dataclass(frozen=True, repr=False)
class Judgement(Result):
    """One placement of a game, beside the best one.

    Attributes
    ----------
    number : int
        The number of the placement, from 1.
    piece : int
        The piece; in JSON its letter.
    following : int or None
        The next piece, with which the placements were rated; None if it is not known.
    state, best : tuple of int
        Orientation, row and column of the box around the piece's cells: where it was placed, and where it is best.
    rank, count : int
        One more than the number of better placements, and the number of all.
    value, best_value : float
        What the player expects to lose after the placement and after the best one; see `Suggestion`.
    loss : float or None
        The difference; None if a tetris or being stuck decides instead.
    cleared, lines, level : int
        The lines that it cleared, and the lines and the level after it.
    missed : bool
        Whether the best placement makes a tetris and this one does not.
    prospect : Prospect or None
        The chances of a tetris and of topping out after the placement, if there were playouts.
    """

    number: int
    piece: int = field(metadata=written("letter"))
    following: int | None = field(metadata=written("next_letter"))
    state: State = field(metadata=HIDDEN)
    best: State = field(metadata=HIDDEN)
    rank: int
    count: int
    value: float
    best_value: float
    loss: float | None
    cleared: int
    lines: int
    level: int
    missed: bool = False
    prospect: Prospect | None = field(default=None, metadata=HIDDEN)

    @property
    def letter(self) -> str:
        """The letter of the piece."""
        return PIECES[self.piece]

    @property
    def next_letter(self) -> str | None:
        """The letter of the next piece."""
        return None if self.following is None else PIECES[self.following]

    @reported
    def place(self) -> tuple[int, ...]:
        """Where it was placed, as players say it: column, turns, row."""
        return player_place(self.piece, self.state)

    @reported
    def best_place(self) -> tuple[int, ...]:
        """Where it is best: column, turns, row."""
        return player_place(self.piece, self.best)

    @reported
    def tetris_chance(self) -> float | None:
        """The chance of a tetris after the placement, if there were playouts."""
        return None if self.prospect is None else self.prospect.tetris_chance

    @reported
    def risk(self) -> float | None:
        """The chance of topping out after the placement, if there were playouts."""
        return None if self.prospect is None else self.prospect.risk


@dataclass(frozen=True, repr=False)
class Review(Rows[Judgement], schema="tetris.review/2"):
    """Every placement of a game, compared with the best one; these are also its items.

    Attributes
    ----------
    rows : tuple of Judgement
        The placements, in the order of the game.
    player : str
        The name of the player who rated the placements.
    in_points : bool
        Whether losses are in points. If not, their unit is the player's own.
    variant : Variant
        The rules.
    boards : numpy.ndarray
        The board before each placement, uint8 (n, 22, 10).
    playouts : int
        Number of playouts after each placement.
    seed : int
        The seed of the playouts.
    """

    rows: tuple[Judgement, ...] = field(repr=False)
    player: str
    in_points: bool
    variant: Variant = field(metadata=FLAT)
    boards: npt.NDArray[np.uint8] = field(repr=False, metadata=HIDDEN)
    playouts: int = 0
    seed: int = 0

    @reported
    def placements(self) -> int:
        """Number of placements."""
        return len(self.rows)

    @reported
    def loss(self) -> float:
        """The sum of all losses."""
        return float(sum(each.loss or 0 for each in self.rows))

    @reported
    def best(self) -> int:
        """The number of placements that were the best one, or as good."""
        return sum(each.loss == 0 for each in self.rows)

    @with_top
    def costliest(self) -> list[int]:
        """Return the numbers of the placements that lost most, the costliest first, without those that lost nothing."""
        lost = [each for each in self.rows if each.loss != 0]
        order = sorted(lost, key=lambda each: (each.loss is not None, -(each.loss or 0), each.number))
        return [each.number for each in order]

    @reported
    def pieces_ahead(self) -> int:
        """Number of pieces of a playout."""
        return AHEAD

    def columns(self) -> dict[str, list[Any]]:
        """Return the placements as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``number``, ``piece``, ``rank``, ``count``, ``value``, ``best_value``, ``loss``, ``lines``, ``level``
            (see `Judgement`).
        """
        names = ("number", "piece", "rank", "count", "value", "best_value", "loss", "lines", "level")
        return table_of(self.rows, *names)


def review(
    game: Path | str | Recording | Sequence[Any],
    *,
    player: PlayerLike | None = None,
    policy: AdvicePolicy = "two-piece",
    breadths: str | Sequence[int] | None = None,
    variant: Variant | None = None,
    lines: int = 0,
    playouts: int = PLAYOUTS,
    seed: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Review:
    """Compare each placement of a game with the best one.

    A recorded game has its own rules. A placement is rated together with the next piece, placed where it is best, as by
    `suggest`. If the next piece is not known, a learned value rates the expectation over it. With a delay, a placement
    is compared with what the player would do, who has to plan before the next piece is known; one that turns out better
    loses nothing.

    Parameters
    ----------
    game : path, Recording or sequence
        A game saved with ``play --out``, or a file with a list of positions: on each line a board as in `suggest`, the
        letter of its piece and, unless the next board shows it, the placement ``COLUMN,TURNS`` or ``COLUMN,TURNS,ROW``;
        or - for stdin. The last board shows where the last piece was placed, so its own piece is only seen as the next
        one. In Python also a recording, or positions, each ``(board, piece)`` or ``(board, piece, placement)``.
    player : str, Path, Player or sequence of float, optional
        Player: a shipped name, or a file of weights or of a learned value. In Python also 17 weights. By default the
        best player that comes with gpusolve for these rules.
    policy : {"two-piece", "branching"}
        How far to look ahead: ``branching`` also looks at all pieces that can follow the known ones (expectimax). It
        needs a learned value.
    breadths : str or sequence of int, optional
        With ``branching``, as in `play`: numbers of best placements to consider for the first, second and further
        pieces. By default 8,4.
    variant : Variant, optional
        The rules, for a list of positions.
    lines : int, default 0
        Lines cleared before the first position of a list.
    playouts : int, default 20
        Number of 20-piece playouts after each placement, by two-piece play of the same player, to estimate the chance
        of a tetris and of topping out; 0 for none.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default 0.
    progress : callable
        Called with the number of placements after which the playouts are done.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Review

    Raises
    ------
    BadInput
        For a file that cannot be read, a game that the rules do not allow, and boards that do not follow from each
        other.

    Examples
    --------
    ``gpusolve tetris review game.json --playouts 0``

    >>> well = "#########./" * 4
    >>> reviewed = review([(well, "I", (1, 0)), (well, "I", (10, 1))], playouts=0, backend=open_backend("cpu"))
    >>> [each.missed for each in reviewed]
    [True, False]
    """
    checks.check_type("game", game, (str, Path, Recording, list, tuple))
    if variant is not None:
        check_variant(variant)
    lines = checks.check_integer("lines", lines, 0, MOST_LINES - 1)
    playouts = checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    seed = 0 if seed is None else check_seed(seed)
    if isinstance(game, str | Path):
        game = _read(game)
    if isinstance(game, Recording):
        if variant not in (None, game.variant) or lines:
            raise BadInput("rules: expected none with a recorded game, which has its own")
        variant, moves, lines = game.variant, _moves_of(game), game.first_lines
    else:
        variant, lines = (variant or Variant()).game_at(lines=lines)
        moves = _moves_in(game if _is_read(game) else positions_of(game))
    adviser = Adviser.of(player, policy, breadths, variant, open_backend(backend))
    judged, boards = _judged(adviser, moves, lines)
    for begin in range(0, len(judged) if playouts else 0, AT_ONCE):
        part = judged[begin : begin + AT_ONCE]
        after = [place(boards[each.number - 1], each.piece, each.state)[0] for each in part]
        chances = adviser.prospects(
            columns_of(np.stack(after)),
            lines=[each.lines for each in part],
            pieces=[[each.piece] if each.following is None else [each.piece, each.following] for each in part],
            playouts=playouts,
            seed=seed,
        )
        judged[begin : begin + AT_ONCE] = [replace(each, prospect=one) for each, one in zip(part, chances, strict=True)]
        progress(begin + len(part))
    chosen = adviser.player
    return Review(tuple(judged), chosen.name, chosen.in_points, variant, np.stack(boards), playouts, seed)


class _Move(NamedTuple):
    """A placement of a game: a state, or as players say it, or by the board that it leads to."""

    name: str
    board: Board
    piece: int
    following: int | None
    state: State | None = None
    place: tuple[int, ...] | None = None
    then: Board | None = None


def _read(file: Path | str) -> Recording | list[Listed]:
    """Read a recorded game or a list of positions, from a file or from several lines of text."""
    if isinstance(file, str) and "\n" in file:
        return read_positions(file, "game")
    text = files.read_text(file, "game")
    return replay(Path(file)) if text.lstrip()[:1] == "{" else read_positions(text, f"game {file}")


def _moves_of(recording: Recording) -> list[_Move]:
    """Return the placements of a recorded game. The piece after the last one is known if the seed gives it."""
    placed = [turn.piece for turn in recording.turns]
    drawn = list(islice(recording.drawn, len(placed) + 1))
    following = [*placed[1:], drawn[-1] if drawn[:-1] == placed else None]
    return [
        _Move(f"turn {number}", before, turn.piece, then, state=turn.state)
        for number, (turn, (_, before), then) in enumerate(
            zip(recording.turns, recording.boards, following, strict=True), 1
        )
    ]


def _moves_in(positions: list[Listed]) -> list[_Move]:
    """Return the placements of a list of positions."""
    moves = []
    for at, position in enumerate(positions):
        then = positions[at + 1] if at + 1 < len(positions) else None
        if position.piece is None and then is not None:
            raise BadInput(f"{position.name}: no piece, expected one for every board but the last")
        if position.piece is None or (position.place is None and then is None):
            break
        moves.append(
            _Move(
                position.name,
                position.board,
                position.piece,
                None if then is None else then.piece,
                place=position.place,
                then=None if then is None else then.board,
            )
        )
    return moves


def _judged(adviser: Adviser, moves: list[_Move], lines: int) -> tuple[list[Judgement], list[Board]]:
    """Return each placement beside the best one, and the board before it."""
    if not moves:
        raise BadInput("game without placements: expected at least one")
    judged = []
    for number, move in enumerate(moves, 1):
        if lines >= adviser.variant.max_lines:
            raise BadInput(f"{move.name}: the game was over with {lines} lines")
        try:
            judged.append(_judgement(adviser, number, move, lines))
        except (BadInput, NoSolution) as error:
            raise BadInput(f"{move.name}: {error}") from None
        lines = judged[-1].lines
    return judged, [move.board for move in moves]


def _judgement(adviser: Adviser, number: int, move: _Move, lines: int) -> Judgement:
    """Return one placement beside the best one."""
    position = Position(move.board, move.piece, move.following, lines, adviser.variant)
    ranking = adviser.rank(position)
    made = _made(move, ranking)
    if move.then is not None and (columns_of(move.then[None]) != ranking.after[made]).any():
        position = replace(position, following=None)  # the next board belongs to another game
        ranking = adviser.rank(position)
    values, decisive, cleared = ranking.ratings.values, ranking.decisive, int(ranking.cleared[made])
    loss = ranking.loss(made)
    best = made if loss == 0 and adviser.variant.delay else ranking.order[0]  # it needed another plan
    better = (decisive < decisive[made]) | ((decisive == decisive[made]) & (values < values[made]))
    return Judgement(
        number,
        move.piece,
        position.following,
        ranking.states[made],
        ranking.states[best],
        1 + int(better.sum()),
        len(ranking.order),
        float(values[made]),
        float(values[best]),
        loss=loss,
        cleared=cleared,
        lines=lines + cleared,
        level=position.variant.level_at(lines + cleared),
        missed=bool(ranking.cleared[best] == 4 and cleared < 4),
    )


def _made(move: _Move, ranking: Ranking) -> int:
    """Return the index of the placement that was made. Raises BadInput if it cannot be reached."""
    if move.place is not None:
        return ranking.states.index(state_at("placement", move.place, move.piece, ranking.states))
    if move.state is not None:
        cells = cells_of(move.piece, move.state)
        for i, state in enumerate(ranking.states):
            if cells_of(move.piece, state) == cells:
                return i
        raise BadInput(f"{PIECES[move.piece]} cannot reach its placement by these rules")
    assert move.then is not None
    same = (ranking.after == columns_of(move.then[None])).all(axis=1)
    if not same.any():
        raise BadInput(f"no placement of {PIECES[move.piece]} leads to the next board")
    return int(same.argmax())


def _is_read(game: Sequence[Any]) -> TypeGuard[list[Listed]]:
    return isinstance(game, list) and all(isinstance(item, Listed) for item in game)
