"""Hints."""

from __future__ import annotations

import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import NoSolution
from gpusolve.games.qless._hint import hint
from gpusolve.games.qless._solve import solve

CPU = open_backend("cpu")
ROLL = "cddeeimprtwx"


def test_the_words_of_a_hint_are_those_of_a_solution() -> None:
    every = hint(ROLL, words=14, backend=CPU)
    assert len(every.words) == every.solution_words
    assert sorted(every.words) in [sorted(grid.words) for grid in solve(ROLL, backend=CPU)]
    assert hint(ROLL, words=2, backend=CPU).words == every.words[:2]
    assert len(every.words[0]) == max(map(len, every.words))


def test_a_roll_without_a_solution_has_no_hint() -> None:
    with pytest.raises(NoSolution, match="beghhjmovwyz has no solution"):
        hint("beghhjmovwyz", backend=CPU)
