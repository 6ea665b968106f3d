"""The minimum total of guesses over all answers of a state, by depth-first branch and bound.

A guess that splits n answers into k patterns has a total of at least 3n - k, or one less if it can be the answer:
n for the guess itself, and 2m - 1 for each cell of m answers, where one answer is found by the next guess and the
others at best by the one after it. The bound is exact if no cell has more than two answers. Let K be the maximum of k
(plus 1 for a possible answer) over all guesses in a state; then no subset of m answers costs less than 3m - K.

So the search first counts the patterns of all guesses, which is cheap (`frames`) and settles most states. In the other
states it tries the guesses in order of their estimated cost and searches their cells, smallest first. It abandons a
guess as soon as the bounds of its cells add up to the best total so far, or to `beta`, above which the exact total does
not matter.

`cost` is recursive. Numba caches such a function on disk, but not compiled functions that call it, so only Python does.
"""

from __future__ import annotations

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.cpu.proof.frames import (
    BEGINS,
    COLUMNS,
    GUESS,
    GUESSES,
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
from gpusolve.games.wordle.cpu.proof.memo import guess_of, is_exact, low_of, recall, remember

NEVER = 1 << 22
"""The cost of a state that cannot be solved in the turns left; higher than any other cost."""
FREE = 99
"""The number of turns that means "without a limit"."""
_LOW = (1 << 20) - 1


@compiled
def cost(table, work, level, first, size, key, beta, turns, via, code, tables_at, guesses_at, rows_at):
    """Return the minimum total of guesses over all answers of a state, or a lower bound >= `beta` if it is >= `beta`.

    The state is work.rows[first : first + size] of the frame at `level`, and `key` is the sum of its noise. Every
    answer must be found within `turns` guesses. Where guesses are restricted, `via` and `code` are the previous guess
    and its pattern (-1: there is none). The last three arguments are the fill levels of the stacks. For states of
    frame 0, work.outcome[GUESS] is set to the best guess.
    """
    work.outcome[MET] += 1
    if size <= 2:
        if level == 0:
            work.outcome[GUESS] = table.own[work.rows[first]]
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
                work.outcome[GUESS] = guess_of(datum)
            return low_of(datum)
        most, own_most = count_patterns(table, work, level, first, size)
        counted = level
    else:
        # The legal guesses differ from cell to cell, so the frame is built first; the state is all of it.
        locate_rows(work, level, first, size)
        if level > 0 and has_distinguishing_answer(work, level, first, size):
            return 2 * size - 1
        n = allowed_columns(table, work, level, first, size, via, code, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
        for j in range(size):
            work.rows[rows_at + j] = j
        counted = level + 1
        most, own_most = count_patterns(table, work, counted, rows_at, size)
    most = min(size, max(most, own_most + 1))
    if own_most == size or most == size or turns == 2:
        return _immediate_cost(table, work, level, counted, first, size, own_most, turns)
    low = 3 * size - most
    if low >= beta:
        if not table.restricted:
            remember(table.memo, key, size, low, 0, 0)
        return low
    if table.stop[0]:
        raise InterruptedError
    work.outcome[SEARCHED] += 1
    if table.restricted:
        ids = work.guesses[guesses_at:]
        for x in range(n):
            if work.counts[counted, x] > 1:
                key += table.guess_noise[FREE + 1 + ids[x]]
        datum = recall(table.memo, key)
        if datum and (is_exact(datum) or low_of(datum) >= beta):
            if level == 0:
                work.outcome[GUESS] = guess_of(datum)
            return low_of(datum)
    else:
        n = choose_columns(table, work, level, first, size, guesses_at)
        tables_at += push_frame(table, work, level, first, size, n, tables_at, guesses_at, rows_at)
    guesses_at += n
    rows_at += size
    child = level + 1
    tried, least = rank(table, work, child, size, most, beta)
    order, ids = work.order[level], work.guesses[work.frame[child, GUESSES] :]
    sizes, begins, cells = work.cells[child, SIZES], work.cells[child, BEGINS], work.cells[child, ORDER]
    best, guess = beta, 0
    for o in range(tried):
        column, total = order[o] & _LOW, order[o] >> 20 & _LOW
        if total < best:
            work.outcome[TRIED] += 1
            n_cells = split(table, work, child, size, column, rows_at)
            for i in range(n_cells):
                pattern = cells[i]
                m = sizes[pattern]
                if m < 3:  # its bound is exact, because at least three turns are left
                    continue
                if total >= best:
                    break
                bound = max(2 * m - 1, 3 * m - most)
                total += -bound + cost(
                    table, work, child, begins[pattern], m, work.keys[child, pattern], best - total + bound,
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
            work.outcome[GUESS] = guess
        return best
    least = min(least, NEVER)
    remember(table.memo, key, size, least, 0, 0)
    return least


@compiled
def _immediate_cost(table, work, level, counted, first, size, own_most, turns):
    """Return the cost of a state that needs no search.

    There some guess tells all answers apart, or an answer tells all but two apart, or only two turns are left.
    """
    total = 2 * size - 1
    required = size
    if own_most < size:
        total = 2 * size
        if turns == 2:
            total = NEVER
            columns = work.frame[counted, COLUMNS]
            for column in range(columns):
                if work.counts[counted, column] == size and not table.hidden_only:
                    total = 2 * size
        elif own_most == size - 1:
            required = size - 1
    if level == 0 and total < NEVER:
        work.outcome[GUESS] = -1
        for j in range(size):
            row = work.rows[first + j]
            column = table.own[row] if counted == 0 else j
            if work.counts[counted, column] == required:
                work.outcome[GUESS] = table.own[row]
                break
        if work.outcome[GUESS] < 0:
            column = 0
            while work.counts[counted, column] != size:
                column += 1
            work.outcome[GUESS] = column if counted == 0 else work.guesses[work.frame[counted, GUESSES] + column]
    return total


@compiled
def rank(table, work, level, size, most, beta):
    """Sort the columns of a frame whose bound is below `beta` by their estimated cost.

    Write them to work.order[level - 1] as estimate << 40 | bound << 20 | column. Return how many of them to try, and
    the minimum of the bounds of all other columns.
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
    promising = order[:n]
    promising.sort()
    return (min(n, table.width) if table.width else n), least
