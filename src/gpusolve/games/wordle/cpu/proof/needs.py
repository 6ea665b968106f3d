"""What a guess must contain in hard mode (`proof.needs`): comparisons of sets of facts, which are bits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled, inlined
from gpusolve.games.wordle.rules import LETTERS

Needs = npt.NDArray[np.uint64]
"""Sets of facts, as bits."""


@inlined
def meets(bits, word, need):
    """Return whether a word contains all that is needed."""
    missing = need[0] & ~bits[word, 0]
    for i in range(1, LETTERS):
        missing |= need[i] & ~bits[word, i]
    for i in range(LETTERS, len(need)):  # apart, so that the loop above is unrolled
        missing |= need[i] & ~bits[word, i]
    return missing == 0


@inlined
def is_within(need, other):
    """Return whether `other` includes all of `need`."""
    missing = need[0] & ~other[0]
    for i in range(1, LETTERS):
        missing |= need[i] & ~other[i]
    for i in range(LETTERS, len(need)):
        missing |= need[i] & ~other[i]
    return missing == 0


@inlined
def may_follow(facts, guess, last, answer, same):
    """Return whether a guess contains the facts that the last guess and an answer share.

    If `same`, it must share no other facts with the last guess.
    """
    wrong = np.uint64(0)
    for i in range(facts.shape[1]):
        shared = facts[last, i] & facts[answer, i]
        got = facts[last, i] & facts[guess, i]
        wrong |= (shared ^ got) if same else (shared & ~got)
    return wrong == 0


@compiled
def mixed(need):
    """Return a hash of a need, which becomes part of the key of a state; 0 if nothing is needed."""
    key = np.uint64(0)
    for i in range(len(need)):
        key = (key ^ need[i]) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key
