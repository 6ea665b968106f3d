"""Checks of numbers, names and types that a user gives, in Python or on the command line, with one wording for all."""

from __future__ import annotations

import numbers
import os
import re
import string
from collections.abc import Collection, Sequence
from typing import Any

from gpusolve.errors import BadInput


def check_number(name: str, value: Any, least: float, most: float) -> None:
    """Raise BadInput unless `value` is a number from `least` to `most`; nan and booleans are not numbers.

    >>> check_number("width", 0, 1, 100)
    Traceback (most recent call last):
    gpusolve.errors.BadInput: width 0: expected 1 to 100
    """
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    try:
        fits = is_number and least <= float(value) <= most  # false for nan
    except OverflowError:  # an integer of hundreds of digits
        fits = False
    if not fits:
        raise BadInput(f"{name} {shown(value)}: expected {_range(least, most)}")


def check_integer(name: str, value: Any, least: int, most: int) -> int:
    """Return `value` as an int: NumPy has integers that kernels are not compiled for, and that overflow.

    Raises BadInput unless it is an integer from `least` to `most`; booleans are not integers.

    >>> check_integer("games", 2.5, 1, 100)
    Traceback (most recent call last):
    gpusolve.errors.BadInput: games 2.5: expected a whole number, 1 to 100
    """
    is_whole = type(value) is int or (isinstance(value, numbers.Integral) and not isinstance(value, bool))
    if not is_whole or not least <= int(value) <= most:
        raise BadInput(f"{name} {shown(value)}: expected a whole number, {_range(least, most)}")
    return int(value)


def check_type(name: str, value: Any, expected: type | tuple[type, ...]) -> None:
    """Raise TypeError unless `value` has an expected type.

    >>> check_type("deal", "a b", dict)
    Traceback (most recent call last):
    TypeError: deal: expected dict, not str
    """
    if not isinstance(value, expected):
        types = expected if isinstance(expected, tuple) else (expected,)
        names = " or ".join(kind.__name__ for kind in types)
        raise TypeError(f"{name}: expected {names}, not {type(value).__name__}")


def check_choice(name: str, value: Any, known: Collection[str]) -> None:
    """Raise BadInput unless `value` is one of the known names.

    >>> check_choice("policy", "luck", ("greedy", "two-piece"))
    Traceback (most recent call last):
    gpusolve.errors.BadInput: policy luck: expected one of greedy, two-piece
    """
    if not isinstance(value, str) or value not in known:
        raise BadInput(f"{name} {shown(value)}: expected one of {', '.join(known)}")


def suggestion(word: str, known: Collection[str]) -> str:
    """Return the end of an error about an unknown word: the known words nearest to it, or nothing if none is near.

    >>> suggestion("wrdle", ["quordle", "wordle", "tetris"]), suggestion("chess", ["wordle", "tetris"])
    (': did you mean wordle?', '')
    """
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), known, cutoff=0.7)
    return f": did you mean {' or '.join(near)}?" if near else ""


def check_memory(name: str, value: int, required: int) -> None:
    """Raise BadInput if `value` needs more bytes than this machine has, before anything is allocated."""
    try:
        available = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return
    if required > available > 0:
        machine = f"{available / 2**30:,.1f} GiB"
        raise BadInput(f"{name} {value:,}: needs {required / 2**30:,.1f} GiB of memory, but this machine has {machine}")


def joined(name: str, text: str | Sequence[str], separator: str = " ") -> str:
    """Return a text that may be given in several pieces, as the words of a command line are.

    >>> joined("deal", ["a b", "c"])
    'a b c'
    """
    if isinstance(text, str):
        return text
    check_type(name, text, Sequence)
    for piece in text:
        check_type(name, piece, str)
    return separator.join(text)


def split_words(items: Sequence[str]) -> list[str]:
    """Split the items that are words separated by commas, in any alphabet.

    >>> split_words(["crane,moist", "szép,zsír", "Wordle 1,234 4/6", "salet:-y--g"])
    ['crane', 'moist', 'szép', 'zsír', 'Wordle 1,234 4/6', 'salet:-y--g']
    """
    return [
        word
        for item in items
        for word in (item.split(",") if isinstance(item, str) and re.fullmatch(r"[^\s\d:]+", item) else [item])
    ]


def words_of(words: str | Sequence[str]) -> list[str]:
    """Return the words of a text, or of several texts, separated by spaces or commas.

    >>> words_of("crane,moist badly"), words_of(["crane,moist", "badly"])
    (['crane', 'moist', 'badly'], ['crane', 'moist', 'badly'])
    """
    return split_words(words.split() if isinstance(words, str) else words)


_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lower(text: str) -> str:
    """Turn A-Z into a-z and leave everything else alone; `str.lower` turns the Kelvin sign into a k.

    >>> lower("King"), lower("\N{KELVIN SIGN}ing") == "\N{KELVIN SIGN}ing"
    ('king', True)
    """
    return text.translate(_LOWER)


def digits(text: str, most: int) -> int | None:
    """Return the whole number up to `most` that is written in the digits 0-9, or None for any other text.

    >>> digits("12", 100), digits("12", 10), digits("\N{ARABIC-INDIC DIGIT THREE}", 10), digits("1_0", 10)
    (12, None, None, None)
    """
    number = int(text) if re.fullmatch("[0-9]{1,18}", text) else most + 1
    return number if number <= most else None


def numbers_in(text: str) -> tuple[int, ...] | None:
    """Return the whole numbers that a text lists with commas between them, or None for any other text.

    >>> numbers_in("8,4,3"), numbers_in("8, 4"), numbers_in("8,")
    ((8, 4, 3), None, None)
    """
    return tuple(map(int, text.split(","))) if re.fullmatch("[0-9]{1,9}(,[0-9]{1,9}){0,99}", text) else None


def shown(value: Any) -> str:
    """Return the start of a value as text, for an error message."""
    try:
        return str(value)[:40]
    except ValueError:  # Python refuses to print a number of more than 4,300 digits
        return "with thousands of digits"
    except RecursionError:
        return "nested thousands of times"


def _range(least: float, most: float) -> str:
    """Return a text for the numbers from `least` to `most`.

    >>> _range(1, 2000), _range(0, float("inf"))
    ('1 to 2,000', '0 or more')
    """
    return f"{_text(least)} or more" if most == float("inf") else f"{_text(least)} to {_text(most)}"


def _text(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) and abs(value) < 10**15 else f"{value:g}"
