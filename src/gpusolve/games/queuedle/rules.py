"""Queuedle in plain Python: the daily puzzle, slides, words, score. The oracle of the tests."""

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

SIZES = (4, 5, 6)
"""Sides of a grid. The game as published has 5."""
SHORTEST = 3
"""Letters of the shortest word that counts."""
MOST_QUEUE = 31
"""Letters that a queue can hold."""
DAILY_SIZE, DAILY_QUEUE = 5, 15
MOST_TRIES = 50_000
"""Seeds that a day's puzzle is looked for with. A large Scrabble list needs some hundred."""
DIRECTIONS = "lrud"
"""A slide of line i in direction d has the number 4 * i + DIRECTIONS.index(d): rows go l and r, columns u and d."""

_TILES = "a9 b2 c2 d4 e12 f2 g3 h2 i9 j1 k1 l4 m2 n6 o8 p2 q1 r6 s4 t6 u4 v2 w2 x1 y2 z1"  # Scrabble's, without blanks
TILES = "".join(tile[0] * int(tile[1:]) for tile in _TILES.split())
"""The 98 tiles that letters are drawn from, in alphabetical order."""


@dataclass(frozen=True)
class Puzzle:
    """A grid, its rows from top to bottom, and the queue, its head first. Lower-case letters.

    Raises BadInput unless the grid is square with 4, 5 or 6 rows, all is letters a-z and the queue has at most 31.
    """

    grid: tuple[str, ...]
    queue: str

    def __post_init__(self) -> None:
        if not (isinstance(self.grid, tuple) and all(isinstance(text, str) for text in (*self.grid, self.queue))):
            raise BadInput("puzzle: expected a tuple of rows and a queue, all of them texts")
        rows = len(self.grid)
        for number, row in enumerate(self.grid, 1):
            _check_letters(f"grid, row {number}", row)
        if rows not in SIZES:
            raise BadInput(f"grid: {rows} row{'s' * (rows != 1)}: expected 4, 5 or 6, as abcd/efgh/ijkl/mnop")
        for number, row in enumerate(self.grid, 1):
            if len(row) != rows:
                raise BadInput(
                    f"grid, row {number}: '{_short(row)}' has {len(row)} letters: expected {rows}, as many as rows"
                )
        _check_letters("queue", self.queue)
        if len(self.queue) > MOST_QUEUE:
            raise BadInput(f"queue: {len(self.queue)} letters: expected at most {MOST_QUEUE}")

    @property
    def size(self) -> int:
        """Rows, and letters of a row."""
        return len(self.grid)


@dataclass(frozen=True)
class Position:
    """A grid, the letters that are still to come, and the slides made so far, as numbers."""

    grid: tuple[str, ...]
    queue: str
    moves: tuple[int, ...] = ()


@dataclass(frozen=True)
class FoundWord:
    """A word on the board: ``line`` 0..n-1 are the rows, n..2n-1 the columns; ``start`` is its first cell there."""

    line: int
    start: int
    word: str


def check_puzzle(puzzle: Any) -> None:
    """Raises BadInput for what is not a `Puzzle`."""
    if not isinstance(puzzle, Puzzle):
        raise BadInput(f"puzzle {_short(repr(puzzle))}: expected a Puzzle, as parse_puzzle makes it")


def _check_letters(place: str, text: str) -> None:
    wrong = next((sign for sign in text if not ("a" <= sign <= "z")), None)
    if wrong is not None:
        raise BadInput(f"{place}: '{wrong}' in '{_short(text)}': expected letters a-z only")


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def parse_puzzle(grid: str, queue: str = "") -> Puzzle:
    """A puzzle from its rows, separated by ``/``, commas or white space, and its queue; any case.

    Raises BadInput unless the grid is square with 4, 5 or 6 rows, all is letters a-z and the queue has at most 31.

    >>> parse_puzzle("fndoi/eedgr/aadqs/oeilx/eyatg", "aikiu").grid[1]
    'eedgr'
    """
    if not (isinstance(grid, str) and isinstance(queue, str)):
        raise BadInput("grid and queue: expected two texts, as abcd/efgh/ijkl/mnop and eat")
    rows = re.split(r"[/,\s]+", grid.strip("/, \t\r\n"))
    return Puzzle(tuple(map(lower, rows)), lower(queue.strip()))


def parse_file(text: str) -> Puzzle:
    """A puzzle from a text: as many lines as the first has letters are the rows, what follows is the queue.

    >>> parse_file("abcd\\nefgh\\nijkl\\nmnop\\nqueue")
    Puzzle(grid=('abcd', 'efgh', 'ijkl', 'mnop'), queue='queue')
    """
    fields = text.split()
    if not fields:
        raise BadInput("empty: expected the rows, one a line, and then the queue")
    size = len(fields[0])
    return parse_puzzle("/".join(fields[:size]), "".join(fields[size:]))


