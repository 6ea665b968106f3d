"""NES Tetris in plain Python: pieces, reachability, features, scoring, piece sources, policies. The tests' oracle.

A board is an array of 22 rows and 10 columns, row 0 on top, 1 where a cell is filled. A state of a falling piece is
``(orientation, row, column)`` of the upper left corner of the box around its cells; a state that cannot move down is
a placement. Orientation 0 is the one that spawns; of four, each next one is a quarter turn clockwise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

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
FEATURES = (
    "lines_cleared",
    "lock_height",
    "well_depths",
    "deep_wells",
    "holes",
    "hole_rows",
    "hole_depths",
    "least_hole_depth",
    "greatest_hole_depth",
    "column_transitions",
    "row_transitions",
    "heights",
    "greatest_height",
    "height_spread",
    "filled_cells",
    "filled_heights",
    "surface_variance",
)
"""The names of the features f0..f16."""
LINE_POINTS = (0, 40, 100, 300, 1200)
GRAVITY = (48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3) + (2,) * 10 + (1,)
"""Frames a row at levels 0..29 (and above), NTSC."""
TIMELINES = ("30hz", "15hz", "das")
REACHES = ("free", *TIMELINES)
POLICIES = ("greedy", "two-piece")
SOURCES = ("uniform8", "nes")
MAX_LINES = 230
MAXOUT = 999_999

WEIGHT_BITS = 30
"""Weights are scaled by a power of two, so that the greatest has this many bits before it is rounded."""
DECISIVE = 2**45
"""Outweighs every sum of weights times features: taken off for a tetris, added for a piece that cannot spawn."""

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


# --- reachability -----------------------------------------------------------------------------------------------------

PRESSES = ("left", "right", "clockwise", "counter-clockwise", "down")


def pressed(piece: int, state: State, press: str) -> State:
    """The state after one press, whether it fits or not."""
    match press:
        case "left":
            return moved(state, 0, -1)
        case "right":
            return moved(state, 0, 1)
        case "down":
            return moved(state, 1, 0)
    return rotated(piece, state, 1 if press == "clockwise" else -1)


def free_paths(board: Board, piece: int) -> dict[State, tuple[str, ...]]:
    """Every state that presses reach from the spawn, without a clock, and the fewest presses that reach it."""
    start = spawn_state(piece)
    if not fits(board, piece, start):
        return {}
    paths: dict[State, tuple[str, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        for press in PRESSES:
            after = pressed(piece, state, press)
            if after not in paths and fits(board, piece, after):
                paths[after] = (*paths[state], press)
                waiting.append(after)
    return paths


def is_tap(timeline: str, frame: int) -> bool:
    """Whether a press may start on this frame, the first being frame 0.

    ``das`` is a button held from the start: a shift at once, the next after 16 frames, then one every 6.

    >>> [frame for frame in range(30) if is_tap("das", frame)]
    [0, 16, 22, 28]
    """
    if timeline == "das":
        return frame == 0 or (frame >= 16 and (frame - 16) % 6 == 0)
    return frame % {"30hz": 2, "15hz": 4}[timeline] == 0


def timed_paths(board: Board, piece: int, timeline: str, level: int) -> dict[State, tuple[str, ...]]:
    """Every placement reached under gravity, and the presses for it, each written ``frame:press``.

    A frame goes as in the console: a shift, then a rotation, each if a press may start on it, then the drop, on the
    last of every GRAVITY[level] frames; a piece that cannot drop locks. Nothing but gravity moves it down.
    """
    start = spawn_state(piece)
    states: dict[State, tuple[str, ...]] = {start: ()} if fits(board, piece, start) else {}
    locked: dict[State, tuple[str, ...]] = {}
    gravity = GRAVITY[min(level, len(GRAVITY) - 1)]
    frame = 0
    while states:
        if is_tap(timeline, frame):
            for presses in (("left", "right"), ("clockwise", "counter-clockwise")):
                for state, path in list(states.items()):
                    for press in presses:
                        after = pressed(piece, state, press)
                        if after not in states and fits(board, piece, after):
                            states[after] = (*path, f"{frame}:{press}")
        frame += 1
        if frame % gravity == 0:
            dropped = {}
            for state, path in states.items():
                if fits(board, piece, moved(state, 1, 0)):
                    dropped[moved(state, 1, 0)] = path
                else:
                    locked[state] = path
            states = dropped
    return locked


def placements(board: Board, piece: int, reach: str = "free", level: int = 18) -> list[State]:
    """The placements of a piece, in the order that settles ties: by orientation, column, row.

    >>> empty = np.zeros((22, 10), np.uint8)
    >>> [len(placements(empty, piece)) for piece in range(7)]
    [17, 34, 34, 34, 17, 17, 9]
    """
    if reach == "free":
        paths = free_paths(board, piece)
        found = [state for state in paths if not fits(board, piece, moved(state, 1, 0))]
    else:
        found = list(timed_paths(board, piece, reach, level))
    return sorted(found, key=lambda state: (state[0], state[2], state[1]))


# --- boards and features ----------------------------------------------------------------------------------------------


def place(board: Board, piece: int, state: State) -> tuple[Board, int, int]:
    """The board after the piece locks and full rows are gone, how many went, and the lowest row that was reached."""
    after = board.copy()
    for row, column in cells_of(piece, state):
        after[row, column] = 1
    left = after[~after.all(axis=1)]
    cleared = ROWS - len(left)
    empty = np.zeros((cleared, COLUMNS), np.uint8)
    return np.concatenate([empty, left]), cleared, max(row for row, _ in cells_of(piece, state))


def features(board: Board, cleared: int = 0, lowest_row: int = ROWS - 1) -> list[int]:
    """The 17 features of a board after the lines are removed, in the order of FEATURES.

    >>> board, cleared, lowest_row = place(np.zeros((22, 10), np.uint8), 0, (0, 21, 0))
    >>> features(board, cleared, lowest_row)
    [0, -2, 0, 0, 0, 0, 0, 22, 0, 0, 2, 4, 1, 1, 4, 4, 1]
    """
    tops = [next((row for row in range(ROWS) if board[row, c]), ROWS) for c in range(COLUMNS)]
    heights = [ROWS - top for top in tops]
    walled = [30, *heights, 30]
    wells = [min(walled[c] - walled[c + 1], walled[c + 2] - walled[c + 1]) for c in range(COLUMNS)]
    holes = [(row, c) for row in range(1, ROWS) for c in range(COLUMNS) if not board[row, c] and board[row - 1, c]]
    depths = [row - tops[c] for row, c in holes]
    filled = [(row, c) for row in range(ROWS) for c in range(COLUMNS) if board[row, c]]
    return [
        0 if cleared == 4 else cleared,
        19 - lowest_row,
        sum(max(0, well) for well in wells),
        sum(well >= 3 for well in wells),
        len(holes),
        sum(row - 1 for row, _ in holes),
        sum(depths),
        min(depths, default=ROWS),
        max(depths, default=0),
        sum(int(board[row, c] != board[row + 1, c]) for c in range(COLUMNS) for row in range(tops[c], ROWS - 1)),
        sum(int(a != b) for row in range(min(tops), ROWS) for a, b in pairwise([1, *board[row], 1])),
        sum(heights),
        max(heights),
        max(heights) - min(heights),
        len(filled),
        sum(ROWS - row for row, _ in filled),
        sum(abs(a - b) for a, b in pairwise(heights)),
    ]


def evaluate(weights: Sequence[float], found: Sequence[float], cleared: int = 0) -> float:
    """Weights times features in floats, less 1e9 for a tetris: less is better."""
    return sum(w * f for w, f in zip(weights, found, strict=True)) - 1e9 * (cleared == 4)


def fixed_point(weights: Sequence[float]) -> tuple[list[int], int]:
    """Weights as integers w * 2^shift, rounded, and the shift, which gives the greatest WEIGHT_BITS bits.

    A choice depends on the weights' ratios only, so nothing but the rounding, a part in 2^30 of the greatest weight,
    can change it; and the sum over the features stays below DECISIVE.

    >>> fixed_point([1.5, -0.75])
    ([805306368, -402653184], 29)
    """
    greatest = max(abs(w) for w in weights)
    shift = WEIGHT_BITS - int(np.frexp(greatest)[1]) if greatest else 0
    return [min(round(float(np.ldexp(w, shift))), 2**WEIGHT_BITS - 1) for w in weights], shift


def value(fixed: Sequence[int], board: Board, piece: int, state: State) -> int:
    """The fixed-point evaluation of a placement, without what a tetris takes off."""
    return sum(w * f for w, f in zip(fixed, features(*place(board, piece, state)), strict=True))


# --- policies ---------------------------------------------------------------------------------------------------------


def greedy(fixed: Sequence[int], board: Board, piece: int, reach: str = "free", level: int = 18) -> State | None:
    """The placement of least evaluation, the first of equals; None if there is none."""
    best, choice = 0, None
    for state in placements(board, piece, reach, level):
        worth = value(fixed, board, piece, state) - DECISIVE * (place(board, piece, state)[1] == 4)
        if choice is None or worth < best:
            best, choice = worth, state
    return choice


def two_piece(
    fixed: Sequence[int], board: Board, piece: int, following: int, reach: str = "free", level: int = 18
) -> State | None:
    """The placement after which the best placement of the next piece is least, the first of equals."""
    best, choice = 0, None
    for state in placements(board, piece, reach, level):
        after, cleared, _ = place(board, piece, state)
        second = greedy(fixed, after, following, reach, level)
        if second is None:  # the next piece has nowhere to go: every such placement is as bad
            worth = DECISIVE
        else:
            worth = value(fixed, after, following, second) - DECISIVE * (place(after, following, second)[1] == 4)
        worth -= DECISIVE * (cleared == 4)
        if choice is None or worth < best:
            best, choice = worth, state
    return choice


# --- games ------------------------------------------------------------------------------------------------------------


def level_at(lines: int, start: int = 19) -> int:
    """The level after so many lines.

    >>> [level_at(lines) for lines in (0, 129, 139, 140, 230)], level_at(129, 18)
    ([19, 19, 19, 20, 29], 18)
    """
    return max(start, 18) if lines < 130 else max(start, 19 + (lines - 130) // 10)


def points(cleared: int, lines: int, start: int = 19) -> int:
    """What clearing `cleared` rows gives; `lines` counts them already."""
    return LINE_POINTS[cleared] * (level_at(lines, start) + 1)


MASK64 = 2**64 - 1


def mix(x: int) -> int:
    """SplitMix64's output function (Steele, Lea and Flood 2014): 64 well-stirred bits of 64."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK64
    return x ^ x >> 31


