"""The Numba twins of ``kernels/permutations.cu``: same names, same arguments, same results to the bit.

The idea and the layout are described there.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.backend.intrinsics.prefetch import prefetch

u8, u32, u64 = np.uint8, np.uint32, np.uint64
UNKNOWN = 255
MOST_KEPT = 16
AHEAD = 64  # look-ups whose bytes are fetched before they are read


@inlined
def _digit_of(place, taken):
    return place - u32(popcount(taken & ((u32(1) << place) - u32(1))))


@compiled
def spread(first, last, places, kept, from_, to, steps, steps_made, table, size, found):
    width = places - kept + 1
    place, digits = np.empty(MOST_KEPT, u32), np.empty(MOST_KEPT, u32)
    last_place, chosen = np.empty(width, u32), np.empty(width, u32)
    start, goal = u8(from_), u8(to)
    for row in range(first, last):
        own = row * width
        count = 0
        for digit in range(width):
            chosen[count] = digit  # without a branch: the next one takes its place if this is not to be expanded
            count += table[own + digit] == start
        found[row] = count
        if count == 0:
            continue
        rest, taken = u32(row), u32(0)
        for piece in range(kept - 2, -1, -1):
            digits[piece] = rest % u32(places - piece)
            rest //= u32(places - piece)
        for piece in range(kept - 1):
            at, left = digits[piece], taken
            while left:
                at += u32((left & (~left + u32(1))) <= (u32(1) << at))
                left &= left - u32(1)
            place[piece] = at
            taken |= u32(1) << at
        free, number = ~taken, 0
        for digit in range(width):
            at = u32(trailing_zeros(free))
            free &= free - u32(1)
            if number < count and chosen[number] == digit:
                last_place[number] = at
                number += 1
        for step in range(steps_made):
            other, taken_there = u32(0), u32(0)
            for piece in range(kept - 1):
                there = u32(steps[step, place[piece]])
                other = other * u32(places - piece) + _digit_of(there, taken_there)
                taken_there |= u32(1) << there
            reached = np.int64(other) * width
            for number in range(count):
                entry = reached + np.int64(_digit_of(u32(steps[step, last_place[number]]), taken_there))
                if table[entry] == UNKNOWN:
                    table[entry] = goal


@compiled
def foresee(first, last, places, count, moves, states, looks, shapes, pieces, steps, table, size, estimates):
    base = u64(table.ctypes.data)
    numbers, own = np.empty(moves, u64), np.empty(MOST_KEPT, u64)
    item = first
    while item < last:  # a state at a time: its first move may belong to the range before, and its last to the next
        state = item // moves
        begin, end = item - state * moves, min(moves, last - state * moves)
        for move in range(begin, end):
            estimates[state * moves + move] = u8(0)
        for look in range(looks):
            kept, start = u64(shapes[look, 0]), u64(shapes[look, 1])
            for piece in range(kept):
                own[piece] = u64(states[pieces[look, piece], state])
            for move in range(begin, end):
                number, taken = u64(0), u32(0)
                where = steps[look, move]
                for piece in range(kept):
                    place = u32(where[own[piece]])
                    number = number * (u64(places) - piece) + u64(_digit_of(place, taken))
                    taken |= u32(1) << place
                numbers[move] = number + start
                prefetch(base + numbers[move])
            for move in range(begin, end):
                estimates[state * moves + move] = max(estimates[state * moves + move], table[numbers[move]])
        item = state * moves + end


@compiled
def play(first, last, places, count, children, moves, states, parents, made, steps, out):
    for piece in range(places):
        for item in range(first, last):
            out[piece, item] = steps[made[item], states[piece, parents[item]]]
