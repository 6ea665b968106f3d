"""Games played out: what `joint` guesses when it looks ahead, and the kernel `playouts`.

A GPU gathers patterns as it needs them; here the patterns of a position, its words by the pool, are copied side by side
once, so that a step compares rows of some hundred bytes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpusolve.backend.columns import WIDTH, add_ranked, copy, gather
from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.quordle.cpu.simple import GOLDEN, _mix
from gpusolve.games.quordle.rules import FINALISTS, FINE, GLIMPSES, MOST_AHEAD, MOST_FITS, NEAR, PLAYOUTS, POOL, TRIED

SOLVED = 242
STEPS = MOST_FITS  # what `Room.steps` has for so many words
FAR = np.int32(1 << 30)  # more than any guess costs
NEVER = 1 << 30  # more guesses than any games take


class Room(NamedTuple):
    """What playing out needs to work, for positions of at most so many words.

    `table`, flat: the patterns of each word; `packed`, flat: those that one step compares, row i from `begins`[i] on,
    and `places`: whose they are; `costs`: of each guess. `first`: of each word as `split` has it; `kept`, `left`: the
    words that fit each board, and how many. One of n words that follows k others of its cell costs the sum of the k
    `steps` after n * STEPS.
    """

    table: Any
    packed: Any
    begins: Any
    places: Any
    costs: Any
    first: Any
    kept: Any
    left: Any
    steps: Any


@compiled
def room_for(rows, tried, nlogn):
    """Room for so many words and, beside the pool and the words, so many guesses that are tried."""
    width = -(-(POOL + rows) // WIDTH) * WIDTH
    steps = np.zeros((MOST_FITS + 1) * STEPS, np.int32)
    for n in range(2, min(MOST_FITS + 1, len(nlogn))):
        share, before = (1 << 20) // n, 0
        for k in range(1, n):
            cost = ((nlogn[k + 1] - nlogn[k]) * share) >> 20
            steps[n * STEPS + k] = cost - before
            before = cost
    return Room(
        np.empty(rows * (width + tried) + WIDTH, np.uint8),
        np.zeros(rows * width, np.uint8),
        np.arange(rows) * width,
        np.empty(rows, np.int64),
        np.empty(width, np.int32),
        np.empty((3, rows), np.int64),
        np.empty((MOST_AHEAD, rows), np.int64),
        np.empty(MOST_AHEAD, np.int64),
        steps,
    )


@compiled
def look_ahead(codes, dictionary, among, solve, words, count, costs, least, room):
    """The guess that does best in games played out, all of them against the same hidden words.

    `words`: of the unsolved boards, board after board; `count`: how many each has.
    """
    pool = np.empty(POOL, np.int64)
    pooled = nearest(costs, dictionary, np.int64(least), pool)
    columns = tabulate(codes, words, among, words, pool[:pooled], pool[:0], room.table)
    seed, ways, tried = seed_of(words), ways_of(count), min(pooled, TRIED)
    sums = np.empty(tried, np.int64)
    games = min(ways, GLIMPSES)
    for place in range(tried):
        sums[place] = total(room, columns, count, pooled, solve, place, seed, ways, games, NEVER)
    best, fewest = -1, NEVER
    for _ in range(min(tried, FINALISTS)):
        place = -1  # the best of those not yet looked at
        for i in range(tried):
            if sums[i] >= 0 and (place < 0 or sums[i] < sums[place]):
                place = i
        found = sums[place]
        sums[place] = -1
        if ways > games:
            found = total(room, columns, count, pooled, solve, place, seed, ways, min(ways, PLAYOUTS), fewest)
        if found < fewest or (found == fewest and place < best):
            best, fewest = place, found
    return pool[best]


@compiled
def total(room, columns, count, pooled, solve, place, seed, ways, games, most):
    """How many guesses so many games take that begin with this place of the pool; after `most` they are broken off."""
    starts, hidden = np.cumsum(count) - count, np.empty(len(count), np.int64)
    split(room.table, columns, starts, count, place, room.first)
    made = np.int64(0)
    for k in range(games):
        deal_of(seed, k, games, ways, count, hidden)
        made += playout(room, columns, starts, count, hidden, pooled, solve, place)
        if made > most:
            break
    return made


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
def deal_of(seed, k, games, ways, count, hidden):
    """Which word each board hides in game k of so many: each way once if they are few, else drawn."""
    place = k * ways // games if ways <= PLAYOUTS else k
    for board in range(len(count)):
        n = count[board]
        if ways <= PLAYOUTS:
            hidden[board] = place % n
            place //= n
        else:
            drawn = _mix(seed + np.uint64(k * MOST_AHEAD + board + 1) * GOLDEN) >> np.uint64(32)
            hidden[board] = np.int64(drawn * np.uint64(n) >> np.uint64(32))


@compiled
def tabulate(codes, words, among, own, pool, tried, table):
    """The patterns of the words by the pool, by the words themselves, and by these, row by row; says how long a row is.

    `among`, `own`: where the patterns by the words themselves are, and in which columns.
    """
    rows, pooled = len(words), len(pool)
    columns = pooled + rows + len(tried)
    for row in range(rows):
        start = row * columns
        gather(codes.reshape(-1), words[row] * codes.shape[1], pool, pooled, table, start)
        gather(among.reshape(-1), words[row] * among.shape[1], own, rows, table, start + pooled)
        gather(codes.reshape(-1), words[row] * codes.shape[1], tried, len(tried), table, start + pooled + rows)
    return columns


@compiled
def split(table, columns, starts, count, place, first):
    """The words of each board by the pattern of a guess: in order, where each one's cell begins, and its size."""
    order, cells, sizes = first
    ends, counted = np.empty(256, np.int64), np.empty(256, np.int64)
    for board in range(len(count)):
        counted[:] = 0
        for row in range(starts[board], starts[board] + count[board]):
            counted[table[row * columns + place]] += 1
        end = starts[board]
        for code in range(256):
            ends[code] = end
            end += counted[code]
        for row in range(starts[board], starts[board] + count[board]):
            code = table[row * columns + place]
            order[ends[code]] = row
            ends[code] += 1
        for row in range(starts[board], starts[board] + count[board]):
            code = table[row * columns + place]
            cells[row], sizes[row] = ends[code] - counted[code], counted[code]


