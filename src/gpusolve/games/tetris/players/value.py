"""The learned value of a board: what is lost from there on, by tables; and the file that holds them.

A loss is counted against a game whose lines all come four at a time: a tetris loses nothing, a line burnt alone nearly
all that it could have brought, a game that ends early all that was left. What a board is about to lose is looked up:
each of TABLES has a number for each value of a few properties of the board, their sum, a linear prior with it, is
scaled by the level and by the lines still to come, and one more table knows lines to come, and near the end rows ready.
All of it is integers: the tables' numbers are in units of 8 points, losses in points.

This is the slow reading of it, a board at a time; `cpu.losses` and ``kernels/tetris.cu`` have the fast one.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.board import COLUMNS, LINE_POINTS, MAX_LINES, ROWS, Board, level_at
from gpusolve.games.tetris.rules.features import features
from gpusolve.runs import store

READY = 6
"""Rows that only the well on the right is missing from count up to 5."""
SURFACES = 2 * 9**6
COLUMN = 6 * 4 * 16 * 5
TABLES = {
    "surface 0-6": SURFACES,
    "surface 1-7": SURFACES,
    "surface 2-8": SURFACES,
    "surface 3-9": SURFACES,
    "height": 21 * READY * 4 * 8,
    **{f"column {c}": COLUMN for c in range(COLUMNS)},
    "above the holes": 1 << 20,
    "digging": 7 * 10 * 8 * 11,
    "well": 20 * 12 * 12,
    "pile": 21**3,
    "row of holes": (1 << 10) * 16,
    "left": 20 * 21 * 21,
    "right": 20 * 21 * 21,
}
"""How many numbers each table has, in the order in which they follow each other in one array."""
BEGINS = tuple(int(begin) for begin in np.cumsum([0, *TABLES.values()]))
SIZE = BEGINS[-1]
ENDGAME = (MAX_LINES + 1) * READY
"""Numbers of the table of lines to come, 230 at most, and rows ready; int32, in points."""
LAST_LINES = 16
"""Only with so many lines to come do rows ready count there: a board like none before would keep what it was worth to
the beginner, and never be tried again."""
UNIT_BITS, SCALE_BITS = 3, 8
PRIOR = (0, 0, 108, 219, -8, 128, 381, -49, -61, 569, 167, -10, -200, -165, -403, 33, 89)
"""The published weights times 22.5, those of what a placement does left out: that is the prior."""
RIGHT_CELL, READY_ROW, READY_BONUS = 68, 112, 1350
"""What a cell of the right column adds to it; what each ready row, up to the fourth, takes off; what all four do."""
STAGES = (8, 20, 40, 70, 100, 140, 190)
"""Lines to come at which the table of heights begins another part."""
SCHEMA = "gpusolve.tetris.value/1"
SUFFIX = ".value"
FOLDER = Path(__file__).parents[1] / "weights"


@dataclass(frozen=True)
class LearnedValue:
    """`tables` (int16, (SIZE,)): all of TABLES; `endgame` (int32, (ENDGAME,)). `about`: where they come from."""

    name: str
    about: str
    tables: npt.NDArray[np.int16]
    endgame: npt.NDArray[np.int32]

    @property
    def values(self) -> list[str]:
        """What tells it from another value: the SHA-256 of its numbers."""
        return [hashlib.sha256(self.tables.tobytes() + self.endgame.tobytes()).hexdigest()]

    @property
    def judge(self) -> LearnedValue:
        """What `playing` judges boards by; of weights these are their numbers."""
        return self

    def __post_init__(self) -> None:
        for array, dtype, size in ((self.tables, np.int16, SIZE), (self.endgame, np.int32, ENDGAME)):
            if array.dtype != dtype or array.shape != (size,):
                raise BadInput(f"value {self.name}: expected {size:,} numbers, {np.dtype(dtype)}")


def save_value(path: Path, value: LearnedValue) -> None:
    """Writes a file that `load_value` reads. Raises BadInput where it cannot be written."""
    about = {"schema": SCHEMA, "name": value.name, "about": value.about}
    store.save(path, about, {"tables": value.tables, "endgame": value.endgame})


def load_value(path: Path) -> LearnedValue:
    """The value in a file, mapped into memory. Raises BadInput for a damaged file and for one of another kind."""
    if not files.exists(path):
        raise BadInput(f"value {path}: no such file")
    table = store.open_table(path)
    about = table.about
    if not isinstance(about, dict) or about.get("schema") != SCHEMA or set(table.arrays) != {"tables", "endgame"}:
        raise BadInput(f"value {path}: expected a value that `gpusolve tetris train-value` wrote")
    return LearnedValue(
        str(about.get("name")), str(about.get("about")), table.arrays["tables"], table.arrays["endgame"]
    )


@dataclass(frozen=True)
class Stakes:
    """What lines are worth in a game from `start_level` to `max_lines` lines; int32 arrays.

    `future` (max_lines + 1,): the most that can be had after so many lines, all of it lost by a game that ends there.
    `lost` (max_lines + 1, 5): what is lost by clearing 0 to 4 lines after so many. `scales` (max_lines + 1,): of the
    tables' sum.
    """

    future: npt.NDArray[np.int32]
    lost: npt.NDArray[np.int32]
    scales: npt.NDArray[np.int32]


def stakes(start_level: int = 19, max_lines: int = MAX_LINES) -> Stakes:
    """The stakes of a game.

    >>> int(stakes().future[0]), stakes().lost[0].tolist()
    (1515000, [0, 5200, 10000, 12000, 0])
    """
    levels = np.array([level_at(lines, start_level) for lines in range(max_lines + 5)], np.int64)
    rates = LINE_POINTS[4] // 4 * (levels + 1)
    lines = np.arange(max_lines + 1)
    future = np.zeros(max_lines + 5, np.int64)
    future[:max_lines] = rates[:max_lines][::-1].cumsum()[::-1]
    cleared = np.arange(5)
    after = lines[:, None] + cleared
    lost = future[lines][:, None] - future[after] - np.array(LINE_POINTS) * (levels[after] + 1)
    left = max_lines - lines
    scales = (levels[lines] + 1) * 256 * np.minimum(16, left + 2) // (20 * 16)
    return Stakes(future[: max_lines + 1].astype(np.int32), lost.astype(np.int32), scales.astype(np.int32))


def places(board: Board, left: int) -> list[int]:
    """Where a board is in each of TABLES, counted from the table's begin, with `left` lines still to come."""
    cells = board.tolist()
    tops = [next((row for row in range(ROWS) if cells[row][c]), ROWS) for c in range(COLUMNS)]
    heights = [ROWS - top for top in tops]
    covered = [[row for row in range(tops[c], ROWS) if not cells[row][c]] for c in range(COLUMNS)]
    rows_covered = sorted({row for rows in covered for row in rows})
    count, rows = sum(map(len, covered)), len(rows_covered)
    first = rows_covered[0] if rows else 0  # the topmost row with a hole
    highest = max(heights)
    digging = first - min(tops) if rows else 0  # rows above it
    ready = ready_rows(board)

    steps = [heights[c] - heights[c + 1] for c in range(COLUMNS - 1)]
    digits = [_within(step, -4, 4) + 4 for step in steps[:-1]] + [_within(steps[-1], -2, 6) + 2]
    surfaces = []
    for c in range(4):
        number = 0
        for digit in digits[c : c + 6]:
            number = number * 9 + digit
        surfaces.append(number * 2 + bool(rows))
    columns = []
    for c in range(COLUMNS):
        cover = covered[c][0] - tops[c] if covered[c] else 0
        beside = heights[8 if c == 9 else c] - heights[9]
        number = (min(cover, 5) * 4 + min(len(covered[c]), 3)) * 16 + _within(beside, -4, 11) + 4
        columns.append(number * 5 + _within((highest - 1) // 4, 0, 4))
    high = min(highest, 20)
    centre = min(max(heights[3:7]), 20)
    bits = [sum(cells[first - up][c] << c for c in range(COLUMNS)) if rows and first >= up else 0 for up in (0, 1, 2)]
    stage = sum(left >= lines for lines in STAGES)
    return [
        *surfaces,
        ((high * READY + ready) * 4 + min(rows, 3)) * 8 + stage,
        *columns,
        bits[1] << 10 | bits[2],
        ((min(rows, 6) * 10 + min(count, 9)) * 8 + min(digging, 7)) * 11 + min(highest // 2, 10),
        (min(heights[9], 19) * 12 + _within(min(heights[:9]) - heights[9], -3, 8) + 3) * 12
        + _within(heights[8] - heights[9], -3, 8) + 3,
        (high * 21 + min(sum(heights) // 10, 20)) * 21 + centre,
        (bits[0] | (rows > 1) << 10 | (digging > 2) << 11) * 4 + min(rows - 1, 3) if rows else 0,
        (min(heights[0], 19) * 21 + min(max(heights[1:4]), 20)) * 21 + centre,
        (min(heights[8], 19) * 21 + min(heights[9], 20)) * 21 + min(max(heights[5:8]), 20),
    ]  # fmt: skip


def ready_rows(board: Board) -> int:
    """Rows on top of the right column's pile that are full but for it, 5 at most."""
    ready = 0
    row = next((row for row in range(ROWS) if board[row, 9]), ROWS) - 1
    while row >= 0 and ready < READY - 1 and board[row, :9].all():
        ready, row = ready + 1, row - 1
    return ready


def loss(value: LearnedValue, board: Board, lines: int, at_stake: Stakes) -> int:
    """What a board is about to lose after so many lines, in points; less is better."""
    left = len(at_stake.future) - 1 - lines
    if left <= 0:
        return 0
    ready = ready_rows(board)
    prior = sum(w * f for w, f in zip(PRIOR, features(board), strict=True))
    prior += RIGHT_CELL * (ROWS - next((row for row in range(ROWS) if board[row, 9]), ROWS))
    prior -= READY_ROW * min(ready, 4) + READY_BONUS * (ready >= 4)
    total = prior + sum(
        int(value.tables[begin + place]) for begin, place in zip(BEGINS, places(board, left), strict=False)
    )
    scaled = total * int(at_stake.scales[lines]) >> SCALE_BITS - UNIT_BITS
    return scaled + int(value.endgame[min(left, MAX_LINES) * READY + (ready if left <= LAST_LINES else 0)])


def _within(x: int, least: int, most: int) -> int:
    return min(max(x, least), most)


def untrained(name: str = "untrained", slope: float = 0.25) -> LearnedValue:
    """Tables of zeros: the prior, and `slope` of every line still to come expected to be lost.

    >>> int(untrained().endgame[-1])
    378750
    """
    future = stakes().future
    return LearnedValue(
        name, "", np.zeros(SIZE, np.int16), np.repeat((slope * future[::-1]).round(), READY).astype(np.int32)
    )
