"""Shapes filled with the words of a roll.

A GPU tests 32 words at once, one in each lane. Here the words that fit a slot are the intersection of rows of bits,
with one bit for each word of the roll: the words that the available letters spell, and the words that have a crossed
letter at its position (`rows`). Steps and ends are described in ``tree.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpusolve.backend.compiled import borrowing, compiled
from gpusolve.backend.intrinsics.bits import trailing_zeros
from gpusolve.games.qless.cpu.letters import NO_CLASS, NO_LETTER, WIDTH
from gpusolve.games.qless.cpu.rows import (
    Roll,
    fill_rows,
    find_spelled,
    is_in_some_word,
    number_of,
    place_row,
    rows_for,
)
from gpusolve.games.qless.cpu.tree import MOST_STEPS, SYMMETRIC

_0, _1, _15 = np.uint64(0), np.uint64(1), np.uint64(15)

LEVEL = np.dtype(
    [
        ("node", np.int64),
        ("chosen", np.int64),  # the word that led to the node
        ("filled", np.int64),  # how many cells are filled
        ("left", np.uint64),  # the letters that are left
        ("step", np.int64),  # the step whose words are being tried
        ("hand", np.uint64),  # the letters left, and those that the step crosses
        ("block", np.int64),  # the block of 64 words that is being tried
        ("hits", np.uint64),  # the words of the block that fit and have not been followed
    ]
)
"""The state of the search at a depth: a node of the tree, and what is tried there."""
PIECE = np.dtype(
    [
        ("share", np.int64),
        ("word", np.int64),
        ("step", np.int64),
        ("root", np.int64),  # the number of the root that is followed
        ("second", np.int64),  # the number of the second word that is followed
        ("seconds", np.int64),  # the number of second words so far
        ("turn", np.int64),  # that of the root or the second word that is followed
        ("turns", np.int64),  # the number of turns so far
    ]
)
"""The piece of an item, and how far its search is.

