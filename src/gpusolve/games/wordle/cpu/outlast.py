"""What a game against the adversary can become: which guesses lead to the same position, and how long it can last.

After a guess, a position is given by the answers that remain and by what the mode requires of later guesses. In hard
mode that is, for each letter, a number of copies and the places of green ones; so guesses that leave equal answers and
require the same letters lead to one position, and get one key. The cost per guess is one pass over the answers left.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend.compiled import compiled

FREE, HARD, HISTORY = 0, 1, 2
"""What the guesses that are allowed depend on: the answers left alone, the letters required, or the whole history."""
PLACES = 12
"""Number of bits for the places of a letter, at least the number of letters of a word."""


@compiled
def mixed(number):
    """Return a number of 64 bits that looks random (the finalizer of SplitMix64, by Steele, Lea and Flood)."""
    number = (number + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@compiled
def bits(mask):
    """Return the number of bits of a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def required_key(letter, count, greens):
    """Return a letter's part of the key of what is required; 0 if nothing is."""
    if count == 0:
        return np.uint64(0)
    return mixed(np.uint64(((letter << 4) + count << PLACES) + greens))


@compiled
def keys_after(tables, traces, spelling, presence, kind, required, past, members, ranks, sizes, keys):
    """Write the key of the position after each guess; 0 for a guess that is not allowed or leaves all answers.

    `traces` has the places of each letter in each guess as bits, shape (guesses, letters); `spelling` the letters of
    the guesses, numbered. `required` has the count and the places of each letter that is required, shape (letters, 2),
    `past` the key of what is required, or of the history. `ranks` and `sizes` are those of `adversary.replies`.
    """
    n, length = len(members), spelling.shape[1]
    for g in range(len(ranks)):
        keys[g] = 0
        if sizes[g] == 0 or sizes[g] == n:
            continue
        row, rank, key, one = tables.by_guess[g], ranks[g], np.uint64(0), 0
        for m in members:
            if row[m] == rank:
                key += tables.noise[m]
                one = m
        if kind == HARD:
            key += past
            own = traces[tables.own[one]]
            for i in range(length):
                letter = spelling[g, i]
                here, there = traces[g, letter], own[letter]
                if there == 0 or here & ((1 << i) - 1):
                    continue  # not revealed, or counted at an earlier place
                greens = here & there
                count = max(1, bits(greens)) if presence else min(bits(here), bits(there))
                old_count, old_greens = required[letter, 0], required[letter, 1]
                key += required_key(letter, max(count, old_count), greens | old_greens)
                key -= required_key(letter, old_count, old_greens)
        elif kind == HISTORY:
            key += mixed(past ^ mixed(np.uint64(g)))
        keys[g] = key


@compiled
def most_turns(traces, own, length, members):
    """Return a number of guesses that no game from these answers exceeds.

    Suppose that the game ends with a certain answer. The marks of a letter depend on that letter alone, so a guess that
    leaves fewer answers tells something new about at least one letter. A letter that the answer does not have can be
    ruled out once. Of a letter that it has once, a guess can tell that it is not at a place (and so is present), that
    it is at its place, and that there is no second copy. Once all wrong places are known, only one of the other two
    facts can have been new.
    """
    letters = traces.shape[1]
    seen, sets = np.zeros(1 << PLACES, np.uint8), np.zeros(len(members), np.int64)
    kinds, occupied = np.zeros(letters, np.int64), np.zeros(letters, np.int64)
    absent, several = np.zeros(letters, np.uint8), np.zeros(letters, np.uint8)
    base, best = 0, 0
    for letter in range(letters):
        for m in members:
            places = traces[own[m], letter]
            if not seen[places]:
                seen[places] = 1
                sets[kinds[letter]] = places
                kinds[letter] += 1
                occupied[letter] |= places
                absent[letter] |= places == 0
                several[letter] |= places & (places - 1) != 0
        for i in range(kinds[letter]):
            seen[sets[i]] = 0
        base += kinds[letter] > 1
    for m in members:
        total = base
        for letter in range(letters):
            places = traces[own[m], letter]
            if places == 0 or kinds[letter] == 1:
                continue
            copies, wrong = bits(places), bits(occupied[letter] & ~places)
            if copies == 1:
                alone = absent[letter] and (wrong == 0 or wrong < length - 1)  # told at a place where none has it
                most = wrong + several[letter] + alone
            else:
                most = wrong + 2 * copies + 1
            total += min(most, kinds[letter] - 1) - 1
        best = max(best, total)
    return min(len(members), best + 1)
