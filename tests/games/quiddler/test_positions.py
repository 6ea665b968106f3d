"""Games that go on: from any table, and after words that have been played, against an exhaustive search."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from games.quiddler.small import small_deals, small_variant, small_words
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler._solve import solve
from gpusolve.games.quiddler.deals import NONE, Deal
from gpusolve.games.quiddler.rules import Places
from gpusolve.games.quiddler.variant import Variant

CPU = open_backend("cpu")


def laid(deal: Deal, places: Places) -> Deal:
    """Return a table as a deal: single cards lie in either row."""
    rows = [[deal.cards[number] for number in reversed(pile)] for pile in places]
    for i, row in enumerate(rows):
        rows[i] = row if len(row) == 2 else [NONE, *row] if i % 2 and row else [*row, NONE, NONE][:2]
    return Deal(tuple(row[0] for row in rows), tuple(row[1] for row in rows))


def games(seed: int) -> tuple[Deal, list[str], list[Places], Variant, list[str]]:
    """Return a small deal, some legal words, the tables before and after each, the rules, and the dictionary."""
    chance, words, variant = random.Random(seed), small_words(seed), small_variant(seed)
    deal = small_deals(seed, 4 + seed % 2, 1)[0]
    tables, played = [rules.start(deal)], list[str]()
    for _ in range(chance.randint(1, 3)):
        places = tables[-1]
        ways = [
            cards
            for word in words
            for cards in choices_of(deal, places, word, variant)
            if rules.open_for(places, cards) is not None
        ]
        if not ways:
            break
        cards = chance.choice(ways)
        for step in rules.open_for(places, cards) or []:
            places = rules.move(places, step)
        tables.append(rules.take(places, cards))
        played.append(f"{'-'.join(deal.cards[n] for n in cards)}:{'-'.join(str(deal.position_of(n)) for n in cards)}")
    return deal, played, tables, variant, words


def choices_of(deal: Deal, places: Places, word: str, variant: Variant) -> list[list[int]]:
    """Return every list of cards on the table, covered or not, that spells a word."""
    flat = tuple((number,) for pile in places for number in pile)
    return [cards for _, cards in rules.plays(deal, flat, [word], variant)]


@pytest.mark.parametrize("seed", range(24))
def test_games_that_go_on_have_the_optimum_of_the_exhaustive_search(seed: int) -> None:
    deal, played, tables, variant, words = games(seed)
    worth = variant.bonus_row()
    best, gained = [], 0
    for number, table in enumerate(tables):
        if number:
            text = played[number - 1].split(":")[0].split("-")
            gained += sum(variant.values[card] for card in text) + worth[len("".join(text))]
        left = laid(deal, table)
        expected, expected_all = rules.exhaustive(left, words, variant=variant)
        assert not left.cards or solve(left, dictionary=words, variant=variant, backend=CPU).score == expected
        best.append(expected + gained)
        plan = " ".join(played[:number])
        found = solve(deal, plan=plan, dictionary=words, variant=variant, backend=CPU)
        assert found.score == best[-1]
        assert found.lost == [before - after for before, after in pairwise(best)]
        assert all(
            [sorted(step.positions) for step in each.steps[:number]]
            == [sorted(int(at) for at in word.split(":")[1].split("-")) for word in played[:number]]
            for each in found.plans
        )
        if expected_all is None:
            with pytest.raises(NoSolution):
                solve(deal, plan=plan, goal="all", dictionary=words, variant=variant, backend=CPU)
        else:
            using = solve(deal, plan=plan, goal="all", dictionary=words, variant=variant, backend=CPU)
            assert using.score == expected_all + gained
            assert solve(deal, plan=plan, goal="any", dictionary=words, variant=variant, backend=CPU).lost == found.lost
        for more in (0, 1):
            limited, _ = rules.exhaustive(left, words, variant=variant, max_words=more) if more else (0, None)
            if not more:
                limited = -sum(variant.values[card] for card in left.cards.values())
            if number + more:
                most = solve(deal, plan=plan, max_words=number + more, dictionary=words, variant=variant, backend=CPU)
                assert most.score == limited + gained


@pytest.mark.parametrize("seed", range(10))
def test_tables_on_which_cards_were_moved_without_need(seed: int) -> None:
    chance, words, variant = random.Random(seed), small_words(seed), small_variant(seed)
    deal = small_deals(seed, 3, 1)[0]
    table = (*rules.start(deal), (), ())
    table = rules.move(table, chance.choice(rules.moves(table)))
    if seed % 2:
        table = rules.take(table, rules.uncovered(table)[:1])
        table = rules.move(table, chance.choice(rules.moves(table)))
    left = laid(deal, table)
    assert (
        solve(left, dictionary=words, variant=variant, backend=CPU).score
        == rules.exhaustive(left, words, variant=variant)[0]
    )


def test_a_word_without_named_cards_takes_those_that_leave_most() -> None:
    """Taking the upper n uncovers the q."""
    deal = Deal(("n", "n", "a"), ("o", "q", "t"))
    found = solve(deal, plan="an", dictionary=["an", "not", "to", "no"], backend=CPU)
    assert found.plans[0].steps[0].positions == [3, 1]
    assert solve(deal, plan="an:3-2", dictionary=["an", "not", "to", "no"], backend=CPU).score < found.score


def test_an_illegal_plan_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"^plan: word 2, 'bum': no card m is left$"):
        solve("nwu(th)ryyi / acjounbi", plan="nu bum", dictionary=["nu", "bum"], backend=CPU)
    with pytest.raises(BadInput, match=r"^max_words 1: expected at least 2, the number of words in the plan$"):
        solve("nwu(th)ryyi / acjounbi", plan="nu ja", dictionary=["nu", "ja"], max_words=1, backend=CPU)
