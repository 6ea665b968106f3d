"""Grids and shapes side by side, and a page that shows the solutions of a roll."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import zip_longest

from gpusolve.games.qless._shapes import Shapes
from gpusolve.games.qless._solve import Solutions
from gpusolve.games.qless._unsolvable import Unsolvable
from gpusolve.output import report

GAP = "    "


def counted(number: int, noun: str) -> str:
    """Return a number and a noun in the singular or plural.

    >>> counted(1, "shape"), counted(2046, "solution")
    ('1 shape', '2,046 solutions')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def solutions_text(roll: str, number: int, complete: bool) -> str:
    """Return a line that says how many solutions a roll has.

    >>> solutions_text("aet", 1, True), solutions_text("aet", 2, False)
    ('aet: 1 solution', 'aet: at least 2 solutions')
    """
    return f"{roll}: {'' if complete else 'at least '}{counted(number, 'solution')}"


def stream(solutions: Solutions) -> None:
    """Print one JSON object per line for each solution."""
    if len(solutions):
        lines = (f'{{"schema": "gpusolve.qless.solve/1", "grid": "{text}"}}' for text in solutions.texts())
        report.verbatim("\n".join(lines))


def show_solutions(solutions: Solutions, top: int) -> None:
    """Print the number of solutions, and draw the first ones."""
    report.text(solutions_text(solutions.roll, len(solutions), solutions.complete))
    side_by_side([str(solutions[i]) for i in range(min(top, len(solutions)))])


def side_by_side(drawings: Sequence[str]) -> None:
    """Print drawings side by side, as many in a row as the terminal has room for, with an empty line above each row."""
    columns = shutil.get_terminal_size().columns
    row: list[list[str]] = []
    used = 0
    for drawing in drawings:
        lines = drawing.splitlines()
        width = max(map(len, lines)) + len(GAP)
        if row and used + width - len(GAP) > columns:
            _print_row(row)
            row, used = [], 0
        row.append(lines)
        used += width
    if row:
        _print_row(row)


def _print_row(row: list[list[str]]) -> None:
    widths = [max(map(len, lines)) for lines in row]
    report.text()
    for parts in zip_longest(*row, fillvalue=""):
        report.text(GAP.join(part.ljust(width) for part, width in zip(parts, widths, strict=True)).rstrip())


def show_unsolvable(result: Unsolvable) -> None:
    """Print whether the roll has no solution, a table of its parts that have one, and an example."""
    if not result.unsolvable:
        report.text(f"{result.roll} has a solution:")
    elif not result.parts:
        report.text(f"{result.roll} has no solution, and no part of it has one")
    else:
        left_out = len(result.parts[0].without)
        report.text(f"{result.roll} has no solution, but leaving out {counted(left_out, 'letter')} helps:")
        rows = [(part.without, part.letters, part.solutions) for part in result.parts]
        report.table(("left out", "remaining letters", "solutions"), rows)
    if result.example is not None:
        side_by_side([str(result.example)])


def show_shapes(shapes: Shapes, top: int) -> None:
    """Print the numbers of shapes, and draw the first ones."""
    report.text(
        f"{shapes.letters} letters, words of {shapes.min_length} or more: {counted(len(shapes), 'shape')} up to "
        f"transposition ({int(shapes.symmetric.sum()):,} symmetric), {shapes.fixed:,} fixed, {shapes.free:,} up to "
        f"rotation and reflection, from {shapes.polyominoes:,} fixed polyominoes"
    )
    report.table(("words", "shapes"), shapes.by_words.items())
    side_by_side([" ".join(shapes.text(number)).replace(" / ", "\n") for number in range(min(top, len(shapes)))])
