"""A deal solved to the proven optimum: the score, the number of plans that reach it, and a few of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice, pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, open_backend
from gpusolve.checks import check_choice, check_integer, check_type
from gpusolve.errors import BadInput, NoSolution, WrongSolution
from gpusolve.games.quiddler import kernels
from gpusolve.games.quiddler._check import entries_of, play
from gpusolve.games.quiddler._deal import deal as random_deal
from gpusolve.games.quiddler.cards import overdrawn, refuse_overdrawn
from gpusolve.games.quiddler.deals import CARDS, PILES, Deal, encode
from gpusolve.games.quiddler.plans import Plan, Step, numbers_of, replay
from gpusolve.games.quiddler.spellings import Spellings, spell, spell_hand
from gpusolve.games.quiddler.variant import Variant, check_variant
from gpusolve.result import Result, reported
from gpusolve.wordlists import Words

Goal = Literal["best", "all", "any"]
"""The best score; the best score with all cards used; or all cards used, with any score."""
MOST_PLANS = 10**9
PAIRS = 1 << 20  # pairs of a set of cards left and a set played that are examined together
MOST_EXAMINED = 10_000  # plans examined to find a few that differ in more than their order

Node = tuple[int, int]
"""A layer of `best_bonus` and a set of cards left."""
Play = tuple[int, Node]
"""A word's set of cards, and the node at which it was played."""


@dataclass(frozen=True, repr=False)
class Solution(Result, schema="quiddler.solve/3"):
    """The proven optimum of a deal, or of the game that goes on after some words.

    Attributes
    ----------
    deal : Deal
        The deal.
    goal : {"best", "all", "any"}
        What was searched for.
    max_words : int or None
        The maximum number of words; None for any number.
    lost : list of int
        The points that each word played so far has lost: how much less can be reached after it. They are about the
        best score, with the goal "all" about the best score that uses all cards.
    score : int
        The best score; with the goal "any", the score of the first plan. The words played so far count.
    n_plans : int
        Number of plans that reach the goal and begin with the words played so far. A plan is a sequence of sets of
        cards: another order is another plan, another word from the same cards is not.
    plans : list of Plan
        A few plans that differ in more than their order; plans with fewer words come first. They begin with the words
        played so far.
    sets : int
        Number of sets of cards that spell a word.
    states : int
        Number of sets of cards left that some play reaches, summed over the numbers of words if `max_words` is given.
    """

    deal: Deal
    goal: Goal
    max_words: int | None
    lost: list[int]
    score: int
    n_plans: int
    plans: list[Plan]
    sets: int
    states: int

    @reported
    def proven(self) -> bool:
        """Whether the score is proven to be the best for this goal: always, because the search leaves nothing out."""
        return True

    @reported
    def warnings(self) -> list[str]:
        """A sentence for each card of which there are more copies than the deck has."""
        return overdrawn(self.deal.cards.values())


