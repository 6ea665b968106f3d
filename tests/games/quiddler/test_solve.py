"""Optima, plans and their number: against an exhaustive search on a table, and for the two published deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

import pytest

from games.quiddler.small import small_deals, small_variant, small_words
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler._check import check
from gpusolve.games.quiddler._deal import deal
from gpusolve.games.quiddler._solve import Goal, Solution, solve
from gpusolve.games.quiddler.cards import NAMES, readings
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.plans import Plan
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import STANDARD, VALUES, Variant, score
from recorded import recorded

CPU = open_backend("cpu")
FIRST = Deal.parse("a n i l f g n u / u d y a h d q x")
SECOND = Deal.parse("n w u th r y y i / a c j o u n b i")


def check_replay(plan: Plan, words: set[str], variant: Variant) -> None:
    """Play the plan on a table, with its words and its moves."""
    places = rules.start(plan.deal)
    for step in plan.steps:
        for shift in step.shifts:
            places = rules.move(places, shift)
        before = rules.uncovered(places)
        assert [places[place - 1][-1] for place in step.places] == step.numbers
        places = rules.take(places, step.numbers)
        turned_up = sorted(set(rules.uncovered(places)) - set(before))
        assert step.turned_up == [plan.deal.cards[number] for number in turned_up]
        assert step.word in step.anagrams
        assert words.issuperset(step.anagrams)
        assert step.cards == [plan.deal.cards[number] for number in step.numbers]
        assert "".join(step.cards) == step.word
        assert len(step.cards) >= variant.min_cards
        for other in step.anagrams:
            assert sorted(step.cards) in [sorted(reading) for reading in readings(other)]
    left = sorted(sum(places, ()))
    assert plan.left == [plan.deal.cards[number] for number in left]
    assert plan.score == score(plan.deal, left, [len(word) for word in plan.words], variant)
    used = sum(step.points + step.bonus for step in plan.steps)
    assert plan.score == used - sum(variant.values[card] for card in plan.left)


Optimum = list[int | None]
"""The best score, and the best with all cards used."""


def small_games(seed: int) -> list[tuple[Deal, int | None]]:
    """Deals, each with the number of words that can be played."""
    return [(dealt, (None, None, 2)[i % 3]) for i, dealt in enumerate(small_deals(seed, 2 + seed % 4, 25))]


def large_games(piles: int) -> list[tuple[int, Deal]]:
    """Seeds of words and variants, and deals."""
    return [(seed, dealt) for seed in range(100, 106) for dealt in small_deals(seed, piles, 2)]


def simulate_small(seed: int) -> list[Optimum]:
    words, variant = small_words(seed), small_variant(seed)
    return [
        [*rules.exhaustive(dealt, words, variant=variant, max_words=max_words)]
        for dealt, max_words in small_games(seed)
    ]


def simulate_large(piles: int) -> list[Optimum]:
    return [
        [*rules.exhaustive(dealt, small_words(seed), variant=small_variant(seed))] for seed, dealt in large_games(piles)
    ]


@cache
def simulated(size: str) -> dict[str, list[Optimum]]:
    """The results of the exhaustive search, which takes up to a minute for one of the large deals."""
    if size == "small":
        return dict(recorded("quiddler/small", lambda: {seed: simulate_small(seed) for seed in range(40)}))
    return dict(recorded("quiddler/large", lambda: {piles: simulate_large(piles) for piles in (6, 7, 8)}))


@pytest.mark.parametrize("seed", range(0, 40, 8))
def test_the_exhaustive_search_gives_the_recorded_results(seed: int) -> None:
    assert simulate_small(seed) == simulated("small")[str(seed)]


def solve_goal(dealt: Deal, spellings: Spellings, variant: Variant, max_words: int | None, goal: Goal) -> Solution:
    return solve(dealt, dictionary=spellings, variant=variant, goal=goal, max_words=max_words, backend=CPU)


@pytest.mark.parametrize("seed", range(40))
def test_1000_small_deals_agree_with_the_exhaustive_search(seed: int) -> None:
    words, variant = small_words(seed), small_variant(seed)
    spellings = spell(words, variant.min_cards)
    for (dealt, most), (best, best_all) in zip(small_games(seed), simulated("small")[str(seed)], strict=True):
        solution = solve(dealt, dictionary=spellings, variant=variant, max_words=most, backend=CPU)
        assert solution.score == best
        for plan in solution.plans:
            assert plan.score == best
            assert len(plan.steps) <= (most or 99)
            check_replay(plan, set(words), variant)
        solve_for = partial(solve_goal, dealt, spellings, variant, most)
        goals: tuple[Goal, ...] = ("all", "any")
        for goal in goals:
            if best_all is None:
                with pytest.raises(NoSolution, match="no play of this deal uses all"):
                    solve_for(goal)
            else:
                plan = solve_for(goal).plans[0]
                check_replay(plan, set(words), variant)
                assert plan.left == []
                assert plan.score == best_all if goal == "all" else plan.score <= best_all


@pytest.mark.parametrize("piles", [6, 7, 8])
def test_large_deals_agree_with_the_exhaustive_search(piles: int) -> None:
    for (seed, dealt), (best, best_all) in zip(large_games(piles), simulated("large")[str(piles)], strict=True):
        words, variant = small_words(seed), small_variant(seed)
        assert solve(dealt, dictionary=words, variant=variant, top=1, backend=CPU).score == best
        if best_all is not None:
            assert solve(dealt, dictionary=words, variant=variant, goal="all", top=1, backend=CPU).score == best_all


Sequence = tuple[frozenset[int], ...]


def every_plan(dealt: Deal, words: list[str], variant: Variant) -> Iterator[tuple[Sequence, int]]:
    """Every sequence of sets of cards that some moves make legal, with its score, by trying every move."""
    row = variant.bonus_row()

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
        yield played, score(dealt, sum(next(iter(tables)), ()), (), variant) + bonus
        tables = closure(tables)
        gains: dict[frozenset[int], int] = {}
        for places in tables:
            for word, cards in rules.plays(dealt, places, words, variant):
                gains[frozenset(cards)] = row[len(word)]
        for chosen, gain in gains.items():
            after = {rules.take(places, chosen) for places in tables if chosen <= set(rules.uncovered(places))}
            yield from go(after, (*played, chosen), bonus + gain)

    return go({rules.start(dealt)}, (), 0)


@pytest.mark.parametrize("seed", range(10))
def test_the_number_of_plans_is_that_of_trying_them_all(seed: int) -> None:
    words, variant = small_words(seed), small_variant(seed)
    spellings = spell(words, variant.min_cards)
    for dealt in small_deals(seed, 2 + seed % 2, 6):
        plans = list(every_plan(dealt, words, variant))
        best = max(value for _, value in plans)
        solution = solve(dealt, dictionary=spellings, variant=variant, top=10**6, backend=CPU)
        assert solution.n_plans == sum(value == best for _, value in plans)
        collections = {  # the cards of the words, in any order
            tuple(sorted(tuple(sorted(dealt.cards[number] for number in cards)) for cards in played))
            for played, value in plans
            if value == best
        }
        assert len(solution.plans) == len(collections)
        fewest = min(len(played) for played, value in plans if value == best)
        assert len(solution.plans[0].steps) == fewest
        using_all = [played for played, _ in plans if sum(len(cards) for cards in played) == len(dealt.cards)]
        if using_all:
            assert solve(dealt, dictionary=spellings, variant=variant, goal="any", backend=CPU).n_plans == len(
                using_all
            )
        of_two = [value for played, value in plans if len(played) <= 2]
        limited = solve(dealt, dictionary=spellings, variant=variant, max_words=2, backend=CPU)
        assert limited.n_plans == of_two.count(max(of_two))


def test_the_second_published_deal_has_its_published_optimum(shipped: Spellings) -> None:
    """It is 107 with every larger dictionary tried, so a legal plan of 107 with the shipped list is optimal."""
    solution = solve(SECOND, dictionary=shipped, backend=CPU)
    assert solution.score == 107
    for plan in solution.plans:
        check_replay(plan, set(shipped), STANDARD)


@pytest.mark.parametrize(("name", "dealt", "best"), [("first", FIRST, 94), ("second", SECOND, 107)])
def test_the_published_deals_have_the_plans_that_were_recorded(
    shipped: Spellings, name: str, dealt: Deal, best: int
) -> None:
    """With all 111,593 words of SCOWL up to size 70 their optima are 97 and 107, as published."""
    goals: tuple[Goal, ...] = ("best", "all", "any")
    solutions = [solve(dealt, dictionary=shipped, goal=goal, top=20, backend=CPU) for goal in goals]
    results = [
        [solution.n_plans, solution.sets, solution.states, [[plan.score, plan.words] for plan in solution.plans]]
        for solution in solutions
    ]
    assert solutions[0].score == best
    assert results == recorded(f"quiddler/{name}", lambda: results)


def test_solutions_of_full_deals_can_be_replayed_and_checked(shipped: Spellings) -> None:
    words = set(shipped)
    for number in range(12):
        dealt = deal(4, number=number)
        best = solve(dealt, dictionary=shipped, backend=CPU)
        scores = [best.score]
        for most in (1, 2, 3, 8):
            solution = solve(dealt, dictionary=shipped, max_words=most, backend=CPU)
            for plan in solution.plans:
                check_replay(plan, words, STANDARD)
                assert len(plan.steps) <= most
            scores.append(solution.score)
        assert scores[1:] == sorted(scores[1:])
        assert scores[-1] == best.score  # 16 cards are at most 8 words of two
        for plan in best.plans:
            check_replay(plan, words, STANDARD)
            verdict = check(" ".join(plan.words), dealt, dictionary=shipped)
            assert (verdict.broken, verdict.plan.score) == (None, best.score)


def test_a_two_letter_card_can_be_a_word(shipped: Spellings) -> None:
    """If a word can have one card, a two-letter card is played alone if it is a word."""
    dealt = Deal(("in",), ("er",))
    variant = Variant(min_cards=1)
    solution = solve(dealt, dictionary=spell(["in", "err"], 1), variant=variant, backend=CPU)
    assert (solution.score, solution.plans[0].words) == (0, ["in"])
    assert solve(dealt, dictionary=spell(["in", "err"]), backend=CPU).plans[0].words == []


def test_without_words_the_best_play_is_to_play_nothing() -> None:
    solution = solve(SECOND, dictionary=spell(["zebra"]), backend=CPU)
    total = sum(VALUES[card] for card in SECOND.cards.values())
    assert (solution.score, solution.n_plans, solution.plans[0].steps) == (-total, 1, [])


def test_values_and_bonus_change_the_optimum(shipped: Spellings) -> None:
    plain = Variant(values=dict.fromkeys(NAMES, 1), bonus={})
    assert solve(SECOND, dictionary=shipped, variant=plain, backend=CPU).score == 16
    long_words = replace(plain, bonus={8: 100})
    best = solve(SECOND, dictionary=shipped, variant=long_words, backend=CPU)
    assert best.score >= 116
    assert any(len(word) >= 8 for word in best.plans[0].words)


def test_spellings_are_made_again_for_another_fewest_number_of_cards() -> None:
    dealt, two = Deal(("in",), ("er",)), spell(["in", "err"])
    assert solve(dealt, dictionary=two, variant=Variant(min_cards=1), backend=CPU).plans[0].words == ["in"]


def test_strict_refuses_a_deal_that_no_deck_can_give() -> None:
    dealt = Deal(("q", "q"), ("q", "a"))
    assert solve(dealt, dictionary=["it"], backend=CPU).plans[0].words == []
    with pytest.raises(BadInput, match=r"^strict: 3 copies of card 'q', but the deck has only 2$"):
        solve(dealt, dictionary=["it"], strict=True, backend=CPU)
    with pytest.raises(BadInput, match=r"^strict: 3 copies of card 'q'"):
        check("it", dealt, dictionary=["it"], strict=True)


@pytest.mark.parametrize(("max_words", "top", "message"), [(0, 3, "max_words 0"), (None, 0, "top 0")])
def test_numbers_below_1_are_bad_input(max_words: int | None, top: int, message: str) -> None:
    with pytest.raises(BadInput, match=f"{message}: expected a whole number, 1 to "):
        solve(SECOND, dictionary=["it"], max_words=max_words, top=top, backend=CPU)


def test_sixteen_equal_cards_have_a_million_plays() -> None:
    """The number of plans is the one that a walk from node to node gave."""
    solution = solve("oooooooo/oooooooo", dictionary=["oo"], goal="any")
    assert solution.n_plans == 3_441_916_800
    assert [plan.words for plan in solution.plans] == [["oo"] * 8]
