"""Whether a state can be solved within a number of turns, by depth-first search that learns from failures.

A guess fails if one of its cells cannot be solved in the turns after it. Usually a few answers of that cell are the
reason (`nogoods`), and every other guess that leaves them together fails for the same reason: one instruction finds
such guesses among 64 (`frames`). The nogoods that a state contains rule out most of its guesses before any is tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.backend.bits import trailing_zeros
from gpusolve.backend.columns import WIDTH
from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.wordle.cpu.proof.frames import (
    BEGINS,
    COLUMNS,
    GUESS,
    GUESSES,
    HIDDEN,
    LIMIT,
    MET,
    OFFSET,
    ORDER,
    SEARCHED,
    SIZES,
    SOLVED,
    STRIDE,
    TRIED,
    allowed_columns,
    choose_columns,
    count_patterns,
    has_distinguishing_answer,
    locate_rows,
    push_frame,
    split,
)
from gpusolve.games.wordle.cpu.proof.memo import guess_of, low_of, recall, remember
from gpusolve.games.wordle.cpu.proof.needs import mixed
from gpusolve.games.wordle.cpu.proof.nogoods import BLAMED, MASKS, REASON, learn, look_up, recall_reason, set_reason
from gpusolve.games.wordle.cpu.proof.reasons import add_cause, distinguishing_column, merge_causes, shrink_reason
from gpusolve.games.wordle.cpu.proof.three_turns import in_three

NOT_YET = 255
"""Marks in the transposition table that no sufficient number of turns is known for a state."""
HOTTER = 1.03
"""Each failure weighs this factor more than the previous one in the heat of the answers that caused it."""
_KEY = 0x9E3779B97F4A7C15  # keeps these entries of the transposition table apart from those of `cost`


@compiled
def solvable(table, work, reasons, level, first, size, key, turns, via, code, tables_at, guesses_at, rows_at):
    """Return whether every answer of a state can be found within `turns` guesses.

    The arguments are those of `descent.cost`, and `reasons`. For states of frame 0, reasons.need[0] must say what a
    guess must contain, and work.outcome[GUESS] is set to a guess that solves the state. If the state cannot be solved,
    reasons.nogoods holds the reason.
    """
    work.outcome[MET] += 1
    if size <= turns:  # guess one answer after another
        if level == 0:
            work.outcome[GUESS] = table.own[work.rows[first]]
        return True
    nogoods, answers, need = reasons.nogoods, reasons.answers[level], reasons.need[level]
    for j in range(size):
        answers[j] = work.hidden[work.frame[level, HIDDEN] + work.rows[first + j]]
    answers = answers[:size]
    if len(table.needs) and via >= 0:
        if level > 0:
            need[:] = 0
        need |= table.needs[via] & table.needs[table.own[answers[0]]]
    if turns <= 1:
        set_reason(nogoods, answers, need)
        return False
    keyed = not table.restricted or len(table.needs) > 0  # otherwise the key depends on the columns of the frame
    learns = keyed and not table.hidden_only  # with hidden_only, fewer answers mean fewer legal guesses
    key = state_key(key, need)
    n_contained = 0
    if learns:
        n_contained = look_up(nogoods, answers, turns, need)
        if n_contained < 0:
            return False
    if keyed:
        datum = recall(table.memo, key)
        if datum:
            if turns < low_of(datum) & 255:
                set_reason(nogoods, answers, need)
                return False
            if turns >= low_of(datum) >> 8:
                if level == 0:
                    work.outcome[GUESS] = guess_of(datum)
                return True
    if learns and turns == 2:
        locate_rows(work, level, first, size)
        patterns = table.patterns if level == 0 else work.tables
        column = distinguishing_column(table, work, patterns, level, work.starts[level], size, need)
        if column < 0:
            shrink_reason(table, work, reasons, patterns, level, work.starts[level], answers, need)
            learn(nogoods, 2)
        elif level == 0:
            work.outcome[GUESS] = column
        return column >= 0
    if learns and turns == 3:
        guess = in_three(table, work, reasons, level, first, size, n_contained, answers)
        datum = recall(table.memo, key)
        least = low_of(datum) & 255 if datum else 0
        known = low_of(datum) >> 8 if datum else NOT_YET
        if guess < 0:
            learn(nogoods, 3)
            remember(table.memo, key, size, known << 8 | 4, 0, guess_of(datum) if datum else 0)
            return False
        remember(table.memo, key, size, 3 << 8 | least, 0, guess)
        if level == 0:
            work.outcome[GUESS] = guess
        return True
    if not table.restricted:
        most, _ = count_patterns(table, work, level, first, size)
        counted = level
    else:
        locate_rows(work, level, first, size)
        if level > 0 and has_distinguishing_answer(work, level, first, size):
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
            work.outcome[GUESS] = work.guesses[work.frame[counted, GUESSES] + column]
        return True
    if turns == 2:
        return False
    if table.stop[0] or work.outcome[MET] >= work.outcome[LIMIT]:
        raise InterruptedError
    work.outcome[SEARCHED] += 1
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
                    work.outcome[GUESS] = guess_of(datum)
                return True
    if not table.restricted:
        n = choose_columns(table, work, level, first, size, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
    guesses_at += n
    rows_at += size
    child, heat = level + 1, reasons.heat[level]
    ids, row_starts = work.guesses[work.frame[child, GUESSES] :], reasons.row_starts[child]
    excluded, ruled_out = reasons.excluded[level], reasons.ruled_out[level]
    blocks = _exclude_useless(work, excluded, child, n)
    ruled_out[:blocks] = excluded[:blocks]
    heat[:size] = 1
    masks_at, blamed_at, causes, burn = nogoods.count[MASKS], nogoods.count[BLAMED], 0, 100.0
    if learns:
        for j in range(size):
            row_starts[answers[j]] = work.frame[child, OFFSET] + j * work.frame[child, STRIDE]
        for x in range(n_contained):
            recall_reason(nogoods, nogoods.contained[x])
            causes = add_cause(
                table, work, reasons, work.tables, child, row_starts, need, blocks, excluded, ruled_out, causes
            )
    sizes, begins, cells = work.cells[child, SIZES], work.cells[child, BEGINS], work.cells[child, ORDER]
    while True:
        column = _coolest_column(work, reasons, child, size, ruled_out, heat)
        if column < 0:
            break
        work.outcome[TRIED] += 1
        i = split(table, work, child, size, column, rows_at) - 1
        failed = -1
        while i >= 0 and failed < 0 and sizes[cells[i]] >= turns:
            pattern = cells[i]
            if not solvable(
                table, work, reasons, child, begins[pattern], sizes[pattern], work.keys[child, pattern], turns - 1,
                ids[column], pattern, tables_at, guesses_at, rows_at + size,
            ):  # fmt: skip
                failed = pattern
            i -= 1
        if failed < 0:
            nogoods.count[MASKS], nogoods.count[BLAMED] = masks_at, blamed_at
            datum = recall(table.memo, key)
            least = low_of(datum) & 255 if datum else 0
            remember(table.memo, key, size, turns << 8 | least, 0, ids[column])
            if level == 0:
                work.outcome[GUESS] = ids[column]
            return True
        ruled_out[column // WIDTH] |= np.uint64(1) << np.uint64(column % WIDTH)
        if learns:
            burn *= HOTTER
            for i in range(nogoods.count[REASON]):
                j = (row_starts[nogoods.reason[i]] - work.frame[child, OFFSET]) // work.frame[child, STRIDE]
                heat[j] += burn / nogoods.count[REASON]
            causes = add_cause(
                table, work, reasons, work.tables, child, row_starts, need, blocks, excluded, ruled_out, causes
            )
    nogoods.count[MASKS], nogoods.count[BLAMED] = masks_at, blamed_at
    if learns:
        merge_causes(reasons, excluded, answers, need, causes, blocks)
        learn(nogoods, turns)
    datum = recall(table.memo, key)
    known = low_of(datum) >> 8 if datum else NOT_YET
    remember(table.memo, key, size, known << 8 | turns + 1, 0, guess_of(datum) if datum else 0)
    return False


@inlined
def state_key(sum_of_noise: Any, need: Any) -> Any:
    """Return the key of a state in the transposition table: from the sum of its answers' noise, and from its need."""
    return sum_of_noise ^ np.uint64(_KEY) ^ mixed(need)


