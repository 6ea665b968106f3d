"""Whether a state can be solved in so many turns at all, by depth-first search that learns from what fails.

A guess fails where one of its cells cannot be solved in the turns after it. Then every guess fails that leaves the
answers of that cell together, whatever else it does: one instruction finds them among 64 guesses (`frames`). So a state
that cannot be solved is done with after about as many guesses as it takes to part each of a few bad cells.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.columns import WIDTH, same
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.frames import (
    COLUMNS,
    GUESS,
    GUESSES,
    MET,
    OFFSET,
    ORDER,
    PLACES,
    SEARCHED,
    SIZES,
    SOLVED,
    STRIDE,
    TRIED,
    allowed_columns,
    choose_columns,
    count_patterns,
    is_told_apart,
    place_rows,
    push_frame,
    split,
)
from gpusolve.games.wordle.memo import guess_of, low_of, recall, remember

NOT_YET = 255
"""Where it is not known in how many turns a state can be solved."""
_KEY = 0x9E3779B97F4A7C15  # these states are others than those of `cost`


@compiled
def solvable(table, work, level, first, size, key, turns, via, code, tables_at, guesses_at, rows_at):
    """Whether each answer of a state can be found within `turns` guesses. The arguments are those of `cost`.

    For states of frame 0, work.found[GUESS] is then a guess that does it.
    """
    work.found[MET] += 1
    if size <= turns:  # one after another, if need be
        if level == 0:
            work.found[GUESS] = table.own[work.rows[first]]
        return True
    if turns <= 1:
        return False
    key ^= np.uint64(_KEY)
    if not table.restricted:
        datum = recall(table.memo, key)
        if datum:
            if turns < low_of(datum) & 255:
                return False
            if turns >= low_of(datum) >> 8:
                if level == 0:
                    work.found[GUESS] = guess_of(datum)
                return True
        most, _ = count_patterns(table, work, level, first, size)
        counted = level
    else:
        place_rows(work, level, first, size)
        if level > 0 and is_told_apart(work, level, first, size):
            return True
        n = allowed_columns(table, work, level, first, size, via, code, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
        for j in range(size):
            work.rows[rows_at + j] = j
        counted = level + 1
        most, _ = count_patterns(table, work, counted, rows_at, size)
    if most == size or (turns > 2 and most == size - 1):
        if level == 0:
            column = 0
            while work.counts[counted, column] != most:
                column += 1
            work.found[GUESS] = column if counted == 0 else work.guesses[work.frame[counted, GUESSES] + column]
        return True
    if turns == 2:
        return False
    if table.stop[0]:
        raise InterruptedError
    work.found[SEARCHED] += 1
    if table.restricted:
        ids = work.guesses[guesses_at:]
        for x in range(n):
            if work.counts[counted, x] > 1:
                key += table.guess_noise[100 + ids[x]]
        datum = recall(table.memo, key)
        if datum:
            if turns < low_of(datum) & 255:
                return False
            if turns >= low_of(datum) >> 8:
                if level == 0:
                    work.found[GUESS] = guess_of(datum)
                return True
    else:
        n = choose_columns(table, work, level, first, size, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
    guesses_at += n
    rows_at += size
    child = level + 1
    tried = _rank(table, work, child, size, most if turns == 3 else size)
    order, ids, dead = work.order[level], work.guesses[work.frame[child, GUESSES] :], work.dead[level]
    blocks = (n + WIDTH - 1) // WIDTH
    dead[:blocks] = 0
    sizes, places, cells = work.cells[child, SIZES], work.cells[child, PLACES], work.cells[child, ORDER]
    offset, stride = work.frame[child, OFFSET], work.frame[child, STRIDE]
    left, right = work.left[child], work.right[child]
    for o in range(tried):
        column = order[o] & (1 << 20) - 1
        if dead[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
            continue
        work.found[TRIED] += 1
        i = split(table, work, child, size, column, rows_at) - 1
        failed = -1
        while i >= 0 and failed < 0 and sizes[cells[i]] >= turns:
            pattern = cells[i]
            if not solvable(
                table, work, child, places[pattern], sizes[pattern], work.keys[child, pattern], turns - 1,
                ids[column], pattern, tables_at, guesses_at, rows_at + size,
            ):  # fmt: skip
                failed = pattern
            i -= 1
        if failed < 0:
            if not table.restricted:
                datum = recall(table.memo, key)
                least = low_of(datum) & 255 if datum else 0
                remember(table.memo, key, size, turns << 8 | least, 0, ids[column])
            else:
                remember(table.memo, key, size, turns << 8, 0, ids[column])
            if level == 0:
                work.found[GUESS] = ids[column]
            return True
        if not table.restricted:
            place = places[failed]
            pairs = sizes[failed] - 1
            for j in range(pairs):
                left[j] = offset + work.rows[place + j] * stride
                right[j] = offset + work.rows[place + j + 1] * stride
            for b in range(blocks):
                if ~dead[b]:
                    dead[b] |= same(work.tables, left, right, pairs, b * WIDTH, ~dead[b])
    datum = recall(table.memo, key)
    known = low_of(datum) >> 8 if datum else NOT_YET
    remember(table.memo, key, size, known << 8 | turns + 1, 0, guess_of(datum) if datum else 0)
    return False


@compiled
def _rank(table, work, level, size, capacity):
    """The columns of a frame with no cell above `capacity`, those with the smallest cells first; their number.

    work.order[level - 1] = largest cell << 44 | sum of squares << 20 | column.
    """
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    order, sizes = work.order[level - 1], work.cells[level, SIZES]
    sizes[:] = 0
    n = 0
    for column in range(work.frame[level, COLUMNS]):
        for j in range(size):
            sizes[work.tables[offset + j * stride + column]] += 1
        if column < size:
            sizes[SOLVED] = 0
        largest, squares = 0, 0
        for j in range(size):
            pattern = work.tables[offset + j * stride + column]
            m = sizes[pattern]
            if m:
                sizes[pattern] = 0
                largest = max(largest, m)
                squares += m * m
        if largest <= capacity and largest < size:
            order[n] = min(largest, (1 << 18) - 1) << 44 | min(squares, (1 << 24) - 1) << 20 | column
            n += 1
    some = order[:n]
    some.sort()
    return min(n, table.width) if table.width else n
