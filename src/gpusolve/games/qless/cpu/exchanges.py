"""Words of solutions exchanged for others: see ``measuring/exchanges.py``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpusolve.backend.compiled import borrowing, compiled
from gpusolve.games.qless.cpu.letters import WIDTH
from gpusolve.games.qless.cpu.shapes import ROW
from gpusolve.games.qless.cpu.tree import slots_of

NONE, MORE = 0, 255
"""What stands for no known solution, and for at least two; any other number is the fingerprint of the only one."""


class Tables(NamedTuple):
    """The rolls, the words and the shapes."""

    rolls: Any
    """The key of each roll, ascending."""
    buckets: Any
    """Where the rolls begin whose keys have these highest bits."""
    shift: Any
    """Number of the other bits of a key."""
    letters: Any
    keys: Any
    """What the letters of each word add to the key of a roll."""
    prints: Any
    """A random number for each word: the fingerprint of a solution is made from their sum."""
    having: Any
    """The words by length, position, and letter at this position (`_words_with`)."""
    having_from: Any
    cells: Any
    min_length: int
    no_repeats: bool


class Slots(NamedTuple):
    """The slots of a solution."""

    lengths: Any
    cells: Any
    """The cells of each slot, shape (slots, cells)."""
    words: Any
    crossed: Any
    """Number of slots that each cell is in."""


@compiled
def exchange_words(fingerprints, tables, numbers, shape, fill):
    """Note the solutions in `fingerprints`, and those with one word exchanged; see `KnownSolutions.add`."""
    n = tables.cells.shape[1]
    grid = np.empty((ROW + 2) * (ROW + 2), np.int64)
    slots = Slots(
        np.empty(2 * n, np.int64), np.empty((2 * n, n), np.int64), np.empty(2 * n, np.int64), np.empty(n, np.int64)
    )
    known = 0
    for i in range(len(numbers)):
        count = slots_of(tables.cells[shape[i]], tables.min_length, grid, slots.lengths, slots.cells)
        known += _exchange_in(fingerprints, tables, numbers[i], fill[i], slots, count)
    return known


@borrowing
def _exchange_in(fingerprints, tables, number, fill, slots, count):
    """Do the same for one solution with `count` slots."""
    total = _find_words(tables, fill, slots, count)
    known = _note(fingerprints, number, total)
    for slot in range(count):
        first = _first_crossing(slots, slot)
        if first == slots.lengths[slot]:
            continue
        word = slots.words[slot]
        rest = tables.rolls[number] - tables.keys[word]
        begin, end = _words_with(tables, slots.lengths[slot], first, fill[slots.cells[slot, first]])
        for j in range(begin, end):
            other = tables.having[j]
            if _fits(tables, fill, slots, count, slot, first, other):
                # A letter that occurs too often carries into the next field. The result is the key of no roll then,
                # because it represents fewer letters.
                roll = _roll_with(tables, rest + tables.keys[other])
                if roll >= 0:
                    known += _note(fingerprints, roll, total - tables.prints[word] + tables.prints[other])
    return known


@borrowing
def _words_with(tables, length, position, letter):
    """Return where the words of this length with this letter at this position begin and end in `having`."""
    place = (length * WIDTH + position) * 26 + letter
    return tables.having_from[place], tables.having_from[place + 1]


@borrowing
def _find_words(tables, fill, slots, count):
    """Fill in the words and the crossed cells of a solution, and return the sum of the words' `prints`."""
    slots.crossed[:] = 0
    total = np.uint64(0)
    for slot in range(count):
        length = slots.lengths[slot]
        slots.words[slot] = -1
        begin, end = _words_with(tables, length, 0, fill[slots.cells[slot, 0]])
        for j in range(begin, end):
            word, same = tables.having[j], True
            for k in range(length):
                same = same and tables.letters[word, k] == fill[slots.cells[slot, k]]
            if same:
                slots.words[slot] = word
                break
        total += tables.prints[slots.words[slot]]
        for k in range(length):
            slots.crossed[slots.cells[slot, k]] += 1
    return total


@borrowing
def _first_crossing(slots, slot):
    """Return the first position of a slot that another slot crosses; its length if there is none."""
    first = 0
    while first < slots.lengths[slot] and slots.crossed[slots.cells[slot, first]] < 2:
        first += 1
    return first


@borrowing
def _fits(tables, fill, slots, count, slot, first, word):
    """Return whether a word fits a slot, of which the first crossing has been compared."""
    for k in range(first + 1, slots.lengths[slot]):
        cell = slots.cells[slot, k]
        if slots.crossed[cell] > 1 and tables.letters[word, k] != fill[cell]:
            return False
    fits = True
    for other in range(count if tables.no_repeats else 0):
        fits = fits and (other == slot or slots.words[other] != word)
    return fits


@borrowing
def _roll_with(tables, key):
    """Return the number of the roll with a key, -1 if there is none."""
    bucket = key >> tables.shift
    if bucket >= len(tables.buckets) - 1:
        return np.int64(-1)
    low, end = np.int64(tables.buckets[bucket]), np.int64(tables.buckets[bucket + np.uint64(1)])
    high = end
    while low < high:
        middle = (low + high) // 2
        if tables.rolls[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < end and tables.rolls[low] == key else np.int64(-1)


@borrowing
def _note(fingerprints, number, total):
    """Note a solution of a roll, given the sum of its words' `prints`; return 1 if it is the second, else 0."""
    print_ = 1 + np.int64((total >> np.uint64(32)) % np.uint64(MORE - 1))
    if fingerprints[number] == NONE:
        fingerprints[number] = print_
    elif fingerprints[number] not in (print_, MORE):
        fingerprints[number] = MORE
        return 1
    return 0
