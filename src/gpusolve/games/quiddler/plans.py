"""Plans: words in the order of play, checked by moving cards on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.cards import readings
from gpusolve.games.quiddler.deals import CARDS, Deal
from gpusolve.games.quiddler.rules import Move, Places
from gpusolve.games.quiddler.spellings import Spellings
from gpusolve.games.quiddler.variant import Variant, score
from gpusolve.result import HIDDEN, Result


class Moved(NamedTuple):
    """A top card that is moved to an empty place; places are counted from 1."""

    card: str
    from_place: int
    to_place: int


@dataclass(frozen=True, repr=False)
class Step(Result):
    """One word of a plan.

    Attributes
    ----------
    word : str
        The word: of all that the cards spell, the first.
    anagrams : list of str
        All words that these cards spell.
    cards : list of str
        The cards in the order of the word.
    places : list of int
        Where the cards lie when the word is played, counted from 1.
    positions : list of int
        Where the cards stand in the deal as it is written, counted from 1: the top cards, then the cards below them.
    moves : list of Moved
        The cards that are moved first, to uncover others.
    turned_up : list of str
        The cards that the word uncovers.
    points : int
        The points of the cards.
    bonus : int
        The bonus of the word.
    numbers : list of int
        The numbers of the cards.
    shifts : list of (card, from place, to place)
        The moves as `rules.move` takes them, with the number of the card and places counted from 0.
    """

    word: str
    anagrams: list[str]
    cards: list[str]
    places: list[int]
    positions: list[int]
    moves: list[Moved]
    turned_up: list[str]
    points: int
    bonus: int
    numbers: list[int] = field(metadata=HIDDEN)
    shifts: list[Move] = field(metadata=HIDDEN)


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """A way to play a deal, replayed card by card.

    Attributes
    ----------
    deal : Deal
        The deal.
    steps : list of Step
        The words in the order of play.
    left : list of str
        The cards left.
    score : int
        Points used minus points left, plus the bonuses.
    """

    deal: Deal = field(metadata=HIDDEN)
    steps: list[Step]
    left: list[str]
    score: int

    @property
    def words(self) -> list[str]:
        """The words in the order of play."""
        return [step.word for step in self.steps]


def numbers_of(cards: int) -> list[int]:
    """Return the numbers of the cards in a set.

    >>> numbers_of(0b100000011)
    [0, 1, 8]
    """
    return [number for number in range(CARDS) if cards >> number & 1]


def replay(
    deal: Deal, plays: Sequence[int], spellings: Spellings, variant: Variant, *, played: Sequence[Step] = ()
) -> Plan:
    """Play these sets of cards on a table, after the steps `played`, and return the plan.

    Raises ValueError for an illegal play.
    """
    places, steps = rules.start(deal), [*played]
    for step in played:
        places = after(places, step)
    for cards in plays:
        words = spellings.spelled_by([deal.cards[number] for number in numbers_of(cards)])
        steps.append(play_word(deal, places, words, in_order(deal, words[0], numbers_of(cards)), variant=variant))
        places = after(places, steps[-1])
    return finish(deal, places, steps, variant)


def finish(deal: Deal, places: Places, steps: list[Step], variant: Variant) -> Plan:
    """Return the plan whose steps have led to this table."""
    left = sorted(sum(places, ()))
    points = score(deal, left, [len(step.word) for step in steps], variant)
    return Plan(deal, steps, [deal.cards[number] for number in left], points)


def play_word(deal: Deal, places: Places, words: list[str], cards: list[int], *, variant: Variant) -> Step:
    """Return the step that plays the first of `words`, spelled by `cards` in this order.

    Raises ValueError if the cards cannot be uncovered.
    """
    moves = rules.open_for(places, cards)
    if moves is None:
        raise ValueError(f"{words[0]}: no place to uncover its cards")
    opened = places
    for step in moves:
        opened = rules.move(opened, step)
    turned_up = sorted(set(rules.uncovered(rules.take(opened, cards))) - set(rules.uncovered(opened)))
    place_of = {pile[-1]: place for place, pile in enumerate(opened) if pile}
    return Step(
        word=words[0],
        anagrams=words,
        cards=[deal.cards[number] for number in cards],
        places=[place_of[number] + 1 for number in cards],
        positions=[deal.position_of(number) for number in cards],
        moves=[Moved(deal.cards[card], source + 1, target + 1) for card, source, target in moves],
        turned_up=[deal.cards[number] for number in turned_up],
        points=sum(variant.values[deal.cards[number]] for number in cards),
        bonus=variant.bonus_row()[len(words[0])],
        numbers=cards,
        shifts=moves,
    )


def after(places: Places, step: Step) -> Places:
    """Return the table after a step."""
    for shift in step.shifts:
        places = rules.move(places, shift)
    return rules.take(places, step.numbers)


def in_order(deal: Deal, word: str, cards: Sequence[int]) -> list[int]:
    """Return the numbers `cards` in the order in which they spell `word`."""
    names = Counter(deal.cards[number] for number in cards)
    reading = next(reading for reading in readings(word) if Counter(reading) == names)
    lying = {name: sorted(number for number in cards if deal.cards[number] == name) for name in names}
    return [lying[name].pop(0) for name in reading]
