"""Playouts: the guess that `joint` makes when it looks ahead, and the kernel `playouts`.

A GPU gathers patterns as it needs them. Here the patterns of a position, its words by the pool, are copied side by side
once, so that a step compares rows of a few hundred bytes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.columns import WIDTH, add_ranked, copy, gather
from gpusolve.games.quordle.cpu.costs import _weigh, add_weighed
from gpusolve.games.quordle.cpu.simple import GOLDEN, _mix
from gpusolve.games.quordle.rules import (
    FINALISTS,
    FINE,
    GLIMPSES,
    LIKELY,
    MOST_AHEAD,
    MOST_FITS,
    NEAR,
    PLAYOUTS,
    POOL,
    TRIED,
)

SOLVED = 242
STEPS = MOST_FITS  # entries of `Workspace.steps` for each number of words
FAR = np.int32(1 << 30)  # more than any guess costs
NEVER = 1 << 30  # more guesses than the games of any position take


class Workspace(NamedTuple):
    """The arrays with which playouts work, for positions with a given number of words.

    `table` (flat) has the patterns of each word, row by row. `packed` (flat) has the patterns that one step compares:
    row i starts at `begins`[i] and belongs to column `places`[i] of the table; `costs` has the cost of each guess.
    `first` has for each word what `split` computes. `kept` and `left` have the words that fit each board, and their
    number. A word of n that follows k others in its cell costs the sum of the first k `steps` from n * STEPS on.

    With weights, `weighted` is 1, `mass` has the mass of each word, and `ends` the sum of the masses of its board up to
    and including its own. A step copies the masses of the words that it compares to `packed_mass`, looks amounts up in
    `nlogn`, and works with `sums` and `before`.
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
    weighted: Any
    mass: Any
    ends: Any
    packed_mass: Any
    nlogn: Any
    sums: Any
    before: Any


