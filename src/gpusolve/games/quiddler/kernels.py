"""Batches of deals: what the solver asks the device for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, Program
from gpusolve.games.quiddler.rules import CARDS, KIND, NAMES, NO_CARD, Rules, readings
from gpusolve.resources import kernels_dir

PROGRAM = Program(kernels_dir() / "quiddler.cu", "gpusolve.games.quiddler.cpu")
STATES = 1 << CARDS
BLOCK = 256
NEVER = -(1 << 30)
"""The score of what cannot be done."""


@dataclass(frozen=True)
class Spellings:
    """A dictionary as cards: every different collection of cards that spells a word, with all words it spells.

    `kinds` (uint32, (n,)): bit k is set where a spelling has a card of kind k. `cards` (uint8, (n, 16)): its kinds,
    ascending, NO_CARD behind them. `words`: kinds, as bytes -> words in their order; anagrams with the same cards
    are one spelling, a word with a two-letter card in it has several.
    """

    kinds: npt.NDArray[np.uint32]
    cards: npt.NDArray[np.uint8]
    words: dict[bytes, list[str]]
    dictionary: frozenset[str]

    def spelled_by(self, cards: Sequence[str]) -> list[str]:
        """The words that all of these cards spell together, in the dictionary's order."""
        return self.words.get(bytes(sorted(KIND[card] for card in cards)), [])


@dataclass(frozen=True)
class Outcome:
    """What the best play of each deal comes to; arrays of shape (deals,).

    `best` (int32): the optimum. `best_all` (int32): the best score with all cards used, NEVER where there is none.
    `states` (int32): sets of cards left that some play reaches.
    """

    best: npt.NDArray[np.int32]
    best_all: npt.NDArray[np.int32]
    states: npt.NDArray[np.int32]


def spellings(words: Sequence[str], min_cards: int = 2) -> Spellings:
    """The spellings of a dictionary with at least `min_cards` and at most 16 cards. Words have two letters or more.

    >>> found = spellings(["quit", "tiqu"])
    >>> found.spelled_by(["i", "qu", "t"]), found.spelled_by(["i", "q", "t", "u"]), len(found.kinds)
    (['quit', 'tiqu'], ['quit', 'tiqu'], 2)
    """
    found: dict[bytes, list[str]] = {}
    two_letters = {card: bytes([kind]) for card, kind in KIND.items() if len(card) == 2}
    table = bytes.maketrans(bytes(range(97, 123)), bytes(range(26)))
    for word in words:
        if len(word) < 2:
            continue
        if any(card in word for card in two_letters):
            for reading in readings(word):
                if min_cards <= len(reading) <= CARDS:
                    found.setdefault(bytes(sorted(KIND[card] for card in reading)), []).append(word)
        elif min_cards <= len(word) <= CARDS:
            found.setdefault(bytes(sorted(word.encode().translate(table))), []).append(word)
    padding = bytes([NO_CARD])
    flat = b"".join(key.ljust(CARDS, padding) for key in found)
    cards = np.frombuffer(flat, np.uint8).reshape(-1, CARDS)
    bits = np.append(np.uint32(1) << np.arange(len(NAMES), dtype=np.uint32), np.zeros(256 - len(NAMES), np.uint32))
    kinds = np.bitwise_or.reduce(bits[cards], axis=1).astype(np.uint32)
    return Spellings(kinds, cards, found, frozenset(words))


def load(backend: Backend, spellings: Spellings) -> tuple[Any, Any]:
    """The arrays of the spellings on the device: kinds and cards."""
    return backend.asarray(spellings.kinds), backend.asarray(spellings.cards)


def card_sets(backend: Backend, deals: npt.NDArray[np.uint8], loaded: tuple[Any, Any]) -> Any:
    """Which sets of cards spell a word, for each deal: a bitmap of 65,536 bits, uint32 (deals, 2048), on the device.

    `deals` as `rules.encode` makes them, uint8 (deals, 16); `loaded` from `load`.
    """
    kinds, cards = loaded
    out = backend.empty((len(deals), STATES // 32), np.uint32)
    backend.launch(PROGRAM, "card_sets", len(deals), backend.asarray(deals), kinds, cards, len(kinds), out)
    return out


def best_bonus(backend: Backend, deals: npt.NDArray[np.uint8], sets: Any, scoring: Rules, words: int = 0) -> Any:
    """The dynamic programme over the sets of cards left: uint32 (deals, words + 1, 65536), on the device.

    An element is 0 where no play leaves these cards, else 1 more than the greatest sum of bonuses on the way there:
    with words = 0 by any number of words, else by 0, 1, ... `words` words. `sets` from `card_sets`. All deals of a
    batch have as many piles.
    """
    piles = int((deals[0, :8] != NO_CARD).sum()) if len(deals) else 0
    out = backend.empty((len(deals), words + 1, STATES), np.uint32)
    backend.launch(
        PROGRAM,
        "best_bonus",
        len(deals),
        backend.asarray(deals),
        backend.asarray(np.array([len(card) for card in NAMES], np.int32)),
        backend.asarray(np.array(scoring.bonus_row(), np.int32)),
        piles,
        words,
        sets,
        out,
    )
    return out


def outcome(backend: Backend, deals: npt.NDArray[np.uint8], reached: Any, scoring: Rules) -> Outcome:
    """The optima of the deals from `reached`, the array that `best_bonus` gave."""
    out = [backend.empty(len(deals), np.int32) for _ in range(3)]
    backend.launch(
        PROGRAM,
        "outcome",
        len(deals),
        backend.asarray(deals),
        backend.asarray(np.array([scoring.values[card] for card in NAMES], np.int32)),
        reached.shape[1] - 1,
        reached,
        *out,
    )
    return Outcome(*(backend.to_host(array) for array in out))
