"""Small random games: a few kinds of cards, from which both the deals and the words of a tiny dictionary are made.

Most have words to play; with more piles, the best plan opens piles more often.
"""

from __future__ import annotations

import random

from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.variant import Variant

CARDS = ["a", "e", "i", "n", "r", "t", "h", "u", "q", "c", "l", "er", "in", "th", "qu", "cl"]
KINDS = 4


def small_variant(seed: int) -> Variant:
    """Standard values, bonuses that small words reach, and words of one card in every second game."""
    return Variant(bonus={3: 1, 4: 3, 5: 8, 6: 20}, min_cards=1 + seed % 2)


def small_words(seed: int) -> list[str]:
    """Ten words of one to five cards and at least two letters."""
    random_, kinds = random.Random(seed), _kinds(seed)
    words: set[str] = set()
    while len(words) < 10:
        word = "".join(random_.choices(kinds, k=random_.choice([1, 2, 2, 3, 3, 4, 5])))
        if len(word) > 1:
            words.add(word)
    return sorted(words)


def small_deals(seed: int, piles: int, count: int) -> list[Deal]:
    """Deals of `piles` piles."""
    random_, kinds = random.Random(seed), _kinds(seed)
    return [Deal(tuple(random_.choices(kinds, k=piles)), tuple(random_.choices(kinds, k=piles))) for _ in range(count)]


def _kinds(seed: int) -> list[str]:
    return random.Random(seed + 10_000).sample(CARDS, KINDS)
