"""How results look: grids and shapes side by side, counts, and a page to look through the solutions of a roll."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve.games.qless._check import Verdict
from gpusolve.games.qless._count import Count
from gpusolve.games.qless._hint import Hint
from gpusolve.games.qless._shapes import Shapes
from gpusolve.games.qless._solve import SHARES, Found, Solutions
from gpusolve.games.qless._unsolvable import Unsolvable
from gpusolve.games.qless.rolls import Roll
from gpusolve.games.qless.rules import EMPTY, MIN_LENGTH, Grid
from gpusolve.output import page, report
from gpusolve.output.parts import Line, Note, Part, Picture, Table, Title, Verbatim, counted

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = Path(__file__).with_name("solutions.html")
SCRIPT = Path(__file__).with_name("solutions.js")
MAX_ON_PAGE = 20_000
"""Maximum number of solutions on a page; this many take a megabyte."""
FIRST = 12
"""Number of solutions that are shown where no script runs."""
GAP = "    "


def roll(roll: Roll) -> Iterator[Part]:
    """Yield the letters of a roll, and its seed."""
    yield Line(roll.roll)
    yield Note(f"seed {roll.seed}, roll {roll.number}")


def solutions(solutions: Solutions, *, top: int = 6) -> Iterator[Part]:
    """Yield the number of solutions, and the first ones.

    Parameters
    ----------
    top : int, default 6
        Number of solutions to draw.
    """
    title = solutions_text(solutions.roll, len(solutions), solutions.complete)
    more = f", of which this page has the first {MAX_ON_PAGE:,}" if len(solutions) > MAX_ON_PAGE else ""
    yield Title(title + more)
    yield Line(title)
    grids = [solutions[i] for i in range(min(top, len(solutions)))]
    drawn = [str(grid) for grid in grids]
    yield Picture(
        lambda controls: _solutions_page(solutions, controls),
        tuple(side_by_side(drawn)),
        scripts=(page.PLAYER, SCRIPT),
        data=lambda: {"grids": solutions.texts()[:MAX_ON_PAGE], "shortest": MIN_LENGTH},
    )
    if doubtful := sorted({word for grid in grids for word in grid.words}.intersection(solutions.doubtful)):
        yield Note(f"only in some dictionaries: {' '.join(doubtful)}")


def found(found: Found) -> Iterator[Part]:
    """Yield a solution on one line."""
    yield Verbatim(found.grid)


def count(count: Count) -> Iterator[Part]:
    """Yield the number of solutions."""
    yield Line(solutions_text(count.roll, count.solutions, count.complete))


def verdict(verdict: Verdict) -> Iterator[Part]:
    """Yield the grid and, if it is a solution, its words."""
    yield Picture(lambda _: board(verdict.grid), (Line(str(verdict.grid)),))
    if verdict.legal:
        yield Line(f"a solution: {marked(verdict.words, verdict.doubtful)}")
        yield from _marks(verdict.words, verdict.doubtful)


def hint(hint: Hint) -> Iterator[Part]:
    """Yield the words that are revealed."""
    yield Line(f"{marked(hint.words, hint.doubtful)} (of {counted(hint.solution_words, 'word')})")
    yield from _marks(hint.words, hint.doubtful)


def unsolvable(result: Unsolvable) -> Iterator[Part]:
    """Yield whether the roll has no solution, a table of its parts that have one, and an example."""
    if not result.unsolvable:
        yield Line(f"{result.roll} has a solution:")
    elif not result.parts:
        yield Line(f"{result.roll} has no solution, and no part of it has one")
    else:
        left_out = len(result.parts[0].without)
        yield Line(f"{result.roll} has no solution, but leaving out {counted(left_out, 'letter')} helps:")
        rows = [(part.without, part.letters, part.solutions) for part in result.parts]
        yield Table(("left out", "remaining letters", "solutions"), rows, "what to leave out")
    if (example := result.example) is not None:
        yield Picture(lambda _: board(example), tuple(side_by_side([str(example)])))


def shapes(shapes: Shapes, *, top: int = 6) -> Iterator[Part]:
    """Yield the numbers of shapes, and the first ones.

    Parameters
    ----------
    top : int, default 6
        Number of shapes to draw.
    """
    yield Line(
        f"{shapes.letters} letters, words of {shapes.min_length} or more: {counted(len(shapes), 'shape')} up to "
        f"transposition ({shapes.symmetric_count:,} symmetric), {shapes.fixed:,} fixed, {shapes.free:,} up to "
        f"rotation and reflection, from {shapes.polyominoes:,} fixed polyominoes"
    )
    yield Table(("words", "shapes"), list(shapes.by_words.items()), f"shapes of {shapes.letters} letters")
    yield from side_by_side(
        [" ".join(shapes.text(number)).replace(" / ", "\n") for number in range(min(top, len(shapes)))]
    )


def solve_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a search."""
    return report.Progress("parts searched", SHARES, quiet)


count_progress = solve_progress


def marked(words: Sequence[str], doubtful: Sequence[str]) -> str:
    """Return words in one line, with * after those that are only in some dictionaries.

    >>> marked(["tea", "eau"], ["eau"])
    'tea eau*'
    """
    return " ".join(f"{word}*" if word in doubtful else word for word in words)


def _marks(words: Sequence[str], doubtful: Sequence[str]) -> Iterator[Part]:
    """Yield what the mark says if there is one."""
    if set(words).intersection(doubtful):
        yield Note("* only in some dictionaries")


def solutions_text(roll: str, number: int, complete: bool) -> str:
    """Return a line that says how many solutions a roll has.

    >>> solutions_text("aet", 1, True), solutions_text("aet", 2, False)
    ('aet: 1 solution', 'aet: at least 2 solutions')
    """
    return f"{roll}: {'' if complete else 'at least '}{counted(number, 'solution')}"


def side_by_side(drawings: Sequence[str]) -> Iterator[Part]:
    """Yield drawings side by side, as many in a row as the terminal has room for, with an empty line above each row."""
    columns = shutil.get_terminal_size().columns
    row: list[list[str]] = []
    used = 0
    for drawing in drawings:
        lines = drawing.splitlines()
        width = max(map(len, lines)) + len(GAP)
        if row and used + width - len(GAP) > columns:
            yield _row(row)
            row, used = [], 0
        row.append(lines)
        used += width
    if row:
        yield _row(row)


def _row(row: list[list[str]]) -> Verbatim:
    widths = [max(map(len, lines)) for lines in row]
    lines = zip_longest(*row, fillvalue="")
    texts = (GAP.join(part.ljust(n) for part, n in zip(parts, widths, strict=True)).rstrip() for parts in lines)
    return Verbatim("\n".join(["", *texts]))


def _solutions_page(solutions: Solutions, controls: bool) -> Markup:
    grids = [solutions[i] for i in range(min(len(solutions), FIRST))]
    shown = [{"rows": _rows(grid), "label": _read(grid)} for grid in grids]
    return page.fill(TEMPLATE, grids=shown, count=len(solutions), controls=controls)


def board(grid: Grid) -> Markup:
    """Return a grid as a part of a page."""
    return page.part("board", _rows(grid), _read(grid), "crossword")


def _rows(grid: Grid) -> list[list[tuple[str, str]]]:
    return [[("", "") if letter == EMPTY else (letter, "letter") for letter in row] for row in grid.rows]


def _read(grid: Grid) -> str:
    """Return the rows as text for screen readers."""
    return "grid, rows from the top: " + ", ".join(" ".join(row) for row in grid.rows)
