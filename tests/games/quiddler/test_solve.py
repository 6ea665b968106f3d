"""Optima, plans and their number: against the literal simulator, and the two published deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from games.quiddler.small import small_deals, small_rules, small_words
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler._check import check
from gpusolve.games.quiddler._solve import Goal, solve
from gpusolve.games.quiddler.cards import NAMES, readings
from gpusolve.games.quiddler.deals import Deal, deal, parse_deal
from gpusolve.games.quiddler.plans import Plan
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import STANDARD, VALUES, Rules, score
from recorded import recorded

CPU = open_backend("cpu")
FIRST = parse_deal("a n i l f g n u / u d y a h d q x")
SECOND = parse_deal("n w u th r y y i / a c j o u n b i")


def check_replay(plan: Plan, words: set[str], scoring: Rules) -> None:
    """Plays the plan on a literal table, by its own words and moves."""
    places = rules.start(plan.deal)
    for step in plan.steps:
        for moved in step.moves:
            places = rules.move(places, moved)
        before = rules.uncovered(places)
        assert [places[place][-1] for place in step.places] == step.cards
        places = rules.take(places, step.cards)
        assert set(step.turned_up) == set(rules.uncovered(places)) - set(before)
        assert step.word in step.words
        assert words.issuperset(step.words)
        spelled = [plan.deal.cards[number] for number in step.cards]
        assert "".join(spelled) == step.word
        assert len(spelled) >= scoring.min_cards
        for other in step.words:
            assert sorted(spelled) in [sorted(reading) for reading in readings(other)]
    assert sorted(sum(places, ())) == plan.left
    assert plan.score == score(plan.deal, plan.left, [len(word) for word in plan.words], scoring)
    used = sum(step.points + step.bonus for step in plan.steps)
    assert plan.score == used - sum(scoring.values[plan.deal.cards[number]] for number in plan.left)


Optimum = list[int | None]
"""The best score, and the best with all cards used."""


def small_games(seed: int) -> list[tuple[Deal, int | None]]:
    """Deals, and how many words may be played."""
    return [(dealt, (None, None, 2)[i % 3]) for i, dealt in enumerate(small_deals(seed, 2 + seed % 4, 25))]


def large_games(piles: int) -> list[tuple[int, Deal]]:
    """Seeds of words and rules, and deals."""
    return [(seed, dealt) for seed in range(100, 106) for dealt in small_deals(seed, piles, 2)]


def simulate_small(seed: int) -> list[Optimum]:
    words, scoring = small_words(seed), small_rules(seed)
    return [[*rules.exhaustive(dealt, words, scoring, max_words)] for dealt, max_words in small_games(seed)]


def simulate_large(piles: int) -> list[Optimum]:
    return [[*rules.exhaustive(dealt, small_words(seed), small_rules(seed))] for seed, dealt in large_games(piles)]


@cache
def simulated(size: str) -> dict[str, list[Optimum]]:
    """What the literal simulator gave, which takes up to a minute for one of the large deals."""
    if size == "small":
        return dict(recorded("quiddler/small", lambda: {seed: simulate_small(seed) for seed in range(40)}))
    return dict(recorded("quiddler/large", lambda: {piles: simulate_large(piles) for piles in (6, 7, 8)}))


@pytest.mark.parametrize("seed", range(0, 40, 8))
def test_the_literal_simulator_gives_what_was_recorded(seed: int) -> None:
    assert simulate_small(seed) == simulated("small")[str(seed)]


@pytest.mark.parametrize("seed", range(40))
def test_1000_small_deals_agree_with_the_literal_simulator(seed: int) -> None:
    words, scoring = small_words(seed), small_rules(seed)
    spellings = spell(words, scoring.min_cards)
    for (dealt, most), (best, best_all) in zip(small_games(seed), simulated("small")[str(seed)], strict=True):
        solution = solve(dealt, spellings, scoring, max_words=most, backend=CPU)
        assert solution.score == best
        for plan in solution.plans:
            assert plan.score == best
            assert len(plan.steps) <= (most or 99)
            check_replay(plan, set(words), scoring)
        goals: tuple[Goal, ...] = ("all", "any")
        for goal in goals:
            if best_all is None:
                with pytest.raises(NoSolution, match="no play of this deal uses all"):
                    solve(dealt, spellings, scoring, goal, most, backend=CPU)
            else:
                plan = solve(dealt, spellings, scoring, goal, most, backend=CPU).plans[0]
                check_replay(plan, set(words), scoring)
                assert plan.left == []
                assert plan.score == best_all if goal == "all" else plan.score <= best_all


@pytest.mark.parametrize("piles", [6, 7, 8])
def test_large_deals_agree_with_the_literal_simulator(piles: int) -> None:
    for (seed, dealt), (best, best_all) in zip(large_games(piles), simulated("large")[str(piles)], strict=True):
        words, scoring = small_words(seed), small_rules(seed)
        assert solve(dealt, words, scoring, plans=1, backend=CPU).score == best
        if best_all is not None:
            assert solve(dealt, words, scoring, "all", plans=1, backend=CPU).score == best_all


Sequence = tuple[frozenset[int], ...]


def every_plan(dealt: Deal, words: list[str], scoring: Rules) -> Iterator[tuple[Sequence, int]]:
    """Every sequence of sets of cards that some moves make legal, with its score: by trying all moves everywhere."""
    row = scoring.bonus_row()

    def closure(tables: set[Places]) -> set[Places]:
        tables, open_tables = set(tables), list(tables)
        while open_tables:
            places = open_tables.pop()
            for step in rules.moves(places):
                after = rules.move(places, step)
                if after not in tables:
                    tables.add(after)
                    open_tables.append(after)
        return tables

    def go(tables: set[Places], played: Sequence, bonus: int) -> Iterator[tuple[Sequence, int]]:
        yield played, score(dealt, sum(next(iter(tables)), ()), (), scoring) + bonus
        tables = closure(tables)
        found: dict[frozenset[int], int] = {}
        for places in tables:
            for word, cards in rules.plays(dealt, places, words, scoring):
                found[frozenset(cards)] = row[len(word)]
        for chosen, gain in found.items():
            after = {rules.take(places, chosen) for places in tables if chosen <= set(rules.uncovered(places))}
            yield from go(after, (*played, chosen), bonus + gain)

    return go({rules.start(dealt)}, (), 0)


@pytest.mark.parametrize("seed", range(10))
def test_the_number_of_plans(seed: int) -> None:
    words, scoring = small_words(seed), small_rules(seed)
    spellings = spell(words, scoring.min_cards)
    for dealt in small_deals(seed, 2 + seed % 2, 6):
        plans = list(every_plan(dealt, words, scoring))
        best = max(value for _, value in plans)
        solution = solve(dealt, spellings, scoring, plans=10**6, backend=CPU)
        assert solution.n_plans == sum(value == best for _, value in plans)
        collections = {  # what the words are made of, whatever the order
            tuple(sorted(tuple(sorted(dealt.cards[number] for number in cards)) for cards in played))
            for played, value in plans
            if value == best
        }
        assert len(solution.plans) == len(collections)
        fewest = min(len(played) for played, value in plans if value == best)
        assert len(solution.plans[0].steps) == fewest
        using_all = [played for played, _ in plans if sum(len(cards) for cards in played) == len(dealt.cards)]
        if using_all:
            assert solve(dealt, spellings, scoring, "any", backend=CPU).n_plans == len(using_all)
        of_two = [value for played, value in plans if len(played) <= 2]
        limited = solve(dealt, spellings, scoring, max_words=2, backend=CPU)
        assert limited.n_plans == of_two.count(max(of_two))


def test_the_second_published_deal(shipped: Spellings) -> None:
    """107 with every dictionary tried; the shipped list is a part of those, so a legal plan of 107 is the optimum."""
    solution = solve(SECOND, shipped, backend=CPU)
    assert solution.score == 107
    for plan in solution.plans:
        check_replay(plan, set(shipped), STANDARD)


@pytest.mark.parametrize(("name", "dealt", "best"), [("first", FIRST, 94), ("second", SECOND, 107)])
def test_the_published_deals_have_the_plans_that_were_recorded(
    shipped: Spellings, name: str, dealt: Deal, best: int
) -> None:
    """With all 111,593 words of SCOWL up to size 70 they gave 97 and 107, as published."""
    goals: tuple[Goal, ...] = ("best", "all", "any")
    solutions = [solve(dealt, shipped, goal=goal, plans=20, backend=CPU) for goal in goals]
    found = [
        [solution.n_plans, solution.sets, solution.states, [[plan.score, plan.words] for plan in solution.plans]]
        for solution in solutions
    ]
    assert solutions[0].score == best
    assert found == recorded(f"quiddler/{name}", lambda: found)


def test_full_deals_hold_what_they_promise(shipped: Spellings) -> None:
    words = set(shipped)
    for number in range(12):
        dealt = deal(4, number)
        best = solve(dealt, shipped, backend=CPU)
        scores = [best.score]
        for most in (1, 2, 3, 8):
            solution = solve(dealt, shipped, max_words=most, backend=CPU)
            for plan in solution.plans:
                check_replay(plan, words, STANDARD)
                assert len(plan.steps) <= most
            scores.append(solution.score)
        assert scores[1:] == sorted(scores[1:])
        assert scores[-1] == best.score  # no deal of 16 cards has more than 8 words of two
        for plan in best.plans:
            check_replay(plan, words, STANDARD)
            verdict = check(" ".join(plan.words), dealt, shipped)
            assert (verdict.broken, verdict.plan.score) == (None, best.score)


def test_lone_cards(shipped: Spellings) -> None:
    """With one card a word, a two-letter card is used by itself where it is a word."""
    dealt = Deal(("in",), ("er",))
    one = Rules(min_cards=1)
    solution = solve(dealt, spell(["in", "err"], 1), one, backend=CPU)
    assert (solution.score, solution.plans[0].words) == (0, ["in"])
    assert solve(dealt, spell(["in", "err"]), backend=CPU).plans[0].words == []


def test_the_best_of_nothing_is_to_play_nothing() -> None:
    solution = solve(SECOND, spell(["zebra"]), backend=CPU)
    total = sum(VALUES[card] for card in SECOND.cards.values())
    assert (solution.score, solution.n_plans, solution.plans[0].steps) == (-total, 1, [])


def test_values_and_bonus_change_the_optimum(shipped: Spellings) -> None:
    plain = Rules(values=dict.fromkeys(NAMES, 1), bonus={})
    assert solve(SECOND, shipped, plain, backend=CPU).score == 16
    long_words = replace(plain, bonus={8: 100})
    best = solve(SECOND, shipped, long_words, backend=CPU)
    assert best.score >= 116
    assert any(len(word) >= 8 for word in best.plans[0].words)


def test_the_dictionary_is_made_for_the_fewest_cards_that_a_word_may_have() -> None:
    dealt, two = Deal(("in",), ("er",)), spell(["in", "err"])
    assert solve(dealt, two, Rules(min_cards=1), backend=CPU).plans[0].words == ["in"]


def test_a_deal_that_no_deck_can_give() -> None:
    dealt = Deal(("q", "q"), ("q", "a"))
    assert solve(dealt, ["it"], backend=CPU).plans[0].words == []
    with pytest.raises(BadInput, match=r"^strict: 3 of 'q', and the deck holds 2$"):
        solve(dealt, ["it"], strict=True, backend=CPU)
    with pytest.raises(BadInput, match=r"^strict: 3 of 'q'"):
        check("it", dealt, ["it"], strict=True)


@pytest.mark.parametrize(("max_words", "plans", "message"), [(0, 3, "max_words 0"), (None, 0, "plans 0")])
def test_numbers_below_one(max_words: int | None, plans: int, message: str) -> None:
    with pytest.raises(BadInput, match=f"{message}: expected a whole number, 1 to "):
        solve(SECOND, ["it"], max_words=max_words, plans=plans, backend=CPU)


def test_sixteen_equal_cards_have_a_million_plays() -> None:
    """The number of plans is what a walk from node to node had found, in seconds."""
    solution = solve(parse_deal("oooooooo/oooooooo"), ["oo"], goal="any")
    assert solution.n_plans == 3_441_916_800
    assert [plan.words for plan in solution.plans] == [["oo"] * 8]
