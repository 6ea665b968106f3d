"""The whole height of a position in each table, by walking down to the goal."""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import popcount
from gpusolve.backend.compiled import compiled

u32, u64 = np.uint32, np.uint64
LOW, HIGH, TURNS, TILES_ORDERS, ORDERS, ROW_BITS, BASE, TILES = range(8)
CELL_BITS = u64(25)
HEIGHT = u64(62)
GROUP_BITS = u64(10)


@compiled
def row_of(mask, blank, about, groups, shape, low_cells, low, high):
    """The row of the region that `blank` is in."""
    number = u64(low[shape[LOW] + (mask & ((u64(1) << low_cells) - u64(1)))]) + u64(
        high[shape[HIGH] + (mask >> low_cells)]
    )
    one = about[number]
    if one >> blank & u64(1):
        return number
    runs = one >> CELL_BITS & (u64(2) << blank) - u64(1)
    return u64(popcount(runs)) + (one >> (CELL_BITS + CELL_BITS)) + u64(groups[number >> GROUP_BITS])


@compiled
def entry_of(bits, row, order, shape):
    """The entry of a row and an order: bit 1 of the height."""
    index = shape[BASE] + row * shape[ROW_BITS] + order
    return u64(bits[index >> u64(5)]) >> (index & u64(31)) & u64(1)


@compiled
def measure(
    first, last, cells, columns, sides, low_cells, boards, beside, place, item_of, goals, shapes, low, high, about,
    groups, turns, bits, heights, words,
):  # fmt: skip
    low_cells = u64(low_cells)
    found = np.zeros(32, np.int64)
    for number in range(first, last):
        for side in range(sides):
            shape = shapes[side]
            tiles = np.int64(shape[TILES])
            found[:cells] = -1
            blank = u64(0)
            parity = 0
            for cell in range(cells):
                tile = boards[number, cell]
                there = np.int64(place[side, cell])
                if tile == 0:
                    blank = u64(there)
                elif item_of[side, tile] < tiles:
                    item = np.int64(item_of[side, tile])
                    found[there] = item
                    goal = np.int64(goals[side, item])
                    parity += there // columns + goal // columns + there % columns + goal % columns
            mask, order, items = u64(0), u64(0), 0
            for cell in range(cells):
                if found[cell] >= 0:
                    mask |= u64(1) << u64(cell)
                    smaller = 0
                    for later in range(cell + 1, cells):
                        smaller += 0 <= found[later] < found[cell]
                    order = order * u64(tiles - items) + u64(smaller)
                    items += 1
            words[number, side] = order << u64(32) | mask
            goal_mask = u64(0)
            for item in range(tiles):
                goal_mask |= u64(1) << u64(goals[side, item])
            row = row_of(mask, blank, about, groups, shape, low_cells, low, high)
            rest = entry_of(bits, row, order, shape) << u64(1) | u64(parity & 1)
            height = 0
            while True:
                region = u64(1) << blank  # what the blank reaches
                while True:
                    grown = region
                    for cell in range(cells):
                        if region >> u64(cell) & u64(1):
                            for move in range(4):
                                grown |= u64(1) << u64(beside[cell, move])
                    grown &= ~mask
                    if grown == region:
                        break
                    region = grown
                if mask == goal_mask and order == u64(0) and region >> u64(goals[side, tiles]) & u64(1):
                    break
                rest = rest - u64(1) & u64(3)
                down = False
                for cell in range(cells):
                    if down or not mask >> u64(cell) & u64(1):
                        continue
                    a = u64(1) << u64(cell)
                    for move in range(4):
                        b = u64(1) << u64(beside[cell, move])
                        if not region & b:
                            continue
                        other = mask ^ (a | b)
                        i, j = u64(popcount(mask & (a - u64(1)))), u64(popcount(other & (b - u64(1))))
                        turned = u64(turns[shape[TURNS] + i * shape[TILES_ORDERS] + j * shape[ORDERS] + order])
                        row = row_of(other, u64(cell), about, groups, shape, low_cells, low, high)
                        if entry_of(bits, row, turned, shape) == rest >> u64(1):
                            mask, order, blank, down = other, turned, u64(cell), True
                            break
                height += 1
                if not down:  # no table of ours
                    height = -1
                    break
            heights[number, side] = height
            words[number, side] |= u64(height & 3) << HEIGHT
