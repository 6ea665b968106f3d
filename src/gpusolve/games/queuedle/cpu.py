"""The Numba twins of ``kernels/queuedle.cu``: same names, same arguments, same results to the bit.

The idea and the layout are described there. Each kernel is compiled for grids of 3 to 6 rows, with its loops
unrolled. The 120 table reads of a board do not depend on one another, so the processor has dozens in flight, which
hides the misses of the second-level cache, a tenth of the table's size.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpusolve.backend.compiled import compiled, inlined

LETTERS = 26
SLIDES_BIT = 24  # the lowest bit of the number of slides made, in the last word of a state
NOISE_LEVELS = 16  # a key is 1 + NOISE_LEVELS * value + noise
MOST_ENDINGS = 6  # slides that finish tries, at most
TILE = 4096  # means summed at a time, so that they stay in the first-level cache
SHORT_TILE = 256  # the same for the last place, whose reads are `letters` apart


@compiled
def line_scores(first, last, shorter, inner, parts, out):
    for prefix in range(first, last):
        row = out[prefix * LETTERS : (prefix + 1) * LETTERS]
        middle = prefix % parts
        tail = shorter[middle * LETTERS : (middle + 1) * LETTERS]
        before = shorter[prefix] - inner[middle]
        for j in range(LETTERS):
            row[j] += before + tail[j]


@compiled
def power_means(first, last, worth, weights, letters, parts, means):
    item = first
    while item < last:
        place, rest = item // parts, item % parts
        inner = parts // letters**place  # lines that differ only after the place are adjacent
        if inner > 1:
            count = min(TILE, inner - rest % inner, last - item)
            begin, step, apart = rest // inner * inner * letters + rest % inner, inner, 1
        else:  # the last place: a line's letters are adjacent
            count = min(SHORT_TILE, parts - rest, last - item)
            begin, step, apart = rest * letters, 1, letters
        sums = means[item : item + count]
        sums[:] = 0
        for letter in range(letters):
            weight, lines = weights[letter], worth[begin + letter * step :]
            if apart == 1:
                for i in range(count):
                    square = lines[i] * lines[i]
                    sums[i] += weight * (square * square)
            else:
                for i in range(count):
                    square = lines[i * apart] * lines[i * apart]
                    sums[i] += weight * (square * square)
        for i in range(count):
            sums[i] = np.sqrt(np.sqrt(sums[i]))
        item += count


@compiled
def approach(first, last, means, letters, places, parts, pace, unit, prefixes, alphabet, worth, table):
    share = np.float32(1) / np.float32(places)
    targets, units = np.empty(LETTERS * LETTERS, np.float32), np.empty(LETTERS * LETTERS, np.uint8)
    rest = first
    while rest < last:  # the lines of rests that differ only in their last letter are adjacent, also in `means`
        block = rest // letters
        count = min(last, (block + 1) * letters) - rest
        n = count * letters
        lines = worth[rest * letters :]
        for j in range(count):
            targets[j * letters : (j + 1) * letters] = means[places - 1, rest + j]
        inner = parts // letters
        for k in range(places - 2):
            row = means[k, (rest // (inner * letters) * inner + rest % inner) * letters :]
            for i in range(n):
                targets[i] += row[i]
            inner //= letters
        row = means[places - 2, block * letters :]
        for j in range(count):
            target = targets[j * letters : (j + 1) * letters]
            for i in range(letters):
                target[i] += row[i]
        for i in range(n):
            lines[i] += pace * (targets[i] * share - lines[i])
            units[i] = np.uint8(unit * lines[i] + np.float32(0.5))
        for j in range(count):
            out, row_units = table[prefixes[rest + j] * LETTERS :], units[j * letters : (j + 1) * letters]
            for i in range(letters):
                out[alphabet[i]] = row_units[i]
        rest += count


@compiled
def totals(first, last, states, capacity, n, table, out):
    if n == 3:
        _totals3(first, last, states, table, out)
    elif n == 4:
        _totals4(first, last, states, table, out)
    elif n == 5:
        _totals5(first, last, states, table, out)
    else:
        _totals6(first, last, states, table, out)


@compiled
def slide(first, last, states, capacity, n, queue, parents, moves, out, out_capacity):
    if n == 3:
        _slide3(first, last, states, queue, parents, moves, out)
    elif n == 4:
        _slide4(first, last, states, queue, parents, moves, out)
    elif n == 5:
        _slide5(first, last, states, queue, parents, moves, out)
    else:
        _slide6(first, last, states, queue, parents, moves, out)


@compiled
def expand(first, last, states, capacity, start, n, table, queue, queue_length, salt, keys):
    if n == 3:
        _expand3(first, last, states, start, table, queue, queue_length, salt, keys)
    elif n == 4:
        _expand4(first, last, states, start, table, queue, queue_length, salt, keys)
    elif n == 5:
        _expand5(first, last, states, start, table, queue, queue_length, salt, keys)
    else:
        _expand6(first, last, states, start, table, queue, queue_length, salt, keys)


@compiled
def finish(first, last, states, capacity, n, table, queue, moves, best):
    if n == 3:
        _finish3(first, last, states, table, queue, moves, best)
    elif n == 4:
        _finish4(first, last, states, table, queue, moves, best)
    elif n == 5:
        _finish5(first, last, states, table, queue, moves, best)
    else:
        _finish6(first, last, states, table, queue, moves, best)


@inlined
def _noise(salt, mix, move):
    h = np.uint32(mix + np.uint32(move) * np.uint32(0x9E3779B9))
    h = np.uint32((h ^ h >> np.uint32(15)) * np.uint32(salt))
    return np.int64(np.uint32(h >> np.uint32(28)))


def _kernels_for(n: int) -> tuple[Any, Any, Any, Any]:
    """Return totals, slide, expand and finish for n x n boards; `n` and `powers` are constants for the compiler."""
    powers = tuple(LETTERS ** (n - 1 - k) for k in range(n))
    top = powers[0]

    @compiled
    def totals_n(first, last, states, table, out):
        for j in range(first, last):
            total = 0
            for r in range(n):
                total += table[states[r, j]]
            for c in range(n):
                column = 0
                for r in range(n):
                    column += states[r, j] // powers[c] % LETTERS * powers[r]
                total += table[column]
            out[j] = total

    @compiled
    def slide_n(first, last, states, queue, parents, moves, out):
        for j in range(first, last):
            p = parents[j]
            line, direction = moves[j] >> 2, moves[j] & 3
            state = states[n, p]
            letter = np.int64(queue[state >> SLIDES_BIT])
            for r in range(n):
                out[r, j] = states[r, p]
            pair = np.uint32(2 * (line + n * (direction >> 1)))
            out[n, j] = (state | np.uint32(1 + (direction & 1)) << pair) + np.uint32(1 << SLIDES_BIT)
            if direction == 0:
                out[line, j] = states[line, p] % top * LETTERS + letter
            elif direction == 1:
                out[line, j] = states[line, p] // LETTERS + letter * top
            else:
                weight = LETTERS ** (n - 1 - line)
                for i in range(n):
                    r = n - 1 - i if direction == 2 else i  # go against the slide, starting with the letter that enters
                    row = np.int64(out[r, j])
                    leaving = row // weight % LETTERS
                    out[r, j] = row + (letter - leaving) * weight
                    letter = leaving

    # The change of the total, in the line itself and in the lines that it crosses, when a line slides towards its
    # beginning or its end. `letters` are the line's, `weight` is that of its position in the crossing lines' numbers,
    # and the letter q enters.
    @inlined
    def slid_value_to_beginning(table, line, crossing, letters, weight, q):
        value = np.int64(table[line % top * LETTERS + q]) - table[line]
        for k in range(n - 1):
            value += table[crossing[k] + (letters[k + 1] - letters[k]) * weight]
        return value + table[crossing[n - 1] + (q - letters[n - 1]) * weight]

    @inlined
    def slid_value_to_end(table, line, crossing, letters, weight, q):
        value = np.int64(table[line // LETTERS + q * top]) - table[line]
        for k in range(1, n):
            value += table[crossing[k] + (letters[k - 1] - letters[k]) * weight]
        return value + table[crossing[0] + (q - letters[0]) * weight]

    @compiled
    def expand_n(first, last, states, start, table, queue, queue_length, salt, keys):
        grid = np.empty((n, n), np.int64)
        row = np.empty(n, np.int64)
        column = np.empty(n, np.int64)
        weight = np.empty(n, np.int64)
        for k in range(n):
            weight[k] = powers[k]
        for item in range(first, last):
            j = start + item
            out = keys[item * 4 * n : (item + 1) * 4 * n]
            state = states[n, j]
            made = state >> SLIDES_BIT
            if made >= queue_length:
                out[:] = 0
                continue
            q = np.int64(queue[made])
            mix = np.uint32(0)
            row_total = 0
            for c in range(n):
                column[c] = 0
            for r in range(n):
                rest = np.int64(states[r, j])
                row[r] = rest
                row_total += table[rest]
                mix = np.uint32((mix ^ np.uint32(rest)) * np.uint32(0x01000193))
                for c in range(n - 1, -1, -1):
                    grid[r, c] = rest % LETTERS
                    rest //= LETTERS
                for c in range(n):
                    column[c] += grid[r, c] * weight[r]
            column_total = 0
            for c in range(n):
                column_total += table[column[c]]
            for i in range(n):
                # The opposite of a line's first slide is illegal: 1 was left or up, 2 right or down.
                row_slid, column_slid = state >> np.uint32(2 * i) & 3, state >> np.uint32(2 * (n + i)) & 3
                out[4 * i : 4 * i + 4] = 0
                if row_slid != 2:
                    value = row_total + slid_value_to_beginning(table, row[i], column, grid[i], weight[i], q)
                    out[4 * i] = 1 + NOISE_LEVELS * value + _noise(salt, mix, 4 * i)
                if row_slid != 1:
                    value = row_total + slid_value_to_end(table, row[i], column, grid[i], weight[i], q)
                    out[4 * i + 1] = 1 + NOISE_LEVELS * value + _noise(salt, mix, 4 * i + 1)
                if column_slid != 2:
                    value = column_total + slid_value_to_beginning(table, column[i], row, grid[:, i], weight[i], q)
                    out[4 * i + 2] = 1 + NOISE_LEVELS * value + _noise(salt, mix, 4 * i + 2)
                if column_slid != 1:
                    value = column_total + slid_value_to_end(table, column[i], row, grid[:, i], weight[i], q)
                    out[4 * i + 3] = 1 + NOISE_LEVELS * value + _noise(salt, mix, 4 * i + 3)

    @compiled
    def finish_n(first, last, states, table, queue, moves, best):
        # Depth first: column k of `line` is the state after k slides, row k of `keys` has its children's keys.
        line = np.empty((n + 1, MOST_ENDINGS + 1), np.uint32)
        keys = np.zeros((MOST_ENDINGS, 4 * n), np.uint16)
        total = np.zeros(1, np.int32)
        parent = np.zeros(1, np.int32)
        made = np.zeros(MOST_ENDINGS, np.uint16)
        for j in range(first, last):
            line[:, 0] = states[:, j]
            totals_n(0, 1, line, table, total)
            best_word = np.uint64(total[0]) << np.uint64(32) | np.uint64(0xFFFFFFFF)
            depth, move, sequence = (0, 0, 0) if moves > 0 else (-1, 0, 0)
            expand_n(0, 1, line, 0, table, queue, moves + (line[n, 0] >> SLIDES_BIT), 0, keys[0])
            while depth >= 0:
                while move < 4 * n and keys[depth, move] == 0:
                    move += 1
                if move == 4 * n:
                    depth -= 1
                    if depth >= 0:
                        move = made[depth]
                        sequence -= (move + 1) << 5 * (moves - 1 - depth)
                        move += 1
                    continue
                tried = sequence + ((move + 1) << 5 * (moves - 1 - depth))
                value = np.uint64((keys[depth, move] - 1) // NOISE_LEVELS)
                best_word = max(best_word, value << np.uint64(32) | np.uint64(0xFFFFFFFF - tried))
                if depth == moves - 1:
                    move += 1
                    continue
                made[depth] = move
                sequence = tried
                parent[0] = depth
                slide_n(0, 1, line, queue, parent, made[depth:], line[:, depth + 1 :])
                depth += 1
                expand_n(0, 1, line, depth, table, queue, 255, 0, keys[depth])
                move = 0
            best[j] = best_word

    return totals_n, slide_n, expand_n, finish_n


_totals3, _slide3, _expand3, _finish3 = _kernels_for(3)
_totals4, _slide4, _expand4, _finish4 = _kernels_for(4)
_totals5, _slide5, _expand5, _finish5 = _kernels_for(5)
_totals6, _slide6, _expand6, _finish6 = _kernels_for(6)
