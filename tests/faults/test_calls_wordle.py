"""Wrong calls of the functions of Wordle: BadInput for wrong values, TypeError for wrong types."""

# mypy: ignore-errors
# Wrong types are given on purpose.

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.games import wordle
from gpusolve.games.wordle import Variant, WordList, rules
from gpusolve.games.wordle._play import random_answer

TWO = WordList(["crane", "trace"]), WordList(["crane", "trace"])
TABLE: list[tuple[type[Exception], str, Callable[[], Any]]] = [
    # words
    (TypeError, "word: expected a string, not NoneType", lambda: wordle.pattern(None, "crane")),
    (TypeError, "word: expected a string, not int", lambda: wordle.pattern("crane", 5)),
    (BadInput, "'' is not a word", lambda: wordle.pattern("", "crane")),
    (BadInput, "is not a word", lambda: wordle.pattern("k\u200bayk", "crane")),
    (BadInput, "scoring None: expected one of", lambda: wordle.pattern("salet", "crane", scoring=None)),
    (BadInput, "scoring strict", lambda: wordle.pattern("salet", "crane", scoring="strict")),
    (TypeError, "word: expected a string, not list", lambda: wordle.cells(["salet"])),
    (
        TypeError,
        "words: expected a list's name, a file or words, not int",
        lambda: wordle.cells("salet", answers=5),
    ),
    (TypeError, "not NoneType", lambda: wordle.cells("salet", answers=None)),
    (TypeError, "words, number 2: expected a word, not int", lambda: WordList(["salet", 5])),
    (TypeError, "words, number 1: expected a word, not int", lambda: WordList(b"salet")),
    (TypeError, "words, number 1: expected a word, not list", lambda: WordList(np.zeros((2, 5)).tolist())),
    (BadInput, "no words there", lambda: WordList([])),
    (BadInput, "expected a file or a shipped list", lambda: WordList("")),
    (BadInput, "expected a file or a shipped list", lambda: WordList("salet\x00")),
    (BadInput, "number 2: 'salet' is in number 1 already", lambda: WordList(["salet", "Salet"])),
    (BadInput, "is not a word", lambda: WordList(["salet", "k\u200bayk"])),
    (BadInput, "'sale t' is not a word", lambda: WordList(["sale t"])),
    (BadInput, "'sal\net' is not a word", lambda: WordList(["sal\net"])),
    (BadInput, "has 3 letters: expected 5", lambda: WordList(["tea"], length=5)),
    (BadInput, "array of bool", lambda: WordList(["salet", "crane"]).take(np.array([True]))),
    (BadInput, "array of bool", lambda: WordList(["salet", "crane"]).take(np.array([0, 1]))),
    (TypeError, "", lambda: WordList(["salet", "crane"])[1.0]),
    # weights
    (TypeError, "weights: expected a file, a mapping or numbers, not int", lambda: Variant.load(weights=5)),
    (BadInput, "weights: no weights there", lambda: Variant.load(weights={})),
    (BadInput, "weights: no weights there", lambda: Variant.load(answers=["crane"], weights=[])),
    (BadInput, "weights: all weights are 0", lambda: Variant.load(weights={"crane": 0})),
    (BadInput, "'crane': weight -1: expected a number that is not", lambda: Variant.load(weights={"crane": -1})),
    (BadInput, "'crane': weight nan: expected a finite", lambda: Variant.load(weights={"crane": math.nan})),
    (BadInput, "'crane': weight True: expected a number", lambda: Variant.load(weights={"crane": True})),
    (BadInput, "'CRANE' has a weight already", lambda: Variant.load(weights={"crane": 1, "CRANE": 1})),
    (TypeError, "weights: expected words as keys, not int", lambda: Variant.load(weights={5: 1})),
    (BadInput, "weights nowhere: cannot be read", lambda: Variant.load(weights="nowhere")),
    (TypeError, "weights: expected Weights or NoneType, not list", lambda: Variant(*TWO, weights=[1])),
    (BadInput, "1 weights: expected one for each of 2 answers", lambda: Variant(*TWO, weights=wordle.Weights((1,)))),
    (BadInput, "weight -1: expected a whole number", lambda: wordle.Weights((-1,))),
    (BadInput, "weights with the sum 0", lambda: wordle.Weights((0,))),
    (TypeError, "language: expected str, not int", lambda: wordle.words(language=5)),
    (BadInput, "length 0: expected a whole number, 2 to 12", lambda: wordle.words(length=0)),
    (BadInput, "top 0: expected a whole number", lambda: wordle.words(top=0)),
    # patterns
    (BadInput, "pattern -1: expected a whole number, 0 to 242", lambda: wordle.pattern_text(-1)),
    (BadInput, "pattern 243", lambda: wordle.pattern_text(243)),
    (BadInput, "pattern 1.5", lambda: wordle.pattern_text(1.5)),
    (BadInput, "pattern None", lambda: wordle.pattern_text(None)),
    (BadInput, "pattern ggggg", lambda: wordle.pattern_text("ggggg")),
    (TypeError, "pattern: expected a string, not int", lambda: wordle.parse_pattern(242)),
    (BadInput, "'-y--3' is not a pattern", lambda: wordle.parse_pattern("-y--3")),
    (BadInput, "is not a pattern", lambda: wordle.parse_pattern("-y--\u0662")),
    # histories
    (TypeError, "history: expected a list of turns", lambda: rules.parse_history("salet:-y--g")),
    (TypeError, "", lambda: wordle.suggest(5)),
    (TypeError, "", lambda: wordle.remaining(None)),
    (BadInput, "expected a guess and its pattern", lambda: wordle.suggest(["salet"])),
    (BadInput, "turn 5: expected a guess and its pattern", lambda: wordle.suggest([5])),
    (BadInput, "turn ('salet',)", lambda: wordle.suggest([("salet",)])),
    (BadInput, "turn ('salet', 1, 2)", lambda: wordle.remaining([("salet", 1, 2)])),
    (BadInput, "salet: pattern None: expected a whole number", lambda: wordle.suggest([("salet", None)])),
    (BadInput, "salet: pattern nan", lambda: wordle.suggest([("salet", math.nan)])),
    (BadInput, "salet: pattern 1.0", lambda: wordle.suggest([("salet", 1.0)])),
    (BadInput, "salet: pattern True", lambda: wordle.suggest([("salet", True)])),
    (BadInput, "salet: pattern 243", lambda: wordle.suggest([("salet", 243)])),
    (BadInput, "salet: pattern 1000", lambda: wordle.suggest([("salet", 10**30)])),
    (TypeError, "word: expected a string", lambda: wordle.suggest([(None, 0)])),
    (BadInput, "has solved the game", lambda: wordle.suggest(["crane:ggggg", "crane:ggggg"])),
    (BadInput, "has solved the game", lambda: wordle.remaining(["crane:ggggg", "slate:-----"])),
    # variants
    (TypeError, "variant: expected Variant, not str", lambda: wordle.suggest([], "hard")),
    (TypeError, "variant: expected Variant, not str", lambda: wordle.play("crane", "hard")),
    (TypeError, "variant: expected Variant, not dict", lambda: wordle.simulate({})),
    (TypeError, "guesses: expected WordList, not list", lambda: Variant(["crane"], ["crane"])),
    (TypeError, "answers: expected WordList, not str", lambda: Variant(WordList(["crane"]), "crane")),
    (TypeError, "guess_hidden_only: expected bool, not str", lambda: Variant.load(guess_hidden_only="no")),
    (BadInput, "mode 1", lambda: Variant.load(mode=1)),
    (BadInput, "mode ['hard']", lambda: Variant.load(mode=["hard"])),
    (BadInput, "scoring None", lambda: Variant.load(scoring=None)),
    # measures
    (BadInput, "sort x", lambda: wordle.suggest(sort="x")),
    (BadInput, "sort None", lambda: wordle.partition_table(sort=None)),
    (BadInput, "sort guess", lambda: wordle.play("crane", sort="guess")),
    (BadInput, "sort guess", lambda: wordle.simulate(sort="guess")),
    (BadInput, "sort 0", lambda: table().ranking(0)),
    (BadInput, "top -1", lambda: table().columns(-1)),
    (BadInput, "top -1", lambda: table().columns(-1)),
    (BadInput, "top 1.5", lambda: wordle.suggest().columns(1.5)),
    # games
    (BadInput, "answer: expected a hidden word, or the adversary", lambda: wordle.play(None)),
    (BadInput, "answer 'zzzzz': not among the 12,972 answers", lambda: wordle.play("zzzzz")),
    (BadInput, "first guess 'zzzzz'", lambda: wordle.play("crane", first="zzzzz")),
    (TypeError, "word: expected a string, not int", lambda: wordle.play("crane", first=1)),
    (TypeError, "word: expected a string, not int", lambda: wordle.simulate(first=1)),
    (TypeError, "not callable", lambda: wordle.simulate(progress=None)),
    (BadInput, "seed -1: expected a whole number", lambda: random_answer(seed=-1)),
    (BadInput, "seed None", lambda: random_answer(seed=None)),
    (BadInput, "seed nan", lambda: random_answer(seed=math.nan)),
    # devices
    (TypeError, "backend: expected a backend, a name or None, not int", lambda: wordle.suggest(backend=0)),
    (BadInput, "device gpu", lambda: wordle.simulate(backend="gpu")),
    (BadInput, "device cpu:\u0661", lambda: wordle.cells("salet", backend="cpu:\u0661")),
]


def table() -> wordle.PartitionTable:
    return wordle.partition_table(guesses=["salet"], answers=["crane"], backend="cpu")


@pytest.mark.parametrize(("error", "message", "call"), TABLE, ids=[message or "?" for _, message, _ in TABLE])
def test_a_wrong_call(error: type[Exception], message: str, call: Callable[[], Any]) -> None:
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)


def test_a_backend_may_be_named() -> None:
    assert wordle.suggest(["slate:ggggg"], backend="cpu:1").best == "slate"