`share`, `word` and `step` say which roots, second words and steps of second words belong to it. Roots and second words
are counted in all pieces of a share alike. Each has a turn, and so has each step of a second word.
"""


class Tree(NamedTuple):
    """The tree of shapes, as `gpusolve.games.qless.tree.Tree`."""

    steps_from: Any
    steps: Any
    targets: Any
    ends_from: Any
    ends: Any
    places: Any
    paths_from: Any
    shape_of: Any
    cell_of: Any
    transposed: Any
    cares: Any


class Dictionary(NamedTuple):
    """The letters of the words, and their anagram classes."""

    letters: Any
    class_from: Any


class Division(NamedTuple):
    """How the search of a roll is divided."""

    parts: int
    by_word: int
    by_step: int


class Wanted(NamedTuple):
    """Which crosswords are wanted, and how many; `keep` of them are written."""

    n: int
    no_repeats: int
    must: int
    most: int
    keep: int


class Found(NamedTuple):
    """The crosswords of all items."""

    shapes: Any
    fills: Any
    turns: Any


class Search(NamedTuple):
    """What all functions of the search share."""

    tree: Any
    dictionary: Any
    division: Any
    wanted: Any
    found: Any
    piece: Any
    """Shape (1,), of PIECE."""
    levels: Any
    """The state at each depth, of LEVEL."""
    cells: Any
    """The letter in each cell of the path, for all depths: a word overwrites the cells after `filled`."""
    grids: Any
    """Room for a crossword and its transpose, shape (2, WIDTH)."""


@compiled
def fill(
    first, last, items, parts, by_word, by_step, rolls, pivots, classes, subsets, words, values, room, spans,
    class_from, letters, dictionary, steps_from, nodes, steps, targets, n_steps, ends_from, ends, places,
    paths_from, n_ends, shape_of, cell_of, transposed, cares, paths, n, no_repeats, must, most, keep, found,
    shapes, fills, turns,
):  # fmt: skip
    """Find the crosswords of each item, a piece of a share of a roll: their number, and the first `keep` of them."""
    tree = Tree(
        steps_from, steps, targets, ends_from, ends, places, paths_from, shape_of, cell_of, transposed, cares
    )  # fmt: skip
    search = Search(
        tree, Dictionary(letters, class_from), Division(parts, by_word, by_step),
        Wanted(n, no_repeats, must, most, keep), Found(shapes, fills, turns), np.zeros(1, PIECE),
        np.empty(MOST_STEPS, LEVEL), np.empty(WIDTH, np.uint8), np.empty((2, WIDTH), np.uint8),
    )  # fmt: skip
    pieces, widest = by_word * by_step, 0
    for item in range(first, last):
        widest = max(widest, spans[items[item] // pieces // parts, WIDTH])
    rows = rows_for(subsets, widest)
    ready, different, full = -1, 0, _0
    for item in range(first, last):
        whole, piece = items[item] // pieces, items[item] % pieces
        number = whole // parts
        if number != ready:
            ready = number
            different, full = fill_rows(
                rolls[number], pivots[number], words[number], values[number], spans[number], letters, rows
            )
        roll = Roll(pivots[number], different, full, classes[number], words[number], values[number], spans[number])
        mine = search.piece[0]
        mine.share, mine.word, mine.step = whole % parts, piece // by_step, piece % by_step
        found[item] = _crosswords(roll, rows, search, item * keep)


# --- steps, as tree.py describes them ---------------------------------------------------------------------------------


@borrowing
def _length(step):
    return np.int64(step >> np.uint64(51))


@borrowing
def _crossings(step):
    return np.int64(step >> np.uint64(48)) & 7


@borrowing
def _crossed(step, j):
    """Return the cell that a step crosses."""
    return step >> np.uint64(44 - 4 * j) & _15


@borrowing
def _behind(step, j):
    """Return the distance of a crossing from the first one."""
    return np.int64(step >> np.uint64(24 - 4 * j) & _15) if j else np.int64(0)


@borrowing
def _with_crossed(letters, step, cells, rows):
    """Return a collection of letters together with the letters in the cells that a step crosses."""
    for j in range(_crossings(step)):
        letters += rows.units[cells[_crossed(step, j)]]
    return letters


@borrowing
def _place_word(word, step, filled, cells):
    """Write a word's new letters into the cells, and return the number of cells that are filled then."""
    crossed, place = np.int64(0), np.int64(step & _15)
    for j in range(_crossings(step)):
        crossed |= np.int64(1) << (place + _behind(step, j))
    for i in range(_length(step)):
        if not crossed >> i & 1:
            cells[filled] = word[i]
            filled += 1
    return filled


# --- the search -------------------------------------------------------------------------------------------------------


