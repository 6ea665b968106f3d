"""Puzzles, as people write them and as a day draws them."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gpusolve import files
from gpusolve.checks import check_type, joined, lower
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules, seeds
from gpusolve.games.queuedle.days import EXPECTED, read_day
from gpusolve.games.queuedle.positions import SIZES, Position, short
from gpusolve.result import Result, reported
from gpusolve.wordlists import Words, known, load_words

SITE = "queuedle"
"""The name of the site's dictionary among the lists that can be downloaded."""
NOTE = (
    "the site uses a dictionary that is not shipped here, so two boards out of three differ from the site's."
    f" Download it with gpusolve lists get {SITE} --use, pass it with --puzzle-dictionary, or give the grid that the"
    " site shows: gpusolve queuedle daily 'ROWS'"
)


@dataclass(frozen=True, repr=False)
class Puzzle(Result, schema="queuedle.daily/2"):
    """A puzzle: a grid and a queue, in lower-case letters.

    Parameters
    ----------
    grid : tuple of str
        3 to 6 rows from top to bottom, each with as many letters as there are rows.
    queue : str
        The letters to come, the first one first; at most 31.
    date : str, optional
        For the puzzle of a day: the day, as 2025-05-31.
    zone : str, optional
        The time zone whose midnight begins the day: an IANA name, or UTC+02:00 and the like if the zone of the machine
        has no known name.
    puzzle_dictionary : str, optional
        The name of the words that the grid must not contain; None if they have no name.
    puzzle_seed : int, optional
        The seed that drew the puzzle: the milliseconds from 1970 to midnight, plus `tries`.
    tries : int, optional
        Number of seeds tried before, each of which drew a grid with a word on it.

    Raises
    ------
    BadInput
        For any other grid or queue.

    Examples
    --------
    >>> print(Puzzle.parse("tsea/enop/adis/ttre eat"))
    tsea/enop/adis/ttre eat
    """

    grid: tuple[str, ...]
    queue: str = ""
    date: str | None = field(default=None, repr=False, compare=False)
    zone: str | None = field(default=None, repr=False, compare=False)
    puzzle_dictionary: str | None = field(default=None, repr=False, compare=False)
    puzzle_seed: int | None = field(default=None, repr=False, compare=False)
    tries: int | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not (isinstance(self.grid, tuple) and all(isinstance(text, str) for text in (*self.grid, self.queue))):
            raise BadInput("puzzle: expected a tuple of rows and a queue, all of them strings")
        rows = len(self.grid)
        for number, row in enumerate(self.grid, 1):
            _check_letters(f"grid, row {number}", row)
        if rows not in SIZES:
            raise BadInput(f"grid: {rows} row{'s' * (rows != 1)}: expected 3 to 6, as abcd/efgh/ijkl/mnop")
        for number, row in enumerate(self.grid, 1):
            if len(row) != rows:
                raise BadInput(
                    f"grid, row {number}: '{short(row)}' has {len(row)} letters: expected {rows}, the number of rows"
                )
        _check_letters("queue", self.queue)
        if len(self.queue) > rules.MOST_QUEUE:
            raise BadInput(f"queue: {len(self.queue)} letters: expected at most {rules.MOST_QUEUE}")

    def __str__(self) -> str:
        return f"{'/'.join(self.grid)} {self.queue}".rstrip()

    @classmethod
    def parse(
        cls,
        puzzle: AnyPuzzle = None,
        *,
        zone: str | None = None,
        puzzle_dictionary: Words | None = None,
        dictionary: Words = "scowl-70",
    ) -> Puzzle:
        """Read a puzzle as people write it, from a file, or draw the one of a day.

        Parameters
        ----------
        puzzle : Puzzle, str, path, date or sequence of str, optional
            3 to 6 rows, separated by ``/``, commas or white space, and then the queue; the name of a file with such
            a text; or a day, as ``2025-05-31`` or as `read_day` reads it. By default today's puzzle. Several texts are
            joined; a `Puzzle` is returned as it is.
        zone : str, optional
            The IANA time zone whose midnight begins the day. By default the machine's.
        puzzle_dictionary : Words, optional
            Words that the grid of a day must not contain. By default those of `dictionary`.
        dictionary : Words, default "scowl-70"
            The words that count.

        Returns
        -------
        Puzzle

        Raises
        ------
        BadInput
            For a text, a file or a day that is no puzzle, and for a zone or a `puzzle_dictionary` without a day.

        Examples
        --------
        >>> Puzzle.parse("fndoi/eedgr/aadqs/oeilx/eyatg aikiu").grid[1]
        'eedgr'
        """
        given = puzzle
        if not (given is None or isinstance(given, Puzzle | Path | datetime.date)):
            given = _meant(joined("puzzle", given).strip(), zone)
        if given is None or isinstance(given, datetime.date):
            return of_day(given, zone=zone, dictionary=dictionary if puzzle_dictionary is None else puzzle_dictionary)
        for name, value in (("zone", zone), ("puzzle_dictionary", puzzle_dictionary)):
            if value is not None:
                raise BadInput(f"{name}: expected with a date or for today's puzzle, not with another puzzle")
        if isinstance(given, Puzzle):
            return given
        if isinstance(given, str):
            return _typed(given)
        text = files.read_text(given)
        try:
            return _typed(text)
        except BadInput as error:
            raise BadInput(f"{given}: {error}") from error

    @property
    def size(self) -> int:
        """Number of rows, and of letters in a row."""
        return len(self.grid)

    @property
    def start(self) -> Position:
        """The position before the first slide."""
        return Position(self.grid, self.queue)

    @reported
    def note(self) -> str | None:
        """Why the site may have another puzzle on this day; None for its words or grid, and for your own words."""
        if self.puzzle_dictionary in (None, SITE):
            return None
        return NOTE if known(self.puzzle_dictionary) else None