@compiled
def _exclude_useless(work, excluded, level, columns):
    """Set `excluded` to the columns that do not split the state of frame `level`; return the number of blocks."""
    blocks, counts = (columns + WIDTH - 1) // WIDTH, work.counts[level]
    excluded[:blocks] = 0
    if columns % WIDTH:
        excluded[blocks - 1] = ~np.uint64(0) << np.uint64(columns % WIDTH)
    for column in range(columns):
        excluded[column // WIDTH] |= np.uint64(counts[column] < 2) << np.uint64(column % WIDTH)
    return blocks


@compiled
def _coolest_column(work, reasons, level, size, ruled_out, heat):
    """Return the column, of those not ruled out, whose hottest cell is the least hot; -1 if all are ruled out."""
    offset, stride, sums = work.frame[level, OFFSET], work.frame[level, STRIDE], reasons.sums
    best, least, least_squares = -1, np.inf, np.inf
    for b in range((work.frame[level, COLUMNS] + WIDTH - 1) // WIDTH):
        alive = ~ruled_out[b]
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


@compiled
def note(table, sum_of_noise, need, size, turns, guess):
    """Store in the transposition table that a guess solves a state within `turns`, or that none does (-1)."""
    key = state_key(sum_of_noise, need)
    datum = recall(table.memo, key)
    least, known, best = (low_of(datum) & 255, low_of(datum) >> 8, guess_of(datum)) if datum else (0, 255, 0)
    if guess >= 0:
        remember(table.memo, key, size, turns << 8 | least, 0, guess)
    else:
        remember(table.memo, key, size, known << 8 | turns + 1, 0, best)
