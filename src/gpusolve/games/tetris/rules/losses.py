"""What a board is about to lose, by the tables of a learned value, in plain Python.

A loss is counted against a game whose lines all come four at a time. A tetris loses nothing, a line cleared alone loses
nearly all the points that it could have brought, and a game that ends early loses everything that was left.

What a board is about to lose is looked up. Each of TABLES has a number for each combination of a few properties of the
board. The sum of these numbers and of a linear prior is scaled by the level and by the number of lines still to come.
One more table depends on the lines to come alone, and near the end also on the ready rows. All of it is integers: the
numbers of the tables are in units of 8 points, losses are in points.

A value can have a set of TABLES for each phase of a game. Phases begin where pieces fall faster: at level 29
and, with two rows per drop, at level 39 (PHASES), or at the levels that a training names. Then what a board is about to
lose at the end of a phase is learned from the tables of the next one.

`cpu.losses` and ``kernels/tetris_losses.cuh`` compute the same losses fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import prod

import numpy as np
import numpy.typing as npt

from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    DOUBLED,
    KILL_SCREEN,
    LINE_POINTS,
    MAX_LINES,
    ROWS,
    Board,
    level_at,
)
from gpusolve.games.tetris.rules.features import features

READY = 6
"""Ready rows, those that are full except for the well on the right, count from 0 to 5."""
SURFACE = (*(9,) * 6, 2)
COLUMN = (6, 4, 16, 5)
TALL = 12
"""Five heights at once, each 0 to 11. Where pieces fall fast, the heights on its way decide what a piece reaches."""
SHAPES: dict[str, tuple[int, ...]] = {
    "surface 0-6": SURFACE,
    "surface 1-7": SURFACE,
    "surface 2-8": SURFACE,
    "surface 3-9": SURFACE,
    "height": (21, READY, 4, 8),
    **{f"column {c}": COLUMN for c in range(COLUMNS)},
    "above the holes": (2,) * 20,
    "digging": (7, 10, 8, 11),
    "well": (20, 12, 12),
    "pile": (21, 21, 21),
    "row of holes": (*(2,) * 12, 4),
    "left": (20, 21, 21),
    "right": (20, 21, 21),
    "heights 0-4": (TALL,) * 5,
    "heights 3-7": (TALL,) * 5,
    "heights 5-9": (TALL,) * 5,
}
"""The tables, in the order in which they follow each other in one array: the number of values of each property."""
TABLES = {name: prod(shape) for name, shape in SHAPES.items()}
"""The number of entries of each table."""
BEGINS = tuple(int(begin) for begin in np.cumsum([0, *TABLES.values()]))
SIZE = BEGINS[-1]
SIZE_WITHOUT_HEIGHTS = BEGINS[list(TABLES).index("heights 0-4")]
"""The size of a value whose file was written before the tables of heights existed."""
PHASES = (0, KILL_SCREEN, DOUBLED)
"""The levels at which the phases of a game begin, unless a value has others."""
MOST_PHASES = 8
"""A value with more sets of tables is refused."""
LAST_LINES = 16
"""Ready rows count in that table only if at most this number of lines is to come. Earlier in a game, a kind of board
that was never seen again would keep the value that the beginner gave it, and never be tried again."""
UNIT_BITS, SCALE_BITS = 3, 8
PRIOR = (0, 0, 108, 219, -8, 128, 381, -49, -61, 569, 167, -10, -200, -165, -403, 33, 89)
"""Weights of the features in the prior: the published ones times 22.5, without the two that judge the placement."""
RIGHT_CELL, READY_ROW, READY_BONUS = 68, 112, 1350
"""The prior also adds something for each cell of height of the right column, and takes something off for each ready row
up to the fourth, and for having all four."""
STAGES = (8, 20, 40, 70, 100, 140, 190)
"""Numbers of lines to come in a phase that separate the parts of the table of heights."""
FAR = 50
"""A game that goes on beyond the last line that a value knows is judged as if at most this number were to come."""


@dataclass(frozen=True)
class Stakes:
    """What lines are worth in a game; int32 arrays whose first axis is the number of lines cleared so far.

    `future` (max_lines + 1,) is the greatest number of points still to be had; a game that ends there loses all of it.
    `lost` (max_lines + 1, 5) is the number of points lost by clearing 0 to 4 lines. `course` (max_lines + 1, 4) has the
    factor of the tables' sum, the index at which the phase's tables begin, the part of the table of heights, and the
    row of the table of lines to come.
    """

    future: npt.NDArray[np.int32]
    lost: npt.NDArray[np.int32]
    course: npt.NDArray[np.int32]


@lru_cache(maxsize=32)
def stakes(
    start_level: int = 19,
    max_lines: int = MAX_LINES,
    *,
    phases: tuple[int, ...] = PHASES[:1],
    horizon: int = MAX_LINES,
) -> Stakes:
    """Return the stakes of a game for a value with tables for `phases`, learned from games of `horizon` lines.

    `phases` are the levels at which they begin, the first one 0. A value with tables for one phase counts the lines
    still to come in the game, `horizon` at most. A value with tables for several counts them to `horizon`: it knows a
    game by its lines and levels, and plays as if the game went on.

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
    known = left if len(phases) == 1 else np.maximum(horizon - lines, np.minimum(left, FAR))
    scales = (levels[lines] + 1) * 256 * np.minimum(16, known + 2) // (20 * 16)
    phase = np.searchsorted(phases, levels[lines], side="right") - 1
    ends = np.searchsorted(phase, phase, side="right") if len(phases) > 1 else np.full(max_lines + 1, max_lines)
    stages = np.searchsorted(STAGES, np.where(ends > max_lines, known, ends - lines), side="right")
    course = np.stack([scales, phase * SIZE, stages, np.minimum(known, horizon)], axis=1)
    return Stakes(future[: max_lines + 1].astype(np.int32), lost.astype(np.int32), course.astype(np.int32))


