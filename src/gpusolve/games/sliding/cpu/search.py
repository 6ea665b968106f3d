"""Depth-first search in many lanes, so that the memory is asked in one lane while others go on.

A GPU gives a thread to an item; here one thread keeps two groups of LANES items, and in each round does four things for
all lanes of a group, one after the other: it reads what the last round asked for, takes each lane to its next node,
lists the moves there, and asks for what they need. The groups take turns, so that what one asks for comes while the
other computes. The first and the last are loops over a list of all children of the group, without a branch that
depends on data, so that the processor has many of them under way at once.
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import popcount
from gpusolve.backend.compiled import compiled
from gpusolve.backend.prefetch import prefetch
from gpusolve.games.sliding.cpu.heights import (
    BASE,
    CELL_BITS,
    GROUP_BITS,
    HEIGHT,
    HIGH,
    LOW,
    ORDERS,
    ROW_BITS,
    TILES_ORDERS,
    TURNS,
)

u8, u16, u32, u64, i64 = np.uint8, np.uint16, np.uint32, np.uint64, np.int64
LANES = 8  # of a group
MOST_MOVES = 256  # depth of a path, at most
DONE, PAUSED, FOUND = 0, 1, 2

# A frame, 16 words, is a node on the path of a lane: the words of the two sides that the move from it has changed, as
# they were; its children that are within the bound, each as its two words and its news; its own news, and which child
# was taken, of how many, with the cell of the blank. News are laid out as ``kernels/sliding.cu`` tells.
FRAME, CHILD, NEWS, TAKEN = 16, 2, 14, 15
MOVE, SLACKS, BEYOND = u64(3), u64(0xFFFFFFFC), u64(0x80010000)
SLACK, SLACK_2, ALLOWED, STATE = u64(2), u64(17), u64(32), u64(36)
FRAMES = FRAME * (MOST_MOVES + 2) + 8  # of a lane; with whole pages, its lines would share a place in the cache

# A lane, 40 words: numbers, from SIDES on the words of the sides, from BOARD on the tiles as bytes.
ITEM, TARGET, FIXED, EXPANDED, GENERATED, DEPTH, BLANK, KEPT, AT, NEAREST, COUNTED = range(11)
SIDES, BOARD, LANE = 16, 32, 40
NONE = u64(2**63)
CHILDREN = 4 * LANES + 4  # of a group, with room for one that is not


@compiled
def _read(count, asked, lanes, frames, bits, pace, weight):
    """Reads the entries of the children that were asked for, and keeps those within the bound."""
    gain = (u64(weight) - u64(pace)) * (u64(1) << SLACK | u64(1) << SLACK_2)
    loss, loss_2 = u64(2 * weight) << SLACK, u64(2 * weight) << SLACK_2
    for child in range(count):
        at, me, index, other = asked[child, 0], asked[child, 1], asked[child, 4], asked[child, 5]
        frame = lanes[me + u64(AT)]
        word, word_2, news = frames[at], frames[at + u64(1)], frames[at + u64(2)]
        bit = u64(bits[index >> u64(5)]) >> (index & u64(31))
        bit_2 = u64(bits[other >> u64(5)]) >> (other & u64(31))
        # The height goes up or down by one: up if bit 1 of the entry is that of the height + 1.
        up = ((word + (u64(1) << HEIGHT)) >> u64(63) ^ bit ^ u64(1)) & u64(1)
        up_2 = ((word_2 + (u64(1) << HEIGHT)) >> u64(63) ^ bit_2 ^ u64(1)) & u64(1)
        news += (frames[frame + u64(NEWS)] & SLACKS) + gain - up * loss - up_2 * loss_2
        kept = lanes[me + u64(KEPT)]
        to = frame + u64(CHILD) + u64(3) * kept
        frames[to] = word + ((up + up - u64(1)) << HEIGHT)
        frames[to + u64(1)] = word_2 + ((up_2 + up_2 - u64(1)) << HEIGHT)
        frames[to + u64(2)] = news
        lanes[me + u64(KEPT)] = kept + u64((news & BEYOND) == u64(0))


@compiled
def _number(count, asked, frames, lanes, low_cells, side_of, steps, shapes, low, high, turns, automaton, about):
    """Where the children's tiles lie, and asks for what is known about their maps."""
    low_cells = u64(low_cells)
    low_mask = (u64(1) << low_cells) - u64(1)
    where = u64(about.ctypes.data)
    for child in range(count):
        at, me, what, follow = asked[child, 0], asked[child, 1], asked[child, 2], asked[child, 3]
        step = u64(4) * (what & u64(0xFFFF))
        sides = u64(side_of[what >> u64(16)])
        frames[at + u64(2)] = u64(automaton[follow]) << ALLOWED | what & MOVE
        for view in range(2):
            side = sides & u64(15)
            sides >>= u64(4)
            word = lanes[me + u64(SIDES) + side]
            from_to = side * u64(512) + step
            shape = side * u64(8)
            mask = u64(u32(word))
            new = mask ^ u64(steps[from_to])
            number = u64(low[shapes[shape + u64(LOW)] + (new & low_mask)]) + u64(
                high[shapes[shape + u64(HIGH)] + (new >> low_cells)]
            )
            prefetch(where + (number << u64(3)))
            i = u64(popcount(mask & u64(steps[from_to + u64(1)])))
            j = u64(popcount(new & u64(steps[from_to + u64(2)])))
            order = u64(
                turns[
                    shapes[shape + u64(TURNS)]
                    + i * shapes[shape + u64(TILES_ORDERS)]
                    + j * shapes[shape + u64(ORDERS)]
                    + u64(u16(word >> u64(32)))
                ]
            )
            frames[at + u64(view)] = word & (u64(3) << HEIGHT) | order << u64(32) | new
            asked[child, 4 + view] = u64(steps[from_to + u64(3)]) | shape << u64(8) | number << u64(16)


