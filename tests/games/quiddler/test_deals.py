"""Deals as people write them, and random deals."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.quiddler._deal import deal
from gpusolve.games.quiddler.cards import COPIES, KIND, NAMES, overdrawn
from gpusolve.games.quiddler.deals import Deal, decode, encode, random_deals

cards = st.sampled_from(NAMES)
deals = st.builds(Deal, st.tuples(*[cards] * 8), st.tuples(*[cards] * 8))


@given(deals)
def test_a_deal_is_read_as_it_is_written(dealt: Deal) -> None:
    assert Deal.parse(str(dealt)) == dealt
    assert decode(encode(dealt)) == dealt
    compact = "".join(card if len(card) == 1 else f"({card})" for card in (*dealt.tops, *dealt.bottoms))
    assert Deal.parse(compact.upper()) == dealt


@pytest.mark.parametrize("count", [0, 1, 15, 17])
def test_another_number_of_cards_is_bad_input(count: int) -> None:
    with pytest.raises(BadInput, match=f"the deal has {count} cards?: expected 16"):
        Deal.parse("a " * count)


def test_rows_of_different_lengths_are_bad_input() -> None:
    with pytest.raises(BadInput, match="rows of 7, 9 cards"):
        Deal.parse("abcdefg / abcdefghi")


def test_what_is_left_of_a_deal_is_read_as_it_is_written() -> None:
    left = Deal.parse(". w . th r y y i / a c . o u n b i")
    assert (left.cards[0], left.cards[9], sorted(left.cards)) == (
        "a",
        "w",
        [0, 1, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 15],
    )
    assert Deal.parse(str(left)) == left
    assert Deal.parse(".w.(th)ryyiac.ounbi") == left
    assert decode(encode(left)) == left
    assert str(Deal.parse("a qu / . n")) == "a qu . . . . . . / . n . . . . . ."
    assert str(left.without([9, 0])) == ". . . th r y y i / . c . o u n b i"
    assert [left.number_at(left.position_of(number)) for number in left.cards] == [*left.cards]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (". / .", "the deal has 0 cards: expected 16"),
        ("a b . / c .", "the deal has 3 cards: expected 16, .*, with a point for each that is gone"),
        ("a ? / b c", r"card 2, '\?': expected a letter"),
        ("a . / b ?", r"card 10, '\?': expected a known card, because none lies on it"),
    ],
)
def test_what_is_left_of_a_deal_has_two_equal_rows(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Deal.parse(text)


def test_random_deals_come_from_one_deck_and_are_reproducible() -> None:
    batch = random_deals(7, range(100, 600))
    for row, number in zip(batch, range(100, 600), strict=True):
        dealt = decode(row)
        assert not overdrawn(dealt.cards.values())
        assert number % 50 or dealt == deal(7, number=number)
    assert str(deal(8)) != str(deal(7)) != str(deal(7, number=1))


def test_random_deals_are_fair() -> None:
    count = 20_000
    dealt = Counter(random_deals(3, range(count)).ravel().tolist())
    for card, copies in COPIES.items():
        expected = count * 16 * copies / 118
        assert abs(dealt[KIND[card]] - expected) < 5 * expected**0.5


def test_rows_of_cards_have_the_same_length() -> None:
    with pytest.raises(BadInput, match="rows of 2 and 1 cards: expected two rows of the same length, 1 to 8"):
        Deal(("a", "b"), ("c",))
