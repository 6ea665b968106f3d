"""Tables as lines of text that fit a terminal: a table that is too wide is narrowed in the way that costs least.

In this order: a heading of several words takes several lines; columns move closer together; text is folded between
words; the columns are divided into blocks below each other, each with the first column.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

GAP, LEAST_GAP = 2, 1
"""Spaces between two columns, and as few as there may be."""
LONG_WORD = 24
"""Length from which a word, such as the name of a file, may be divided after a hyphen, a slash, a comma or a dot."""
_NUMBER = re.compile(r"-?[\d,]+(\.\d+)?")
_RANGE = re.compile(r"(?<=\d) (±|to) (?=-?\d)")
_GLUE = "\N{NO-BREAK SPACE}"
"""Stands for a space at which a cell is not folded, as in 12 ± 3."""


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]], width: int | None = None) -> list[str]:
    r"""Return a table as lines of at most `width` columns; None: any number.

    Columns of numbers are right-aligned; floats show five decimals, booleans a tick.

    >>> print(*table_lines(["guess", "mean left"], [["salet", 61.3]], 15), sep="\n")
               mean
    guess      left
    -----  --------
    salet  61.30000
    """
    cells = [[_format(value) for value in row] for row in rows]
    right = [all(map(_NUMBER.fullmatch, filter(None, column))) and any(column) for column in zip(*cells, strict=True)]
    return list(_fitted(list(columns), cells, right or [False] * len(columns), sys.maxsize if width is None else width))


def _fitted(heads: list[str], cells: list[list[str]], right: list[bool], width: int) -> Iterator[str]:
    """Yield the lines of a table, or of its blocks."""
    whole, short, least = _natural_widths(heads, cells, right)
    if (found := _fitting(whole, short, least, width)) or len(heads) < 3:  # two cannot be divided
        yield from _drawn(heads, cells, right, *(found or (least, GAP)))
        return
    count = 2
    while count < len(heads) and _total(least[: count + 1], GAP) <= width:
        count += 1
    rest = [0, *range(count, len(heads))]
    yield from _fitted(heads[:count], [row[:count] for row in cells], right[:count], width)
    if count < len(heads):
        yield ""
        yield from _fitted(
            [heads[i] for i in rest], [[row[i] for i in rest] for row in cells], [right[i] for i in rest], width
        )


def _natural_widths(heads: list[str], cells: list[list[str]], right: list[bool]) -> tuple[list[int], ...]:
    """Return three widths of each column: with the heading on one line, with it folded, and the least possible."""
    by_column = [list(column) for column in zip(*cells, strict=True)] if cells else [[] for _ in heads]
    bodies = [max(map(len, column), default=0) for column in by_column]
    whole = [max(len(head), body) for head, body in zip(heads, bodies, strict=True)]
    short = [max(_longest_word(head), body) for head, body in zip(heads, bodies, strict=True)]
    least = [
        body if number else max(_longest_word(head), min(LONG_WORD, max(map(_longest_word, column), default=0)))
        for head, column, body, number in zip(heads, by_column, short, right, strict=True)
    ]
    return whole, short, least


def _fitting(whole: list[int], short: list[int], least: list[int], width: int) -> tuple[list[int], int] | None:
    """Return widths that fit and the gap between columns; None if not even the least do."""
    for gap, widths in ((GAP, whole), (GAP, short), (LEAST_GAP, whole), (LEAST_GAP, short)):
        if _total(widths, gap) <= width:
            return _widened(widths, whole, gap, width), gap
    for gap in (GAP, LEAST_GAP):
        if _total(least, gap) <= width:
            return _narrowed(short, least, gap, width), gap
    return None


def _drawn(heads: list[str], cells: list[list[str]], right: list[bool], widths: list[int], gap: int) -> Iterator[str]:
    """Yield the lines of a table whose columns have these widths."""
    folded_heads = [_fold(head, width) for head, width in zip(heads, widths, strict=True)]
    height = max(map(len, folded_heads))
    head = [[""] * (height - len(lines)) + lines for lines in folded_heads]
    bodies = ([_fold(cell, width) for cell, width in zip(row, widths, strict=True)] for row in cells)
    for row in (head, [["-" * width] for width in widths], *bodies):
        for line in zip_longest(*row, fillvalue=""):
            aligned = zip(line, widths, right, strict=True)
            text = (" " * gap).join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in aligned)
            yield text.replace(_GLUE, " ").rstrip()


def _widened(widths: list[int], whole: list[int], gap: int, width: int) -> list[int]:
    """Return widths with headings on one line where there is room for them, from the left."""
    widths = list(widths)
    for i, natural in enumerate(whole):
        if _total(widths, gap) - widths[i] + natural <= width:
            widths[i] = natural
    return widths


def _narrowed(widths: list[int], least: list[int], gap: int, width: int) -> list[int]:
    """Return widths of which the widest are reduced, down to `least`, until the table fits."""
    widths = list(widths)
    while _total(widths, gap) > width:
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _total(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _fold(text: str, width: int) -> list[str]:
    """Return the lines of a cell."""
    lines = [""]
    for word in text.split(" "):
        for i, piece in enumerate(re.split(r"(?<=[-/,.])", word) if len(word) > max(width, LONG_WORD) else [word]):
            space = " " if lines[-1] and not i else ""
            if lines[-1] and len(lines[-1] + space + piece) > width:
                lines.append(piece)
            else:
                lines[-1] += space + piece
    return lines


def _longest_word(text: str) -> int:
    return max(map(len, text.split(" ")), default=0)


def _format(value: Any) -> str:
    if type(value).__name__ in ("bool", "bool_"):  # the second is NumPy's, which is not imported here
        return "✓" if value else ""
    if isinstance(value, float):
        return f"{value:.5f}"
    return _RANGE.sub(rf"{_GLUE}\1{_GLUE}", str(value))
