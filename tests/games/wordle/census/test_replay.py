"""The patterns of many guesses at once, against the rules."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.census.replay import marks
from gpusolve.games.wordle.rules import SCORINGS


@pytest.mark.parametrize("scoring", SCORINGS)
def test_patterns_equal_the_rules(scoring: rules.Scoring) -> None:
    chance = random.Random(17)
    pairs = list(product(map("".join, product("ab", repeat=4)), repeat=2))
    pairs += [("".join(chance.choices("abcd", k=4)), "".join(chance.choices("abcd", k=4))) for _ in range(2000)]
    guesses, answers = (np.array([list(word) for word in words]) for words in zip(*pairs, strict=True))
    expected = [rules.mark(guess, answer, scoring) for guess, answer in pairs]
    assert marks(guesses, answers, scoring).tolist() == expected
