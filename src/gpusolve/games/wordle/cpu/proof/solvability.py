"""Whether a state can be solved within a number of turns, by depth-first search that learns from failures.

A guess fails if one of its cells cannot be solved in the turns after it. Usually a few answers of that cell are the
reason (`reasons`), and every other guess that leaves them together fails for the same reason: one instruction finds
such guesses among 64 (`frames`). The nogoods that a state contains rule out most of its guesses before any is tried.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import trailing_zeros
from gpusolve.backend.intrinsics.columns import WIDTH
from gpusolve.games.wordle.cpu.proof.frames import (
    cell_of,
    count_patterns,
    guess_at,
    has_distinguishing_answer,
    key_of_columns,
    locate_rows,
    push_allowed,
    push_frame,
    split,
)
from gpusolve.games.wordle.cpu.proof.memo import EQUAL, guess_of, low_of, recall, remember
from gpusolve.games.wordle.cpu.proof.memory import (
    COLUMNS,
    GUESS,
    HIDDEN,
    LIMIT,
    MET,
    OFFSET,
    ORDER,
    SEARCHED,
    SOLVED,
    STRIDE,
    TRIED,
    Top,
    Via,
)
from gpusolve.games.wordle.cpu.proof.needs import mixed
from gpusolve.games.wordle.cpu.proof.nogoods import BLAMED, MASKS, REASON, learn, look_up, set_reason
from gpusolve.games.wordle.cpu.proof.reasons import (
    Failing,
    add_cause,
    add_contained,
    distinguish,
    exclude_padding,
    merge_causes,
)
from gpusolve.games.wordle.cpu.proof.refinement import choose_columns
from gpusolve.games.wordle.cpu.proof.three_turns import in_three

NOT_YET = 255
"""Marks in the transposition table that no sufficient number of turns is known for a state."""
HOTTER = 1.03
"""Each failure weighs this factor more than the previous one in the heat of the answers that caused it."""
FAILS, SUCCEEDS, UNKNOWN = range(3)
"""What is known about a state."""
_KEY = 0x9E3779B97F4A7C15  # keeps these entries of the transposition table apart from those of `cost`


@compiled
def solvable(table, work, reasons, state, turns, via, top):
    """Return whether every answer of a state can be found within `turns` guesses.

    The arguments are those of `descent.cost`, and `reasons`. For states of frame 0, reasons.need[0] must say what a
    guess must contain, and work.outcome[GUESS] is set to a guess that solves the state. If the state cannot be solved,
    reasons.nogoods holds the reason.
    """
    work.outcome[MET] += 1
    level, size = state.level, state.size
    if size <= turns:  # guess one answer after another
        return _found(work, level, table.own[work.rows[state.first]] if level == 0 else 0)
    nogoods, answers, need = reasons.nogoods, _list_answers(work, reasons, state), reasons.need[level]
    if len(table.needs) and via.guess >= 0:
        if level > 0:
            need[:] = 0
        need |= table.needs[via.guess] & table.needs[table.own[answers[0]]]
    if turns <= 1:
        set_reason(nogoods, answers, need)
        return False
    keyed = not table.restricted or len(table.needs) > 0  # otherwise the key depends on the columns of the frame
    learns = keyed and not table.hidden_only  # with hidden_only, fewer answers mean fewer legal guesses
    key = state_key(state.key, need)
    n_contained = look_up(nogoods, answers, turns, need) if learns else 0
    if n_contained < 0:
        return False
    known = _recalled(table, work, level, key, turns) if keyed else UNKNOWN
    if known == FAILS:
        set_reason(nogoods, answers, need)
    if known != UNKNOWN:
        return known == SUCCEEDS
    if learns and turns == 2:
        locate_rows(work, state)
        column = distinguish(table, work, reasons, level, work.starts[level], answers, need)
        return column >= 0 and _found(work, level, column)
    if learns and turns == 3:
        guess = in_three(table, work, reasons, state, n_contained, answers)
        if guess < 0:
            learn(nogoods, 3)
        _note(table, key, size, 3, guess)
        return guess >= 0 and _found(work, level, guess)
    counted = state
    if table.restricted:
        locate_rows(work, state)
        if level > 0 and has_distinguishing_answer(work, state):
            return True
        counted, top = push_allowed(table, work, state, via, top)
    most, _ = count_patterns(table, work, counted, False)
    if most == size or (turns > 2 and most == size - 1):
        return _found(work, level, _guess_with(work, counted.level, most) if level == 0 else 0)
    if turns == 2:
        return False
    if table.stop[0] or work.outcome[MET] >= work.outcome[LIMIT]:
        raise InterruptedError
    work.outcome[SEARCHED] += 1
    if not keyed:
        key = key_of_columns(table, work, counted.level, key)
        known = _recalled(table, work, level, key, turns)
        if known != UNKNOWN:
            return known == SUCCEEDS
    if not table.restricted:
        top = push_frame(table, work, state, choose_columns(table, work, state, top), top)
    child, heat, burn = level + 1, reasons.heat[level], 100.0
    heat[:size] = 1
    masks_at, blamed_at = nogoods.count[MASKS], nogoods.count[BLAMED]
    failing = _exclude_useless(work, reasons, level, answers)
    causes = add_contained(table, work, nogoods, failing, n_contained)
    while True:
        column = _coolest_column(work, reasons, child, size, failing.ruled_out, heat)
        if column < 0:
            break
        work.outcome[TRIED] += 1
        i, solved, guess = split(table, work, child, size, column, top.rows) - 1, True, guess_at(work, child, column)
        while i >= 0 and solved:
            pattern = work.cells[child, ORDER, i]
            cell, above = cell_of(work, child, pattern), Top(top.tables, top.guesses, top.rows + size)
            if cell.size < turns:
                break
            solved = solvable(table, work, reasons, cell, turns - 1, Via(guess, pattern), above)
            i -= 1
        if solved:
            nogoods.count[MASKS], nogoods.count[BLAMED] = masks_at, blamed_at
            _note(table, key, size, turns, guess)
            return _found(work, level, guess)
        failing.ruled_out[column // WIDTH] |= np.uint64(1) << np.uint64(column % WIDTH)
        if learns:
            burn *= HOTTER
            _heat_reason(work, nogoods, failing, heat, burn)
            causes = add_cause(table, work, nogoods, failing, causes)
    nogoods.count[MASKS], nogoods.count[BLAMED] = masks_at, blamed_at
    if learns:
        merge_causes(nogoods, failing, answers, causes)
        learn(nogoods, turns)
    _note(table, key, size, turns, -1)
    return False


@inlined
def _found(work, level, guess):
    """Return True, and note the guess for a state of frame 0."""
    if level == 0:
        work.outcome[GUESS] = guess
    return True


@inlined
def _list_answers(work, reasons, state):
    """Return the answers of a state, which are kept at its level."""
    answers = reasons.answers[state.level]
    for j in range(state.size):
        answers[j] = work.hidden[work.frame[state.level, HIDDEN] + work.rows[state.first + j]]
    return answers[: state.size]


@inlined
def state_key(sum_of_noise, need):
    """Return the key of a state in the transposition table: from the sum of its answers' noise, and from its need."""
    return sum_of_noise ^ np.uint64(_KEY) ^ mixed(need)


