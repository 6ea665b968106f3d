"""Trials of next guesses, with limits so low that small states reach them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.games.wordle.cpu.proof.nogoods import KEPT
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof import position as module, trials
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.rules import SOLVED
from gpusolve.games.wordle.variant import Variant

CPU = open_backend("cpu")


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for where, name, value in (
        (module, "MANY", 1),
        (module, "FEWEST_TURNS", 4),
        (module, "PATIENCE", 1),
        (trials, "GLANCE", 2),
        (trials, "NOGOOD_STATES", 30),
        (trials, "LIMIT", 2),
        (trials, "MOST", 4),
    ):
        monkeypatch.setattr(where, name, value)


def game(seed: int) -> Position:
    """Return a position whose 18 answers differ only in their first letter."""
    chance, letters = random.Random(seed), "abcdfghijklmnpqrst"
    answers = [first + "oooo" for first in letters]
    guesses = sorted({*answers, *("".join(chance.choices(letters + "oe", k=5)) for _ in range(8))})
    variant = Variant.load(guesses, answers, mode="hard")
    return Position(after((), variant, "patterns", CPU), variant, memory=1, backend=CPU)


@pytest.mark.parametrize("seed", range(4))
def test_trials_decide_what_is_true(seed: int, small_limits: None, monkeypatch: pytest.MonkeyPatch) -> None:
    position, chance = game(seed), random.Random(seed)
    verdicts: list[bool] = []
    decided: list[int] = []
    decide = trials.Trials.decide

    def counted(self: trials.Trials, *given: Any) -> int:
        decided.append(decide(self, *given))
        return decided[-1]

    monkeypatch.setattr(trials.Trials, "decide", counted)
    for _ in range(30):
        members, turns = np.array(sorted(chance.sample(range(18), chance.randint(7, 18)))), chance.randint(4, 6)
        solved, guess = position.solvable(members, turns=turns)
        verdicts.append(solved)
        if solved:  # the guess that is reported solves the state
            cells = position.cells(guess, members).items()
            assert all(position.solvable(cell, turns=turns - 1, via=(guess, code))[0] for code, cell in cells)
        states, count = position.states, len(decided)
        assert position.solvable(members, turns=turns)[0] == solved  # the transposition table says so
        assert (position.states - states, len(decided)) == (1, count)
        position.search.memo[:] = 0
        assert solved == (position.cost(members, turns=turns)[0] < position.never)  # which learns nothing
        position.search.memo[:] = 0
    assert set(verdicts) == {False, True}
    assert -1 in decided
    assert max(decided) >= 0


def test_the_part_of_the_guesses_that_nogoods_leave() -> None:
    """Computed bit by bit, it is what a loop over guesses and nogoods finds."""
    position = game(1)
    members, guesses = np.arange(1, 18), range(len(position.guesses))
    tried = trials.Trials(position.search, members, np.array(guesses), 5)
    position.solvable(np.arange(18), turns=4)  # learns
    nogoods = position._idle.get()[1].nogoods
    tried._collect(nogoods)
    facts, patterns, known = position.search.needs, position.patterns, []
    for x in range(nogoods.count[KEPT]):
        group = nogoods.members[nogoods.at[x] : nogoods.at[x + 1]]
        if nogoods.turns[x] == 3 and 0 not in group:
            known.append((group, nogoods.needs[x]))
    assert known
    assert tried._added == len(known)
    for guess in guesses:
        tried._score(guess)
        for code, cell in position.cells(guess, members).items():
            need = facts[guess] & facts[position.own[cell[0]]]
            legal = [g for g in guesses if not (need & ~facts[g]).any()]
            inside = [(group, needed) for group, needed in known if set(group) <= set(cell)]
            left = [
                g
                for g in legal
                if not any(
                    len({*patterns[group, g]}) == 1 and not (needed & ~facts[g]).any() for group, needed in inside
                )
            ]
            assert code != SOLVED
            assert tried._parts[code] == pytest.approx(max(len(left), 0.001) / len(legal))
