"""A position of a game: what a player who is asked for advice sees."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from gpusolve import checks, files
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.addresses import is_address, read_address
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
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.result import Drawn

_TEXT = re.compile(rf"(.*?)\s+([{PIECES}])(?:\s+([{PIECES}]))?(?:\s+([0-9]{{1,9}}))?\s*", re.DOTALL | re.IGNORECASE)
_BOARD = re.compile(rf"[{re.escape(EMPTY + FILLED)}\s,|/]+|[0-9a-fA-FxX]+([\s,]+[0-9a-fA-FxX]+){{9}}")
"""What is a board, and not the name of a file."""
_NO_NAME = set(FILLED[0] + "\n[" + EMPTY[4:] + FILLED[12:])
"""Characters that names of files seldom have: a text with one of them is a board, with its mistake."""


def short_text(board: Board) -> str:
    """Return the rows of a board from the first one with a filled cell on, separated by /."""
    rows = board_text(board).split("\n")
    first = next((number for number, row in enumerate(rows) if "#" in row), ROWS - 1)
    return "/".join(rows[first:])


@dataclass(frozen=True, eq=False, repr=False)
class Position(Drawn):
    """A position of a game: everything that advice depends on, except for the player who gives it.

    Suggestions, reviews, games and training take one of these. `Position.of` makes one from what people type, and
    `Position.parse` from a single text.

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
    variant : Variant
        The rules of the game: start level, last line, double kill screen, taps, reaction time, source of the pieces. A
        position beyond the usual 230 lines belongs to a game that goes on (`Variant.game_at`).

    Raises
    ------
    BadInput
        For a value that is not in its range, for a board with a full row, and for lines at which the game is over.

    Examples
    --------
    >>> str(Position.of("#########./" * 2, "I", "T", lines=297))
    '#########./#########. I T 297'
    """

    board: Board
    piece: int
    following: int | None = None
    lines: int = 0
    variant: Variant = field(default_factory=Variant)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", board_of(self.board))
        for name in ("piece", "following"):
            if getattr(self, name) is not None or name != "following":
                checks.check_integer(name, getattr(self, name), 0, len(PIECES) - 1)
                object.__setattr__(self, name, int(getattr(self, name)))
        check_variant(self.variant)
        variant, lines = self.variant.game_at(lines=self.lines)
        object.__setattr__(self, "variant", variant)
        object.__setattr__(self, "lines", lines)

    @classmethod
    def of(
        cls,
        board: npt.ArrayLike | str | Path | Position,
        piece: int | str | None = None,
        following: int | str | None = None,
        *,
        level: int | None = None,
        lines: int | None = None,
        variant: Variant | None = None,
    ) -> Position:
        """Return a position from a board as `board_of` takes it, and from pieces by their numbers or letters.

        Without a piece, `board` is a text that `parse` reads, an address with a position, whose rules take precedence,
        or a position, which has all the rest. A level stands for its first line (`Variant.game_at`).
        """
        if isinstance(board, Position):
            if any(each is not None for each in (piece, following, level, lines)) or variant not in (
                None,
                board.variant,
            ):
                raise BadInput("position: expected without piece, next piece, level, lines and rules, which it has")
            return board
        variant = Variant() if variant is None else variant
        check_variant(variant)
        if piece is None:
            if following is not None or not isinstance(board, str):
                raise BadInput("piece: expected after the board, one of " + " ".join(PIECES))
            if is_address(board):
                if level is not None or lines is not None:
                    raise BadInput("address: expected without level and lines, which it has")
                return cls.of(**read_address(board, variant))
            if not _TEXT.fullmatch(board) and files.exists(board):
                board = files.read_text(board, "position")
            words = _words(board)
            if words[3] is not None and (lines is not None or level is not None):
                raise BadInput(f"position {shown(board)}: expected without lines, which are given as an option, too")
            board, piece, following = words[:3]
            lines = int(words[3]) if words[3] is not None else lines
        variant, lines = variant.game_at(level=level, lines=lines)
        then = None if following is None else piece_of("following", following)
        return cls(board_of(board), piece_of("piece", piece), then, lines, variant)

    @classmethod
    def parse(cls, text: str, variant: Variant = Variant()) -> Position:
        """Return a position from a board in any notation, a piece and, as far as known, the next one and the lines.

        >>> Position.parse("f f f f f f f f f 0 I t 12").lines
        12
        """
        checks.check_type("position", text, str)
        return cls.of(text, variant=variant)

    @property
    def level(self) -> int:
        """The level."""
        return self.variant.level_at(self.lines)

    @property
    def pieces(self) -> list[int]:
        """The pieces that are known: this one and perhaps the next one."""
        return [self.piece] if self.following is None else [self.piece, self.following]

    def to_json(self) -> str:
        """Return the position as text, which `parse` reads."""
        return str(self)

    def __str__(self) -> str:
        """Return the position without its rules as text, which `parse` reads."""
        letters = [PIECES[piece] for piece in self.pieces]
        return " ".join([short_text(self.board), *letters, *([str(self.lines)] if self.lines else [])])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (str(self), self.variant) == (str(other), other.variant)

    def __hash__(self) -> int:
        return hash((str(self), self.variant))


def _words(text: str) -> tuple[str | Any, ...]:
    """Return the board, the piece, the next piece and the lines of a position in a text, None for what is not there."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise BadInput(f"position {shown(text)}: expected a board, a piece, the next piece and the lines cleared")
    return found.groups()


def board_of(board: npt.ArrayLike | str | Path) -> Board:
    """Return a board from text (`parse_board`), from a file with such text, or from an array.

    Raises BadInput for text that is neither a board nor the name of a file, for an array of another shape, and for a
    full row.
    """
    if isinstance(board, str) and not _BOARD.fullmatch(board):
        if files.exists(board):
            board = Path(board)
        elif not set(board) & _NO_NAME:
            try:
                return parse_board(board)
            except BadInput:
                raise BadInput(f"board {shown(board)}: expected a file, or rows of . and # separated by /") from None
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
