"""The text that the command prints."""

from __future__ import annotations

from gpusolve.output import report
from gpusolve_harvest._solve import Solution
from gpusolve_harvest.rules import cells_of, parse_field


def show_solution(solution: Solution, field: str) -> None:
    """Print the field with the cells reaped (the others as dots), then the sum and the path."""
    digits = parse_field(field)
    reaped = set(cells_of(digits, solution.path))
    for i, row in enumerate(digits):
        marks = [(i, j) in reaped for j in range(len(row))]
        text = " ".join(str(digit) if mark else "." for digit, mark in zip(row, marks, strict=True))
        report.tiles("".join(map(str, row)), ["green" if mark else "grey" for mark in marks], text)
    report.text(
        f"{solution.reaped} reaped by {solution.path or 'staying'}"
        + ("; no walk reaps more" if solution.proven else "")
    )
