"""The sentence about each guess of a judged game: every fact in it is counted again by the rules."""

from __future__ import annotations

import re

import pytest

from games.wordle.analysis.small_game import VARIANT, WORDS
from gpusolve.backend import open_backend
from gpusolve.games.wordle import Variant, analyze, rules
from gpusolve.games.wordle.analysis.moves import Move

CPU = open_backend("cpu")


@pytest.mark.parametrize("answer", WORDS)
def test_the_numbers_in_a_sentence_are_those_of_the_rules(answer: str) -> None:
    for first in WORDS:
        for second in ("abort", "graft"):
            words = [*dict.fromkeys([first, second, answer])]
            words = words[: words.index(answer) + 1]
            left = WORDS
            for move in analyze(words, VARIANT, backend=CPU).moves:
                check(move, left, answer)
                left = left_after(move.guess, answer, left)


def left_after(guess: str, answer: str, words: list[str]) -> list[str]:
    """Return the words that are possible after a guess; none after the answer itself."""
    if guess == answer:
        return []
    return [word for word in words if rules.pattern(guess, word) == rules.pattern(guess, answer)]


def check(move: Move, left: list[str], answer: str) -> None:
    """Compare a sentence with what the rules say."""
    text = move.reason
    assert text.endswith(".")
    if len(left) == 1:
        assert text == ("It was the only word left." if move.guess == left[0] else f"Only {left[0]} was left, so this "
                        "guess was wasted.")  # fmt: skip
        return
    mean = sum(len(left_after(move.guess, word, left)) for word in left) / len(left)
    best_mean = sum(len(left_after(move.best, word, left)) for word in left) / len(left)
    assert f"leaves {mean:.1f} words on average" in text or f"{move.guess} {mean:.1f}" in text
    assert ("No guess is better" in text) == (move.lost == 0)
    after, best_after = (len(left_after(word, answer, left)) for word in (move.guess, move.best))
    if move.guess == answer:
        assert f"{move.guess} was the answer, with a chance of {100 / len(left):.0f} %" in text
    else:
        assert f"here it left {after}" in text
        assert f"could be the answer with a chance of {100 / len(left):.0f} %" in text or move.guess not in left
    if move.lost:
        assert f"{move.best} needs {move.lost:.2f} fewer guesses on average" in text
        assert f"and {move.best} {best_mean:.1f}" in text or f"it leaves {best_mean:.1f} words" in text
        assert ("although" in text) == (best_mean > mean)
        assert (f"{move.guess} could not be the answer" in text) == (move.guess not in left)
        if move.guess != answer and move.best != answer:
            assert f"and {move.best} would have left {best_after}" in text
        assert (f"and {move.best} was the answer" in text) == (move.best == answer)
    marks = [{rules.pattern_text(rules.pattern(move.guess, word))[i] for word in left} for i in range(5)]
    assert move.known_places == [i for i, seen in enumerate(marks, 1) if len(seen) == 1]
    assert ("nothing new" in text) == bool(move.lost and move.known_places)


def test_a_letter_that_is_there_twice_is_named_by_its_place() -> None:
    game = analyze(["crane:----g", "eerie:yg--g", "geese"], Variant.load(answers="wordle-answers"), backend=CPU)
    assert re.search(r"its (.*) tell nothing new", game.moves[1].reason)
    assert "third e" in game.moves[1].reason
    assert game.moves[1].known_places == [3, 5]


def test_likely_words_are_counted_where_words_have_chances() -> None:
    first, last = analyze(["salet", "gizmo"], backend=CPU).moves
    assert (first.remaining, first.likely < 4000, first.likely_left < first.left) == (12972, True, True)
    assert (
        f"leaves {first.mean_likely_left:.0f} likely words on average; here it left {first.likely_left}" in first.reason
    )
    assert first.words[:3] == sorted(first.words[:3])  # equally likely, equally familiar
    assert f"{last.guess} was the answer, with a chance of 0." in last.reason
