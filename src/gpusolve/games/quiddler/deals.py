"""Deals: two rows of cards, as people write them, as random numbers draw them, and as rows of numbers.

Card i of the top row lies on card i of the bottom row. A card is known by its *number*: bottom card i is number i, top
card i is number 8 + i, so that a set of cards is a number of 16 bits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpusolve.checks import joined
from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import DECK, KIND, NAMES, check_card, parse_cards
from gpusolve.result import Result
from gpusolve.runs.seeds import GOLDEN, mix_all

PILES = 8
"""Piles of a full deal, and places on the table."""
CARDS = 2 * PILES
NO_CARD = 255
"""Marks the cards that a deal with fewer piles does not have."""


@dataclass(frozen=True, repr=False)
class Deal(Result, schema="quiddler.deal/2"):
    """Eight piles of two cards; a smaller game has fewer piles, and as many places.

    Parameters
    ----------
    tops : tuple of str
        The top cards, 1 to 8.
    bottoms : tuple of str
        The cards below them, as many.
    seed, number : int, optional
        For a random deal, its seed, and its number among the deals of the seed.

    Raises
    ------
    BadInput
        For rows of different lengths, for more than eight piles, and for unknown cards.

    Examples
    --------
    >>> deal = Deal.parse("nwu(th)ryyi / acjounbi")
    >>> print(deal)
    n w u th r y y i / a c j o u n b i
    >>> deal.cards[11]
    'th'
    """

    tops: tuple[str, ...]
    bottoms: tuple[str, ...]
    seed: int | None = field(default=None, repr=False, compare=False)
    number: int | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        tops, bottoms = len(self.tops), len(self.bottoms)
        if not 1 <= tops <= PILES or tops != bottoms:
            raise BadInput(f"rows of {tops} and {bottoms} cards: expected two rows of the same length, 1 to {PILES}")
        for position, card in enumerate((*self.tops, *self.bottoms), 1):
            check_card(card, position)

    def __str__(self) -> str:
        return f"{' '.join(self.tops)} / {' '.join(self.bottoms)}"

    @classmethod
    def parse(cls, deal: Deal | str | Sequence[str]) -> Deal:
        """Read a deal of 16 cards as people write it.

        Parameters
        ----------
        deal : Deal, str or sequence of str
            The eight top cards, then the eight cards below them, as `parse_cards` reads them. A ``/`` or the end of a
            line can separate the rows. Several texts are joined; a `Deal` is returned as it is.

        Returns
        -------
        Deal

        Raises
        ------
        BadInput
            For an unknown card, and for another number of cards.

        Examples
        --------
        >>> Deal.parse("nwu(th)ryyi acjounbi").tops
        ('n', 'w', 'u', 'th', 'r', 'y', 'y', 'i')
        """
        if isinstance(deal, Deal):
            return deal
        cards: list[str] = []
        rows: list[list[str]] = []
        for row in re.split(r"[/\n]", joined("deal", deal).strip()):
            rows.append(parse_cards(row, len(cards)))
            cards += rows[-1]
        if len(cards) != CARDS:
            number = f"{len(cards)} card{'s' * (len(cards) != 1)}"
            raise BadInput(f"the deal has {number}: expected {CARDS}, eight on top and the eight below them")
        if len(rows) > 1 and [len(row) for row in rows] != [PILES, PILES]:
            lengths = ", ".join(str(len(row)) for row in rows)
            raise BadInput(f"the deal has rows of {lengths} cards: expected two rows of eight")
        return cls(tuple(cards[:PILES]), tuple(cards[PILES:]))

    @property
    def piles(self) -> int:
        """Number of piles, and of places on the table."""
        return len(self.tops)

    @cached_property
    def cards(self) -> dict[int, str]:
        """Number -> card."""
        return dict(enumerate(self.bottoms)) | {PILES + i: card for i, card in enumerate(self.tops)}


def random_deals(seed: int, numbers: range | npt.NDArray[np.intp]) -> npt.NDArray[np.uint8]:
    """Return the deals of a seed that have these numbers, as `encode` writes them, uint8 (deals, 16).

    They are the first 16 exchanges of a Fisher-Yates shuffle. Each draws from a hash (SplitMix64) of the seed, the
    deal's number and the exchange, so any deal of a census can be drawn again by its number, with any NumPy.
    """
    wanted = np.arange(numbers.start, numbers.stop) if isinstance(numbers, range) else numbers
    states = _hash(_hash(np.array([seed % 2**64], np.uint64)) ^ wanted.astype(np.uint64))
    deck = np.tile(np.array([KIND[card] for card in DECK], np.uint8), (len(wanted), 1))
    rows = np.arange(len(wanted))
    for i in range(CARDS):
        draw = _hash(states + np.uint64(i)) % np.uint64(len(DECK) - i)
        other = i + draw.astype(np.intp)
        deck[rows, other], deck[:, i] = deck[:, i].copy(), deck[rows, other]
    return np.ascontiguousarray(deck[:, :CARDS])


def _hash(states: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the number that SplitMix64 draws next in each of these states."""
    return mix_all(states + np.uint64(GOLDEN))


def encode(deal: Deal) -> npt.NDArray[np.uint8]:
    """Return the kind 0..30 of each card by its number, uint8 (16,); NO_CARD if the deal has fewer piles."""
    row = np.full(CARDS, NO_CARD, np.uint8)
    for number, card in deal.cards.items():
        row[number] = KIND[card]
    return row


def decode(row: npt.NDArray[np.uint8]) -> Deal:
    """Return the deal that `encode` wrote."""
    bottoms, tops = ([NAMES[kind] for kind in half if kind != NO_CARD] for half in (row[:PILES], row[PILES:]))
    return Deal(tuple(tops), tuple(bottoms))
