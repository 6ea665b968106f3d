"""The table and its moves."""

from __future__ import annotations

import pytest

from gpusolve.games.quiddler import rules
from gpusolve.games.quiddler.deals import Deal

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
    with pytest.raises(ValueError, match="not a move"):
        rules.move(moved, (9, 0, 1))


def test_a_word_cannot_use_the_card_that_it_uncovers() -> None:
    with pytest.raises(ValueError, match="not uncovered"):
        rules.take(rules.start(DEAL), [8, 0])


def test_cards_are_uncovered_with_the_first_empty_places() -> None:
    assert rules.open_for(((0, 8), (1, 9)), [0]) is None
    assert rules.open_for(((), (1, 9)), [1]) == [(9, 1, 0)]
    assert rules.open_for(((0,), (1, 9), ()), [0, 9]) == []
    assert rules.open_for(((), (1, 9), (2, 10)), [1, 2]) is None
