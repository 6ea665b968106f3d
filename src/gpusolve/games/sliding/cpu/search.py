"""`search`: depth-first search in several lanes, so that one lane waits for memory while the others continue.

A GPU searches an item per thread. Here one thread keeps LANES items and takes each in turn to its next node. A lane
prefetches the words of a node when it moves there, and reads them a round of all other lanes later. Going back undoes a
step. Keeping the complete state of each node on the path would need no branches, but was slower (27 instead of 31
million nodes per second).
"""

# mypy: disable-error-code="assignment"

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import popcount, trailing_zeros
from gpusolve.backend.compiled import compiled
from gpusolve.backend.prefetch import prefetch

u8, u32, u64 = np.uint8, np.uint32, np.uint64
LANES = 12
MOST_MOVES = 256  # room for the moves of a path, which has at most one move fewer
DONE, PAUSED, FOUND = 0, 1, 2

# A frame is a node on the path of a lane: the slacks of its children by move; the previous words of the two sides that
# the move from the node has changed; its news (see ``kernels/sliding.cu``); and the moves left to try, with the move
# that was made and the cell of the blank.
WORDS, NEWS, LEFT, FRAME = 4, 5, 6, 8
MOVE, SLACKS, BEYOND = u64(3), u64(0xFFFFFFFC), u64(0x80010000)
SLACK, SLACK_2, ALLOWED, STATE = u64(2), u64(17), u64(32), u64(36)
FRAMES = FRAME * (MOST_MOVES + 2) + 8  # per lane; whole pages would make the lanes compete for the same cache lines

# A lane holds ten numbers, from AT on the index of each side's word, and from TILES on the tiles as bytes.
ITEM, TARGET, FIXED, COUNTED, EXPANDED, GENERATED, NEAREST, DEPTH, BLANK, PAIR = range(10)
AT, TILES, LANE = 16, 32, 40
SIDES = 16
NONE = u64(2**63)


