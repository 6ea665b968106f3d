"""The board of NES Tetris: pieces, placing a piece, levels and points, boards as text.

A board is an array of 22 rows and 10 columns, row 0 on top, with 1 in each filled cell. A state of a falling piece is
``(orientation, row, column)``, where row and column are those of the upper left corner of the box around its cells. A
state that cannot move down is a placement. A piece spawns in orientation 0; with four orientations, each is a quarter
turn clockwise from the one before.
"""

from __future__ import annotations

import json
import re
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
"""The cells (row, column) on which a piece spawns. Every piece turns about (2, 5)."""
LINE_POINTS = (0, 40, 100, 300, 1200)
GRAVITY = (48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3) + (2,) * 10 + (1,)
"""Frames per row at levels 0 to 29 on an NTSC console; level 29 also stands for all levels above."""
KILL_SCREEN = 29
"""The level from which pieces fall a row per frame."""
DOUBLED = 39
"""The level from which pieces fall two rows per frame in the modified game for players who pass level 29."""
MAX_LINES = 230
MAXOUT = 999_999
"""The highest score that the console shows."""
EMPTY, FILLED = (
    ".0_-\u25a1\u2591\u2b1b",
    "#123456789xX\u25a0\u2588\U0001f7e5\U0001f7e7\U0001f7e8\U0001f7e9\U0001f7e6\U0001f7ea\U0001f7eb",
)
"""The characters of empty and filled cells in text: signs, digits, which may stand for colours, and squares, as in
messages. The letters of the pieces fill cells, too."""
WHITE, BLACK = "\u2b1c", "\u2b1b"
"""White squares fill cells beside black ones, which are empty; where there are no black ones they are empty."""

Board = npt.NDArray[np.uint8]
State = tuple[int, int, int]
Cells = tuple[tuple[int, int], ...]


# --- pieces -----------------------------------------------------------------------------------------------------------


@cache
def orientations(piece: int) -> tuple[tuple[Cells, int, int], ...]:
    """Return for each orientation of a piece its cells in their box, and the box's corner relative to (2, 5).

    >>> [len(orientations(piece)) for piece in range(7)]
    [2, 4, 4, 4, 2, 2, 1]
    """
    name = PIECES[piece]
    turned = [(row - 2, column - 5) for row, column in SPAWN[name]]
    if name == "O":
        cycle = [turned]
    elif name == "I":  # it stands upright in the third column of its 4x4 box
        cycle = [turned, [(column, -row) for row, column in turned]]
    elif name in "SZ":  # right-handed: the second orientation is a quarter turn counter-clockwise
        cycle = [turned, [(-column, row) for row, column in turned]]
    else:
        cycle = [turned]
        for _ in range(3):
            cycle.append([(column, -row) for row, column in cycle[-1]])
    shapes = []
    for cells in cycle:
        top, left = min(row for row, _ in cells), min(column for _, column in cells)
        shapes.append((tuple(sorted((row - top, column - left) for row, column in cells)), top, left))
    return tuple(shapes)


def cells_of(piece: int, state: State) -> Cells:
    """Return the cells (row, column) of a piece in a state, from top to bottom, left to right."""
    orientation, row, column = state
    return tuple((row + r, column + c) for r, c in orientations(piece)[orientation][0])


def spawn_state(piece: int) -> State:
    """Return the state in which a piece spawns."""
    _, top, left = orientations(piece)[0]
    return 0, 2 + top, 5 + left


def fits(board: Board, piece: int, state: State) -> bool:
    """Return whether every cell of the piece is on the board and empty."""
    orientation, row, column = state
    return all(
        0 <= row + r < ROWS and 0 <= column + c < COLUMNS and not board[row + r, column + c]
        for r, c in orientations(piece)[orientation][0]
    )


def can_spawn(board: Board, piece: int) -> bool:
    """Return whether the cells on which the piece spawns are empty."""
    return fits(board, piece, spawn_state(piece))


def moved(state: State, rows: int, columns: int) -> State:
    """Return the state moved down and to the right by some rows and columns."""
    return state[0], state[1] + rows, state[2] + columns


def rotated(piece: int, state: State, turns: int) -> State:
    """Return the state after a quarter turn clockwise (1) or counter-clockwise (-1) about the centre of the piece."""
    shapes = orientations(piece)
    orientation = (state[0] + turns) % len(shapes)
    _, top, left = shapes[state[0]]
    _, new_top, new_left = shapes[orientation]
    return orientation, state[1] - top + new_top, state[2] - left + new_left


