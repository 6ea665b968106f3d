"""Deals solved to the proven optimum: the score, how many plans reach it, a few of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, check_integer, check_type
from gpusolve.errors import NoSolution
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler.cards import refuse_overdrawn
from gpusolve.games.quiddler.deals import CARDS, PILES, Deal, encode
from gpusolve.games.quiddler.plans import Plan, numbers_of, replay
from gpusolve.games.quiddler.spellings import spell
from gpusolve.games.quiddler.variant import STANDARD, Rules
from gpusolve.wordlists import Words

Goal = Literal["best", "all", "any"]
"""The best plan; the best that uses all cards; all cards used, whatever the score."""
MOST_PLANS = 10**9
PAIRS = 1 << 20  # of a set of cards left and one played, looked at together
MOST_EXAMINED = 10_000  # plans looked through for some that do not differ in order only

Node = tuple[int, int]
"""A layer of `best_bonus` and a set of cards left."""
Play = tuple[int, Node]
"""A word's set of cards and where it was played."""


@dataclass(frozen=True)
class Solution:
    """The proven optimum of a deal.

    `n_plans` counts every plan that reaches it, a plan being a sequence of sets of cards: another order counts, another
    word from the same cards does not. `plans` are a few that differ in more than the order, few words first. `sets` of
    cards spell a word; `states` sets of cards left are reached by some play.
    """

    deal: Deal
    score: int
    n_plans: int
    plans: list[Plan]
    sets: int
    states: int


def solve(
    deal: Deal,
    dictionary: Words = "scowl-70",
    scoring: Rules = STANDARD,
    goal: Goal = "best",
    max_words: int | None = None,
    plans: int = 3,
    strict: bool = False,
    backend: Backend | None = None,
) -> Solution:
    """The best play of a deal, proven; see Goal for what is sought, and `max_words` for at most so many words.

    `plans`: how many to give, if there are as many. Who solves many deals makes the `dictionary` once, with `spell`.
    Raises NoSolution where all cards are to be used and no play does, and BadInput for another goal, numbers out of
    range (`max_words` 1 to 16, `plans` 1 to MOST_PLANS) and, if `strict`, for a deal that no deck can give.

    >>> from gpusolve.games.quiddler import parse_deal
    >>> solution = solve(parse_deal("nwu(th)ryyi / acjounbi"))
    >>> solution.score, solution.plans[0].words
    (107, ['nu', 'ja', 'bi', 'icy', 'unworthy'])
    """
    check_type("deal", deal, Deal)
    check_type("scoring", scoring, Rules)
    check_choice("goal", goal, get_args(Goal))
    if max_words is not None:
        check_integer("max_words", max_words, 1, CARDS)
    check_integer("plans", plans, 1, MOST_PLANS)
    if strict:
        refuse_overdrawn(deal.cards.values())
    spellings = spell(dictionary, scoring.min_cards)
    backend = open_backend(backend)
    counted = replace(scoring, bonus={}) if goal == "any" else scoring
    row = encode(deal)[None]  # a batch of one deal
    sets = kernels.card_sets(backend, row, kernels.load(backend, spellings))
    reached = kernels.best_bonus(backend, row, sets, counted, max_words or 0)
    outcome = kernels.outcome(backend, row, reached, counted)
    best = int(outcome.best[0] if goal == "best" else outcome.best_all[0])
    if best == kernels.NEVER:
        words = f" with at most {max_words} words" if max_words else ""
        raise NoSolution(f"proven: no play of this deal uses all {2 * deal.piles} cards{words}")
    graph = _Graph(deal, counted, backend.to_host(sets)[0], backend.to_host(reached)[0])
    graph.trace(best, goal)
    found = [replay(deal, cards, spellings, scoring) for cards in graph.examples(plans)]
    return Solution(deal, found[0].score, graph.count(), found, len(graph.sets), int(outcome.states[0]))


