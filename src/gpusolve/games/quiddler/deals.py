"""Deals: two rows of cards, as people write them, as random numbers draw them, and as rows of numbers.

Card i of the top row lies on card i of the bottom row. A card is known by its *number*: bottom card i is number i, top
card i is number 8 + i, so that a set of cards is a number of 16 bits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
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
"""Marks the cards that a deal does not have."""
NONE, HIDDEN = ".", "?"
"""The characters for an empty place and for an unknown card in a written deal."""


@dataclass(frozen=True, repr=False)
class Deal(Result, schema="quiddler.deal/2"):
    """Eight piles of two cards, or what is left of them; a smaller game has fewer piles, and as many places.

    Parameters
    ----------
    tops : tuple of str
        The top cards, 1 to 8, with a point where there is none.
    bottoms : tuple of str
        The cards below them, as many, with a point where there is none, and ``?`` for a card that is not known. A card
        that lies alone can be in either row.
    seed, number : int, optional
        For a random deal, its seed, and its number among the deals of the seed.

    Raises
    ------
    BadInput
        For rows of different lengths, for more than eight piles, for what is no card, and for a hidden card on which
        none lies.

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
            if card != NONE and not (card == HIDDEN and position > tops):
                check_card(card, position)
        for place, (top, bottom) in enumerate(zip(self.tops, self.bottoms, strict=True), 1):
            if bottom == HIDDEN and top == NONE:
                raise BadInput(f"card {tops + place}, '?': expected a known card, because none lies on it")

    def __str__(self) -> str:
        return f"{' '.join(self.tops)} / {' '.join(self.bottoms)}"

    @classmethod
    def parse(cls, deal: Deal | str | Sequence[str]) -> Deal:
        """Read a deal of 16 cards, or what is left of one, as people write it.

        Parameters
        ----------
        deal : Deal, str or sequence of str
            The eight top cards, then the eight cards below them, as `parse_cards` reads them. A ``/`` or the end of a
            line can separate the rows. A point stands for no card, and ``?`` for a lower card that is not known. With
            shorter rows, which a ``/`` separates, the other places are empty. Several texts are joined; a `Deal` is
            returned as it is.

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
            rows.append(parse_cards(row, len(cards), others=NONE + HIDDEN))
            cards += rows[-1]
        if len(rows) == 2 and len(rows[0]) == len(rows[1]) < PILES and cards:
            rows = [row + [NONE] * (PILES - len(row)) for row in rows]
            cards = [*rows[0], *rows[1]]
        if len(cards) != CARDS or set(cards) == {NONE}:
            count = sum(card != NONE for card in cards)
            number = f"{count} card{'s' * (count != 1)}"
            points = ", with a point for each that is gone" if len(cards) != count else ""
            raise BadInput(f"the deal has {number}: expected {CARDS}, eight on top and the eight below them{points}")
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
        found = [*enumerate(self.bottoms), *enumerate(self.tops, PILES)]
        return {number: card for number, card in found if card != NONE}

    def refuse_hidden(self) -> None:
        """Raise BadInput if a card is not known."""
        if self.hidden:
            position = self.position_of(self.hidden[0])
            raise BadInput(f"card {position}, '{HIDDEN}': expected a known card; suggest takes hidden cards")

    @property
    def hidden(self) -> list[int]:
        """The numbers of the cards that are not known."""
        return [number for number, card in self.cards.items() if card == HIDDEN]

    def position_of(self, number: int) -> int:
        """Return the position of a card in the deal as it is written, from 1: the top cards come first."""
        return number - PILES + 1 if number >= PILES else number + self.piles + 1

    def number_at(self, position: int) -> int:
        """Return the number of the card at a position, as `position_of` counts."""
        return position - 1 + PILES if position <= self.piles else position - 1 - self.piles

    def without(self, numbers: Collection[int]) -> Deal:
        """Return the deal without these cards; the others keep their places."""
        bottoms, tops = (
            tuple(NONE if base + i in numbers else card for i, card in enumerate(row))
            for base, row in ((0, self.bottoms), (PILES, self.tops))
        )
        return Deal(tops, bottoms)


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
    """Return the kind 0..30 of each card by its number, uint8 (16,); NO_CARD for one that the deal does not have."""
    row = np.full(CARDS, NO_CARD, np.uint8)
    for number, card in deal.cards.items():
        row[number] = KIND[card]
    return row


def decode(row: npt.NDArray[np.uint8]) -> Deal:
    """Return the deal of eight piles that `encode` wrote."""
    cards = [NONE if kind == NO_CARD else NAMES[kind] for kind in row.tolist()]
    return Deal(tuple(cards[PILES:]), tuple(cards[:PILES]))
