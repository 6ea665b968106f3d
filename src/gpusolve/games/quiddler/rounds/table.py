"""A dictionary and the points as the compiled functions take them, and the cards that nobody has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import COPIES, DECK, KIND, NAMES
from gpusolve.games.quiddler.rounds.cpu import COUNTS, SETS, keys_of, layings, table_of
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import Variant
from gpusolve.wordlists import Words, known

LETTERS = np.array([len(card) for card in NAMES], np.int64)
MOST_OF_A_WORD = 11
"""Number of cards of the longest word that a hand can lay down."""


@dataclass(frozen=True)
class Table:
    """What all players know: the words, as a hash table of their cards, and the points."""

    words: npt.NDArray[np.uint64]
    letters: npt.NDArray[np.int64]
    """Number of letters of each kind of card."""
    values: npt.NDArray[np.int64]

    @classmethod
    def of(cls, dictionary: Words, variant: Variant) -> Table:
        """Return the table of a dictionary."""
        name = known(dictionary)
        words = (
            _words(spell(dictionary, variant.min_cards)) if name is None else _known_words(name.name, variant.min_cards)
        )
        return cls(words, LETTERS, np.array([variant.values[card] for card in NAMES], np.int64))

    def ways(self, cards: npt.NDArray[np.uint8], count: int) -> npt.NDArray[np.uint32]:
        """Return what `layings` sets for a hand."""
        ways = np.empty((SETS, COUNTS), np.uint32)
        layings(cards, count, self.words, self.letters, ways)
        return ways


def _words(spellings: Spellings) -> npt.NDArray[np.uint64]:
    fits = spellings.cards[:, MOST_OF_A_WORD] >= len(NAMES)
    words: npt.NDArray[np.uint64] = table_of(keys_of(spellings.cards[fits]))
    return words


@lru_cache(maxsize=4)
def _known_words(name: str, min_cards: int) -> npt.NDArray[np.uint64]:
    return _words(spell(name, min_cards))


def kinds_of(cards: Sequence[str], room: int = 0) -> npt.NDArray[np.uint8]:
    """Return the kinds of cards, uint8, in an array with room for more."""
    row = np.zeros(max(room, len(cards)), np.uint8)
    row[: len(cards)] = [KIND[card] for card in cards]
    return row


def unseen(seen: Iterable[str]) -> list[str]:
    """Return the cards of the deck that are not among these. Raises BadInput for more copies than the deck has."""
    counts = Counter(seen)
    for card, count in sorted(counts.items()):
        if count > COPIES[card]:
            raise BadInput(f"{count} copies of card '{card}' are seen, but the deck has only {COPIES[card]}")
    return list((Counter(DECK) - counts).elements())