@cache  # there are a few thousand states
def pressed(piece: int, state: State, press: str) -> State:
    """Return the state after one press, whether it fits or not."""
    match press:
        case "left":
            return moved(state, 0, -1)
        case "right":
            return moved(state, 0, 1)
        case "down":
            return moved(state, 1, 0)
    return rotated(piece, state, 1 if press == "clockwise" else -1)


# --- boards and points ------------------------------------------------------------------------------------------------


def place(board: Board, piece: int, state: State) -> tuple[Board, int, int]:
    """Lock a piece; return the board without full rows, the number of rows cleared, and the lowest row of the piece."""
    after = board.copy()
    for row, column in cells_of(piece, state):
        after[row, column] = 1
    left = after[~after.all(axis=1)]
    cleared = ROWS - len(left)
    empty = np.zeros((cleared, COLUMNS), np.uint8)
    return np.concatenate([empty, left]), cleared, max(row for row, _ in cells_of(piece, state))


def level_at(lines: int, start: int = 19) -> int:
    """Return the level after a number of lines, in a game that starts at level `start`.

    The first change of level comes after 10 (start + 1) lines, but after 10 start - 50 lines or 100 if that is sooner
    (https://harddrop.com/wiki/NES_Tetris); then the level rises every ten lines.

    >>> [level_at(lines) for lines in (0, 129, 139, 140, 230)], level_at(129, 18), level_at(130, 18)
    ([19, 19, 19, 20, 29], 18, 19)
    >>> [next(lines for lines in range(500) if level_at(lines, start) > start) for start in (0, 5, 9, 15, 16, 29)]
    [10, 60, 100, 100, 110, 240]
    """
    first = _first_change(start)
    return start if lines < first else start + 1 + (lines - first) // 10


def line_of(level: int, start: int = 19) -> int:
    """Return the number of lines after which a level begins, in a game that starts at level `start`.

    >>> [line_of(level, 18) for level in (0, 18, 19, 29, 39)]
    [0, 0, 130, 230, 330]
    """
    return 0 if level <= start else _first_change(start) + 10 * (level - start - 1)


def _first_change(start: int) -> int:
    return min(10 * start + 10, max(100, 10 * start - 50))


def gravity(level: int, doubled: bool = False) -> tuple[int, int]:
    """Return the frames between two drops and the rows of a drop: two from level DOUBLED on if `doubled`, else one.

    >>> gravity(19), gravity(45), gravity(45, doubled=True)
    ((2, 1), (1, 1), (1, 2))
    """
    return GRAVITY[min(level, len(GRAVITY) - 1)], 2 if doubled and level >= DOUBLED else 1


def points(cleared: int, lines: int, start: int = 19) -> int:
    """Return the points for clearing `cleared` rows at once; `lines` is the total that includes them."""
    return LINE_POINTS[cleared] * (level_at(lines, start) + 1)


@dataclass(frozen=True)
class Turn:
    """One piece of a game: its placement, the rows that it cleared, and the lines, score and level after it."""

    piece: int
    state: State
    cleared: int
    lines: int
    score: int
    level: int


# --- text -------------------------------------------------------------------------------------------------------------


def parse_piece(text: str) -> int:
    """Return the number of a piece from its letter. Raises BadInput for anything but I L J T Z S O, in either case."""
    name = text.strip().upper() if text.isascii() else ""  # other characters, too, become I or S in upper case
    if len(name) != 1 or name not in PIECES:
        raise BadInput(f"piece '{text}': expected one of {' '.join(PIECES)}")
    return PIECES.index(name)


def player_place(piece: int, state: State) -> tuple[int, int, int]:
    """Describe a placement as players do: column of the left edge, clockwise quarter turns, row of the lower edge.

    Columns count from 1 at the left, rows from 1 at the bottom.

    >>> player_place(PIECES.index("T"), (0, 20, 0))
    (1, 0, 1)
    """
    return state[2] + 1, state[0], ROWS - max(row for row, _ in cells_of(piece, state))


