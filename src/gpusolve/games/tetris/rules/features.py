"""The evaluation of a board in plain Python: 17 features, and weights in fixed point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, Board, State, place

FEATURES = (
    "lines_cleared",
    "lock_height",
    "well_depths",
    "deep_wells",
    "holes",
    "hole_rows",
    "hole_depths",
    "least_hole_depth",
    "greatest_hole_depth",
    "column_transitions",
    "row_transitions",
    "heights",
    "greatest_height",
    "height_spread",
    "filled_cells",
    "filled_heights",
    "surface_variance",
)
"""The names of the features f0 to f16."""
LARGEST = 1e100
"""The greatest absolute value of a weight; sums of squares stay finite."""
WEIGHT_BITS = 30
"""Weights are scaled by a power of two so that the greatest has this many bits, then rounded."""
DECISIVE = 2**45
"""More than any sum of weights times features: subtracted for a tetris, added for a piece that cannot spawn."""


def features(board: Board, cleared: int = 0, lowest_row: int = ROWS - 1) -> list[int]:
    """Return the 17 features of a board whose full rows have been removed, in the order of FEATURES.

    >>> board, cleared, lowest_row = place(np.zeros((22, 10), np.uint8), 0, (0, 21, 0))
    >>> features(board, cleared, lowest_row)
    [0, -2, 0, 0, 0, 0, 0, 22, 0, 0, 2, 4, 1, 1, 4, 4, 1]
    """
    cells = board.tolist()
    tops = [next((row for row in range(ROWS) if cells[row][c]), ROWS) for c in range(COLUMNS)]
    heights = [ROWS - top for top in tops]
    walled = [30, *heights, 30]
    wells = [min(walled[c] - walled[c + 1], walled[c + 2] - walled[c + 1]) for c in range(COLUMNS)]
    holes = [(row, c) for row in range(1, ROWS) for c in range(COLUMNS) if not cells[row][c] and cells[row - 1][c]]
    depths = [row - tops[c] for row, c in holes]
    filled = [(row, c) for row in range(ROWS) for c in range(COLUMNS) if cells[row][c]]
    return [
        0 if cleared == 4 else cleared,
        19 - lowest_row,
        sum(max(0, well) for well in wells),
        sum(well >= 3 for well in wells),
        len(holes),
        sum(row - 1 for row, _ in holes),
        sum(depths),
        min(depths, default=ROWS),
        max(depths, default=0),
        sum(cells[row][c] != cells[row + 1][c] for c in range(COLUMNS) for row in range(tops[c], ROWS - 1)),
        sum(a != b for row in range(min(tops), ROWS) for a, b in pairwise([1, *cells[row], 1])),
        sum(heights),
        max(heights),
        max(heights) - min(heights),
        len(filled),
        sum(ROWS - row for row, _ in filled),
        sum(abs(a - b) for a, b in pairwise(heights)),
    ]


def evaluate(weights: Sequence[float], values: Sequence[float], cleared: int = 0) -> float:
    """Return weights times feature values in floats, less 1e9 for a tetris; less is better."""
    return sum(w * f for w, f in zip(weights, values, strict=True)) - 1e9 * (cleared == 4)


def fixed_point(weights: Sequence[float]) -> tuple[list[int], int]:
    """Return the weights as rounded integers w * 2^shift, and the shift that gives the greatest one WEIGHT_BITS bits.

    A choice depends only on the ratios of the weights, so only the rounding, by 2^-30 of the greatest weight, can
    change it. The sum over the features stays below DECISIVE.

    >>> fixed_point([1.5, -0.75])
    ([805306368, -402653184], 29)
    """
    greatest = max(abs(w) for w in weights)
    shift = WEIGHT_BITS - int(np.frexp(greatest)[1]) if greatest else 0
    return [min(round(float(np.ldexp(w, shift))), 2**WEIGHT_BITS - 1) for w in weights], shift


def value(fixed: Sequence[int], board: Board, piece: int, state: State) -> int:
    """Return the fixed-point evaluation of a placement, without the bonus for a tetris."""
    return sum(w * f for w, f in zip(fixed, features(*place(board, piece, state)), strict=True))
