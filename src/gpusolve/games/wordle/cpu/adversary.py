"""What the adversary answers to every guess, and whether two or three guesses are enough against it.

The adversary has no choice, so a game against it is a path: a set of answers, a guess, and the set that its answer
leaves. Patterns are stored as ranks, in the order in which the adversary prefers them among equals, so its answer is
the first of the most frequent ranks. A guess with which two guesses are enough gives every answer of a set another
pattern. Whether there is one is decided for 64 guesses at once: two answers rule out the guesses that give them equal
patterns. Similar answers rule out most, and answers that follow one another in the alphabet are similar.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.games.wordle.cpu.proof.needs import may_follow
from gpusolve.games.wordle.rules import SOLVED

CELLS = SOLVED + 1
FEW = 64
"""With at most this many guesses left to try, each is tried on its own."""
SMALL = 96
"""Below this many answers, the largest cell is updated at each answer; above, 243 counters are compared afterwards."""
NONE, STOPPED = -1, -2
"""Results that are no guess: there is none, and the search was stopped."""


class Tables(NamedTuple):
    """What the search reads. Guesses and answers are numbered as in the lists of the position."""

    by_guess: npt.NDArray[np.unsignedinteger[Any]]
    """The rank of each pattern, shape (guesses, answers)."""
    by_answer: npt.NDArray[np.unsignedinteger[Any]]
    """The same, shape (answers, guesses), for whole rows of guesses."""
    letters: npt.NDArray[np.uint8]
    """The letters of the answers, shape (answers, length)."""
    cells: int
    """All ranks are below this number."""
    noise: npt.NDArray[np.uint64]
    """A random number for each answer; a set of answers is known by their sum."""
    own: npt.NDArray[np.int32]
    """The guess that each answer is, shape (answers,)."""
    hidden_only: bool
    """Whether only answers that remain may be guessed."""
    restricted: bool
    """Whether the mode restricts guesses by the patterns that were seen."""
    full: npt.NDArray[np.uint8]
    """If so, and if words have five letters: the pattern of each guess against each guess, shape (guesses, guesses)."""
    shapes: npt.NDArray[np.uint8]
    """The shape of each guess: see `proof.restrictions`."""
    fits: npt.NDArray[np.uint8]
    """Which patterns a later guess may get, shape (shapes, 243, 243)."""
    codes: npt.NDArray[np.uint8]
    """The pattern of each rank, shape (243,)."""
    facts: npt.NDArray[np.uint64]
    """If the mode restricts guesses of another length: what each guess contains, see `proof.needs`; else no rows."""
    exactly: bool
    """Whether a guess must fit every pattern, as in the mode ultra-hard."""
    memo: npt.NDArray[np.uint64]
    """Keys of sets for which two guesses are not enough; the length is a power of two."""
    stop: npt.NDArray[np.uint8]
    """Not 0 if the search is to stop, shape (1,)."""


@compiled
def replies(tables, members, allowed, ranks, sizes):
    """Find what the adversary answers to each allowed guess, and the number of answers that it leaves.

    The results go to `ranks` and `sizes`; a guess that is not allowed leaves 0. Returns the largest number of patterns
    that any of the guesses can get.
    """
    # Four sets of counters, because consecutive patterns are often equal and an increment waits for the previous one.
    counts = np.zeros((4, CELLS), np.int32)
    single = counts[0] if tables.cells == CELLS else np.zeros(tables.cells, np.int32)
    n, most = len(members), 0
    for g in range(len(allowed)):
        sizes[g] = 0
        if not allowed[g]:
            continue
        row, occur, best, rank = tables.by_guess[g], 0, 0, 0
        if n < SMALL or tables.cells != CELLS:
            for m in members:
                count = single[row[m]] + 1
                single[row[m]] = count
                occur += count == 1
                if count > best or (count == best and row[m] < rank):
                    best, rank = count, row[m]
            for m in members:
                single[row[m]] = 0
        else:
            for i in range(0, n - 3, 4):
                counts[0, row[members[i]]] += 1
                counts[1, row[members[i + 1]]] += 1
                counts[2, row[members[i + 2]]] += 1
                counts[3, row[members[i + 3]]] += 1
            for i in range(n // 4 * 4, n):
                counts[0, row[members[i]]] += 1
            for c in range(CELLS):
                count = counts[0, c] + counts[1, c] + counts[2, c] + counts[3, c]
                occur += count > 0
                if count > best:
                    best, rank = count, c
            counts[:] = 0
        sizes[g], ranks[g] = best, rank
        most = max(most, occur)
    return most


@compiled
def splitter(tables, members, alive, seen):
    """Return the first guess that gives every answer of a set another pattern, or NONE.

    `alive` has 1 for each guess to try, and is changed. `seen` is zeroed memory of tables.cells numbers, and stays so.
    """
    n, left, length = len(members), len(alive), tables.letters.shape[1]
    for similar in range(length - 1, -1, -1):
        if left <= FEW:
            break
        for i in range(n - 1):
            a, b = members[i], members[i + 1]
            same = 0
            for k in range(length):
                same += tables.letters[a, k] == tables.letters[b, k]
            if same != similar:
                continue
            first, second, left = tables.by_answer[a], tables.by_answer[b], 0
            for g in range(len(alive)):
                alive[g] &= first[g] != second[g]
                left += alive[g]
            if left <= FEW:
                break
    if left == 0:
        return NONE
    for g in range(len(alive)):
        if not alive[g]:
            continue
        different = 0
        for m in members:
            rank = tables.by_answer[m, g]
            if seen[rank]:
                break
            seen[rank] = 1
            different += 1
        for i in range(different):
            seen[tables.by_answer[members[i], g]] = 0
        if different == n:
            return g
    return NONE


@compiled
def restrict(tables, allowed, guess, rank, members, out):
    """Set `out` to the guesses that are allowed after another guess, whose answer left these members."""
    if tables.hidden_only:
        out[:] = 0
        for m in members:
            out[tables.own[m]] = 1
    elif len(tables.facts):
        for g in range(len(allowed)):
            out[g] = allowed[g] and may_follow(tables.facts, g, guess, tables.own[members[0]], tables.exactly)
    elif tables.restricted:
        fits, row = tables.fits[tables.shapes[guess], tables.codes[rank]], tables.full[guess]
        for g in range(len(allowed)):
            out[g] = allowed[g] & fits[row[g]]
    else:
        for g in range(len(allowed)):
            out[g] = allowed[g]


@compiled
def split_in_two(tables, members, allowed, found):
    """Find two guesses that leave one answer; they go to `found`.

    Returns the number of sets that were searched, or STOPPED. Guesses that leave few answers are tried first, and
    `found` has NONE at first if no guess is good enough.
    """
    n, n_guesses = len(members), len(allowed)
    ranks, sizes = np.zeros(n_guesses, tables.by_guess.dtype), np.zeros(n_guesses, np.int32)
    most = replies(tables, members, allowed, ranks, sizes)
    first_of = np.zeros(n + 2, np.int64)
    for g in range(n_guesses):
        first_of[sizes[g] + 1] += 1
    for size in range(n + 1):
        first_of[size + 1] += first_of[size]
    order = np.zeros(n_guesses, np.int32)
    for g in range(n_guesses):
        order[first_of[sizes[g]]] = g
        first_of[sizes[g]] += 1
    child, alive, seen = np.zeros(n, np.int32), np.zeros(n_guesses, np.uint8), np.zeros(tables.cells, np.uint8)
    mask, states = np.uint64(len(tables.memo) - 1), 0
    found[0] = NONE
    for i in range(n_guesses):
        g = order[i]
        # A guess that gives each answer of a part another pattern has at least as many patterns against all of them.
        if sizes[g] > most or sizes[g] == n:
            break
        if sizes[g] == 0:
            continue
        if tables.stop[0]:
            return STOPPED
        size, key, row = 0, np.uint64(0), tables.by_guess[g]
        for m in members:
            if row[m] == ranks[g]:
                child[size] = m
                key += tables.noise[m]
                size += 1
        slot = key >> np.uint64(16) & mask
        if not tables.restricted and tables.memo[slot] == key:
            continue
        states += 1
        restrict(tables, allowed, g, ranks[g], child[:size], alive)
        second = splitter(tables, child[:size], alive, seen)
        if second >= 0:
            found[0], found[1] = g, second
            break
        tables.memo[slot] = key
    return states
