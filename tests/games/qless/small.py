"""Words and letters few enough for an exhaustive search."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

from gpusolve.wordlists import load_words


@cache
def short_words() -> list[str]:
    """Return the everyday words of three to eight letters."""
    return [word for word in load_words("scowl-35") if 3 <= len(word) <= 8]


def some_letters(seed: int, lengths: tuple[int, int] = (5, 8)) -> str:
    """Return letters that are likely to have a solution: those of two words, shuffled and cut to a length."""
    chance = random.Random(seed)
    letters = list("".join(chance.sample([word for word in short_words() if len(word) <= 6], 2)))
    chance.shuffle(letters)
    return "".join(sorted((letters + list("tea"))[: chance.randint(*lengths)]))


def usable(letters: str, most: int, seed: int = 0) -> list[str]:
    """Return up to `most` of the everyday words that these letters spell; "tea" if there is none."""
    kinds = set(letters)
    words = [word for word in short_words() if kinds.issuperset(word) and not Counter(word) - Counter(letters)]
    random.Random(seed).shuffle(words)
    return sorted(words[:most]) or ["tea"]
