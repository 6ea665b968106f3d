"""Tables with hidden cards: expected scores against trying everything, and against simulated games."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games.quiddler.small import expected
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quiddler._solve import solve
from gpusolve.games.quiddler._suggest import NextPlay, suggest
from gpusolve.games.quiddler.cards import COPIES
from gpusolve.games.quiddler.deals import HIDDEN, NONE, PILES, Deal
from gpusolve.games.quiddler.variant import STANDARD

CPU = open_backend("cpu")
KINDS = ["a", "t", "qu", "s"]
WORDS = ["at", "sat", "quat", "as", "quats", "ta", "stat", "aqua"]
VALUES = STANDARD.values


def small_table(seed: int, hidden: int) -> tuple[Deal, Counter[str], list[str]]:
    """Return a table with hidden cards, what they can be, and the cards that are gone."""
    chance = random.Random(seed)
    deck = Counter({card: chance.randint(2, 4) if card != "qu" else 2 for card in KINDS})
    cards = [*deck.elements()]
    chance.shuffle(cards)
    piles = 3
    tops, bottoms = [cards.pop() for _ in range(piles)], [cards.pop(), *[NONE] * (piles - 1)]
    if seed % 2:
        bottoms[0] = NONE
    for place in range(1, 1 + hidden):
        bottoms[place] = HIDDEN
    deal = Deal((*tops, *[NONE] * (1 + seed % 3)), (*bottoms, *[NONE] * (1 + seed % 3)))
    known = Counter(card for card in deal.cards.values() if card != HIDDEN)
    rest = deck - known
    gone = Counter(COPIES) - known - rest
    return deal, rest, [*gone.elements()]


@pytest.mark.parametrize("hidden", [0, 1, 2])
@pytest.mark.parametrize("seed", range(10))
def test_expected_scores_are_those_of_trying_everything(seed: int, hidden: int) -> None:
    deal, rest, gone = small_table(seed, hidden)
    found = suggest(deal, gone=gone, dictionary=WORDS, backend=CPU)
    assert (found.exact, found.samples, found.seed) == (True, 0, None)
    assert found.plays[0].expected == pytest.approx(expected(deal, rest, WORDS, STANDARD))
    assert all(play.error == 0 for play in found.plays)
    if not hidden:
        assert found.plays[0].expected == solve(deal, dictionary=WORDS, backend=CPU).score


@pytest.mark.parametrize("seed", range(4))
def test_games_that_follow_the_advice_score_as_much_as_expected(seed: int) -> None:
    """The mean of 2,000 simulated games is within four standard errors."""
    deal, rest, gone = small_table(2 * seed, 2)
    chance = random.Random(seed)
    advice: dict[object, NextPlay] = {}
    scores = []
    for _ in range(2000):
        deck = [*rest.elements()]
        chance.shuffle(deck)
        truth = {number: deck.pop() for number in deal.hidden}
        table, score, seen = deal, 0.0, list[str]()
        while True:
            key = table, tuple(seen)
            if key not in advice:
                advice[key] = suggest(table, gone=[*gone, *seen], dictionary=WORDS, backend=CPU).plays[0]
            play = advice[key]
            if play.moved is None and not play.cards:
                break
            bottoms, tops = [*table.bottoms], [*table.tops]
            score += sum(VALUES[card] for card in play.cards)
            score += STANDARD.bonus_row()[len("".join(play.cards))]
            seen += play.cards
            numbers = [table.number_at(position) for position in play.positions]
            if play.moved is not None:
                number = next(n for n in table.hidden if table.tops[n] == play.moved)
                empty = [*zip(tops, bottoms, strict=True)].index((NONE, NONE))
                tops[empty], tops[number] = tops[number], NONE
                bottoms[number] = truth[number]
            for number in numbers:
                if number >= PILES and bottoms[number - PILES] == HIDDEN:
                    bottoms[number - PILES] = truth[number - PILES]
            table = Deal(tuple(tops), tuple(bottoms)).without(numbers)
            if not table.cards:
                break
        left = [truth[n] if card == HIDDEN else card for n, card in table.cards.items()]
        scores.append(score - sum(VALUES[card] for card in left))
    mean = sum(scores) / len(scores)
    error = (sum((each - mean) ** 2 for each in scores) / len(scores) / len(scores)) ** 0.5
    best = suggest(deal, gone=gone, dictionary=WORDS, backend=CPU).plays[0].expected
    assert abs(mean - best) <= 4 * error + 1e-9


def test_samples_are_means_of_what_can_be_reached_if_the_cards_are_known() -> None:
    """With one kind of card left the samples have no error, and they are repeatable."""
    deal = Deal.parse("a t s / ? ? ?")
    gone = [*(Counter(COPIES) - Counter("ats") - Counter("aaa")).elements()]
    found = suggest(deal, gone=gone, samples=5, seed=1, dictionary=WORDS, backend=CPU)
    assert (found.exact, found.samples, found.seed) == (False, 5, 1)
    known = solve("a t s / a a a", dictionary=WORDS, backend=CPU)
    assert (found.plays[0].expected, found.plays[0].error) == (known.score, 0)
    sampled = suggest(deal, samples=20, seed=1, dictionary=WORDS, backend=CPU)
    assert sampled == suggest(deal, samples=20, seed=1, dictionary=WORDS, backend=CPU)
    assert sampled.plays[0].error > 0


def test_a_full_table_takes_samples() -> None:
    found = suggest("n w u th r y y i / ? ? ? ? ? ? ? ?", samples=5, seed=1, top=3, backend=CPU)
    assert not found.exact
    assert [len(found.plays), found.plays[0].expected >= found.plays[1].expected] == [3, True]


@pytest.mark.parametrize(
    ("deal", "gone", "message"),
    [
        ("z z z / a b c", "", "3 copies of card 'z': the deck has only 2"),
        ("z a / ? ?", "z z", "3 copies of card 'z': the deck has only 2"),
        ("? a / b c", "", r"card 1, '\?': expected a letter"),
        ("a b / ? c", "3", "card 1, '3': expected a letter"),
        ("a b / ? ?", [*(Counter(COPIES) - Counter("abe")).elements()], "2 hidden cards: the deck has only 1 left"),
    ],
)
def test_impossible_tables_are_bad_input(deal: str, gone: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        suggest(deal, gone=gone, dictionary=WORDS, backend=CPU)