def parse_board(text: str) -> Board:
    """Read a board from text, in any notation in use.

    Parameters
    ----------
    text : str
        One of:

        - rows of 10 cells from top to bottom, each on a line of its own or separated by ``/``: ``. 0 _ -`` are empty,
          ``# x X``, other digits and the letters of pieces are filled. So are coloured squares, as in messages, where
          black ones are empty. Spaces or commas between the cells and ``|`` at the sides are ignored. Fewer than 22
          rows are the lowest ones; a single row is enough.
        - an array in JSON: rows of 10 numbers, 0 where a cell is empty, or texts, or all cells in one array.
        - the same cells in one string without separators, such as the 200 digits of StackRabbit's ``board``.
        - ten columns from left to right, as hexadecimal numbers of up to 22 bits separated by spaces or commas, with or
          without ``0x``. Bit 0 is the lowest row: ``f`` is a column of four cells.

    Returns
    -------
    ndarray of uint8, shape (22, 10)
        1 in each filled cell.

    Raises
    ------
    BadInput
        For a row that does not have 10 cells, for more than 22 rows or none, for any other character, and for a full
        row, which the game would have removed.

    Examples
    --------
    >>> int(parse_board("#########.").sum()), int(parse_board("000000000011111" + "11110").sum())
    (9, 9)
    >>> int(parse_board("IIIIOO.ZZ.").sum()), int(parse_board("[[0,0,7,7,0,0,0,0,0,1]]").sum())
    (8, 3)
    >>> print(board_text(parse_board("f f f f f f f f 7 0"))[-43:])
    ########..
    #########.
    #########.
    #########.
    """
    text = _of_json(text) if text.lstrip()[:1] == "[" else text.replace("\ufe0f", "")
    filled = FILLED + PIECES + PIECES.lower() + (WHITE if BLACK in text else "")
    words = text.replace(",", " ").split()
    if len(words) == COLUMNS and all(re.fullmatch("(0[xX])?[0-9a-fA-F]{1,8}", word) for word in words):
        return _board_of_columns([int(word, 16) for word in words])
    lines = ["".join(re.split(r"[\s,|]+", line)) for line in re.split(r"[/\n]", text)]
    lines = [line for line in lines if line]
    if len(lines) == 1 and len(lines[0]) % COLUMNS == 0:
        lines = re.findall("." * COLUMNS, lines[0])
    if not 1 <= len(lines) <= ROWS:
        raise BadInput(f"board of {len(lines)} rows: expected 1 to {ROWS}")
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    for number, line in enumerate(lines, 1):
        if len(line) != COLUMNS:
            raise BadInput(f"board, line {number}: {len(line)} cells, expected {COLUMNS}")
        for column, character in enumerate(line):
            if character not in EMPTY + WHITE + filled:
                raise BadInput(f"board, line {number}: '{character}', expected . for empty or # for filled")
            board[ROWS - len(lines) + number - 1, column] = character in filled
        if board[ROWS - len(lines) + number - 1].all():
            raise BadInput(f"board, line {number}: a full row, which the game would have removed")
    return board


def _of_json(text: str) -> str:
    """Return the rows of a board that is an array in JSON, as lines of text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("board: expected an array in JSON that is whole, or rows of . and #") from None
    rows = value if any(isinstance(row, list | str) for row in value) else [value]
    lines = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list | str) or any(_is_no_cell(cell) for cell in row):
            raise BadInput(f"board, row {number}: expected 10 numbers, 0 where a cell is empty")
        lines.append(row if isinstance(row, str) else "".join(_cell_of(cell) for cell in row))
    return "\n".join(lines)


def _is_no_cell(cell: object) -> bool:
    return not (isinstance(cell, str) and len(cell) <= 1) and not (
        cell is None or (isinstance(cell, int) and cell >= 0)
    )


def _cell_of(cell: object) -> str:
    """Return the character of a cell in an array."""
    return cell if isinstance(cell, str) and cell.strip() else "#" if isinstance(cell, int) and cell else "."


def _board_of_columns(columns: list[int]) -> Board:
    """Return the board whose columns are these bits; bit 0 is the lowest row."""
    for number, column in enumerate(columns, 1):
        if column >= 1 << ROWS:
            raise BadInput(f"board, column {number}: {column:x}, expected at most {ROWS} bits")
    bits = np.arange(ROWS - 1, -1, -1)[:, None]
    board = (np.array(columns)[None, :] >> bits & 1).astype(np.uint8)
    full = board[::-1].all(axis=1)
    if full.any():
        raise BadInput(f"board, row {int(full.argmax()) + 1} from the bottom: full, so the game would have removed it")
    return board


def board_text(board: Board, piece: int | None = None, state: State | None = None) -> str:
    """Draw the board as 22 lines, with the cells of a piece in a state as its letter."""
    drawing = [[".#"[int(cell)] for cell in row] for row in board]
    if piece is not None and state is not None:
        for row, column in cells_of(piece, state):
            drawing[row][column] = PIECES[piece]
    return "\n".join("".join(row) for row in drawing)
