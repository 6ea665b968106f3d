"""Words and letters that are few enough to try everything."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

from gpusolve.wordlists import load_words


@cache
def short_words() -> list[str]:
    """The everyday words of three to eight letters."""
    return [word for word in load_words("scowl-35") if 3 <= len(word) <= 8]


def some_letters(seed: int, lengths: tuple[int, int] = (5, 8)) -> str:
    """Letters of a roll that have a chance: those of two words, thrown together and cut."""
    chance = random.Random(seed)
    letters = list("".join(chance.sample([word for word in short_words() if len(word) <= 6], 2)))
    chance.shuffle(letters)
    return "".join(sorted((letters + list("tea"))[: chance.randint(*lengths)]))


def usable(letters: str, most: int, seed: int = 0) -> list[str]:
    """The everyday words that these letters spell, or so many of them; "tea" where there are none."""
    kinds = set(letters)
    found = [word for word in short_words() if kinds.issuperset(word) and not Counter(word) - Counter(letters)]
    random.Random(seed).shuffle(found)
    return sorted(found[:most]) or ["tea"]
