"""The tables of the heuristics, for boards that are numbered as `Layout` explains."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal, get_args

import numpy as np

from gpusolve.errors import BadInput
from gpusolve.games.sliding import rules
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.deepening import Tables
from gpusolve.games.sliding.goals import Layout
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.games.sliding.rules import MOVES

Table = Literal["manhattan", "linear-conflict", "walking-distance"]
Heuristic = Literal[Table, "pdb"]
TABLES: tuple[Table, ...] = get_args(Table)
HEURISTICS: tuple[Heuristic, ...] = (*TABLES, "pdb")
ORDER = "ULRD"
"""The order in which moves are tried: Korf's."""
MOST_CELLS = 16
MOST_SIDE = 4
"""Longest side of a board whose lines have tables; the tables of longer lines grow too large."""


def check_heuristic(board: Board, heuristic: Heuristic) -> None:
    """Raise BadInput unless a heuristic can be used for a board."""
    size = f"{board.rows}x{board.columns}"
    if board.cells > MOST_CELLS:
        raise BadInput(f"heuristic {heuristic}: {size}, expected a board of at most {MOST_CELLS} cells")
    if heuristic in ("linear-conflict", "walking-distance") and max(board.rows, board.columns) > MOST_SIDE:
        raise BadInput(f"heuristic {heuristic}: {size}, expected sides of at most {MOST_SIDE}")
    if heuristic in ("linear-conflict", "walking-distance") and board.layout.alike:
        raise BadInput(f"heuristic {heuristic}: expected tiles that all differ")


def tables_of(layout: Layout, heuristic: Table) -> tuple[Tables, list[dict[Any, int]]]:
    """Return the tables of a heuristic, and for the walking distance the number of each state on both axes."""
    rows, columns, cells = layout.rows, layout.columns, layout.cells
    sides, side = (rows, columns), max(rows, columns)
    lines = np.array([*divmod(np.arange(cells), columns)], np.int64)
    goals = lines[:, [layout.goal_cell(tile) for tile in range(cells)]]
    apart = sum(np.abs(line[:, None] - line[None, :]) for line in lines)
    distance = np.array([apart[list(layout.goal_cells(tile))].min(axis=0) for tile in range(cells)])
    distance[0] = 0
    digit, power = np.zeros((2, cells, side), np.int64), np.zeros((2, side), np.int64)
    conflicts = np.zeros((2, 1), np.int64)
    following, walking = np.zeros((2, 1, 2, side), np.int32), np.zeros((2, 1), np.int64)
    numbers: list[dict[Any, int]] = [{}, {}]
    if heuristic == "linear-conflict":
        conflicts = np.zeros((2, (side + 1) ** side), np.int64)
        for axis in range(2):
            length = sides[1 - axis]
            power[axis, :length] = (length + 1) ** np.arange(length)
            for tile in range(1, cells):
                digit[axis, tile, goals[axis, tile]] = 1 + goals[1 - axis, tile]
            for places in product(range(length + 1), repeat=length):
                code = int(np.dot(places, power[axis, :length]))
                conflicts[axis, code] = 2 * rules.tiles_in_conflict([place for place in places if place])
    if heuristic == "walking-distance":
        home = divmod(layout.blank, columns)
        known = [rules.walking_distances(sides[axis], sides[1 - axis], home[axis]) for axis in range(2)]
        most = max(map(len, known))
        following, walking = np.zeros((2, most, 2, side), np.int32), np.zeros((2, most), np.int64)
        for axis, distances in enumerate(known):
            numbers[axis] = {state: number for number, state in enumerate(distances)}
            walking[axis, : len(distances)] = list(distances.values())
            for state, number in numbers[axis].items():
                for forth, line, after in rules.walks(state):
                    following[axis, number, forth, line] = numbers[axis][after]
    tables = Tables(
        beside=np.ascontiguousarray(neighbours(rows, columns)[:, [MOVES.index(move) for move in ORDER]]),
        goal_line=np.concatenate([goals, lines]),
        distance=distance.astype(np.int64),
        digit=digit,
        power=power,
        conflicts=conflicts,
        following=following,
        walking=walking,
    )
    return tables, numbers
