"""Games against a hidden answer: what is refused, and random answers."""

from __future__ import annotations

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, play, simulate
from gpusolve.games.wordle._play import random_answer
from gpusolve.games.wordle.wordlist import word_list

ANSWERS = word_list("wordle-answers")
CPU = open_backend("cpu")


def test_words_that_are_not_listed_are_refused() -> None:
    with pytest.raises(BadInput, match="answer 'zzzzz': not among the 12,972 answers"):
        play("zzzzz", backend=CPU)
    with pytest.raises(BadInput, match="answer 'xylyl': not among the 2,315 answers"):
        play("xylyl", Variant.load(answers=ANSWERS), backend=CPU)
    with pytest.raises(BadInput, match="first guess 'zzzzz'"):
        simulate(first="zzzzz", backend=CPU)


def test_the_same_seed_gives_the_same_answer() -> None:
    assert random_answer(ANSWERS, seed=7) == random_answer(ANSWERS, seed=7)
    assert len({random_answer(ANSWERS, seed=seed) for seed in range(20)}) > 10
