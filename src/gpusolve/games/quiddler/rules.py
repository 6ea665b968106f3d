"""Quiddler solitaire in plain Python: cards, deals, a table with explicit moves, scoring. The oracle of the tests.

A deal is two rows of cards; card i of the top row lies on card i of the bottom row. A card is known by its *number*:
bottom card i is number i, top card i is number 8 + i, so that a set of cards is a number of 16 bits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput

PILES = 8
"""Piles of a full deal, and places on the table."""
CARDS = 2 * PILES
NO_CARD = 255
"""Stands for the card of a pile that a smaller deal does not have."""
MOST_LETTERS = 2 * CARDS
LARGEST = 1000
"""The greatest bonus or value that is allowed: sums stay far within 32 bits."""

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

_POINTS = (2, 8, 8, 5, 2, 6, 6, 7, 2, 13, 8, 3, 5, 5, 2, 6, 15, 5, 3, 3, 4, 11, 10, 12, 4, 14, 10, 7, 7, 9, 9)
VALUES: Mapping[str, int] = dict(zip(NAMES, _POINTS, strict=True))
BONUS: Mapping[int, int] = {5: 2, 6: 5, 7: 10, 8: 20} | {n: 10 * n - 60 for n in range(9, MOST_LETTERS + 1)}
"""Letters of a word -> its bonus. The sources end at 10 letters; ten more for each letter goes on from there."""

Places = tuple[tuple[int, ...], ...]
"""The table: for each place the numbers of its cards, the lowest first. An empty place is ()."""
Move = tuple[int, int, int]
"""A card laid from a pile of two on an empty place: (card, from place, to place), places counted from 0."""


@dataclass(frozen=True)
class Deal:
    """Eight piles of two, or fewer piles for a smaller game on as many places.

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
            raise ValueError(f"{len(self.tops)} cards on {len(self.bottoms)}: expected as many, at most {PILES}")

    def __str__(self) -> str:
        return f"{' '.join(self.tops)} / {' '.join(self.bottoms)}"

    @property
    def piles(self) -> int:
        """Piles, and places on the table."""
        return len(self.tops)

    @property
    def cards(self) -> dict[int, str]:
        """Number -> card."""
        return dict(enumerate(self.bottoms)) | {PILES + i: card for i, card in enumerate(self.tops)}


@dataclass(frozen=True)
class Rules:
    """What the sources differ in: points of the cards, bonus of a word by its letters, cards a word needs at least."""

    values: Mapping[str, int] = field(default_factory=lambda: VALUES)
    bonus: Mapping[int, int] = field(default_factory=lambda: BONUS)
    min_cards: int = 2

    def bonus_row(self) -> list[int]:
        """The bonus of a word of 0, 1, ... 32 letters; a length that is not listed has that of the next shorter one.

        >>> Rules(bonus={7: 10, 5: 2}).bonus_row()[4:10]
        [0, 2, 2, 10, 10, 10]
        """
        row = [0] * (MOST_LETTERS + 1)
        for letters in sorted(self.bonus):
            row[letters:] = [self.bonus[letters]] * len(row[letters:])
        return row


STANDARD = Rules()


# Cards and deals as people write them


def parse_cards(text: str, before: int = 0) -> list[str]:
    """The cards written in `text`: ``a n qu er``, ``a,n,(qu),(er)`` or ``an(qu)(er)``, any case.

    What stands alone and names a card is that card, so ``in`` is one card and ``i n`` two; other letters are a card
    each, and brackets hold a two-letter card. Raises BadInput for anything else, with its place, `before` cards later.

    >>> parse_cards("th e qu(in)ze")
    ['th', 'e', 'q', 'u', 'in', 'z', 'e']
    """
    cards: list[str] = []
    for token in re.split(r"[\s,;|]+", text.strip().lower()):
        if token in KIND:
            cards.append(token)
            continue
        for bracketed, other in re.findall(r"\(([^()]*)\)|(.)", token):
            card = bracketed or other
            if card not in KIND:
                raise BadInput(
                    f"card {before + len(cards) + 1}, '{card}': expected a letter a-z or one of {', '.join(NAMES[26:])}"
                )
            cards.append(card)
    return cards