class _Graph:
    """The plays that lie on a way to the optimum, found backwards from its ends.

    Of a node that no way to the optimum passes, `ways` and `shortest` are 0. All plans together are fewer than the ways
    to divide 16 cards into an ordered list of sets, 2^53, so 64 bits count them.
    """

    def __init__(
        self, deal: Deal, scoring: Rules, bitmap: npt.NDArray[np.uint32], reached: npt.NDArray[np.uint32]
    ) -> None:
        self.reached = reached
        self.sets = np.flatnonzero(np.unpackbits(bitmap.view(np.uint8), bitorder="little")).astype(np.int32)
        self.deal, self.piles = deal, deal.piles
        self.dealt = sum(1 << number for number in deal.cards)
        letters = sum((self.sets >> number & 1) * len(card) for number, card in deal.cards.items())
        self.bonus = np.array(scoring.bonus_row())[letters]
        self.values = {number: scoring.values[card] for number, card in deal.cards.items()}
        self.ends: list[Node] = []
        self.ways = np.zeros(reached.shape, np.int64)
        self.shortest = np.zeros(reached.shape, np.int32)

    def trace(self, best: int, goal: Goal) -> None:
        """Finds `ends`, the nodes that have the score `best`, and for each node on a way to them the ways that lead
        to it and the fewest words among these."""
        left = np.arange(1 << CARDS)
        lost = sum((left >> number & 1) * value for number, value in self.values.items())
        scores = self.reached.astype(np.int64) - 1 + sum(self.values.values()) - 2 * lost
        ends = np.argwhere((self.reached > 0) & (scores == best) & ((left == 0) | (goal == "best")))
        self.ends = [(int(layer), int(state)) for layer, state in ends]
        passed = np.zeros(self.reached.shape, np.bool_)
        passed[tuple(ends.T)] = True
        # What was played earlier has more cards left: backwards from the ends, and then forward from the deal.
        sizes = np.bitwise_count(left)
        by_size = [np.flatnonzero(sizes == size) for size in range(CARDS + 1)]
        for states in by_size:
            for layer, some in self._chunks(passed, states):
                number, cards = self._last_plays(layer, some)
                passed[self._before(layer), some[number] | cards] = True
        for states in reversed(by_size):
            for layer, some in self._chunks(passed, states):
                number, cards = self._last_plays(layer, some)
                earlier = self._before(layer), some[number] | cards
                self.ways[layer, some] = some == self.dealt
                np.add.at(self.ways[layer], some[number], self.ways[earlier])
                self.shortest[layer, some] = np.where(some == self.dealt, 0, CARDS + 1)
                np.minimum.at(self.shortest[layer], some[number], 1 + self.shortest[earlier])

    def _chunks(
        self, passed: npt.NDArray[np.bool_], states: npt.NDArray[np.intp]
    ) -> Iterator[tuple[int, npt.NDArray[np.int32]]]:
        """Those of `states` that are passed, with their layer, as many as are soon compared with all sets."""
        at_once = max(1, PAIRS // max(1, len(self.sets)))
        for layer in range(len(passed)):
            found = states[passed[layer, states]].astype(np.int32)
            yield from ((layer, found[first : first + at_once]) for first in range(0, len(found), at_once))

    def _before(self, layer: int) -> int:
        return layer - 1 if len(self.reached) > 1 else layer

    def _last_plays(
        self, layer: int, states: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]:
        """The plays on best ways that lead to some states: the state's number among these, the set of cards."""
        earlier = self._before(layer)
        number, place = np.nonzero(states[:, None] & self.sets == 0)
        if earlier < 0:
            number, place = number[:0], place[:0]
        cards = self.sets[place]
        left = states[number] | cards
        top, bottom = left >> PILES, left & 255
        empty = self.piles - np.bitwise_count(top | bottom).astype(np.int64)
        tight = (
            (np.bitwise_count(top & bottom & cards) <= empty)
            & (self.reached[earlier, left] > 0)
            & (self.reached[earlier, left] + self.bonus[place] == self.reached[layer, states[number]])
        )
        return number[tight], cards[tight]

    def count(self) -> int:
        """How many ways lead to the ends."""
        return sum(int(self.ways[end]) for end in self.ends)

    def examples(self, most: int) -> list[list[int]]:
        """Up to `most` ways, at least one, no two with the same words in another order; few words first."""

        @cache
        def plays(node: Node) -> list[Play]:
            layer, state = node
            _, cards = self._last_plays(layer, np.array([state], np.int32))
            found = [(play, (self._before(layer), play | state)) for play in cards.tolist()]
            return sorted(found, key=lambda play: (self.shortest[play[1]], -play[0].bit_count(), play))

        def ways(node: Node) -> Iterator[list[int]]:
            if node[1] == self.dealt:
                yield []
            for cards, earlier in plays(node):
                for way in ways(earlier):
                    yield [*way, cards]

        names = cache(lambda cards: tuple(sorted(self.deal.cards[number] for number in numbers_of(cards))))
        found: dict[tuple[tuple[str, ...], ...], list[int]] = {}
        ends = sorted(self.ends, key=lambda end: (self.shortest[end], end))
        for way in islice((way for end in ends for way in ways(end)), MOST_EXAMINED):
            found.setdefault(tuple(sorted(map(names, way))), way)
            if len(found) >= most:
                break
        return list(found.values())
