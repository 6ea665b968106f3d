"""What a guess must hold in hard mode, as bits.

A word is a set: which letter stands where, and of which letters it has at least one, two, three. What a guess reveals
of an answer is what both sets hold, and whatever is guessed after it must hold that, too. All that was revealed before
is in there: the guess had to hold it, and so does the answer. So the last guess and one answer that remains tell what
may be guessed; no history is needed.
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
    """What the words hold, uint64 (words, LETTERS): in column i letter i, and the letters that stand there i + 1 times.

    Yellows do not count the letters where the scoring is ``presence``.

    >>> from gpusolve.games.wordle.words import word_list
    >>> eerie, there = needs_of(word_list(["eerie", "there"]).letters)
    >>> [int(bits).bit_count() for bits in eerie & there]  # r, and e twice, the last in its place
    [2, 1, 0, 0, 1]
    """
    found = np.uint64(1) << words.astype(np.uint64)
    for letter in range(_ALPHABET):
        count = (words == letter).sum(axis=1)
        for i in range(LETTERS if scoring == "wordle" else 1):
            found[:, i] |= (count > i).astype(np.uint64) << np.uint64(_ALPHABET + letter)
    return np.asarray(found, np.uint64)


@inlined
def meets(bits: Any, word: Any, need: Any) -> Any:
    """Whether a word holds all that is needed."""
    missing = need[0] & ~bits[word, 0]
    for i in range(1, LETTERS):
        missing |= need[i] & ~bits[word, i]
    return missing == 0


@inlined
def is_within(need: Any, other: Any) -> Any:
    """Whether all that is needed is needed there, too."""
    missing = need[0] & ~other[0]
    for i in range(1, LETTERS):
        missing |= need[i] & ~other[i]
    return missing == 0


@compiled
def mixed(need):
    """A number for a need, for the key of a state; 0 for none."""
    key = np.uint64(0)
    for i in range(LETTERS):
        key = (key ^ need[i]) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key
