"""Words and letters that are few enough to try everything."""

from __future__ import annotations

import random

from gpusolve.games.qless.variant import STANDARD
from gpusolve.wordlists import load_words


def some_letters(seed: int, lengths: tuple[int, int] = (5, 8)) -> str:
    """Letters of a roll that have a chance: two words thrown together, and cut."""
    chance = random.Random(seed)
    words = [word for word in load_words("scowl-35") if 3 <= len(word) <= 6]
    letters = list("".join(chance.sample(words, 2)))
    chance.shuffle(letters)
    length = chance.randint(*lengths)
    return "".join(sorted((letters + list("tea"))[:length]))


def usable(letters: str, most: int, seed: int = 0) -> list[str]:
    """The words that these letters spell, or so many of them."""
    from collections import Counter

    found = [word for word in STANDARD.anagrams.words if not Counter(word) - Counter(letters)]
    random.Random(seed).shuffle(found)
    return sorted(found[:most])