@compiled
def _ask(count, asked, frames, shapes, about, groups, bits):
    """Asks for the children's entries."""
    where = u64(bits.ctypes.data)
    for child in range(count):
        at = asked[child, 0]
        for view in range(2):
            what = asked[child, 4 + view]
            blank, shape, number = what & u64(31), what >> u64(8) & u64(255), what >> u64(16)
            one = about[number]
            runs = u64(popcount(one >> CELL_BITS & (u64(2) << blank) - u64(1)))
            run = runs + (one >> (CELL_BITS + CELL_BITS)) + u64(groups[number >> GROUP_BITS])
            row = number if one >> blank & u64(1) else run
            order = u64(u16(frames[at + u64(view)] >> u64(32)))
            index = shapes[shape + u64(BASE)] + row * shapes[shape + u64(ROW_BITS)] + order
            prefetch(where + (index >> u64(5) << u64(2)))
            asked[child, 4 + view] = index


@compiled
def search(
    first, last, bound, pace, weight, budget, cells, n_sides, low_cells, start, words, news, beside, side_of, steps,
    shapes, low, high, about, groups, turns, bits, automaton, path, fixed, counted, length, skip, status, expanded,
    generated, nearest,
):  # fmt: skip
    frames, lanes = np.zeros(2 * LANES * FRAMES, u64), np.zeros(2 * LANES * LANE, u64)
    boards = lanes.view(np.uint8)
    asked, counts = np.zeros((2, CHILDREN, 6), u64), np.zeros(2, i64)
    near, all_steps, all_shapes = beside.reshape(-1), steps.reshape(-1), shapes.reshape(-1)
    legal = np.zeros(cells, u64)  # the moves that the board's edge allows
    for cell in range(cells):
        for move in range(4):
            legal[cell] |= u64(beside[cell, move] != cell) << u64(move)
    for lane in range(2 * LANES):
        lanes[lane * LANE + ITEM] = NONE
    following, end = u64(first), u64(last)
    rules_at = u64(automaton.ctypes.data)
    group, idle = 0, 0
    while idle < 2:
        group = 1 - group
        mine = asked[group]
        _read(counts[group], mine, lanes, frames, bits, pace, weight)
        count, idle = 0, idle + 1
        for lane in range(u64(group * LANES), u64(group * LANES + LANES)):
            me = lane * u64(LANE)
            sides, board = me + u64(SIDES), u64(8) * (me + u64(BOARD))
            item, frame, kept = lanes[me + u64(ITEM)], lanes[me + u64(AT)], lanes[me + u64(KEPT)]
            depth, blank = lanes[me + u64(DEPTH)], lanes[me + u64(BLANK)]
            fixed_depth, taken = lanes[me + u64(FIXED)], u64(0)
            over, outcome = item == NONE, -1
            if not over and depth < lanes[me + u64(TARGET)]:  # on the way to where the item goes on
                move = u64(path[item, depth])
                while taken < kept and frames[frame + u64(CHILD + 2) + u64(3) * taken] & MOVE != move:
                    taken += u64(1)
                if taken == kept:
                    over, outcome = True, DONE
                elif depth < fixed_depth:
                    kept = taken + u64(1)
            if not over:
                while taken == kept and depth > fixed_depth:  # back
                    depth -= u64(1)
                    frame -= u64(FRAME)
                    news_ = frames[frame + u64(TAKEN)]
                    taken, kept, was = news_ & u64(255), news_ >> u64(8) & u64(255), news_ >> u64(16)
                    tile = u64(boards[board + was])
                    boards[board + blank], boards[board + was] = u8(tile), u8(0)
                    pair = u64(side_of[tile])
                    lanes[sides + (pair & u64(15))] = frames[frame]
                    lanes[sides + (pair >> u64(4))] = frames[frame + u64(1)]
                    blank = was
                if taken == kept:
                    over, outcome = True, DONE
            if not over:  # on, to the child that is next
                at = frame + u64(CHILD) + u64(3) * taken
                now = frames[at + u64(2)]
                to = u64(near[blank * u64(4) + (now & MOVE)])
                tile = u64(boards[board + to])
                boards[board + blank], boards[board + to] = u8(tile), u8(0)
                pair = u64(side_of[tile])
                side, side_2 = sides + (pair & u64(15)), sides + (pair >> u64(4))
                frames[frame], frames[frame + u64(1)] = lanes[side], lanes[side_2]
                lanes[side], lanes[side_2] = frames[at], frames[at + u64(1)]
                frames[frame + u64(TAKEN)] = taken + u64(1) | kept << u64(8) | blank << u64(16)
                blank = to
                depth += u64(1)
                frame += u64(FRAME)
                frames[frame + u64(NEWS)] = now
                ahead = u64(bound) - u64(pace) * depth - (now >> SLACK & u64(0x7FFF))  # the height, times its weight
                solved = ahead == u64(0) and not (skip[item] and depth == lanes[me + u64(TARGET)])
                lanes[me + u64(NEAREST)] = min(lanes[me + u64(NEAREST)], ahead)
                if solved or (lanes[me + u64(EXPANDED)] >= u64(budget) and depth >= lanes[me + u64(TARGET)]):
                    over, outcome = True, FOUND if solved else PAUSED
                    for level in range(depth):
                        there = lane * u64(FRAMES) + u64(level + 1) * u64(FRAME)
                        path[item, level] = frames[there + u64(NEWS)] & MOVE
                    length[item] = depth
            if outcome >= 0:
                status[item] = outcome
                expanded[item], generated[item] = lanes[me + u64(EXPANDED)], lanes[me + u64(GENERATED)]
                nearest[item] = lanes[me + u64(NEAREST)]
            if over:  # the next item, from the start
                lanes[me + u64(ITEM)], lanes[me + u64(KEPT)] = NONE, u64(0)
                if following >= end:
                    continue
                item = following
                following += u64(1)
                lanes[me + u64(ITEM)] = item
                lanes[me + u64(TARGET)], lanes[me + u64(FIXED)] = u64(length[item]), u64(fixed[item])
                lanes[me + u64(COUNTED)] = u64(counted[item])
                lanes[me + u64(EXPANDED)], lanes[me + u64(GENERATED)] = u64(0), u64(0)
                lanes[me + u64(NEAREST)] = u64(bound)
                for side in range(n_sides):
                    lanes[sides + u64(side)] = words[side]
                for cell in range(cells):
                    boards[board + u64(cell)] = start[cell]
                    if start[cell] == 0:
                        blank = u64(cell)
                depth, frame, now = u64(0), lane * u64(FRAMES), u64(news)
                frames[frame + u64(NEWS)] = now
            idle = 0
            lanes[me + u64(KEPT)], lanes[me + u64(AT)] = u64(0), frame
            lanes[me + u64(DEPTH)], lanes[me + u64(BLANK)] = depth, blank
            counting = depth >= lanes[me + u64(COUNTED)]
            if depth == lanes[me + u64(TARGET)]:  # arrived
                lanes[me + u64(TARGET)], lanes[me + u64(COUNTED)] = u64(0), u64(0)
                if skip[item]:
                    continue
            before, at = count, frame + u64(CHILD)
            allowed, follow = now >> ALLOWED & legal[blank], now >> STATE << u64(2)
            prefetch(rules_at + (follow << u64(2)))
            for move in range(4):  # all four are written down, those that are allowed stay
                tile = u64(boards[board + u64(near[blank * u64(4) + u64(move)])])
                mine[count, 0], mine[count, 1] = at, me
                mine[count, 2] = tile << u64(16) | blank << u64(2) | u64(move)
                mine[count, 3] = follow + u64(move)
                one = allowed >> u64(move) & u64(1)
                count += i64(one)
                at += u64(3) * one
            if counting:
                lanes[me + u64(EXPANDED)] += u64(1)
                lanes[me + u64(GENERATED)] += u64(count - before)
        counts[group] = count
        _number(
            count, mine, frames, lanes, low_cells, side_of, all_steps, all_shapes, low, high, turns, automaton, about
        )
        _ask(count, mine, frames, all_shapes, about, groups, bits)
