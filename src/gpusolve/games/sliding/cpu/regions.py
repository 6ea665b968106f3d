"""The cells that the blank can reach without moving some tiles, as the bits of a number."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import inlined

u64 = np.uint64


@inlined
def sides(cells, columns):
    """Return the cells that are not in the first column, and those that are not in the last one."""
    not_first, not_last = u64(0), u64(0)
    for cell in range(cells):
        not_first |= u64(cell % columns != 0) << u64(cell)
        not_last |= u64(cell % columns != columns - 1) << u64(cell)
    return not_first, not_last


@inlined
def reachable(region, free, columns, not_first, not_last):
    """Return all free cells that the blank can reach from the cells in `region`, and these."""
    while True:
        grown = region << u64(columns) | region >> u64(columns) | (region & not_last) << u64(1)
        grown = (grown | (region & not_first) >> u64(1)) & free | region
        if grown == region:
            return region
        region = grown
