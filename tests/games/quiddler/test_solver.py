"""Optima, plans, their number and the check of a plan: against the literal simulator, and the two published deals."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from games.quiddler.small import small_deals, small_rules, small_words
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quiddler import rules, solver
from gpusolve.games.quiddler.check import check_plan
from gpusolve.games.quiddler.kernels import Spellings
from gpusolve.games.quiddler.plans import Plan
from gpusolve.games.quiddler.rules import Deal, Places, Rules
from gpusolve.wordlists import load_words

CPU = open_backend("cpu")
FIRST = rules.parse_deal("a n i l f g n u / u d y a h d q x")
SECOND = rules.parse_deal("n w u th r y y i / a c j o u n b i")


@pytest.fixture(scope="module")
def shipped() -> Spellings:
    return solver.dictionary()


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
            assert sorted(spelled) in [sorted(reading) for reading in rules.readings(other)]
    assert sorted(sum(places, ())) == plan.left
    assert plan.score == rules.score(plan.deal, plan.left, [len(word) for word in plan.words], scoring)
    used = sum(step.points + step.bonus for step in plan.steps)
    assert plan.score == used - sum(scoring.values[plan.deal.cards[number]] for number in plan.left)


@pytest.mark.parametrize("seed", range(40))
def test_1000_small_deals_agree_with_the_literal_simulator(seed: int) -> None:
    words, scoring = small_words(seed), small_rules(seed)
    spellings = solver.dictionary(words, scoring.min_cards)
    for i, deal in enumerate(small_deals(seed, 2 + seed % 4, 25)):
        most = (None, None, 2)[i % 3]
        best, best_all = rules.exhaustive(deal, words, scoring, most)
        solution = solver.solve(deal, spellings, scoring, max_words=most, backend=CPU)
        assert solution.score == best
        for plan in solution.plans:
            assert plan.score == best
            assert len(plan.steps) <= (most or 99)
            check_replay(plan, set(words), scoring)
        for goal in ("all", "any"):
            if best_all is None:
                with pytest.raises(NoSolution, match="no play of this deal uses all"):
                    solver.solve(deal, spellings, scoring, goal, most, backend=CPU)
            else:
                plan = solver.solve(deal, spellings, scoring, goal, most, backend=CPU).plans[0]
                check_replay(plan, set(words), scoring)
                assert plan.left == []
                assert plan.score == best_all if goal == "all" else plan.score <= best_all


@pytest.mark.slow
@pytest.mark.parametrize("piles", [6, 7, 8])
def test_large_deals_agree_with_the_literal_simulator(piles: int) -> None:
    for seed in range(100, 106):
        words, scoring = small_words(seed), small_rules(seed)
        spellings = solver.dictionary(words, scoring.min_cards)
        for deal in small_deals(seed, piles, 2):
            best, best_all = rules.exhaustive(deal, words, scoring)
            assert solver.solve(deal, spellings, scoring, backend=CPU).score == best
            if best_all is not None:
                assert solver.solve(deal, spellings, scoring, "all", backend=CPU).score == best_all


Sequence = tuple[frozenset[int], ...]


def every_plan(deal: Deal, words: list[str], scoring: Rules) -> Iterator[tuple[Sequence, int]]:
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
        yield played, rules.score(deal, sum(next(iter(tables)), ()), (), scoring) + bonus
        tables = closure(tables)
        found: dict[frozenset[int], int] = {}
        for places in tables:
            for word, cards in rules.plays(deal, places, words, scoring):
                found[frozenset(cards)] = row[len(word)]
        for chosen, gain in found.items():
            after = {rules.take(places, chosen) for places in tables if chosen <= set(rules.uncovered(places))}
            yield from go(after, (*played, chosen), bonus + gain)

    return go({rules.start(deal)}, (), 0)


@pytest.mark.parametrize("seed", range(10))
def test_the_number_of_plans(seed: int) -> None:
    words, scoring = small_words(seed), small_rules(seed)
    spellings = solver.dictionary(words, scoring.min_cards)
    for deal in small_deals(seed, 2 + seed % 2, 6):
        plans = list(every_plan(deal, words, scoring))
        best = max(score for _, score in plans)
        solution = solver.solve(deal, spellings, scoring, most_plans=10**6, backend=CPU)
        assert solution.n_plans == sum(score == best for _, score in plans)
        collections = {  # what the words are made of, whatever the order
            tuple(sorted(tuple(sorted(deal.cards[number] for number in cards)) for cards in played))
            for played, score in plans
            if score == best
        }
        assert len(solution.plans) == len(collections)
        fewest = min(len(played) for played, score in plans if score == best)
        assert len(solution.plans[0].steps) == fewest
        using_all = [played for played, _ in plans if sum(len(cards) for cards in played) == len(deal.cards)]
        if using_all:
            assert solver.solve(deal, spellings, scoring, "any", backend=CPU).n_plans == len(using_all)
        of_two = [(played, score) for played, score in plans if len(played) <= 2]
        limited = solver.solve(deal, spellings, scoring, max_words=2, backend=CPU)
        assert limited.n_plans == sum(score == max(score for _, score in of_two) for _, score in of_two)


def test_the_second_published_deal(shipped: Spellings) -> None:
    """107 with every dictionary tried; the shipped list is a part of those, so a legal plan of 107 is the optimum."""
    solution = solver.solve(SECOND, shipped, backend=CPU)
    assert solution.score == 107
    for plan in solution.plans:
        check_replay(plan, set(load_words("scowl-70")), rules.STANDARD)


@pytest.mark.skipif("GPUSOLVE_SCOWL" not in os.environ, reason="GPUSOLVE_SCOWL names no unfiltered list of SCOWL 70")
@pytest.mark.parametrize(("deal", "score"), [(FIRST, 97), (SECOND, 107)])
def test_published_optima_with_all_of_scowl(deal: Deal, score: int) -> None:
    with open(os.environ["GPUSOLVE_SCOWL"], encoding="utf-8") as file:
        words = file.read().split()
    assert len(words) == 111_593
    assert solver.solve(deal, solver.dictionary(words), backend=CPU).score == score


def test_full_deals_hold_what_they_promise(shipped: Spellings) -> None:
    words = set(load_words("scowl-70"))
    for number in range(12):
        deal = rules.random_deal(4, number)
        best = solver.solve(deal, shipped, backend=CPU)
        scores = [best.score]
        for most in (1, 2, 3, 8):
            solution = solver.solve(deal, shipped, max_words=most, backend=CPU)
            for plan in solution.plans:
                check_replay(plan, words, rules.STANDARD)
                assert len(plan.steps) <= most
            scores.append(solution.score)
        assert scores[1:] == sorted(scores[1:])
        assert scores[-1] == best.score  # no deal of 16 cards has more than 8 words of two
        for plan in best.plans:
            check_replay(plan, words, rules.STANDARD)
            verdict = check_plan(deal, " ".join(plan.words), shipped)
            assert (verdict.broken, verdict.plan.score) == (None, best.score)


def test_lone_cards(shipped: Spellings) -> None:
    """With one card a word, a two-letter card is used by itself where it is a word."""
    deal = Deal(("in",), ("er",))
    one = Rules(min_cards=1)
    solution = solver.solve(deal, solver.dictionary(["in", "err"], 1), one, backend=CPU)
    assert (solution.score, solution.plans[0].words) == (0, ["in"])
    assert solver.solve(deal, solver.dictionary(["in", "err"]), backend=CPU).plans[0].words == []


def test_the_best_of_nothing_is_to_play_nothing() -> None:
    solution = solver.solve(SECOND, solver.dictionary(["zebra"]), backend=CPU)
    total = sum(rules.VALUES[card] for card in SECOND.cards.values())
    assert (solution.score, solution.n_plans, solution.plans[0].steps) == (-total, 1, [])


def test_values_and_bonus_change_the_optimum(shipped: Spellings) -> None:
    plain = Rules(values=dict.fromkeys(rules.NAMES, 1), bonus={})
    assert solver.solve(SECOND, shipped, plain, backend=CPU).score == 16
    long_words = replace(plain, bonus={8: 100})
    best = solver.solve(SECOND, shipped, long_words, backend=CPU)
    assert best.score >= 116
    assert any(len(word) >= 8 for word in best.plans[0].words)


@pytest.mark.parametrize("words", [[], ["a"], ["abcdefghijklmnopq"]])
def test_a_dictionary_without_words(words: list[str]) -> None:
    with pytest.raises(BadInput, match="the dictionary has no word"):
        solver.dictionary(words)


@pytest.mark.parametrize(
    ("plan", "played", "broken"),
    [
        ("nu ja bi icy unworthy", 5, None),
        ("NU, ja,bi; icy unwor(th)y", 5, None),
        ("n-u j-a", 2, None),
        ("nu ja xyzzy", 2, "word 3, 'xyzzy': not in the dictionary"),
        ("nu nu nu", 1, "word 2, 'nu': n, u covered, and no empty place to uncover them"),
        ("in in in", 1, "word 2, 'in': n covered, and no empty place to uncover it"),
        ("nu unworthy", 1, "word 2, 'unworthy': u, n, o covered, and no empty place to uncover them"),
        ("bum", 0, "word 1, 'bum': no card m is left"),
        ("unruly", 0, "word 1, 'unruly': no card l is left"),
        ("(th)xu", 0, "word 1, '(th)xu': not in the dictionary"),
    ],
)
def test_check(shipped: Spellings, plan: str, played: int, broken: str | None) -> None:
    verdict = check_plan(SECOND, plan, shipped)
    assert (len(verdict.plan.steps), verdict.broken) == (played, broken)


def test_check_takes_the_best_cards() -> None:
    deal = Deal(("q", "u", "qu", "i"), ("t", "a", "a", "a"))
    words = solver.dictionary(["qui"])
    assert check_plan(deal, "qui", words).plan.left == [0, 1, 2, 3, 10]
    assert check_plan(deal, "(qu)i", words).plan.left == [0, 1, 2, 3, 8, 9]
    assert Counter(len(check_plan(deal, plan, words).plan.left) for plan in ("qui", "q-u-i")) == {5: 2}


def test_check_of_a_lone_card() -> None:
    words = solver.dictionary(["in", "inn"])
    deal = Deal(("in", "n"), ("a", "a"))
    assert check_plan(deal, "in", words).broken == "word 1, 'in': no card i is left"
    assert check_plan(deal, "(in)", words).broken == "word 1, '(in)': a word uses at least 2 cards"
    assert check_plan(deal, "(in)", solver.dictionary(["in"], 1), Rules(min_cards=1)).broken is None
