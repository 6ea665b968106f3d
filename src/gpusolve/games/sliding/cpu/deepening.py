"""`deepen`: depth-first search within a bound, with one of the heuristics that need only small tables.

Manhattan distance, linear conflicts and the walking distance all have a part for the rows and a part for the columns.
A vertical move changes the rows' part, so one table look-up or a few give the new value (axis 0), and a horizontal move
the columns' part (axis 1). The search can stop after any number of nodes and continue.

The moves are tried in the order U L R D, and a child counts as generated when it is tried: so the numbers of nodes are
those of Korf (1985), who counts the root as well. The opposite of move m is 3 - m.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import trailing_zeros
from gpusolve.backend.compiled import compiled

u64 = np.uint64
MANHATTAN, LINEAR_CONFLICT, WALKING_DISTANCE = 0, 1, 2
DONE, PAUSED, FOUND = 0, 1, 2
DEPTH, BLANK, EXPANDED, GENERATED, NEAREST = range(5)
AXIS = (0, 1, 1, 0)  # of the moves U L R D
NEW = 255  # stands for the moves left of a node that has not been expanded


@compiled
def deepen(
    kind, bound, budget, beside, goal_line, distance, digit, power, conflicts, following, walking,
    board, codes, path, left, heights, states, counters,
):  # fmt: skip
    depth, blank = counters[DEPTH], counters[BLANK]
    spent = 0
    while True:
        if left[depth] == NEW:
            if spent >= budget:
                counters[DEPTH], counters[BLANK] = depth, blank
                return PAUSED
            legal = 0
            for move in range(4):
                if beside[blank, move] != blank and not (depth and move == 3 - path[depth - 1]):
                    legal |= 1 << move
            left[depth] = legal
            spent += 1
            counters[EXPANDED] += 1
        if left[depth] == 0:
            if depth == 0:
                counters[DEPTH], counters[BLANK] = depth, blank
                return DONE
            depth -= 1
            move = np.int64(path[depth])
            was = np.int64(beside[blank, 3 - move])
            tile = np.int64(board[was])
            board[blank], board[was] = tile, 0
            if kind == LINEAR_CONFLICT:
                _shift(codes, digit, power, goal_line, tile, was, blank, AXIS[move])
            blank = was
            continue
        move = np.int64(trailing_zeros(u64(left[depth])))
        left[depth] &= left[depth] - 1
        counters[GENERATED] += 1
        to = np.int64(beside[blank, move])
        tile, axis = np.int64(board[to]), AXIS[move]
        height = np.int64(heights[depth])
        state, state_2 = states[depth, 0], states[depth, 1]
        if kind == WALKING_DISTANCE:
            goal = goal_line[axis, tile]
            if axis == 0:
                state = following[0, state, move >> 1, goal]
            else:
                state_2 = following[1, state_2, move >> 1, goal]
            height = walking[0, state] + walking[1, state_2]
        else:
            height += distance[tile, blank] - distance[tile, to]
            if kind == LINEAR_CONFLICT:
                line, line_2 = goal_line[axis + 2, to], goal_line[axis + 2, blank]
                before = conflicts[axis, codes[axis, line]] + conflicts[axis, codes[axis, line_2]]
                _shift(codes, digit, power, goal_line, tile, to, blank, axis)
                height += conflicts[axis, codes[axis, line]] + conflicts[axis, codes[axis, line_2]] - before
        if depth + 1 + height > bound:
            counters[NEAREST] = min(counters[NEAREST], depth + 1 + height)
            if kind == LINEAR_CONFLICT:
                _shift(codes, digit, power, goal_line, tile, blank, to, axis)
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


@compiled
def _shift(codes, digit, power, goal_line, tile, start, end, axis):
    """Move a tile from one cell to the next in the codes of its two lines across the move, and of the line along it."""
    other = 1 - axis
    line, line_2 = goal_line[axis + 2, start], goal_line[axis + 2, end]
    along = goal_line[other + 2, start]
    codes[axis, line] -= digit[axis, tile, line] * power[axis, along]
    codes[axis, line_2] += digit[axis, tile, line_2] * power[axis, along]
    codes[other, along] += digit[other, tile, along] * (power[other, line_2] - power[other, line])
