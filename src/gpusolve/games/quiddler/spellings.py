"""A dictionary as collections of cards, made once for as many deals as one likes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import KIND, NAMES, TWO_LETTERS
from gpusolve.games.quiddler.deals import CARDS, NO_CARD
from gpusolve.games.quiddler.variant import MOST_LETTERS
from gpusolve.wordlists import Words, load_words


@dataclass(frozen=True, eq=False)
class Spellings:
    """Every different collection of cards that spells a word, and the words that each spells.

    A collection is a row of `cards` (uint8, (n, 16)): its kinds, ascending, NO_CARD behind them; the rows ascend, too.
    `kinds` (uint32, (n,)): bit k is set where it has a card of kind k. It spells the words number
    ``numbers[begins[i]:begins[i + 1]]`` of `words`: anagrams with the same cards are one collection, a word with a
    two-letter card in it has several.

    It is an iterable of its words, and so may stand wherever words may.
    """

    words: list[str]
    min_cards: int
    kinds: npt.NDArray[np.uint32]
    cards: npt.NDArray[np.uint8]
    begins: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: str) -> bool:
        place = bisect_left(self.words, word)
        return place < len(self.words) and self.words[place] == word

    def __repr__(self) -> str:
        return (
            f"<Spellings: {len(self.words):,} words, {len(self.kinds):,} collections of {self.min_cards} cards or more>"
        )

    def spelled_by(self, cards: Sequence[str]) -> list[str]:
        """The words that all of these cards spell together, in alphabetical order."""
        key = bytes(sorted(KIND[card] for card in cards)).ljust(CARDS, bytes([NO_CARD]))
        rows = self.cards.view(f"S{CARDS}")[:, 0]
        place = int(np.searchsorted(rows, np.bytes_(key)))
        if len(key) > CARDS or place == len(rows) or bytes(self.cards[place]) != key:
            return []
        return [self.words[number] for number in self.numbers[self.begins[place] : self.begins[place + 1]]]


def spell(dictionary: Words = "scowl-70", min_cards: int = 2) -> Spellings:
    """The spellings of the words that have two letters or more, with at least `min_cards` and at most 16 cards.

    Spellings that were made so already are given back as they are: every call that takes a dictionary takes them, and
    who solves many deals makes them once. Raises BadInput where there are none, and for a `min_cards` but 1 and 2.

    >>> found = spell(["quit", "tiqu"])
    >>> found.spelled_by(["i", "qu", "t"]), found.spelled_by(["i", "q", "t", "u"]), len(found.kinds)
    (['quit', 'tiqu'], ['quit', 'tiqu'], 2)
    """
    check_integer("min_cards", min_cards, 1, 2)
    if isinstance(dictionary, Spellings):
        if dictionary.min_cards == min_cards:
            return dictionary
        words = dictionary.words
    else:
        words = load_words(dictionary)
    cards, numbers = _readings(words)
    count = np.count_nonzero(cards != NO_CARD, axis=1)
    fits = (min_cards <= count) & (count <= CARDS)
    if not fits.any():
        raise BadInput(f"the dictionary has no word of two letters and {min_cards} cards or more, and at most 16 cards")
    cards, numbers = np.sort(cards[fits], axis=1)[:, :CARDS], numbers[fits]
    halves = np.ascontiguousarray(cards).view(">u8")
    order = np.lexsort((numbers, halves[:, 1], halves[:, 0]))
    halves, numbers = halves[order], numbers[order]
    begins_row = np.append(True, (halves[1:] != halves[:-1]).any(axis=1))
    once = begins_row | np.append(True, numbers[1:] != numbers[:-1])  # (in)terpos(in)g: in and i n, and i n and in
    cards, numbers, begins = cards[order][once], numbers[once], np.flatnonzero(begins_row[once])
    cards = np.ascontiguousarray(cards[begins])
    bits = np.append(np.uint32(1) << np.arange(len(NAMES), dtype=np.uint32), np.zeros(256 - len(NAMES), np.uint32))
    kinds = np.bitwise_or.reduce(bits[cards], axis=1)
    return Spellings(words, min_cards, kinds, cards, np.append(begins, len(numbers)), numbers)


def spell_hand(cards: Sequence[str], dictionary: Words = "scowl-70", min_cards: int = 2) -> Spellings:
    """The spellings of the words that have no letter but those on `cards`: all that a hand needs, in less time.

    Those of the whole dictionary where there are none, and where they are made already. Raises as `spell` does.
    """
    if not isinstance(dictionary, Spellings):
        words, letters = load_words(dictionary), set("".join(cards))
        try:
            return spell([word for word in words if letters.issuperset(word)], min_cards)
        except BadInput:
            dictionary = words
    return spell(dictionary, min_cards)


def _readings(words: list[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Every way to spell each word of 2 to 32 letters with cards, and the number of the word.

    A reading is a row of 32 kinds in the order of the word, NO_CARD behind and within.
    """
    fitting = [number for number, word in enumerate(words) if 2 <= len(word) <= MOST_LETTERS]
    text = np.array([words[number] for number in fitting], f"S{MOST_LETTERS}")
    letters = text.view(np.uint8).reshape(-1, MOST_LETTERS) - np.uint8(ord("a"))
    letters[letters >= 26] = NO_CARD  # behind the word
    doubles = np.full_like(letters, NO_CARD)  # the two-letter card that begins here
    for card in TWO_LETTERS:
        first, second = (KIND[letter] for letter in card)
        doubles[:, :-1][(letters[:, :-1] == first) & (letters[:, 1:] == second)] = KIND[card]
    is_double = doubles != NO_CARD
    rank = np.cumsum(is_double, axis=1, dtype=np.uint8) - is_double
    count = np.count_nonzero(is_double, axis=1)
    found, numbers = [], []
    for doubles_in_word in np.unique(count).tolist():
        rows = np.flatnonzero(count == doubles_in_word)
        for choice in range(1 << doubles_in_word):  # no two-letter card ends as another begins: each is free
            chosen = is_double[rows] & (np.uint32(choice) >> rank[rows] & 1 > 0)
            cards = np.where(chosen, doubles[rows], letters[rows])
            cards[:, 1:][chosen[:, :-1]] = NO_CARD
            found.append(cards)
            numbers.append(rows)
    if not found:
        return letters, np.empty(0, np.int64)
    return np.concatenate(found), np.array(fitting)[np.concatenate(numbers)]
