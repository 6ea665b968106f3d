"""Shapes filled with the words of a roll.

A GPU tests 32 words at once, one in each lane. Here the words that fit a slot are the intersection of rows of bits,
with one bit for each word of the roll: the words that the available letters spell, and the words that have a crossed
letter at its position.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.bits import trailing_zeros
from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.qless.cpu.letters import ALPHABET, NO_CLASS, NO_LETTER, WIDTH, units_of

MOST_STEPS = 9
SYMMETRIC = 1 << 16

_0, _1, _6, _63 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)


@compiled
def fill(
    first, last, items, parts, by_word, by_step, rolls, pivots, classes, subsets, words, values, room, spans,
    class_from, letters, dictionary, steps_from, nodes, steps, targets, n_steps, ends_from, ends, places,
    paths_from, n_ends, shape_of, cell_of, transposed, cares, paths, n, no_repeats, must, most, keep, found,
    shapes, fills, turns,
):  # fmt: skip
    """Find the crosswords of each item, a piece of a share of a roll: their number, and the first `keep` of them."""
    widest, pieces = 0, by_word * by_step
    for item in range(first, last):
        widest = max(widest, _blocks(spans[items[item] // pieces // parts]))
    fitting, at = np.empty((subsets, widest), np.uint64), np.empty((WIDTH * WIDTH * ALPHABET, widest), np.uint64)
    at_most, pivotal = np.empty((WIDTH * WIDTH, widest), np.uint64), np.empty(widest, np.uint64)
    known = np.empty(subsets, np.bool_)  # whether the row of this collection in `fitting` is filled in
    part = np.empty(subsets, np.int8)  # whether a word has all letters of the collection: 1, 0, or -1 for not known
    kinds, shifts, masks = np.empty(WIDTH, np.int64), np.empty(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    n_kinds = 0
    units, cells, chosen = np.empty(ALPHABET, np.uint64), np.empty(WIDTH, np.uint8), np.empty(MOST_STEPS, np.int64)
    node, going = np.empty(MOST_STEPS, np.int64), np.empty(MOST_STEPS, np.int64)
    block, filled = np.empty(MOST_STEPS, np.int64), np.empty(MOST_STEPS, np.int64)
    left, hand, hits = np.empty(MOST_STEPS, np.uint64), np.empty(MOST_STEPS, np.uint64), np.empty(MOST_STEPS, np.uint64)
    row, other = np.empty(WIDTH, np.uint8), np.empty(WIDTH, np.uint8)
    full, ready = _0, -1
    for item in range(first, last):
        roll, share, piece = items[item] // pieces // parts, items[item] // pieces % parts, items[item] % pieces
        word_turn, step_turn = piece // by_step, piece % by_step
        span, pivot, list_of, value_of = spans[roll], pivots[roll], words[roll], values[roll]
        if roll != ready:
            ready = roll
            n_kinds = units_of(rolls[roll], units, kinds, shifts, masks)
            known[:], part[:] = False, -1
            full = _0
            for letter in range(ALPHABET):
                full += units[letter] * np.uint64(rolls[roll, letter])
            _rows_of_bits(n_kinds, shifts, masks, kinds, list_of, value_of, span, letters, pivot, at, at_most, pivotal)
        begin, count, ordinal = item * keep, 0, -1
        second, seconds, turn, next_turn = 0, 0, 0, 0
        for k in range(span[WIDTH]):
            length = 0
            root = list_of[k]
            while letters[root, length] != NO_LETTER:
                cells[length] = letters[root, length]
                length += 1
            if not pivotal[k // 64] >> np.uint64(k % 64) & _1:
                continue
            ordinal += 1
            own = ordinal % parts == share and ordinal // parts % pieces == piece
            turn = next_turn
            next_turn += 1
            if length == n:
                if own and (must < 0 or must == root):
                    path = paths_from[ends_from[0]]
                    if count < keep:
                        shapes[begin + count], turns[begin + count] = shape_of[path], turn
                        fills[begin + count] = cells[:n]
                    count += 1
                continue
            depth = 0
            node[0] = -1
            for j in range(steps_from[0], steps_from[1]):
                if np.int64(steps[j] >> np.uint64(51)) == length:
                    node[0] = targets[j]
            if node[0] < 0:
                continue
            chosen[0], filled[0], left[0] = root, length, full - value_of[k]
            arrived = True
            while depth >= 0 and count < most:
                here = node[depth]
                if arrived:
                    if depth == 1:
                        own = by_step == 1 or second // by_word % by_step == step_turn
                    for e in range(ends_from[here] if depth > 1 or own else ends_from[here + 1], ends_from[here + 1]):
                        end = ends[e]
                        crossings = np.int64(end >> np.uint64(44)) & 7
                        hold = left[depth]
                        for j in range(crossings):
                            hold += units[cells[(end >> np.uint64(40 - 4 * j)) & np.uint64(15)]]
                        number = classes[roll, np.int64(hold >> np.uint64(32))]
                        if number == NO_CLASS:
                            continue
                        for last_word in range(class_from[number], class_from[number + 1]):
                            fits = _places(letters[last_word], end, crossings, cells, places[e])
                            if not fits or not _keeps_options(chosen, depth, last_word, no_repeats, must):
                                continue
                            while fits:
                                place = trailing_zeros(np.uint64(fits))
                                fits &= fits - 1
                                path = paths_from[e] + _rank(places[e], place)
                                _place_last_word(letters[last_word], end, crossings, place, filled[depth], cells)
                                care = cares[path]
                                if care and not _counts_once(
                                    care, cells, n, pivot, length, cell_of[path], transposed[path], row, other
                                ):
                                    continue
                                if count < keep:
                                    shapes[begin + count] = shape_of[path]
                                    turns[begin + count] = turn + (
                                        1 + going[1] - steps_from[node[1]] if depth > 1 else 0
                                    )
                                    for c in range(n):
                                        fills[begin + count, cell_of[path, c]] = cells[c]
                                count += 1
                    going[depth], block[depth], hits[depth] = steps_from[here] - 1, 0, _0
                # Find the next word that fits one of the steps.
                arrived = False
                step = going[depth]
                while True:
                    if hits[depth]:
                        bit = trailing_zeros(hits[depth])
                        hits[depth] &= hits[depth] - _1
                        taken = np.int64(steps[step] >> np.uint64(51))
                        k_word = 64 * block[depth] + bit
                        after = hand[depth] - value_of[k_word]
                        target = targets[step]
                        if depth == 0:
                            second, turn = seconds, next_turn
                            seconds += 1
                            next_turn += 1 + steps_from[target + 1] - steps_from[target]
                            if second % by_word != word_turn:
                                continue
                        # If only ends follow, the last word has to use all letters that are left.
                        if steps_from[target] == steps_from[target + 1]:
                            subset = np.int64(after >> np.uint64(32))
                            if part[subset] < 0:
                                part[subset] = _in_some_word(after, n_kinds, shifts, masks, at_most, _blocks(span))
                            if not part[subset]:
                                continue
                        word = list_of[k_word]
                        chosen[depth + 1], left[depth + 1], node[depth + 1] = word, after, target
                        filled[depth + 1] = _place_word(letters[word], steps[step], taken, filled[depth], cells)
                        arrived = True
                        break
                    block[depth] += 1
                    if step < steps_from[here] or 64 * block[depth] >= span[1 + np.int64(steps[step] >> np.uint64(51))]:
                        step += 1
                        if depth == 0:
                            while step < steps_from[here + 1] and (ordinal + step - steps_from[here]) % parts != share:
                                step += 1
                        elif depth == 1 and by_step > 1:
                            while (
                                step < steps_from[here + 1]
                                and (second // by_word + 1 + step - steps_from[here]) % by_step != step_turn
                            ):
                                step += 1
                        if step >= steps_from[here + 1]:
                            break
                        hold = left[depth]
                        for j in range(np.int64(steps[step] >> np.uint64(48)) & 7):
                            hold += units[cells[(steps[step] >> np.uint64(44 - 4 * j)) & np.uint64(15)]]
                        hand[depth] = hold
                        subset = np.int64(hold >> np.uint64(32))
                        if not known[subset]:
                            known[subset] = True
                            _spelled_by(hold, n_kinds, shifts, masks, at_most, fitting[subset])
                        block[depth] = span[np.int64(steps[step] >> np.uint64(51))] // 64 - 1
                        continue
                    taken = np.int64(steps[step] >> np.uint64(51))
                    b = block[depth]
                    bits = fitting[np.int64(hand[depth] >> np.uint64(32)), b]
                    if taken > length:
                        bits &= ~pivotal[b]
                    crossings = np.int64(steps[step] >> np.uint64(48)) & 7
                    if crossings == 0:
                        bits &= at[(WIDTH * taken + taken) * ALPHABET, b]
                    for j in range(crossings):
                        shift = np.uint64(44 - 4 * j)
                        crossed = np.int64(cells[(steps[step] >> shift) & np.uint64(15)])
                        place = np.int64(steps[step] & np.uint64(15))
                        if j:
                            place += np.int64(steps[step] >> (shift - np.uint64(20)) & np.uint64(15))
                        bits &= at[(WIDTH * taken + place) * ALPHABET + crossed, b]
                    hits[depth] = bits
                going[depth] = step
                depth += 1 if arrived else -1
        found[item] = min(count, most)


@inlined
def _blocks(span):
    """Return the number of blocks of 64 words of a roll."""
    return (span[WIDTH] + 63) // 64


@compiled
def _rows_of_bits(n, shifts, masks, kinds, words, values, span, letters, pivot, at, at_most, pivotal):
    """Fill in the rows of bits, with one bit for each word of the roll.

    ``at[length, position, letter]``: the words of this length with the letter at this position; ``at[length, length,
    0]``: all words of this length; ``at_most[d, i]``: the words with at most i of the roll's letter d; ``pivotal``: the
    words with the pivot.
    """
    blocks = _blocks(span)
    at_most[: WIDTH * n] = _0
    pivotal[:] = _0
    for length in range(WIDTH):
        at[WIDTH * length * ALPHABET : (WIDTH * length + length + 1) * ALPHABET] = _0
        for k in range(span[length], span[length + 1]):
            b, bit, word = k // 64, _1 << np.uint64(k % 64), letters[words[k]]
            at[(WIDTH * length + length) * ALPHABET, b] |= bit
            for place in range(length):
                at[(WIDTH * length + place) * ALPHABET + np.int64(word[place]), b] |= bit
            for d in range(n):
                at_most[WIDTH * d + np.int64(values[k] >> shifts[d] & masks[d]), b] |= bit
    for d in range(n):
        for i in range(np.int64(masks[d])):
            for b in range(blocks):
                at_most[WIDTH * d + i + 1, b] |= at_most[WIDTH * d + i, b]
        if kinds[d] == pivot:
            for b in range(blocks):
                pivotal[b] = ~at_most[WIDTH * d, b]


@inlined
def _spelled_by(hand, n, shifts, masks, at_most, row):
    """Fill in the row of the words that can be spelled with a collection of letters."""
    row[:] = ~_0
    for d in range(n):
        most = at_most[WIDTH * d + np.int64(hand >> shifts[d] & masks[d])]
        for b in range(len(row)):
            row[b] &= most[b]


@inlined
def _in_some_word(hand, n, shifts, masks, at_most, blocks):
    """Return whether at least one word has all letters of a collection."""
    for b in range(blocks):
        having = ~_0
        for d in range(n):
            count = np.int64(hand >> shifts[d] & masks[d])
            if count:
                having &= ~at_most[WIDTH * d + count - 1, b]
        if having:
            return True
    return False


@inlined
def _places(word, end, crossings, cells, places):
    """Return the positions of the first crossing, as bits, at which the word has all crossed letters."""
    for j in range(crossings):
        shift = np.uint64(40 - 4 * j)
        letter = cells[(end >> shift) & np.uint64(15)]
        behind = np.int64(end >> (shift - np.uint64(20)) & np.uint64(15)) if j else 0
        having = 0
        for place in range(behind, WIDTH):
            having |= (word[place] == letter) << (place - behind)
        places &= having
    return np.int64(places)


@inlined
def _rank(places, place):
    """Return how many of the positions come before this one."""
    rank = 0
    for i in range(place):
        rank += places >> i & 1
    return rank


@inlined
def _keeps_options(chosen, depth, last_word, no_repeats, must):
    """Return whether the words include `must` and, if asked for, do not repeat."""
    asked = must < 0 or must == last_word
    for i in range(depth + 1):
        asked |= chosen[i] == must
        if no_repeats:
            for j in range(i):
                if chosen[i] == chosen[j]:
                    return False
            if chosen[i] == last_word:
                return False
    return asked


@inlined
def _place_word(word, step, length, filled, cells):
    """Append a word's new letters to the cells, and return the number of cells that are filled then."""
    crossed = np.int64(0)
    place = np.int64(step & np.uint64(15))
    for j in range(np.int64(step >> np.uint64(48)) & 7):
        behind = np.int64(step >> np.uint64(24 - 4 * j) & np.uint64(15)) if j else np.int64(0)
        crossed |= np.int64(1) << (place + behind)
    for i in range(length):
        if not crossed >> i & 1:
            cells[filled] = word[i]
            filled += 1
    return filled


@inlined
def _place_last_word(word, end, crossings, place, filled, cells):
    """Append the new letters of a path's last word to the cells."""
    crossed = 0
    for j in range(crossings):
        behind = np.int64(end >> np.uint64(20 - 4 * j) & np.uint64(15)) if j else 0
        crossed |= 1 << (place + behind)
    i = 0
    while word[i] != NO_LETTER:
        if not crossed >> i & 1:
            cells[filled] = word[i]
            filled += 1
        i += 1


@inlined
def _counts_once(care, cells, n, pivot, length, cell_of, transposed, row, other):
    """Return whether a filled path is the one that counts among all paths that give the same solution.

    No slot that precedes the root has the pivot. If the shape is symmetric and the transpose would be found too, the
    fill is not greater than its transpose.
    """
    for c in range(n):
        if care >> c & 1 and cells[c] == pivot:
            return False
    if care & SYMMETRIC:
        for c in range(n):
            row[cell_of[c]], other[transposed[c]] = cells[c], cells[c]
        mirrored = False
        for c in range(length):
            mirrored |= other[cell_of[c]] == pivot
        if mirrored:
            for i in range(n):
                if row[i] != other[i]:
                    return row[i] < other[i]
    return True
