"""The Numba twins of ``kernels/beam.cu``: same names, same arguments, same results to the bit.

The idea and the layout are described there.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.atomics import compare_and_swap, least
from gpusolve.backend.intrinsics.prefetch import prefetch

TILE = 8192
BYTES = 256
EVERY, NONE, FREE = -1, 256, 2**31 - 1
AHEAD = 64  # states whose slots are fetched while others are entered


@compiled
def tally(first, last, keys, size, cut, counts):
    upper = cut[0]
    other = np.empty(BYTES + 1, np.int32)  # equal keys often follow one another, and a counter waits for itself
    for tile in range(first, last):
        bins = counts[tile]
        for byte in range(BYTES):
            bins[byte] = other[byte] = 0
        begin, end = tile * TILE, min(size, (tile + 1) * TILE)
        if upper == EVERY:
            zeros = 0
            for i in range(begin, end - 1, 2):
                bins[keys[i] >> 8] += 1
                other[keys[i + 1] >> 8] += 1
                zeros += (keys[i] == 0) + (keys[i + 1] == 0)
            if (end - begin) & 1:
                bins[keys[end - 1] >> 8] += 1
                zeros += keys[end - 1] == 0
            bins[0] -= zeros
        else:
            lowest = np.uint32(upper << 8)
            for i in range(begin, end):
                other[min(np.uint32(keys[i] - lowest), np.uint32(BYTES))] += 1  # the others have a counter, too
            if upper == 0:
                other[0] = 0
        for byte in range(BYTES):
            bins[byte] += other[byte]


@compiled
def narrow(first, last, totals, cut):
    for _ in range(first, last):
        upper, wanted = cut[0], cut[1]
        if upper == NONE:
            continue
        total = 0
        for byte in range(BYTES):
            total += totals[byte]
        if upper == EVERY:
            cut[3], cut[4] = total, min(total, wanted)
            if total <= wanted:
                cut[0] = NONE
                continue
        above, byte = 0, BYTES - 1
        while above + totals[byte] < wanted:
            above += totals[byte]
            byte -= 1
        if upper == EVERY:
            cut[0] = byte
        else:
            cut[2] = upper << 8 | byte
        cut[1] = wanted - above


@compiled
def compare(first, last, cut, upper_counts, lower_counts, tiles, taken):
    upper, low = cut[0], cut[2] & 255
    for tile in range(first, last):
        above = equal = 0
        if upper == NONE:
            for byte in range(BYTES):
                above += upper_counts[tile, byte]
        else:
            for byte in range(upper + 1, BYTES):
                above += upper_counts[tile, byte]
            for byte in range(low + 1, BYTES):
                above += lower_counts[tile, byte]
            equal = lower_counts[tile, low]
        taken[tile], taken[tiles + tile] = above, equal


@compiled
def pick(first, last, keys, size, start, moves, cut, sums, tiles, tile_start, kept, parents, made):
    lowest = max(cut[2], 1)
    room = cut[1] if cut[2] else kept
    for tile in range(first, last):
        place = tile_start + tile
        over = sums[place - 1] if place else 0
        same = sums[tiles + place - 1] - sums[tiles - 1]
        for i in range(tile * TILE, min(size, (tile + 1) * TILE)):
            key = keys[i]
            if key < lowest:
                continue
            at = over + min(same, room)
            if cut[2] == 0 or key > lowest:
                over += 1
            else:
                same += 1
                if same > room:
                    continue
            parents[at] = start + i // moves
            made[at] = i % moves


@inlined
def _hash(columns, item):
    mixed = np.uint64(0)
    for word in range(len(columns)):
        mixed = (mixed ^ columns[word, item]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(32)


@inlined
def _are_equal(columns, one, other):
    for word in range(len(columns)):  # noqa: SIM110 (Numba has no generators here)
        if columns[word, one] != columns[word, other]:
            return False
    return True


@compiled
def claim(first, last, columns, words, count, slots, size, place):
    mask, base = np.uint64(size - 1), np.uint64(slots.ctypes.data)
    hashed = np.empty(AHEAD, np.uint64)
    for begin in range(first, last, AHEAD):
        end = min(last, begin + AHEAD)
        for item in range(begin, end):
            hashed[item - begin] = _hash(columns, item) & mask
            prefetch(base + hashed[item - begin] * np.uint64(4))
        for item in range(begin, end):
            slot = hashed[item - begin]
            while True:
                address = base + slot * np.uint64(4)
                held = compare_and_swap(address, FREE, item)
                if held == FREE:
                    break
                if _are_equal(columns, held, item):
                    least(address, item)
                    break
                slot = (slot + np.uint64(1)) & mask
            place[item] = slot
