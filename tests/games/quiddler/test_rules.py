"""The literal table, and cards and deals as people write them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.rules import Deal

cards = st.sampled_from(rules.NAMES)
deals = st.builds(Deal, st.tuples(*[cards] * 8), st.tuples(*[cards] * 8))


def test_the_deck() -> None:
    assert len(rules.DECK) == 118
    assert sum(rules.COPIES[card] for card in rules.NAMES) == 118
    printed = "A2 B8 C8 D5 E2 F6 G6 H7 I2 J13 K8 L3 M5 N5 O2 P6 Q15 R5 S3 T3 U4 V11 W10 X12 Y4 Z14 CL10 ER7 IN7 QU9 TH9"
    assert " ".join(f"{card.upper()}{points}" for card, points in rules.VALUES.items()) == printed


def test_the_bonus() -> None:
    row = rules.STANDARD.bonus_row()
    assert row[:14] == [0, 0, 0, 0, 0, 2, 5, 10, 20, 30, 40, 50, 60, 70]
    assert len(row) == 33


@given(deals)
def test_a_deal_is_read_as_it_is_written(deal: Deal) -> None:
    assert rules.parse_deal(str(deal)) == deal
    assert rules.decode(rules.encode(deal)) == deal
    compact = "".join(card if len(card) == 1 else f"({card})" for card in (*deal.tops, *deal.bottoms))
    assert rules.parse_deal(compact.upper()) == deal


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("th", ["th"]),
        ("t h", ["t", "h"]),
        ("thx", ["t", "h", "x"]),
        ("(TH)x,er", ["th", "x", "er"]),
        ("a,,b;c", ["a", "b", "c"]),
        ("", []),
    ],
)
def test_cards(text: str, found: list[str]) -> None:
    assert rules.parse_cards(text) == found


@pytest.mark.parametrize("text", ["a 8", "a (st)", "a (", "a ()", "a é", "a q("])
def test_unknown_cards_are_named_with_their_place(text: str) -> None:
    with pytest.raises(BadInput, match=r"^card [23], '.*': expected a letter a-z or one of cl, er, in, qu, th$"):
        rules.parse_cards(text)


@pytest.mark.parametrize("count", [0, 1, 15, 17])
def test_another_number_of_cards(count: int) -> None:
    with pytest.raises(BadInput, match=f"the deal has {count} cards: expected 16"):
        rules.parse_deal("a " * count)


def test_rows_of_other_lengths() -> None:
    with pytest.raises(BadInput, match="rows of 7, 9 cards"):
        rules.parse_deal("abcdefg / abcdefghi")


def test_random_deals_come_from_one_deck_and_are_the_same_again() -> None:
    batch = rules.random_deals(7, 100, 500)
    for row, number in zip(batch, range(100, 600), strict=True):
        deal = rules.decode(row)
        assert not rules.overdrawn(deal.cards.values())
        assert number % 50 or deal == rules.random_deal(7, number)
    assert str(rules.random_deal(8)) != str(rules.random_deal(7)) != str(rules.random_deal(7, 1))


def test_random_deals_are_fair() -> None:
    count = 20_000
    dealt = Counter(rules.random_deals(3, 0, count).ravel().tolist())
    for card, copies in rules.COPIES.items():
        expected = count * 16 * copies / 118
        assert abs(dealt[rules.KIND[card]] - expected) < 5 * expected**0.5


@given(st.text("clerinquthax", min_size=2, max_size=12))
def test_readings_spell_the_word_and_none_is_missing(word: str) -> None:
    found = rules.readings(word)
    assert len(set(found)) == len(found)
    assert all("".join(reading) == word for reading in found)

    def count(rest: str) -> int:
        if not rest:
            return 1
        return count(rest[1:]) + (count(rest[2:]) if rest[:2] in rules.KIND and len(rest) > 1 else 0)

    assert len(found) == count(word)


DEAL = Deal(("a", "b"), ("c", "d"))


def test_a_top_card_moves_to_an_empty_place_only() -> None:
    places = rules.start(DEAL)  # a on c, b on d
    assert rules.moves(places) == []
    assert rules.uncovered(places) == [8, 9]
    places = rules.take(rules.take(places, [8]), [0])
    assert places == ((), (1, 9))
    assert rules.moves(places) == [(9, 1, 0)]
    moved = rules.move(places, (9, 1, 0))
    assert moved == ((9,), (1,))
    assert rules.moves(moved) == []
    with pytest.raises(ValueError, match="no move"):
        rules.move(moved, (9, 0, 1))


def test_what_is_covered_cannot_be_used_by_the_word_that_uncovers_it() -> None:
    with pytest.raises(ValueError, match="not uncovered"):
        rules.take(rules.start(DEAL), [8, 0])


def test_open_for() -> None:
    assert rules.open_for(((0, 8), (1, 9)), [0]) is None
    assert rules.open_for(((), (1, 9)), [1]) == [(9, 1, 0)]
    assert rules.open_for(((0,), (1, 9), ()), [0, 9]) == []
    assert rules.open_for(((), (1, 9), (2, 10)), [1, 2]) is None


def test_score_by_hand() -> None:
    deal = Deal(("q", "u"), ("z", "a"))  # 15 + 4 used, 14 + 2 left
    assert rules.score(deal, [0, 1], [2]) == 3
    assert rules.score(deal, [], [2, 7]) == 35 + 10


def test_values_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "values"
    file.write_text("q 10\nqu: 5\n\nZ=7\n")
    found = rules.parse_values(file)
    assert (found["q"], found["qu"], found["z"], found["a"]) == (10, 5, 7, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q", "line 1: 'q': expected two things"),
        ("a 1\nst 2", "line 2: no card 'st'"),
        ("a -1", "line 1: '-1' points: expected a whole number"),
        ("a 1001", "from 0 to 1000"),
        ("", "nothing there"),
    ],
)
def test_bad_values_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "values"
    file.write_text(text)
    with pytest.raises(BadInput, match=message):
        rules.parse_values(file)


def test_bonus_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "bonus"
    file.write_text("5 2\n6 5\n")
    assert rules.parse_bonus(str(file)) == {5: 2, 6: 5}


@pytest.mark.parametrize("text", ["5", "x:2", "0:2", "33:2", "5:x", "5:2000", "5:2:3", ""])
def test_bad_bonus(text: str) -> None:
    with pytest.raises(BadInput):
        rules.parse_bonus(text)
