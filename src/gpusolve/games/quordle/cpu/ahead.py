"""Games played out: what `joint` guesses when it looks ahead, and the kernel `playouts`.

A GPU gathers patterns as it needs them; here the patterns of a position, its words by the pool, are copied side by side
once, so that a step compares rows of some hundred bytes.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.quordle.cpu.simple import GOLDEN, _mix
from gpusolve.games.quordle.rules import FINALISTS, FINE, GLIMPSES, MOST_AHEAD, NEAR, PLAYOUTS, POOL, TRIED

SOLVED = 242
AT_ONCE = 256  # places that a loop does in one go, where vectors have 64 bytes
FAR = np.int32(1 << 30)  # more than any guess costs, and room to add to it


@compiled
def look_ahead(codes, dictionary, own, nlogn, solve, words, count, costs, least):
    """The guess that does best in games played out, all of them against the same hidden words.

    `words`: of the unsolved boards, board after board; `count`: how many each has.
    """
    boards = len(count)
    starts = np.cumsum(count) - count
    pool = np.empty(POOL, np.int64)
    pooled = nearest(costs, dictionary, np.int64(least), pool)
    table, packed, ranks, work, kept, left = prepared(codes, own, words, pool, pooled, pool[:0])
    seed = seed_of(words)
    ways = ways_of(count)
    glimpses = min(ways, GLIMPSES)
    tried = min(pooled, TRIED)
    sums = np.zeros(tried, np.int64)
    hidden = np.empty(boards, np.int64)
    first = np.empty((3, len(words)), np.int64)
    for place in range(tried):
        split(table, starts, count, place, first)
        for k in range(glimpses):
            deal_of(seed, k * ways // glimpses if ways <= PLAYOUTS else k, ways, count, hidden)
            sums[place] += playout(
                table, starts, count, hidden, pooled, nlogn, solve, place, first, packed, ranks, work, kept, left
            )
    best, fewest = -1, 0
    for _ in range(min(tried, FINALISTS)):
        place = -1  # the best of those not yet looked at
        for i in range(tried):
            if sums[i] >= 0 and (place < 0 or sums[i] < sums[place]):
                place = i
        total = sums[place]
        sums[place] = -1
        if ways > GLIMPSES:
            total = 0
            split(table, starts, count, place, first)
            for k in range(min(ways, PLAYOUTS)):
                deal_of(seed, k, ways, count, hidden)
                total += playout(
                    table, starts, count, hidden, pooled, nlogn, solve, place, first, packed, ranks, work, kept, left
                )
                if best >= 0 and total > fewest:
                    break
        if best < 0 or total < fewest or (total == fewest and place < best):
            best, fewest = place, total
    return pool[best]


@compiled
def nearest(costs, dictionary, least, pool):
    """Puts the guesses of least cost into the pool, in order of cost by steps, of equals the first; says how many."""
    ends = np.zeros(NEAR + 1, np.int64)
    for guess in range(dictionary):
        step = (np.int64(costs[guess]) - least) >> FINE
        if step < NEAR:
            ends[step + 1] += 1
    for step in range(NEAR):
        ends[step + 1] += ends[step]
    pooled = min(ends[NEAR], POOL)
    for guess in range(dictionary):
        step = (np.int64(costs[guess]) - least) >> FINE
        if step < NEAR:
            if ends[step] < POOL:
                pool[ends[step]] = guess
            ends[step] += 1
    return pooled


@inlined
def seed_of(words):
    """What the hidden words are drawn by: these words, board after board."""
    seed = np.uint64(0)
    for word in words:
        seed = _mix(seed + np.uint64(word + 1))
    return seed


@inlined
def ways_of(count):
    """How many sets of hidden words there may be."""
    ways = np.int64(1)
    for n in count:
        ways *= n
    return ways


@inlined
def deal_of(seed, k, ways, count, hidden):
    """Which word each board hides in playout k: each way once if they are few, else drawn."""
    for board in range(len(count)):
        n = count[board]
        if ways <= PLAYOUTS:
            hidden[board] = k % n
            k //= n
        else:
            drawn = _mix(seed + np.uint64(k * MOST_AHEAD + board + 1) * GOLDEN) >> np.uint64(32)
            hidden[board] = np.int64(drawn * np.uint64(n) >> np.uint64(32))


@compiled
def prepared(codes, own, words, pool, pooled, tried):
    """The patterns of the words by the pool, by the words themselves, by these; and what playing out needs to work."""
    rows = len(words)
    table = np.empty((rows, POOL + rows + len(tried)), np.uint8)
    for row in range(rows):
        for place in range(POOL):
            table[row, place] = codes[words[row], pool[place]] if place < pooled else 0
        for other in range(rows):
            table[row, POOL + other] = codes[words[row], own[words[other]]]
        for i in range(len(tried)):
            table[row, POOL + rows + i] = codes[words[row], tried[i]]
    width = -(-(POOL + rows) // AT_ONCE) * AT_ONCE
    packed, ranks = np.empty((rows, width), np.uint8), np.empty(width, np.uint8)
    kept, left = np.empty((MOST_AHEAD, rows), np.int64), np.empty(MOST_AHEAD, np.int64)
    return table, packed, ranks, np.empty(width, np.int32), kept, left


@compiled
def split(table, starts, count, place, first):
    """The words of each board by the pattern of a guess: in order, where each one's cell begins, and its size."""
    order, cells, sizes = first
    ends, counted = np.empty(256, np.int64), np.empty(256, np.int64)
    for board in range(len(count)):
        counted[:] = 0
        for row in range(starts[board], starts[board] + count[board]):
            counted[table[row, place]] += 1
        end = starts[board]
        for code in range(256):
            ends[code] = end
            end += counted[code]
        for row in range(starts[board], starts[board] + count[board]):
            code = table[row, place]
            order[ends[code]] = row
            ends[code] += 1
        for row in range(starts[board], starts[board] + count[board]):
            code = table[row, place]
            cells[row], sizes[row] = ends[code] - counted[code], counted[code]