@compiled
def workspace_for(codes, rows, tried, nlogn, weighted):
    """Allocate a workspace for these patterns, `rows` words and, besides the pool and the words, `tried` guesses."""
    width = -(-(POOL + rows) // WIDTH) * WIDTH
    steps = np.zeros((MOST_FITS + 1) * STEPS, np.int32)
    for n in range(2, min(MOST_FITS + 1, len(nlogn))):
        share, before = (1 << 20) // n, 0
        for k in range(1, n):
            cost = ((nlogn[k + 1] - nlogn[k]) * share) >> 20
            steps[n * STEPS + k] = cost - before
            before = cost
    return Workspace(
        np.empty(rows * (width + tried) + WIDTH, codes.dtype),
        np.zeros(rows * width, codes.dtype),
        np.arange(rows) * width,
        np.empty(rows, np.int64),
        np.empty(width, np.int32),
        np.empty((3, rows), np.int64),
        np.empty((MOST_AHEAD, rows), np.int64),
        np.empty(MOST_AHEAD, np.int64),
        steps,
        weighted,
        np.empty(rows, np.uint16),
        np.empty(rows, np.int64),
        np.empty(rows, np.uint16),
        nlogn,
        np.empty(WIDTH, np.int32),
        np.empty(WIDTH, np.uint16),
    )


@compiled
def weigh_words(work, words, count, masses):
    """Write the masses of the words that fit each board, and their sums board by board."""
    start = 0
    for n in count:
        _weigh(words[start : start + n], masses, work.weighted, work.mass[start : start + n])
        end = np.int64(0)
        for row in range(start, start + n):
            end += work.mass[row]
            work.ends[row] = end
        start += n


@compiled
def look_ahead(codes, dictionary, own, among, masses, solve, words, count, costs, least, work):
    """Return the guess that does best in playouts, all of them against the same hidden words.

    `words` has the words of the unsolved boards, board after board; `count` the number of words of each board.
    """
    pool = np.empty(POOL, np.int64)
    pooled = nearest(costs, dictionary, np.int64(least), pool)
    columns = tabulate(codes, words, among, words, pool[:pooled], pool[:0], work.table)
    if work.weighted:
        weigh_words(work, words, count, masses)
    seed, ways, tried = seed_of(words), ways_of(count, work.weighted), min(pooled, TRIED)
    sums = np.empty(tried, np.int64)
    games = min(ways, GLIMPSES)
    for place in range(tried):
        sums[place] = total(work, columns, count, pooled, solve, place, seed, ways, games, NEVER)
    best, fewest = -1, NEVER
    for _ in range(min(tried, FINALISTS)):
        place = -1  # the best guess that has not played the second round
        for i in range(tried):
            if sums[i] >= 0 and (place < 0 or sums[i] < sums[place]):
                place = i
        made = sums[place]
        sums[place] = -1
        if ways > games:
            made = total(work, columns, count, pooled, solve, place, seed, ways, min(ways, PLAYOUTS), fewest)
        if made < fewest or (made == fewest and place < best):
            best, fewest = place, made
    for board in range(len(count) if work.weighted else 0):
        row = likeliest(work, words, count, own, costs, board)
        if row < 0 or (pool[:tried][sums < 0] == own[words[row]]).any():  # it has played the second round
            continue
        made = total(work, columns, count, pooled, solve, pooled + row, seed, ways, min(ways, PLAYOUTS), fewest)
        if made < fewest:
            best, fewest = pooled + row, made
    return pool[best] if best < pooled else np.int64(own[words[best - pooled]])


@compiled
def likeliest(work, words, count, own, costs, board):
    """Return the row of a board's likeliest word: among equals the one that costs least, then the first guess.

    Return -1 if its chance is below 1 / LIKELY.
    """
    mass, start = work.mass, count[:board].sum()
    best, end = start, start + count[board]
    for row in range(start + 1, end):
        guess, other = own[words[row]], own[words[best]]
        if mass[row] > mass[best] or (
            mass[row] == mass[best]
            and (costs[guess] < costs[other] or (costs[guess] == costs[other] and guess < other))
        ):
            best = row
    return best if mass[best] * LIKELY >= work.ends[end - 1] else np.int64(-1)


@compiled
def total(work, columns, count, pooled, solve, place, seed, ways, games, most):
    """Return the number of guesses of `games` playouts that start with this place of the pool; stop after `most`."""
    starts, hidden = np.cumsum(count) - count, np.empty(len(count), np.int64)
    split(work.table, columns, starts, count, place, work.first)
    made = np.int64(0)
    for k in range(games):
        if work.weighted:
            deal_weighed(seed, k, games, ways, count, work.ends, hidden)
            made += weighed_playout(work, columns, starts, count, hidden, pooled, solve, place)
        else:
            deal_of(seed, k, games, ways, count, hidden)
            made += playout(0, work, columns, starts, count, hidden, pooled, solve, place)
        if made > most:
            break
    return made


@compiled
def nearest(costs, dictionary, least, pool):
    """Put the cheapest guesses into the pool, by cost in steps (ties go to the first), and return their number."""
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
    """Return the seed from which the hidden words are drawn: a hash of the words, board after board."""
    seed = np.uint64(0)
    for word in words:
        seed = _mix(seed + np.uint64(word + 1))
    return seed


@inlined
def ways_of(count, weighted):
    """Return the number of possible sets of hidden words; with weights at least PLAYOUTS."""
    ways = np.int64(1)
    for n in count:
        ways *= n
    return max(ways, PLAYOUTS) if weighted else ways


@inlined
def deal_of(seed, k, games, ways, count, hidden):
    """Choose the word that each board hides in playout k: each set once if there are few, otherwise drawn."""
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
def deal_weighed(seed, k, games, ways, count, ends, hidden):
    """Choose these words by weight: each set has its share of the games if there are few sets, otherwise drawn.

    If there are few, playout k takes the middle of the k-th part of a line on which the sets lie side by side.
    """
    part = ((2 * k + 1) << 32) // (2 * games)  # the place within a word's part of the line, in units of 2^-32
    start = 0
    for board in range(len(count)):
        sums = ends[start : start + count[board]]
        total = sums[-1]
        if ways <= PLAYOUTS:
            place = part * total
        else:
            drawn = _mix(seed + np.uint64(k * MOST_AHEAD + board + 1) * GOLDEN) >> np.uint64(32)
            place = np.int64(drawn * np.uint64(total))
        i = 0
        while sums[i] <= place >> 32:
            i += 1
        begin = sums[i - 1] if i else 0
        part = (place - (begin << 32)) // (sums[i] - begin)
        hidden[board] = i
        start += count[board]


@compiled
def tabulate(codes, words, among, own, pool, tried, table):
    """Fill the table with the patterns of the words by the pool, by the words and by `tried`; return a row's length.

    `among` has the patterns by the words themselves, in the columns `own`.
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
    """Sort the words of each board by the pattern of a guess; compute where each word's cell starts, and its size."""
    order, cells, sizes = first
    most = np.int64(0)  # patterns of 16 bits are numbered from 0 for each guess, and few of the numbers are used
    for row in range(starts[-1] + count[-1]):
        most = max(most, np.int64(table[row * columns + place]) + 1)
    ends, counted = np.empty(most, np.int64), np.empty(most, np.int64)
    for board in range(len(count)):
        counted[:] = 0
        for row in range(starts[board], starts[board] + count[board]):
            counted[table[row * columns + place]] += 1
        end = starts[board]
        for code in range(most):
            ends[code] = end
            end += counted[code]
        for row in range(starts[board], starts[board] + count[board]):
            code = table[row * columns + place]
            order[ends[code]] = row
            ends[code] += 1
        for row in range(starts[board], starts[board] + count[board]):
            code = table[row * columns + place]
            cells[row], sizes[row] = ends[code] - counted[code], counted[code]


@compiled
def weighed_playout(work, columns, starts, count, hidden, pooled, solve, place):
    """Return the number of guesses of a playout with weights."""
    return playout(1, work, columns, starts, count, hidden, pooled, solve, place)


@inlined
def playout(weighted, work, columns, starts, count, hidden, pooled, solve, place):
    """Return the number of guesses of a playout that starts with this place, by which the words are already split.

    `weighted` is a constant where this is inlined: tests of it cost nothing then.
    """
    table, first, kept, left = work.table, work.first, work.kept, work.left
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
            likely = kept[last, 0]
            if weighted and work.mass[kept[last, 1]] > work.mass[likely]:
                likely = kept[last, 1]
            return made + 1 + (likely != starts[last] + hidden[last])
        else:
            place = _cheapest(weighted, work, columns, len(count), pooled, solve)


@inlined
def _cheapest(weighted, work, columns, boards, pooled, solve):
    """Return the cheapest place of the pool and of the words that fit; ties go to the first."""
    table, packed, begins, places, costs = work.table, work.packed, work.begins, work.places, work.costs
    kept, left = work.kept, work.left
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
        if weighted:
            if n:
                _judge_weighed(work, kept[board], n, row, pooled, end, solve)
            row += n
            continue
        if n > 1:
            for column in range(0, end, WIDTH):
                add_ranked(packed, begins, row, n, column, work.steps, n * STEPS, costs)
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
def _judge_weighed(work, kept, n, row, pooled, end, solve):
    """Add a board's costs with weights; its `n` words are the packed rows from `row` on."""
    mass, total = work.packed_mass, np.int64(0)
    for i in range(n):
        mass[row + i] = work.mass[kept[i]]
        total += mass[row + i]
    if n > 1:
        add_weighed(work.packed, work.begins, row, n, mass, total, work.nlogn, end, work.costs, work.sums, work.before)
    for i in range(row, row + n):
        work.costs[pooled + i] -= np.int32(solve * np.int64(mass[i]) // total)


@compiled
def playouts(
    first,
    last,
    codes,
    columns,
    fits,
    starts,
    counts,
    boards,
    own,
    masses,
    weighted,
    nlogn,
    solve,
    pool,
    pooled,
    tried,
    samples,
    out,
):
    words, begins, count = fits.astype(np.int64), starts.astype(np.int64), counts.astype(np.int64)
    work = workspace_for(codes, len(words), len(tried), nlogn, weighted)
    width = tabulate(
        codes, words, codes, own[words].astype(np.int64), pool.astype(np.int64), tried.astype(np.int64), work.table
    )
    if weighted:
        weigh_words(work, words, count, masses)
    seed, ways, hidden = seed_of(words), ways_of(count, weighted), np.empty(boards, np.int64)
    for item in range(first, last):
        place, k = pooled + len(words) + item // samples, item % samples
        if item == first or k == 0:
            split(work.table, width, begins, count, place, work.first)
        if weighted:
            deal_weighed(seed, k, samples, ways, count, work.ends, hidden)
            out[item] = weighed_playout(work, width, begins, count, hidden, pooled, solve, place)
        else:
            deal_of(seed, k, samples, ways, count, hidden)
            out[item] = playout(0, work, width, begins, count, hidden, pooled, solve, place)
