"""Frames: the patterns of some answers by some guesses, as small as the search below them allows.

A frame is a table of bytes, a row for each answer and a column for each guess. Frame 0 is the whole table; a state, a
set of answers, is some of its rows. Where a state is searched, it gets a frame of its own with the columns that are
worth a guess there, its own answers first. What arises below it is some rows of that frame, and so on:

    frame 0   aahed aalii ... zygal       frame 1   boxer hover homer ... tophi         frame 2   hover homer ...
    aback       1     1          1        boxer      242   ...                          hover      242
    abase                                 hover                                         homer
    ...  2,315 x 12,972                   homer     a few x some hundred                      two x a few

A guess A refines B if every cell of A lies in a cell of B; on all states below it does, too. So B is of no use beside
A, unless it can be the answer. For the cells of A to lie in those of B, B need only have equal patterns for each two
neighbours in A's cells. A good guess has few of those, and an instruction compares 64 guesses on one: some hundred of
12,972 guesses remain for a dozen answers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.columns import WIDTH, distinct, same
from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.proof.needs import Needs

CELLS = 243
SOLVED = 242
LEVELS = 64
"""Frames that may lie above one another."""
FEW = 160
"""So many answers are compared two by two; with more, the patterns are counted."""
REFINERS = 1500
"""So many guesses, the finest, are tried for what they refine."""

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Table(NamedTuple):
    """What is searched; all threads share it, and change only `memo`."""

    patterns: Bytes
    """Frame 0, flat: row h for answer h, `stride` bytes, zeros behind the guesses."""
    stride: int
    """A multiple of WIDTH."""
    own: Numbers
    """The column of each answer."""
    noise: Keys
    """A random number for each answer; their sum is the key of a set."""
    guess_noise: Keys
    """A random number for each guess, and one for each number of turns."""
    estimate: Numbers
    """What a cell of each size may cost, times 100: guesses are tried in this order."""
    memo: Keys
    """What is known of states (`memo`)."""
    stop: Bytes
    """(1,): whether the search is to end at once."""
    width: int
    """So many guesses are tried in a state; 0: all that are needed for a proof."""
    hidden_only: bool
    """Whether only answers that remain are guessed."""
    restricted: bool
    """Whether what may be guessed depends on the guesses before."""
    full: Bytes
    """The pattern of each guess by each, (guesses, guesses); (0, 0) where nothing is restricted."""
    shapes: Bytes
    """Which letters of a guess are equal, a number for each guess (`restrictions`)."""
    fits: Bytes
    """For a shape and the pattern seen: which patterns a guess must get there, too (`restrictions`)."""
    needs: Needs
    """What each column's guess holds, where it must hold what was revealed (`needs`); else (0, LETTERS)."""


class Work(NamedTuple):
    """What one thread works with: stacks, and scratch for each level."""

    tables: Bytes
    """The frames from 1 on."""
    guesses: Numbers
    """Which guess each of their columns is."""
    rows: Numbers
    """The rows of the states on the way."""
    hidden: Numbers
    """Which answer each of a frame's rows is."""
    open: Bytes
    """Which columns of frame 0 may be guessed, where that is restricted."""
    starts: Numbers
    counts: Bytes
    order: Numbers
    alive: Keys
    left: Numbers
    right: Numbers
    cells: Numbers
    keys: Keys
    frame: Numbers
    """Of each frame: where it begins, the bytes of a row, the columns, and where `guesses` and `hidden` begin."""
    found: Numbers
    """States met, states searched, guesses tried in them; the guess of the last result."""


OFFSET, STRIDE, COLUMNS, GUESSES, HIDDEN = range(5)
MET, SEARCHED, TRIED, GUESS = range(4)
SIZES, PLACES, ORDER, LAST = range(4)
"""What `Work.cells` holds of a guess: the sizes of its cells, where they begin, their order; scratch."""


def new_work(answers: int, stride: int, largest: int) -> Work:
    """Room for a search that begins with states of up to `largest` of the answers."""
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
        found=np.zeros(4, np.int64),
    )
    work.frame[0] = 0, stride, stride, 0, 0
    work.hidden[:answers] = np.arange(answers)
    work.guesses[:stride] = np.arange(stride)
    return work


@compiled
def place_rows(work, level, first, size):
    """work.starts[level]: where the rows of a state, rows[first : first + size] of the frame, begin."""
    offset, stride, starts = work.frame[level, OFFSET], work.frame[level, STRIDE], work.starts[level]
    for j in range(size):
        starts[j] = offset + work.rows[first + j] * stride


