"""Harvest in plain Python, slow and obvious: the oracle of the tests.

A field is a square of digits. You begin in the upper left corner, reap the digit there, and take so many steps left,
right, up or down, onto cells that you have not reaped yet. What counts is the sum of all that you reap.
"""

from __future__ import annotations

from gpusolve.errors import BadInput

LARGEST = 8
"""Cells of a side, at most: what is reaped fits 64 bits."""
DIRECTIONS = "lrud"
STEP = {"l": (0, -1), "r": (0, 1), "u": (-1, 0), "d": (1, 0)}

Field = tuple[tuple[int, ...], ...]


def parse_field(text: str) -> Field:
    """A field from its rows, as ``131/925/347``. Raises BadInput unless it is a square of 2 to 8 digits a side.

    >>> parse_field("13/92")
    ((1, 3), (9, 2))
    """
    rows = text.strip().split("/")
    if not 2 <= len(rows) <= LARGEST:
        raise BadInput(f"field: {len(rows)} rows: expected 2 to {LARGEST}, as 131/925/347")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows) or not (row.isascii() and row.isdecimal()):
            raise BadInput(f"field, row {number}: '{row}': expected {len(rows)} digits, as many as there are rows")
    return tuple(tuple(map(int, row)) for row in rows)


def replay(field: Field, path: str) -> int:
    """What a path reaps. Raises BadInput for a step off the field or onto a cell that is reaped.

    >>> replay(parse_field("13/92"), "rd")
    6
    """
    row, column = 0, 0
    reaped = [(0, 0)]
    for number, direction in enumerate(path, 1):
        if direction not in STEP:
            raise BadInput(f"step {number}, '{direction}': expected one of {' '.join(DIRECTIONS)}")
        row, column = row + STEP[direction][0], column + STEP[direction][1]
        if not (0 <= row < len(field) and 0 <= column < len(field)) or (row, column) in reaped:
            raise BadInput(f"step {number}, '{direction}': leads off the field or onto a cell that is reaped")
        reaped.append((row, column))
    return sum(field[row][column] for row, column in reaped)


def best(field: Field, steps: int) -> int:
    """The most that any path of at most `steps` steps reaps, by trying all of them.

    >>> best(parse_field("13/92"), 2)
    12
    """

    def most(row: int, column: int, reaped: frozenset[tuple[int, int]], left: int) -> int:
        found = field[row][column]
        after = 0
        for down, right in STEP.values() if left else ():
            cell = row + down, column + right
            if 0 <= cell[0] < len(field) and 0 <= cell[1] < len(field) and cell not in reaped:
                after = max(after, most(*cell, reaped | {cell}, left - 1))
        return found + after

    return most(0, 0, frozenset({(0, 0)}), steps)