@borrowing
def _crosswords(roll, rows, search, begin):
    """Find the crosswords of a piece, write the first ones from row `begin` on, and return their number."""
    tree, wanted, piece, levels = search.tree, search.wanted, search.piece[0], search.levels
    piece.root, piece.seconds, piece.turns, count = -1, 0, 0, 0
    for k in range(roll.span[WIDTH]):
        if not rows.pivotal[k // 64] >> np.uint64(k % 64) & _1:
            continue
        piece.root += 1
        piece.turn = piece.turns
        piece.turns += 1
        word = roll.words[k]
        length = _place_root(search.dictionary.letters[word], search.cells)
        if length == wanted.n:
            if _is_ours(0, search) and (wanted.must < 0 or wanted.must == word):
                if count < wanted.keep:
                    _write(tree.paths_from[tree.ends_from[0]], 0, begin + count, search)
                count += 1
            continue
        start = _start(length, tree)
        if start < 0:
            continue
        root = levels[0]
        root.node, root.chosen, root.filled, root.left = start, word, length, roll.all - roll.values[k]
        depth, arrived = 0, True
        while depth >= 0 and count < wanted.most:
            if arrived:
                if _is_ours(depth, search):
                    count = _last_words(count, depth, length, roll, rows, search, begin)
                levels[depth].step, levels[depth].hits = tree.steps_from[levels[depth].node] - 1, _0
            arrived = _next_word(depth, length, roll, rows, search)
            depth += 1 if arrived else -1
    return min(count, wanted.most)


@borrowing
def _place_root(word, cells):
    """Write a word into the first cells, and return its length."""
    length = 0
    while word[length] != NO_LETTER:
        cells[length] = word[length]
        length += 1
    return length


@borrowing
def _start(length, tree):
    """Return the node that roots of this length lead to, -1 if there is none."""
    for j in range(tree.steps_from[0], tree.steps_from[1]):
        if _length(tree.steps[j]) == length:
            return np.int64(tree.targets[j])
    return np.int64(-1)


@borrowing
def _is_ours(depth, search):
    """Return whether the last words that follow the node at a depth belong to the piece."""
    piece, by = search.piece[0], search.division
    if depth == 0:
        number = piece.word * by.by_step + piece.step
        return piece.root % by.parts == piece.share and piece.root // by.parts % (by.by_word * by.by_step) == number
    return depth > 1 or piece.second // by.by_word % by.by_step == piece.step


@borrowing
def _last_words(count, depth, length, roll, rows, search, begin):
    """Add the crosswords whose last word follows the node at a depth to `count`, and return it.

    The last word has all letters that are left. `length` is that of the root.
    """
    tree, wanted, level, cells = search.tree, search.wanted, search.levels[depth], search.cells
    letters, class_from = search.dictionary
    for e in range(tree.ends_from[level.node], tree.ends_from[level.node + 1]):
        step = tree.ends[e] << np.uint64(4)
        number = roll.classes[number_of(_with_crossed(level.left, step, cells, rows))]
        if number == NO_CLASS:
            continue
        for word in range(class_from[number], class_from[number + 1]):
            fits = _places(letters[word], step, cells, tree.places[e])
            if not fits or not _keeps_options(word, depth, search):
                continue
            while fits:
                place = trailing_zeros(np.uint64(fits))
                fits &= fits - 1
                path = tree.paths_from[e] + _rank(tree.places[e], place)
                _place_word(letters[word], step | np.uint64(place), level.filled, cells)
                if tree.cares[path] and not _counts_once(path, length, roll.pivot, search):
                    continue
                if count < wanted.keep:
                    _write(path, depth, begin + count, search)
                count += 1
    return count


@borrowing
def _places(word, step, cells, places):
    """Return the positions of the first crossing, as bits, at which the word has all crossed letters."""
    for j in range(_crossings(step)):
        letter, behind = cells[_crossed(step, j)], _behind(step, j)
        having = 0
        for place in range(behind, WIDTH):
            having |= (word[place] == letter) << (place - behind)
        places &= having
    return np.int64(places)


@borrowing
def _rank(places, place):
    """Return how many of the positions come before this one."""
    rank = 0
    for i in range(place):
        rank += places >> i & 1
    return rank


@borrowing
def _keeps_options(last_word, depth, search):
    """Return whether the words include the one that is asked for and, if asked for, do not repeat."""
    wanted, levels = search.wanted, search.levels
    asked = wanted.must < 0 or wanted.must == last_word
    for i in range(depth + 1):
        asked |= levels[i].chosen == wanted.must
        if wanted.no_repeats:
            for j in range(i):
                if levels[i].chosen == levels[j].chosen:
                    return False
            if levels[i].chosen == last_word:
                return False
    return asked


@borrowing
def _counts_once(path, length, pivot, search):
    """Return whether a filled path is the one that counts among all paths that give the same solution.

    No slot that precedes the root has the pivot. If the shape is symmetric and the transpose would be found too, the
    fill is not greater than its transpose.
    """
    care, cell_of, transposed = search.tree.cares[path], search.tree.cell_of[path], search.tree.transposed[path]
    cells, here, there, n = search.cells, search.grids[0], search.grids[1], search.wanted.n
    for c in range(n):
        if care >> c & 1 and cells[c] == pivot:
            return False
    if care & SYMMETRIC:
        for c in range(n):
            here[cell_of[c]], there[transposed[c]] = cells[c], cells[c]
        mirrored = False
        for c in range(length):
            mirrored |= there[cell_of[c]] == pivot
        if mirrored:
            for i in range(n):
                if here[i] != there[i]:
                    return here[i] < there[i]
    return True


@borrowing
def _write(path, depth, at, search):
    """Write the crossword of a filled path into row `at`."""
    tree, out, second = search.tree, search.found, search.levels[1]
    step = 1 + second.step - tree.steps_from[second.node] if depth > 1 else 0
    out.shapes[at], out.turns[at] = tree.shape_of[path], search.piece[0].turn + step
    for c in range(search.wanted.n):
        out.fills[at, tree.cell_of[path, c]] = search.cells[c]


@borrowing
def _next_word(depth, length, roll, rows, search):
    """Follow the next word that fits one of the steps of the node at a depth; return whether there is one."""
    tree, cells, level, deeper = search.tree, search.cells, search.levels[depth], search.levels[depth + 1]
    while True:
        while not level.hits:
            level.block += 1
            if level.step < tree.steps_from[level.node] or _is_past_words(level.block, tree.steps[level.step], roll):
                level.step = _next_step(depth, search)
                if level.step >= tree.steps_from[level.node + 1]:
                    return False
                level.hand = _with_crossed(level.left, tree.steps[level.step], cells, rows)
                find_spelled(level.hand, roll, rows)
                level.block = roll.span[_length(tree.steps[level.step])] // 64 - 1
            else:
                level.hits = _fitting(level, length, tree.steps[level.step], cells, rows)
        k = 64 * level.block + trailing_zeros(level.hits)
        level.hits &= level.hits - _1
        target = tree.targets[level.step]
        if depth == 0 and not _is_our_second(target, search):
            continue
        left = level.hand - roll.values[k]
        if tree.steps_from[target] == tree.steps_from[target + 1] and not is_in_some_word(left, roll, rows):
            continue  # only ends follow, and no last word can use all letters that are left
        word = roll.words[k]
        deeper.node, deeper.chosen, deeper.left = target, word, left
        deeper.filled = _place_word(search.dictionary.letters[word], tree.steps[level.step], level.filled, cells)
        return True


@borrowing
def _is_past_words(block, step, roll):
    """Return whether a block is behind all words of the step's length."""
    return 64 * block >= roll.span[1 + _length(step)]


@borrowing
def _next_step(depth, search):
    """Return the next step of the node at a depth that belongs to the piece; it may be behind the node's last one."""
    piece, by, level = search.piece[0], search.division, search.levels[depth]
    first, last = search.tree.steps_from[level.node], search.tree.steps_from[level.node + 1]
    step = level.step + 1
    if depth == 0:
        while step < last and (piece.root + step - first) % by.parts != piece.share:
            step += 1
    elif depth == 1 and by.by_step > 1:
        while step < last and (piece.second // by.by_word + 1 + step - first) % by.by_step != piece.step:
            step += 1
    return step


@borrowing
def _fitting(level, length, step, cells, rows):
    """Return the words of the current block that fit a step, as bits. `length` is that of the root."""
    b, taken = level.block, _length(step)
    bits = rows.spelled[number_of(level.hand), b]
    if taken > length:
        bits &= ~rows.pivotal[b]
    if _crossings(step) == 0:
        bits &= rows.at[place_row(taken, taken, 0), b]
    for j in range(_crossings(step)):
        place = np.int64(step & _15) + _behind(step, j)
        bits &= rows.at[place_row(taken, place, np.int64(cells[_crossed(step, j)])), b]
    return bits


@borrowing
def _is_our_second(target, search):
    """Count a second word, which leads to node `target`, and return whether it belongs to the piece."""
    piece, steps_from = search.piece[0], search.tree.steps_from
    piece.second, piece.turn = piece.seconds, piece.turns
    piece.seconds += 1
    piece.turns += 1 + steps_from[target + 1] - steps_from[target]
    return piece.second % search.division.by_word == piece.word
