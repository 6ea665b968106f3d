"""Scoring: the points of the cards, the bonus of a word, and both as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpusolve import files
from gpusolve.checks import check_integer, check_type, digits, lower
from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import KIND, NAMES, TWO_LETTERS
from gpusolve.games.quiddler.deals import CARDS, Deal

MOST_LETTERS = 2 * CARDS
MOST_POINTS = 1000
"""The greatest bonus or value that is allowed: sums stay far within 32 bits."""
ONE_CARD = f"expected a letter a-z or one of {', '.join(TWO_LETTERS)}"

_POINTS = (2, 8, 8, 5, 2, 6, 6, 7, 2, 13, 8, 3, 5, 5, 2, 6, 15, 5, 3, 3, 4, 11, 10, 12, 4, 14, 10, 7, 7, 9, 9)
VALUES: Mapping[str, int] = dict(zip(NAMES, _POINTS, strict=True))
BONUS: Mapping[int, int] = {5: 2, 6: 5, 7: 10, 8: 20} | {n: 10 * n - 60 for n in range(9, MOST_LETTERS + 1)}
"""Letters of a word -> its bonus. The sources end at 10 letters; ten more for each letter goes on from there."""


def check_values(values: Mapping[str, int]) -> None:
    """Raises BadInput unless each card has its points, from 0 to MOST_POINTS, and nothing else has."""
    check_type("values", values, Mapping)
    for card in (*NAMES, *values):
        if card not in KIND:
            raise BadInput(f"values: no card '{str(card)[:40]}': {ONE_CARD}")
        if card not in values:
            raise BadInput(f"values: no points for '{card}': expected them for each of the {len(NAMES)} cards")
        check_integer(f"points of '{card}'", values[card], 0, MOST_POINTS)


@dataclass(frozen=True)
class Rules:
    """What the sources differ in: points of the cards, bonus of a word by its letters, cards a word needs at least.

    Raises BadInput for a card without points, for points below 0 or above MOST_POINTS, for a bonus of words of fewer
    letters than one or more than MOST_LETTERS, and for another `min_cards` than 1 or 2.
    """

    values: Mapping[str, int] = field(default_factory=lambda: VALUES)
    bonus: Mapping[int, int] = field(default_factory=lambda: BONUS)
    min_cards: int = 2

    def __post_init__(self) -> None:
        check_values(self.values)
        check_type("bonus", self.bonus, Mapping)
        for letters, points in self.bonus.items():
            check_integer("letters", letters, 1, MOST_LETTERS)
            check_integer(f"bonus of {letters} letters", points, 0, MOST_POINTS)
        check_integer("min_cards", self.min_cards, 1, 2)

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


def score(deal: Deal, left: Iterable[int], word_letters: Iterable[int], scoring: Rules = STANDARD) -> int:
    """Points used minus points left, plus the bonus of each word by its number of letters."""
    row = scoring.bonus_row()
    lost = sum(scoring.values[deal.cards[number]] for number in left)
    return sum(scoring.values[card] for card in deal.cards.values()) - 2 * lost + sum(row[n] for n in word_letters)


def parse_values(path: Path) -> dict[str, int]:
    """The points of the cards from a file with a card and its points in each line; the others keep their VALUES."""
    values = dict(VALUES)
    for place, card, points in _pairs_of_file(path):
        if card not in KIND:
            raise BadInput(f"{place}: no card '{card}': {ONE_CARD}")
        values[card] = points
    return values


def parse_bonus(text: str) -> dict[int, int]:
    """A table of bonuses, letters -> points: ``5:2,6:5,7:10``, or the name of a file with such a pair in each line.

    >>> parse_bonus("5:2, 7:10")
    {5: 2, 7: 10}
    """
    check_type("bonus", text, str)
    is_file = files.exists(text)
    table: dict[int, int] = {}
    for place, letters, points in _pairs_of_file(Path(text)) if is_file else _pairs("bonus, entry", text.split(",")):
        if not (number := digits(letters, MOST_LETTERS)):
            raise BadInput(f"{place}: '{letters}' letters: expected a number from 1 to {MOST_LETTERS}")
        table[number] = points
    return table


def _pairs_of_file(path: Path) -> list[tuple[str, str, int]]:
    return _pairs(f"{path}, line", files.read_text(path).splitlines())


def _pairs(source: str, lines: Sequence[str]) -> list[tuple[str, str, int]]:
    """(place, key, points) of each line ``key points``, ``key:points``, ``key=points``; raises BadInput for others."""
    found = []
    for number, line in enumerate(lines, 1):
        parts = [part for part in re.split(r"[\s:=,;]+", lower(line)) if part]
        if not parts:
            continue
        if len(parts) != 2:
            raise BadInput(f"{source} {number}: '{line.strip()}': expected two things, as 5:2 or qu:9")
        points = digits(parts[1], MOST_POINTS)
        if points is None:
            raise BadInput(f"{source} {number}: '{parts[1]}' points: expected a whole number from 0 to {MOST_POINTS}")
        found.append((f"{source} {number}", parts[0], points))
    if not found:
        raise BadInput(f"{source} 1: nothing there: expected pairs, as 5:2 or qu:9")
    return found