@compiled
def playout(table, starts, count, hidden, pooled, nlogn, solve, place, first, packed, ranks, costs, kept, left):
    """How many guesses a game takes that begins with this place of the pool, whose cells are `first`."""
    boards = len(count)
    order, cells, sizes = first
    made = np.int64(0)
    while True:
        made += 1
        unsolved, unknown, known, last = 0, 0, np.int64(-1), 0
        for board in range(boards):
            if made > 1 and left[board] == 0:
                continue
            answer = starts[board] + hidden[board]
            code, n = table[answer, place], np.int64(0)
            if code != SOLVED:
                if made == 1:
                    n = np.int64(sizes[answer])
                    for i in range(n):
                        kept[board, i] = order[cells[answer] + i]
                else:
                    for i in range(left[board]):
                        kept[board, n] = kept[board, i]
                        n += table[kept[board, n], place] == code
                unsolved += 1
                if n > 1:
                    unknown += 1
                    last = board
                elif known < 0:
                    known = kept[board, 0]
            left[board] = n
        if unknown == 0:
            return made + unsolved
        if known >= 0:
            place = POOL + known
        elif unsolved == 1 and left[last] == 2:
            return made + 1 + (kept[last, 0] != starts[last] + hidden[last])
        else:
            place = _cheapest(table, left, kept, pooled, nlogn, solve, packed, ranks, costs, boards)


@compiled
def _cheapest(table, left, kept, pooled, nlogn, solve, packed, ranks, costs, boards):
    """The place that costs least, of equals the first: of the pool, or of the words that fit."""
    end = POOL
    for board in range(boards):
        end += left[board]
    width = -(-end // AT_ONCE) * AT_ONCE
    for x in range(width):
        costs[x] = 0
    row = 0
    for board in range(boards):
        n = left[board]
        for i in range(row, row + n):
            costs[POOL + i] -= solve // n
            _pack(table, kept[board, i - row], left, kept, boards, packed, i)
        if n > 1:
            _add(packed, row, n, nlogn, ranks, costs, width)
        row += n
    for x in range(pooled, POOL):
        costs[x] = FAR
    for x in range(end, width):
        costs[x] = FAR
    least = FAR
    for x in range(width):
        least = min(least, costs[x])
    best = 0
    while costs[best] != least:
        best += 1
    if best >= POOL:
        best -= POOL
        for board in range(boards):
            if best < left[board]:
                return POOL + kept[board, best]
            best -= left[board]
    return best


@inlined
def _pack(table, word, left, kept, boards, packed, row):
    """What a word gets from the pool, and from the words that fit."""
    for x in range(POOL):
        packed[row, x] = table[word, x]
    place = POOL
    for board in range(boards):
        for i in range(left[board]):
            packed[row, place] = table[word, POOL + kept[board, i]]
            place += 1


@inlined
def _add(packed, row, n, nlogn, ranks, costs, width):
    """Adds what each place costs for a board with these words: so much for the k-th word of a cell, k from 0."""
    share = (1 << 20) // n
    two, three = np.int32((nlogn[2] * share) >> 20), np.int32(((nlogn[3] - nlogn[2]) * share) >> 20)
    if n == 2:
        for x in range(width):
            costs[x] += two * np.int32(packed[row, x] == packed[row + 1, x])
    elif n == 3:
        for x in range(width):
            same = np.int32(packed[row, x] == packed[row + 1, x])
            same += np.int32(packed[row, x] == packed[row + 2, x])
            same += np.int32(packed[row + 1, x] == packed[row + 2, x])
            costs[x] += two + three if same == 3 else two * same
    else:
        for i in range(row + 1, row + n):
            for x in range(width):
                ranks[x] = packed[i, x] == packed[row, x]
            for j in range(row + 1, i):
                for x in range(width):
                    ranks[x] += np.uint8(packed[i, x] == packed[j, x])
            highest = np.uint8(0)
            for x in range(width):
                highest = max(highest, ranks[x])
            before = np.int32(0)
            for k in range(1, np.int64(highest) + 1):
                cost = np.int32(((nlogn[k + 1] - nlogn[k]) * share) >> 20)
                growth, least = cost - before, np.uint8(k)
                for x in range(width):
                    costs[x] += growth * np.int32(ranks[x] >= least)
                before = cost


@compiled
def playouts(
    first, last, codes, columns, fits, starts, counts, boards, own, nlogn, solve, pool, pooled, tried, samples, out
):
    rows = len(fits)
    words = fits.astype(np.int64)
    begins, count = starts.astype(np.int64), counts.astype(np.int64)
    places = np.empty(POOL, np.int64)
    places[:pooled] = pool
    table, packed, ranks, work, kept, left = prepared(codes, own, words, places, pooled, tried)
    seed, ways = seed_of(words), ways_of(count)
    hidden = np.empty(boards, np.int64)
    cells = np.empty((3, rows), np.int64)
    for item in range(first, last):
        place, k = POOL + rows + item // samples, item % samples
        if item == first or k == 0:
            split(table, begins, count, place, cells)
        deal_of(seed, k * ways // samples if ways <= PLAYOUTS else k, ways, count, hidden)
        out[item] = playout(
            table, begins, count, hidden, pooled, nlogn, solve, place, cells, packed, ranks, work, kept, left
        )
