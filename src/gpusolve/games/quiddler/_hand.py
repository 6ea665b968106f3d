"""The best words from a hand of the ordinary card game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_type, joined
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import KIND, overdrawn, parse_cards, readings, refuse_overdrawn
from gpusolve.games.quiddler.deals import CARDS, NO_CARD
from gpusolve.games.quiddler.spellings import Spellings, spell_hand
from gpusolve.games.quiddler.variant import Variant, check_variant
from gpusolve.result import Result, reported
from gpusolve.wordlists import Words

SMALLEST, LARGEST = 3, 10
"""Cards dealt in the first and in the last round."""
ROUND_BONUS = 10
"""Points for the longest word of a round, and for the most words."""
MOST_TO_BEAT = 1000
"""The largest number of letters or words that the other players can have."""


@dataclass(frozen=True, repr=False)
class Melds(Result):
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

    @property
    def longest(self) -> int:
        """Letters of the longest word."""
        return max((len(word) for word in self.words), default=0)


@dataclass(frozen=True, repr=False)
class BestMelds(Result, schema="quiddler.hand/2"):
    """The best words of a hand in three ways.

    Attributes
    ----------
    cards : list of str
        The hand.
    points : Melds
        The most points.
    longest : Melds
        The most points with the longest word that the hand has.
    most : Melds
        The most points with the most words that the hand has.
    beat_longest, beat_most : int or None
        What the other players have, as given.
    """

    cards: list[str]
    points: Melds
    longest: Melds
    most: Melds
    beat_longest: int | None = None
    beat_most: int | None = None

    @reported
    def proven(self) -> bool:
        """Whether these are proven to be the best: always, because all words are compared."""
        return True

    @reported
    def warnings(self) -> list[str]:
        """A sentence for each card of which there are more copies than the deck has."""
        return overdrawn(self.cards)


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
    cards: Sequence[str] | str,
    *,
    discard: bool = False,
    beat_longest: int | None = None,
    beat_most: int | None = None,
    dictionary: Words = "scowl-70",
    variant: Variant | None = None,
    strict: bool = False,
    backend: Backend | None = None,
) -> BestMelds:
    """Find the best words of a hand in the card game, and prove that they are the best.

    The most points, the longest word and the most words are found. The score is the points used minus the points left;
    a discarded card costs nothing.

    Parameters
    ----------
    cards : str or sequence of str
        3 to 10 cards, such as ``qu i t er a l`` or ``(qu)it(er)al``; one more if `discard`.
    discard : bool, default False
        The hand has one more card, which you discard at no cost.
    beat_longest : int, optional
        Number of letters of the other players' longest word, 0 to 1000; a longer word scores 10 more points. By default
        there is no such bonus.
    beat_most : int, optional
        Largest number of words of another player, 0 to 1000; more words score 10 more points. By default there is no
        such bonus.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The points and the fewest cards of a word. By default the standard game.
    strict : bool, default False
        Treat more copies of a card than the deck has as an error, not as a warning.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

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
    ``gpusolve quiddler hand 'qu i t er a l'``

    >>> best = hand("qu i t er a l")
    >>> best.points.words, best.points.score
    (['qua', 'liter'], 26)
    """
    check_type("discard", discard, bool)
    cards = parse_cards(joined("cards", cards))
    variant = check_variant(variant)
    smallest, largest = SMALLEST + discard, LARGEST + discard
    if not smallest <= len(cards) <= largest:
        raise BadInput(f"the hand has {len(cards)} cards: expected {smallest} to {largest}")
    for name, beat in (("beat_longest", beat_longest), ("beat_most", beat_most)):
        if beat is not None:
            check_integer(name, beat, 0, MOST_TO_BEAT)
    if strict:
        refuse_overdrawn(cards)
    spellings = spell_hand(cards, dictionary, variant.min_cards)
    sets = sets_of(cards, spellings, open_backend(backend))
    points_of = [variant.values[card] for card in cards]

    ways = []
    for used, layings in enumerate(layings_of(sets, cards)):
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
        laid = [in_order(spellings, [card for i, card in enumerate(cards) if word >> i & 1]) for word in way.words]
        melds = Melds(
            words=["".join(word) for word in laid],
            cards=laid,
            left=[card for i, card in enumerate(cards) if not way.used >> i & 1 and i != way.discarded],
            discard=None if way.discarded is None else cards[way.discarded],
            score=way.score,
        )
        score = _score(melds, variant.values, beat_longest=beat_longest, beat_most=beat_most)
        dealt = sum(melds.cards, [*melds.left, *([] if melds.discard is None else [melds.discard])])
        shortest = min(map(len, melds.cards), default=variant.min_cards)
        if score != melds.score or sorted(dealt) != sorted(cards) or shortest < variant.min_cards:
            raise WrongSolution(
                f"the search returned {' '.join(melds.words)} for {melds.score} points, but this scores {score} "
                f"and takes the cards {' '.join(sorted(dealt))}"
            )
        return melds

    return BestMelds(
        cards,
        points=best(lambda way: way.score),
        longest=best(lambda way: way.longest),
        most=best(lambda way: way.number),
        beat_longest=beat_longest,
        beat_most=beat_most,
    )


def _score(melds: Melds, values: Mapping[str, int], *, beat_longest: int | None, beat_most: int | None) -> int:
    """Return the points of words that are laid down, by the rules."""
    points = sum(values[card] for word in melds.cards for card in word) - sum(values[card] for card in melds.left)
    points += ROUND_BONUS * (beat_longest is not None and melds.longest > beat_longest)
    return points + ROUND_BONUS * (beat_most is not None and len(melds.words) > beat_most)


def sets_of(cards: Sequence[str], spellings: Spellings, backend: Backend) -> list[int]:
    """Return the sets of the cards that spell a word, as numbers of which bit i stands for card i."""
    row = np.full((1, CARDS), NO_CARD, np.uint8)
    row[0, : len(cards)] = [KIND[card] for card in cards]
    bitmap = backend.to_host(kernels.card_sets(backend, row, kernels.load(backend, spellings)))
    sets: list[int] = np.flatnonzero(np.unpackbits(bitmap.view(np.uint8), bitorder="little")).tolist()
    return sets


def layings_of(sets: Sequence[int], hand: Sequence[str]) -> list[dict[tuple[int, int], tuple[int, ...]]]:
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


def in_order(spellings: Spellings, cards: list[str]) -> list[str]:
    """Return the cards in the order in which they spell the first of their words. Raises WrongSolution if none."""
    for word in spellings.spelled_by(cards):
        for reading in readings(word):
            if sorted(reading) == sorted(cards):
                return list(reading)
    raise WrongSolution(f"the search returned the cards {' '.join(cards)}, which spell no word")
