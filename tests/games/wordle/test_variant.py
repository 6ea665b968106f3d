"""Variants: what is refused, and when two of them are equal."""

from __future__ import annotations

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant
from gpusolve.games.wordle.wordlist import word_list

GUESSES, ANSWERS = word_list("wordle-guesses"), word_list("wordle-answers")


def test_a_variant_is_checked_and_equal_to_another_with_the_same_words_and_rules() -> None:
    with pytest.raises(BadInput, match="2,315 of the answers cannot be guessed, for example 'aback'"):
        Variant.load(guesses=sorted(set(GUESSES) - set(ANSWERS)))
    with pytest.raises(BadInput, match="mode medium: expected one of easy, hard, ultra-hard"):
        Variant.load(mode="medium")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="scoring strict: expected one of wordle, presence"):
        Variant.load(scoring="strict")  # type: ignore[arg-type]
    variant = Variant.load()
    assert variant == Variant.load(list(GUESSES), list(ANSWERS)) != Variant.load(mode="hard")
    assert hash(variant) == hash(Variant.load())
    assert [GUESSES[i] for i in variant.answer_guesses] == ANSWERS[:]