def indices_of(board: Board, stage: int) -> list[int]:
    """Return the index of a board in each of TABLES; `stage` is the part of the table of heights."""
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

    high = min(highest, 20)
    centre = min(max(heights[3:7]), 20)
    bits = [sum(cells[first - up][c] << c for c in range(COLUMNS)) if rows and first >= up else 0 for up in (0, 1, 2)]
    return [
        *(number * 2 + bool(rows) for number in _surfaces(heights)),
        ((high * READY + ready) * 4 + min(rows, 3)) * 8 + stage,
        *(_column(c, heights, covered[c]) for c in range(COLUMNS)),
        bits[1] << 10 | bits[2],
        ((min(rows, 6) * 10 + min(count, 9)) * 8 + min(digging, 7)) * 11 + min(highest // 2, 10),
        (min(heights[9], 19) * 12 + _within(min(heights[:9]) - heights[9], -3, 8) + 3) * 12
        + _within(heights[8] - heights[9], -3, 8) + 3,
        (high * 21 + min(sum(heights) // 10, 20)) * 21 + centre,
        (bits[0] | (rows > 1) << 10 | (digging > 2) << 11) * 4 + min(rows - 1, 3) if rows else 0,
        (min(heights[0], 19) * 21 + min(max(heights[1:4]), 20)) * 21 + centre,
        (min(heights[8], 19) * 21 + min(heights[9], 20)) * 21 + min(max(heights[5:8]), 20),
        *(sum(min(heights[c + i], TALL - 1) * TALL ** (4 - i) for i in range(5)) for c in (0, 3, 5)),
    ]  # fmt: skip


def _surfaces(heights: list[int]) -> list[int]:
    """Return the numbers of the four windows of six differences between neighbouring columns."""
    steps = [left - right for left, right in pairwise(heights)]
    digits = [_within(step, -4, 4) + 4 for step in steps[:-1]] + [_within(steps[-1], -2, 6) + 2]
    return [sum(digit * 9 ** (5 - i) for i, digit in enumerate(digits[c : c + 6])) for c in range(4)]


def _column(c: int, heights: list[int], covered: list[int]) -> int:
    """Return the number of a column: by the cells above its topmost hole, its holes, its height, and the greatest one.

    Its height is that above the right column, and for the right column that of its neighbour.
    """
    cover = covered[0] - (ROWS - heights[c]) if covered else 0
    beside = heights[8 if c == 9 else c] - heights[9]
    number = (min(cover, 5) * 4 + min(len(covered), 3)) * 16 + _within(beside, -4, 11) + 4
    return number * 5 + _within((max(heights) - 1) // 4, 0, 4)


def ready_rows(board: Board) -> int:
    """Return the number of rows right above the right column's pile that are full except for it, at most 5."""
    ready = 0
    row = next((row for row in range(ROWS) if board[row, 9]), ROWS) - 1
    while row >= 0 and ready < READY - 1 and board[row, :9].all():
        ready, row = ready + 1, row - 1
    return ready


def loss(
    tables: npt.NDArray[np.int16], endgame: npt.NDArray[np.int32], board: Board, *, lines: int, at_stake: Stakes
) -> int:
    """Return what a board is about to lose after `lines` lines, in points; less is better."""
    if lines >= len(at_stake.future) - 1:
        return 0
    scale, start, stage, left = map(int, at_stake.course[lines])
    ready = ready_rows(board)
    prior = sum(w * f for w, f in zip(PRIOR, features(board), strict=True))
    prior += RIGHT_CELL * (ROWS - next((row for row in range(ROWS) if board[row, 9]), ROWS))
    prior -= READY_ROW * min(ready, 4) + READY_BONUS * (ready >= 4)
    total = prior + sum(
        int(tables[start + begin + index]) for begin, index in zip(BEGINS, indices_of(board, stage), strict=False)
    )
    scaled = total * scale >> SCALE_BITS - UNIT_BITS
    return scaled + int(endgame[left * READY + (ready if left <= LAST_LINES else 0)])


def _within(x: int, least: int, most: int) -> int:
    return min(max(x, least), most)
