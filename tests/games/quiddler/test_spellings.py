"""Spellings, against the readings of each word."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.quiddler import spellings
from gpusolve.games.quiddler.cards import KIND, NAMES, readings
from gpusolve.games.quiddler.deals import NO_CARD
from gpusolve.games.quiddler.spellings import Spellings, spell, spell_hand
from gpusolve.wordlists import load_words


def check(words: list[str], min_cards: int) -> None:
    expected: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for word in sorted(words):
        for reading in {tuple(sorted(KIND[card] for card in reading)) for reading in readings(word)}:
            if len(word) > 1 and min_cards <= len(reading) <= 16:
                expected[reading].append(word)
    if not expected:
        with pytest.raises(BadInput, match="the dictionary has no word"):
            spell(words, min_cards)
        return
    spellings = spell(words, min_cards)
    rows = [tuple(kind for kind in row if kind != NO_CARD) for row in spellings.cards.tolist()]
    assert {row: spellings.spelled_by([NAMES[kind] for kind in row][::-1]) for row in rows} == expected
    assert len(rows) == len(expected)
    assert spellings.kinds.tolist() == [sum(1 << kind for kind in set(row)) for row in rows]
    assert spellings.kinds.dtype == np.uint32


@given(
    st.sets(st.text("clerinquthax", min_size=1, max_size=9) | st.text("athin", min_size=14, max_size=34), min_size=1),
    st.integers(1, 2),
)
def test_every_word_is_spelled_in_every_way(words: set[str], min_cards: int) -> None:
    check(list(words), min_cards)


def test_the_spellings_of_the_shipped_list(shipped: Spellings) -> None:
    assert (len(shipped.words), len(shipped.kinds)) == (111_544, 154_451)
    check(load_words("scowl-70")[::50], 2)


def test_anagrams_share_a_collection_but_not_their_two_letter_cards() -> None:
    spellings = spell(["there", "three", "ether"])
    assert spellings.spelled_by(["t", "h", "r", "e", "e"]) == ["ether", "there", "three"]
    assert spellings.spelled_by(["th", "er", "e"]) == ["ether", "there"]
    assert spellings.spelled_by(["th", "r", "e", "e"]) == ["ether", "there", "three"]
    assert spellings.spelled_by(["er", "t", "h", "e"]) == ["ether", "there"]
    assert spellings.spelled_by(["e", "r", "e"]) == spellings.spelled_by(["th"] * 17) == []


def test_spellings_can_be_passed_in_place_of_their_words() -> None:
    spellings = spell(["in", "err"], 1)
    assert list(spellings) == ["err", "in"]
    assert "in" in spellings
    assert "inn" not in spellings
    assert spell(spellings, 1) is spellings
    assert spell(["in"], 1).spelled_by(["in"]) == ["in"]
    assert spell(spellings, 2).spelled_by(["in"]) == []


@pytest.mark.parametrize("words", [["a"], ["abcdefghijklmnopq"], ["a" * 33]])
def test_a_dictionary_without_usable_words_is_bad_input(words: list[str]) -> None:
    with pytest.raises(BadInput, match="the dictionary has no word"):
        spell(words)


def test_a_hand_needs_only_the_words_with_its_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spellings, "_asked", set())
    everything, few = spell(), spell_hand(["qu", "i", "t", "er", "a", "l"])
    assert 100 < len(few.words) < 1000
    for cards in (["qu", "a"], ["l", "i", "t", "er"], ["t", "a", "i", "l"], ["qu", "er"]):
        assert few.spelled_by(cards) == everything.spelled_by(cards)
    assert few.spelled_by(["l", "i", "t", "er"]) == ["liter", "tiler"]
    assert spell_hand(["l", "i", "t", "er"]) is everything  # the second time
    monkeypatch.setattr(spellings, "_asked", set())
    assert spell_hand(["q", "z", "x"]).words == everything.words
    assert spell_hand(["q", "z", "x"], everything) is everything
    with pytest.raises(BadInput, match="no words there"):
        spell_hand(["q", "z", "x"], [])


def test_spellings_have_a_short_repr() -> None:
    assert repr(spell(["quit", "tiqu"])) == "<Spellings: 2 words, 2 collections of 2 cards or more>"
