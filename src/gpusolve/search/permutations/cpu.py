"""The Numba twins of ``kernels/permutations.cu``: same names, same arguments, same results to the bit.

The idea and the layout are described there.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.backend.intrinsics.prefetch import prefetch

u8, u32, u64 = np.uint8, np.uint32, np.uint64
UNKNOWN = NEVER = 255
MOST_OVER = 254
MOST_KEPT = 16
BLOCK = 8  # states whose bytes are fetched before they are read


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
def foresee(
    first, last, places, count, moves, states, room, at, automaton, nodes, costs, looks, shapes, pieces, steps, table,
    size, over,
):  # fmt: skip
    base, every = u64(table.ctypes.data), steps.reshape(-1)  # a row of it would be counted as a reference
    own, starts = np.empty(MOST_KEPT, u64), np.zeros(BLOCK + 1, np.int64)
    chosen, numbers = np.empty(BLOCK * moves + 1, np.int64), np.empty(BLOCK * moves, u64)
    most = np.empty(BLOCK * moves, np.int64)
    begin_state, end_state = first // moves, (last - 1) // moves + 1
    for block in range(begin_state, end_state, BLOCK):
        inside = min(BLOCK, end_state - block)
        total = 0
        for state in range(block, block + inside):
            start, node = state * moves, at[state]
            for move in range(max(first - start, 0), min(moves, last - start)):  # a range may begin within a state
                over[start + move] = NEVER
                chosen[total] = move  # without a branch: the next one takes its place if this is not allowed
                total += automaton[node, move] >= 0
            starts[state - block + 1] = total
        for number in range(total):
            most[number] = 0
        for look in range(looks):
            kept, begin = u64(shapes[look, 0]), u64(shapes[look, 1])
            for state in range(inside):
                for piece in range(kept):
                    own[piece] = u64(states[pieces[look, piece], block + state])
                for number in range(starts[state], starts[state + 1]):
                    rank, taken = u64(0), u32(0)
                    where = u64(look * moves + chosen[number]) * u64(places)
                    for piece in range(kept):
                        place = u32(every[where + own[piece]])
                        rank = rank * (u64(places) - piece) + u64(_digit_of(place, taken))
                        taken |= u32(1) << place
                    numbers[number] = rank + begin
                    prefetch(base + rank + begin)
            for number in range(total):
                most[number] = max(most[number], np.int64(table[numbers[number]]))
        for state in range(inside):
            left, start = room[block + state], (block + state) * moves
            for number in range(starts[state], starts[state + 1]):
                move = chosen[number]
                over[start + move] = min(max(np.int64(costs[move]) + most[number] - left, 0), MOST_OVER)


@compiled
def play(first, last, places, count, children, moves, states, parents, made, steps, out):
    for piece in range(places):
        for item in range(first, last):
            out[piece, item] = steps[made[item], states[piece, parents[item]]]
