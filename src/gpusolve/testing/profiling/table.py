"""A profile as text: totals, a table of lines, and the races."""

from __future__ import annotations

from collections.abc import Callable

from gpusolve.testing.profiling.results import SECTOR, Line, Profile

COLUMNS: tuple[tuple[str, Callable[[Line, int], str]], ...] = (
    ("instructions", lambda line, warps: "" if not line.instructions else _short(line.instructions / warps)),
    ("runs", lambda line, warps: _short(line.runs / warps) if line.runs else ""),
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


def table(profile: Profile) -> str:
    """Return a profile as text. A column in which nothing was counted is left out."""
    lines = [line for line in profile.lines if line.runs or line.instructions]
    cells = [[text(line, profile.warps) for _, text in COLUMNS] for line in lines]
    kept = [number for number in range(len(COLUMNS)) if any(row[number] for row in cells)]
    several = len({line.file for line in lines}) > 1
    rows = [["line", *(COLUMNS[number][0] for number in kept), "text"]]
    for line, row in zip(lines, cells, strict=True):
        place = f"{line.file}:{line.number}" if several else str(line.number)
        rows.append([place, *(row[number] for number in kept), line.text.strip()[:LONGEST]])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    shown = [
        "  ".join([*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
    return "\n".join([*totals(profile), "", *shown, *(["", *map(str, profile.races)] if profile.races else [])])


def totals(profile: Profile) -> list[str]:
    """Return the totals of a profile, one sentence each."""
    found = [
        f"{profile.kernel}: {_number(profile.items, 'item')}, {_number(profile.blocks, 'block')} of {profile.threads} "
        f"threads, {_number(profile.warps, 'warp')}"
    ]
    if profile.instructions is not None:
        found.append(f"instructions  {_short(profile.instructions)} per warp")
    found.append(f"active lanes  {profile.lanes:.1f} of 32, {_number(profile.divergent, 'divergent branch', 'es')}")
    found.append(f"memory        {_number(profile.sectors, 'sector')}, {profile.used:.0%} of their bytes used")
    if profile.conflicts or any(line.shared for line in profile.lines):
        found.append(f"shared        {_number(profile.conflicts, 'bank conflict')}")
    if any(line.atomics for line in profile.lines):
        found.append(f"atomics       {_number(profile.collisions, 'collision')}")
    if profile.barriers:
        found.append(f"barriers      {profile.barriers:,}")
    if used := profile.resources:
        spills = used.spill_stores + used.spill_loads
        found.append(
            f"resources     {used.registers} registers, {_number(spills, 'byte')} spilled, {used.shared:,} bytes of "
            f"shared memory, occupancy {profile.occupancy:.0%} ({profile.architecture})"
        )
    found.append(f"races         {len(profile.races) or 'none'}")
    return found


def _number(count: int, noun: str, plural: str = "s") -> str:
    return f"{count:,} {noun}{plural if count != 1 else ''}"


def _count(value: int) -> str:
    return f"{value:,}" if value else ""


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
