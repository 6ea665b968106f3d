"""The command ``daily``: the puzzle of a day."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.puzzles import DailyPuzzle
from gpusolve.wordlists import Words, load_words


def daily(
    date: str | datetime.date | None = None, *, zone: str | None = None, puzzle_dictionary: Words = "scowl-70"
) -> DailyPuzzle:
    """Draw the puzzle of a day.

    Parameters
    ----------
    date : str or datetime.date, optional
        The day, as ``"2025-05-31"``; by default today in `zone`.
    zone : str, optional
        The IANA time zone whose midnight begins the day; by default the machine's.
    puzzle_dictionary : Words, default "scowl-70"
        Puzzles are drawn until the grid holds none of these words, so another dictionary can give another puzzle. The
        site uses a dictionary that is not shipped here: with ours, two puzzles out of three differ from the site's.

    Returns
    -------
    DailyPuzzle

    Raises
    ------
    BadInput
        For a date in another form, for a day before 1970, and for an unknown zone.

    Examples
    --------
    >>> daily("2025-05-31", zone="Europe/London").puzzle.queue
    'raaeutpioesduii'
    """
    if zone is not None:
        rules.daily_seed(datetime.date(2025, 1, 1), zone)  # raises BadInput for an unknown zone
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
    return DailyPuzzle(puzzle, day.isoformat(), _local_zone(day) if zone is None else zone, seed, tries)


def _parse_day(text: str) -> datetime.date:
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass
    raise BadInput(f"date {text}: expected a day, as 2025-05-31")


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
