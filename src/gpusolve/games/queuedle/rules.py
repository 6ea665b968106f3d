"""The rules of Queuedle in plain Python: the daily puzzle, slides, words and the score. The tests' oracle."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gpusolve.checks import check_integer, lower
from gpusolve.errors import BadInput
from gpusolve.notebook import as_html, as_text

SIZES = (4, 5, 6)
"""Possible numbers of rows. The game as published has 5."""
SHORTEST = 3
"""Number of letters of the shortest word that counts."""
MOST_QUEUE = 31
"""Number of letters in the longest queue."""
DAILY_SIZE, DAILY_QUEUE = 5, 15
MOST_TRIES = 50_000
"""Number of seeds tried for the puzzle of a day. A large Scrabble list needs a few hundred."""
DIRECTIONS = "lrud"
"""Left and right for rows, up and down for columns. Slide d of line i has the number 4 * i + DIRECTIONS.index(d)."""

_TILES = "a9 b2 c2 d4 e12 f2 g3 h2 i9 j1 k1 l4 m2 n6 o8 p2 q1 r6 s4 t6 u4 v2 w2 x1 y2 z1"  # without blanks
TILES = "".join(tile[0] * int(tile[1:]) for tile in _TILES.split())
"""The 98 tiles of Scrabble from which letters are drawn, in alphabetical order."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: a grid and a queue, in lower-case letters.

    Attributes
    ----------
    grid : tuple of str
        4, 5 or 6 rows from top to bottom, each with as many letters as there are rows.
    queue : str
        The letters to come, the first one first; at most 31.

    Raises
    ------
    BadInput
        For any other grid or queue.
    """

    grid: tuple[str, ...]
    queue: str

    _repr_html_ = as_html
    __repr__ = as_text

    def __post_init__(self) -> None:
        if not (isinstance(self.grid, tuple) and all(isinstance(text, str) for text in (*self.grid, self.queue))):
            raise BadInput("puzzle: expected a tuple of rows and a queue, all of them strings")
        rows = len(self.grid)
        for number, row in enumerate(self.grid, 1):
            _check_letters(f"grid, row {number}", row)
        if rows not in SIZES:
            raise BadInput(f"grid: {rows} row{'s' * (rows != 1)}: expected 4, 5 or 6, as abcd/efgh/ijkl/mnop")
        for number, row in enumerate(self.grid, 1):
            if len(row) != rows:
                raise BadInput(
                    f"grid, row {number}: '{_short(row)}' has {len(row)} letters: expected {rows}, the number of rows"
                )
        _check_letters("queue", self.queue)
        if len(self.queue) > MOST_QUEUE:
            raise BadInput(f"queue: {len(self.queue)} letters: expected at most {MOST_QUEUE}")

    @property
    def size(self) -> int:
        """Number of rows, and of letters in a row."""
        return len(self.grid)


@dataclass(frozen=True)
class Position:
    """A position of a game.

    Attributes
    ----------
    grid : tuple of str
        The rows from top to bottom.
    queue : str
        The letters still to come.
    moves : tuple of int
        The slides made so far, as numbers.
    """

    grid: tuple[str, ...]
    queue: str
    moves: tuple[int, ...] = ()

    _repr_html_ = as_html
    __repr__ = as_text


@dataclass(frozen=True)
class FoundWord:
    """A word on a grid.

    Attributes
    ----------
    line : int
        Rows are 0 to n - 1, columns n to 2 n - 1.
    start : int
        The word's first cell on that line.
    word : str
        The word.
    """

    line: int
    start: int
    word: str

    _repr_html_ = as_html
    __repr__ = as_text


def check_puzzle(puzzle: Any) -> None:
    """Raise BadInput unless `puzzle` is a `Puzzle`."""
    if not isinstance(puzzle, Puzzle):
        raise BadInput(f"puzzle {_short(repr(puzzle))}: expected a Puzzle, which parse_puzzle makes")


def _check_letters(name: str, text: str) -> None:
    wrong = next((character for character in text if not ("a" <= character <= "z")), None)
    if wrong is not None:
        raise BadInput(f"{name}: '{wrong}' in '{_short(text)}': expected letters a-z only")


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def parse_puzzle(grid: str, queue: str = "") -> Puzzle:
    """Make a puzzle from text.

    Parameters
    ----------
    grid : str
        4, 5 or 6 rows, separated by ``/``, commas or white space, in any case.
    queue : str, default ""
        The letters to come, the first one first; at most 31.

    Returns
    -------
    Puzzle

    Raises
    ------
    BadInput
        Unless the grid is square with 4, 5 or 6 rows, and all characters are letters a-z.

    Examples
    --------
    >>> parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiu").grid[1]
    'eedgr'
    """
    if not (isinstance(grid, str) and isinstance(queue, str)):
        raise BadInput("grid and queue: expected two strings, as abcd/efgh/ijkl/mnop and eat")
    rows = re.split(r"[/,\s]+", grid.strip("/, \t\r\n"))
    return Puzzle(tuple(map(lower, rows)), lower(queue.strip()))


def parse_file(text: str) -> Puzzle:
    r"""Make a puzzle from the text of a file: first the rows, one per line, then the queue.

    There are as many rows as the first line has letters.

    >>> parse_file("abcd\nefgh\nijkl\nmnop\nqueue")
    Puzzle(grid=('abcd', 'efgh', 'ijkl', 'mnop'), queue='queue')
    """
    fields = text.split()
    if not fields:
        raise BadInput("empty: expected the rows, one per line, and then the queue")
    size = len(fields[0])
    return parse_puzzle("/".join(fields[:size]), "".join(fields[size:]))


def usable(words: Collection[str], size: int) -> frozenset[str]:
    """Return the words of 3 to `size` letters, which fit on a grid. Raises BadInput if there are none.

    >>> sorted(usable(["ox", "oxen", "oxtail"], 5))
    ['oxen']
    """
    fitting = frozenset(word for word in words if SHORTEST <= len(word) <= size)
    if not fitting:
        raise BadInput(f"dictionary: none of its {len(words):,} words has {SHORTEST} to {size} letters")
    return fitting


def lines(grid: Sequence[str]) -> list[str]:
    """Return the rows from top to bottom, then the columns from left to right.

    >>> lines(["abcd", "efgh", "ijkl", "mnop"])[3:5]
    ['mnop', 'aeim']
    """
    return [*grid, *("".join(column) for column in zip(*grid, strict=True))]


def find_words(grid: Sequence[str], words: Collection[str]) -> list[FoundWord]:
    """Return every run of three or more letters of a line that is a word.

    Words may overlap, lie within one another and be repeated.
    """
    n = len(grid)
    return [
        FoundWord(number, start, line[start:end])
        for number, line in enumerate(lines(grid))
        for start in range(n)
        for end in range(start + SHORTEST, n + 1)
        if line[start:end] in words
    ]


def marked(grid: Sequence[str], words: Collection[FoundWord]) -> list[list[bool]]:
    """Return for each cell whether it is in one of the words."""
    n = len(grid)
    marks = [[False] * n for _ in range(n)]
    for word in words:
        for cell in range(word.start, word.start + len(word.word)):
            row, column = (word.line, cell) if word.line < n else (cell, word.line - n)
            marks[row][column] = True
    return marks


def score(grid: Sequence[str], words: Collection[str]) -> int:
    """Score a grid: one point for each letter of every word on it.

    Parameters
    ----------
    grid : sequence of str
        The rows from top to bottom.
    words : collection of str
        The words that count; the runs of three or more letters of all rows and columns are looked up in it.

    Returns
    -------
    int

    Examples
    --------
    >>> score(["moon", "qqqq", "qqqq", "qqqq"], {"moo", "moon", "noon"})
    7
    """
    return sum(len(entry.word) for entry in find_words(grid, words))


def legal_moves(position: Position) -> list[int]:
    """Return the legal slides: none if the queue is empty, and none against an earlier slide of the same line."""
    if not position.queue:
        return []
    return [move for move in range(4 * len(position.grid)) if move ^ 1 not in position.moves]


def slide(position: Position, move: int) -> Position:
    """Return the position after a slide. The first letter of the queue enters at the end that the line leaves."""
    line, direction = move // 4, DIRECTIONS[move % 4]
    head, queue = position.queue[0], position.queue[1:]
    grid = list(position.grid)
    if direction in "ud":
        grid = ["".join(column) for column in zip(*grid, strict=True)]
    grid[line] = grid[line][1:] + head if direction in "lu" else head + grid[line][:-1]
    if direction in "ud":
        grid = ["".join(row) for row in zip(*grid, strict=True)]
    return Position(tuple(grid), queue, (*position.moves, move))


def move_text(move: int) -> str:
    """Return a slide in notation.

    >>> move_text(3), move_text(8)
    ('d1', 'l3')
    """
    check_integer("move", move, 0, 4 * max(SIZES) - 1)
    return f"{DIRECTIONS[move % 4]}{move // 4 + 1}"


def moves_text(moves: Sequence[int]) -> str:
    """Write slides in notation, separated by spaces.

    Parameters
    ----------
    moves : sequence of int
        The slides as numbers: 4 times the line plus 0, 1, 2 or 3 for left, right, up and down.

    Returns
    -------
    str

    Examples
    --------
    >>> moves_text([3, 8])
    'd1 l3'
    """
    return " ".join(map(move_text, moves))


def parse_moves(text: str, *, size: int) -> list[int]:
    """Read slides from their notation.

    Parameters
    ----------
    text : str
        Slides separated by spaces or commas. Each is a direction (l, r, u or d) and the number of a row or column from
        1: ``d1`` slides the first column down, ``l3`` the third row to the left.
    size : int
        Number of rows of the grid.

    Returns
    -------
    list of int
        The slides as numbers: 4 times the line (from 0) plus 0, 1, 2 or 3 for left, right, up and down.

    Raises
    ------
    BadInput
        With its number, for anything that is not a slide on such a grid.

    Examples
    --------
    >>> parse_moves("d1 l3", size=5)
    [3, 8]
    """
    moves: list[int] = []
    for part in re.split(r"[,\s]+", lower(text.strip())):
        match = re.fullmatch(r"([lrud])([1-9])", part)
        if match is None or int(match[2]) > size:
            raise BadInput(
                f"move {len(moves) + 1}, '{_short(part)}': expected one of l r u d and a line 1..{size}, as d1"
            )
        moves.append(4 * (int(match[2]) - 1) + DIRECTIONS.index(match[1]))
    return moves


def replay(puzzle: Puzzle, moves: Sequence[int]) -> list[Position]:
    """Play slides on a puzzle.

    Parameters
    ----------
    puzzle : Puzzle
        The grid and the queue.
    moves : sequence of int
        The slides as numbers.

    Returns
    -------
    list of Position
        The position before the first slide and after each slide.

    Raises
    ------
    BadInput
        With its number, for an illegal slide.

    Examples
    --------
    >>> replay(parse_puzzle("tsea/enop/adis/ttre", "eat"), [2])[-1].grid
    ('esea', 'anop', 'tdis', 'etre')
    """
    positions = [Position(puzzle.grid, puzzle.queue)]
    for number, move in enumerate(moves, 1):
        position = positions[-1]
        check_integer(f"move {number},", move, 0, 4 * puzzle.size - 1)
        if not position.queue:
            raise BadInput(f"move {number}, {move_text(move)}: the queue is empty after {number - 1} moves")
        if move ^ 1 in position.moves:
            first = position.moves.index(move ^ 1) + 1
            raise BadInput(f"move {number}, {move_text(move)}: move {first} slid this line the other way")
        positions.append(slide(position, move))
    return positions


def daily_seed(day: date, zone: str | None = None) -> int:
    """Return the seed of a day's puzzle: the midnight that begins the day, in milliseconds since 1970.

    The midnight is that of an IANA time zone, or of the machine's if `zone` is None. Raises BadInput for an unknown
    zone and for a day before 1970, whose seed would be negative.

    >>> daily_seed(date(2025, 5, 31), "Europe/London")
    1748646000000
    """
    try:
        local = None if zone is None else ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(f"zone {_short(str(zone))}: expected an IANA time zone, as Europe/London") from None
    try:
        seed = round(datetime(day.year, day.month, day.day, tzinfo=local).timestamp() * 1000)
    except (OverflowError, ValueError, OSError):  # the first and the last possible days
        seed = 0
    if seed < 1:
        raise BadInput(f"date {day}: expected 1970-01-02 or later")
    return seed


def draw(seed: int) -> Puzzle:
    """Return the grid and the queue that a seed draws, whether the grid holds a word or not.

    The generator is Lehmer's with Park and Miller's multiplier 16807, in IEEE doubles as in the game's JavaScript: the
    first product exceeds 2^53 and is rounded.
    """
    state = float(seed)
    letters = []
    for _ in range(DAILY_SIZE * DAILY_SIZE + DAILY_QUEUE):
        state = math.fmod(state * 16807.0, 2147483647.0)
        letters.append(TILES[math.floor((state - 1.0) / 2147483646.0 * len(TILES))])
    text = "".join(letters)
    rows = tuple(text[i : i + DAILY_SIZE] for i in range(0, DAILY_SIZE**2, DAILY_SIZE))
    return Puzzle(rows, text[DAILY_SIZE**2 :])


def draw_daily(day: date, zone: str | None, words: Collection[str]) -> tuple[Puzzle, int, int]:
    """Return the puzzle of a day, the seed that drew it, and the number of seeds tried before.

    The seed goes up until the grid holds none of the words, so another dictionary can stop at another seed. Raises
    BadInput if MOST_TRIES seeds draw a word.
    """
    first = daily_seed(day, zone)
    seed = first
    while find_words((puzzle := draw(seed)).grid, words):
        seed += 1
        if seed - first == MOST_TRIES:
            raise BadInput(f"dictionary: {MOST_TRIES:,} grids drawn all have one of its words: expected fewer words")
    return puzzle, seed, seed - first
