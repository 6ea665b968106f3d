"""`widen` and `slide`: tables and search of the multi-tile metric; ``kernels/sliding_slides.cuh`` explains both.

As in `search`, one thread keeps LANES items and takes each in turn to its next node, which prefetches what it reads.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import popcount, trailing_zeros
from gpusolve.backend.intrinsics.prefetch import prefetch
from gpusolve.games.sliding.cpu.outcomes import DONE, FOUND, PAUSED

u8, u32, u64 = np.uint8, np.uint32, np.uint64
UNKNOWN = 255  # the distance of a position that no slide has reached
TAIL = 3  # items of a position that are not in its head
WAITING = 32  # distances that have been prefetched, and are written when as many others have been
LANES, MOST_MOVES, SIDES, CELLS = 12, 256, 8, 16
NO_ITEM, GOING_ON = -1, -1


@inlined
def _number(position, head_bits, cells, heads):
    """Return the number of a position."""
    head = heads[position & (1 << head_bits) - 1]
    number, mask, radix = np.int64(head >> u32(16)), head & u32(0xFFFF), cells - head_bits // 4
    for item in range(TAIL):
        cell = position >> (head_bits + 4 * item) & 15
        number = number * (radix - item) + cell - np.int64(popcount(mask & ((u32(1) << u32(cell)) - u32(1))))
        mask |= u32(1) << u32(cell)
    return number


@compiled
def widen(first, last, rows, columns, head_bits, slides, heads, distances, positions, counts):
    cells, radix = rows * columns, rows * columns - head_bits // 4
    tails = radix * (radix - 1) * (radix - 2)
    flat, waiting, turn = distances.reshape(-1), np.full(WAITING, -1, np.int64), 0
    places, shift_of = np.zeros((tails, TAIL), np.int64), np.zeros(CELLS, np.int64)
    for tail in range(tails):
        places[tail, 0] = tail // ((radix - 1) * (radix - 2))
        places[tail, 1] = tail // (radix - 2) % (radix - 1)
        places[tail, 2] = tail % (radix - 2)
    for code in range(first, last):
        counts[code] = 0
        head = heads[code]
        if head == u32(0):  # no position begins like this
            continue
        shift_of[:] = 0
        for item in range(1, head_bits // 4):
            shift_of[code >> 4 * item & 15] = 4 * item
        free, place = u64(0), 0  # the free cells, four bits each
        for cell in range(cells):
            if not head >> u32(cell) & u32(1):
                free |= u64(cell) << u64(4 * place)
                place += 1
        begin, blank = np.int64(head >> u32(16)) * tails, code & 15
        for axis in range(2):
            stride, lines, line = (columns, rows, blank // columns) if axis == 0 else (1, columns, blank % columns)
            for tail in range(tails):
                if flat[(1 - axis) * positions + begin + tail] != slides:
                    continue
                counts[code] += 1
                position, left = code, free
                for item in range(TAIL):
                    at = u64(4 * places[tail, item])
                    cell = np.int64(left >> at & u64(15))
                    before = (u64(1) << at) - u64(1)
                    left = (left & before) | (left >> u64(4) & ~before)
                    position |= cell << (head_bits + 4 * item)
                    shift_of[cell] = head_bits + 4 * item
                for forth in range(2):
                    step = stride if forth else -stride
                    after, here = position, blank
                    for _ in range(lines - 1 - line if forth else line):
                        after += step
                        if shift_of[here + step]:
                            after -= step << shift_of[here + step]
                        here += step
                        reached = axis * positions + _number(after, head_bits, cells, heads)
                        prefetch(u64(distances.ctypes.data) + u64(reached))
                        earlier, waiting[turn] = waiting[turn], reached
                        turn = (turn + 1) & (WAITING - 1)
                        if earlier >= 0 and flat[earlier] == UNKNOWN:
                            flat[earlier] = slides + 1
                for item in range(TAIL):
                    shift_of[position >> (head_bits + 4 * item) & 15] = 0
    for reached in waiting:
        if reached >= 0 and flat[reached] == UNKNOWN:
            flat[reached] = slides + 1


class Tree(NamedTuple):
    """What is the same for all nodes: the parameters of `slide`."""

    bound: int
    pace: int
    weight: int
    budget: int
    rows: int
    columns: int
    head_bits: int
    beside: npt.NDArray[np.uint8]
    changes: npt.NDArray[np.int32]
    sets: npt.NDArray[np.uint8]
    heads: npt.NDArray[np.uint32]
    heights: npt.NDArray[np.uint8]
    homes: npt.NDArray[np.uint32]


LANE = np.dtype(
    [
        ("item", np.int64),  # NO_ITEM if there is none
        ("target", np.int64),  # the length of the path on the way to its end, then -1
        ("counted", np.int64),
        ("skip", np.int64),
        ("fixed", np.int64),
        ("expanded", np.int64),
        ("generated", np.int64),
        ("nearest", np.int64),
        ("depth", np.int64),
        ("blank", np.int64),
        ("index", np.int64, SIDES),  # the position of each side
        ("at", np.int64, SIDES),  # where its height is
        ("tiles", u8, CELLS),
    ]
)
NODE = np.dtype([("left", u8), ("move", u8), ("slides", u8), ("unused", u8)])
"""A node on the path of a lane: the moves left to try, the move that led here, and the number of slides so far."""


@compiled
def slide(
    first, last, bound, pace, weight, budget, rows, columns, head_bits, start, at, sides, beside, changes, sets, heads,
    heights, positions, homes, room, path, fixed, counted, length, skip, status, expanded, generated, nearest,
):  # fmt: skip
    lanes, nodes = np.zeros(LANES, LANE), np.zeros((LANES, MOST_MOVES + 3), NODE)
    tree = Tree(
        bound, pace, weight, budget, rows, columns, head_bits, beside, changes, sets, heads, heights.reshape(-1), homes
    )
    following, busy = first, LANES
    for number in range(LANES):
        lanes[number].item = NO_ITEM
    while busy:
        busy = 0
        for number in range(LANES):
            lane = lanes[number]
            if lane.item == NO_ITEM:
                if following >= last:
                    continue
                item = following
                following += 1
                lane.item, lane.target, lane.fixed = item, length[item], fixed[item]
                lane.counted, lane.skip = counted[item], skip[item]
                lane.depth = lane.expanded = lane.generated = 0
                lane.nearest = bound
                for side in range(sides):
                    lane.index[side] = at[side]
                for cell in range(len(start)):
                    lane.tiles[cell] = start[cell]
                    if start[cell] == 0:
                        lane.blank = cell
                nodes[number, 0].slides = 0
            busy += 1
            item, node, outcome = lane.item, nodes[number, lane.depth], GOING_ON
            left = _enter(lane, node, tree, positions)
            if left < 0:
                outcome = FOUND
            else:
                if lane.depth < lane.target:
                    move = np.int64(path[item, lane.depth])
                    if not left >> move & 1:
                        outcome = DONE
                    left &= 1 << move if lane.depth < lane.fixed else -1 << move
                elif lane.depth == lane.target:
                    lane.target, lane.counted, lane.skip = -1, 0, 0
                while left == 0 and outcome == GOING_ON:
                    if lane.depth <= lane.fixed:
                        outcome = DONE
                    else:
                        lane.depth -= 1
                        _step(lane, np.int64(node.move) ^ 1, tree)
                        node = nodes[number, lane.depth]
                        left = np.int64(node.left)
            if outcome == GOING_ON:
                move = trailing_zeros(u64(left))
                node.left = left & left - 1
                child = nodes[number, lane.depth + 1]
                child.move = move
                child.slides = node.slides + (lane.depth == 0 or node.move != move)
                lane.depth += 1
                _step(lane, move, tree)
                _look(lane, 1 - (move >> 1), tree, positions)
                if lane.expanded >= budget and lane.depth >= lane.target:
                    outcome = PAUSED
            if outcome != GOING_ON:
                if outcome != DONE:
                    for level in range(lane.depth):
                        path[item, level] = nodes[number, level + 1].move
                    length[item] = lane.depth
                status[item] = outcome
                expanded[item], generated[item], nearest[item] = lane.expanded, lane.generated, lane.nearest
                lane.item = NO_ITEM


@inlined
def _enter(lane, node, tree, positions):
    """Enter a node: count it, and return the moves that are left, as bits; or -1 at a goal."""
    arrives = lane.depth == lane.target
    skipped, spent, left = arrives and lane.skip, tree.pace * np.int64(node.slides), 0
    for axis in range(2):
        if lane.depth and axis == np.int64(node.move) >> 1:
            continue
        if lane.depth == 0:
            _look(lane, axis, tree, positions)
        height = 0
        for side in range(len(tree.sets)):
            height = max(height, np.int64(tree.heights[lane.at[side]]))
        if height == 0 and spent <= tree.bound and not skipped and _is_solved(lane, tree):
            lane.nearest = 0
            return -1
        if spent + tree.weight * height > tree.bound or skipped:
            continue
        lane.nearest = min(lane.nearest, tree.weight * height)
        left |= 3 << 2 * axis
        if lane.depth >= lane.counted:
            lane.expanded += 1
            lane.generated += (tree.rows if axis == 0 else tree.columns) - 1
    if lane.depth and not skipped:
        left |= 1 << np.int64(node.move)
    if lane.depth == MOST_MOVES - 1:
        return 0
    for move in range(4):
        if tree.beside[lane.blank, move] == lane.blank:
            left &= ~(1 << move)
    return left


@inlined
def _step(lane, move, tree):
    """Move the blank."""
    to = np.int64(tree.beside[lane.blank, move])
    tile = np.int64(lane.tiles[to])
    lane.tiles[lane.blank], lane.tiles[to], lane.blank = u8(tile), u8(0), to
    for side in range(len(tree.sets)):
        lane.index[side] += tree.changes[side, tile, move]


@inlined
def _look(lane, axis, tree, positions):
    """Prefetch the heights of a node whose next slide is along an axis."""
    cells = tree.rows * tree.columns
    for side in range(len(tree.sets)):
        number = _number(lane.index[side], tree.head_bits, cells, tree.heads)
        lane.at[side] = (2 * np.int64(tree.sets[side, 0]) + (axis ^ np.int64(tree.sets[side, 1]))) * positions + number
        prefetch(u64(tree.heights.ctypes.data) + u64(lane.at[side]))


@inlined
def _is_solved(lane, tree):
    """Return whether every tile is in a goal cell."""
    home = 0
    for cell in range(tree.rows * tree.columns):
        home += tree.homes[lane.tiles[cell]] >> u32(cell) & u32(1)
    return home == tree.rows * tree.columns
