"""Which Quiddler is played: the points of the cards, the bonus of a word, and both as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpusolve import files
from gpusolve.checks import check_integer, check_type, digits, lower, shown
from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import KIND, NAMES, TWO_LETTERS
from gpusolve.games.quiddler.deals import CARDS, Deal
from gpusolve.options import Options
from gpusolve.result import Result

MOST_LETTERS = 2 * CARDS
MOST_POINTS = 1000
"""The largest bonus or value of a card: sums stay far within 32 bits."""
ONE_CARD = f"expected a letter a-z or one of {', '.join(TWO_LETTERS)}"

_POINTS = (2, 8, 8, 5, 2, 6, 6, 7, 2, 13, 8, 3, 5, 5, 2, 6, 15, 5, 3, 3, 4, 11, 10, 12, 4, 14, 10, 7, 7, 9, 9)
VALUES: Mapping[str, int] = dict(zip(NAMES, _POINTS, strict=True))
"""Card -> its points."""
BONUS: Mapping[int, int] = {5: 2, 6: 5, 7: 10, 8: 20} | {n: 10 * n - 60 for n in range(9, MOST_LETTERS + 1)}
"""Letters of a word -> its bonus. The sources end at 10 letters; longer words get ten more for each letter."""


def check_values(values: Mapping[str, int]) -> None:
    """Raise BadInput unless every card, and nothing else, has points from 0 to MOST_POINTS."""
    check_type("values", values, Mapping)
    for card in (*NAMES, *values):
        if card not in KIND:
            raise BadInput(f"values: '{shown(card)}' is not a card: {ONE_CARD}")
        if card not in values:
            raise BadInput(f"values: no points for '{card}': expected points for each of the {len(NAMES)} cards")
        check_integer(f"points of '{card}'", values[card], 0, MOST_POINTS)


@dataclass(frozen=True, repr=False)
class Variant(Result, Options):
    """The rules in which the sources differ: points, bonuses, and the fewest cards of a word.

    Parameters
    ----------
    values : mapping of str to int, optional
        The points of each card, 0 to 1000. By default the printed ones.
    bonus : mapping of int to int, optional
        The bonus of a word by its number of letters, 1 to 32, each 0 to 1000 points. A length that is not listed has
        the bonus of the next shorter one. By default 5:2, 6:5, 7:10, 8:20, 9:30 and so on.
    min_cards : {1, 2}
        The fewest cards of a word.

    Raises
    ------
    BadInput
        For a card without points, for unknown cards, and for numbers out of range.

    Examples
    --------
    >>> Variant(bonus={7: 10, 5: 2}).bonus_row()[4:10]
    [0, 2, 2, 10, 10, 10]
    """

    values: Mapping[str, int] = field(default_factory=lambda: VALUES)
    bonus: Mapping[int, int] = field(default_factory=lambda: BONUS)
    min_cards: int = 2

    def __post_init__(self) -> None:
        check_values(self.values)
        check_type("bonus", self.bonus, Mapping)
        for letters, points in self.bonus.items():
            letters = check_integer("letters", letters, 1, MOST_LETTERS)
            check_integer(f"bonus of {letters} letters", points, 0, MOST_POINTS)
        check_integer("min_cards", self.min_cards, 1, 2)

    @classmethod
    def load(
        cls,
        *,
        values: Mapping[str, int] | Path | None = None,
        bonus: Mapping[int, int] | str | None = None,
        min_cards: int = 2,
    ) -> Variant:
        """Return a variant from texts and files.

        Parameters
        ----------
        values : mapping of str to int, or Path, optional
            File with a card and its points in each line, such as ``qu 9``. By default the printed points.
        bonus : mapping of int to int, or str, optional
            Bonus of a word by its number of letters, such as ``5:2,6:5,7:10``, or a file with such a pair in each line.
            By default 5:2, 6:5, 7:10, 8:20, 9:30 and so on.
        min_cards : int, default 2
            Minimum number of cards of a word, 1 or 2.

        Returns
        -------
        Variant

        Raises
        ------
        BadInput
            As for `Variant`, and for a file or a text that cannot be read.
        """
        return cls(
            VALUES if values is None else parse_values(values) if isinstance(values, Path) else values,
            BONUS if bonus is None else parse_bonus(bonus) if isinstance(bonus, str) else bonus,
            min_cards,
        )

    def bonus_row(self) -> list[int]:
        """Return the bonus of a word of 0, 1, ... 32 letters."""
        row = [0] * (MOST_LETTERS + 1)
        for letters in sorted(self.bonus):
            row[letters:] = [self.bonus[letters]] * len(row[letters:])
        return row


STANDARD = Variant()


def check_variant(variant: Variant | None) -> Variant:
    """Return the variant, or the standard game for None. Raises TypeError for anything else."""
    if variant is None:
        return STANDARD
    check_type("variant", variant, Variant)
    return variant


def score(deal: Deal, left: Iterable[int], word_letters: Iterable[int], variant: Variant = STANDARD) -> int:
    """Return the points used minus the points left, plus the bonus of each word by its number of letters."""
    row = variant.bonus_row()
    lost = sum(variant.values[deal.cards[number]] for number in left)
    return sum(variant.values[card] for card in deal.cards.values()) - 2 * lost + sum(row[n] for n in word_letters)


def parse_values(path: Path) -> dict[str, int]:
    """Read the points of the cards from a file.

    Parameters
    ----------
    path : path
        A text file with a card and its points in each line: ``qu 9``, ``qu:9`` or ``qu=9``.

    Returns
    -------
    dict of str to int
        The points of every card; the cards that the file does not list keep their printed points.

    Raises
    ------
    BadInput
        For a file that cannot be read, and for a line that is not such a pair; the message names the line.
    """
    values = dict(VALUES)
    for place, card, points in _pairs_of_file(path):
        if card not in KIND:
            raise BadInput(f"{place}: '{card}' is not a card: {ONE_CARD}")
        values[card] = points
    return values


def parse_bonus(text: str) -> dict[int, int]:
    """Read the bonuses of words by their number of letters.

    Parameters
    ----------
    text : str
        Pairs of letters and points, ``5:2,6:5,7:10``, or the name of a file with such a pair in each line.

    Returns
    -------
    dict of int to int
        Letters -> points.

    Raises
    ------
    BadInput
        For a file that cannot be read, and for an entry that is not such a pair; the message names the entry.

    Examples
    --------
    >>> parse_bonus("5:2, 7:10")
    {5: 2, 7: 10}
    """
    check_type("bonus", text, str)
    is_file = files.exists(text)
    bonus: dict[int, int] = {}
    for place, letters, points in _pairs_of_file(Path(text)) if is_file else _pairs("bonus, entry", text.split(",")):
        if not (number := digits(letters, MOST_LETTERS)):
            raise BadInput(f"{place}: '{letters}' letters: expected a number from 1 to {MOST_LETTERS}")
        bonus[number] = points
    return bonus


def _pairs_of_file(path: Path) -> list[tuple[str, str, int]]:
    return _pairs(f"{path}, line", files.read_text(path).splitlines())


def _pairs(source: str, lines: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return (place, key, points) for each line ``key points``, ``key:points`` or ``key=points``."""
    pairs = []
    for number, line in enumerate(lines, 1):
        parts = [part for part in re.split(r"[\s:=,;]+", lower(line)) if part]
        if not parts:
            continue
        if len(parts) != 2:
            raise BadInput(f"{source} {number}: '{line.strip()}': expected a pair such as 5:2 or qu:9")
        points = digits(parts[1], MOST_POINTS)
        if points is None:
            raise BadInput(f"{source} {number}: '{parts[1]}' points: expected a whole number from 0 to {MOST_POINTS}")
        pairs.append((f"{source} {number}", parts[0], points))
    if not pairs:
        raise BadInput(f"{source} 1: empty: expected pairs such as 5:2 or qu:9")
    return pairs
