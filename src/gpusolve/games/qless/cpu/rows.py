"""The words of a roll as rows of bits, with one bit for each word."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpusolve.backend.compiled import borrowing, compiled
from gpusolve.games.qless.cpu.letters import ALPHABET, WIDTH, units_of

_0, _1 = np.uint64(0), np.uint64(1)


class Roll(NamedTuple):
    """A roll and its words, as in `gpusolve.games.qless.kernels.RollBatch`."""

    pivot: int
    different: int
    """Number of different letters."""
    all: Any
    """The collection of all letters."""
    classes: Any
    words: Any
    values: Any
    span: Any


class Rows(NamedTuple):
    """Rows of bits, and what they are made from."""

    at: Any
    """Row `place_row`: the words of a length that have a letter at a position, or all words of a length."""
    at_most: Any
    """Row ``WIDTH * d + i``: the words with at most i of the roll's different letter d."""
    pivotal: Any
    """The words with the pivot."""
    spelled: Any
    """Row c: the words that collection c spells, if `is_known`."""
    is_known: Any
    in_some_word: Any
    """Whether a word has all letters of a collection: 1, 0, or -1 for not known."""
    units: Any
    kinds: Any
    shifts: Any
    masks: Any


@compiled
def rows_for(subsets, words):
    """Return rows for rolls with these numbers of collections and words."""
    blocks = (words + 63) // 64
    return Rows(
        np.empty((WIDTH * WIDTH * ALPHABET, blocks), np.uint64),
        np.empty((WIDTH * WIDTH, blocks), np.uint64),
        np.empty(blocks, np.uint64),
        np.empty((subsets, blocks), np.uint64),
        np.empty(subsets, np.bool_),
        np.empty(subsets, np.int8),
        np.empty(ALPHABET, np.uint64),
        np.empty(WIDTH, np.int64),
        np.empty(WIDTH, np.uint64),
        np.empty(WIDTH, np.uint64),
    )


@borrowing
def place_row(length, place, letter):
    """Return the row of the words of a length with a letter at a position; (length, length, 0) is for all of them."""
    return (WIDTH * length + place) * ALPHABET + letter


@borrowing
def blocks_of(span):
    """Return the number of blocks of 64 words of a roll."""
    return (span[WIDTH] + 63) // 64


@compiled
def fill_rows(counts, pivot, words, values, span, letters, rows):
    """Fill in the rows for a roll; return its number of different letters and the collection of all its letters."""
    n = units_of(counts, rows.units, rows.kinds, rows.shifts, rows.masks)
    at, at_most = rows.at, rows.at_most
    blocks, full = blocks_of(span), _0
    at_most[: WIDTH * n] = _0
    rows.pivotal[:] = _0
    rows.is_known[:], rows.in_some_word[:] = False, -1
    for length in range(WIDTH):
        at[place_row(length, 0, 0) : place_row(length, length + 1, 0)] = _0
        for k in range(span[length], span[length + 1]):
            b, bit, word = k // 64, _1 << np.uint64(k % 64), letters[words[k]]
            at[place_row(length, length, 0), b] |= bit
            for place in range(length):
                at[place_row(length, place, np.int64(word[place])), b] |= bit
            for d in range(n):
                at_most[WIDTH * d + count_of(values[k], d, rows), b] |= bit
    for d in range(n):
        full += rows.units[rows.kinds[d]] * np.uint64(counts[rows.kinds[d]])
        for i in range(np.int64(rows.masks[d])):
            for b in range(blocks):
                at_most[WIDTH * d + i + 1, b] |= at_most[WIDTH * d + i, b]
        if rows.kinds[d] == pivot:
            for b in range(blocks):
                rows.pivotal[b] = ~at_most[WIDTH * d, b]
    return n, full


@borrowing
def count_of(collection, d, rows):
    """Return how often a collection has the roll's different letter d."""
    return np.int64(collection >> rows.shifts[d] & rows.masks[d])


@borrowing
def number_of(collection):
    """Return the number of a collection."""
    return np.int64(collection >> np.uint64(32))


@borrowing
def find_spelled(collection, roll, rows):
    """Fill in the row of the words that a collection of letters spells, unless it is known."""
    number = number_of(collection)
    if rows.is_known[number]:
        return
    rows.is_known[number] = True
    row = rows.spelled[number]
    row[:] = ~_0
    for d in range(roll.different):
        most = rows.at_most[WIDTH * d + count_of(collection, d, rows)]
        for b in range(len(row)):
            row[b] &= most[b]


@borrowing
def is_in_some_word(collection, roll, rows):
    """Return whether at least one word has all letters of a collection."""
    number = number_of(collection)
    if rows.in_some_word[number] < 0:
        rows.in_some_word[number] = _in_some_word(collection, roll, rows)
    return rows.in_some_word[number] == 1


@borrowing
def _in_some_word(collection, roll, rows):
    for b in range(blocks_of(roll.span)):
        having = ~_0
        for d in range(roll.different):
            count = count_of(collection, d, rows)
            if count:
                having &= ~rows.at_most[WIDTH * d + count - 1, b]
        if having:
            return True
    return False
