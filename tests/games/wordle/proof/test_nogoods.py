"""What a search learns about sets of answers that cannot be solved in time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games.wordle.oracle import NEVER, Oracle
from gpusolve.backend import open_backend
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.games.wordle.variant import Variant

CPU = open_backend("cpu")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("mode", "scoring"), [("easy", "wordle"), ("hard", "wordle"), ("hard", "presence")])
def test_nogoods_of_one_search_hold_in_the_next(mode: Mode, scoring: Scoring, seed: int) -> None:
    chance = random.Random(seed)
    answers = sorted(first + end for first in "abcdefgh" for end in chance.sample(["oooo", "eeee", "oeoe"], 1))
    guesses = sorted({*answers, *("".join(chance.choices("abcdefghoe", k=5)) for _ in range(5))})
    oracle, variant = Oracle(guesses, mode, scoring), Variant.load(guesses, answers, mode=mode, scoring=scoring)
    position = Position(after((), variant, "patterns", CPU), variant, memory=1, backend=CPU)
    verdicts = []
    for _ in range(120):
        members, turns = sorted(chance.sample(range(8), chance.randint(3, 8))), chance.randint(2, 5)
        verdicts.append(position.solvable(np.array(members), turns=turns)[0])
        assert verdicts[-1] == (oracle.total([answers[i] for i in members], within=turns) < NEVER)
        position.search.memo[:] = 0  # only the nogoods are kept
    assert set(verdicts) == {False, True}


def test_a_nogood_for_four_turns_covers_every_guess() -> None:
    """Deciding cells in three turns must not change which guesses the reason for their state has to rule out."""
    chance, letters = random.Random(114), "abcdefghijklmn"
    answers = sorted(first + chance.choice(["oooo", "eeee", "oeoe"]) for first in letters)
    guesses = sorted({*answers, *("".join(chance.choices(letters + "oe", k=5)) for _ in range(14))})
    variant = Variant.load(guesses, answers, mode="hard")
    position = Position(after((), variant, "patterns", CPU), variant, memory=1, backend=CPU)
    for _ in range(60):
        members, turns = np.array(sorted(chance.sample(range(14), chance.randint(5, 14)))), chance.randint(3, 6)
        solved = position.solvable(members, turns=turns)[0]
        position.search.memo[:] = 0
        assert solved == (position.cost(members, turns=turns)[0] < position.never)  # which learns nothing
        position.search.memo[:] = 0
