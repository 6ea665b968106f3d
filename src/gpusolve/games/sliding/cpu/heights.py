"""`measure`: the height of a board in each pattern database, by walking down to the goal."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.sliding.cpu import regions

u32, u64 = np.uint32, np.uint64
MOST_HEIGHT = 255
"""More than the height of any board in a database."""


@compiled
def measure(first, last, cells, sides, dense, boards, beside, place, item_of, goals, bases, steps, heights, at):
    where, columns = np.zeros(8, np.int64), np.int64(beside[0, 1])
    not_first, not_last = regions.sides(cells, columns)
    board = (u64(1) << u64(cells)) - u64(1)
    for number in range(first, last):
        for side in range(sides):
            tiles, mask, blank, position = 0, u32(0), 0, 0
            for cell in range(cells):
                tile, there = boards[number, cell], np.int64(place[side, cell])
                item = item_of[side, tile]
                if tile == 0:
                    blank = there
                elif item < 8:
                    where[item] = there
                    mask |= u32(1) << u32(there)
                    position |= there << 4 * item
                    tiles += 1
            at[number, side] = position if dense else _placed(where, tiles, cells, dense, bases[side])
            height = 0
            while True:
                region = u32(regions.reachable(u64(1) << u64(blank), board & ~u64(mask), columns, not_first, not_last))
                home = region & goals[side, tiles] != u32(0)
                for item in range(tiles):
                    home &= bool(goals[side, item] >> u32(where[item]) & u32(1))
                if home:
                    break
                up, down = steps[_placed(where, tiles, cells, dense, bases[side])], False
                for item in range(tiles):
                    for move in range(4):
                        to = np.int64(beside[where[item], move])
                        if not down and region >> u32(to) & u32(1) and not up >> u32(4 * item + move) & u32(1):
                            down, blank = True, where[item]
                            mask ^= u32(1) << u32(blank) | u32(1) << u32(to)
                            where[item] = to
                height += 1
                if not down or height == MOST_HEIGHT:  # not the steps of a database: forged ones can go in circles
                    height = -1
                    break
            heights[number, side] = height


@inlined
def _placed(where, tiles, cells, dense, base):
    """Return the index of a placement in `steps`."""
    index = np.int64(0)
    if dense:
        for item in range(tiles):
            cell = where[item]
            for other in range(item):
                cell -= where[other] < where[item]
            index = index * (cells - item) + cell
    else:
        for item in range(tiles - 1, -1, -1):
            index = index * cells + where[item]
    return base + index
