"""What is wrong with a number, said in one way, to whoever calls from Python and on the command line."""

from __future__ import annotations

import math
import numbers
import os
import re
import string
from collections.abc import Collection
from typing import Any

from gpusolve.errors import BadInput


def check_number(name: str, value: Any, least: float, most: float) -> None:
    """Raises BadInput unless `value` is a number from `least` to `most`; nan is none, nor is True.

    >>> check_number("width", 0, 1, 100)
    Traceback (most recent call last):
    gpusolve.errors.BadInput: width 0: expected 1 to 100
    """
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or math.isnan(value) or not least <= value <= most:
        raise BadInput(f"{name} {shown(value)}: expected {_text(least)} to {_text(most)}")


def check_integer(name: str, value: Any, least: int, most: int) -> None:
    """The same, and a whole number it must be.

    >>> check_integer("games", 2.5, 1, 100)
    Traceback (most recent call last):
    gpusolve.errors.BadInput: games 2.5: expected a whole number, 1 to 100
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not least <= int(value) <= most:
        raise BadInput(f"{name} {shown(value)}: expected a whole number, {_text(least)} to {_text(most)}")


def check_type(name: str, value: Any, expected: type | tuple[type, ...]) -> None:
    """Raises TypeError unless `value` is of an expected type.

    >>> check_type("deal", "a b", dict)
    Traceback (most recent call last):
    TypeError: deal: expected dict, not str
    """
    if not isinstance(value, expected):
        names = " or ".join(one.__name__ for one in (expected if isinstance(expected, tuple) else (expected,)))
        raise TypeError(f"{name}: expected {names}, not {type(value).__name__}")


def check_choice(name: str, value: Any, known: Collection[str]) -> None:
    """Raises BadInput unless `value` is one of the names that are known.

    >>> check_choice("policy", "luck", ("greedy", "two-piece"))
    Traceback (most recent call last):
    gpusolve.errors.BadInput: policy luck: expected one of greedy, two-piece
    """
    if not isinstance(value, str) or value not in known:
        raise BadInput(f"{name} {shown(value)}: expected one of {', '.join(known)}")


def check_memory(name: str, value: int, wanted: int) -> None:
    """Raises BadInput if so many bytes are more than this machine has: said at once, not when they are all in use."""
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return
    if wanted > there > 0:
        has = f"{there / 2**30:,.1f} GiB of memory"
        raise BadInput(f"{name} {value:,}: wants {wanted / 2**30:,.1f} GiB, and this machine has {has}")


_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lower(text: str) -> str:
    """A-Z become a-z, and nothing else changes: `str.lower` makes a k of the sign for kelvin.

    >>> lower("King"), lower("\N{KELVIN SIGN}ing") == "\N{KELVIN SIGN}ing"
    ('king', True)
    """
    return text.translate(_SMALL)


def digits(text: str, most: int) -> int | None:
    """The whole number up to `most` that a text of digits 0-9 writes; None for any other text.

    >>> digits("12", 100), digits("12", 10), digits("\N{ARABIC-INDIC DIGIT THREE}", 10), digits("1_0", 10)
    (12, None, None, None)
    """
    number = int(text) if re.fullmatch("[0-9]{1,18}", text) else most + 1
    return number if number <= most else None


def _text(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) and abs(value) < 10**15 else f"{value:g}"


def shown(value: Any) -> str:
    """Return the start of a value as text, for a message."""
    try:
        return str(value)[:40]
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "with thousands of digits"
