"""Cards as people write them, and words spelled with them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import COPIES, DECK, KIND, NAMES, parse_cards, readings


def test_the_deck_has_118_cards() -> None:
    assert len(DECK) == 118
    assert sum(COPIES[card] for card in NAMES) == 118


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("th", ["th"]),
        ("t h", ["t", "h"]),
        ("thx", ["t", "h", "x"]),
        ("(TH)x,er", ["th", "x", "er"]),
        ("a,,b;c", ["a", "b", "c"]),
        ("", []),
    ],
)
def test_cards_are_read_as_people_write_them(text: str, expected: list[str]) -> None:
    assert parse_cards(text) == expected


@pytest.mark.parametrize("text", ["a 8", "a (st)", "a (", "a ()", "a é", "a q("])
def test_unknown_cards_are_reported_with_their_position(text: str) -> None:
    with pytest.raises(BadInput, match=r"^card [23], '.*': expected a letter a-z or one of cl, er, in, qu, th$"):
        parse_cards(text)


@given(st.text("clerinquthax", min_size=2, max_size=12))
def test_readings_spell_the_word_in_every_way(word: str) -> None:
    ways = readings(word)
    assert len(set(ways)) == len(ways)
    assert all("".join(reading) == word for reading in ways)

    def count(rest: str) -> int:
        if not rest:
            return 1
        return count(rest[1:]) + (count(rest[2:]) if rest[:2] in KIND and len(rest) > 1 else 0)

    assert len(ways) == count(word)
