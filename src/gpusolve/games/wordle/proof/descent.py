"""The fewest guesses over all answers of a state, by depth-first search with bounds.

A guess with k patterns on n answers costs at least 3n - k over all of them, 1 less if it can be the answer: n for
itself, and 2m - 1 for each cell of m, of which one answer is found at once and the others at best by the guess after.
That is exact where no cell holds more than two. With K the most that k (and 1) comes to in a state, no subset of m
answers costs less than 3m - K. So the search counts the patterns of all guesses, which is cheap (`frames`); most states
are done with that. In the others it tries the guesses in order of what they are thought to cost, looks into their
cells, the smallest first, and leaves a guess as soon as the bounds of the cells left come to as much as the best guess,
or as `beta`, from which on nobody needs to know how much.

`cost` calls itself. Numba keeps such a function on disk, but not what calls it from elsewhere: only Python does.
"""

from __future__ import annotations

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.proof.frames import (
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
from gpusolve.games.wordle.proof.memo import guess_of, is_exact, low_of, recall, remember

NEVER = 1 << 22
"""The cost of a state that cannot be solved in the turns that are left; more than any other."""
FREE = 99
"""As many turns as are needed."""
_LOW = (1 << 20) - 1


@compiled
def cost(table, work, level, first, size, key, beta, turns, via, code, tables_at, guesses_at, rows_at):
    """The fewest guesses over all answers of a state; if it is `beta` or more, a bound from `beta` on.

    The state is work.rows[first : first + size] of a frame, its key the sum of its noise. It must be solved in `turns`
    guesses. Where guesses are restricted, `via` and `code` are the last guess and its pattern (-1: the start). The last
    three arguments tell how far the stacks are filled. For states of frame 0, work.found[GUESS] is the best guess.
    """
    work.found[MET] += 1
    if size <= 2:
        if level == 0:
            work.found[GUESS] = table.own[work.rows[first]]
        return 2 * size - 1 if turns >= size else NEVER
    if turns <= 1:
        return NEVER
    if turns >= size:
        turns = FREE
    if turns != FREE:
        key += table.guess_noise[turns]
    if not table.restricted:
        datum = recall(table.memo, key)
        if datum and (is_exact(datum) or low_of(datum) >= beta):
            if level == 0:
                work.found[GUESS] = guess_of(datum)
            return low_of(datum)
        most, mine = count_patterns(table, work, level, first, size)
        counted = level
    else:
        # What may be guessed differs from cell to cell, so the frame comes first; the state is all of it.
        place_rows(work, level, first, size)
        if level > 0 and is_told_apart(work, level, first, size):
            return 2 * size - 1
        n = allowed_columns(table, work, level, first, size, via, code, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
        for j in range(size):
            work.rows[rows_at + j] = j
        counted = level + 1
        most, mine = count_patterns(table, work, counted, rows_at, size)
    most = min(size, max(most, mine + 1))
    if mine == size or most == size or turns == 2:
        return _at_once(table, work, level, counted, first, size, mine, turns)
    low = 3 * size - most
    if low >= beta:
        if not table.restricted:
            remember(table.memo, key, size, low, 0, 0)
        return low
    if table.stop[0]:
        raise InterruptedError
    work.found[SEARCHED] += 1
    if table.restricted:
        ids = work.guesses[guesses_at:]
        for x in range(n):
            if work.counts[counted, x] > 1:
                key += table.guess_noise[FREE + 1 + ids[x]]
        datum = recall(table.memo, key)
        if datum and (is_exact(datum) or low_of(datum) >= beta):
            if level == 0:
                work.found[GUESS] = guess_of(datum)
            return low_of(datum)
    else:
        n = choose_columns(table, work, level, first, size, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
    guesses_at += n
    rows_at += size
    child = level + 1
    tried, least = rank(table, work, child, size, most, beta)
    order, ids = work.order[level], work.guesses[work.frame[child, GUESSES] :]
    sizes, places, cells = work.cells[child, SIZES], work.cells[child, PLACES], work.cells[child, ORDER]
    best, guess = beta, 0
    for o in range(tried):
        column, total = order[o] & _LOW, order[o] >> 20 & _LOW
        if total < best:
            work.found[TRIED] += 1
            n_cells = split(table, work, child, size, column, rows_at)
            for i in range(n_cells):
                pattern = cells[i]
                m = sizes[pattern]
                if m < 3:  # three turns are left at least
                    continue
                if total >= best:
                    break
                bound = max(2 * m - 1, 3 * m - most)
                total += -bound + cost(
                    table, work, child, places[pattern], m, work.keys[child, pattern], best - total + bound,
                    turns if turns == FREE else turns - 1, ids[column], pattern, tables_at, guesses_at, rows_at + size,
                )  # fmt: skip
        if total < best:
            best, guess = total, ids[column]
            if best == low:
                break
        else:
            least = min(least, total)
    if best < beta:
        remember(table.memo, key, size, best, 1, guess)
        if level == 0:
            work.found[GUESS] = guess
        return best
    least = min(least, NEVER)
    remember(table.memo, key, size, least, 0, 0)
    return least


@compiled
def _at_once(table, work, level, counted, first, size, mine, turns):
    """The cost where a guess tells all apart, or an answer all but two, or where two turns are left."""
    found = 2 * size - 1
    wanted = size
    if mine < size:
        found = 2 * size
        if turns == 2:
            found = NEVER
            columns = work.frame[counted, COLUMNS]
            for column in range(columns):
                if work.counts[counted, column] == size and not table.hidden_only:
                    found = 2 * size
        elif mine == size - 1:
            wanted = size - 1
    if level == 0 and found < NEVER:
        work.found[GUESS] = -1
        for j in range(size):
            row = work.rows[first + j]
            column = table.own[row] if counted == 0 else j
            if work.counts[counted, column] == wanted:
                work.found[GUESS] = table.own[row]
                break
        if work.found[GUESS] < 0:
            column = 0
            while work.counts[counted, column] != size:
                column += 1
            work.found[GUESS] = column if counted == 0 else work.guesses[work.frame[counted, GUESSES] + column]
    return found


@compiled
def rank(table, work, level, size, most, beta):
    """The columns of a frame that may cost less than `beta`, in order of what they may cost.

    work.order[level - 1] = estimate << 40 | bound << 20 | column. Gives their number and the least bound of the others.
    """
    offset, stride = work.frame[level, OFFSET], work.frame[level, STRIDE]
    order, sizes = work.order[level - 1], work.cells[level, SIZES]
    sizes[:] = 0
    n, least = 0, NEVER
    for column in range(work.frame[level, COLUMNS]):
        for j in range(size):
            sizes[work.tables[offset + j * stride + column]] += 1
        if column < size:
            sizes[SOLVED] = 0
        elif sizes[work.tables[offset + column]] == size:
            sizes[work.tables[offset + column]] = 0
            continue
        bound, estimate = size, 0
        for j in range(size):
            pattern = work.tables[offset + j * stride + column]
            m = sizes[pattern]
            if m:
                sizes[pattern] = 0
                bound += max(2 * m - 1, 3 * m - most)
                estimate += table.estimate[m]
        if bound < beta:
            order[n] = estimate << 40 | bound << 20 | column
            n += 1
        else:
            least = min(least, bound)
    some = order[:n]
    some.sort()
    return (min(n, table.width) if table.width else n), least
