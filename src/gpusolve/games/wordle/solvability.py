"""Whether a state can be solved in so many turns at all, by depth-first search that learns from what fails.

A guess fails where one of its cells cannot be solved in the turns after it, and few answers of the cell are the reason
(`lessons`). Then every guess fails that leaves those together, whatever else it does: one instruction finds them among
64 guesses (`frames`). What a state holds of earlier lessons forbids most guesses before any is tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.backend.bits import popcount, trailing_zeros
from gpusolve.backend.columns import WIDTH, distinct, same
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.frames import (
    COLUMNS,
    GUESS,
    GUESSES,
    HIDDEN,
    LEVELS,
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
from gpusolve.games.wordle.lessons import (
    BLAMED,
    CAUSES,
    MASKS,
    REASON,
    STATES,
    blame,
    learn,
    look_up,
)
from gpusolve.games.wordle.memo import guess_of, low_of, recall, remember

NOT_YET = 255
"""Where it is not known in how many turns a state can be solved."""
SOME = 64
"""Guesses that are ranked at once before any of them is tried, where one of the first may do."""
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
    lessons, answers = work.lessons, work.answers[level]
    for j in range(size):
        answers[j] = work.hidden[work.frame[level, HIDDEN] + work.rows[first + j]]
    answers = answers[:size]
    blame(lessons, answers)
    if turns <= 1:
        return False
    key ^= np.uint64(_KEY)
    learns = not table.restricted and not table.hidden_only  # else fewer answers may mean fewer guesses
    held = 0
    if learns:
        held = look_up(lessons, answers, turns)
        if held < 0:
            return False
    if not table.restricted:
        datum = recall(table.memo, key)
        if datum:
            if turns < low_of(datum) & 255:
                return False
            if turns >= low_of(datum) >> 8:
                if level == 0:
                    work.found[GUESS] = guess_of(datum)
                return True
        if learns and turns == 3:
            guess = _in_three(table, work, level, first, size, held, answers)
            datum = recall(table.memo, key)
            least = low_of(datum) & 255 if datum else 0
            known = low_of(datum) >> 8 if datum else NOT_YET
            if guess < 0:
                learn(lessons, 3)
                remember(table.memo, key, size, known << 8 | 4, 0, guess_of(datum) if datum else 0)
                return False
            remember(table.memo, key, size, 3 << 8 | least, 0, guess)
            if level == 0:
                work.found[GUESS] = guess
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
        if learns:
            patterns = table.patterns if level == 0 else work.tables
            _blame_few(work, patterns, level, work.starts[level], answers)
            learn(lessons, 2)
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
    order, ids, dead = work.order[level], work.guesses[work.frame[child, GUESSES] :], work.dead[level]
    blocks = (n + WIDTH - 1) // WIDTH
    dead[:blocks] = 0
    if n % WIDTH:
        dead[blocks - 1] = ~np.uint64(0) << np.uint64(n % WIDTH)
    masks_at, blamed_at, causes = lessons.count[MASKS], lessons.count[BLAMED], 0
    if learns:
        for j in range(size):
            work.place[child, answers[j]] = work.frame[child, OFFSET] + j * work.frame[child, STRIDE]
        for x in range(held):
            lesson = lessons.held[x]
            blame(lessons, lessons.members[lessons.at[lesson] : lessons.at[lesson + 1]])
            causes = _forbid(work, work.tables, child, blocks, dead, causes)
    tried = _rank(table, work, child, size, dead)
    sizes, places, cells = work.cells[child, SIZES], work.cells[child, PLACES], work.cells[child, ORDER]
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
            lessons.count[MASKS], lessons.count[BLAMED] = masks_at, blamed_at
            if not table.restricted:
                datum = recall(table.memo, key)
                least = low_of(datum) & 255 if datum else 0
                remember(table.memo, key, size, turns << 8 | least, 0, ids[column])
            else:
                remember(table.memo, key, size, turns << 8, 0, ids[column])
            if level == 0:
                work.found[GUESS] = ids[column]
            return True
        if learns:
            causes = _forbid(work, work.tables, child, blocks, dead, causes)
    lessons.count[MASKS], lessons.count[BLAMED] = masks_at, blamed_at
    if learns:
        _join(lessons, answers, causes, n)
        learn(lessons, turns)
    datum = recall(table.memo, key)
    known = low_of(datum) >> 8 if datum else NOT_YET
    remember(table.memo, key, size, known << 8 | turns + 1, 0, guess_of(datum) if datum else 0)
    return False


@compiled
def _forbid(work, patterns, level, blocks, dead, causes):
    """The reason of a failure becomes one more cause: no guess of the frame may leave it together. Gives their number.

    work.place[level] tells where the rows of its answers begin. If there is no room for it, that is -1 from then on.
    """
    lessons, left, right, place = work.lessons, work.left[level], work.right[level], work.place[level]
    size, mask_at, blamed_at = lessons.count[REASON], lessons.count[MASKS], lessons.count[BLAMED]
    for i in range(size - 1):
        left[i], right[i] = place[lessons.reason[i]], place[lessons.reason[i + 1]]
    room = causes >= 0 and max(mask_at + blocks, blamed_at + size + 1) <= CAUSES
    for b in range(blocks):
        mask: Any = same(patterns, left, right, size - 1, b * WIDTH, ~np.uint64(0))
        if room:
            lessons.masks[mask_at + b] = mask
        dead[b] |= mask
    if not room:
        return -1
    lessons.blamed[blamed_at] = size
    lessons.blamed[blamed_at + 1 : blamed_at + 1 + size] = lessons.reason[:size]
    lessons.count[MASKS], lessons.count[BLAMED] = mask_at + blocks, blamed_at + size + 1
    return causes + 1


@compiled
def _join(lessons, answers, causes, columns):
    """The reason why a state fails: the answers of few causes that together forbid all columns, chosen greedily."""
    if causes < 0:
        blame(lessons, answers)
        return
    lessons.count[STATES] += 1
    state, blocks, masks = lessons.count[STATES], (columns + WIDTH - 1) // WIDTH, lessons.masks[lessons.count[MASKS] :]
    left = np.full(blocks, ~np.uint64(0))
    if columns % WIDTH:
        left[blocks - 1] = (np.uint64(1) << np.uint64(columns % WIDTH)) - np.uint64(1)
    missing, size = columns, 0
    while missing > 0:
        best, best_at, most, fewest = 0, 0, 0, 1
        at = lessons.count[BLAMED]
        for cause in range(causes):
            gain, new = 0, 1
            for b in range(blocks):
                gain += popcount(left[b] & masks[cause * blocks + b])
            for i in range(at + 1, at + 1 + lessons.blamed[at]):
                new += lessons.present[lessons.blamed[i]] != state
            if gain * fewest > most * new:
                best, best_at, most, fewest = cause, at, gain, new
            at += 1 + lessons.blamed[at]
        if most == 0:  # cannot be: every column has its cause
            blame(lessons, answers)
            return
        missing -= most
        for b in range(blocks):
            left[b] &= ~masks[best * blocks + b]
        for i in range(best_at + 1, best_at + 1 + lessons.blamed[best_at]):
            answer = lessons.blamed[i]
            if lessons.present[answer] != state:
                lessons.present[answer] = state
                lessons.reason[size] = answer
                size += 1
    lessons.count[REASON] = size


@compiled
def _in_three(table, work, level, first, size, held, answers):
    """A guess by which a state is solved within three, or -1. It works on the frame of the state, without its own.

    A guess does it if its cells hold no three answers, or if another guess tells apart what they hold.
    """
    lessons, patterns = work.lessons, table.patterns if level == 0 else work.tables
    place_rows(work, level, first, size)
    starts, place, columns = work.starts[level], work.place[level + 1], work.frame[level, COLUMNS]
    blocks, dead, order = (columns + WIDTH - 1) // WIDTH, work.dead[level], work.order[level]
    dead[:blocks] = 0
    if columns % WIDTH:
        dead[blocks - 1] = ~np.uint64(0) << np.uint64(columns % WIDTH)
    masks_at, blamed_at, causes = lessons.count[MASKS], lessons.count[BLAMED], 0
    for j in range(size):
        place[answers[j]] = starts[j]
    for x in range(held):
        lesson = lessons.held[x]
        blame(lessons, lessons.members[lessons.at[lesson] : lessons.at[lesson + 1]])
        causes = _forbid(work, patterns, level + 1, blocks, dead, causes)
    sizes, guess, b = work.cells[level + 1, SIZES], -1, 0
    sizes[:] = 0
    while guess < 0 and b < blocks:
        n = 0
        while n < SOME and b < blocks:  # those with many patterns come first, and one of them may do it
            alive = ~dead[b]
            while alive:
                column = b * WIDTH + trailing_zeros(alive)
                alive &= alive - np.uint64(1)
                largest, squares = _measure(patterns, starts, size, column, sizes)
                if largest < size:
                    order[n] = largest << 44 | squares << 20 | column
                    n += 1
            b += 1
        some = order[:n]
        some.sort()
        for o in range(n):
            column = order[o] & (1 << 20) - 1
            if dead[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
                continue
            work.found[TRIED] += 1
            if _is_solved_by(work, patterns, level, column, answers):
                guess = column if level == 0 else work.guesses[work.frame[level, GUESSES] + column]
                break
            causes = _forbid(work, patterns, level + 1, blocks, dead, causes)
    lessons.count[MASKS], lessons.count[BLAMED] = masks_at, blamed_at
    if guess < 0:
        _join(lessons, answers, causes, columns)
    return guess


@compiled
def _is_solved_by(work, patterns, level, column, answers):
    """Whether a column leaves a state so that one more guess tells the answers of each cell apart.

    If not, the reason is that of a cell.
    """
    lessons, size, starts = work.lessons, len(answers), work.starts[level]
    sizes = work.cells[level + 1, SIZES]  # zeros before and after
    cell, cell_starts = np.empty(size, np.int32), np.empty(size, np.int64)
    for j in range(size):
        sizes[patterns[starts[j] + column]] += 1
    sizes[SOLVED] = 0
    solved = True
    for j in range(size):
        pattern = patterns[starts[j] + column]
        if sizes[pattern] > 2 and solved:
            m = 0
            for i in range(j, size):
                if patterns[starts[i] + column] == pattern:
                    cell[m], cell_starts[m] = answers[i], starts[i]
                    m += 1
            if look_up(lessons, cell[:m], 2) < 0:
                solved = False
            elif not _are_told_apart(patterns, cell_starts, m, work.frame[level, COLUMNS], work.counts[LEVELS - 1]):
                _blame_few(work, patterns, level, cell_starts, cell[:m])
                learn(lessons, 2)
                solved = False
        sizes[pattern] = 0
    return solved


@compiled
def _measure(patterns, starts, size, column, sizes):
    """The largest cell of a column and the sum of squares; `sizes` are zeros before and after."""
    for j in range(size):
        sizes[patterns[starts[j] + column]] += 1
    sizes[SOLVED] = 0
    largest, squares = 0, 0
    for j in range(size):
        pattern = patterns[starts[j] + column]
        m = sizes[pattern]
        if m:
            sizes[pattern] = 0
            largest = max(largest, m)
            squares += m * m
    return min(largest, (1 << 18) - 1), min(squares, (1 << 24) - 1)


@compiled
def _blame_few(work, patterns, level, starts, answers):
    """The reason why no guess tells a state apart: some of its answers of which none can be left out."""
    columns, kept = work.frame[level, COLUMNS], work.left[LEVELS - 1]
    scratch, reason, size = work.counts[LEVELS - 1], work.lessons.reason, len(answers)
    for j in range(size):
        kept[j] = starts[j]
        reason[j] = answers[j]
    m = 3
    while m < size and _are_told_apart(patterns, kept, m, columns, scratch):
        m += 1
    j = 0
    while j < m:
        m -= 1
        kept[j], kept[m] = kept[m], kept[j]
        reason[j], reason[m] = reason[m], reason[j]
        if _are_told_apart(patterns, kept, m, columns, scratch):
            kept[j], kept[m] = kept[m], kept[j]
            reason[j], reason[m] = reason[m], reason[j]
            m += 1
            j += 1
    work.lessons.count[REASON] = m


@compiled
def _are_told_apart(patterns, starts, size, columns, scratch):
    """Whether a column tells all of some rows apart."""
    column = 0
    while column < columns and distinct(patterns, starts, size, column, scratch) < size:
        column += WIDTH
    return column < columns


@compiled
def _rank(table, work, level, size, dead):
    """The columns of a frame that are not dead and split it, those with the smallest cells first; their number.

    work.order[level - 1] = largest cell << 44 | sum of squares << 20 | column.
    """
    order, sizes, starts = work.order[level - 1], work.cells[level, SIZES], work.starts[level]
    for j in range(size):
        starts[j] = work.frame[level, OFFSET] + j * work.frame[level, STRIDE]
    sizes[:] = 0
    n = 0
    for column in range(work.frame[level, COLUMNS]):
        if dead[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
            continue
        largest, squares = _measure(work.tables, starts, size, column, sizes)
        if largest < size:
            order[n] = largest << 44 | squares << 20 | column
            n += 1
    some = order[:n]
    some.sort()
    return n