@inlined
def _recalled(table, work, level, key, turns):
    """Return what the transposition table says about a state; its guess is noted for a state of frame 0."""
    datum = recall(table.memo, key)
    if datum and turns < low_of(datum, EQUAL) & 255:
        return FAILS
    if datum and turns >= low_of(datum, EQUAL) >> 8:
        _found(work, level, guess_of(datum, EQUAL))
        return SUCCEEDS
    return UNKNOWN


@inlined
def _note(table, key, size, turns, guess):
    """Store in the transposition table that a guess solves a state within `turns`, or that none does (-1)."""
    datum = recall(table.memo, key)
    least = low_of(datum, EQUAL) & 255 if datum else 0
    enough = low_of(datum, EQUAL) >> 8 if datum else NOT_YET
    if guess >= 0:
        remember(table.memo, key, size, turns << 8 | least, 0, guess, EQUAL)
    else:
        remember(table.memo, key, size, enough << 8 | turns + 1, 0, guess_of(datum, EQUAL) if datum else 0, EQUAL)


@compiled
def note(table, sum_of_noise, need, size, turns, guess):
    """Store what is known about a state, as the search does."""
    _note(table, state_key(sum_of_noise, need), size, turns, guess)


@inlined
def _guess_with(work, level, patterns):
    """Return the guess of the first column of a frame that has this number of patterns; there must be one."""
    column = 0
    while work.counts[level, column] != patterns:
        column += 1
    return guess_at(work, level, column)


@compiled
def _exclude_useless(work, reasons, level, answers):
    """Return the guesses of a state that is the whole frame below `level`; those that do not split it are excluded."""
    child, counts = level + 1, work.counts[level + 1]
    excluded, ruled_out, row_starts = reasons.excluded[level], reasons.ruled_out[level], reasons.row_starts[child]
    blocks = exclude_padding(excluded, work.frame[child, COLUMNS])
    for column in range(work.frame[child, COLUMNS]):
        excluded[column // WIDTH] |= np.uint64(counts[column] < 2) << np.uint64(column % WIDTH)
    ruled_out[:blocks] = excluded[:blocks]
    for j in range(len(answers)):
        row_starts[answers[j]] = work.frame[child, OFFSET] + j * work.frame[child, STRIDE]
    return Failing(child, row_starts, reasons.need[level], excluded, ruled_out, blocks)


@inlined
def _heat_reason(work, nogoods, failing, heat, burn):
    """Share some heat among the rows of a frame that are the reason of the last failure."""
    for i in range(nogoods.count[REASON]):
        start = failing.row_starts[nogoods.reason[i]] - work.frame[failing.level, OFFSET]
        heat[start // work.frame[failing.level, STRIDE]] += burn / nogoods.count[REASON]


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
