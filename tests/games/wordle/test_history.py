"""Remaining answers and allowed guesses: compared with the rules, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.backend import open_backend
from gpusolve.games.wordle import remaining, rules
from gpusolve.games.wordle.history import allowed_mask
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.games.wordle.wordlist import encode, word_list

ANSWERS = word_list("wordle-answers")
CPU = open_backend("cpu")
few_letters = st.text("abcde", min_size=5, max_size=5)


@pytest.mark.parametrize("history", [["salet:-y--g"], ["salet:-----", "crony:-y-y-"], []])
@pytest.mark.parametrize("scoring", rules.SCORINGS)
def test_remaining_answers_agree_with_the_rules(history: list[str], scoring: Scoring) -> None:
    turns = rules.parse_history(history)
    expected = [word for word in ANSWERS if rules.consistent(word, turns, scoring)]
    assert remaining(turns, ANSWERS, scoring=scoring, backend=CPU)[:] == expected


@settings(max_examples=60)
@given(
    st.lists(few_letters, min_size=1, max_size=60),
    st.lists(few_letters, min_size=1, max_size=3),
    few_letters,
    st.sampled_from(rules.MODES),
    st.sampled_from(rules.SCORINGS),
)
def test_allowed_guesses_agree_with_the_rules(
    words: list[str], guesses: list[str], answer: str, mode: Mode, scoring: Scoring
) -> None:
    history = [(guess, rules.pattern(guess, answer, scoring=scoring)) for guess in guesses]
    mask = allowed_mask(CPU, encode(words), history, mode, scoring)
    assert mask.tolist() == [rules.allowed(word, history, mode, scoring) for word in words]
