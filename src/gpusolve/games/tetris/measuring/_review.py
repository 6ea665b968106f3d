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
from gpusolve.games.tetris.measuring.frames import Frames, is_recording, read_frames
from gpusolve.games.tetris.measuring.phases import Phase, phases_of
from gpusolve.games.tetris.measuring.positions import Listed, positions_of, read_positions
from gpusolve.games.tetris.measuring.prospects import AHEAD, MOST_PLAYOUTS, Prospect
from gpusolve.games.tetris.measuring.ranking import Ranking, state_at
from gpusolve.games.tetris.players.player import PlayerLike
from gpusolve.games.tetris.position import Position, short_text
from gpusolve.games.tetris.recording import Recording
from gpusolve.games.tetris.rules.board import (
    LINE_POINTS,
    MAX_LINES,
    PIECES,
    Board,
    State,
    cells_of,
    orientations,
    place,
    player_place,
)
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
        The number of the placement in the game, from 1.
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
    played_at : int
        The level before it.
    missed : bool
        Whether the best placement makes a tetris and this one does not.
    misdrop : bool
        Whether it looks like a slip: it lost as many points as a line of a tetris brings, or more, and the best
        placement is one column or one turn away.
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
    played_at: int = field(metadata=HIDDEN)
    missed: bool = False
    misdrop: bool = False
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
class Skipped(Result):
    """A placement that could not be judged.

    Attributes
    ----------
    number : int
        The number of the placement in the game, from 1.
    reason : str
        Why not: as a rule, a board was misread.
    """

    number: int
    reason: str


