"""The chances of words to be the answer today."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpusolve.games.wordle import Variant
from gpusolve.games.wordle.weights import chances
from gpusolve.games.wordle.weights.chances import (
    COVERED,
    LISTED,
    are_known,
    chance,
    familiarity,
    is_form,
    is_published,
    likely,
    likely_sizes,
)
from gpusolve.games.wordle.wordlist import WordList, word_list

GUESSES = word_list("wordle-guesses")
POSSIBLE = Path(__file__).parents[5] / "shared" / "data" / "wordle-answers-2023-07.txt"


def test_only_open_answers_become_all_guesses() -> None:
    opened = likely(Variant.load(mode="hard"))
    assert (opened.answers, opened.weight_list, opened.mode) == (GUESSES, "chances", "hard")
    assert likely(opened) is opened
    for chosen in (Variant.load(answers="wordle-answers"), Variant.load(weights={"crane": 2, "trace": 1})):
        assert likely(chosen) is chosen
    guesses = [*word_list("wordle-answers"), "aahed", "tarse"]
    assert likely(Variant.load(guesses)).answers[:] == sorted(guesses)


def test_published_words_are_the_likeliest_and_forms_the_least() -> None:
    weights = dict(zip(GUESSES, chances.chances(GUESSES).values, strict=True))
    assert {word for word, weight in weights.items() if weight == LISTED} == set(word_list("wordle-answers"))
    assert min(weights.values()) > 0
    assert max(weight for word, weight in weights.items() if is_form(word) and not is_published(word)) < LISTED / 1000
    outside = sum(weight for word, weight in weights.items() if not is_published(word))
    assert outside / sum(weights.values()) == pytest.approx(0.08, abs=0.005)  # 19 of 234 games of 2026


@pytest.mark.skipif(not POSSIBLE.exists(), reason="the list of July 2023 is not shipped")
def test_later_answers_have_a_better_chance_than_other_words() -> None:
    """Of the words that are not past tenses, which that list has and the game does not use."""
    possible = set(POSSIBLE.read_text().split())
    outside = [word for word in GUESSES if not is_published(word) and not is_form(word)]
    added, others = ([chance(word) for word in outside if (word in possible) is new] for new in (True, False))
    assert len(added) > 600
    assert sum(added) / len(added) > 8 * sum(others) / len(others)


def test_words_of_other_languages_are_equally_familiar() -> None:
    assert familiarity(WordList(["about", "xylyl", "zzzzz"])).tolist() == [10, 80, 99]
    for words in (["würde", "könne"], ["abc", "abd"]):
        assert set(familiarity(WordList(words))) == {0}


def test_chances_are_known_for_lists_with_all_published_words() -> None:
    assert are_known(GUESSES)
    assert are_known(word_list("wordle-answers"))
    assert not are_known(WordList([word for word in GUESSES if word != "crane"]))


@pytest.mark.parametrize("most", [1, 3, 500])
def test_the_likely_words_of_a_cell_are_the_fewest_with_nearly_all_of_its_chances(most: int) -> None:
    random = np.random.default_rng(most)
    for _ in range(50):
        codes = random.integers(0, 9, random.integers(1, 60))
        weights = random.integers(0, most + 1, len(codes)) ** 2
        expected = [count_likely(weights[codes == code].tolist()) for code in range(9)]
        assert likely_sizes(codes, weights, 9).tolist() == expected
        assert likely_sizes(codes, None, 9).tolist() == np.bincount(codes, minlength=9).tolist()


def count_likely(weights: list[int]) -> int:
    """Return how many weights are at least the smallest one that is needed for the share `COVERED`, heaviest first."""
    needed, least = 0, 0
    for weight in sorted(weights, reverse=True):
        if needed < COVERED * sum(weights):
            needed, least = needed + weight, weight
    return sum(weight >= least for weight in weights)
