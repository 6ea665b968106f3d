"""Where a puzzle comes from, and what slides make of it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.rules import FoundWord, Position, Puzzle
from gpusolve.wordlists import Words, load_words

ZONE = "Europe/London"


@dataclass(frozen=True)
class DailyPuzzle:
    """The puzzle of a day: `date` as 2025-05-31, the seed that drew it, and how many seeds before drew a word."""

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


def daily(date: str | datetime.date | None = None, zone: str = ZONE, dictionary: Words = "scowl-70") -> DailyPuzzle:
    """The puzzle of a day, which begins at midnight in an IANA time zone; None: today there.

    The grid holds no word of the dictionary, so another dictionary can give another puzzle. Raises BadInput for what is
    not a day as 2025-05-31, and for an unknown zone.

    >>> daily("2025-05-31").puzzle.queue
    'raaeutpioesduii'
    """
    if date is None:
        rules.daily_seed(datetime.date(2025, 1, 1), zone)  # whether there is such a zone
        day = datetime.datetime.now(ZoneInfo(zone)).date()
    elif isinstance(date, str):
        try:
            day = datetime.date.fromisoformat(date)
        except ValueError:
            raise BadInput(f"date {date}: expected a day, as 2025-05-31") from None
    else:
        day = date
    words = rules.usable(load_words(dictionary), rules.DAILY_SIZE)
    puzzle, seed, tries = rules.draw_daily(day, zone, words)
    return DailyPuzzle(puzzle, day.isoformat(), zone, seed, tries)


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
    if isinstance(moves, str):
        moves = rules.parse_moves(moves, puzzle.size) if moves.strip() else []
    positions = rules.replay(puzzle, moves)
    words = rules.usable(load_words(dictionary), puzzle.size)
    return [ScoredPosition(position, tuple(rules.find_words(position.grid, words))) for position in positions]
