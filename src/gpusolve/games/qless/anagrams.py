"""A dictionary as the kernels read it: words with the same letters, anagrams of one another, are one class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.errors import BadInput
from gpusolve.games.qless._shapes import LETTERS
from gpusolve.runs.seeds import GOLDEN, mix

WIDTH = 16
"""Letters of a row of `Anagrams.letters`."""
NO_LETTER = 255
NO_CLASS = -1
SIEVE_BITS = 20
MOST_WORDS = 1 << 18
"""The words of a dictionary that are neither too short nor too long for a roll, at most."""
WEIGHTS = np.array([mix(GOLDEN * (letter + 1) & 2**64 - 1) for letter in range(26)], np.uint64)
"""A random number for each letter: the key of a class is the sum over its letters, modulo 2^64."""


@dataclass(frozen=True, eq=False)
class Anagrams:
    """The words of `min_length` to 14 letters, class by class.

    `letters` (uint8, (words, 16)): the letters of each word, 0 to 25, NO_LETTER behind them. Class c has the words
    ``class_from[c]`` to ``class_from[c + 1]`` (int32). `table_keys` (uint64) and `table_classes` (int32): a hash table,
    a power of two long and at most a quarter full, that finds the class of a key: it lies at the key's highest bits or
    at the next places, NO_CLASS being free.

    It is an iterable of its words, and so may stand wherever words may.
    """

    words: list[str]
    min_length: int
    letters: npt.NDArray[np.uint8]
    class_from: npt.NDArray[np.int32]
    sieve: npt.NDArray[np.uint64]
    table_keys: npt.NDArray[np.uint64]
    table_classes: npt.NDArray[np.int32]

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __repr__(self) -> str:
        return f"<Anagrams: {len(self.words):,} words, {len(self.class_from) - 1:,} collections of letters>"


def anagrams(dictionary: Iterable[str], min_length: int = 3) -> Anagrams:
    """The classes of those words that have `min_length` to 14 letters; words of a-z, none of them twice.

    Raises BadInput where there is no such word, or more than MOST_WORDS.

    >>> anagrams(["tea", "ate", "eat", "tee"])
    <Anagrams: 4 words, 2 collections of letters>
    """
    words = [word for word in dictionary if min_length <= len(word) <= LETTERS[1]]
    if not words:
        raise BadInput(f"the dictionary has no word of {min_length} to {LETTERS[1]} letters: expected at least one")
    if len(words) > MOST_WORDS:
        raise BadInput(f"the dictionary has {len(words):,} such words: expected at most {MOST_WORDS:,}")
    letters = np.array(words, f"S{WIDTH}").view(np.uint8).reshape(-1, WIDTH) - np.uint8(ord("a"))
    letters[letters > 25] = NO_LETTER
    ordered = np.ascontiguousarray(np.sort(letters, axis=1)).view(">u8").astype(np.uint64)
    order = np.lexsort((ordered[:, 1], ordered[:, 0]))
    letters, ordered = np.ascontiguousarray(letters[order]), ordered[order]
    begins = np.flatnonzero(np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1)))
    keys = np.append(WEIGHTS, np.zeros(230, np.uint64))[letters[begins]].sum(axis=1, dtype=np.uint64)
    top = keys >> np.uint64(64 - SIEVE_BITS)
    sieve = np.zeros(1 << SIEVE_BITS - 6, np.uint64)
    np.bitwise_or.at(sieve, (top >> np.uint64(6)).astype(np.int64), np.uint64(1) << (top & np.uint64(63)))
    size = 1 << max(10, (4 * len(begins) - 1).bit_length())
    table_keys, table_classes = np.zeros(size, np.uint64), np.full(size, NO_CLASS, np.int32)
    _put(keys, table_keys, table_classes)
    class_from = np.append(begins, len(words)).astype(np.int32)
    return Anagrams(
        [words[i] for i in order.tolist()], min_length, letters, class_from, sieve, table_keys, table_classes
    )


@compiled
def _put(keys: npt.NDArray[np.uint64], table_keys: npt.NDArray[np.uint64], table: npt.NDArray[np.int32]) -> None:
    """Fills the hash table; the highest bits of a key, as many as the table has, say where to look first."""
    bits = 0
    while 1 << bits < len(table):
        bits += 1
    for number in range(len(keys)):
        place = np.int64(keys[number] >> np.uint64(64 - bits))
        while table[place] != NO_CLASS:
            place = (place + 1) & (len(table) - 1)
        table_keys[place], table[place] = keys[number], number
