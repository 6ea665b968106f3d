"""HTML tables for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

MOST_ROWS = 20
"""Number of rows that are shown."""


def html_table(title: str, columns: Mapping[str, Sequence[Any]], count: int) -> str:
    """Return the first rows of a table as HTML.

    `columns` maps names to the values of at most MOST_ROWS rows; `count` is the number of rows of the whole table.

    >>> html_table("a < b", {"a": [1]}, 1)
    '<table><caption>a &lt; b</caption><tr><th>a</th></tr><tr><td>1</td></tr></table>'
    """
    rows = list(zip(*columns.values(), strict=True))[:MOST_ROWS]
    more = f"; the first {len(rows):,} rows of {count:,}" if count > len(rows) else ""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(_text(value))}</td>' for value in row)}</tr>" for row in rows)
    return f"<table><caption>{escape(title + more)}</caption><tr>{head}</tr>{body}</table>"


def _text(value: Any) -> str:
    return f"{value:.5f}" if isinstance(value, float) else str(value)
