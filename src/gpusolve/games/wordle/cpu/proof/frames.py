"""Frames: tables of patterns that shrink with the set of answers being searched.

A frame is a table of bytes with a row for each answer and a column for each guess. Frame 0 is the whole table. A state
(a set of answers) is a subset of the rows of a frame. When a state is searched, it gets a new frame that has only the
columns that are worth guessing there, with the columns of the state's answers first. The states below it are subsets
of the rows of that frame, and so on:

    frame 0   aahed aalii ... zygal       frame 1   boxer hover homer ... tophi         frame 2   hover homer ...
    aback       1     1          1        boxer      242   ...                          hover      242
    abase                                 hover                                         homer
    ...  2,315 x 12,972                   homer     a few x a few hundred                     two x a few

Guess A refines guess B if every cell of A lies within a cell of B; then the same holds on every subset of the answers.
So B is useless beside A unless B can be the answer. To test this, it is enough to compare the patterns of B on each
pair of neighbours within A's cells. A good guess has few such pairs, and one instruction compares 64 guesses on a pair.
For a dozen answers, a few hundred of the 12,972 guesses remain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.columns import WIDTH, distinct, same
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.cpu.proof.needs import Needs, may_follow

CELLS = 243
SOLVED = 242
LEVELS = 101
"""Number of levels of the stack of frames: one for each of the 98 guesses of the largest limit, frame 0, and scratch.

Every guess below a state leaves fewer answers than it has, and a state with as many guesses left as answers needs no
more of them. So only a search without a limit could go deeper.
"""
FEW = 160
"""States of up to this many answers compare the answers two by two; larger ones count patterns in a table."""
REFINERS = 1500
"""Number of guesses, those with the most patterns first, that are tested for refining others."""

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Table(NamedTuple):
    """The inputs of a search. All threads share them and write only to `memo`."""

    patterns: Bytes
    """Frame 0, flattened: row h for answer h has `stride` bytes, padded with zeros after the last guess."""
    stride: int
    """Bytes of a row, a multiple of WIDTH."""
    own: Numbers
    """The column of each answer."""
    noise: Keys
    """A random number for each answer; the key of a set is the sum of its answers' numbers."""
    guess_noise: Keys
    """A random number for each possible number of turns, then one for each guess."""
    estimate: Numbers
    """Estimated cost of a cell of each size, times 100; guesses are tried in the order of their estimates."""
    memo: Keys
    """The transposition table (`memo`)."""
    stop: Bytes
    """(1,): nonzero asks every thread to stop."""
    width: int
    """Maximum number of guesses tried in each state (beam width); 0: all that a proof needs."""
    hidden_only: bool
    """Whether only the remaining answers may be guessed."""
    restricted: bool
    """Whether the legal guesses depend on the guesses before."""
    full: Bytes
    """The pattern of every guess against every guess, (guesses, guesses); (0, 0) if guesses are not restricted.

    If words do not have five letters: what the guess of each column contains (`needs`), as bytes.
    """
    shapes: Bytes
    """The shape of each guess, which says which of its letters are equal (`restrictions`)."""
    fits: Bytes
    """For a shape and the pattern seen: the patterns that the next guess may get there (`restrictions`).

    No rows if words do not have five letters.
    """
    needs: Needs
    """What the guess of each column contains, in hard mode (`needs`); else no rows."""


class Work(NamedTuple):
    """The memory of one thread: stacks, and scratch arrays for each level."""

    tables: Bytes
    """Stack: the patterns of the frames from frame 1 on."""
    guesses: Numbers
    """Stack: the guess of each column of each frame."""
    rows: Numbers
    """Stack: the rows of the states that are being searched."""
    hidden: Numbers
    """Stack: the answer of each row of each frame."""
    open: Bytes
    """The columns of frame 0 that may be guessed in the first state, where guesses are restricted."""
    starts: Numbers
    """Where each row of the state at each level begins in the frame's table."""
    counts: Bytes
    """The number of patterns that each column of the frame at each level has on the state."""
    order: Numbers
    """The columns in the order in which they are tried."""
    alive: Keys
    """Bits: the columns that no column chosen so far refines."""
    left: Numbers
    """With `right`: pairs of rows, as where they begin, on which columns are compared."""
    right: Numbers
    cells: Numbers
    """Four numbers for each cell of a column; SIZES, BEGINS, ORDER and LAST name the rows."""
    keys: Keys
    """The key of each cell of a column."""
    frame: Numbers
    """For each frame: where it begins in `tables`, bytes of a row, columns, where it begins in `guesses`, `hidden`."""
    outcome: Numbers
    """Number of states met, of states searched and of guesses tried so far; the best guess of the last result; LIMIT.

    `solvability` is interrupted when the number of states met reaches that in the row LIMIT.
    """


OFFSET, STRIDE, COLUMNS, GUESSES, HIDDEN = range(5)
MET, SEARCHED, TRIED, GUESS, LIMIT = range(5)
NO_LIMIT = 1 << 62
"""Stands for no limit on the number of states."""
SIZES, BEGINS, ORDER, LAST = range(4)
"""Rows of `Work.cells`: the sizes of a guess's cells, where each begins in `rows`, their order; scratch."""