@inlined
def playout(room, columns, starts, count, hidden, pooled, solve, place):
    """How many guesses a game takes that begins with this place, by which the words are split."""
    table, first, kept, left = room.table, room.first, room.kept, room.left
    made = np.int64(0)
    while True:
        made += 1
        unsolved, unknown, known, last = 0, 0, np.int64(-1), 0
        for board in range(len(count)):
            if made > 1 and left[board] == 0:
                continue
            answer = starts[board] + hidden[board]
            code, n = table[answer * columns + place], np.int64(0)
            if code != SOLVED:
                if made == 1:
                    start, n = first[1, answer], first[2, answer]
                    for i in range(n):
                        kept[board, i] = first[0, start + i]
                else:
                    for i in range(left[board]):
                        kept[board, n] = kept[board, i]
                        n += table[kept[board, n] * columns + place] == code
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
            place = pooled + known
        elif unsolved == 1 and left[last] == 2:
            return made + 1 + (kept[last, 0] != starts[last] + hidden[last])
        else:
            place = _cheapest(room, columns, len(count), pooled, solve)


@inlined
def _cheapest(room, columns, boards, pooled, solve):
    """The place that costs least, of equals the first: of the pool, or of the words that fit."""
    table, packed, begins, places, costs = room.table, room.packed, room.begins, room.places, room.costs
    kept, left = room.kept, room.left
    fitting = 0
    for board in range(boards):
        for i in range(left[board]):
            places[fitting] = pooled + kept[board, i]
            fitting += 1
    for row in range(fitting):
        start = (places[row] - pooled) * columns
        for x in range(0, pooled, WIDTH):
            copy(table, start + x, packed, begins[row] + x)
        gather(table, start, places, fitting, packed, begins[row] + pooled)
    end = pooled + fitting
    width = -(-end // WIDTH) * WIDTH
    for x in range(width):
        costs[x] = 0
    row = 0
    for board in range(boards):
        n = left[board]
        if n > 1:
            for column in range(0, end, WIDTH):
                add_ranked(packed, begins, row, n, column, room.steps, n * STEPS, costs)
        if n:
            for i in range(row, row + n):
                costs[pooled + i] -= solve // n
        row += n
    for x in range(end, width):
        costs[x] = FAR
    least = FAR
    for x in range(width):
        least = min(least, costs[x])
    best = 0
    while costs[best] != least:
        best += 1
    return best if best < pooled else places[best - pooled]


@compiled
def playouts(
    first, last, codes, columns, fits, starts, counts, boards, own, nlogn, solve, pool, pooled, tried, samples, out
):
    words, begins, count = fits.astype(np.int64), starts.astype(np.int64), counts.astype(np.int64)
    room = room_for(len(words), len(tried), nlogn)
    width = tabulate(
        codes, words, codes, own[words].astype(np.int64), pool.astype(np.int64), tried.astype(np.int64), room.table
    )
    seed, ways, hidden = seed_of(words), ways_of(count), np.empty(boards, np.int64)
    for item in range(first, last):
        place, k = pooled + len(words) + item // samples, item % samples
        if item == first or k == 0:
            split(room.table, width, begins, count, place, room.first)
        deal_of(seed, k, samples, ways, count, hidden)
        out[item] = playout(room, width, begins, count, hidden, pooled, solve, place)
