"""Wrong calls of Quordle's functions raise BadInput, or TypeError for a value of another type."""

# mypy: ignore-errors
# Wrong types are given on purpose.

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gpusolve.errors import BadInput, NoSolution
from gpusolve.games import quordle
from gpusolve.games.quordle import Variant
from gpusolve.games.quordle.rules import parse_turn, parse_turns
from gpusolve.games.wordle.weights.weights import Weights
from gpusolve.games.wordle.wordlist import WordList

WORDS = ["crane", "trace", "stale", "abbey"]
TINY = Variant.load(WORDS, WORDS)

TABLE: list[tuple[type[Exception], str, Callable[[], Any]]] = [
    # variants
    (TypeError, "answers: expected WordList, not list", lambda: Variant(["crane"], WordList(["crane"]))),
    (TypeError, "guesses: expected WordList, not str", lambda: Variant(WordList(["crane"]), "crane")),
    (BadInput, "player None: expected one of", lambda: Variant.load(player=None)),
    (BadInput, "scoring strict: expected one of", lambda: Variant.load(scoring="strict")),
    (BadInput, "1 of the answers cannot be guessed, for example 'crane'", lambda: Variant.load(["crane"], ["trace"])),
    (BadInput, "no words there", lambda: Variant.load([])),
    (TypeError, "variant: expected Variant, not str", lambda: quordle.simulate("hard", count=1)),
    # weights
    (TypeError, "weights: expected a file, a mapping or numbers, not int", lambda: Variant.load(weights=5)),
    (BadInput, "weights: no weights there", lambda: Variant.load(weights={})),
    (BadInput, "weights: all weights are 0", lambda: Variant.load(weights={"crane": 0})),
    (BadInput, "'crane': weight -1: expected a number that is not", lambda: Variant.load(weights={"crane": -1})),
    (BadInput, "'CRANE' has a weight already", lambda: Variant.load(weights={"crane": 1, "CRANE": 1})),
    (BadInput, "weights: 1 numbers: expected one for each of", lambda: Variant.load(["crane", "trace"], weights=[1])),
    (BadInput, "words of 11 letters: expected 2 to 10", lambda: Variant.load(weights={"abracadabra": 1})),
    (BadInput, "1 weights: expected one for each of 4 answers", lambda: replace(TINY, weights=Weights((1,)))),
    (TypeError, "weights: expected Weights or NoneType, not list", lambda: replace(TINY, weights=[1])),
    # hidden words
    (BadInput, "boards 0: expected a whole number, 1 to 32", lambda: quordle.play([])),
    (BadInput, "boards 33", lambda: quordle.play(["crane"] * 33)),
    (BadInput, "board 2: crane is already hidden on board 1", lambda: quordle.play(["crane", "Crane"])),
    (BadInput, "board 1: zzzzz: not among the 4 answers", lambda: quordle.play(["zzzzz"], variant=TINY)),
    (TypeError, "word: expected a string, not int", lambda: quordle.play([5])),
    (TypeError, "", lambda: quordle.play(None)),
    (BadInput, "strategy luck", lambda: quordle.play(["crane"], variant=TINY, strategy="luck")),
    (BadInput, "strategy all", lambda: quordle.play(["crane"], variant=TINY, strategy="all")),
    (BadInput, "max_guesses 0", lambda: quordle.play(["crane"], variant=TINY, max_guesses=0)),
    (BadInput, "max_guesses 65", lambda: quordle.play(["crane"], variant=TINY, max_guesses=65)),
    (BadInput, "seed -1", lambda: quordle.play(["crane"], variant=TINY, seed=-1)),
    # simulations
    (BadInput, "boards True", lambda: quordle.simulate(TINY, boards=True)),
    (BadInput, "boards 2.5", lambda: quordle.simulate(TINY, boards=2.5)),
    (BadInput, "boards 5: only 4 words can be hidden", lambda: quordle.simulate(TINY, boards=5)),
    (BadInput, "count 0", lambda: quordle.simulate(TINY, count=0)),
    (BadInput, "count nan", lambda: quordle.simulate(TINY, count=math.nan)),
    (BadInput, "strategy None", lambda: quordle.simulate(TINY, strategy=None)),
    (BadInput, "seed 1.5", lambda: quordle.simulate(TINY, seed=1.5)),
    (BadInput, "time_limit -1", lambda: quordle.simulate(TINY, time_limit=-1)),
    (TypeError, "backend: expected a backend", lambda: quordle.simulate(TINY, backend=5)),
    # histories
    (NoSolution, "board 1: none of the 4", lambda: quordle.suggest("crane:----- trace:-----", variant=TINY)),
    (TypeError, "turn: expected str, not int", lambda: quordle.suggest([5], variant=TINY)),
    (BadInput, "expected a guess and the pattern of each board", lambda: quordle.suggest(["crane"], variant=TINY)),
    (BadInput, "board 1, guess 1: expected a pattern", lambda: quordle.suggest(["crane:"], variant=TINY)),
    (BadInput, "'---' is not a pattern", lambda: quordle.suggest(["crane:---"], variant=TINY)),
    (BadInput, "boards 33", lambda: parse_turn("crane:" + ",".join(["-----"] * 33))),
    (BadInput, "1 pattern: expected 2", lambda: parse_turns(["crane:-----"], 2)),
    (BadInput, "board 2: the patterns contradict", lambda: quordle.suggest(["crane:-----,ggggy"], variant=TINY)),
    (
        NoSolution,
        "board 1: none of the 4 words that can be guessed gives these patterns",
        lambda: quordle.suggest(["crane:-----", "trace:-----"], variant=TINY),
    ),
    (BadInput, "crane: solves boards 1 and 2", lambda: quordle.suggest(["crane:ggggg,ggggg"], variant=TINY)),
    # judged games
    (
        BadInput,
        "guess 2, trace: expected no",
        lambda: quordle.analyze(["crane"], ["crane", "trace"], variant=TINY),
    ),
    (BadInput, "guess 1, zzzzz", lambda: quordle.analyze(["crane"], ["zzzzz"], variant=TINY)),
    (TypeError, "", lambda: quordle.analyze(["crane"], [5], variant=TINY)),
]


@pytest.mark.parametrize(("kind", "message", "call"), TABLE, ids=[str(i) for i in range(len(TABLE))])
def test_a_wrong_call_raises(kind: type[Exception], message: str, call: Callable[[], Any]) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value)


def test_an_empty_history_is_fine() -> None:
    assert list(quordle.analyze(["crane"], [], variant=TINY)) == []
    assert len(quordle.suggest([], variant=TINY).remaining) == 4
