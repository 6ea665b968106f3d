"""Deals: two rows of cards, as people write them, at random, and as rows of numbers.

Card i of the top row lies on card i of the bottom row. A card is known by its *number*: bottom card i is number i, top
card i is number 8 + i, so that a set of cards is a number of 16 bits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import DECK, KIND, NAMES, check_card, parse_cards
from gpusolve.runs.seeds import GOLDEN, check_seed, mix_all, random_seed

PILES = 8
"""Piles of a full deal, and places on the table."""
CARDS = 2 * PILES
NO_CARD = 255
"""Stands for the card of a pile that a smaller deal does not have."""
MOST_NUMBER = 10**18
"""The last deal of a seed, at most."""


@dataclass(frozen=True)
class Deal:
    """Eight piles of two, or fewer piles for a smaller game on as many places. Raises BadInput for what is none.

    >>> deal = parse_deal("nwu(th)ryyi / acjounbi")
    >>> print(deal)
    n w u th r y y i / a c j o u n b i
    >>> deal.cards[11]
    'th'
    """

    tops: tuple[str, ...]
    bottoms: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.tops) <= PILES or len(self.tops) != len(self.bottoms):
            number = f"{len(self.tops)} cards on {len(self.bottoms)}"
            raise BadInput(f"the deal has {number}: expected as many, 1 to {PILES}")
        for place, card in enumerate((*self.tops, *self.bottoms), 1):
            check_card(card, place)

    def __str__(self) -> str:
        return f"{' '.join(self.tops)} / {' '.join(self.bottoms)}"

    @property
    def piles(self) -> int:
        """Piles, and places on the table."""
        return len(self.tops)

    @cached_property
    def cards(self) -> dict[int, str]:
        """Number -> card."""
        return dict(enumerate(self.bottoms)) | {PILES + i: card for i, card in enumerate(self.tops)}


def parse_deal(text: str) -> Deal:
    """A deal of 16 cards, the eight on top first, then those below; a ``/`` or a line's end may separate the rows.

    Raises BadInput for an unknown card and for another number of cards.
    """
    check_type("deal", text, str)
    cards: list[str] = []
    rows: list[list[str]] = []
    for row in re.split(r"[/\n]", text.strip()):
        rows.append(parse_cards(row, len(cards)))
        cards += rows[-1]
    if len(cards) != CARDS:
        raise BadInput(f"the deal has {len(cards)} cards: expected {CARDS}, eight on top and the eight below them")
    if len(rows) > 1 and [len(row) for row in rows] != [PILES, PILES]:
        raise BadInput(f"the deal has rows of {', '.join(str(len(row)) for row in rows)} cards: expected two of eight")
    return Deal(tuple(cards[:PILES]), tuple(cards[PILES:]))


def deal(seed: int | None = None, number: int = 0) -> Deal:
    """Deal `number` of a seed, 16 of the deck's 118 cards; without a seed one that nobody can foretell.

    Raises BadInput for a number below 0 or above MOST_NUMBER, and for a seed that is not one.

    >>> print(deal(1))
    e n s o r d c cl / o o e e t d t u
    """
    check_integer("number", number, 0, MOST_NUMBER)
    return decode(random_deals(random_seed() if seed is None else check_seed(seed), number, 1)[0])


def random_deals(seed: int, first: int, count: int) -> npt.NDArray[np.uint8]:
    """Deals first, first + 1, ... of a seed, as `encode` has them, uint8 (count, 16).

    The first 16 exchanges of a Fisher-Yates shuffle; each draws from a hash (SplitMix64) of the seed, the deal's
    number and the exchange, so that any deal of a census can be had again by its number, with any NumPy.
    """
    states = _hash(_hash(np.array([seed % 2**64], np.uint64)) ^ np.arange(first, first + count, dtype=np.uint64))
    deck = np.tile(np.array([KIND[card] for card in DECK], np.uint8), (count, 1))
    rows = np.arange(count)
    for i in range(CARDS):
        draw = _hash(states + np.uint64(i)) % np.uint64(len(DECK) - i)
        other = i + draw.astype(np.intp)
        deck[rows, other], deck[:, i] = deck[:, i].copy(), deck[rows, other]
    return np.ascontiguousarray(deck[:, :CARDS])


def _hash(states: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """What SplitMix64 gives next in each of these states."""
    return mix_all(states + np.uint64(GOLDEN))


def encode(deal: Deal) -> npt.NDArray[np.uint8]:
    """The kind 0..30 of each card by its number, uint8 (16,); NO_CARD where a smaller deal has none."""
    row = np.full(CARDS, NO_CARD, np.uint8)
    for number, card in deal.cards.items():
        row[number] = KIND[card]
    return row


def decode(row: npt.NDArray[np.uint8]) -> Deal:
    """The deal that `encode` wrote."""
    bottoms, tops = ([NAMES[kind] for kind in half if kind != NO_CARD] for half in (row[:PILES], row[PILES:]))
    return Deal(tuple(tops), tuple(bottoms))
