"""Whether a state can be solved in so many turns at all, by depth-first search that learns from what fails.

A guess fails where one of its cells cannot be solved in the turns after it, and few answers of the cell are the reason
(`lessons`). Then every guess fails that leaves those together, whatever else it does: one instruction finds them among
64 guesses (`frames`). What a state holds of earlier lessons forbids most guesses before any is tried.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import trailing_zeros
from gpusolve.backend.columns import WIDTH
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.proof.frames import (
    COLUMNS,
    GUESS,
    GUESSES,
    HIDDEN,
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
from gpusolve.games.wordle.proof.lessons import BLAMED, MASKS, REASON, blame, learn, look_up, repeat
from gpusolve.games.wordle.proof.memo import guess_of, low_of, recall, remember
from gpusolve.games.wordle.proof.needs import mixed
from gpusolve.games.wordle.proof.reasons import blame_few, forbid, join, telling
from gpusolve.games.wordle.proof.three import in_three

NOT_YET = 255
"""Where it is not known in how many turns a state can be solved."""
HOTTER = 1.03
"""So many times as much as the one before counts a failure, where it is asked which answers are hard to part."""
_KEY = 0x9E3779B97F4A7C15  # these states are others than those of `cost`


@compiled
def solvable(table, work, reasons, level, first, size, key, turns, via, code, tables_at, guesses_at, rows_at):
    """Whether each answer of a state can be found within `turns` guesses. Arguments as of `cost`, and `reasons`.

    For states of frame 0, work.found[GUESS] is then a guess that does it, and reasons.need[0] what it must hold there.
    """
    work.found[MET] += 1
    if size <= turns:  # one after another, if need be
        if level == 0:
            work.found[GUESS] = table.own[work.rows[first]]
        return True
    lessons, answers, need = reasons.lessons, reasons.answers[level], reasons.need[level]
    for j in range(size):
        answers[j] = work.hidden[work.frame[level, HIDDEN] + work.rows[first + j]]
    answers = answers[:size]
    if len(table.needs) and via >= 0:
        if level > 0:
            need[:] = 0
        need |= table.needs[via] & table.needs[table.own[answers[0]]]
    if turns <= 1:
        blame(lessons, answers, need)
        return False
    keyed = not table.restricted or len(table.needs) > 0  # else the frame tells what may be guessed
    learns = keyed and not table.hidden_only  # else fewer answers may mean fewer guesses
    key ^= np.uint64(_KEY) ^ mixed(need)
    held = 0
    if learns:
        held = look_up(lessons, answers, turns, need)
        if held < 0:
            return False
    if keyed:
        datum = recall(table.memo, key)
        if datum:
            if turns < low_of(datum) & 255:
                blame(lessons, answers, need)
                return False
            if turns >= low_of(datum) >> 8:
                if level == 0:
                    work.found[GUESS] = guess_of(datum)
                return True
    if learns and turns == 2:
        place_rows(work, level, first, size)
        patterns = table.patterns if level == 0 else work.tables
        column = telling(table, work, patterns, level, work.starts[level], size, need)
        if column < 0:
            blame_few(table, work, reasons, patterns, level, work.starts[level], answers, need)
            learn(lessons, 2)
        elif level == 0:
            work.found[GUESS] = column
        return column >= 0
    if learns and turns == 3:
        guess = in_three(table, work, reasons, level, first, size, held, answers)
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
    if not table.restricted:
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
            work.found[GUESS] = work.guesses[work.frame[counted, GUESSES] + column]
        return True
    if turns == 2:
        return False
    if table.stop[0]:
        raise InterruptedError
    work.found[SEARCHED] += 1
    if not keyed:
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
    if not table.restricted:
        n = choose_columns(table, work, level, first, size, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
    guesses_at += n
    rows_at += size
    child, heat = level + 1, reasons.heat[level]
    ids, place = work.guesses[work.frame[child, GUESSES] :], reasons.place[child]
    blocks, dead = _shut_useless(work, reasons, child, n), reasons.dead[level]
    dead[:blocks] = reasons.shut[child, :blocks]
    heat[:size] = 1
    masks_at, blamed_at, causes, burn = lessons.count[MASKS], lessons.count[BLAMED], 0, 100.0
    if learns:
        for j in range(size):
            place[answers[j]] = work.frame[child, OFFSET] + j * work.frame[child, STRIDE]
        for x in range(held):
            repeat(lessons, lessons.held[x])
            causes = forbid(table, work, reasons, work.tables, child, place, need, blocks, dead, causes)
    sizes, places, cells = work.cells[child, SIZES], work.cells[child, PLACES], work.cells[child, ORDER]
    while True:
        column = _coolest(work, reasons, child, size, dead, heat)
        if column < 0:
            break
        work.found[TRIED] += 1
        i = split(table, work, child, size, column, rows_at) - 1
        failed = -1
        while i >= 0 and failed < 0 and sizes[cells[i]] >= turns:
            pattern = cells[i]
            if not solvable(
                table, work, reasons, child, places[pattern], sizes[pattern], work.keys[child, pattern], turns - 1,
                ids[column], pattern, tables_at, guesses_at, rows_at + size,
            ):  # fmt: skip
                failed = pattern
            i -= 1
        if failed < 0:
            lessons.count[MASKS], lessons.count[BLAMED] = masks_at, blamed_at
            datum = recall(table.memo, key)
            least = low_of(datum) & 255 if datum else 0
            remember(table.memo, key, size, turns << 8 | least, 0, ids[column])
            if level == 0:
                work.found[GUESS] = ids[column]
            return True
        dead[column // WIDTH] |= np.uint64(1) << np.uint64(column % WIDTH)
        if learns:
            burn *= HOTTER
            for i in range(lessons.count[REASON]):
                j = (place[lessons.reason[i]] - work.frame[child, OFFSET]) // work.frame[child, STRIDE]
                heat[j] += burn / lessons.count[REASON]
            causes = forbid(table, work, reasons, work.tables, child, place, need, blocks, dead, causes)
    lessons.count[MASKS], lessons.count[BLAMED] = masks_at, blamed_at
    if learns:
        join(work, reasons, child, answers, need, causes, blocks)
        learn(lessons, turns)
    datum = recall(table.memo, key)
    known = low_of(datum) >> 8 if datum else NOT_YET
    remember(table.memo, key, size, known << 8 | turns + 1, 0, guess_of(datum) if datum else 0)
    return False


@compiled
def _shut_useless(work, reasons, level, columns):
    """reasons.shut[level]: the columns of a frame that do not split its whole state; gives the number of blocks."""
    blocks, shut, counts = (columns + WIDTH - 1) // WIDTH, reasons.shut[level], work.counts[level]
    shut[:blocks] = 0
    if columns % WIDTH:
        shut[blocks - 1] = ~np.uint64(0) << np.uint64(columns % WIDTH)
    for column in range(columns):
        shut[column // WIDTH] |= np.uint64(counts[column] < 2) << np.uint64(column % WIDTH)
    return blocks


@compiled
def _coolest(work, reasons, level, size, dead, heat):
    """The column of a frame, of those not dead, whose hottest cell is the least hot; -1: all are dead."""
    offset, stride, sums = work.frame[level, OFFSET], work.frame[level, STRIDE], reasons.sums
    best, least, least_squares = -1, np.inf, np.inf
    for b in range((work.frame[level, COLUMNS] + WIDTH - 1) // WIDTH):
        alive = ~dead[b]
        while alive:
            column = b * WIDTH + trailing_zeros(alive)
            alive &= alive - np.uint64(1)
            for j in range(size):
                sums[work.tables[offset + j * stride + column]] += heat[j]
            sums[SOLVED] = 0
            hottest, squares = 0.0, 0.0
            for j in range(size):
                pattern = work.tables[offset + j * stride + column]
                hottest = max(hottest, sums[pattern])
                squares += sums[pattern] * sums[pattern]
                sums[pattern] = 0
            if hottest < least or (hottest == least and squares < least_squares):
                best, least, least_squares = column, hottest, squares
    return best