def parse_deal(text: str) -> Deal:
    """A deal of 16 cards, the eight on top first, then those below; a ``/`` or a line's end may part the rows.

    Raises BadInput for an unknown card and for another number of cards.
    """
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


def random_deal(seed: int, number: int = 0) -> Deal:
    """Deal `number` of a seed: 16 of the deck's 118 cards.

    >>> print(random_deal(1))
    e n s o r d c cl / o o e e t d t u
    """
    return decode(random_deals(seed, number, 1)[0])


def random_deals(seed: int, first: int, count: int) -> npt.NDArray[np.uint8]:
    """Deals first, first + 1, ... of a seed, as `encode` has them, uint8 (count, 16).

    The first 16 exchanges of a Fisher-Yates shuffle; each draws from a hash (SplitMix64) of the seed, the deal's
    number and the exchange, so that any deal of a census can be had again by its number, with any NumPy.
    """
    deals = _mix(_mix(np.array([seed % 2**64], np.uint64)) ^ np.arange(first, first + count, dtype=np.uint64))
    deck = np.tile(np.array([KIND[card] for card in DECK], np.uint8), (count, 1))
    rows = np.arange(count)
    for i in range(CARDS):
        draw = _mix(deals + np.uint64(i)) % np.uint64(len(DECK) - i)
        other = i + draw.astype(np.intp)
        deck[rows, other], deck[:, i] = deck[:, i].copy(), deck[rows, other]
    return np.ascontiguousarray(deck[:, :CARDS])


