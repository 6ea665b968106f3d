"""`deepen`: depth-first search within a bound, with one of the heuristics that need only small tables.

Manhattan distance, linear conflicts and the walking distance all have a part for the rows and a part for the columns.
A vertical move changes the rows' part, so one table look-up or a few give the new value (axis 0), and a horizontal move
the columns' part (axis 1). The search can stop after any number of nodes and continue.

The moves are tried in the order U L R D, and a child counts as generated when it is tried: so the numbers of nodes are
those of Korf (1985), who counts the root as well. The opposite of move m is 3 - m.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import trailing_zeros
from gpusolve.games.sliding.cpu.outcomes import DEPTH, DONE, EXPANDED, FOUND, GENERATED, NEAREST, NEW, PAUSED

u64 = np.uint64
MANHATTAN, LINEAR_CONFLICT, WALKING_DISTANCE = 0, 1, 2
BLANK = 4
"""The counter after those of `outcomes`: the cell of the blank."""
AXIS = (0, 1, 1, 0)  # of the moves U L R D


class Tables(NamedTuple):
    """The tables of the heuristics; unused ones are empty.

    Axis 0 is that of the rows, axis 1 that of the columns.

    Attributes
    ----------
    beside : ndarray of uint8, shape (cells, 4)
        The cell that the blank reaches by each move U L R D; at the edge of the board the cell itself.
    goal_line : ndarray of int64, shape (4, cells)
        The row and the column of each tile's goal cell, then of each cell.
    distance : ndarray of int64, shape (cells, cells)
        The Manhattan distance of each tile in each cell; 0 for the blank.
    digit : ndarray of int64, shape (2, cells, side)
        For each tile and line: 1 + the goal's place in the line if the tile's goal is in it, else 0.
    power : ndarray of int64, shape (2, side)
        The weight of each place in the code of a line.
    conflicts : ndarray of int64, shape (2, codes)
        Twice the number of tiles that have to leave the line.
    following : ndarray of int32, shape (2, states, 2, side)
        The state of the walking distance after the blank has moved back or forth and swapped with a tile whose goal is
        in the given line.
    walking : ndarray of int64, shape (2, states)
        The walking distance of each state.
    """

    beside: npt.NDArray[np.uint8]
    goal_line: npt.NDArray[np.int64]
    distance: npt.NDArray[np.int64]
    digit: npt.NDArray[np.int64]
    power: npt.NDArray[np.int64]
    conflicts: npt.NDArray[np.int64]
    following: npt.NDArray[np.int32]
    walking: npt.NDArray[np.int64]


class Stack(NamedTuple):
    """The path of a search, and what it keeps for each node on it.

    Attributes
    ----------
    board : ndarray of uint8, shape (cells,)
        The tiles of the node at the end of the path.
    codes : ndarray of int64, shape (2, side)
        The code of each of its lines, for linear conflicts.
    path, left : ndarray of uint8, shape (depths,)
        The move from each node, and the moves left to try as bits.
    heights : ndarray of int64, shape (depths,)
        The heuristic's value of each node.
    states : ndarray of int64, shape (depths, 2)
        The states of each node's walking distance.
    counters : ndarray of int64, shape (5,)
        Those of `outcomes`, and BLANK.
    """

    board: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.int64]
    path: npt.NDArray[np.uint8]
    left: npt.NDArray[np.uint8]
    heights: npt.NDArray[np.int64]
    states: npt.NDArray[np.int64]
    counters: npt.NDArray[np.int64]


@compiled
def deepen(kind, bound, budget, tables, stack):
    """Search on within a bound, for at most `budget` nodes, with the heuristic `kind`; return how it ended."""
    board, codes, path, left, heights, states, counters = stack
    depth, blank = counters[DEPTH], counters[BLANK]
    spent = 0
    while True:
        if left[depth] == NEW:
            if spent >= budget:
                counters[DEPTH], counters[BLANK] = depth, blank
                return PAUSED
            left[depth] = _legal(tables.beside, blank, path, depth)
            spent += 1
            counters[EXPANDED] += 1
        if left[depth] == 0:
            if depth == 0:
                counters[DEPTH], counters[BLANK] = depth, blank
                return DONE
            depth -= 1
            move = np.int64(path[depth])
            was = np.int64(tables.beside[blank, 3 - move])
            tile = np.int64(board[was])
            board[blank], board[was] = tile, 0
            if kind == LINEAR_CONFLICT:
                _shift(codes, tables, tile, was, blank, AXIS[move])
            blank = was
            continue
        move = np.int64(trailing_zeros(u64(left[depth])))
        left[depth] &= left[depth] - 1
        counters[GENERATED] += 1
        to = np.int64(tables.beside[blank, move])
        tile, axis = np.int64(board[to]), AXIS[move]
        height = np.int64(heights[depth])
        state, state_2 = states[depth, 0], states[depth, 1]
        if kind == WALKING_DISTANCE:
            goal = tables.goal_line[axis, tile]
            if axis == 0:
                state = tables.following[0, state, move >> 1, goal]
            else:
                state_2 = tables.following[1, state_2, move >> 1, goal]
            height = tables.walking[0, state] + tables.walking[1, state_2]
        else:
            height += tables.distance[tile, blank] - tables.distance[tile, to]
            if kind == LINEAR_CONFLICT:
                before = _conflicts(codes, tables, to, blank, axis)
                _shift(codes, tables, tile, to, blank, axis)
                height += _conflicts(codes, tables, to, blank, axis) - before
        if depth + 1 + height > bound:
            counters[NEAREST] = min(counters[NEAREST], depth + 1 + height)
            if kind == LINEAR_CONFLICT:
                _shift(codes, tables, tile, blank, to, axis)
            continue
        board[blank], board[to] = tile, 0
        path[depth] = move
        blank = to
        depth += 1
        heights[depth], states[depth, 0], states[depth, 1] = height, state, state_2
        left[depth] = NEW
        if height == 0:
            left[depth] = 0
            counters[DEPTH], counters[BLANK] = depth, blank
            return FOUND


@inlined
def _legal(beside, blank, path, depth):
    """Return the moves that stay on the board and do not undo the last one, as bits."""
    legal = 0
    for move in range(4):
        if beside[blank, move] != blank and not (depth and move == 3 - path[depth - 1]):
            legal |= 1 << move
    return legal


@inlined
def _conflicts(codes, tables, start, end, axis):
    """Return twice the number of tiles that have to leave the two lines across a move between two cells."""
    line, line_2 = tables.goal_line[axis + 2, start], tables.goal_line[axis + 2, end]
    return tables.conflicts[axis, codes[axis, line]] + tables.conflicts[axis, codes[axis, line_2]]


@inlined
def _shift(codes, tables, tile, start, end, axis):
    """Move a tile from one cell to the next in the codes of its two lines across the move, and of the line along it."""
    other, digit, power, goal_line = 1 - axis, tables.digit, tables.power, tables.goal_line
    line, line_2 = goal_line[axis + 2, start], goal_line[axis + 2, end]
    along = goal_line[other + 2, start]
    codes[axis, line] -= digit[axis, tile, line] * power[axis, along]
    codes[axis, line_2] += digit[axis, tile, line_2] * power[axis, along]
    codes[other, along] += digit[other, tile, along] * (power[other, line_2] - power[other, line])
