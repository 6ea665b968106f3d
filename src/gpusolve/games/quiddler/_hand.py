"""The ordinary card game's question: the best words from a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import KIND, check_card, readings, refuse_overdrawn
from gpusolve.games.quiddler.deals import CARDS, NO_CARD
from gpusolve.games.quiddler.spellings import Spellings, spell_hand
from gpusolve.games.quiddler.variant import VALUES, check_values
from gpusolve.wordlists import Words

SMALLEST, LARGEST = 3, 10
"""Cards dealt in the first and the last round."""
ROUND_BONUS = 10
"""Points for the longest word of a round, and for the most words."""
MOST_TO_BEAT = 1000
"""Letters or words of the others, at most."""


@dataclass(frozen=True)
class Melds:
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
class BestMelds:
    """The most points; the most points with the longest word, and with the most words, that the hand holds."""

    points: Melds
    longest: Melds
    most: Melds


def hand(
    cards: Sequence[str],
    discard: bool = False,
    beat_longest: int | None = None,
    beat_most: int | None = None,
    dictionary: Words = "scowl-70",
    min_cards: int = 2,
    values: Mapping[str, int] = VALUES,
    strict: bool = False,
    backend: Backend | None = None,
) -> BestMelds:
    """The best words from a hand of 3 to 10 cards (4 to 11 where one is discarded), proven.

    The score is the points used minus the points left; a discarded card costs nothing. Ten more for a longest word of
    more than `beat_longest` letters, and for more than `beat_most` words: what the others have (None: no bonus).
    Raises BadInput for another number of cards, for what is not a card, for numbers to beat below 0 or above
    MOST_TO_BEAT, for values as `Rules` does and, if `strict`, for cards that no deck can give.

    >>> best = hand(["qu", "i", "t", "er", "a", "l"])
    >>> best.points.words, best.points.score
    (['qua', 'liter'], 26)
    """
    check_type("discard", discard, bool)
    smallest, largest = SMALLEST + discard, LARGEST + discard
    if not smallest <= len(cards) <= largest:
        raise BadInput(f"the hand has {len(cards)} cards: expected {smallest} to {largest}")
    for place, card in enumerate(cards, 1):
        check_card(card, place)
    for name, beat in (("beat_longest", beat_longest), ("beat_most", beat_most)):
        if beat is not None:
            check_integer(name, beat, 0, MOST_TO_BEAT)
    check_values(values)
    if strict:
        refuse_overdrawn(cards)
    spellings = spell_hand(cards, dictionary, min_cards)
    backend = open_backend(backend)
    row = np.full((1, CARDS), NO_CARD, np.uint8)
    row[0, : len(cards)] = [KIND[card] for card in cards]
    bitmap = backend.to_host(kernels.card_sets(backend, row, kernels.load(backend, spellings)))
    sets = np.flatnonzero(np.unpackbits(bitmap.view(np.uint8), bitorder="little")).tolist()
    points_of = [values[card] for card in cards]

    found = []
    for used, ways in enumerate(_ways(sets, cards)):
        left = [i for i in range(len(cards)) if not used >> i & 1]
        if discard and not left:
            continue
        thrown = max(left, key=lambda i: points_of[i]) if discard else None
        points = sum(points_of) - sum(2 * points_of[i] for i in left) + (points_of[thrown] if thrown is not None else 0)
        for (count, longest), words in ways.items():
            score = points
            score += ROUND_BONUS * (beat_longest is not None and longest > beat_longest)
            score += ROUND_BONUS * (beat_most is not None and count > beat_most)
            found.append((score, longest, count, used, words, thrown))

    def best(key: Callable[[tuple[int, int, int]], tuple[int, ...]]) -> Melds:
        score, _, _, used, words, thrown = max(found, key=lambda way: (*key(way[:3]), way[0], -way[3]))
        laid = [_spelled(spellings, [card for i, card in enumerate(cards) if word >> i & 1]) for word in words]
        return Melds(
            ["".join(word) for word in laid],
            laid,
            [card for i, card in enumerate(cards) if not used >> i & 1 and i != thrown],
            None if thrown is None else cards[thrown],
            score,
        )

    return BestMelds(best(lambda way: ()), best(lambda way: (way[1],)), best(lambda way: (way[2],)))


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
    return list(next(reading for reading in readings(word) if sorted(reading) == sorted(cards)))
