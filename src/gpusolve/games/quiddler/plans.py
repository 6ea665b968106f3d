"""A plan: words in the order of play, from a literal table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.cards import readings
from gpusolve.games.quiddler.deals import CARDS, Deal
from gpusolve.games.quiddler.rules import Move, Places
from gpusolve.games.quiddler.spellings import Spellings
from gpusolve.games.quiddler.variant import Rules, score


@dataclass(frozen=True)
class Step:
    """One word of a plan: its cards by number in the order of the word, what was moved first, what turned up after.

    `words` are all that these cards spell; `word` is the first of them. `places` are where the cards lie when the word
    is played, counted from 0; `points` are those of the cards.
    """

    word: str
    words: list[str]
    cards: list[int]
    places: list[int]
    moves: list[Move]
    turned_up: list[int]
    points: int
    bonus: int


@dataclass(frozen=True)
class Plan:
    """Words in the order of play, the cards left by number, and the score, all from a literal replay."""

    deal: Deal
    steps: list[Step]
    left: list[int]
    score: int

    @property
    def words(self) -> list[str]:
        """The words alone."""
        return [step.word for step in self.steps]


def numbers_of(cards: int) -> list[int]:
    """The numbers of the cards in a set.

    >>> numbers_of(0b100000011)
    [0, 1, 8]
    """
    return [number for number in range(CARDS) if cards >> number & 1]


def replay(deal: Deal, plays: Sequence[int], spellings: Spellings, scoring: Rules) -> Plan:
    """The plan of these sets of cards, played on a literal table. Raises ValueError where a play is not legal."""
    places, steps = rules.start(deal), []
    for cards in plays:
        words = spellings.spelled_by([deal.cards[number] for number in numbers_of(cards)])
        steps.append(play_word(deal, places, words, in_order(deal, words[0], numbers_of(cards)), scoring))
        places = after(places, steps[-1])
    return finish(deal, places, steps, scoring)


def finish(deal: Deal, places: Places, steps: list[Step], scoring: Rules) -> Plan:
    """The plan that has led to this table."""
    left = sorted(sum(places, ()))
    return Plan(deal, steps, left, score(deal, left, [len(step.word) for step in steps], scoring))


def play_word(deal: Deal, places: Places, words: list[str], cards: list[int], scoring: Rules) -> Step:
    """The first of `words`, spelled by `cards` in this order, as a step. Raises ValueError where they stay covered."""
    moves = rules.open_for(places, cards)
    if moves is None:
        raise ValueError(f"{words[0]}: no place to uncover its cards")
    opened = places
    for step in moves:
        opened = rules.move(opened, step)
    turned_up = sorted(set(rules.uncovered(rules.take(opened, cards))) - set(rules.uncovered(opened)))
    lies = {pile[-1]: place for place, pile in enumerate(opened) if pile}
    points = sum(scoring.values[deal.cards[number]] for number in cards)
    return Step(
        words[0],
        words,
        cards,
        [lies[number] for number in cards],
        moves,
        turned_up,
        points,
        scoring.bonus_row()[len(words[0])],
    )


def after(places: Places, step: Step) -> Places:
    """The table after a step."""
    for moved in step.moves:
        places = rules.move(places, moved)
    return rules.take(places, step.cards)


def in_order(deal: Deal, word: str, cards: Sequence[int]) -> list[int]:
    """The numbers `cards` in the order in which they spell `word`."""
    names = Counter(deal.cards[number] for number in cards)
    reading = next(reading for reading in readings(word) if Counter(reading) == names)
    lying = {name: sorted(number for number in cards if deal.cards[number] == name) for name in names}
    return [lying[name].pop(0) for name in reading]