@compiled
def search(
    first, last, bound, pace, weight, budget, cells, n_sides, start, at, news, beside, looks, changes, steps, automaton,
    room, path, fixed, counted, length, skip, status, expanded, generated, nearest,
):  # fmt: skip
    frames, lanes, words = np.zeros(LANES * FRAMES, u64), np.zeros(LANES * LANE, u64), np.zeros(LANES * SIDES, u32)
    boards = lanes.view(np.uint8)
    # The four neighbours of a cell are the bytes of one number.
    near, look, change = beside.reshape(-1).view(u32), looks.reshape(-1), changes.reshape(-1)
    legal = np.zeros(cells, u64)  # the moves that stay on the board
    for cell in range(cells):
        for move in range(4):
            legal[cell] |= u64(beside[cell, move] != cell) << u64(move)
    gain = (u64(weight) - u64(pace)) * (u64(1) << SLACK | u64(1) << SLACK_2)
    loss, loss_2 = u64(2 * weight) << SLACK, u64(2 * weight) << SLACK_2
    for lane in range(LANES):
        lanes[lane * LANE + ITEM] = NONE
    where = u64(steps.ctypes.data)
    following, end, busy = u64(first), u64(last), LANES
    while busy:
        busy = 0
        for lane in range(u64(LANES)):
            me = lane * u64(LANE)
            sides, board, known = me + u64(AT), u64(8) * (me + u64(TILES)), lane * u64(SIDES)
            item, depth, blank = lanes[me + u64(ITEM)], lanes[me + u64(DEPTH)], lanes[me + u64(BLANK)]
            frame = lane * u64(FRAMES) + depth * u64(FRAME)
            if item == NONE:
                if following >= end:
                    continue
                item = following  # start the next item
                following += u64(1)
                lanes[me + u64(ITEM)] = item
                lanes[me + u64(TARGET)], lanes[me + u64(FIXED)] = u64(length[item]), u64(fixed[item])
                lanes[me + u64(COUNTED)] = u64(counted[item])
                lanes[me + u64(EXPANDED)], lanes[me + u64(GENERATED)] = u64(0), u64(0)
                lanes[me + u64(NEAREST)], lanes[me + u64(PAIR)] = u64(bound), u64(0)
                for side in range(n_sides):
                    lanes[sides + u64(side)] = u64(at[side])
                    words[known + u64(side)] = steps[at[side]]
                for cell in range(cells):
                    boards[board + u64(cell)] = start[cell]
                    if start[cell] == 0:
                        blank = u64(cell)
                depth, frame = u64(0), lane * u64(FRAMES)
                frames[frame + u64(NEWS)] = u64(news)
            busy += 1
            pair = lanes[me + u64(PAIR)]  # the words that were prefetched
            side, side_2 = pair & u64(15), pair >> u64(4)
            words[known + side] = steps[lanes[sides + side]]
            words[known + side_2] = steps[lanes[sides + side_2]]
            now, target = frames[frame + u64(NEWS)], lanes[me + u64(TARGET)]
            allowed, left = now >> ALLOWED & legal[blank], u64(0)
            slacks = (now & SLACKS) + gain
            around = u64(near[blank])
            for move in range(4):
                tile = u64(boards[board + (around >> u64(8 * move) & u64(255))])
                one = u64(look[tile * u64(4) + u64(move)])
                up = u64(words[known + (one & u64(15))]) >> (one >> u64(16) & u64(31)) & u64(1)
                up_2 = u64(words[known + (one >> u64(8) & u64(15))]) >> (one >> u64(24)) & u64(1)
                after = slacks - up * loss - up_2 * loss_2
                frames[frame + u64(move)] = after
                left |= u64((after & BEYOND) == u64(0)) << u64(move)
            left &= allowed
            if depth == u64(MOST_MOVES - 1):
                left = u64(0)  # the path has no room for another move
            if depth >= lanes[me + u64(COUNTED)] and not (depth == target and skip[item]):
                lanes[me + u64(EXPANDED)] += u64(1)
                lanes[me + u64(GENERATED)] += u64(popcount(allowed))
            outcome = -1
            if depth <= target:
                if depth == target:  # arrived
                    lanes[me + u64(TARGET)], lanes[me + u64(COUNTED)] = u64(0), u64(0)
                    target = u64(0)
                    if skip[item]:
                        left = u64(0)
                else:
                    move = u64(path[item, depth])
                    if not left >> move & u64(1):
                        left, outcome = u64(0), DONE
                    elif depth < lanes[me + u64(FIXED)]:
                        left = u64(1) << move
                    else:
                        left &= ~((u64(1) << move) - u64(1))
            while left == u64(0) and outcome < 0:  # go back
                if depth <= lanes[me + u64(FIXED)]:
                    outcome = DONE
                    break
                depth -= u64(1)
                frame -= u64(FRAME)
                left = frames[frame + u64(LEFT)]
                was, move = left >> u64(8), left >> u64(4) & u64(3)
                left &= u64(15)
                tile = u64(boards[board + was])
                boards[board + blank], boards[board + was] = u8(tile), u8(0)
                one = tile * u64(4) + move
                side, side_2 = u64(look[one]) & u64(15), u64(look[one]) >> u64(8) & u64(15)
                lanes[sides + side] -= u64(change[u64(2) * one])
                lanes[sides + side_2] -= u64(change[u64(2) * one + u64(1)])
                both = frames[frame + u64(WORDS)]
                words[known + side], words[known + side_2] = u32(both), u32(both >> u64(32))
                blank = was
            if outcome < 0:  # go on to the next child
                move = u64(trailing_zeros(left))
                to = u64(near[blank]) >> (move << u64(3)) & u64(255)
                tile = u64(boards[board + to])
                boards[board + blank], boards[board + to] = u8(tile), u8(0)
                one = tile * u64(4) + move
                side, side_2 = u64(look[one]) & u64(15), u64(look[one]) >> u64(8) & u64(15)
                frames[frame + u64(WORDS)] = u64(words[known + side]) | u64(words[known + side_2]) << u64(32)
                frames[frame + u64(LEFT)] = (left & (left - u64(1))) | move << u64(4) | blank << u64(8)
                index = lanes[sides + side] + u64(change[u64(2) * one])
                index_2 = lanes[sides + side_2] + u64(change[u64(2) * one + u64(1)])
                lanes[sides + side], lanes[sides + side_2] = index, index_2
                prefetch(where + index * u64(4))
                prefetch(where + index_2 * u64(4))
                lanes[me + u64(PAIR)] = side | side_2 << u64(4)
                state = frames[frame + u64(NEWS)] >> STATE
                now = frames[frame + move] & SLACKS
                blank = to
                depth += u64(1)
                frame += u64(FRAME)
                frames[frame + u64(NEWS)] = u64(automaton[state * u64(4) + move]) << ALLOWED | now | move
                ahead = u64(bound) - u64(pace) * depth - (now >> SLACK & u64(0x7FFF))  # the height times its weight
                lanes[me + u64(NEAREST)] = min(lanes[me + u64(NEAREST)], ahead)
                solved = ahead == u64(0) and not (skip[item] and depth == target)
                if solved or (lanes[me + u64(EXPANDED)] >= u64(budget) and depth >= target):
                    outcome = FOUND if solved else PAUSED
                    for level in range(depth):
                        there = lane * u64(FRAMES) + u64(level + 1) * u64(FRAME)
                        path[item, level] = frames[there + u64(NEWS)] & MOVE
                    length[item] = depth
            lanes[me + u64(DEPTH)], lanes[me + u64(BLANK)] = depth, blank
            if outcome >= 0:
                status[item] = outcome
                expanded[item], generated[item] = lanes[me + u64(EXPANDED)], lanes[me + u64(GENERATED)]
                nearest[item] = lanes[me + u64(NEAREST)]
                lanes[me + u64(ITEM)] = NONE
