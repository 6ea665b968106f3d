"""Small random games: a few kinds of cards, from which both the deals and the words of a tiny dictionary are made.

Most have words to play; with more piles, the best plan opens piles more often.
"""

from __future__ import annotations

import random
from collections import Counter

from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.deals import HIDDEN, NONE, PILES, Deal
from gpusolve.games.quiddler.rules import Places
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


def expected(deal: Deal, rest: Counter[str], words: list[str], variant: Variant) -> float:
    """Return the best expected score by trying every move and word, and every card for each that is turned up."""

    def value(places: Places, names: dict[int, str], left: Counter[str]) -> float:
        hidden = [number for number in rules.uncovered(places) if names[number] == HIDDEN]
        if hidden:
            total = left.total()
            return sum(
                count / total * value(places, names | {hidden[0]: card}, left - Counter([card]))
                for card, count in left.items()
            )
        key = tuple(sorted(places)), tuple(names.items())
        if key not in known:
            known[key] = max(ways(places, names, left))
        return known[key]

    def ways(places: Places, names: dict[int, str], left: Counter[str]) -> list[float]:
        mean = sum(count * variant.values[card] for card, count in left.items()) / max(1, left.total())
        found = [-sum(mean if names[n] == HIDDEN else variant.values[names[n]] for n in sum(places, ()))]
        found += [value(rules.move(places, step), names, left) for step in rules.moves(places)]
        now = Deal(
            tuple(names.get(PILES + i, NONE) for i in range(deal.piles)),
            tuple(names.get(i, NONE).replace(HIDDEN, "a") for i in range(deal.piles)),
        )
        for word, cards in rules.plays(now, places, words, variant):
            gain = sum(variant.values[names[n]] for n in cards) + variant.bonus_row()[len(word)]
            found.append(gain + value(rules.take(places, cards), names, left))
        return found

    known: dict[object, float] = {}
    return value(rules.start(deal), dict(deal.cards), rest)


def _kinds(seed: int) -> list[str]:
    return random.Random(seed + 10_000).sample(CARDS, KINDS)
