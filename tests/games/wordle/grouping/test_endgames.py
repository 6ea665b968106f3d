"""Sets of answers that agree in all positions but one: against published numbers."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.wordle import endgames


def test_published_endgames() -> None:
    answers, guesses = endgames().sets, endgames(answers="wordle-guesses").sets
    assert (len(answers), len(guesses)) == (98, 2276)
    assert ".arks" in [each.template for each in guesses]
    assert answers[0].template == ".ight"


def test_a_position_is_a_letter_with_its_marks() -> None:
    words = ["q\u0308ab", "qab", "wab", "qba"]
    for least in (2, 3):
        (found,) = endgames(answers=words, least=least).sets
        assert (found.template, found.words) == (".ab", ["qab", "q\u0308ab", "wab"])


@pytest.mark.parametrize("least", [1, 27, 2.5])
def test_a_wrong_minimum_is_refused(least: int) -> None:
    with pytest.raises(BadInput, match=r"least .*: expected a whole number, 2 to 26"):
        endgames(least=least)
