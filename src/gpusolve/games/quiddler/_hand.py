"""The best words from a hand of the ordinary card game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import KIND, check_card, readings, refuse_overdrawn
from gpusolve.games.quiddler.deals import CARDS, NO_CARD
from gpusolve.games.quiddler.spellings import Spellings, spell_hand
from gpusolve.games.quiddler.variant import VALUES, check_values
from gpusolve.notebook import as_html, as_text
from gpusolve.wordlists import Words

SMALLEST, LARGEST = 3, 10
"""Cards dealt in the first and in the last round."""
ROUND_BONUS = 10
"""Points for the longest word of a round, and for the most words."""
MOST_TO_BEAT = 1000
"""The largest number of letters or words that the other players can have."""


@dataclass(frozen=True)
class Melds:
    """Words laid down from a hand.

    Attributes
    ----------
    words : list of str
        The words.
    cards : list of list of str
        The cards of each word.
    left : list of str
        The cards left.
    discard : str or None
        The card discarded.
    score : int
        Points used minus points left, with the bonuses.
    """

    words: list[str]
    cards: list[list[str]]
    left: list[str]
    discard: str | None
    score: int

    _repr_html_ = as_html
    __repr__ = as_text

    @property
    def longest(self) -> int:
        """Letters of the longest word."""
        return max((len(word) for word in self.words), default=0)


@dataclass(frozen=True)
class BestMelds:
    """The best words of a hand in three ways.

    Attributes
    ----------
    points : Melds
        The most points.
    longest : Melds
        The most points with the longest word that the hand has.
    most : Melds
        The most points with the most words that the hand has.
    """

    points: Melds
    longest: Melds
    most: Melds

    _repr_html_ = as_html
    __repr__ = as_text


class _Way(NamedTuple):
    """A way to lay words down, with the index of the discarded card.

    `longest` is the letters of the longest word, `number` the number of words; `used` and `words` are sets of cards.
    """

    score: int
    longest: int
    number: int
    used: int
    words: tuple[int, ...]
    discarded: int | None


def hand(
    cards: Sequence[str],
    dictionary: Words = "scowl-70",
    *,
    discard: bool = False,
    beat_longest: int | None = None,
    beat_most: int | None = None,
    min_cards: int = 2,
    values: Mapping[str, int] | None = None,
    strict: bool = False,
    backend: Backend | None = None,
) -> BestMelds:
    """Find the best words from a hand, and prove that they are the best.

    The score is the points used minus the points left; a discarded card costs nothing.

    Parameters
    ----------
    cards : sequence of str
        The names of 3 to 10 cards; one more if `discard`.
    dictionary : str, path, iterable of str or Spellings
        The words: the name of a shipped list, a file, the words, or the result of `spell`.
    discard : bool
        Whether one card is discarded at the end.
    beat_longest : int, optional
        Letters of the other players' longest word, 0 to 1000: a longer word scores ten more. By default there is no
        such bonus.
    beat_most : int, optional
        Number of words of the other player with the most, 0 to 1000: more words score ten more. By default there is no
        such bonus.
    min_cards : {1, 2}
        The fewest cards of a word.
    values : mapping of str to int, optional
        The points of each card. By default the printed ones.
    strict : bool
        Whether more copies of a card than the deck has are an error.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    BestMelds

    Raises
    ------
    BadInput
        For another number of cards, for unknown cards, for numbers and points out of range, for a dictionary that
        cannot be read and, if `strict`, for cards that no deck can give.
    WrongSolution
        If the words break the rules or miss their score, which would be a fault of gpusolve.

    Examples
    --------
    >>> best = hand(["qu", "i", "t", "er", "a", "l"])
    >>> best.points.words, best.points.score
    (['qua', 'liter'], 26)
    """
    check_type("discard", discard, bool)
    smallest, largest = SMALLEST + discard, LARGEST + discard
    if not smallest <= len(cards) <= largest:
        raise BadInput(f"the hand has {len(cards)} cards: expected {smallest} to {largest}")
    for position, card in enumerate(cards, 1):
        check_card(card, position)
    for name, beat in (("beat_longest", beat_longest), ("beat_most", beat_most)):
        if beat is not None:
            check_integer(name, beat, 0, MOST_TO_BEAT)
    values = VALUES if values is None else values
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

    ways = []
    for used, layings in enumerate(_layings(sets, cards)):
        left = [i for i in range(len(cards)) if not used >> i & 1]
        if discard and not left:
            continue
        discarded = max(left, key=lambda i: points_of[i]) if discard else None
        points = sum(points_of) - sum(2 * points_of[i] for i in left)
        points += 0 if discarded is None else points_of[discarded]
        for (count, longest), words in layings.items():
            score = points
            score += ROUND_BONUS * (beat_longest is not None and longest > beat_longest)
            score += ROUND_BONUS * (beat_most is not None and count > beat_most)
            ways.append(_Way(score, longest, count, used, words, discarded))

    def best(key: Callable[[_Way], int]) -> Melds:
        way = max(ways, key=lambda way: (key(way), way.score, -way.used))
        laid = [_spelled(spellings, [card for i, card in enumerate(cards) if word >> i & 1]) for word in way.words]
        melds = Melds(
            words=["".join(word) for word in laid],
            cards=laid,
            left=[card for i, card in enumerate(cards) if not way.used >> i & 1 and i != way.discarded],
            discard=None if way.discarded is None else cards[way.discarded],
            score=way.score,
        )
        score = _score(melds, values, beat_longest=beat_longest, beat_most=beat_most)
        dealt = sum(melds.cards, [*melds.left, *([] if melds.discard is None else [melds.discard])])
        shortest = min(map(len, melds.cards), default=min_cards)
        if score != melds.score or sorted(dealt) != sorted(cards) or shortest < min_cards:
            raise WrongSolution(
                f"the search returned {' '.join(melds.words)} for {melds.score} points, but this scores {score} "
                f"and takes the cards {' '.join(sorted(dealt))}"
            )
        return melds

    return BestMelds(best(lambda way: way.score), best(lambda way: way.longest), best(lambda way: way.number))


def _score(melds: Melds, values: Mapping[str, int], *, beat_longest: int | None, beat_most: int | None) -> int:
    """Return the points of words that are laid down, by the rules."""
    points = sum(values[card] for word in melds.cards for card in word) - sum(values[card] for card in melds.left)
    points += ROUND_BONUS * (beat_longest is not None and melds.longest > beat_longest)
    return points + ROUND_BONUS * (beat_most is not None and len(melds.words) > beat_most)


def _layings(sets: Sequence[int], hand: Sequence[str]) -> list[dict[tuple[int, int], tuple[int, ...]]]:
    """Return for each set of cards: (words, letters of the longest) -> sets of cards of words that use it up."""
    letters = {cards: sum(len(card) for i, card in enumerate(hand) if cards >> i & 1) for cards in sets}
    by_lowest: dict[int, list[int]] = {}
    for cards in sets:
        by_lowest.setdefault(cards & -cards, []).append(cards)
    layings: list[dict[tuple[int, int], tuple[int, ...]]] = [{(0, 0): ()}]
    for used in range(1, 1 << len(hand)):
        here: dict[tuple[int, int], tuple[int, ...]] = {}
        for cards in by_lowest.get(used & -used, ()):  # the word that has the lowest card
            if cards & ~used == 0:
                for (count, longest), words in layings[used ^ cards].items():
                    here.setdefault((count + 1, max(longest, letters[cards])), (cards, *words))
        layings.append(here)
    return layings


def _spelled(spellings: Spellings, cards: list[str]) -> list[str]:
    """Return the cards in the order in which they spell the first of their words. Raises WrongSolution if none."""
    for word in spellings.spelled_by(cards):
        for reading in readings(word):
            if sorted(reading) == sorted(cards):
                return list(reading)
    raise WrongSolution(f"the search returned the cards {' '.join(cards)}, which spell no word")
