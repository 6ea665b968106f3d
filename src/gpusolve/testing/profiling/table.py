"""The lines of a profile as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gpusolve.testing.counting.machines import SECTOR
from gpusolve.testing.profiling.parts import Line

COLUMNS: tuple[tuple[str, Callable[[Line, int], str]], ...] = (
    ("instructions", lambda line, warps: "" if not line.instructions else short(line.instructions / warps)),
    ("runs", lambda line, warps: short(line.runs / warps) if line.runs else ""),
    ("lanes", lambda line, warps: f"{line.lanes:.1f}" if line.runs else ""),
    ("divergent", lambda line, warps: _count(line.divergent)),
    ("sectors", lambda line, warps: _count(line.sectors)),
    ("used", lambda line, warps: f"{line.used / (SECTOR * line.sectors):.0%}" if line.sectors else ""),
    ("conflicts", lambda line, warps: _count(line.conflicts)),
    ("collisions", lambda line, warps: _count(line.collisions)),
    ("barriers", lambda line, warps: _count(line.barriers)),
)
"""The columns: the name, and the text of a line. Instructions and runs are per warp."""
LONGEST = 60
"""Longest text of a line of the ``.cu``."""


def table(lines: Iterable[Line], warps: int) -> list[str]:
    """Return the lines of a launch as rows of text. A column in which nothing was counted is left out."""
    lines = [line for line in lines if line.runs or line.instructions]
    cells = [[text(line, warps) for _, text in COLUMNS] for line in lines]
    kept = [column for column in range(len(COLUMNS)) if any(row[column] for row in cells)]
    several = len({line.file for line in lines}) > 1
    rows = [["line", *(COLUMNS[column][0] for column in kept), "text"]]
    for line, row in zip(lines, cells, strict=True):
        place = f"{line.file}:{line.number}" if several else str(line.number)
        rows.append([place, *(row[column] for column in kept), line.text.strip()[:LONGEST]])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return [
        "  ".join([*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]


def number(count: int, noun: str, plural: str = "s") -> str:
    """Return a number with its noun, which gets the ending `plural` unless the number is one."""
    return f"{count:,} {noun}{plural if count != 1 else ''}"


def short(value: float) -> str:
    """Return a number with a decimal if it is below 100."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _count(value: int) -> str:
    return f"{value:,}" if value else ""
