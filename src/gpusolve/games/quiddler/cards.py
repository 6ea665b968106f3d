"""The cards: the deck, cards as people write them, and words spelled with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product

from gpusolve.checks import check_type, lower
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
"""How often the deck of 118 has each card."""
NAMES = tuple(sorted(COPIES, key=lambda card: (len(card), card)))
"""The 31 kinds of cards: a to z, then cl er in qu th."""
KIND = {card: kind for kind, card in enumerate(NAMES)}
DECK = tuple(card for card in NAMES for _ in range(COPIES[card]))
TWO_LETTERS = NAMES[26:]


def parse_cards(text: str, before: int = 0) -> list[str]:
    """The cards written in `text`: ``a n qu er``, ``a,n,(qu),(er)`` or ``an(qu)(er)``, any case.

    What stands alone and names a card is that card, so ``in`` is one card and ``i n`` two; other letters are a card
    each, and brackets hold a two-letter card. Raises BadInput for anything else, with its place, `before` cards later.

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
            check_card(card, before + len(cards) + 1)
            cards.append(card)
    return cards


def check_card(card: object, place: int) -> None:
    """Raises BadInput for what is not the name of a card."""
    if not isinstance(card, str) or card not in KIND:
        expected = f"expected a letter a-z or one of {', '.join(TWO_LETTERS)}"
        raise BadInput(f"card {place}, '{str(card)[:40]}': {expected}")


def overdrawn(cards: Iterable[str]) -> list[str]:
    """What no deck can give, in words: each card of which there are more than the deck holds.

    >>> overdrawn(["q", "q", "q", "a"])
    ["3 of 'q', and the deck holds 2"]
    """
    return [
        f"{count} of '{card}', and the deck holds {COPIES[card]}"
        for card, count in sorted(Counter(cards).items())
        if count > COPIES[card]
    ]


def refuse_overdrawn(cards: Iterable[str]) -> None:
    """Raises BadInput for cards that no deck can give."""
    for line in overdrawn(cards):
        raise BadInput(f"strict: {line}")


_TWO = re.compile("|".join(TWO_LETTERS))


def readings(word: str) -> list[tuple[str, ...]]:
    """Every way to spell `word` with cards; a two-letter card keeps its letters together and in order.

    >>> readings("quit")
    [('qu', 'i', 't'), ('q', 'u', 'i', 't')]
    """
    pieces: list[list[tuple[str, ...]]] = []  # no two-letter card ends as another begins: each is chosen by itself
    end = 0
    for match in _TWO.finditer(word):
        pieces.append([tuple(word[end : match.start()])])
        pieces.append([(match[0],), tuple(match[0])])
        end = match.end()
    pieces.append([tuple(word[end:])])
    return [sum(choice, ()) for choice in product(*pieces)]
