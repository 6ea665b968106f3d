"""Another player's results: piece lists with scores and lines, read from a CSV file and checked."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks, files
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris._replay import replay
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.recording import Recording
from gpusolve.games.tetris.rules.board import COLUMNS, PIECES, ROWS, player_place
from gpusolve.games.tetris.variant import Variant

FIELDS = ("pieces", "score", "lines")
GAME = "game"
MOST_GAMES = 1_000_000
MOST_PIECES = 100_000
"""Pieces of a list; a game to 10,000 lines takes at most 25,055."""
MOST_SCORE = 2**31 - 1


@dataclass(frozen=True)
class Results:
    """Another player's results: the piece list of each game, its score and its lines (int64).

    `checked` is the number of games whose placements were given; all of these can be reached. `variant` has the rules
    that they were read by, and `start` the position that the games started from, if that was not the empty board.
    """

    pieces: list[list[int]] = field(repr=False)
    scores: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]
    checked: int
    variant: Variant = field(default_factory=Variant)
    start: Position | None = None

    @property
    def digest(self) -> str:
        """The SHA-256 of lists, scores, lines and the start."""
        lists, start = b"\xff".join(map(bytes, self.pieces)), "" if self.start is None else str(self.start)
        return hashlib.sha256(lists + self.scores.tobytes() + self.lines.tobytes() + start.encode()).hexdigest()


def read_results(path: Path, *, variant: Variant | None = None, backend: Backend | None = None) -> Results:
    """Read another player's games: a CSV file with the columns ``pieces`` (letters), ``score`` and ``lines``.

    A column ``game`` can name a file of the game, as ``gpusolve tetris play --out`` writes it, next to the CSV file:
    then its placements are checked. Such a file can also be given instead of the CSV file; it has its own rules unless
    others are given, and it may have started from a position. Raises BadInput, with the line, for a file of another
    kind, for more lines than the variant allows, and for a game that differs from its line or has a placement that
    cannot be reached under the variant's clock.
    """
    text = files.read_text(path, "results")
    if text.lstrip().startswith("{"):
        game = replay(path)
        variant, drawn = game.variant if variant is None else variant, _list_of(game)
        _check(game, drawn, score=game.score, lines=game.lines, variant=variant)
        check_reachable(game, variant=variant, backend=backend)
        return Results([drawn], np.array([game.score]), np.array([game.lines]), 1, variant, game.start)
    variant = Variant() if variant is None else variant
    reader = csv.DictReader(io.StringIO(text))
    try:
        columns, rows = reader.fieldnames or [], list(reader)
    except csv.Error as error:
        raise BadInput(f"results {path}, line {reader.line_num}: {error}") from None
    if sorted(set(columns) - {GAME}) != sorted(FIELDS) or len(set(columns)) != len(columns):
        raise BadInput(f"results {path}: expected the columns {', '.join(FIELDS)}, and optionally {GAME}")
    if not 1 <= len(rows) <= MOST_GAMES:
        raise BadInput(f"results {path}: {len(rows):,} games, expected 1 to {MOST_GAMES:,}")
    lists, scores, lines, checked = [], [], [], 0
    for number, row in enumerate(rows, 2):
        try:
            lists.append(_pieces(row["pieces"]))
            scores.append(_integer(row, "score", MOST_SCORE))
            lines.append(_integer(row, "lines", variant.max_lines + 3))
            if None in row:
                raise BadInput(f"{len(columns) + len(row[None])} fields: expected {len(columns)}")
            if row.get(GAME):
                game = replay(path.parent / row[GAME])
                if game.start is not None:
                    raise BadInput("game from a position: expected one from the empty board")
                _check(game, lists[-1], score=scores[-1], lines=lines[-1], variant=variant)
                check_reachable(game, variant=variant, backend=backend)
                checked += 1
        except BadInput as error:
            raise BadInput(f"results {path}, line {number}: {error}") from None
    return Results(lists, np.array(scores, np.int64), np.array(lines, np.int64), checked, variant)


def check_reachable(game: Recording, *, variant: Variant = Variant(), backend: Backend | None = None) -> None:
    """Raise BadInput for the first placement of a game that cannot be reached under the clock of a variant."""
    if not game.turns:
        return
    levels = [game.variant.level_at(game.first_lines), *(turn.level for turn in game.turns[:-1])]
    found = [
        kernels.placements(
            open_backend(backend),
            kernels.columns_of(np.stack([before for _, before in game.boards])),
            [turn.piece for turn in game.turns],
            levels=np.array(levels),
            reach=variant.reach,
            doubled=variant.double_killscreen,
            delay=delay,
        )
        for delay in sorted({0, variant.delay})  # greedy play does not wait for the next piece
    ]
    for number, turn in enumerate(game.turns):
        reachable = [placement for each in found for placement in each.placements[number, : each.counts[number]]]
        if turn.state not in (kernels.state_of(turn.piece, int(placement)) for placement in reachable):
            column, turned, row = player_place(turn.piece, turn.state)
            raise BadInput(
                f"turn {number + 1}: {PIECES[turn.piece]} turned {turned} times cannot be reached in column "
                f"{column}, row {row} ({variant.reach}, level {levels[number]})"
            )


def _check(game: Recording, drawn: list[int], *, score: int, lines: int, variant: Variant) -> None:
    """Raise BadInput for a game that differs from its line."""
    if game.variant.start_level != variant.start_level:
        raise BadInput(f"game from level {game.variant.start_level}: expected {variant.start_level}")
    if [turn.piece for turn in game.turns] != drawn[: len(game.turns)]:
        raise BadInput("game: its pieces are not those of the list")
    if game.lines > variant.max_lines + 3:
        raise BadInput(f"game with {game.lines} lines: expected at most {variant.max_lines + 3}")
    if (game.score, game.lines) != (score, lines):
        raise BadInput(f"game: it has {game.score} points and {game.lines} lines, expected {score} and {lines}")


def _list_of(game: Recording) -> list[int]:
    """Return the pieces of a game, followed by the next ones of its seed if it was played with these."""
    placed = [turn.piece for turn in game.turns]
    more = (game.variant.max_lines * COLUMNS + ROWS * COLUMNS) // 4
    drawn = list(islice(game.drawn, len(placed) + more))
    return drawn if drawn[: len(placed)] == placed else placed


def _pieces(text: str | None) -> list[int]:
    letters = (text or "").strip().upper()
    if not 2 <= len(letters) <= MOST_PIECES or re.fullmatch(f"[{PIECES}]+", letters) is None:
        raise BadInput(f"pieces {letters[:20]}: expected 2 to {MOST_PIECES:,} letters of {PIECES}")
    return [PIECES.index(letter) for letter in letters]


def _integer(row: dict[str, Any], name: str, most: int) -> int:
    value = checks.digits((row[name] or "").strip(), most)
    if value is None:
        raise BadInput(f"{name} {shown(row[name])}: expected a whole number, 0 to {most:,}")
    return value
