"""What a guess must contain in hard mode, as bits.

A word is a set of facts: the letter at each position, and the letters that it has at least once, twice and so on. A
guess reveals the facts that it shares with the answer, and every later guess must contain them, too. This includes
everything revealed earlier, which both the guess and the answer contain. So the last guess and any one of the remaining
answers determine which guesses are legal; the rest of the history is not needed. In ultra-hard mode, a guess must share
these facts with the last guess and no others, because they determine the pattern.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.games.wordle.cpu.proof.needs import Needs
from gpusolve.games.wordle.kernels import Letters
from gpusolve.games.wordle.rules import LETTERS, Scoring

_ALPHABET, _BITS = 26, 64


def needs_of(words: Letters, scoring: Scoring = "wordle") -> Needs:
    """Return the facts that each word contains, as bits: uint64 (words, columns), at least LETTERS columns.

    Column i has a bit for the letter at position i, and a bit for each letter that the word has at least i + 1 times.
    If the words have more than 32 different letters, the latter bits are in columns of their own, after the others.
    With the scoring ``presence``, yellows do not reveal how often a letter occurs.

    >>> from gpusolve.games.wordle.wordlist import word_list
    >>> eerie, there = needs_of(word_list(["eerie", "there"]).letters)
    >>> [int(bits).bit_count() for bits in eerie & there]  # r and e; e twice; e at the end
    [2, 1, 0, 0, 1]
    """
    length, alphabet = words.shape[1], _ALPHABET
    if words.dtype != np.uint8:
        different, numbers = np.unique(words, return_inverse=True)
        words, alphabet = numbers.reshape(words.shape), len(different)
    apart = 2 * alphabet > _BITS
    facts = np.zeros((len(words), max(LETTERS, 2 * length if apart else length)), np.uint64)
    facts[:, :length] = np.uint64(1) << words.astype(np.uint64)
    first, shift = (length, 0) if apart else (0, alphabet)
    for letter in range(alphabet):
        count = (words == letter).sum(axis=1)
        for i in range(length if scoring == "wordle" else 1):
            facts[:, first + i] |= (count > i).astype(np.uint64) << np.uint64(shift + letter)
    return facts


def contain(words: Needs, need: Needs) -> npt.NDArray[np.bool_]:
    """Return which words, given by their facts, contain all that is needed."""
    contains: npt.NDArray[np.bool_] = (need & ~words == 0).all(axis=1)
    return contains
