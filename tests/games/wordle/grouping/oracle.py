"""Whether a group of words can be solved in time, by trying every guess. The oracle of the tests of groups."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from gpusolve.games.wordle import rules

pattern = cache(rules.pattern)


def solvable(group: tuple[str, ...], within: int, guesses: list[str]) -> bool:
    """Return whether a group can always be solved within a number of guesses, by trying every first guess."""
    if len(group) == 1:
        return within > 0
    if within < 2:
        return False
    for guess in guesses:
        cells: dict[int, list[str]] = {}
        for word in group:
            cells.setdefault(pattern(guess, word), []).append(word)
        if all(solvable(tuple(cell), within - 1, guesses) for cell in cells.values()):
            return True
    return False


def similar_words(seed: int) -> tuple[list[str], list[str]]:
    """Return answers that are hard to tell apart, and guesses: the answers and perhaps a few other words."""
    chance = random.Random(seed)
    ends = [chance.choice(["oooo", "eeee", "oeoe"]) for _ in range(3)]
    answers = {chance.choice("abcdefghijk") + chance.choice(ends) for _ in range(10)}
    others = {"".join(chance.choices("abcdefgh", k=5)) for _ in range(chance.choice([0, 0, 3]))}
    return sorted(answers), sorted(answers | others)


def similar_words_of(length: int, alphabet: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return answers of a length that are hard to tell apart, and guesses: the answers and a few other words."""
    chance = random.Random(length)
    base = chance.choices(alphabet, k=length)
    drawn = ([letter, *base[1:]] for letter in chance.sample(list(alphabet), 7))
    others = (["".join(chance.choices(alphabet, k=length))] for _ in range(5))
    answers = {"".join(word) for word in drawn} | {"".join([*base[:-1], letter]) for letter in alphabet[:3]}
    return sorted(answers), sorted(answers | {"".join(word) for word in others})
