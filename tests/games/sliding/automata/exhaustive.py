"""A test of whether an automaton keeps a shortest path to every board of a size, from a start square.

It is a breadth-first search. The numbers on the tiles do not matter, so the boards that can be reached from the square
stand for all pairs of a start with the blank there and a goal.
"""

from __future__ import annotations

from functools import cache
from math import factorial
from typing import Any

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount
from gpusolve.backend.intrinsics.prefetch import prefetch
from gpusolve.games.sliding.automata._automaton import Automaton
from gpusolve.games.sliding.automata.graphs import ORDERS
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.games.sliding.rules import MOVES

STATE = 16  # bits for the state of the automaton, below four bits per cell
AHEAD = 64  # boards whose distances are prefetched before they are read
NEW, REFUSED = 255, 254  # in place of a distance


def boards_lost(rows: int, columns: int, square: int, automaton: Automaton) -> tuple[int, int]:
    """Return the number of boards to which all shortest paths are forbidden, and the number of all boards.

    The search ends after the first distance with such a board. Only the first permitted path to a board, by the
    alphabet of the strings, continues. Where that path has no successor for a board, all shortest paths are tried.
    """
    assert automaton.states <= 1 << STATE
    cells, beside = rows * columns, neighbours(rows, columns)
    tiles = [0 if cell == square else cell + (cell < square) for cell in range(cells)]
    start = sum(tile << 4 * cell for cell, tile in enumerate(tiles))
    state = int(automaton.starts[square if len(automaton.starts) > 1 else 0])
    distances = np.full(factorial(cells) // 2, NEW, np.uint8)
    distances[_number_of(np.uint64(start), square, cells)] = 0
    order = np.array([MOVES.index(move) for move in ORDERS[automaton.choice]], np.uint64)

    @cache
    def states(board: int, distance: int) -> frozenset[int]:
        """Return the automaton's states in which a permitted path of this length reaches a board."""
        if distance == 0:
            return frozenset([state])
        reached = set()
        blank = next(cell for cell in range(cells) if not board >> 4 * cell & 15)
        for move in range(4):
            cell = int(beside[blank, move ^ 1])
            tile = board >> 4 * cell & 15
            before = board ^ tile << 4 * cell ^ tile << 4 * blank
            if cell != blank and distances[_number_of(np.uint64(before), cell, cells)] == distance - 1:
                reached |= {int(automaton.table[state, move]) for state in states(before, distance - 1)}
        return frozenset(reached - {-1})

    layer = np.array([start << STATE | state], np.uint64)
    count, lost, distance = 0, 0, 0
    while len(layer) and not lost:
        count += len(layer)
        distance += 1
        made, refused = (np.empty(3 * len(layer) + 1, np.uint64) for _ in range(2))  # the last move is not taken back
        new, others = _spread(layer, distance, cells, beside, order, automaton.table, distances, made, refused)
        late = []
        for board in refused[:others]:
            blank = next(cell for cell in range(cells) if not int(board) >> 4 * cell & 15)
            number = _number_of(board, blank, cells)
            if distances[number] == REFUSED:
                distances[number] = distance
                late.append((int(board), states(int(board), distance)))
        lost = sum(not reached for _, reached in late)
        more = [board << STATE | min(reached) for board, reached in late if reached]
        layer = np.concatenate([made[:new], np.array(more, np.uint64)])
    return lost, count


@inlined
def _number(board: Any, blank: Any, cells: Any) -> Any:
    """Return the index of a board among all that can be reached; the last two tiles follow from the others."""
    number, left = np.uint64(blank), np.uint64((1 << cells) - 2)
    for place in range(cells - 3):
        cell = place + (place >= blank)
        tile = np.uint64(1) << (board >> np.uint64(4 * cell) & np.uint64(15))
        number = number * np.uint64(cells - 1 - place) + np.uint64(popcount(left & (tile - np.uint64(1))))
        left ^= tile
    return number


@compiled
def _number_of(board: Any, blank: Any, cells: Any) -> Any:
    return _number(board, blank, cells)


@compiled
def _spread(
    layer: Any, distance: Any, cells: Any, beside: Any, order: Any, table: Any, distances: Any, made: Any, refused: Any
) -> Any:
    """Make all moves from the boards of a layer, in the order of their paths; return how many are `made` and `refused`.

    Refused boards are those that a path reaches by a forbidden move before any path reaches them by a permitted one.
    """
    waiting, numbers = np.zeros(AHEAD, np.uint64), np.zeros(AHEAD, np.uint64)
    permitted = np.zeros(AHEAD, np.bool_)
    address = np.uint64(distances.ctypes.data)
    new, others, queued = 0, 0, 0
    for at in range(len(layer) + 1):
        last = at == len(layer)
        key = layer[min(at, len(layer) - 1)]
        board, state = key >> np.uint64(STATE), key & np.uint64((1 << STATE) - 1)
        blank = 0
        while board >> np.uint64(4 * blank) & np.uint64(15):
            blank += 1
        for turn in range(AHEAD if last else 4):
            move = order[turn & 3]
            cell = np.int64(beside[blank, move])
            if cell == blank and not last:
                continue
            slot = queued % AHEAD
            number = numbers[slot]
            if queued >= AHEAD and distances[number] >= REFUSED:
                if permitted[slot]:
                    distances[number] = distance
                    made[new] = waiting[slot]
                    new += 1
                elif distances[number] == NEW:
                    distances[number] = REFUSED
                    refused[others] = waiting[slot] >> np.uint64(STATE)
                    others += 1
            queued += 1
            if last:
                continue
            tile = board >> np.uint64(4 * cell) & np.uint64(15)
            moved = board ^ tile << np.uint64(4 * cell) ^ tile << np.uint64(4 * blank)
            after = table[state, move]
            permitted[slot] = after >= 0
            waiting[slot] = moved << np.uint64(STATE) | np.uint64(max(after, 0))
            numbers[slot] = _number(moved, cell, cells)
            prefetch(address + numbers[slot])
    return new, others
