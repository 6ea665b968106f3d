"""Where a puzzle comes from, and what slides make of it."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.rules import FoundWord, Position, Puzzle
from gpusolve.wordlists import Words, load_words


@dataclass(frozen=True)
class DailyPuzzle:
    """The puzzle of a day: `date` as 2025-05-31, the seed that drew it, and how many seeds before drew a word.

    `zone` is an IANA time zone, or UTC+02:00 and the like where the machine has no name for its own.
    """

    puzzle: Puzzle
    date: str
    zone: str
    puzzle_seed: int
    tries: int


@dataclass(frozen=True)
class ScoredPosition:
    """A position and the words on its grid."""

    position: Position
    words: tuple[FoundWord, ...]

    @property
    def score(self) -> int:
        """One point for each letter of every word."""
        return sum(len(found.word) for found in self.words)


def daily(
    date: str | datetime.date | None = None, zone: str | None = None, puzzle_dictionary: Words = "scowl-70"
) -> DailyPuzzle:
    """The puzzle of a day, which begins at midnight in an IANA time zone (None: the machine's); None: today there.

    The grid holds no word of `puzzle_dictionary`, so another one can give another puzzle. The site has a dictionary of
    its own: with the shipped lists its puzzle is another on two days of three. Raises BadInput for what is not a day
    as 2025-05-31, for a day before 1970, and for an unknown zone.

    >>> daily("2025-05-31", "Europe/London").puzzle.queue
    'raaeutpioesduii'
    """
    if zone is not None:
        rules.daily_seed(datetime.date(2025, 1, 1), zone)  # whether there is such a zone
    if date is None:
        day = datetime.datetime.now(None if zone is None else ZoneInfo(zone)).date()
    elif isinstance(date, str):
        day = _parse_day(date)
    elif isinstance(date, datetime.date):
        day = datetime.date(date.year, date.month, date.day)
    else:
        raise BadInput(f"date {date!r}: expected a day, as 2025-05-31")
    words = rules.usable(load_words(puzzle_dictionary), rules.DAILY_SIZE)
    puzzle, seed, tries = rules.draw_daily(day, zone, words)
    return DailyPuzzle(puzzle, day.isoformat(), local_zone(day) if zone is None else zone, seed, tries)


def _parse_day(text: str) -> datetime.date:
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass
    raise BadInput(f"date {text}: expected a day, as 2025-05-31")


def local_zone(day: datetime.date) -> str:
    """The name of the machine's time zone; where none is known, how far its midnight of this day is from UTC's.

    A name is what TZ says, where /etc/localtime leads to, or what /etc/timezone has, whichever has the machine's
    midnight: the three need not agree, and the machine's clock goes by none of the names.
    """
    midnight = datetime.datetime(day.year, day.month, day.day)
    for name in _zone_names():
        try:
            if midnight.replace(tzinfo=ZoneInfo(name)).timestamp() == midnight.timestamp():
                return name
        except (ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
            continue
    offset = midnight.astimezone().strftime("%z")
    return f"UTC{offset[:3]}:{offset[3:5]}"


def _zone_names() -> Iterator[str]:
    yield os.environ.get("TZ", "").removeprefix(":")
    yield os.path.realpath("/etc/localtime").rpartition("/zoneinfo/")[2]
    with contextlib.suppress(BadInput):
        yield files.read_text("/etc/timezone").strip()


def load_puzzle(path: Path) -> Puzzle:
    """The puzzle in a file: the rows, one per line, and then the queue. Raises BadInput, with the file's name."""
    text = files.read_text(path)
    try:
        return rules.parse_file(text)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def check(moves: str | Sequence[int], puzzle: Puzzle, dictionary: Words = "scowl-70") -> list[ScoredPosition]:
    """The positions before the first slide and after each, with their words.

    `moves` are slides in notation or as numbers. Raises BadInput, with its number, for an illegal slide.

    >>> check("u1 l1 d3", rules.parse_puzzle("tsea/enop/adis/ttre", "eat"))[-1].score
    39
    """
    rules.check_puzzle(puzzle)
    if isinstance(moves, str):
        moves = rules.parse_moves(moves, puzzle.size) if moves.strip() else []
    positions = rules.replay(puzzle, moves)
    words = rules.usable(load_words(dictionary), puzzle.size)
    return [ScoredPosition(position, tuple(rules.find_words(position.grid, words))) for position in positions]
