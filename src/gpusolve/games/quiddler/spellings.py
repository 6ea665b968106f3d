"""A dictionary as collections of cards, made once for any number of deals."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import KIND, NAMES, TWO_LETTERS
from gpusolve.games.quiddler.deals import CARDS, NO_CARD
from gpusolve.games.quiddler.variant import MOST_LETTERS
from gpusolve.result import Result
from gpusolve.wordlists import Known, Words, known, load_words


@dataclass(frozen=True, eq=False)
class Spellings(Result):
    """A dictionary as the different collections of cards that spell its words. Make one with `spell`.

    Anagrams with the same cards share a collection; a word that contains a two-letter card has several. Iterating over
    spellings gives their words, so every function that takes words takes spellings.

    Attributes
    ----------
    words : list of str
        The words in alphabetical order.
    min_cards : int
        The fewest cards of a collection.
    kinds : array, uint32, (collections,)
        Bit k is set if the collection has a card of kind k.
    cards : array, uint8, (collections, 16)
        The kinds of the collection in ascending order, padded with NO_CARD. The rows ascend too.
    starts, numbers : array, int64
        Collection i spells the words ``numbers[starts[i]:starts[i + 1]]``, as indices into `words`.
    """

    words: list[str]
    min_cards: int
    kinds: npt.NDArray[np.uint32]
    cards: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: str) -> bool:
        i = bisect_left(self.words, word)
        return i < len(self.words) and self.words[i] == word

    def __repr__(self) -> str:
        return (
            f"<Spellings: {len(self.words):,} words, {len(self.kinds):,} collections of {self.min_cards} cards or more>"
        )

    def spelled_by(self, cards: Sequence[str]) -> list[str]:
        """Return the words that all of these cards spell together, in alphabetical order."""
        key = bytes(sorted(KIND[card] for card in cards)).ljust(CARDS, bytes([NO_CARD]))
        rows = self.cards.view(f"S{CARDS}")[:, 0]
        i = int(np.searchsorted(rows, np.bytes_(key)))
        if len(key) > CARDS or i == len(rows) or bytes(self.cards[i]) != key:
            return []
        return [self.words[number] for number in self.numbers[self.starts[i] : self.starts[i + 1]]]


def spell(dictionary: Words = "scowl-70", min_cards: int = 2) -> Spellings:
    """Find every way to spell the words of a dictionary with cards.

    Every function that takes a dictionary also takes its result: to solve many deals, spell the dictionary once.

    Parameters
    ----------
    dictionary : str, path, iterable of str or Spellings
        The words: the name of a list, a file, or the words. Words of one letter are left out.
    min_cards : {1, 2}
        The fewest cards of a word; the most are 16.

    Returns
    -------
    Spellings
        The argument itself if it has the same `min_cards` already.

    Raises
    ------
    BadInput
        For words that cannot be read, for a dictionary without such a word, and for any other `min_cards`.

    Examples
    --------
    >>> spellings = spell(["quit", "tiqu"])
    >>> spellings.spelled_by(["i", "qu", "t"]), spellings.spelled_by(["i", "q", "t", "u"]), len(spellings.kinds)
    (['quit', 'tiqu'], ['quit', 'tiqu'], 2)
    """
    min_cards = check_integer("min_cards", min_cards, 1, 2)
    if (found := known(dictionary)) is not None:
        return _spell_known(found, min_cards)
    if not isinstance(dictionary, Spellings):
        return _spell(load_words(dictionary), min_cards)
    return dictionary if dictionary.min_cards == min_cards else _spell(dictionary.words, min_cards)


@lru_cache(maxsize=4)
def _spell_known(found: Known, min_cards: int) -> Spellings:
    return _spell(load_words(found.name), min_cards)


def _spell(words: list[str], min_cards: int) -> Spellings:
    cards, numbers = _readings(words)
    count = np.count_nonzero(cards != NO_CARD, axis=1)
    fits = (min_cards <= count) & (count <= CARDS)
    if not fits.any():
        raise BadInput(f"the dictionary has no word of at least two letters that {min_cards} to {CARDS} cards spell")
    cards, numbers = np.sort(cards[fits], axis=1)[:, :CARDS], numbers[fits]
    halves = np.ascontiguousarray(cards).view(">u8")
    order = np.lexsort((numbers, halves[:, 1], halves[:, 0]))
    halves, numbers = halves[order], numbers[order]
    is_new = np.append(True, (halves[1:] != halves[:-1]).any(axis=1))
    once = is_new | np.append(True, numbers[1:] != numbers[:-1])  # (in)terposing and interpos(in)g have the same cards
    cards, numbers, starts = cards[order][once], numbers[once], np.flatnonzero(is_new[once])
    cards = np.ascontiguousarray(cards[starts])
    bits = np.append(np.uint32(1) << np.arange(len(NAMES), dtype=np.uint32), np.zeros(256 - len(NAMES), np.uint32))
    kinds = np.bitwise_or.reduce(bits[cards], axis=1)
    return Spellings(words, min_cards, kinds, cards, np.append(starts, len(numbers)), numbers)


_asked: set[tuple[Known, int]] = set()
"""The lists with a name of which a part has been spelled in this process."""


def spell_hand(cards: Sequence[str], dictionary: Words = "scowl-70", min_cards: int = 2) -> Spellings:
    """Return the spellings of the words whose letters are all on `cards`: all that a hand or a deal needs, sooner.

    If there is no such word, or if the dictionary is spelled already, return the spellings of the whole dictionary. So
    it is for a list with a name from the second time on: who solves several deals needs it again. Raises BadInput as
    `spell` does.
    """
    found = known(dictionary)
    if found is not None and (found, min_cards) in _asked:
        return spell(dictionary, min_cards)
    if not isinstance(dictionary, Spellings):
        if found is not None:
            _asked.add((found, min_cards))
        words, letters = load_words(dictionary), set("".join(cards))
        try:
            return spell([word for word in words if letters.issuperset(word)], min_cards)
        except BadInput:
            dictionary = words
    return spell(dictionary, min_cards)


def _readings(words: list[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return every way to spell each word of 2 to 32 letters with cards, and the index of the word.

    A reading is a row of 32 kinds in the order of the word; NO_CARD pads it, also after a two-letter card.
    """
    fitting = [number for number, word in enumerate(words) if 2 <= len(word) <= MOST_LETTERS]
    text = np.array([words[number] for number in fitting], f"S{MOST_LETTERS}")
    letters = text.view(np.uint8).reshape(-1, MOST_LETTERS) - np.uint8(ord("a"))
    letters[letters >= 26] = NO_CARD  # after the end of the word
    doubles = np.full_like(letters, NO_CARD)  # the two-letter card that starts here
    for card in TWO_LETTERS:
        first, second = (KIND[letter] for letter in card)
        doubles[:, :-1][(letters[:, :-1] == first) & (letters[:, 1:] == second)] = KIND[card]
    is_double = doubles != NO_CARD
    rank = np.cumsum(is_double, axis=1, dtype=np.uint8) - is_double
    count = np.count_nonzero(is_double, axis=1)
    readings, numbers = [], []
    for doubles_in_word in np.unique(count).tolist():
        rows = np.flatnonzero(count == doubles_in_word)
        for choice in range(1 << doubles_in_word):  # any subset: two-letter cards do not overlap
            chosen = is_double[rows] & (np.uint32(choice) >> rank[rows] & 1 > 0)
            cards = np.where(chosen, doubles[rows], letters[rows])
            cards[:, 1:][chosen[:, :-1]] = NO_CARD
            readings.append(cards)
            numbers.append(rows)
    if not readings:
        return letters, np.empty(0, np.int64)
    return np.concatenate(readings), np.array(fitting)[np.concatenate(numbers)]
