"""Days as people write them."""

from __future__ import annotations

import datetime
import re

from gpusolve.checks import lower
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.positions import short

EXPECTED = "expected a day, as 2025-05-31"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = {"today": 0, "yesterday": -1, "tomorrow": 1}
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[.,]?\s*)?"
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?\.?"
_YEAR = r"(?:[\s,]+([0-9]{4}))?"


def read_day(text: str, today: datetime.date) -> datetime.date | None:
    """Return the day that a text names, or None if it looks like something else.

    It can be today, yesterday or tomorrow; 2025-05-31, with ``-``, ``/`` or ``.``; 31.5.2025; 31/5/2025 or 5/31/2025;
    or 31 May 2025 or May 31, 2025, with a weekday or not. Without a year it is the latest such day until `today`.
    Raises BadInput for what looks like a day but is none, and for numbers that can be two days, such as 5/6/2025.

    >>> read_day("Sat 31st May", datetime.date(2026, 1, 1)), read_day("moon", datetime.date(2026, 1, 1))
    (datetime.date(2025, 5, 31), None)
    """
    said = lower(text.strip())
    if said in _NAMES:
        return today + datetime.timedelta(days=_NAMES[said])
    if found := re.fullmatch(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})", said):
        return _date(text, found[1], found[3], found[4])
    if found := re.fullmatch(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})", said):
        return _date(text, found[3], found[2], found[1])
    if found := re.fullmatch(r"([0-9]{1,2})([-/])([0-9]{1,2})\2([0-9]{4})", said):
        first, second = int(found[1]), int(found[3])
        if first != second and first <= 12 and second <= 12:
            raise BadInput(f"date {short(text)}: it can be two days: {EXPECTED}")
        day, month = (first, second) if second <= 12 else (second, first)
        return _date(text, found[4], month, day)
    if found := re.fullmatch(rf"{_WEEKDAY}{_DAY}\s*(?:of\s+)?{_MONTH}{_YEAR}", said):
        return _named(text, found[3], found[2], found[1], today)
    if found := re.fullmatch(rf"{_WEEKDAY}{_MONTH}\s*{_DAY}{_YEAR}", said):
        return _named(text, found[3], found[1], found[2], today)
    if re.fullmatch(r"\d[\dW./-]*", text):
        raise BadInput(f"date {short(text)}: {EXPECTED}")
    return None


def _named(text: str, year: str | None, month: str, day: str, today: datetime.date) -> datetime.date:
    number = _MONTHS.index(month) + 1
    if year is not None:
        return _date(text, year, number, day)
    earlier = range(today.year, today.year - 8, -1)  # 29 February can be eight years ago
    for each in earlier:
        try:
            found = datetime.date(each, number, int(day))
        except ValueError:
            continue
        if found <= today:
            return found
    raise BadInput(f"date {short(text)}: {EXPECTED}")


def _date(text: str, year: str | int, month: str | int, day: str | int) -> datetime.date:
    try:
        return datetime.date(int(year), int(month), int(day))
    except ValueError:
        raise BadInput(f"date {short(text)}: {EXPECTED}") from None
