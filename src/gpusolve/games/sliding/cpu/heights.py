"""`measure`: the height of a board in each pattern database, by walking down to the goal."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

u32 = np.uint32
MOST_HEIGHT = 255
"""More than the height of any board in a database."""


@compiled
def measure(first, last, cells, sides, boards, beside, place, item_of, goals, bases, steps, heights, at):
    where, powers = np.zeros(8, np.int64), np.ones(8, np.int64)
    for tile in range(1, 8):
        powers[tile] = powers[tile - 1] * cells
    for number in range(first, last):
        for side in range(sides):
            tiles, mask, blank, index = 0, u32(0), 0, bases[side]
            for cell in range(cells):
                tile, there = boards[number, cell], np.int64(place[side, cell])
                item = item_of[side, tile]
                if tile == 0:
                    blank = there
                elif item < 8:
                    where[item] = there
                    mask |= u32(1) << u32(there)
                    index += there * powers[item]
                    tiles += 1
            at[number, side] = index
            height = 0
            while True:
                region = _region(blank, mask, beside)
                home = region & goals[side, tiles] != u32(0)
                for item in range(tiles):
                    home &= bool(goals[side, item] >> u32(where[item]) & u32(1))
                if home:
                    break
                up, down = steps[index], False
                for item in range(tiles):
                    for move in range(4):
                        to = np.int64(beside[where[item], move])
                        if not down and region >> u32(to) & u32(1) and not up >> u32(4 * item + move) & u32(1):
                            down, blank = True, where[item]
                            mask ^= u32(1) << u32(blank) | u32(1) << u32(to)
                            index += (to - blank) * powers[item]
                            where[item] = to
                height += 1
                if not down or height == MOST_HEIGHT:  # not the steps of a database: forged ones can go in circles
                    height = -1
                    break
            heights[number, side] = height


@inlined
def _region(blank, mask, beside):
    """Return the cells that the blank can reach without moving the tiles in `mask`, as bits."""
    region = u32(1) << u32(blank)
    while True:
        grown = region
        for cell in range(len(beside)):
            if region >> u32(cell) & u32(1):
                for move in range(4):
                    grown |= u32(1) << u32(beside[cell, move])
        grown &= ~mask
        if grown == region:
            return region
        region = grown