GOLDEN = 0x9E3779B97F4A7C15
NES_ORDER = tuple(PIECES.index(name) for name in "TJZOSLI")
NES_SPAWN_IDS = (2, 7, 8, 10, 11, 14, 18)
"""In the console's order T J Z O S L I."""


def lfsr(v: int) -> int:
    """The console's random register, one step on."""
    return v >> 1 | ((v >> 1 ^ v >> 9) & 1) << 15


def pieces(seed: int, game: int, source: str = "uniform8") -> Iterator[int]:
    """The pieces of a game, without end. They depend on the seed, the game's number and the source alone.

    ``nes`` starts the register where (seed, game) says and lets it run 16 to 31 frames from piece to piece, as many as
    the same generator says: on a console that depends on how long the player takes.

    >>> from itertools import islice
    >>> "".join(PIECES[piece] for piece in islice(pieces(1, 0), 20))
    'TTOLSTOOZSTOTILTSTOZ'
    """
    state = mix((mix((seed + GOLDEN) & MASK64) + game * GOLDEN) & MASK64)

    def draw() -> int:
        nonlocal state
        state = (state + GOLDEN) & MASK64
        return mix(state) >> 32

    previous = -1
    if source == "uniform8":
        while True:
            x = draw() >> 29
            if x in (previous, 7):
                x = draw() * 7 >> 32
            yield x
            previous = x
    register, count = (draw() % 32767 + 1) << 1, 0
    while True:
        for _ in range(16 + (draw() & 15)):
            register = lfsr(register)
        count += 1
        i = ((register >> 8) + count) & 7
        if i in (7, previous):
            register = lfsr(register)
            i = ((register >> 8 & 7) + (NES_SPAWN_IDS[previous] if previous >= 0 else 0)) % 7
        yield NES_ORDER[i]
        previous = i


