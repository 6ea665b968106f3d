"""Cards as people write them, and words spelled with them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.quiddler.cards import COPIES, DECK, KIND, NAMES, parse_cards, readings


def test_the_deck() -> None:
    assert len(DECK) == 118
    assert sum(COPIES[card] for card in NAMES) == 118


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
    assert parse_cards(text) == found


@pytest.mark.parametrize("text", ["a 8", "a (st)", "a (", "a ()", "a é", "a q("])
def test_unknown_cards_are_named_with_their_place(text: str) -> None:
    with pytest.raises(BadInput, match=r"^card [23], '.*': expected a letter a-z or one of cl, er, in, qu, th$"):
        parse_cards(text)


@given(st.text("clerinquthax", min_size=2, max_size=12))
def test_readings_spell_the_word_and_none_is_missing(word: str) -> None:
    found = readings(word)
    assert len(set(found)) == len(found)
    assert all("".join(reading) == word for reading in found)

    def count(rest: str) -> int:
        if not rest:
            return 1
        return count(rest[1:]) + (count(rest[2:]) if rest[:2] in KIND and len(rest) > 1 else 0)

    assert len(found) == count(word)
