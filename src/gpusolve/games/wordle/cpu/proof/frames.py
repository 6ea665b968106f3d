"""Frames: tables of patterns that shrink with the set of answers being searched.

A frame is a table of bytes with a row for each answer and a column for each guess. Frame 0 is the whole table. A state
(a set of answers) is a subset of the rows of a frame. When a state is searched, it gets a new frame that has only the
columns that are worth guessing there, with the columns of the state's answers first. The states below it are subsets
of the rows of that frame, and so on:

    frame 0   aahed aalii ... zygal       frame 1   boxer hover homer ... tophi         frame 2   hover homer ...
    aback       1     1          1        boxer      242   ...                          hover      242
    abase                                 hover                                         homer
    ...  2,315 x 12,972                   homer     a few x a few hundred                     two x a few

`refinement` chooses the columns where every guess is legal.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.columns import WIDTH, distinct, gather
from gpusolve.games.wordle.cpu.proof.memory import (
    BEGINS,
    COLUMNS,
    FREE,
    GUESSES,
    HIDDEN,
    LEVELS,
    OFFSET,
    ORDER,
    SIZES,
    STRIDE,
    UNTIL,
    State,
    Top,
)
from gpusolve.games.wordle.cpu.proof.needs import may_follow

FEW = 160
"""States of up to this many answers compare the answers two by two; larger ones count patterns in a table."""


@compiled
def locate_rows(work, state):
    """Set work.starts at the state's level to where each of its rows begins in the frame."""
    level, starts = state.level, work.starts[state.level]
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    for j in range(state.size):
        starts[j] = offset + work.rows[state.first + j] * stride


@inlined
def patterns_at(table, work, level):
    """Return the table of patterns in which the rows of the frame at a level are located."""
    return table.patterns if level == 0 else work.tables


@inlined
def guess_at(work, level, column):
    """Return the guess of a column of the frame at a level."""
    return work.guesses[work.frame[level, GUESSES] + column]


@inlined
def own_column(table, work, state, j):
    """Return the column of answer number j of a state."""
    row = work.rows[state.first + j]
    return table.own[row] if state.level == 0 else row


@compiled
def count_patterns(table, work, state, stops):
    """Set work.counts at the state's level to the number of patterns that each column of the frame has on it.

    Return the maximum over all columns, and the maximum over the columns of the state's answers. Below frame 0 the
    count stops at a column that tells all answers apart (the state's answers are counted first), and with `stops`,
    which needs a frame of `choose_columns`, where no column that follows can have more patterns; the counts of the
    columns after it are then not valid.
    """
    level, size = state.level, state.size
    stops = stops and level > 0
    until = work.cells[level, UNTIL]
    patterns = patterns_at(table, work, level)
    starts, counts, columns = work.starts[level], work.counts[level], work.frame[level, COLUMNS]
    locate_rows(work, state)
    most, column = 0, 0
    if size > FEW:
        seen = np.full(256, -1, np.int64)
        while column < columns and not (stops and column >= until[most]):
            k = 0
            for j in range(size):
                pattern = patterns[starts[j] + column]
                k += seen[pattern] != column
                seen[pattern] = column
            counts[column] = k
            most = max(most, k)
            column += 1
        own_most = _most_of_own(table, work, state)
        return (own_most, own_most) if table.hidden_only else (most, own_most)
    if level > 0:
        while column <= work.rows[state.first + size - 1]:  # rows ascend, and the answer of row r is column r
            most = max(most, distinct(patterns, starts, size, column, counts[column:]))
            column += WIDTH
        own_most = _most_of_own(table, work, state)
        if own_most == size or table.hidden_only:
            return own_most, own_most
    while column < columns and (most < size or level == 0) and not (stops and column >= until[most]):
        most = max(most, distinct(patterns, starts, size, column, counts[column:]))
        column += WIDTH
    own_most = _most_of_own(table, work, state)
    return (own_most, own_most) if table.hidden_only else (most, own_most)


@compiled
def _most_of_own(table, work, state):
    """Return the maximum of the counts over the columns of the state's answers."""
    most, counts = 0, work.counts[state.level]
    for j in range(state.size):
        most = max(most, np.int64(counts[own_column(table, work, state, j)]))
    return most


