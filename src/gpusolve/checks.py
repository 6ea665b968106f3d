"""What is wrong with a number, said in one way, to whoever calls from Python and on the command line."""

from __future__ import annotations

import math
import numbers
from collections.abc import Collection
from typing import Any

from gpusolve.errors import BadInput


def number(name: str, value: Any, least: float, most: float) -> None:
    """Raises BadInput unless `value` is a number from `least` to `most`; nan is none, nor is True.

    >>> number("width", 0, 1, 100)
    Traceback (most recent call last):
    gpusolve.errors.BadInput: width 0: expected 1 to 100
    """
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or math.isnan(value) or not least <= value <= most:
        raise BadInput(f"{name} {str(value)[:40]}: expected {_text(least)} to {_text(most)}")


def whole(name: str, value: Any, least: int, most: int) -> None:
    """The same, and a whole number it must be.

    >>> whole("games", 2.5, 1, 100)
    Traceback (most recent call last):
    gpusolve.errors.BadInput: games 2.5: expected a whole number, 1 to 100
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not least <= int(value) <= most:
        raise BadInput(f"{name} {str(value)[:40]}: expected a whole number, {_text(least)} to {_text(most)}")


def one_of(name: str, value: Any, known: Collection[str]) -> None:
    """Raises BadInput unless `value` is one of the names that are known.

    >>> one_of("policy", "luck", ("greedy", "two-piece"))
    Traceback (most recent call last):
    gpusolve.errors.BadInput: policy luck: expected one of greedy, two-piece
    """
    if not isinstance(value, str) or value not in known:
        raise BadInput(f"{name} {str(value)[:40]}: expected one of {', '.join(known)}")


def _text(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) and abs(value) < 10**15 else f"{value:g}"