def solve(
    deal: Deal | str | Sequence[str] | None = None,
    *,
    plan: str = "",
    goal: Goal = "best",
    max_words: int | None = None,
    top: int = 3,
    dictionary: Words = "scowl-70",
    variant: Variant | None = None,
    strict: bool = False,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Solution:
    """Find the best way to play a deal, or to play on, and prove that it is the best.

    Parameters
    ----------
    deal : Deal, str or sequence of str, optional
        The eight top cards, then the eight cards below them, such as ``n w u th r y y i / a c j o u n b i`` or
        ``nwu(th)ryyi acjounbi``. By default a random deal. In the middle of a game, a point stands for a card that is
        gone: ``. w . th r y y i / a c j o u n b i``. With shorter rows the other places are empty.
    plan : str, optional
        The words played so far, in order, separated by spaces or commas. A word can name its cards, ``(qu)it`` or
        ``q-u-i-t``, or say which cards it takes, by their positions in the deal: ``nu:1-3`` takes the first and the
        third. By default none.
    goal : {"best", "all", "any"}
        ``best``: the best score; ``all``: the best score that uses all cards; ``any``: any plan that uses all cards.
    max_words : int, optional
        Maximum number of words to play, 1 to 16, with those of `plan`. By default any number.
    top : int, default 3
        Number of optimal plans to show; fewer if there are fewer.
    dictionary : str, path, iterable of str or Spellings
        Valid words: the name of a list, or a file with one word per line.
    variant : Variant, optional
        The points, the bonuses and the fewest cards of a word. By default the standard game.
    strict : bool, default False
        Treat more copies of a card than the deck has as an error, not as a warning.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Solution

    Raises
    ------
    NoSolution
        If all cards must be used and no play uses them all.
    BadInput
        For an unknown goal, for a seed although a deal is given, for an illegal `plan`, for numbers out of range, for a
        dictionary that cannot be read and, if `strict`, for a deal that no deck can give.
    WrongSolution
        If a plan cannot be played or misses the score, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve quiddler solve 'n w u th r y y i / a c j o u n b i'``

    >>> solution = solve("nwu(th)ryyi / acjounbi")
    >>> solution.score, solution.plans[0].words
    (107, ['nu', 'ja', 'bi', 'icy', 'unworthy'])
    >>> solution = solve("nwu(th)ryyi / acjounbi", plan="thy")
    >>> solution.lost, solution.score, solution.plans[0].words
    ([13], 94, ['thy', 'unwon', 'icy', 'jabiru'])
    """
    if deal is not None and seed is not None:
        raise BadInput(f"seed {seed}: expected a deal or a seed, not both")
    deal = random_deal(seed) if deal is None else Deal.parse(deal)
    deal.refuse_hidden()
    variant = check_variant(variant)
    check_choice("goal", goal, get_args(Goal))
    if max_words is not None:
        max_words = check_integer("max_words", max_words, 1, CARDS)
    top = check_integer("top", top, 1, MOST_PLANS)
    if strict:
        refuse_overdrawn(deal.cards.values())
    check_type("plan", plan, str)
    if plan.strip():  # what is wrong with a word that this deal cannot spell depends on the dictionary
        spellings = spell(dictionary, variant.min_cards)
    else:
        spellings = spell_hand([*deal.cards.values()], dictionary, variant.min_cards)
    backend = open_backend(backend)
    games, broken = play(entries_of(plan), deal, spellings=spellings, variant=variant)
    if broken:
        raise BadInput(f"plan: {broken}")
    if max_words is not None and len(games[0][1]) > max_words:
        raise BadInput(f"max_words {max_words}: expected at least {len(games[0][1])}, the number of words in the plan")
    counted = replace(variant, bonus={}) if goal == "any" else variant
    loaded = kernels.load(backend, spellings)
    go_on = partial(_rest, deal, loaded=loaded, max_words=max_words, backend=backend)
    rests = [go_on(steps, variant=counted) for _, steps in games]
    rest = max(rests, key=lambda rest: rest.best(goal))
    played, best = rest.played, rest.best(goal)
    if best == kernels.NEVER:
        words = f" with at most {max_words} word{'s' * (max_words != 1)}" if max_words else ""
        after = " after these words" if played else ""
        raise NoSolution(f"proven: no play of this deal uses all {len(deal.cards)} cards{words}{after}")
    graph = _Graph(rest.deal, counted, backend.to_host(rest.sets)[0], backend.to_host(rest.reached)[0])
    graph.trace(best - rest.gained, goal)
    replayed = [_replayed(deal, cards, spellings, variant, played) for cards in graph.examples(top)]
    for found in replayed:
        if (found.left and goal != "best") or (found.score != best and goal != "any"):
            raise WrongSolution(
                f"the search returned {' '.join(found.words)} for {best} points, but it scores {found.score} "
                f"and leaves {len(found.left)} cards"
            )
    before = [go_on(played[:number], variant=variant) for number in range(len(played) + 1)] if played else []
    reachable = [each.best("all" if goal == "all" else "best") for each in before]
    return Solution(
        deal=deal,
        goal=goal,
        max_words=max_words,
        lost=[before - after for before, after in pairwise(reachable)],
        score=replayed[0].score,
        n_plans=graph.count(),
        plans=replayed,
        sets=len(graph.sets),
        states=int(rest.outcome.states[0]),
    )


@dataclass(frozen=True)
class _Rest:
    """What is left of a deal after some words, and how good the ways to go on are.

    Attributes
    ----------
    deal : Deal
        The cards left.
    played : list of Step
        The words before.
    gained : int
        Their points and bonuses.
    sets, reached : array
        As `kernels.card_sets` and `kernels.best_bonus` return them.
    outcome : Outcome
        The best ways to go on, without what is gained.
    """

    deal: Deal
    played: list[Step]
    gained: int
    sets: Array
    reached: Array
    outcome: kernels.Outcome

    def best(self, goal: Goal) -> int:
        """Return the best score of the whole game; NEVER if no way reaches the goal."""
        best = int(self.outcome.best[0] if goal == "best" else self.outcome.best_all[0])
        return best if best == kernels.NEVER else self.gained + best


def _rest(
    deal: Deal,
    played: list[Step],
    *,
    loaded: tuple[Array, Array],
    variant: Variant,
    max_words: int | None,
    backend: Backend,
) -> _Rest:
    """Return what is left after some words, solved; `max_words` counts them, too."""
    rest = deal.without([number for step in played for number in step.numbers])
    row = encode(rest)[None]  # a batch of one deal
    sets = kernels.card_sets(backend, row, loaded)
    more = None if max_words is None else max_words - len(played)
    if more == 0:  # for the kernel, 0 is any number
        sets = backend.xp.zeros_like(sets)
    reached = kernels.best_bonus(backend, row, sets, variant=variant, piles=deal.piles, max_words=more or 0)
    bonus = variant.bonus_row()
    gained = sum(step.points + bonus[len(step.word)] for step in played)
    return _Rest(rest, played, gained, sets, reached, kernels.outcome(backend, row, reached, variant))


def _replayed(deal: Deal, cards: list[int], spellings: Spellings, variant: Variant, played: Sequence[Step]) -> Plan:
    """Return the plan that plays these sets of cards. Raise WrongSolution if a play is illegal."""
    try:
        return replay(deal, cards, spellings, variant, played=played)
    except (ValueError, IndexError, StopIteration) as error:  # an illegal play, or cards that spell no word
        raise WrongSolution(f"the search returned a plan that cannot be played: {error}") from None


class _Graph:
    """The plays that are part of some optimal plan, traced backwards from the ends of the plans.

    For a node on no optimal plan `ways` and `shortest` are 0. There are fewer plans than ways to divide 16 cards into
    an ordered list of sets, which is about 2^53, so 64 bits count them.
    """

    def __init__(
        self, deal: Deal, variant: Variant, bitmap: npt.NDArray[np.uint32], reached: npt.NDArray[np.uint32]
    ) -> None:
        self.reached = reached
        self.sets = np.flatnonzero(np.unpackbits(bitmap.view(np.uint8), bitorder="little")).astype(np.int32)
        self.deal, self.piles = deal, deal.piles
        self.dealt = sum(1 << number for number in deal.cards)
        letters = np.zeros(len(self.sets), np.int32)
        for number, card in deal.cards.items():
            letters += (self.sets >> number & 1) * len(card)
        self.bonus = np.array(variant.bonus_row())[letters]
        self.values = {number: variant.values[card] for number, card in deal.cards.items()}
        self.ends: list[Node] = []
        self.ways = np.zeros(reached.shape, np.int64)
        self.shortest = np.zeros(reached.shape, np.int32)

    def trace(self, best: int, goal: Goal) -> None:
        """Find the ends, which are the nodes with the score `best`, and count the ways to each node on a way to them.

        `ways` is the number of ways to a node, and `shortest` the fewest words of such a way.
        """
        left = np.arange(1 << CARDS)
        lost = sum((left >> number & 1) * value for number, value in self.values.items())
        scores = self.reached.astype(np.int64) - 1 + sum(self.values.values()) - 2 * lost
        ends = np.argwhere((self.reached > 0) & (scores == best) & ((left == 0) | (goal == "best")))
        self.ends = [(int(layer), int(state)) for layer, state in ends]
        passed = np.zeros(self.reached.shape, np.bool_)
        passed[tuple(ends.T)] = True
        # Each play leaves fewer cards. Walk backwards from the ends by size, and then forward from the deal.
        sizes = np.bitwise_count(left)
        by_size = [np.flatnonzero(sizes == size) for size in range(CARDS + 1)]
        for states in by_size:
            for layer, chunk in self._chunks(passed, states):
                number, cards = self._last_plays(layer, chunk)
                passed[self._before(layer), chunk[number] | cards] = True
        for states in reversed(by_size):
            for layer, chunk in self._chunks(passed, states):
                number, cards = self._last_plays(layer, chunk)
                earlier = self._before(layer), chunk[number] | cards
                self.ways[layer, chunk] = chunk == self.dealt
                np.add.at(self.ways[layer], chunk[number], self.ways[earlier])
                self.shortest[layer, chunk] = np.where(chunk == self.dealt, 0, CARDS + 1)
                np.minimum.at(self.shortest[layer], chunk[number], 1 + self.shortest[earlier])

    def _chunks(
        self, passed: npt.NDArray[np.bool_], states: npt.NDArray[np.intp]
    ) -> Iterator[tuple[int, npt.NDArray[np.int32]]]:
        """Yield a layer and some of the `states` on a way to the ends, few enough to compare with all sets at once."""
        at_once = max(1, PAIRS // max(1, len(self.sets)))
        for layer in range(len(passed)):
            here = states[passed[layer, states]].astype(np.int32)
            yield from ((layer, here[first : first + at_once]) for first in range(0, len(here), at_once))

    def _before(self, layer: int) -> int:
        return layer - 1 if len(self.reached) > 1 else layer

    def _last_plays(
        self, layer: int, states: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]:
        """Return the last plays of the best ways to some states: the index of the state, and the set of cards."""
        earlier = self._before(layer)
        number, column = np.nonzero(states[:, None] & self.sets == 0)
        if earlier < 0:
            number, column = number[:0], column[:0]
        cards = self.sets[column]
        left = states[number] | cards
        top, bottom = left >> PILES, left & 255
        empty = self.piles - np.bitwise_count(top | bottom).astype(np.int64)
        tight = (
            (np.bitwise_count(top & bottom & cards) <= empty)
            & (self.reached[earlier, left] > 0)
            & (self.reached[earlier, left] + self.bonus[column] == self.reached[layer, states[number]])
        )
        return number[tight], cards[tight]

    def count(self) -> int:
        """Return the number of ways to the ends."""
        return sum(int(self.ways[end]) for end in self.ends)

    def examples(self, most: int) -> list[list[int]]:
        """Return one to `most` ways, shorter ways first; no two differ only in the order of their words."""

        @cache
        def plays(node: Node) -> list[Play]:
            layer, state = node
            _, cards = self._last_plays(layer, np.array([state], np.int32))
            last_plays = [(play, (self._before(layer), play | state)) for play in cards.tolist()]
            return sorted(last_plays, key=lambda play: (self.shortest[play[1]], -play[0].bit_count(), play))

        def ways(node: Node) -> Iterator[list[int]]:
            if node[1] == self.dealt:
                yield []
            for cards, earlier in plays(node):
                for way in ways(earlier):
                    yield [*way, cards]

        names = cache(lambda cards: tuple(sorted(self.deal.cards[number] for number in numbers_of(cards))))
        examples: dict[tuple[tuple[str, ...], ...], list[int]] = {}
        ends = sorted(self.ends, key=lambda end: (self.shortest[end], end))
        for way in islice((way for end in ends for way in ways(end)), MOST_EXAMINED):
            examples.setdefault(tuple(sorted(map(names, way))), way)
            if len(examples) >= most:
                break
        return list(examples.values())
