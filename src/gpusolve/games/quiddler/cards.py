"""The cards: the deck, cards as people write them, and words spelled with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from itertools import product

from gpusolve.checks import check_type, lower, shown
from gpusolve.errors import BadInput

_BY_COUNT = {
    2: "b c f h j k m p q v w x z cl er in qu th",
    4: "d g l s y",
    6: "n r t u",
    8: "i o",
    10: "a",
    12: "e",
}
COPIES = {card: count for count, cards in _BY_COUNT.items() for card in cards.split()}
"""The number of copies of each card in the deck of 118."""
NAMES = tuple(sorted(COPIES, key=lambda card: (len(card), card)))
"""The 31 kinds of cards: a to z, then cl er in qu th."""
KIND = {card: kind for kind, card in enumerate(NAMES)}
DECK = tuple(card for card in NAMES for _ in range(COPIES[card]))
TWO_LETTERS = NAMES[26:]


def parse_cards(text: str, before: int = 0, *, others: Container[str] = ()) -> list[str]:
    """Read cards as people write them.

    Parameters
    ----------
    text : str
        The cards, in any case: ``a n qu er``, ``a,n,(qu),(er)`` or ``an(qu)(er)``. A word that names a card is that
        card, so ``in`` is one card and ``i n`` are two. Other letters are one card each, and brackets hold a
        two-letter card.
    before : int
        Number of cards before these, to count from in error messages.
    others : container of str
        Other characters that stand for a card, such as the ``.`` of a deal.

    Returns
    -------
    list of str
        The names of the cards, in lower case.

    Raises
    ------
    BadInput
        For anything that is not a card; the message names its position.

    Examples
    --------
    >>> parse_cards("th e qu(in)ze")
    ['th', 'e', 'q', 'u', 'in', 'z', 'e']
    """
    check_type("cards", text, str)
    cards: list[str] = []
    for token in re.split(r"[\s,;|]+", lower(text.strip())):
        if token in KIND:
            cards.append(token)
            continue
        for bracketed, other in re.findall(r"\(([^()]*)\)|(.)", token):
            card = bracketed or other
            if card not in others:
                check_card(card, before + len(cards) + 1)
            cards.append(card)
    return cards


def check_card(card: object, position: int) -> None:
    """Raise BadInput unless `card` is the name of a card."""
    if not isinstance(card, str) or card not in KIND:
        expected = f"expected a letter a-z or one of {', '.join(TWO_LETTERS)}"
        raise BadInput(f"card {position}, '{shown(card)}': {expected}")


def overdrawn(cards: Iterable[str]) -> list[str]:
    """Return a sentence for each card of which there are more copies than the deck has.

    >>> overdrawn(["q", "q", "q", "a"])
    ["3 copies of card 'q', but the deck has only 2"]
    """
    return [
        f"{count} copies of card '{card}', but the deck has only {COPIES[card]}"
        for card, count in sorted(Counter(cards).items())
        if count > COPIES[card]
    ]


def refuse_overdrawn(cards: Iterable[str]) -> None:
    """Raise BadInput for more copies of a card than the deck has."""
    for line in overdrawn(cards):
        raise BadInput(f"strict: {line}")


_TWO = re.compile("|".join(TWO_LETTERS))


def readings(word: str) -> list[tuple[str, ...]]:
    """Return every way to spell `word` with cards. A two-letter card keeps its letters together and in order.

    >>> readings("quit")
    [('qu', 'i', 't'), ('q', 'u', 'i', 't')]
    """
    # No two-letter card ends with a letter with which another begins, so each is chosen independently.
    pieces: list[list[tuple[str, ...]]] = []
    end = 0
    for match in _TWO.finditer(word):
        pieces.append([tuple(word[end : match.start()])])
        pieces.append([(match[0],), tuple(match[0])])
        end = match.end()
    pieces.append([tuple(word[end:])])
    return [sum(choice, ()) for choice in product(*pieces)]