@compiled
def _allowed_columns(table, work, state, via, top):
    """Choose the columns of a state, as `choose_columns` does, where guesses are restricted.

    These are the columns of its answers, then all that may follow the previous guess and its pattern. Below frame 0,
    columns that do not split the frame's whole state are left out.
    """
    level, last, code = state.level, via.guess, via.code
    chosen, counts, own = work.guesses[top.guesses :], work.counts[level], work.alive[level]
    ids = work.guesses[work.frame[level, GUESSES] :]
    own[: work.frame[level, STRIDE] // WIDTH] = 0
    for j in range(state.size):
        chosen[j] = own_column(table, work, state, j)
        own[chosen[j] // WIDTH] |= np.uint64(1) << np.uint64(chosen[j] % WIDTH)
    if last >= 0 and len(table.fits) == 0:
        _rule_out(table, work, state, last, own)
        last = -1
    n = state.size
    for column in range(work.frame[level, COLUMNS]):
        if level == 0:
            if column >= len(table.shapes) or not work.open[column]:
                continue
        elif counts[column] < 2:
            continue
        if last >= 0:
            guess = column if level == 0 else ids[column]
            if not table.fits[table.shapes[last], code, table.full[last, guess]]:
                continue
        if own[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
            continue
        chosen[n] = column
        n += 1
    return n


@compiled
def _rule_out(table, work, state, last, bits):
    """Set the bits of the columns that may not follow the guess `last`, of which a state is a cell."""
    level = state.level
    answer = table.own[work.hidden[work.frame[level, HIDDEN] + work.rows[state.first]]]
    is_hard, ids = len(table.needs) > 0, work.guesses[work.frame[level, GUESSES] :]
    for column in range(len(table.shapes) if level == 0 else work.frame[level, COLUMNS]):
        guess = column if level == 0 else ids[column]
        if not may_follow(table.full, guess, last, answer, not is_hard):
            bits[column // WIDTH] |= np.uint64(1) << np.uint64(column % WIDTH)


@compiled
def push_frame(table, work, state, n, top):
    """Build the next frame from a state's rows and the n columns in work.guesses[top.guesses:]; return the new top.

    work.starts must hold the rows (`locate_rows`). Raises MemoryError if a stack is full, which a larger one helps,
    and RecursionError if there are too many levels.
    """
    level, size = state.level, state.size
    if level + 2 >= LEVELS:
        raise RecursionError
    if top.tables + (n + WIDTH) * size > len(work.tables) or top.rows + 2 * size > len(work.rows):
        raise MemoryError
    if top.guesses + n + work.frame[level, COLUMNS] > len(work.guesses):  # leaves room for a next frame as wide
        raise MemoryError
    patterns = patterns_at(table, work, level)
    starts, chosen, frame = work.starts[level], work.guesses[top.guesses :], work.frame[level + 1]
    stride = (n + WIDTH - 1) // WIDTH * WIDTH
    for j in range(size):
        row, start = top.tables + j * stride, starts[j]
        gather(patterns, start, chosen, n, work.tables, row)
        work.tables[row + n : row + stride] = 0
        work.hidden[top.rows + j] = work.hidden[work.frame[level, HIDDEN] + work.rows[state.first + j]]
    for x in range(n):
        work.counts[level + 1, x] = work.counts[level, chosen[x]]
    if level > 0:
        ids = work.guesses[work.frame[level, GUESSES] :]
        for x in range(n):
            chosen[x] = ids[chosen[x]]
    frame[OFFSET], frame[STRIDE], frame[COLUMNS] = top.tables, stride, n
    frame[GUESSES], frame[HIDDEN] = top.guesses, top.rows
    return Top(top.tables + stride * size, top.guesses + n, top.rows + size)


@compiled
def push_allowed(table, work, state, via, top):
    """Build the next frame where guesses are restricted; return the state as all of its rows, and the new top.

    work.starts must hold the rows (`locate_rows`). The legal guesses differ from cell to cell, so the frame is built
    before its patterns are counted.
    """
    n = _allowed_columns(table, work, state, via, top)
    new_top = push_frame(table, work, state, n, top)
    for j in range(state.size):
        work.rows[top.rows + j] = j
    return State(state.level + 1, top.rows, state.size, state.key), new_top


@compiled
def key_of_columns(table, work, level, key):
    """Return the key of a state that is the whole frame, from its key as a set and from the columns that split it."""
    ids = work.guesses[work.frame[level, GUESSES] :]
    for x in range(work.frame[level, COLUMNS]):
        if work.counts[level, x] > 1:
            key += table.guess_noise[FREE + 1 + ids[x]]
    return key


@compiled
def split(table, work, level, size, column, rows_at):
    """Write the rows of a column's cells, one cell after the other, to work.rows[rows_at:]; return the number of cells.

    The state is the whole frame. work.cells[level] gets the cells' sizes, where they begin, and their order (smallest
    first); work.keys[level] gets their keys.
    """
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    sizes, begins, order = work.cells[level, SIZES], work.cells[level, BEGINS], work.cells[level, ORDER]
    keys, hidden = work.keys[level], work.hidden[work.frame[level, HIDDEN] :]
    n = 0
    sizes[:] = 0
    for j in range(size):
        pattern = work.tables[offset + j * stride + column]
        if sizes[pattern] == 0:
            order[n] = pattern
            keys[pattern] = 0
            n += 1
        sizes[pattern] += 1
        keys[pattern] += table.noise[hidden[j]]
    for i in range(1, n):
        pattern, j = order[i], i
        while j > 0 and sizes[order[j - 1]] > sizes[pattern]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = pattern
    begin = rows_at
    for i in range(n):
        begins[order[i]] = begin
        begin += sizes[order[i]]
    for j in range(size):
        pattern = work.tables[offset + j * stride + column]
        work.rows[begins[pattern]] = j
        begins[pattern] += 1
    for i in range(n):
        begins[order[i]] -= sizes[order[i]]
    return n


@inlined
def cell_of(work, level, pattern):
    """Return the state that is a cell of the column which was split last at a level."""
    first, size = work.cells[level, BEGINS, pattern], work.cells[level, SIZES, pattern]
    return State(level, first, size, work.keys[level, pattern])


@compiled
def has_distinguishing_answer(work, state):
    """Return whether one of the answers of a state tells all of them apart (in a frame below frame 0)."""
    size, starts, seen = state.size, work.starts[state.level], np.full(256, -1, np.int64)
    for i in range(size):
        column, k = work.rows[state.first + i], 0
        while k < size and seen[work.tables[starts[k] + column]] != i:
            seen[work.tables[starts[k] + column]] = i
            k += 1
        if k == size:
            return True
    return False
