"""Quiddler: full deals solved one at a time on one core, the rate of a census, and the article's backtracking.

The backtracking is that of the public solvers in Python. It tries longer words first, takes each letter from the first
pile that has it, and makes every legal move in every order. It prunes by the bound score + 4 x points left + the bonus
of all letters left. It has a budget of nodes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.games.quiddler import kernels, rules
from gpusolve.games.quiddler._deal import deal
from gpusolve.games.quiddler._solve import solve
from gpusolve.games.quiddler.deals import Deal, encode, random_deals
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import STANDARD, Variant, score
from harness import Row, Work, ratio, side_by_side

SEED = 1
DEALS = 100
BATCH = 256  # deals, or more if the device takes larger batches
BUDGET = 20_000  # nodes of the backtracking: a few seconds per deal
BACKTRACKED = [deal(SEED, number=number) for number in range(6)] + [
    Deal.parse("a n i l f g n u / u d y a h d q x"),
    Deal.parse("n w u th r y y i / a c j o u n b i"),
]


def rows(backend: Backend) -> list[Row]:
    """Measure one core, this backend, and the backtracking."""
    spellings, one_core = spell(), open_backend("cpu:1")
    return [
        *_one_by_one(one_core, spellings),
        *_rate(one_core, spellings),
        *_rate(backend, spellings),
        *_backtracking(one_core, spellings),
    ]


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return what is compared between devices: deals as the census solves them."""
    loaded, deals = kernels.load(backend, spell()), random_deals(SEED, range(max(2, round(20_000 * scale))))
    batch = backend.batch(kernels.BYTES_PER_DEAL)

    def whole() -> list[kernels.Outcome]:
        outcomes = []
        for first in range(0, len(deals), batch):
            part = deals[first : first + batch]
            sets = kernels.card_sets(backend, part, loaded)
            reached = kernels.best_bonus(backend, part, sets, variant=STANDARD)
            outcomes.append(kernels.outcome(backend, part, reached, STANDARD))
        return outcomes

    def scores() -> npt.NDArray[np.int32]:
        return np.concatenate([outcome.best for outcome in whole()])

    return {f"{len(deals):,} deals": Work(scores, len, "deals", "10,000 deals/s")}


def _one_by_one(backend: Backend, spellings: Spellings) -> list[Row]:
    """Time one deal after another, and spelling the dictionary."""
    loaded = kernels.load(backend, spellings)
    making = median(backend.timed(spell) for _ in range(5))
    seconds: dict[str, list[float]] = {"optimum": [], "plans": []}
    for number in range(-1, DEALS):  # the first is a warm-up
        dealt = deal(SEED, number=max(number, 0))
        begin = time.perf_counter()
        row = encode(dealt)[None]
        sets = kernels.card_sets(backend, row, loaded)
        kernels.outcome(backend, row, kernels.best_bonus(backend, row, sets, variant=STANDARD), STANDARD)
        between = time.perf_counter()
        solve(dealt, dictionary=spellings, backend=backend)
        if number >= 0:
            seconds["optimum"].append(between - begin)
            seconds["plans"].append(time.perf_counter() - between)
    made = Row("spellings made of scowl-70", making, f"{len(spellings.words) / making:,.0f} words/s")
    return [made] + [
        Row(f"{DEALS} deals one by one, {name}, 1 thread", median(values), f"at most {1000 * max(values):.1f} ms")
        for name, values in {
            "the optimum": seconds["optimum"],
            "optimum, number of plans, plans replayed": seconds["plans"],
        }.items()
    ]


def _rate(backend: Backend, spellings: Spellings) -> list[Row]:
    """Time a batch as the census solves it; the dictionary is spelled before."""
    count = max(BATCH, backend.batch(kernels.BYTES_PER_DEAL))
    loaded, deals = kernels.load(backend, spellings), random_deals(SEED, range(count))
    sets = kernels.card_sets(backend, deals, loaded)
    reached = kernels.best_bonus(backend, deals, sets, variant=STANDARD)

    core_seconds: list[float] = []  # of all threads together: other load on the machine changes it little

    def whole() -> None:
        begin = time.process_time()
        spelled = kernels.card_sets(backend, deals, loaded)
        kernels.outcome(backend, deals, kernels.best_bonus(backend, deals, spelled, variant=STANDARD), STANDARD)
        core_seconds.append(time.process_time() - begin)

    runs = {
        "deals solved": whole,
        "card_sets alone": lambda: kernels.card_sets(backend, deals, loaded),
        "best_bonus alone": lambda: kernels.best_bonus(backend, deals, sets, variant=STANDARD),
        "outcome alone": lambda: kernels.outcome(backend, deals, reached, STANDARD),
    }
    seconds = side_by_side(runs, backend)
    return [
        Row(
            f"{count:,} {'deals, ' if 'alone' in name else ''}{name}, {backend.about}",
            median(values),
            f"{count / median(values):,.0f} deals/s",
            f"{ratio(seconds, name, 'deals solved'):.2f} x deals solved"
            if name != "deals solved"
            else f"{count / median(core_seconds):,.0f} deals per core-second",
        )
        for name, values in seconds.items()
    ]


