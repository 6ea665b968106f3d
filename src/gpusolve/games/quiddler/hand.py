"""The ordinary card game's question: the best words from a hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import kernels, rules
from gpusolve.games.quiddler.kernels import Spellings
from gpusolve.games.quiddler.rules import STANDARD, Rules
from gpusolve.games.quiddler.solver import dictionary

SMALLEST, LARGEST = 3, 10
"""Cards dealt in the first and the last round."""
ROUND_BONUS = 10
"""Points for the longest word of a round, and for the most words."""


@dataclass(frozen=True)
class Words:
    """Words laid down from a hand: their cards, the cards left and the one discarded; bonuses are in the score."""

    words: list[str]
    cards: list[list[str]]
    left: list[str]
    discard: str | None
    score: int

    @property
    def longest(self) -> int:
        """Letters of the longest word."""
        return max((len(word) for word in self.words), default=0)


@dataclass(frozen=True)
class BestWords:
    """The most points; the most points with the longest word, and with the most words, that the hand holds."""

    points: Words
    longest: Words
    most: Words


def best_words(
    hand: Sequence[str],
    spellings: Spellings | None = None,
    scoring: Rules = STANDARD,
    discard: bool = False,
    beat_longest: int | None = None,
    beat_most: int | None = None,
    backend: Backend | None = None,
) -> BestWords:
    """The best words from a hand of 3 to 10 cards (4 to 11 where one is discarded), proven.

    The score is the points used minus the points left; a discarded card costs nothing. Ten more for a longest word of
    more than `beat_longest` letters, and for more than `beat_most` words: what the others have (None: no bonus).

    >>> best = best_words(["qu", "i", "t", "er", "a", "l"])
    >>> best.points.words, best.points.score
    (['qua', 'liter'], 26)
    """
    smallest, largest = SMALLEST + discard, LARGEST + discard
    if not smallest <= len(hand) <= largest:
        raise BadInput(f"the hand has {len(hand)} cards: expected {smallest} to {largest}")
    spellings = spellings or dictionary(min_cards=scoring.min_cards)
    backend = backend or open_backend()
    row = np.full((1, rules.CARDS), rules.NO_CARD, np.uint8)
    row[0, : len(hand)] = [rules.KIND[card] for card in hand]
    bitmap = backend.to_host(kernels.card_sets(backend, row, kernels.load(backend, spellings)))
    sets = np.flatnonzero(np.unpackbits(bitmap.view(np.uint8), bitorder="little")).tolist()
    values = [scoring.values[card] for card in hand]

    found = []
    for used, ways in enumerate(_ways(sets, hand)):
        left = [i for i in range(len(hand)) if not used >> i & 1]
        if discard and not left:
            continue
        thrown = max(left, key=lambda i: values[i]) if discard else None
        points = sum(values) - sum(2 * values[i] for i in left) + (values[thrown] if thrown is not None else 0)
        for (count, longest), words in ways.items():
            score = points
            score += ROUND_BONUS * (beat_longest is not None and longest > beat_longest)
            score += ROUND_BONUS * (beat_most is not None and count > beat_most)
            found.append((score, longest, count, used, words, thrown))

    def best(key: Callable[[tuple[int, int, int]], tuple[int, ...]]) -> Words:
        score, _, _, used, words, thrown = max(found, key=lambda way: (*key(way[:3]), way[0], -way[3]))
        laid = [[hand[i] for i in range(len(hand)) if cards >> i & 1] for cards in words]
        laid = [_spelled(spellings, cards) for cards in laid]
        return Words(
            ["".join(cards) for cards in laid],
            laid,
            [hand[i] for i in range(len(hand)) if not used >> i & 1 and i != thrown],
            None if thrown is None else hand[thrown],
            score,
        )

    return BestWords(best(lambda way: ()), best(lambda way: (way[1],)), best(lambda way: (way[2],)))


def _ways(sets: Sequence[int], hand: Sequence[str]) -> list[dict[tuple[int, int], tuple[int, ...]]]:
    """For each set of cards: (words, letters of the longest) -> the cards of such words that together use the set."""
    letters = {cards: sum(len(card) for i, card in enumerate(hand) if cards >> i & 1) for cards in sets}
    by_lowest: dict[int, list[int]] = {}
    for cards in sets:
        by_lowest.setdefault(cards & -cards, []).append(cards)
    ways: list[dict[tuple[int, int], tuple[int, ...]]] = [{(0, 0): ()}]
    for used in range(1, 1 << len(hand)):
        here: dict[tuple[int, int], tuple[int, ...]] = {}
        for cards in by_lowest.get(used & -used, ()):  # some word has the lowest card
            if cards & ~used == 0:
                for (count, longest), words in ways[used ^ cards].items():
                    here.setdefault((count + 1, max(longest, letters[cards])), (cards, *words))
        ways.append(here)
    return ways


def _spelled(spellings: Spellings, cards: list[str]) -> list[str]:
    """The cards in the order in which they spell their first word."""
    word = spellings.spelled_by(cards)[0]
    return list(next(reading for reading in rules.readings(word) if sorted(reading) == sorted(cards)))
