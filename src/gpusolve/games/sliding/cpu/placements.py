"""`fill_heights` builds a small pattern database for a board of up to 64 cells; a GPU has no twin of it.

There is an entry for each placement of the tiles: the least number of their moves that bring them to their goal cells,
from the best region of the blank. Moves of other tiles cost nothing. The search is breadth-first, over placements with
the cells that the blank can be in as the bits of a number.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.games.sliding.cpu.regions import reachable, sides

u8, u64 = np.uint8, np.uint64
UNKNOWN = 255  # the height of a placement that does not exist


@compiled
def fill_heights(heights, columns, beside, goals, blank):
    """Fill the heights of all placements of some tiles, with the blank's goal `blank`.

    Parameters
    ----------
    heights : ndarray of uint8, shape (cells**tiles,)
        Filled with `UNKNOWN`.
    columns : int
        Number of columns of the board.
    beside : ndarray of uint8, shape (cells, 4)
        The neighbours of each cell; at the edge the cell itself.
    goals : ndarray of int64, shape (goals, tiles)
        The goal cell of each tile; several times where tiles that are alike can change places.
    blank : int
        The goal cell of the blank.
    """
    cells, tiles = len(beside), goals.shape[1]
    board = u64(2**64 - 1) >> u64(64 - cells)
    not_first, not_last = sides(cells, columns)
    powers, where = np.ones(tiles, np.int64), np.zeros(tiles, np.int64)
    seen, fresh, later = np.zeros(len(heights), u64), np.zeros(len(heights), u64), np.zeros(len(heights), u64)
    current, following = np.zeros(len(heights), np.int64), np.zeros(len(heights), np.int64)
    for tile in range(1, tiles):
        powers[tile] = powers[tile - 1] * cells
    for number in range(len(goals)):
        start, taken = 0, u64(0)
        for tile in range(tiles):
            start += goals[number, tile] * powers[tile]
            taken |= u64(1) << u64(goals[number, tile])
        fresh[start] = seen[start] = reachable(u64(1) << u64(blank), board & ~taken, columns, not_first, not_last)
        current[number] = start
    count, height = len(goals), 0
    while count:
        for number in range(count):
            heights[current[number]] = min(heights[current[number]], height)
        reached = 0
        for number in range(count):
            placement = current[number]
            blanks = fresh[placement]
            fresh[placement] = u64(0)
            taken = u64(0)
            for tile in range(tiles):
                where[tile] = placement // powers[tile] % cells
                taken |= u64(1) << u64(where[tile])
            for tile in range(tiles):
                cell = where[tile]
                for move in range(4):
                    to = beside[cell, move]
                    if not blanks >> u64(to) & u64(1):
                        continue
                    after = placement + (np.int64(to) - cell) * powers[tile]
                    if seen[after] >> u64(cell) & u64(1):
                        continue
                    free = board & ~(taken ^ (u64(1) << u64(cell) | u64(1) << u64(to)))
                    region = reachable(u64(1) << u64(cell), free, columns, not_first, not_last)
                    if not later[after]:
                        following[reached] = after
                        reached += 1
                    seen[after] |= region
                    later[after] |= region
        current, following, count = following, current, reached
        fresh, later = later, fresh  # `later` is all 0 again
        height += 1
