"""Numbers of solutions."""

from __future__ import annotations

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.qless._count import count, counts
from gpusolve.games.qless._roll import roll
from gpusolve.games.qless._solve import solve
from gpusolve.games.qless.rolls import random_rolls
from gpusolve.games.qless.variant import Variant

CPU = open_backend("cpu")


@pytest.mark.parametrize(("letters", "solutions"), [("beghhjmovwyz", 0), ("fgjlmmnnnoot", 0), ("bbcefklnnpux", 1)])
def test_published_rolls_have_the_published_number_of_solutions(letters: str, solutions: int) -> None:
    for no_repeats in (False, True):
        assert count(letters, variant=Variant(no_repeats=no_repeats), backend=CPU).solutions == solutions


def test_counts_agree_with_the_solutions() -> None:
    rolls = random_rolls(3, 0, 30)
    numbers = counts(rolls, limit=50, backend=CPU)
    for i in range(0, 30, 5):
        letters = str(roll(number=i, seed=3))
        result = count(letters, backend=CPU)
        assert result.complete
        assert len(solve(letters, backend=CPU)) == result.solutions
        assert numbers[i] == min(50, result.solutions)
    assert counts(rolls[:0]).tolist() == []


@pytest.mark.parametrize(
    ("rolls", "message"),
    [
        (np.ones((2, 26)), r"rolls: array of float64, \(2, 26\): expected an array of uint8"),
        (np.ones((2, 12), np.uint8), "expected an array of uint8"),
        (np.ones((2, 26), np.uint8), "rolls: 26 to 26 letters: expected"),
        (np.eye(26, dtype=np.uint8)[:2] * np.array([[3], [4]], np.uint8), "rolls: 3 to 4 letters: expected the same"),
    ],
)
def test_arrays_that_are_not_rolls_are_refused(rolls: np.ndarray, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        counts(rolls)


@pytest.mark.parametrize("letters", [3, 8, 13, 14])
def test_a_roll_shorter_than_the_shortest_word_has_no_solution(backend: Backend, letters: int) -> None:
    variant = Variant(["a" * 14, "eat"], min_length=14)
    result = count("a" * letters, variant=variant, backend=backend)
    assert (result.solutions, result.complete) == (int(letters == 14), True)
    assert len(solve("a" * letters, variant=variant, backend=backend)) == result.solutions
    rolls = np.zeros((2, 26), np.uint8)
    rolls[:, 0] = letters
    assert counts(rolls, variant=variant, backend=backend).tolist() == [result.solutions] * 2


def test_many_rolls_are_counted_as_each_alone(backend: Backend) -> None:
    rolls = np.zeros((3, 26), np.uint8)
    rolls[0, 25], rolls[1, [0, 4, 19]], rolls[2, [0, 4, 19]] = 3, 1, 1
    assert counts(rolls, limit=10, backend=backend).tolist() == [0, 4, 4]


@pytest.mark.parametrize("limit", [-1, 0, 2**62 + 1])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(BadInput, match=r"limit .*: expected a whole number, 1 to"):
        counts(np.eye(26, dtype=np.uint8) * 3, limit=limit)
