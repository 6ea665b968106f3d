"""NES Tetris in plain Python: pieces, placing, points, boards as text. With its neighbours the tests' oracle.

Those are ``reachability``, ``features``, ``sources`` of pieces and ``policies``. A board is an array of 22 rows and 10
columns, row 0 on top, 1 where a cell is filled. A state of a falling piece is ``(orientation, row, column)`` of the
upper left corner of the box around its cells; a state that cannot move down is a placement. Orientation 0 is the one
that spawns; of four, each next one is a quarter turn clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput

ROWS, COLUMNS = 22, 10
PIECES = "ILJTZSO"
"""The pieces in the order of their numbers."""
SPAWN = {
    "I": [(2, 3), (2, 4), (2, 5), (2, 6)],
    "L": [(2, 4), (2, 5), (2, 6), (3, 4)],
    "J": [(2, 4), (2, 5), (2, 6), (3, 6)],
    "T": [(2, 4), (2, 5), (2, 6), (3, 5)],
    "Z": [(2, 4), (2, 5), (3, 5), (3, 6)],
    "S": [(2, 5), (2, 6), (3, 4), (3, 5)],
    "O": [(2, 4), (2, 5), (3, 4), (3, 5)],
}
"""The cells (row, column) on which a piece spawns. All turn about (2, 5)."""
LINE_POINTS = (0, 40, 100, 300, 1200)
GRAVITY = (48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3) + (2,) * 10 + (1,)
"""Frames per row at levels 0..29 (and above), NTSC."""
DOUBLED = 39
"""Where gravity is doubled once more by those who play on, two rows a frame, in the version of the game for that."""
MAX_LINES = 230
MAXOUT = 999_999

Board = npt.NDArray[np.uint8]
State = tuple[int, int, int]
Cells = tuple[tuple[int, int], ...]


# --- pieces -----------------------------------------------------------------------------------------------------------


@cache
def orientations(piece: int) -> tuple[tuple[Cells, int, int], ...]:
    """The orientations of a piece: its cells in their box, and (row, column) of that box's corner from (2, 5).

    >>> [len(orientations(piece)) for piece in range(7)]
    [2, 4, 4, 4, 2, 2, 1]
    """
    name = PIECES[piece]
    turned = [(row - 2, column - 5) for row, column in SPAWN[name]]
    if name == "O":
        cycle = [turned]
    elif name == "I":  # upright in the third column of its 4x4 box
        cycle = [turned, [(column, -row) for row, column in turned]]
    elif name in "SZ":  # right-handed: the second orientation is a quarter turn counter-clockwise
        cycle = [turned, [(-column, row) for row, column in turned]]
    else:
        cycle = [turned]
        for _ in range(3):
            cycle.append([(column, -row) for row, column in cycle[-1]])
    found = []
    for cells in cycle:
        top, left = min(row for row, _ in cells), min(column for _, column in cells)
        found.append((tuple(sorted((row - top, column - left) for row, column in cells)), top, left))
    return tuple(found)


def cells_of(piece: int, state: State) -> Cells:
    """The cells (row, column) of a piece in a state, from top to bottom, left to right."""
    orientation, row, column = state
    return tuple((row + r, column + c) for r, c in orientations(piece)[orientation][0])


def spawn_state(piece: int) -> State:
    """The state in which a piece appears."""
    _, top, left = orientations(piece)[0]
    return 0, 2 + top, 5 + left


def fits(board: Board, piece: int, state: State) -> bool:
    """Whether every cell of the piece is on the board and empty."""
    return all(
        0 <= row < ROWS and 0 <= column < COLUMNS and not board[row, column] for row, column in cells_of(piece, state)
    )


def can_spawn(board: Board, piece: int) -> bool:
    """Whether the cells on which the piece spawns are empty."""
    return fits(board, piece, spawn_state(piece))


def moved(state: State, rows: int, columns: int) -> State:
    """The state shifted."""
    return state[0], state[1] + rows, state[2] + columns


def rotated(piece: int, state: State, turns: int) -> State:
    """The state turned clockwise (1) or counter-clockwise (-1) about the piece's centre."""
    shapes = orientations(piece)
    orientation = (state[0] + turns) % len(shapes)
    _, top, left = shapes[state[0]]
    _, new_top, new_left = shapes[orientation]
    return orientation, state[1] - top + new_top, state[2] - left + new_left


