"""The words that the letters of each roll can spell."""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.backend.intrinsics.bits import trailing_zeros
from gpusolve.games.qless.cpu.letters import ALPHABET, NO_CLASS, NO_LETTER, WIDTH, units_of

_0, _1, _6, _63 = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)


@compiled
def candidates(
    first, last, rolls, weights, sieve, sieve_words, keys, table, slots, class_from, letters, dictionary, subsets,
    classes, pivots, sizes,
):  # fmt: skip
    """Find the anagram class that each collection of a roll's letters spells, and the pivot letter."""
    bits = trailing_zeros(np.uint64(slots))
    shift, mask = np.uint64(64 - bits), slots - 1
    sieve_shift = np.uint64(58 - trailing_zeros(np.uint64(sieve_words)))
    kinds, most, having = np.empty(WIDTH, np.int64), np.empty(WIDTH, np.int64), np.empty(WIDTH, np.int64)
    digits = np.empty(WIDTH + 1, np.int64)
    for roll in range(first, last):
        n, total = 0, 1
        for letter in range(ALPHABET):
            if rolls[roll, letter]:
                kinds[n], most[n] = letter, rolls[roll, letter]
                total *= most[n] + 1
                n += 1
        class_of = classes[roll]
        class_of[:] = NO_CLASS
        having[:] = 0
        digits[:] = 0
        size, key = 0, _0
        for subset in range(1, total):  # the digits count up like an odometer, the first letter's digit fastest
            d = 0
            while digits[d] == most[d]:
                key -= weights[kinds[d]] * np.uint64(digits[d])
                digits[d] = 0
                d += 1
            digits[d] += 1
            key += weights[kinds[d]]
            bit = key >> sieve_shift
            if not sieve[np.int64(bit >> _6)] >> (bit & _63) & _1:
                continue
            place = np.int64(key >> shift)
            while table[place] != NO_CLASS:
                if keys[place] == key and _spells(letters[class_from[table[place]]], kinds, digits, n):
                    class_of[subset] = table[place]
                    count = class_from[table[place] + 1] - class_from[table[place]]
                    size += count
                    for d in range(n):
                        having[d] += count if digits[d] else 0
                    break
                place = (place + 1) & mask
        sizes[roll] = size
        pivot = 0
        for d in range(1, n):
            if having[d] < having[pivot]:
                pivot = d
        pivots[roll] = kinds[pivot]


@inlined
def _spells(word, kinds, digits, n):
    """Return whether a word has exactly these letters, since two collections can have the same key."""
    length = 0
    while word[length] != NO_LETTER:
        length += 1
    total = 0
    for d in range(n):
        count = 0
        for place in range(length):
            count += word[place] == kinds[d]
        if count != digits[d]:
            return False
        total += count
    return total == length


@compiled
def gather(first, last, rolls, classes, subsets, class_from, letters, dictionary, room, words, values, spans):
    """List the words of each roll by length, with their letters as collections."""
    units, kinds = np.empty(ALPHABET, np.uint64), np.empty(WIDTH, np.int64)
    shifts, masks = np.empty(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    for roll in range(first, last):
        units_of(rolls[roll], units, kinds, shifts, masks)
        span = spans[roll]
        span[:] = 0
        words[roll], values[roll] = 0, _0
        for twice in range(2):  # first count the words of each length, then write them
            for subset in range(subsets):
                number = classes[roll, subset]
                if number == NO_CLASS:
                    continue
                word = class_from[number]
                length, value = 0, _0
                while letters[word, length] != NO_LETTER:
                    value += units[letters[word, length]]
                    length += 1
                if twice:
                    for word in range(class_from[number], class_from[number + 1]):
                        words[roll, span[length]], values[roll, span[length]] = word, value
                        span[length] += 1
                else:
                    span[length + 1] += class_from[number + 1] - class_from[number]
            if not twice:
                for length in range(WIDTH):
                    span[length + 1] += span[length]
        for length in range(WIDTH, 0, -1):
            span[length] = span[length - 1]
        span[0] = 0