def usable(words: Collection[str], size: int) -> frozenset[str]:
    """The words that fit on a grid of `size`: 3..size letters. Raises BadInput if there is none.

    >>> sorted(usable(["ox", "oxen", "oxtail"], 5))
    ['oxen']
    """
    fitting = frozenset(word for word in words if SHORTEST <= len(word) <= size)
    if not fitting:
        raise BadInput(f"dictionary: none of its {len(words):,} words has {SHORTEST} to {size} letters")
    return fitting


def lines(grid: Sequence[str]) -> list[str]:
    """The rows from top to bottom, then the columns from left to right, as they are read.

    >>> lines(["abcd", "efgh", "ijkl", "mnop"])[3:5]
    ['mnop', 'aeim']
    """
    return [*grid, *("".join(column) for column in zip(*grid, strict=True))]


def find_words(grid: Sequence[str], words: Collection[str]) -> list[FoundWord]:
    """Every run of at least three letters of a line that is a word: overlapping, within another, repeated."""
    n = len(grid)
    return [
        FoundWord(number, start, line[start:end])
        for number, line in enumerate(lines(grid))
        for start in range(n)
        for end in range(start + SHORTEST, n + 1)
        if line[start:end] in words
    ]


def marked(grid: Sequence[str], found: Collection[FoundWord]) -> list[list[bool]]:
    """For each cell whether it is in one of the words."""
    n = len(grid)
    marks = [[False] * n for _ in range(n)]
    for word in found:
        for place in range(word.start, word.start + len(word.word)):
            row, column = (word.line, place) if word.line < n else (place, word.line - n)
            marks[row][column] = True
    return marks


def score(grid: Sequence[str], words: Collection[str]) -> int:
    """One point for each letter of every word found.

    >>> score(["moon", "qqqq", "qqqq", "qqqq"], {"moo", "moon", "noon"})
    7
    """
    return sum(len(found.word) for found in find_words(grid, words))


def legal_moves(position: Position) -> list[int]:
    """The slides that may be made: none without a letter in the queue, none against an earlier slide of the line."""
    if not position.queue:
        return []
    return [move for move in range(4 * len(position.grid)) if move ^ 1 not in position.moves]


def slide(position: Position, move: int) -> Position:
    """The position after a slide; the head of the queue comes in where the line has room."""
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
    """A slide in notation.

    >>> move_text(3), move_text(8)
    ('d1', 'l3')
    """
    check_integer("move", move, 0, 4 * max(SIZES) - 1)
    return f"{DIRECTIONS[move % 4]}{move // 4 + 1}"


def moves_text(moves: Sequence[int]) -> str:
    """Slides in notation, separated by blanks."""
    return " ".join(map(move_text, moves))


def parse_moves(text: str, size: int) -> list[int]:
    """Slides from their notation, separated by blanks or commas.

    Raises BadInput for what is not a slide on a grid of `size`.

    >>> parse_moves("d1 l3", 5)
    [3, 8]
    """
    moves: list[int] = []
    for sign in re.split(r"[,\s]+", lower(text.strip())):
        match = re.fullmatch(r"([lrud])([1-9])", sign)
        if match is None or int(match[2]) > size:
            raise BadInput(
                f"move {len(moves) + 1}, '{_short(sign)}': expected one of l r u d and a line 1..{size}, as d1"
            )
        moves.append(4 * (int(match[2]) - 1) + DIRECTIONS.index(match[1]))
    return moves


def replay(puzzle: Puzzle, moves: Sequence[int]) -> list[Position]:
    """The positions before the first slide and after each. Raises BadInput, with its number, for an illegal slide."""
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
    """The seed of a day's puzzle: the midnight that it begins with in an IANA zone (None: the machine's), in ms.

    In epoch milliseconds, as JavaScript has it. Raises BadInput for an unknown zone and for a day before 1970, whose
    seed would be negative.

    >>> daily_seed(date(2025, 5, 31), "Europe/London")
    1748646000000
    """
    try:
        local = None if zone is None else ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(f"zone {_short(str(zone))}: expected an IANA time zone, as Europe/London") from None
    try:
        seed = round(datetime(day.year, day.month, day.day, tzinfo=local).timestamp() * 1000)
    except (OverflowError, ValueError, OSError):  # the first and the last days that there are
        seed = 0
    if seed < 1:
        raise BadInput(f"date {day}: expected 1970-01-02 or later")
    return seed


def draw(seed: int) -> Puzzle:
    """Grid and queue that a seed gives, whether the grid holds a word or not.

    The generator is the one of Lehmer with Park and Miller's 16807, in IEEE doubles as the game's JavaScript has it:
    the first product exceeds 2^53 and is rounded.
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
    """The puzzle of a day, the seed that gave it, and how often the seed went up until the grid held no word.

    Another dictionary can stop at another seed. Raises BadInput where MOST_TRIES seeds draw a word.
    """
    first = daily_seed(day, zone)
    seed = first
    while find_words((puzzle := draw(seed)).grid, words):
        seed += 1
        if seed - first == MOST_TRIES:
            raise BadInput(f"dictionary: {MOST_TRIES:,} draws hold one of its words each: expected fewer words")
    return puzzle, seed, seed - first