def _mix(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """SplitMix64's output for the state x (Steele, Lea, Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ x >> np.uint64(31), np.uint64)


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


def parse_values(path: Path) -> dict[str, int]:
    """The points of the cards from a file with a card and its points in each line; the others keep their VALUES."""
    values = dict(VALUES)
    for place, card, points in _pairs_of_file(path):
        if card not in KIND:
            raise BadInput(f"{place}: no card '{card}': expected a letter a-z or one of {', '.join(NAMES[26:])}")
        values[card] = points
    return values


def parse_bonus(text: str) -> dict[int, int]:
    """A table of bonuses, letters -> points: ``5:2,6:5,7:10``, or the name of a file with such a pair in each line.

    >>> parse_bonus("5:2, 7:10")
    {5: 2, 7: 10}
    """
    is_file = Path(text).is_file()
    table: dict[int, int] = {}
    for place, letters, points in _pairs_of_file(Path(text)) if is_file else _pairs("bonus, entry", text.split(",")):
        if not letters.isdecimal() or not 1 <= int(letters) <= MOST_LETTERS:
            raise BadInput(f"{place}: '{letters}' letters: expected a number from 1 to {MOST_LETTERS}")
        table[int(letters)] = points
    return table


def _pairs_of_file(path: Path) -> list[tuple[str, str, int]]:
    try:
        return _pairs(f"{path}, line", path.read_text(encoding="utf-8-sig").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as UTF-8 text: {error}") from error


def _pairs(source: str, lines: Sequence[str]) -> list[tuple[str, str, int]]:
    """(place, key, points) of each line ``key points``, ``key:points``, ``key=points``; raises BadInput for others."""
    found = []
    for number, line in enumerate(lines, 1):
        parts = [part for part in re.split(r"[\s:=,;]+", line.strip().lower()) if part]
        if not parts:
            continue
        if len(parts) != 2:
            raise BadInput(f"{source} {number}: '{line.strip()}': expected two things, as 5:2 or qu:9")
        if not parts[1].isdecimal() or int(parts[1]) > LARGEST:
            raise BadInput(f"{source} {number}: '{parts[1]}' points: expected a whole number from 0 to {LARGEST}")
        found.append((f"{source} {number}", parts[0], int(parts[1])))
    if not found:
        raise BadInput(f"{source} 1: nothing there: expected pairs, as 5:2 or qu:9")
    return found


# Words and scores

_TWO = re.compile("|".join(NAMES[26:]))


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


def score(deal: Deal, left: Iterable[int], word_letters: Iterable[int], rules: Rules = STANDARD) -> int:
    """Points used minus points left, plus the bonus of each word by its number of letters."""
    row = rules.bonus_row()
    lost = sum(rules.values[deal.cards[number]] for number in left)
    return sum(rules.values[card] for card in deal.cards.values()) - 2 * lost + sum(row[n] for n in word_letters)


# The table


def start(deal: Deal) -> Places:
    """The table before the first word."""
    return tuple((i, PILES + i) for i in range(deal.piles))


def moves(places: Places) -> list[Move]:
    """The moves that are open: the top card of a pile of two to an empty place."""
    empty = [i for i, pile in enumerate(places) if not pile]
    return [(pile[1], i, j) for i, pile in enumerate(places) if len(pile) == 2 for j in empty]


def move(places: Places, step: Move) -> Places:
    """The table after a move. Raises ValueError for a move that is not open."""
    if step not in moves(places):
        raise ValueError(f"{step} is no move on {places}")
    card, source, target = step
    table = list(places)
    table[source], table[target] = places[source][:1], (card,)
    return tuple(table)


def uncovered(places: Places) -> list[int]:
    """The cards that a word may use, place by place."""
    return [pile[-1] for pile in places if pile]


def take(places: Places, cards: Iterable[int]) -> Places:
    """The table after a word of these cards. Raises ValueError if one of them is not uncovered."""
    used = set(cards)
    covered = used - set(uncovered(places))
    if covered:
        raise ValueError(f"cards {sorted(covered)} are not uncovered on {places}")
    return tuple(pile[:-1] if pile and pile[-1] in used else pile for pile in places)


def open_for(places: Places, cards: Iterable[int]) -> list[Move] | None:
    """The moves that uncover `cards`, each to the first empty place; None where places are too few."""
    wanted, done = set(cards), []
    for i in range(len(places)):
        if len(places[i]) == 2 and places[i][0] in wanted:
            if () not in places:
                return None
            step = (places[i][1], i, places.index(()))
            done.append(step)
            places = move(places, step)
    return done


def plays(deal: Deal, places: Places, words: Iterable[str], rules: Rules = STANDARD) -> Iterator[tuple[str, list[int]]]:
    """Every word that the uncovered cards spell, with each set of cards that does, in the order of the word."""
    lying: dict[str, list[int]] = {}
    for number in uncovered(places):
        lying.setdefault(deal.cards[number], []).append(number)
    for word in words:
        for reading in readings(word):
            if len(reading) < rules.min_cards or not all(card in lying for card in reading):
                continue
            seen = set()
            for cards in product(*(lying[card] for card in reading)):
                key = frozenset(cards)
                if len(key) == len(reading) and key not in seen:
                    seen.add(key)
                    yield word, list(cards)


def exhaustive(
    deal: Deal, words: Sequence[str], rules: Rules = STANDARD, max_words: int | None = None
) -> tuple[int, int | None]:
    """The best score and the best with all cards used (None: never), by trying every move and every word everywhere.

    For small deals. It knows neither that the rest's worth depends on the cards left only, nor when a move is useful.

    >>> exhaustive(Deal(("i", "t"), ("a", "s")), ["it", "as"])
    (10, 10)
    """
    row = rules.bonus_row()
    seen: dict[tuple[Places, int], int] = {}  # the table, places in any order, and the words -> most bonus on the way
    open_tables = [(start(deal), 0, 0)]
    while open_tables:
        places, played, bonus = open_tables.pop()
        key = (tuple(sorted(places)), played if max_words else 0)
        if seen.get(key, -1) >= bonus:
            continue
        seen[key] = bonus
        open_tables += [(move(places, step), played, bonus) for step in moves(places)]
        if played != max_words:
            for word, cards in plays(deal, places, words, rules):
                open_tables.append((take(places, cards), played + 1, bonus + row[len(word)]))
    scores = [(score(deal, sum(places, ()), (), rules) + bonus, places) for (places, _), bonus in seen.items()]
    return max(scores)[0], max((value for value, places in scores if not any(places)), default=None)
