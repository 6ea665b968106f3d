"""Quiddler solitaire in plain Python: a table with moves, and an exhaustive search. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from gpusolve.games.quiddler.cards import readings
from gpusolve.games.quiddler.deals import PILES, Deal
from gpusolve.games.quiddler.variant import STANDARD, Variant, score

Places = tuple[tuple[int, ...], ...]
"""The table: for each place the numbers of its cards, the bottom card first. An empty place is ()."""
Move = tuple[int, int, int]
"""A card moved from a pile of two to an empty place: (card, from place, to place), with places counted from 0."""


def start(deal: Deal) -> Places:
    """Return the table before the first word."""
    return tuple(tuple(number for number in (i, PILES + i) if number in deal.cards) for i in range(deal.piles))


def moves(places: Places) -> list[Move]:
    """Return the legal moves: the top card of any pile of two to any empty place."""
    empty = [i for i, pile in enumerate(places) if not pile]
    return [(pile[1], i, j) for i, pile in enumerate(places) if len(pile) == 2 for j in empty]


def move(places: Places, step: Move) -> Places:
    """Return the table after a move. Raises ValueError for an illegal move."""
    if step not in moves(places):
        raise ValueError(f"{step} is not a move on {places}")
    card, source, target = step
    table = list(places)
    table[source], table[target] = places[source][:1], (card,)
    return tuple(table)


def uncovered(places: Places) -> list[int]:
    """Return the cards that a word can use, place by place."""
    return [pile[-1] for pile in places if pile]


def take(places: Places, cards: Iterable[int]) -> Places:
    """Return the table after a word of these cards. Raises ValueError if one of them is covered."""
    used = set(cards)
    covered = used - set(uncovered(places))
    if covered:
        raise ValueError(f"cards {sorted(covered)} are not uncovered on {places}")
    return tuple(pile[:-1] if pile and pile[-1] in used else pile for pile in places)


def open_for(places: Places, cards: Iterable[int]) -> list[Move] | None:
    """Return the moves that uncover `cards`, each to the first empty place; None if there are too few empty places."""
    needed, steps = set(cards), []
    for i in range(len(places)):
        if len(places[i]) == 2 and places[i][0] in needed:
            if () not in places:
                return None
            step = (places[i][1], i, places.index(()))
            steps.append(step)
            places = move(places, step)
    return steps


def plays(
    deal: Deal, places: Places, words: Iterable[str], variant: Variant = STANDARD
) -> Iterator[tuple[str, list[int]]]:
    """Yield every word that the uncovered cards spell, with each set of cards that spells it, in the word's order."""
    lying: dict[str, list[int]] = {}
    for number in uncovered(places):
        lying.setdefault(deal.cards[number], []).append(number)
    for word in words:
        for reading in readings(word):
            if len(reading) < variant.min_cards or not all(card in lying for card in reading):
                continue
            seen = set()
            for cards in product(*(lying[card] for card in reading)):
                key = frozenset(cards)
                if len(key) == len(reading) and key not in seen:
                    seen.add(key)
                    yield word, list(cards)


def exhaustive(
    deal: Deal, words: Sequence[str], *, variant: Variant = STANDARD, max_words: int | None = None
) -> tuple[int, int | None]:
    """Return the best score, and the best with all cards used (None if impossible), by trying every move and word.

    It is for small deals. It uses neither that the worth of a position depends only on the cards left, nor when a move
    is useful.

    >>> exhaustive(Deal(("i", "t"), ("a", "s")), ["it", "as"])
    (10, 10)
    """
    row = variant.bonus_row()
    most_bonus: dict[tuple[Places, int], int] = {}  # by the table, whatever the order of its places, and by the words
    open_tables = [(start(deal), 0, 0)]
    while open_tables:
        places, played, bonus = open_tables.pop()
        key = (tuple(sorted(places)), played if max_words else 0)
        if most_bonus.get(key, -1) >= bonus:
            continue
        most_bonus[key] = bonus
        open_tables += [(move(places, step), played, bonus) for step in moves(places)]
        if played != max_words:
            for word, cards in plays(deal, places, words, variant):
                open_tables.append((take(places, cards), played + 1, bonus + row[len(word)]))
    scores = [(score(deal, sum(places, ()), (), variant) + bonus, places) for (places, _), bonus in most_bonus.items()]
    return max(scores)[0], max((value for value, places in scores if not any(places)), default=None)