@dataclass(frozen=True)
class Turn:
    """One piece of a game: where it went, and what stood on the score board after it."""

    piece: int
    state: State
    cleared: int
    lines: int
    score: int
    level: int


def play(
    fixed: Sequence[int],
    policy: str = "greedy",
    seed: int = 0,
    game: int = 0,
    source: str = "uniform8",
    start_level: int = 19,
    max_lines: int = MAX_LINES,
    reach: str = "free",
) -> list[Turn]:
    """A whole game: it ends when a piece cannot spawn, or with `max_lines`."""
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    drawn = pieces(seed, game, source)
    piece, following = next(drawn), next(drawn)
    lines, score = 0, 0
    turns: list[Turn] = []
    while lines < max_lines:
        level = level_at(lines, start_level)
        if policy == "greedy":
            choice = greedy(fixed, board, piece, reach, level)
        else:
            choice = two_piece(fixed, board, piece, following, reach, level)
        if choice is None:
            break
        board, cleared, _ = place(board, piece, choice)
        lines += cleared
        score += points(cleared, lines, start_level)
        turns.append(Turn(piece, choice, cleared, lines, score, level_at(lines, start_level)))
        piece, following = following, next(drawn)
    return turns


# --- text -------------------------------------------------------------------------------------------------------------


def parse_piece(text: str) -> int:
    """The number of a piece. Raises BadInput for what is none of I L J T Z S O."""
    name = text.strip().upper()
    if len(name) != 1 or name not in PIECES:
        raise BadInput(f"piece '{text}': expected one of {' '.join(PIECES)}")
    return PIECES.index(name)


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