def new_work(answers: int, stride: int, largest: int) -> Work:
    """Return the memory for a search that starts from states of up to `largest` of the answers."""
    n = largest + WIDTH
    work = Work(
        tables=np.zeros(2 * n * (stride + n) + (8 << 20), np.uint8),
        guesses=np.zeros(9 * (stride + n), np.int64),
        rows=np.zeros(answers + 16 * n, np.int64),
        hidden=np.zeros(answers + 16 * n, np.int64),
        open=np.ones(stride, np.uint8),
        starts=np.zeros((LEVELS, n), np.int64),
        counts=np.zeros((LEVELS, stride + n), np.uint8),
        order=np.zeros((LEVELS, stride + n), np.int64),
        alive=np.zeros((LEVELS, (stride + n) // WIDTH + 1), np.uint64),
        left=np.zeros((LEVELS, n), np.int64),
        right=np.zeros((LEVELS, n), np.int64),
        cells=np.zeros((LEVELS, 4, 256), np.int64),
        keys=np.zeros((LEVELS, 256), np.uint64),
        frame=np.zeros((LEVELS, 5), np.int64),
        outcome=np.zeros(5, np.int64),
    )
    work.outcome[LIMIT] = NO_LIMIT
    work.frame[0] = 0, stride, stride, 0, 0
    work.hidden[:answers] = np.arange(answers)
    work.guesses[:stride] = np.arange(stride)
    return work


@compiled
def locate_rows(work, level, first, size):
    """Set work.starts[level] to where each row of a state, rows[first : first + size] of the frame, begins."""
    offset, stride, starts = work.frame[level, OFFSET], work.frame[level, STRIDE], work.starts[level]
    for j in range(size):
        starts[j] = offset + work.rows[first + j] * stride


@compiled
def count_patterns(table, work, level, first, size):
    """Set work.counts[level] to the number of patterns that each column of the frame has on a state.

    Return the maximum over all columns, and the maximum over the columns of the state's answers. Below frame 0 the
    count stops at a column that tells all answers apart (the state's answers are counted first); the counts of the
    columns after it are then not valid.
    """
    patterns = table.patterns if level == 0 else work.tables
    starts, counts, columns = work.starts[level], work.counts[level], work.frame[level, COLUMNS]
    locate_rows(work, level, first, size)
    most, column = 0, 0
    if size > FEW:
        seen = np.full(256, -1, np.int64)
        for column in range(columns):
            k = 0
            for j in range(size):
                pattern = patterns[starts[j] + column]
                k += seen[pattern] != column
                seen[pattern] = column
            counts[column] = k
            most = max(most, k)
        own_most = _most_of_own(table, work, level, first, size)
        return (own_most, own_most) if table.hidden_only else (most, own_most)
    if level > 0:
        while column <= work.rows[first + size - 1]:  # rows ascend, and the answer of row r is column r
            most = max(most, distinct(patterns, starts, size, column, counts[column:]))
            column += WIDTH
        own_most = _most_of_own(table, work, level, first, size)
        if own_most == size or table.hidden_only:
            return own_most, own_most
    while column < columns and (most < size or level == 0):
        most = max(most, distinct(patterns, starts, size, column, counts[column:]))
        column += WIDTH
    own_most = _most_of_own(table, work, level, first, size)
    return (own_most, own_most) if table.hidden_only else (most, own_most)


@compiled
def _most_of_own(table, work, level, first, size):
    """Return the maximum of the counts over the columns of the state's answers."""
    most, counts = 0, work.counts[level]
    for j in range(size):
        row = work.rows[first + j]
        most = max(most, np.int64(counts[table.own[row] if level == 0 else row]))
    return most


@compiled
def choose_columns(table, work, level, first, size, guesses_at):
    """Choose the columns that are worth guessing on a state whose patterns have been counted.

    These are the columns of its answers, then the columns that no other column refines, in descending order of their
    patterns. Write them to work.guesses[guesses_at:] and return their number.
    """
    patterns = table.patterns if level == 0 else work.tables
    counts, starts, order, alive = work.counts[level], work.starts[level], work.order[level], work.alive[level]
    chosen = work.guesses[guesses_at:]
    for j in range(size):
        row = work.rows[first + j]
        chosen[j] = table.own[row] if level == 0 else row
    if table.hidden_only:
        return size
    columns = work.frame[level, COLUMNS]
    useful = _sort_by_count(counts, columns, order, work.cells[level, LAST])
    blocks = (columns + WIDTH - 1) // WIDTH
    alive[:blocks] = ~np.uint64(0)
    for j in range(size):
        alive[chosen[j] // WIDTH] &= ~(np.uint64(1) << np.uint64(chosen[j] % WIDTH))
    n, tried, last = size, 0, work.cells[level, LAST]
    left, right = work.left[level], work.right[level]
    for x in range(useful):
        column = order[x]
        if alive[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
            chosen[n] = column
            n += 1
        else:
            is_own = False
            for j in range(size):
                is_own |= chosen[j] == column
            if not is_own:
                continue
        if tried == REFINERS:
            continue
        tried += 1
        last[:] = -1
        pairs = 0
        for j in range(size):
            pattern = patterns[starts[j] + column]
            if last[pattern] >= 0:
                left[pairs], right[pairs] = last[pattern], starts[j]
                pairs += 1
            last[pattern] = starts[j]
        for b in range(blocks):
            if alive[b]:
                alive[b] &= ~same(patterns, left, right, pairs, b * WIDTH, alive[b])
    return n


@compiled
def _sort_by_count(counts, columns, order, tally):
    """Write the columns to `order` in descending order of their counts; return how many have two or more."""
    tally[:] = 0
    for column in range(columns):
        tally[counts[column]] += 1
    position = 0
    for k in range(CELLS, -1, -1):
        tally[k], position = position, position + tally[k]
    for column in range(columns):
        k = counts[column]
        order[tally[k]] = column
        tally[k] += 1
    return tally[2]


@compiled
def allowed_columns(table, work, level, first, size, via, code, guesses_at):
    """Choose the columns of a state, as `choose_columns` does, where guesses are restricted.

    These are the columns of its answers, then all that may follow the guess `via` and its pattern `code` (-1: any).
    Below frame 0, columns that do not split the frame's whole state are left out.
    """
    chosen, counts, own = work.guesses[guesses_at:], work.counts[level], work.alive[level]
    ids = work.guesses[work.frame[level, GUESSES] :]
    own[: work.frame[level, STRIDE] // WIDTH] = 0
    for j in range(size):
        row = work.rows[first + j]
        chosen[j] = table.own[row] if level == 0 else row
        own[chosen[j] // WIDTH] |= np.uint64(1) << np.uint64(chosen[j] % WIDTH)
    if via >= 0 and len(table.fits) == 0:
        _rule_out(table, work, level, first, via, own)
        via = -1
    n = size
    for column in range(work.frame[level, COLUMNS]):
        if level == 0:
            if column >= len(table.shapes) or not work.open[column]:
                continue
        elif counts[column] < 2:
            continue
        if via >= 0:
            guess = column if level == 0 else ids[column]
            if not table.fits[table.shapes[via], code, table.full[via, guess]]:
                continue
        if own[column // WIDTH] >> np.uint64(column % WIDTH) & np.uint64(1):
            continue
        chosen[n] = column
        n += 1
    return n


@compiled
def _rule_out(table, work, level, first, via, bits):
    """Set the bits of the columns that may not follow the guess `via`, of which a state is a cell."""
    answer, is_hard = table.own[work.hidden[work.frame[level, HIDDEN] + work.rows[first]]], len(table.needs) > 0
    ids = work.guesses[work.frame[level, GUESSES] :]
    for column in range(len(table.shapes) if level == 0 else work.frame[level, COLUMNS]):
        guess = column if level == 0 else ids[column]
        if not may_follow(table.full, guess, via, answer, not is_hard):
            bits[column // WIDTH] |= np.uint64(1) << np.uint64(column % WIDTH)


@compiled
def push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at):
    """Build frame level + 1 from a state's rows and the n columns in work.guesses[guesses_at:]; return its bytes.

    work.starts[level] must hold the rows (`locate_rows`). Raises MemoryError if a stack is full, which a larger one
    helps, and RecursionError if there are too many levels.
    """
    if level + 2 >= LEVELS:
        raise RecursionError
    if tables_at + (n + WIDTH) * size > len(work.tables) or rows_at + 2 * size > len(work.rows):
        raise MemoryError
    if guesses_at + n + work.frame[level, COLUMNS] > len(work.guesses):  # leaves room for a next frame as wide
        raise MemoryError
    patterns = table.patterns if level == 0 else work.tables
    starts, chosen, frame = work.starts[level], work.guesses[guesses_at:], work.frame[level + 1]
    stride = (n + WIDTH - 1) // WIDTH * WIDTH
    for j in range(size):
        row, start = tables_at + j * stride, starts[j]
        for x in range(n):
            work.tables[row + x] = patterns[start + chosen[x]]
        work.tables[row + n : row + stride] = 0
        work.hidden[rows_at + j] = work.hidden[work.frame[level, HIDDEN] + work.rows[first + j]]
    for x in range(n):
        work.counts[level + 1, x] = work.counts[level, chosen[x]]
    if level > 0:
        ids = work.guesses[work.frame[level, GUESSES] :]
        for x in range(n):
            chosen[x] = ids[chosen[x]]
    frame[OFFSET], frame[STRIDE], frame[COLUMNS] = tables_at, stride, n
    frame[GUESSES], frame[HIDDEN] = guesses_at, rows_at
    return stride * size


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


@compiled
def has_distinguishing_answer(work, level, first, size):
    """Return whether one of the answers of a state tells all of them apart (in a frame below frame 0)."""
    starts, seen = work.starts[level], np.full(256, -1, np.int64)
    for i in range(size):
        column, k = work.rows[first + i], 0
        while k < size and seen[work.tables[starts[k] + column]] != i:
            seen[work.tables[starts[k] + column]] = i
            k += 1
        if k == size:
            return True
    return False
