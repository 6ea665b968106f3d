"""The larger solitaire: plays follow the rules; small deals against every play."""

from __future__ import annotations

import random

import pytest

from gpusolve.errors import BadInput, Exit
from gpusolve.games.quiddler.cards import DECK, readings
from gpusolve.games.quiddler.larger._columns import columns, parse_columns
from gpusolve.games.quiddler.larger.rules import Table, move, take

WORDS = ["at", "tea", "in", "tin", "quit", "er", "tier", "he", "the", "on", "no", "nine", "oath", "hat", "tan"]


def fewest_left(table: Table) -> int:
    """Return the fewest cards left by any play, by trying every move and word."""
    waiting, seen = [table], {table}
    fewest = sum(map(len, table))
    while waiting:
        here = waiting.pop()
        fewest = min(fewest, sum(map(len, here)))
        after: list[Table] = []
        if () in here:  # all empty columns are alike
            after += [move(here, source, here.index(())) for source, cards in enumerate(here) if cards]
        for word in WORDS:
            for reading in readings(word):
                choices: list[list[int]] = [[]]
                for card in reading:
                    choices = [
                        [*chosen, column]
                        for chosen in choices
                        for column, cards in enumerate(here)
                        if cards and cards[-1] == card and column not in chosen
                    ]
                after += [take(here, chosen, word, 2) for chosen in choices if len(chosen) > 1]
        for each in after:
            if tuple(sorted(each)) not in seen:
                seen.add(tuple(sorted(each)))
                waiting.append(each)
    return fewest


def test_small_deals_leave_as_few_cards_as_any_play() -> None:
    chance, used = random.Random(3), 0
    for _ in range(25):
        piles = [chance.choices(["a", "t", "e", "i", "n", "h", "o", "er", "th"], k=2) for _ in range(3)]
        text = " / ".join(" ".join(f"({card})" for card in pile) for pile in piles)
        play = columns(text, dictionary=WORDS, width=1000)
        expected = fewest_left(parse_columns(text))
        assert len(play.left) == expected, text
        used += 6 - len(play.left)
    assert used > 20


def test_a_random_deal_is_played_by_the_rules() -> None:
    play = columns(seed=1, width=3)
    assert (play.seed, play.complete, sorted(map(len, play.columns))) == (1, True, [6] * 8)
    assert all(card in DECK for cards in play.columns for card in cards)
    table: Table = tuple(map(tuple, play.columns))
    for step in play.steps:
        places = [column - 1 for column in step.columns]
        table = take(table, places, step.word, 2) if step.word else move(table, *places)
    assert [card for cards in table for card in cards] == play.left
    assert play.won == (not play.left)
    again = columns(" / ".join(" ".join(f"({card})" for card in cards) for cards in play.columns), width=3)
    assert (again.steps, again.seed) == (play.steps, None)


def test_a_cut_search_says_so() -> None:
    play = columns(seed=1, time_limit=0.0)
    assert (play.complete, play.won, play.exit_code) == (False, False, Exit.STOPPED)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("a / " * 9, "the deal has 10 columns"),
        ("a b c d e f g", "1 columns of up to 7 cards: expected at most 8 of 6"),
        (" / / ", "the deal has no card"),
        ("a ? b", "card 2"),
    ],
)
def test_what_is_no_deal_is_refused(given: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        columns(given, dictionary=WORDS)


def test_numbers_out_of_range_are_refused() -> None:
    for options in ({"width": 0}, {"time_limit": -1}, {"seed": -1}):
        with pytest.raises(BadInput):
            columns(dictionary=WORDS, **options)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="seed: expected without a deal"):
        columns("a t", seed=1)


@pytest.mark.parametrize("deal", ["", " ", [""], " / "])
def test_an_empty_text_is_no_random_deal(deal: str | list[str]) -> None:
    with pytest.raises(BadInput, match="the deal has no card"):
        columns(deal)