@dataclass(frozen=True, repr=False)
class Review(Rows[Judgement], schema="tetris.review/4"):
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
        The board before each placement, uint8 (n, 22, 10); in JSON its rows as text, without the empty ones at the top.
    playouts : int
        Number of playouts after each placement.
    seed : int
        The seed of the playouts.
    skipped : tuple of Skipped
        The placements that were left out because the next board does not follow from the board, or because they cannot
        be reached by the rules.
    frames, misread : int
        Of a recording by NestrisChamps: the number of its frames, and of those that do not fit in with the others.
    """

    rows: tuple[Judgement, ...] = field(repr=False)
    player: str
    in_points: bool
    variant: Variant = field(metadata=FLAT)
    boards: npt.NDArray[np.uint8] = field(repr=False, metadata=written("board_texts"))
    playouts: int = 0
    seed: int = 0
    skipped: tuple[Skipped, ...] = field(default=(), repr=False)
    frames: int = 0
    misread: int = 0

    @property
    def board_texts(self) -> list[str]:
        """The boards as text, with their rows separated by /."""
        return [short_text(board) for board in self.boards]

    @reported
    def phases(self) -> tuple[Phase, ...]:
        """The game up to level 18, up to 28, up to 38, and beyond."""
        return phases_of(self.rows)

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

    def index_of(self, number: int) -> int:
        """Return where a placement stands among the rows, by its number in the game.

        Parameters
        ----------
        number : int
            The number; it must not be that of a placement that was left out.

        Returns
        -------
        int
            Its index in `rows` and `boards`.
        """
        return next(index for index, each in enumerate(self.rows) if each.number == number)

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
    loses nothing. If a board does not follow from the one before, because it was misread, the placement is left out and
    counted.

    Parameters
    ----------
    game : path, Recording or sequence
        A game saved with ``play --out``, or a file with a list of positions: on each line a board as in `suggest`, the
        letter of its piece and, unless the next board shows it, the placement ``COLUMN,TURNS`` or ``COLUMN,TURNS,ROW``;
        or - for stdin. The last board shows where the last piece was placed, so its own piece is only seen as the next
        one. Or a recording by NestrisChamps (``.ngf``), which has its own start level and console pieces. In Python
        also a recording, or positions, each ``(board, piece)`` or ``(board, piece, placement)``.
    player : str, Path, Player or sequence of float, optional
        Player: a shipped name, or a file of weights or of a learned value. In Python also 17 weights. By default the
        best player that comes with gpusolve for these rules.
    policy : {"two-piece", "branching"}
        How far to look ahead: ``branching`` also looks at all pieces that can follow the known ones (expectimax). By
        weights, a tetris in that search counts with its chance.
    breadths : str or sequence of int, optional
        With ``branching``, as in `play`: numbers of best placements to consider for the first, second and further
        pieces. By default 3,5,5, learned 8,4.
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
        For a file that cannot be read, a game that the rules do not allow, and a list in which no board follows from
        the one before.

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
    read = _read(game) if isinstance(game, str | Path) else game
    frames = read if isinstance(read, Frames) else None
    if isinstance(read, Recording):
        if variant not in (None, read.variant) or lines:
            raise BadInput("rules: expected none with a recorded game, which has its own")
        variant, moves, lines = read.variant, _moves_of(read), read.first_lines
    else:
        variant = variant or Variant()
        if frames is not None:
            if lines:
                raise BadInput(f"lines {lines}: expected none with a recording, which has its own")
            variant, lines = replace(variant, source="nes").started_for(frames.level, frames.lines), frames.lines
        listed: Sequence[Any] = read.positions if isinstance(read, Frames) else read
        moves = _moves_in(listed if _is_read(listed) else positions_of(listed))
        variant, lines = variant.game_at(lines=lines)
        if variant.max_lines == MAX_LINES:
            variant, _ = variant.game_at(lines=_most_lines(moves, lines))
    adviser = Adviser.of(player, policy, breadths, variant, open_backend(backend))
    judged, boards, skipped = _judged(adviser, moves, lines)
    for begin in range(0, len(judged) if playouts else 0, AT_ONCE):
        part = judged[begin : begin + AT_ONCE]
        before = boards[begin : begin + AT_ONCE]
        after = [place(board, each.piece, each.state)[0] for board, each in zip(before, part, strict=True)]
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
    return Review(
        tuple(judged),
        chosen.name,
        chosen.in_points,
        variant,
        np.stack(boards),
        playouts,
        seed,
        tuple(skipped),
        frames=frames.count if frames else 0,
        misread=frames.misread if frames else 0,
    )


class _Move(NamedTuple):
    """A placement of a game: a state, or as players say it, or by the board that it leads to."""

    name: str
    board: Board
    piece: int
    following: int | None
    state: State | None = None
    place: tuple[int, ...] | None = None
    then: Board | None = None
    lines: int | None = None

    @property
    def lines_cleared(self) -> int:
        """The lines cleared on the way to the next board, by their cells; 0 if that cannot be."""
        lines, rest = (0, 0) if self.then is None else divmod(int(self.board.sum()) + 4 - int(self.then.sum()), 10)
        return lines if rest == 0 and 0 <= lines <= 4 else 0


def _read(file: Path | str) -> Recording | Frames | list[Listed]:
    """Read a recorded game, frames or a list of positions, from a file or from several lines of text."""
    if isinstance(file, str) and "\n" in file:
        return read_positions(file, "game")
    content = files.read(file, "game")
    if is_recording(content):
        return read_frames(content, f"game {file}")
    text = files.text_of(content, file, "game")
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
                lines=position.lines,
            )
        )
    return moves


def _most_lines(moves: list[_Move], lines: int) -> int:
    """Return the greatest number of lines cleared before a placement, as far as the boards tell."""
    most = lines
    for move in moves:
        lines = lines if move.lines is None else move.lines
        most, lines = max(most, lines), lines + move.lines_cleared
    return most


def _judged(adviser: Adviser, moves: list[_Move], lines: int) -> tuple[list[Judgement], list[Board], list[Skipped]]:
    """Return each placement beside the best one, the board before it, and the placements that cannot be judged.

    Raises BadInput if there are no others, and for one that the game itself names.
    """
    if not moves:
        raise BadInput("game without placements: expected at least one")
    judged, boards, skipped = [], [], []
    for number, move in enumerate(moves, 1):
        lines = lines if move.lines is None else move.lines
        if lines >= adviser.variant.max_lines:
            raise BadInput(f"{move.name}: the game was over with {lines} lines")
        try:
            judged.append(_judgement(adviser, number, move, lines))
            boards.append(move.board)
            lines = judged[-1].lines
        except (BadInput, NoSolution) as error:
            if move.place is not None or move.state is not None:
                raise BadInput(f"{move.name}: {error}") from None
            skipped.append(Skipped(number, f"{move.name}: {error}"))
            lines += move.lines_cleared
    if not judged:
        raise BadInput(skipped[0].reason)
    return judged, boards, skipped


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
    state, ideal = ranking.states[made], ranking.states[best]
    return Judgement(
        number,
        move.piece,
        position.following,
        state,
        ideal,
        1 + int(better.sum()),
        len(ranking.order),
        float(values[made]),
        float(values[best]),
        loss=loss,
        cleared=cleared,
        lines=lines + cleared,
        level=position.variant.level_at(lines + cleared),
        played_at=position.level,
        missed=bool(ranking.cleared[best] == 4 and cleared < 4),
        misdrop=adviser.player.in_points
        and (loss or 0) >= LINE_POINTS[4] / 4 * (position.level + 1)
        and _is_near(state, ideal, len(orientations(move.piece))),
    )


def _is_near(state: State, other: State, turns: int) -> bool:
    """Return whether one press more or less leads from one placement to the other, as it falls."""
    columns, turned = abs(state[2] - other[2]), (state[0] - other[0]) % turns
    return columns == 1 if turned == 0 else columns <= 1 and turned in (1, turns - 1)


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
