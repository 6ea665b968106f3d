"""The larger solitaire in plain Python: columns of cards, of which the last one can be used.

48 cards lie in eight columns. A word takes last cards of columns, at least two; the cards above them are turned over
when it is finished. The last card of a column can move to an empty column. Who uses all cards wins. The rules are those
of http://www.toycrossing.com/quiddler/solitaire.shtml, where the cards above the last ones are hidden at first.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import readings

COLUMNS, HEIGHT = 8, 6
"""Columns, and the cards that each of them has at first."""
Table = tuple[tuple[str, ...], ...]
"""The columns, each from its first card to its last, which can be used."""


def take(table: Table, columns: Sequence[int], word: str, min_cards: int) -> Table:
    """Return the table after a word of the last cards of these columns, in this order.

    Raises BadInput if they do not spell it.
    """
    if len(set(columns)) < len(columns) or not all(table[column] for column in columns):
        raise BadInput(f"{word}: expected the last cards of different columns")
    if len(columns) < min_cards or tuple(table[column][-1] for column in columns) not in readings(word):
        raise BadInput(f"{word}: the last cards of these columns do not spell it")
    return tuple(cards[:-1] if number in columns else cards for number, cards in enumerate(table))


def move(table: Table, source: int, target: int) -> Table:
    """Return the table after the last card of a column has moved to an empty one. Raises BadInput for another move."""
    if table[target] or not table[source]:
        raise BadInput(f"column {source + 1} to {target + 1}: expected a card, and an empty column for it")
    after = list(table)
    after[source], after[target] = table[source][:-1], table[source][-1:]
    return tuple(after)
