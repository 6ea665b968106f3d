"""Short texts of results and values, and rows as columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from reprlib import Repr
from typing import Any

LONGEST = 300
"""Longest text of a result, in characters."""
LONGEST_VALUE = 60
"""Longest text of a value that a page shows, in characters."""


def columns_of(rows: Iterable[object], *names: str) -> dict[str, list[Any]]:
    """Return these attributes of each row as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

    >>> columns_of([1 + 2j, 3 + 4j], "real", "imag")
    {'real': [1.0, 3.0], 'imag': [2.0, 4.0]}
    """
    rows = list(rows)
    return {name: [getattr(row, name) for row in rows] for name in names}


def as_text(result: Any) -> str:
    """Return a dataclass as its call, with long values shortened, in at most LONGEST characters.

    A class of results has the line ``__repr__ = as_text``; an interpreter would print a million characters otherwise.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Toy:
    ...     name: str
    ...     scores: list[int]
    ...     __repr__ = as_text
    >>> Toy("eat", [*range(1000)])
    Toy(name='eat', scores=[0, 1, 2, 3, ...])
    """
    shown = [field for field in dataclasses.fields(result) if field.repr]
    most = max(16, (LONGEST - 40) // max(1, len(shown)))
    for longest in (120, 60, most):
        short = _Short(longest)
        values = (f"{field.name}={short.repr(getattr(result, field.name))}" for field in shown)
        text = f"{type(result).__qualname__}({', '.join(values)})"
        if len(text) <= LONGEST:
            return text
    return f"{text[: LONGEST - 4]}...)"


def shortened(value: object) -> str:
    """Return a value as text of at most LONGEST_VALUE characters; a text stays as it is, as far as it fits.

    >>> shortened("tea"), shortened([*range(1000)])
    ('tea', '[0, 1, 2, 3, ...]')
    """
    text = value if isinstance(value, str) else _Short(LONGEST_VALUE).repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


class _Short(Repr):
    """Values as `repr` shows them, with the middle or the end left out; an array as its type and shape."""

    def __init__(self, longest: int) -> None:
        super().__init__()
        self.maxlevel, self.maxother, self.maxstring, self.maxlong = 2, longest, longest, longest
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = 4

    def repr_instance(self, value: Any, level: int) -> str:
        """Return an array as its type and shape, and anything else as `reprlib` does."""
        if hasattr(value, "dtype") and getattr(value, "ndim", None):
            return f"<{value.dtype} {'x'.join(map(str, value.shape))}>"
        return super().repr_instance(value, level)

    def repr_ndarray(self, value: Any, level: int) -> str:
        """Return an array as `repr_instance` does."""
        return self.repr_instance(value, level)
