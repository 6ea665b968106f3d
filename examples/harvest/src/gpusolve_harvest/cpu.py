"""The Numba twins of ``harvest.cu``: same names, same arguments, same results to the bit. See there for the idea."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

MOVES, STEPS = 4, 16


@inlined
def _cell_after(cell, move, side):
    row, column = cell // side, cell % side
    if move == 0:
        return cell - 1 if column > 0 else -1
    if move == 1:
        return cell + 1 if column < side - 1 else -1
    if move == 2:
        return cell - side if row > 0 else -1
    return cell + side if row < side - 1 else -1


@compiled
def expand(first, last, walkers, capacity, start, field, side, steps, keys):
    for item in range(first, last):
        j = start + item
        reaped = np.uint64(walkers[0, j]) | np.uint64(walkers[1, j]) << np.uint64(32)
        cell, total = np.int64(walkers[2, j]), walkers[3, j]
        for move in range(MOVES):
            after = _cell_after(cell, move, side)
            allowed = total >> STEPS < steps and after >= 0 and not reaped >> np.uint64(max(after, 0)) & np.uint64(1)
            keys[item, move] = 1 + (total & 0xFFFF) + field[after] if allowed else 0


@compiled
def walk(first, last, walkers, capacity, field, side, parents, moves, out, out_capacity):
    for j in range(first, last):
        parent = parents[j]
        cell = _cell_after(np.int64(walkers[2, parent]), moves[j], side)
        reaped = np.uint64(walkers[0, parent]) | np.uint64(walkers[1, parent]) << np.uint64(32)
        reaped |= np.uint64(1) << np.uint64(cell)
        out[0, j] = np.uint32(reaped & np.uint64(0xFFFFFFFF))
        out[1, j] = np.uint32(reaped >> np.uint64(32))
        out[2, j] = cell
        out[3, j] = walkers[3, parent] + field[cell] + (1 << STEPS)
