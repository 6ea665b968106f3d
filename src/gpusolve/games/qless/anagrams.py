"""A dictionary as the kernels read it: words that are anagrams of one another form one class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.games.qless.cpu.hashing import put_classes
from gpusolve.games.qless.cpu.letters import NO_CLASS, NO_LETTER, WIDTH
from gpusolve.games.qless.rules import MAX_LETTERS, MIN_LENGTH
from gpusolve.runs.seeds import GOLDEN, mix

SIEVE_BITS = 20
"""Binary logarithm of the number of bits in the sieve."""
MAX_WORDS = 1 << 18
"""Maximum number of words, not counting words that are too short or too long for a roll."""
WEIGHTS = np.array([mix(GOLDEN * (letter + 1) & 2**64 - 1) for letter in range(26)], np.uint64)
"""A random number for each letter: the key of a class is the sum of its letters' numbers, modulo 2^64."""


@dataclass(frozen=True, eq=False)
class Anagrams:
    """The words of `min_length` to 14 letters, class by class. Iterating yields the words.

    `words` is a list of the words. `letters` (uint8, (words, 16)): the letters of each word, 0 to 25, then NO_LETTER.
    Class c has the words ``class_from[c]`` to ``class_from[c + 1] - 1`` (int32). `sieve` (uint64) is a Bloom filter
    with one hash: bit k is set if some class has a key with k in its highest SIEVE_BITS bits. `table_keys` (uint64) and
    `table_classes` (int32) are a hash table with linear probing that maps a key to its class. Its length is a power of
    two, and at most a quarter of it is full. A key's highest bits are its first position. NO_CLASS marks a free one.
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
        return f"<Anagrams: {len(self.words):,} words, {len(self.class_from) - 1:,} classes>"


def anagrams(dictionary: Iterable[str], *, min_length: int = MIN_LENGTH) -> Anagrams:
    """Return the anagram classes of the words with `min_length` to 14 letters; the words are a-z and distinct.

    Raises BadInput if there is no such word, or if there are more than MAX_WORDS.

    >>> anagrams(["tea", "ate", "eat", "tee"])
    <Anagrams: 4 words, 2 classes>
    """
    words = [word for word in dictionary if min_length <= len(word) <= MAX_LETTERS]
    lengths = f"of {min_length} to {MAX_LETTERS} letters"
    if not words:
        raise BadInput(f"the dictionary has no word {lengths}: expected at least one")
    if len(words) > MAX_WORDS:
        raise BadInput(f"the dictionary has {len(words):,} words {lengths}: expected at most {MAX_WORDS:,}")
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
    put_classes(keys, table_keys, table_classes)
    class_from = np.append(begins, len(words)).astype(np.int32)
    return Anagrams(
        [words[i] for i in order.tolist()], min_length, letters, class_from, sieve, table_keys, table_classes
    )
