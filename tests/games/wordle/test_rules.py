"""The rules: patterns and modes checked by hand, and every form of input."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, rules, suggest
from gpusolve.games.wordle.wordlist import WordList

words = st.text("abcde", min_size=5, max_size=5)  # few letters: many repeats
codes = st.integers(0, rules.SOLVED)
scorings = st.sampled_from(rules.SCORINGS)


@pytest.mark.parametrize(
    ("guess", "answer", "wordle", "presence"),
    [
        ("crane", "crane", "ggggg", "ggggg"),
        ("salet", "bacon", "-g---", "-g---"),
        ("eerie", "there", "y-y-g", "yyy-g"),
        ("speed", "abide", "--y-y", "--yyy"),
        ("speed", "erase", "y-yy-", "y-yy-"),
        ("allay", "llama", "ygyy-", "ygyy-"),
        ("mamma", "llama", "-y-gg", "yyygg"),
        ("geese", "eaten", "-yy--", "-yy-y"),
        ("abbey", "kebab", "yygy-", "yygy-"),
        ("babes", "abbey", "yygg-", "yygg-"),
    ],
)
def test_patterns_by_hand(guess: str, answer: str, wordle: str, presence: str) -> None:
    assert rules.pattern_text(rules.pattern(guess, answer)) == wordle
    assert rules.pattern_text(rules.pattern(guess, answer, scoring="presence")) == presence


@given(codes)
def test_a_pattern_is_read_as_it_is_written(code: int) -> None:
    assert rules.parse_pattern(rules.pattern_text(code)) == code


@pytest.mark.parametrize(
    "text", ["-y--g", ".y..g", "01002", "bybbG", " -Y--G ", "⬛🟨⬛⬛🟩", "⬜🟨⬜⬜🟩", "⬛️🟨⬛️⬛️🟩"]
)
def test_ways_to_write_a_pattern(text: str) -> None:
    assert rules.pattern_text(rules.parse_pattern(text)) == "-y--g"


@pytest.mark.parametrize("text", ["", "-y--", "-y--gg", "-y-zg", "3----"])
def test_wrong_patterns_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a pattern: expected 5 characters, each of them -, y or g"):
        rules.parse_pattern(text)


@pytest.mark.parametrize(
    "turn",
    [
        *("salet", "sal3t:-----", "sale:-----", "salet:----", ":-----", "salet-y--g"),
        *(("salet", "-y--"), ("salet", 243), ("salet", -1), ("sale", 81)),
    ],
)
def test_wrong_turns_are_refused(turn: str | tuple[str, int | str]) -> None:
    with pytest.raises(BadInput):
        rules.parse_turn(turn)


@pytest.mark.parametrize(("guess", "answer", "scoring"), [("sale", "crane", "wordle"), ("salet", "cran3", "wordle")])
def test_words_that_are_not_five_letters_are_refused(guess: str, answer: str, scoring: rules.Scoring) -> None:
    with pytest.raises(BadInput, match="is not a word: expected"):
        rules.pattern(guess, answer, scoring=scoring)


@pytest.mark.parametrize(
    ("history", "word", "hard", "ultra_hard"),
    [
        (["salet:-----"], "salet", True, False),  # hard mode never forbids grey letters
        (["salet:--g--"], "colon", True, True),
        (["salet:--g--"], "crane", False, False),
        (["salet:-y---"], "brand", True, True),
        (["salet:-y---"], "cairn", True, False),  # the yellow a may stay where it is in hard mode
        (["eerie:y-y-g"], "rebus", False, False),
        (["eerie:y-y-g"], "where", True, True),
        (["eerie:y---g"], "where", True, False),  # r is grey
        (["salet:-y---", "crony:y----"], "campy", True, False),
        (["salet:-y---", "crony:y----"], "abhor", False, False),
    ],
)
def test_modes_by_hand(history: list[str], word: str, hard: bool, ultra_hard: bool) -> None:
    turns = [rules.parse_turn(turn) for turn in history]
    assert rules.allowed(word, turns, "easy")
    assert rules.allowed(word, turns, "hard") == hard
    assert rules.allowed(word, turns, "ultra-hard") == ultra_hard


@given(words, words, scorings)
def test_the_answer_is_always_allowed(guess: str, answer: str, scoring: rules.Scoring) -> None:
    history = [(guess, rules.pattern(guess, answer, scoring=scoring))]
    assert rules.possible(history, scoring)
    for mode in rules.MODES:
        assert rules.allowed(answer, history, mode, scoring)


@given(st.lists(st.tuples(st.text("ab", min_size=5, max_size=5), codes), min_size=1, max_size=2), scorings)
def test_possible_agrees_with_trying_every_word(history: list[tuple[str, int]], scoring: rules.Scoring) -> None:
    everything = ("".join(letters) for letters in product("abc", repeat=5))  # c is any letter that is not guessed
    assert rules.possible(history, scoring) == any(rules.consistent(word, history, scoring) for word in everything)


def test_a_final_sigma_is_the_same_letter_as_any_other() -> None:
    words = WordList(["ΛΌΓΟΣ", "σάλος"])
    assert words[:] == ["λόγος", "σάλος"]
    assert rules.letters_of(words[0])[-1] == rules.letters_of(words[1])[0] == "σ"
    assert rules.pattern_text(rules.pattern("σάλοσ", "λόγος")) == "--ygg"
    table = suggest(["σάλος:--ygg"], Variant.load(words, words, mode="hard"))
    assert table.remaining == ["λόγος"]