@compiled
def count_patterns(table, work, level, first, size):
    """work.counts[level]: how many patterns each column of the frame has on a state.

    Gives the most of any column, and of the state's own answers. Below frame 0 it stops where a column tells all
    answers apart, the state's own columns first: then only that is known.
    """
    patterns = table.patterns if level == 0 else work.tables
    starts, counts, columns = work.starts[level], work.counts[level], work.frame[level, COLUMNS]
    place_rows(work, level, first, size)
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
        mine = _most_of_own(table, work, level, first, size)
        return (mine, mine) if table.hidden_only else (most, mine)
    if level > 0:
        while column <= work.rows[first + size - 1]:  # the rows ascend, and each is its own column
            most = max(most, distinct(patterns, starts, size, column, counts[column:]))
            column += WIDTH
        mine = _most_of_own(table, work, level, first, size)
        if mine == size or table.hidden_only:
            return mine, mine
    while column < columns and (most < size or level == 0):
        most = max(most, distinct(patterns, starts, size, column, counts[column:]))
        column += WIDTH
    mine = _most_of_own(table, work, level, first, size)
    return (mine, mine) if table.hidden_only else (most, mine)


@compiled
def _most_of_own(table, work, level, first, size):
    most, counts = 0, work.counts[level]
    for j in range(size):
        row = work.rows[first + j]
        most = max(most, np.int64(counts[table.own[row] if level == 0 else row]))
    return most


@compiled
def choose_columns(table, work, level, first, size, guesses_at):
    """The columns worth a guess on a state whose patterns are counted: its answers' own, then those none refines.

    Writes them to work.guesses[guesses_at:], the latter in falling order of their patterns; gives their number.
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
            mine = False
            for j in range(size):
                mine |= chosen[j] == column
            if not mine:
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
    """The columns in falling order of their counts; how many have two or more."""
    tally[:] = 0
    for column in range(columns):
        tally[counts[column]] += 1
    place = 0
    for k in range(CELLS, -1, -1):
        tally[k], place = place, place + tally[k]
    for column in range(columns):
        k = counts[column]
        order[tally[k]] = column
        tally[k] += 1
    return tally[2]


@compiled
def allowed_columns(table, work, level, first, size, via, code, guesses_at):
    """The same where guesses are restricted: those that may follow the guess `via` and its pattern (-1: any).

    Of what a frame's own state does not split, nothing is left.
    """
    chosen, counts, own = work.guesses[guesses_at:], work.counts[level], work.alive[level]
    ids = work.guesses[work.frame[level, GUESSES] :]
    own[: work.frame[level, STRIDE] // WIDTH] = 0
    for j in range(size):
        row = work.rows[first + j]
        chosen[j] = table.own[row] if level == 0 else row
        own[chosen[j] // WIDTH] |= np.uint64(1) << np.uint64(chosen[j] % WIDTH)
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
def push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at):
    """Frame level + 1: a state's rows, and the n columns chosen in work.guesses[guesses_at:]; work.starts is placed."""
    if level + 2 >= LEVELS or tables_at + (n + WIDTH) * size > len(work.tables) or rows_at + 2 * size > len(work.rows):
        raise MemoryError
    if guesses_at + n + work.frame[level, COLUMNS] > len(work.guesses):  # the next frame's, too, if it is as wide
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
    """The cells of a column on the whole state of the frame: work.rows[rows_at:] holds their rows, cell after cell.

    Gives their number; work.cells[level] tells their sizes, where they begin, and their order, the smallest first;
    work.keys[level] their keys.
    """
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    sizes, places, order = work.cells[level, SIZES], work.cells[level, PLACES], work.cells[level, ORDER]
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
    place = rows_at
    for i in range(n):
        places[order[i]] = place
        place += sizes[order[i]]
    for j in range(size):
        pattern = work.tables[offset + j * stride + column]
        work.rows[places[pattern]] = j
        places[pattern] += 1
    for i in range(n):
        places[order[i]] -= sizes[order[i]]
    return n


@compiled
def is_told_apart(work, level, first, size):
    """Whether one of the answers of a state of a frame below 0 tells all of them apart."""
    starts, seen = work.starts[level], np.full(256, -1, np.int64)
    for i in range(size):
        column, k = work.rows[first + i], 0
        while k < size and seen[work.tables[starts[k] + column]] != i:
            seen[work.tables[starts[k] + column]] = i
            k += 1
        if k == size:
            return True
    return False
