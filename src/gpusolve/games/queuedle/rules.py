"""The rules of Queuedle in plain Python: the daily puzzle, slides, words and the score. The tests' oracle."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.positions import DIRECTIONS, FoundWord, Moves, Position, move_text, short

SHORTEST = 3
"""Number of letters of the shortest word that counts."""
MOST_QUEUE = 31
"""Number of letters in the longest queue."""
DAILY_SIZE, DAILY_QUEUE = 5, 15
MOST_TRIES = 50_000
"""Number of seeds tried for the puzzle of a day. A large Scrabble list needs a few hundred."""

_TILES = "a9 b2 c2 d4 e12 f2 g3 h2 i9 j1 k1 l4 m2 n6 o8 p2 q1 r6 s4 t6 u4 v2 w2 x1 y2 z1"  # without blanks
TILES = "".join(tile[0] * int(tile[1:]) for tile in _TILES.split())
"""The 98 tiles of Scrabble from which letters are drawn, in alphabetical order."""


def usable(words: Collection[str], size: int) -> frozenset[str]:
    """Return the words of 3 to `size` letters, which fit on a grid. Raises BadInput if there are none.

    >>> sorted(usable(["ox", "oxen", "oxtail"], 5))
    ['oxen']
    """
    fitting = frozenset(word for word in words if SHORTEST <= len(word) <= size)
    if not fitting:
        letters = f"{SHORTEST} to {size}" if size > SHORTEST else f"{SHORTEST}"
        raise BadInput(f"dictionary: none of its {len(words):,} words has {letters} letters")
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
    return Position(tuple(grid), queue, Moves((*position.moves, move)))


def replay(start: Position, moves: Sequence[int]) -> list[Position]:
    """Return the position before the first slide and after each. Raises BadInput, with its number, for an illegal one.

    >>> replay(Position(("tsea", "enop", "adis", "ttre"), "eat"), [2])[-1].grid
    ('esea', 'anop', 'tdis', 'etre')
    """
    positions = [start]
    for number, move in enumerate(moves, 1):
        position = positions[-1]
        check_integer(f"move {number},", move, 0, 4 * len(start.grid) - 1)
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
        raise BadInput(f"zone {short(str(zone))}: expected an IANA time zone, as Europe/London") from None
    try:
        seed = round(datetime(day.year, day.month, day.day, tzinfo=local).timestamp() * 1000)
    except (OverflowError, ValueError, OSError):  # the first and the last possible days
        seed = 0
    if seed < 1:
        raise BadInput(f"date {day}: expected 1970-01-02 or later")
    return seed


def draw(seed: int) -> Position:
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
    return Position(rows, text[DAILY_SIZE**2 :])


def draw_daily(day: date, zone: str | None, words: Collection[str]) -> tuple[Position, int, int]:
    """Return the puzzle of a day, the seed that drew it, and the number of seeds tried before.

    The seed goes up until the grid holds none of the words, so another dictionary can stop at another seed. Raises
    BadInput if MOST_TRIES seeds draw a word.
    """
    first = daily_seed(day, zone)
    seed = first
    while find_words((start := draw(seed)).grid, words):
        seed += 1
        if seed - first == MOST_TRIES:
            raise BadInput(f"dictionary: {MOST_TRIES:,} grids drawn all have one of its words: expected fewer words")
    return start, seed, seed - first