# --- boards and points ------------------------------------------------------------------------------------------------


def place(board: Board, piece: int, state: State) -> tuple[Board, int, int]:
    """The board after the piece locks and full rows are gone, how many went, and the lowest row that was reached."""
    after = board.copy()
    for row, column in cells_of(piece, state):
        after[row, column] = 1
    left = after[~after.all(axis=1)]
    cleared = ROWS - len(left)
    empty = np.zeros((cleared, COLUMNS), np.uint8)
    return np.concatenate([empty, left]), cleared, max(row for row, _ in cells_of(piece, state))


def level_at(lines: int, start: int = 19) -> int:
    """The level after so many lines.

    >>> [level_at(lines) for lines in (0, 129, 139, 140, 230)], level_at(129, 18)
    ([19, 19, 19, 20, 29], 18)
    """
    return max(start, 18) if lines < 130 else max(start, 19 + (lines - 130) // 10)


def gravity(level: int, doubled: bool = False) -> tuple[int, int]:
    """Frames from drop to drop, and rows of a drop; `doubled`: two rows from level DOUBLED on.

    >>> gravity(19), gravity(45), gravity(45, doubled=True)
    ((2, 1), (1, 1), (1, 2))
    """
    return GRAVITY[min(level, len(GRAVITY) - 1)], 2 if doubled and level >= DOUBLED else 1


def points(cleared: int, lines: int, start: int = 19) -> int:
    """What clearing `cleared` rows gives; `lines` counts them already."""
    return LINE_POINTS[cleared] * (level_at(lines, start) + 1)


@dataclass(frozen=True)
class Turn:
    """One piece of a game: where it went, and what stood on the score board after it."""

    piece: int
    state: State
    cleared: int
    lines: int
    score: int
    level: int


# --- text -------------------------------------------------------------------------------------------------------------


def parse_piece(text: str) -> int:
    """The number of a piece. Raises BadInput for what is none of I L J T Z S O."""
    name = text.strip().upper() if text.isascii() else ""  # there are other signs whose upper case is I or S
    if len(name) != 1 or name not in PIECES:
        raise BadInput(f"piece '{text}': expected one of {' '.join(PIECES)}")
    return PIECES.index(name)


def player_place(piece: int, state: State) -> tuple[int, int, int]:
    """Where a piece is as players say it: column of its left edge, quarter turns clockwise, row of its lower edge.

    Columns count from 1 on the left, rows from 1 at the bottom.

    >>> player_place(PIECES.index("T"), (0, 20, 0))
    (1, 0, 1)
    """
    return state[2] + 1, state[0], ROWS - max(row for row, _ in cells_of(piece, state))


def parse_board(text: str) -> Board:
    """A board from lines of 10 cells; ``.``, ``0``, ``_`` and ``-`` are empty, ``#``, ``1``, ``x`` and ``X`` filled.

    Fewer than 22 lines are the lowest rows. A ``/`` ends a row as a new line does. Raises BadInput for another width or
    height, another sign, a full row, and for cells that stand where the game would be over.

    >>> int(parse_board("#########.").sum())
    9
    """
    lines = [line.strip().strip("|") for line in text.replace("/", "\n").splitlines()]
    lines = [line for line in lines if line]
    if not 1 <= len(lines) <= ROWS:
        raise BadInput(f"board of {len(lines)} rows: expected 1 to {ROWS}")
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    for number, line in enumerate(lines, 1):
        if len(line) != COLUMNS:
            raise BadInput(f"board, line {number}: {len(line)} cells, expected {COLUMNS}")
        for column, sign in enumerate(line):
            if sign not in ".0_-#1xX":
                raise BadInput(f"board, line {number}: '{sign}', expected . for empty or # for filled")
            board[ROWS - len(lines) + number - 1, column] = sign in "#1xX"
        if board[ROWS - len(lines) + number - 1].all():
            raise BadInput(f"board, line {number}: a full row, which the game would have removed")
    return board


def board_text(board: Board, piece: int | None = None, state: State | None = None) -> str:
    """The board as 22 lines; the cells of a piece in a state are drawn with its letter."""
    marks = [[".#"[int(cell)] for cell in row] for row in board]
    if piece is not None and state is not None:
        for row, column in cells_of(piece, state):
            marks[row][column] = PIECES[piece]
    return "\n".join("".join(row) for row in marks)
