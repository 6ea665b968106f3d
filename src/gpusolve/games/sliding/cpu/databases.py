"""Building a pattern database by breadth-first search, a row of orders at a time.

`spread` reaches the next level, `settle` records the new entries of a level, and `unfold` turns the levels into steps.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros

u32 = np.uint32


@compiled
def spread(
    first,
    last,
    cells,
    tiles,
    orders,
    words,
    low_cells,
    beside,
    low,
    high,
    masks,
    rows,
    turns,
    active,
    frontier,
    reached,
):
    for number in range(first, last):
        mask = masks[number]
        for tile_cell in range(cells):
            if not mask >> u32(tile_cell) & u32(1):
                continue
            i = popcount(mask & (u32(1) << u32(tile_cell)) - u32(1))
            for move in range(4):
                blank = beside[tile_cell, move]
                if mask >> u32(blank) & u32(1):  # a tile, or the edge
                    continue
                other = mask ^ (u32(1) << u32(tile_cell) | u32(1) << u32(blank))
                source = rows[low[other & u32((1 << low_cells) - 1)] + high[other >> u32(low_cells)], tile_cell]
                if not active[source]:
                    continue
                old, new = frontier[source], reached[rows[number, blank]]
                j = popcount(other & (u32(1) << u32(blank)) - u32(1))
                if i == j:
                    for word in range(words):
                        new[word] |= old[word]
                    continue
                turn = turns[j * tiles + i]
                for word in range(words):
                    left = old[word]
                    while left:
                        order = turn[word * 32 + trailing_zeros(left)]
                        new[order >> 5] |= u32(1) << u32(order & 31)
                        left &= left - u32(1)


@compiled
def settle(first, last, words, odd, active, frontier, reached, visited, bits, counts):
    for row in range(first, last):
        count = 0
        for word in range(words):
            new = reached[row, word] & ~visited[row, word]
            frontier[row, word] = new
            reached[row, word] = u32(0)
            visited[row, word] |= new
            if odd:
                bits[row, word] |= new
            count += popcount(new)
        counts[row] = count
        active[row] = count > 0


@compiled
def unfold(
    first,
    last,
    cells,
    tiles,
    orders,
    words,
    low_cells,
    columns,
    odd,
    beside,
    low,
    high,
    masks,
    rows,
    turns,
    at_place,
    weights,
    less,
    bits,
    steps,
):
    going_up = np.zeros(orders, np.uint32)
    to = np.zeros(orders, np.int64)
    for number in range(first, last):
        mask = masks[number]
        going_up[:] = u32(0)
        for order in range(orders):
            to[order] = -less[order]
        parity = u32(odd)
        for cell in range(cells):
            if mask >> u32(cell) & u32(1):
                parity ^= u32((cell // columns + cell % columns) & 1)
        i = 0
        for cell in range(cells):
            if not mask >> u32(cell) & u32(1):
                continue
            for order in range(orders):
                to[order] += cell * weights[at_place[order, i]]
            for move in range(4):
                blank = beside[cell, move]
                if mask >> u32(blank) & u32(1):  # a tile, or the edge
                    continue
                other = mask ^ (u32(1) << u32(cell) | u32(1) << u32(blank))
                here = bits[rows[number, blank]]
                there = bits[rows[low[other & u32((1 << low_cells) - 1)] + high[other >> u32(low_cells)], cell]]
                turn = turns[i * tiles + popcount(other & (u32(1) << u32(blank)) - u32(1))]
                for order in range(orders):
                    after = turn[order]
                    # If the height is even, both bits are equal when it goes up; if it is odd, they differ.
                    up = here[order >> 5] >> u32(order & 31) ^ there[after >> 5] >> u32(after & 31) ^ parity ^ u32(1)
                    going_up[order] |= (up & u32(1)) << u32(4 * at_place[order, i] + move)
            i += 1
        for order in range(orders):
            steps[to[order]] = going_up[order]
