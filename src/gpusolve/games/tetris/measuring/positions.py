"""Lists of boards and pieces: the positions of a game as people write them down, for `review`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gpusolve.errors import BadInput
from gpusolve.games.tetris.measuring.ranking import place_of
from gpusolve.games.tetris.position import board_of, piece_of
from gpusolve.games.tetris.rules.board import PIECES, Board, parse_board, parse_piece

MOST_POSITIONS = 100_000
MOST_TEXT = 10_000
"""Characters of a position's board: more is no board."""
_PIECE = re.compile(rf"(?:^|.*\s)([{PIECES}{PIECES.lower()}])(?:\s+([0-9,]+))?\s*")


@dataclass(frozen=True)
class Listed:
    """A board of a list and the piece to place on it.

    `place` is the placement as players say it, if the list names it: column, turns, and perhaps row. `lines` are those
    cleared before, if they are known. `name` says where the position comes from, for messages.
    """

    name: str
    board: Board
    piece: int | None
    place: tuple[int, ...] | None = None
    lines: int | None = None


def read_positions(text: str, source: str) -> list[Listed]:
    """Read positions from text.

    Each is a board in any notation that `parse_board` reads, on one line or over several, followed by the letter of the
    piece and, if it does not follow from the next board, the placement: ``COLUMN,TURNS`` or ``COLUMN,TURNS,ROW``. The
    last board needs no piece.

    >>> [(each.piece, each.place) for each in read_positions("f f f f f f f f f 0 I 10,1", "x")]
    [(0, (10, 1))]
    """
    positions: list[Listed] = []
    for number, board, piece, place in _parts(text):
        name = f"{source}, line {number}"
        try:
            placed = None if place is None else place_of("placement", place)
            position = Listed(name, parse_board(board), None if piece is None else parse_piece(piece), placed)
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
        positions.append(position)
        if len(positions) > MOST_POSITIONS:
            raise BadInput(f"{name}: expected at most {MOST_POSITIONS:,} positions")
    return positions


def positions_of(listed: Sequence[Any]) -> list[Listed]:
    """Return positions from ``(board, piece)`` or ``(board, piece, placement)`` each; the last may be a board alone."""
    if len(listed) > MOST_POSITIONS:
        raise BadInput(f"{len(listed):,} positions: expected at most {MOST_POSITIONS:,}")
    positions = []
    for number, item in enumerate(listed, 1):
        name = f"position {number}"
        try:
            if isinstance(item, tuple) and len(item) in (2, 3):
                board, piece, *place = item
                placed = place_of("placement", place[0]) if place and place[0] is not None else None
                positions.append(Listed(name, board_of(board), piece_of("piece", piece), placed))
            elif number == len(listed) and not isinstance(item, tuple):
                positions.append(Listed(name, board_of(item), None))
            else:
                raise BadInput("expected a board and a piece, or a board, a piece and a placement")
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
    return positions


def _parts(text: str) -> Iterator[tuple[int, str, str | None, str | None]]:
    """Yield for each position the number of its first line, its board, its piece, and its placement."""
    lines: list[str] = []
    begin = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        found = _PIECE.fullmatch(line)
        board = line if found is None else line[: found.start(1)]
        if board.strip():
            begin = begin if lines else number
            lines.append(board)
        if sum(map(len, lines)) > MOST_TEXT:
            raise BadInput(f"line {begin}: {MOST_TEXT:,} characters without a piece, expected a board and a piece")
        if found is not None:
            yield begin or number, "\n".join(lines), found[1], found[2]
            lines, begin = [], 0
    if lines:
        yield begin, "\n".join(lines), None, None
