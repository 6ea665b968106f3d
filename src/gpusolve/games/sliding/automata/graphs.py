"""Strings of moves as numbers, and the graphs on which the blank walks when strings are compared."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from gpusolve.games.sliding.cpu.strings import Graph

Choice = Literal["first", "smallest", "square"]
ORDERS: dict[Choice, str] = {"first": "UDLR", "smallest": "URLD", "square": "UDLR"}
"""Choice -> the moves in the order of its alphabet. The index of a move in it is the move's *rank*."""

Codes = npt.NDArray[np.uint64]
"""Strings of moves as numbers, uint64: a 1, then two bits for the rank of each move. They sort in shortlex order."""


def graphs_of(rows: int, columns: int, choice: Choice) -> list[Graph]:
    """Return the graphs of a board for a choice.

    For ``square`` these are the board itself, once for each cell in which the blank can start. Otherwise it is a single
    graph: all cells that a bounding box of the board's size can reach from the start.
    """
    if choice == "square":
        squares = range(rows * columns)
        return [_graph(rows, columns, square, choice, box=(rows, columns), boxed=False) for square in squares]
    height, width = 2 * rows - 1, 2 * columns - 1
    return [_graph(height, width, height * width // 2, choice, box=(rows, columns), boxed=True)]


def _graph(height: int, width: int, start: int, choice: Choice, *, box: tuple[int, int], boxed: bool) -> Graph:
    row, column = np.divmod(np.arange(height * width, dtype=np.int32), width)
    after = np.full((height * width, 4), -1, np.int32)
    for rank, move in enumerate(ORDERS[choice]):
        next_row, next_column = row + (move == "D") - (move == "U"), column + (move == "R") - (move == "L")
        inside = (next_row >= 0) & (next_row < height) & (next_column >= 0) & (next_column < width)
        after[inside, rank] = (next_row * width + next_column)[inside]
    offsets = np.stack([row - row[start], column - column[start]], axis=1)
    return Graph(start, after, np.ascontiguousarray(offsets), *box, boxed)


def text_of(code: int, choice: Choice) -> str:
    """Return the moves of a code.

    >>> text_of(0b1_00_01, "first")
    'UD'
    """
    ranks = [code >> 2 * i & 3 for i in reversed(range(code.bit_length() // 2))]
    return "".join(ORDERS[choice][rank] for rank in ranks)
