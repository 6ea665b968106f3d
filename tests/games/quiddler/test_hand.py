"""The best words of a hand, against every way to lay words down."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from games.quiddler.small import small_deals, small_variant, small_words
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quiddler._hand import ROUND_BONUS, Melds, hand
from gpusolve.games.quiddler.cards import readings
from gpusolve.games.quiddler.spellings import Spellings, spell
from gpusolve.games.quiddler.variant import Variant

CPU = open_backend("cpu")


def every_way(left: tuple[str, ...], ways: list[tuple[str, ...]]) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Every sequence of words that the cards can lay down, with the cards left."""
    yield [], left
    for reading in ways:
        rest = Counter(left)
        rest.subtract(reading)
        if min(rest.values()) >= 0:
            for words, last in every_way(tuple(rest.elements()), ways):
                yield ["".join(reading), *words], last


@pytest.mark.parametrize("discard", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_words_are_the_best_of_every_way(seed: int, discard: bool) -> None:
    variant = Variant(min_cards=small_variant(seed).min_cards)
    values = variant.values
    vocabulary = small_words(seed)
    spelled = [reading for word in vocabulary for reading in readings(word) if len(reading) >= variant.min_cards]
    random_ = random.Random(seed)
    (deal,) = small_deals(seed, 3, 1)
    cards = list(deal.cards.values())
    beat_longest, beat_most = random_.choice([None, 2, 4]), random_.choice([None, 1, 2])

    def score(words: list[str], left: tuple[str, ...]) -> int:
        thrown = max((values[card] for card in left), default=0) if discard else 0
        points = sum(values[card] for card in cards) - 2 * sum(values[card] for card in left) + thrown
        points += ROUND_BONUS * (beat_longest is not None and max(map(len, words), default=0) > beat_longest)
        return points + ROUND_BONUS * (beat_most is not None and len(words) > beat_most)

    ways = [(words, left) for words, left in every_way(tuple(cards), spelled) if left or not discard]
    best = hand(
        cards,
        dictionary=vocabulary,
        discard=discard,
        beat_longest=beat_longest,
        beat_most=beat_most,
        variant=variant,
        backend=CPU,
    )
    assert best.points.score == max(score(*way) for way in ways)
    longest = max(max(map(len, words), default=0) for words, _ in ways)
    of_longest = [score(*way) for way in ways if max(map(len, way[0]), default=0) == longest]
    assert (best.longest.longest, best.longest.score) == (longest, max(of_longest))
    most = max(len(words) for words, _ in ways)
    assert (len(best.most.words), best.most.score) == (most, max(score(*way) for way in ways if len(way[0]) == most))
    for melds in (best.points, best.longest, best.most):
        check(melds, cards, discard, spelled)


def check(melds: Melds, cards: list[str], discard: bool, spelled: list[tuple[str, ...]]) -> None:
    assert all(tuple(word) in spelled for word in melds.cards)
    assert ["".join(word) for word in melds.cards] == melds.words
    used = [card for word in melds.cards for card in word]
    assert sorted(used + melds.left + ([melds.discard] if melds.discard else [])) == sorted(cards)
    assert (melds.discard is not None) == discard


def test_a_hand_of_ten_with_the_shipped_list(shipped: Spellings) -> None:
    best = hand("a e i n r s t th l d", dictionary=shipped, backend=CPU)
    assert best.points.left == []
    assert len(best.most.words) >= len(best.points.words)
    assert best.longest.longest >= best.points.longest


@pytest.mark.parametrize(("count", "discard"), [(2, False), (11, False), (3, True), (12, True)])
def test_another_number_of_cards_is_bad_input(count: int, discard: bool) -> None:
    with pytest.raises(BadInput, match=f"the hand has {count} cards: expected {3 + discard} to {10 + discard}"):
        hand(["a"] * count, discard=discard, backend=CPU)


def test_strict_refuses_cards_that_no_deck_can_give() -> None:
    assert hand(["q"] * 3, dictionary=["it"], backend=CPU).points.left == ["q"] * 3
    with pytest.raises(BadInput, match=r"^strict: 3 copies of card 'q', but the deck has only 2$"):
        hand(["q"] * 3, dictionary=["it"], strict=True, backend=CPU)


@pytest.mark.parametrize("cards", ["qu i t er a l", "z x qu", "in g cl e a r o th y s"])
def test_the_words_with_the_letters_of_a_hand_are_enough(cards: str) -> None:
    whole = spell()
    assert hand(cards, backend=CPU) == hand(cards, dictionary=whole, backend=CPU)
