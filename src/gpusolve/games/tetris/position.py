"""A position of a game: what a player who is asked for advice sees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy.typing as npt

from gpusolve import checks, files
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    EMPTY,
    FILLED,
    PIECES,
    ROWS,
    Board,
    board_text,
    parse_board,
    parse_piece,
)
from gpusolve.games.tetris.variant import MOST_LINES
from gpusolve.result import Drawn

_TEXT = re.compile(rf"(.*?)\s+([{PIECES}])(?:\s+([{PIECES}]))?(?:\s+([0-9]{{1,9}}))?\s*", re.DOTALL | re.IGNORECASE)
_BOARD = re.compile(rf"[{re.escape(EMPTY + FILLED)}\s,|/]+|[0-9a-fA-FxX]+([\s,]+[0-9a-fA-FxX]+){{9}}")
"""What is a board, and not the name of a file."""


@dataclass(frozen=True, eq=False, repr=False)
class Position(Drawn):
    """A position of a game: a board, the piece to place on it, the next piece, and the lines cleared so far.

    With a `Variant`, which has the start level and with it the level, it is everything that advice depends on.
    `Position.of` makes one from what people type, `Position.parse` from a single text.

    Parameters
    ----------
    board : array_like, uint8, (22, 10)
        The board, 1 where a cell is filled.
    piece : int
        The number of the piece to place, 0 to 6.
    following : int, optional
        The number of the piece that follows, if it is known.
    lines : int, default 0
        The lines cleared so far, 0 to 9,999.

    Raises
    ------
    BadInput
        For a value that is not in its range, and for a board with a full row.

    Examples
    --------
    >>> str(Position.of("#########./" * 2, "I", "T", lines=297))
    '#########./#########. I T 297'
    """

    board: Board
    piece: int
    following: int | None = None
    lines: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", board_of(self.board))
        for name, most in (("piece", len(PIECES) - 1), ("following", len(PIECES) - 1), ("lines", MOST_LINES - 1)):
            if getattr(self, name) is not None or name != "following":
                checks.check_integer(name, getattr(self, name), 0, most)
                object.__setattr__(self, name, int(getattr(self, name)))

    @classmethod
    def of(
        cls,
        board: npt.ArrayLike | str | Path,
        piece: int | str,
        following: int | str | None = None,
        *,
        lines: int = 0,
    ) -> Position:
        """Return a position from a board as `board_of` takes it, and from pieces by their numbers or letters."""
        then = None if following is None else piece_of("following", following)
        return cls(board_of(board), piece_of("piece", piece), then, lines)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Return a position from a board in any notation, a piece and, as far as known, the next one and the lines.

        >>> Position.parse("f f f f f f f f f 0 I t 12").lines
        12
        """
        checks.check_type("position", text, str)
        found = _TEXT.fullmatch(text)
        if found is None:
            raise BadInput(f"position {shown(text)}: expected a board, a piece, the next piece and the lines cleared")
        board, piece, following, lines = found.groups()
        return cls.of(board, piece, following, lines=int(lines or 0))

    @property
    def pieces(self) -> list[int]:
        """The pieces that are known: this one and perhaps the next one."""
        return [self.piece] if self.following is None else [self.piece, self.following]

    def to_json(self) -> str:
        """Return the position as text, which `parse` reads."""
        return str(self)

    def __str__(self) -> str:
        """Return the position as text, which `parse` reads."""
        rows = board_text(self.board).split("\n")
        first = next((number for number, row in enumerate(rows) if "#" in row), ROWS - 1)
        letters = [PIECES[piece] for piece in self.pieces]
        return " ".join(["/".join(rows[first:]), *letters, *([str(self.lines)] if self.lines else [])])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def board_of(board: npt.ArrayLike | str | Path) -> Board:
    """Return a board from text (`parse_board`), from a file with such text, or from an array.

    Raises BadInput for text that is neither a board nor the name of a file, for an array of another shape, and for a
    full row.
    """
    if isinstance(board, str) and not _BOARD.fullmatch(board):
        if files.exists(board):
            board = Path(board)
        elif FILLED[0] not in board and "\n" not in board:
            raise BadInput(f"board {shown(board)}: expected a file, or rows of . and # separated by /")
    if isinstance(board, Path):
        return parse_board(files.read_text(board, "board"))
    if isinstance(board, str):
        return parse_board(board)
    cells = kernels.in_range("board", board, 0, 1)
    if cells.shape != (ROWS, COLUMNS):
        raise BadInput(f"board of shape {cells.shape}: expected {ROWS} rows and {COLUMNS} columns")
    if cells.all(axis=1).any():
        raise BadInput(f"board, row {ROWS - int(cells.all(axis=1).argmax())}: full, the game would have removed it")
    return cells.astype("uint8")


def piece_of(name: str, piece: int | str) -> int:
    """Return the number of a piece from its number or its letter."""
    if isinstance(piece, str):
        return parse_piece(piece)
    checks.check_integer(name, piece, 0, len(PIECES) - 1)
    return int(piece)
