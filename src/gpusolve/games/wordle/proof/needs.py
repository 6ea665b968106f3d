"""What a guess must contain in hard mode, as bits.

A word is a set of facts: the letter at each position, and the letters that it has at least once, twice and so on. A
guess reveals the facts that it shares with the answer, and every later guess must contain them, too. This includes
everything revealed earlier, which both the guess and the answer contain. So the last guess and any one of the remaining
answers determine which guesses are legal; the rest of the history is not needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.wordle.kernels import Letters
from gpusolve.games.wordle.rules import LETTERS, Scoring

Needs = npt.NDArray[np.uint64]
_ALPHABET = 26


def needs_of(words: Letters, scoring: Scoring = "wordle") -> Needs:
    """Return the facts that each word contains, as bits: uint64 (words, LETTERS).

    Column i has a bit for the letter at position i, and a bit for each letter that the word has at least i + 1 times.
    With the scoring ``presence``, yellows do not reveal how often a letter occurs.

    >>> from gpusolve.games.wordle.wordlist import word_list
    >>> eerie, there = needs_of(word_list(["eerie", "there"]).letters)
    >>> [int(bits).bit_count() for bits in eerie & there]  # r and e; e twice; e at the end
    [2, 1, 0, 0, 1]
    """
    facts = np.uint64(1) << words.astype(np.uint64)
    for letter in range(_ALPHABET):
        count = (words == letter).sum(axis=1)
        for i in range(LETTERS if scoring == "wordle" else 1):
            facts[:, i] |= (count > i).astype(np.uint64) << np.uint64(_ALPHABET + letter)
    return np.asarray(facts, np.uint64)


@inlined
def meets(bits: Any, word: Any, need: Any) -> Any:
    """Return whether a word contains all that is needed."""
    missing = need[0] & ~bits[word, 0]
    for i in range(1, LETTERS):
        missing |= need[i] & ~bits[word, i]
    return missing == 0


@inlined
def is_within(need: Any, other: Any) -> Any:
    """Return whether `other` includes all of `need`."""
    missing = need[0] & ~other[0]
    for i in range(1, LETTERS):
        missing |= need[i] & ~other[i]
    return missing == 0


@compiled
def mixed(need):
    """Return a hash of a need, which becomes part of the key of a state; 0 if nothing is needed."""
    key = np.uint64(0)
    for i in range(LETTERS):
        key = (key ^ need[i]) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key
