"""Crosswords, and a page to look through the solutions of a roll."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.qless._check import Verdict
from gpusolve.games.qless._hint import Hint
from gpusolve.games.qless._shapes import Shapes
from gpusolve.games.qless._solve import Solutions
from gpusolve.games.qless._unsolvable import Unsolvable
from gpusolve.games.qless.drawing import counted, solutions_text
from gpusolve.games.qless.measuring._census import Census
from gpusolve.games.qless.measuring._generate import Generated
from gpusolve.games.qless.rules import EMPTY, MIN_LENGTH, Grid
from gpusolve.output import page

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("solutions.html")
SCRIPT = Path(__file__).with_name("solutions.js")
MAX_ON_PAGE = 20_000
"""Maximum number of solutions on a page; this many take a megabyte."""
FIRST = 12
"""Number of solutions that are shown where no script runs."""


def picture(result: object) -> Markup:
    """Draw a result for a notebook."""
    match result:
        case Grid():
            return _board(result)
        case Solutions():
            about = solutions_text(result.roll, len(result), result.complete)
            return page.part("facts", [("roll", about)]) + _solutions(result, controls=False)
        case Verdict():
            return _board(result.grid) + page.part("facts", [("solution", result.broken_rule or "yes")])
        case Unsolvable():
            return _unsolvable(result)
        case Hint():
            words = f"{' '.join(result.words)} (of {result.solution_words})"
            return page.part("facts", [("roll", result.roll), ("words", words)])
        case Generated():
            return page.part("facts", [("roll", result.rating.roll)]) + page.described(result.rating)
        case Shapes():
            about = f"shapes of {result.letters} letters by number of words"
            return page.part("bars", about, list(result.by_words), list(result.by_words.values()))
        case Census():
            return _census(result)
        case _:
            return page.described(result)


def save_page(path: Path, solutions: Solutions) -> None:
    """Write a page that shows the solutions one at a time. Raises BadInput if it cannot be written."""
    title = solutions_text(solutions.roll, len(solutions), solutions.complete)
    if len(solutions) > MAX_ON_PAGE:
        title += f", of which this page has the first {MAX_ON_PAGE:,}"
    data = {"grids": solutions.texts()[:MAX_ON_PAGE], "shortest": MIN_LENGTH}
    page.save(path, "Q-less", title, _solutions(solutions, controls=True), scripts=(page.PLAYER, SCRIPT), data=data)


def _solutions(solutions: Solutions, *, controls: bool) -> Markup:
    grids = [solutions[i] for i in range(min(len(solutions), FIRST))]
    shown = [{"rows": _rows(grid), "label": _read(grid)} for grid in grids]
    return page.fill(TEMPLATE, grids=shown, count=len(solutions), controls=controls)


def _board(grid: Grid) -> Markup:
    return page.part("board", _rows(grid), _read(grid), "crossword")


def _rows(grid: Grid) -> list[list[tuple[str, str]]]:
    return [[("", "") if letter == EMPTY else (letter, "letter") for letter in row] for row in grid.rows]


def _read(grid: Grid) -> str:
    """Return the rows as text for screen readers."""
    return "grid, rows from the top: " + ", ".join(" ".join(row) for row in grid.rows)


def _unsolvable(result: Unsolvable) -> Markup:
    example = _board(result.example) if result.example else page.part("facts", [("example", "none")])
    if not result.unsolvable:
        return page.part("facts", [("roll", f"{result.roll} has a solution")]) + example
    columns: dict[str, list[Any]] = {
        "left out": [part.without for part in result.parts],
        "remaining letters": [part.letters for part in result.parts],
        "solutions": [part.solutions for part in result.parts],
    }
    return page.table(f"{result.roll} has no solution; what to leave out", columns) + example


def _census(census: Census) -> Markup:
    about = [
        ("rolls", f"{census.rolls:,}" + (f", a sample of seed {census.seed}" if census.sample else "")),
        ("without a solution", f"{census.unsolvable:,} ({census.share:.4%})"),
        ("probability with the dice", f"{census.weighted_share:.4%}"),
    ]
    if not census.counted:
        return page.part("facts", about)
    few = {number: rolls for number, rolls in census.distribution.items() if number < FIRST}
    names = [counted(number, "solution") for number in few]
    return page.part("facts", about) + page.part("bars", "rolls with few solutions", names, list(few.values()))
