"""Which guesses leave cores together, and which cores rule out every guess (`census.cores`)."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled
from gpusolve.backend.intrinsics.bits import popcount
from gpusolve.backend.intrinsics.columns import WIDTH, same


@compiled
def find_together(flat, columns, core, mask):
    """Set the bits of the columns that have the same pattern on all answers of a core."""
    left, right = core[:-1] * columns, core[1:] * columns
    for b in range(len(mask)):
        mask[b] = same(flat, left, right, len(left), b * WIDTH, ~np.uint64(0))


@compiled
def find_inside(members, begins, ends, present, found):
    """Write the numbers of the sets that consist of answers that are present; return how many there are."""
    n = 0
    for number in range(len(begins)):
        inside = True
        for i in range(begins[number], ends[number]):
            if not present[members[i]]:
                inside = False
                break
        if inside:
            found[n] = number
            n += 1
    return n


@compiled
def cover(masks, has, left, within):
    """Choose cores until they rule out all guesses in the bits `left`, which are cleared; return whether they do.

    `masks` has the guesses that each core rules out, and `has` its answers. In turn the core is chosen that rules out
    the most guesses for 1 and each answer that is not yet `within`; then its answers are. The number of guesses that a
    core rules out only falls, so it is counted again only for cores that would be chosen with the last number.
    """
    gains, fresh = np.full(len(masks), 64 * len(left)), np.array([np.sum(row) for row in has])
    while True:
        waiting = np.flatnonzero(left)
        if len(waiting) == 0 or len(masks) == 0:
            return len(waiting) == 0
        likely = np.argmax(gains / (1 + fresh))
        best, most = 0, 0.0
        for i in range(-1, len(masks)):
            core = likely if i < 0 else i
            bound = gains[core] / (1 + fresh[core])
            if bound < most or (bound == most and core > best):
                continue
            gain = 0
            for b in waiting:
                gain += popcount(masks[core, b] & left[b])
            gains[core], worth = gain, gain / (1 + fresh[core])
            if worth > most or (worth == most and core < best):
                best, most = core, worth
        if most == 0.0:
            return False
        for answer in np.flatnonzero(has[best] & ~within):
            fresh -= has[:, answer]
            within[answer] = True
        left &= ~masks[best]


@compiled
def leave_out(masks, has, padding, within):
    """Leave out each answer without which the cores whose answers are all `within` still rule out every guess."""
    usable = np.flatnonzero(np.array([not np.any(row & ~within) for row in has]))
    for answer in np.flatnonzero(within):
        fewer = usable[~has[usable, answer]]
        covered = True
        for b in range(len(padding)):
            mask = padding[b]
            for core in fewer:
                mask |= masks[core, b]
                if mask == ~np.uint64(0):
                    break
            if mask != ~np.uint64(0):
                covered = False
                break
        if covered:
            within[answer], usable = False, fewer


@compiled
def least_hot(flat, columns, members, weights, closed):
    """Return the guess that is not closed whose hottest cell is the least hot on some answers; -1 if all are closed."""
    sums = np.zeros((WIDTH, 256))
    best, least, least_squares = -1, np.inf, np.inf
    for b in range(len(closed)):
        if closed[b] == ~np.uint64(0):
            continue
        sums[:] = 0
        for j in range(len(members)):
            start = members[j] * columns + b * WIDTH
            for x in range(WIDTH):
                sums[x, flat[start + x]] += weights[j]
        for x in range(WIDTH):
            if closed[b] >> np.uint64(x) & np.uint64(1):
                continue
            hottest, squares = 0.0, 0.0
            for code in range(242):
                hottest = max(hottest, sums[x, code])
                squares += sums[x, code] * sums[x, code]
            if hottest < least or (hottest == least and squares < least_squares):
                best, least, least_squares = b * WIDTH + x, hottest, squares
    return best
