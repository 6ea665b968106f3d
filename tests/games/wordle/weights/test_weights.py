"""Weights of answers: how they are read, checked, scaled and given to words that are not listed."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.games.wordle import Variant, Weights
from gpusolve.games.wordle.weights.weights import MOST, load_weights, scaled


@pytest.mark.parametrize("separator", ["\t", ",", " ", ";", " , "])
def test_a_file_has_a_word_and_its_weight_on_each_line(separator: str, tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(f"# from a test\nTrace{separator}2\r\n\n  crane{separator}0.25\n", encoding="utf-8")
    variant = Variant.load(weights=file)
    assert variant.answers[:] == ["crane", "trace"]
    assert variant.weights == Weights((25, 200), str(file))
    assert variant.answers.name == str(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("crane 1\ntrace -1", "line 2: weight -1: expected a number that is not negative"),
        ("crane nan", "line 1: weight nan: expected a finite number"),
        ("crane inf", "line 1: weight inf: expected a finite number"),
        ("crane 0\ntrace 0.0", "all weights are 0"),
        ("crane 1\ntrace", "line 2: 'trace': expected a word and its weight"),
        ("crane 1\ntrace x", "line 2: weight 'x': expected a number"),
        ("crane 1_0", "expected a number"),
        ("crane \u0663", "expected a number"),
        ("crane 1e31", "at most 30 digits"),
        ("crane 1e-31", "at most 30 digits"),
        ("crane 1e99999999999", "at most 30 digits"),
        ("crane 1e-99999999999", "at most 30 digits"),
        ("crane -0.0", "all weights are 0"),
        ("crane 1\ncrane 2", "line 2: 'crane' has a weight already: expected each word once"),
        ("crane 1\nCRANE 2", "line 2: 'CRANE' has a weight already and is the same word as 'crane'"),
        ("c 1\nab 2\nabc 3", "'c' has 1 letter: expected 5"),
        ("zzzzz 1", "'zzzzz': expected all of them among the guesses"),
        ("crane" + " " * 1_000_000 + "1 2", "expected a word and its weight"),  # trying pairs of spaces takes hours
        ("# nothing", "no weights there"),
    ],
)
def test_bad_files_are_refused_in_one_line(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput) as error:
        Variant.load(weights=file)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_every_answer_needs_a_weight_and_other_words_may_have_one() -> None:
    weights = {"crane": 3, "trace": 1, "salet": 2}
    loaded = Variant.load(answers=["trace", "crane"], weights=weights)
    assert loaded.weights == Weights((3, 1))
    with pytest.raises(BadInput, match="weights: none for 1 of the 2 answers, for example 'slate'"):
        Variant.load(answers=["trace", "slate"], weights=weights)


def test_numbers_belong_to_the_answers_in_their_order() -> None:
    """A sequence of words keeps its order for this; lists that are loaded are sorted."""
    loaded = Variant.load(answers=["Trace", "crane"], weights=np.array([1, 3]))
    assert (loaded.answers[:], loaded.weights) == (["crane", "trace"], Weights((3, 1)))
    assert Variant.load(answers=loaded.answers, weights=[3, 1]).weights == Weights((3, 1))
    with pytest.raises(BadInput, match="weights: 1 numbers: expected one for each of the 2 answers"):
        Variant.load(answers=["trace", "crane"], weights=[1])


def test_words_that_do_not_fit_are_left_out_of_a_file_of_mixed_lengths(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text("crane 1\ntrace 2\n" + "".join(f"stra\u00dfe{i} 5\n" for i in range(20)), encoding="utf-8")
    with pytest.warns(WordsLeftOut, match="2 words; left out 20 with other characters"):
        loaded = Variant.load(weights=file)
    assert loaded.weights == Weights((1, 2), str(file))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.decimals(0, 10**9, places=3), min_size=1, max_size=8).filter(any))
def test_weights_are_exact_unless_their_sum_is_too_large(numbers: list[Decimal]) -> None:
    weights, total = scaled(numbers), sum(map(Fraction, numbers))
    if weights.exact:
        assert [Fraction(value, weights.total) for value in weights.values] == [Fraction(n) / total for n in numbers]
        assert weights.total <= MOST
        return
    assert MOST - len(numbers) <= weights.total <= MOST + len(numbers)
    for value, number in zip(weights.values, numbers, strict=True):
        assert abs(value - Fraction(number) / total * MOST) <= (1 if number else 0)
        assert (value > 0) == (number > 0)


def test_no_digit_is_lost() -> None:
    long = Decimal("123456789012345678901234567890.123456789012345678901234567891")
    numbers = load_weights([10**29 + 1, np.float32(0.5), long, "7"])  # type: ignore[list-item]
    assert numbers == [10**29 + 1, Decimal("0.5"), long, 7]
    assert scaled([Decimal("1.0"), Decimal(10**9)]) == Weights((1, 10**9))
    assert scaled([Decimal("1e3"), Decimal("0.50")]) == Weights((10_000, 5))
    for wrong in (10**400, float("nan"), np.inf, True, None, -1):
        with pytest.raises(BadInput, match="weights, number 2: "):
            load_weights([1, wrong])  # type: ignore[list-item]


def test_weights_of_a_variant_are_checked() -> None:
    loaded = Variant.load(answers=["crane", "trace"])
    with pytest.raises(BadInput, match="3 weights: expected one for each of 2 answers"):
        Variant(loaded.guesses, loaded.answers, weights=Weights((1, 2, 3)))
    for wrong in ((0, 0), (-1, 2), (1, 1 << 40)):
        with pytest.raises(BadInput):
            Weights(wrong)
    with pytest.raises(TypeError, match="weights: expected"):
        load_weights(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [(1, 1), (30, 70), (0, 1), (1 << 29, 1 << 29)])
def test_unlisted_words_share_one_percent(values: tuple[int, int]) -> None:
    guesses = ["crane", *(f"{i:05}" for i in range(400)), "trace"]
    wide = Weights(values).spread(["crane", "trace"], guesses)
    by_word = dict(zip(guesses, wide.values, strict=True))
    crane, trace = by_word.pop("crane"), by_word.pop("trace")
    assert crane * values[1] == trace * values[0]
    assert len({*by_word.values()}) == 1
    assert wide.unlisted == 400
    assert 0.99 <= 100 * sum(by_word.values()) / (crane + trace) <= 1.01
