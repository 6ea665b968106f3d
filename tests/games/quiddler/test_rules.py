"""The literal table."""

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


def test_what_is_covered_cannot_be_used_by_the_word_that_uncovers_it() -> None:
    with pytest.raises(ValueError, match="not uncovered"):
        rules.take(rules.start(DEAL), [8, 0])


def test_open_for() -> None:
    assert rules.open_for(((0, 8), (1, 9)), [0]) is None
    assert rules.open_for(((), (1, 9)), [1]) == [(9, 1, 0)]
    assert rules.open_for(((0,), (1, 9), ()), [0, 9]) == []
    assert rules.open_for(((), (1, 9), (2, 10)), [1, 2]) is None
