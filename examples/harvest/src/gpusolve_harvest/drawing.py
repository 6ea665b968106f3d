"""How a solution looks, in the terminal and on a page, and the progress of the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gpusolve.output.parts import Line, Part, Tiles
from gpusolve.output.report import Progress
from gpusolve_harvest._solve import Solution
from gpusolve_harvest.rules import cells_of, parse_field


def solution(solution: Solution) -> Iterator[Part]:
    """Yield the field with the cells reaped (the others as dots), then the sum and the path."""
    digits = parse_field(solution.field)
    reaped = set(cells_of(digits, solution.path))
    for i, row in enumerate(digits):
        marks = [(i, j) in reaped for j in range(len(row))]
        text = " ".join(str(digit) if mark else "." for digit, mark in zip(row, marks, strict=True))
        yield Tiles([*map(str, row)], ["green" if mark else "grey" for mark in marks], text)
    proven = "; no walk reaps more" if solution.proven else ""
    yield Line(f"{solution.reaped} reaped by {solution.path or 'staying'}{proven}")


def solve_progress(value: Callable[[str], Any], quiet: bool) -> Progress:
    """Return the progress bar of the command ``solve``."""
    return Progress("walkers, at most", 4 * value("width") * value("steps"), quiet)