AnyPuzzle: TypeAlias = Puzzle | str | Path | datetime.date | Sequence[str] | None
"""What `Puzzle.parse` reads."""


def of_day(date: str | datetime.date | None, *, zone: str | None = None, dictionary: Words = "scowl-70") -> Puzzle:
    """Draw the puzzle of a day, as the function `daily` explains."""
    today = today_in(zone)
    if date is None:
        day = today
    elif isinstance(date, datetime.date):
        day = datetime.date(date.year, date.month, date.day)
    else:
        check_type("date", date, str)
        found = read_day(date, today)
        if found is None:
            raise BadInput(f"date {short(date)}: {EXPECTED}")
        day = found
    start, seed, tries = rules.draw_daily(day, zone, rules.usable(load_words(dictionary), rules.DAILY_SIZE))
    return Puzzle(
        start.grid,
        start.queue,
        date=day.isoformat(),
        zone=_local_zone(day) if zone is None else zone,
        puzzle_dictionary=str(dictionary) if isinstance(dictionary, str | Path) else None,
        puzzle_seed=seed,
        tries=tries,
    )


def of_grid(text: str, *, zone: str | None = None) -> Puzzle:
    """Return the puzzle of the day on which the site shows a grid.

    The text has the 25 letters of the grid row by row, and then those of the queue that are known, with anything
    between them. Raises BadInput for other texts, and for a grid that no day has, or with another queue.
    """
    letters = re.sub(r"[\s,;|/]+", "", lower(text))
    _check_letters("day", letters)
    cells = rules.DAILY_SIZE**2
    if not cells <= len(letters) <= cells + rules.DAILY_QUEUE:
        shown = f"the {cells} letters of the site's grid, and then those of the queue that it shows"
        raise BadInput(f"day '{short(text)}': {len(letters)} letters: {EXPECTED}, or {shown}")
    grid, queue = letters[:cells], letters[cells:]
    drawn = seeds.find(grid, "", today=today_in(zone), zone=zone)
    if drawn is None:
        where = "" if zone is None else f" in {zone}"
        raise BadInput(f"grid {short(grid)}: no day{where} has this grid: expected the 25 letters that the site shows")
    if not drawn.start.queue.startswith(queue):
        known = drawn.start.queue[: len(queue)]
        raise BadInput(f"queue {short(queue)}: the grid is that of {drawn.day}, whose queue begins with {known}")
    return Puzzle(
        drawn.start.grid,
        drawn.start.queue,
        date=drawn.day.isoformat(),
        zone=drawn.zone or zone or _local_zone(drawn.day),
        puzzle_seed=drawn.seed,
        tries=drawn.tries,
    )


def today_in(zone: str | None) -> datetime.date:
    """Return the day in a zone, or on this machine. Raises BadInput for an unknown zone."""
    if zone is None:
        return datetime.datetime.now().date()
    rules.daily_seed(datetime.date(2025, 1, 1), zone)  # raises BadInput for an unknown zone
    return datetime.datetime.now(ZoneInfo(zone)).date()


def _meant(text: str, zone: str | None) -> str | Path | datetime.date:
    """Return the file or the day that a text names; any other text stays."""
    if files.exists(text):
        return Path(text)
    if (day := read_day(text, today_in(zone))) is not None:
        return day
    return Path(text) if "." in text else text


def _typed(text: str) -> Puzzle:
    """Read rows and queue. Without a ``/``, the first row says how many rows there are."""
    if "/" in text:
        rows, *queue = re.split(r"[,\s]+", re.sub(r"\s*/[\s/]*", "/", text).strip("/, \t\r\n"))
        grid = rows.split("/")
    else:
        fields = re.findall(r"[^,\s]+", text)
        if len(fields) < 2:
            expected = "expected rows and queue such as 'abcd/efgh/ijkl/mnop eat', a date such as 2025-05-31, or a file"
            raise BadInput(f"puzzle {short(text)}: {expected}" if fields else f"puzzle: empty: {expected}")
        grid, queue = fields[: len(fields[0])], fields[len(fields[0]) :]
    return Puzzle(tuple(map(lower, grid)), lower("".join(queue)))


def _check_letters(name: str, text: str) -> None:
    wrong = next((character for character in text if not ("a" <= character <= "z")), None)
    if wrong is not None:
        raise BadInput(f"{name}: '{wrong}' in '{short(text)}': expected letters a-z only")


def _local_zone(day: datetime.date) -> str:
    """Return the name of the machine's time zone, or its offset from UTC at midnight if no name is known.

    TZ, the target of /etc/localtime and /etc/timezone can each name a zone. They need not agree, and the machine's
    clock follows none of the names, so the first name with the machine's midnight wins.
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
