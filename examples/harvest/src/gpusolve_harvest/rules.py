"""The rules of Harvest in plain, slow, obvious Python: the oracle of the tests.

A field is a square of digits. You start in the upper left corner, reap its digit, and take up to a given number of
steps left, right, up or down, onto cells that you have not reaped yet. Your score is the sum of all digits reaped.
"""

from __future__ import annotations

from gpusolve.errors import BadInput

LARGEST = 8
"""Number of rows of the largest field: the cells reaped then fit 64 bits."""
DIRECTIONS = "lrud"
STEP = {"l": (0, -1), "r": (0, 1), "u": (-1, 0), "d": (1, 0)}

Field = tuple[tuple[int, ...], ...]


def parse_field(text: str) -> Field:
    """Read a field from text.

    Parameters
    ----------
    text : str
        2 to 8 rows of digits, with as many digits in a row as there are rows, separated by ``/``.

    Returns
    -------
    tuple of tuple of int
        The rows from top to bottom.

    Raises
    ------
    BadInput
        For any other text.

    Examples
    --------
    >>> parse_field("13/92")
    ((1, 3), (9, 2))
    """
    rows = text.strip().split("/")
    if not 2 <= len(rows) <= LARGEST:
        raise BadInput(f"field: {len(rows)} rows: expected 2 to {LARGEST}, as 131/925/347")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows) or not (row.isascii() and row.isdecimal()):
            raise BadInput(f"field, row {number}: '{row}': expected {len(rows)} digits, the number of rows")
    return tuple(tuple(map(int, row)) for row in rows)


def cells_of(field: Field, path: str) -> list[tuple[int, int]]:
    """Return the cells (row, column) that a path reaps, in order.

    Raises BadInput for a step off the field or onto a cell that is already reaped.
    """
    row, column = 0, 0
    cells = [(0, 0)]
    for number, direction in enumerate(path, 1):
        if direction not in STEP:
            raise BadInput(f"step {number}, '{direction}': expected one of {' '.join(DIRECTIONS)}")
        row, column = row + STEP[direction][0], column + STEP[direction][1]
        if not (0 <= row < len(field) and 0 <= column < len(field)):
            raise BadInput(f"step {number}, '{direction}': leads off the field")
        if (row, column) in cells:
            raise BadInput(f"step {number}, '{direction}': leads onto a cell that is already reaped")
        cells.append((row, column))
    return cells


def replay(field: Field, path: str) -> int:
    """Walk along a path and return the sum that it reaps.

    Parameters
    ----------
    field : tuple of tuple of int
        The rows, as `parse_field` returns them.
    path : str
        The steps, each l, r, u or d.

    Returns
    -------
    int

    Raises
    ------
    BadInput
        With its number, for a step off the field or onto a cell that is already reaped.

    Examples
    --------
    >>> replay(parse_field("13/92"), "rd")
    6
    """
    return sum(field[row][column] for row, column in cells_of(field, path))


def best(field: Field, steps: int) -> int:
    """Return the largest sum of all paths of at most `steps` steps, by trying every path.

    >>> best(parse_field("13/92"), 2)
    12
    """

    def most(row: int, column: int, reaped: frozenset[tuple[int, int]], left: int) -> int:
        after = 0
        for down, right in STEP.values() if left else ():
            cell = row + down, column + right
            if 0 <= cell[0] < len(field) and 0 <= cell[1] < len(field) and cell not in reaped:
                after = max(after, most(*cell, reaped | {cell}, left - 1))
        return field[row][column] + after

    return most(0, 0, frozenset({(0, 0)}), steps)