def _backtracking(backend: Backend, spellings: Spellings) -> list[Row]:
    table = []
    words = sorted(spellings, key=lambda word: (-len(word), word))
    for dealt in BACKTRACKED:
        begin = time.perf_counter()
        optimum = solve(dealt, dictionary=spellings, backend=backend).score
        exact = time.perf_counter() - begin
        begin = time.perf_counter()
        search = Backtracking(dealt, words, BUDGET)
        search.run()
        seconds = time.perf_counter() - begin
        if search.best == optimum:
            reached = f"the optimum {optimum} after {search.best_nodes:,} nodes, {search.best_seconds:.2f} s"
        else:
            reached = f"{search.best} of {optimum}"
        end = f"{search.nodes:,} nodes, {'complete' if search.nodes < BUDGET else 'budget spent'}"
        table.append(
            Row(
                f"backtracking, {dealt}",
                seconds,
                f"{reached}; {end}",
                f"{seconds / exact:,.0f} x solve ({exact:.4f} s)",
            )
        )
    return table


@dataclass
class Backtracking:
    """The article's search over tables, in plain Python."""

    deal: Deal
    words: Sequence[str]
    budget: int
    variant: Variant = STANDARD
    best: int = -(10**9)
    best_nodes: int = 0
    best_seconds: float = 0.0
    nodes: int = 0
    begin: float = field(default_factory=time.perf_counter)

    def run(self) -> None:
        """Search until every plan is seen or the budget is spent."""
        cards = list(self.deal.cards.values())
        letters = [letter for card in cards for letter in card]
        spelled = [word for word in self.words if all(letters.count(letter) >= word.count(letter) for letter in word)]
        self._visit(rules.start(self.deal), [(word, _letters(word)) for word in spelled], 0)

    def _visit(self, places: Places, words: Sequence[tuple[str, int]], bonus: int) -> None:
        self.nodes += 1
        left = sum(places, ())
        value = score(self.deal, left, (), self.variant) + bonus
        if value > self.best:
            self.best, self.best_nodes, self.best_seconds = value, self.nodes, time.perf_counter() - self.begin
        points = sum(self.variant.values[self.deal.cards[number]] for number in left)
        letters = sum(len(self.deal.cards[number]) for number in left)
        if value + 4 * points + self.variant.bonus_row()[letters] <= self.best:
            return
        covered = ~_letters("".join(self.deal.cards[number] for number in rules.uncovered(places)))
        for word in [word for word, letters in words if not letters & covered]:
            if self.nodes >= self.budget:
                return
            cards = self._first_piles(places, word)
            if cards is not None:
                self._visit(rules.take(places, cards), words, bonus + self.variant.bonus_row()[len(word)])
        for step in rules.moves(places):
            if self.nodes >= self.budget:
                return
            self._visit(rules.move(places, step), words, bonus)

    def _first_piles(self, places: Places, word: str) -> list[int] | None:
        """Return cards that spell the word, each from the first pile that has it; two-letter cards are tried first."""
        lying = rules.uncovered(places)
        cards: list[int] = []
        end = 0  # of the letters spelled so far
        while end < len(word):
            for length in (2, 1):
                card = next(
                    (n for n in lying if self.deal.cards[n] == word[end : end + length] and n not in cards), None
                )
                if card is not None:
                    break
            if card is None:
                return None
            cards.append(card)
            end += len(self.deal.cards[card])
        return cards if len(cards) >= self.variant.min_cards else None


def _letters(text: str) -> int:
    """Return the letters that occur, as a bitmap."""
    return sum(1 << ord(letter) - ord("a") for letter in set(text))
