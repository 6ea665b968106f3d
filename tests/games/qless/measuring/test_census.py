"""A census: its numbers agree with the solver, and it continues where it was stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.qless._count import count, counts
from gpusolve.games.qless._roll import roll
from gpusolve.games.qless.cpu.exchanges import MORE
from gpusolve.games.qless.measuring import _census
from gpusolve.games.qless.measuring._census import KIND, Census, census
from gpusolve.games.qless.rolls import DICE, all_rolls
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.runs import checkpoint

CPU = open_backend("cpu")


def test_a_sample_agrees_with_the_solver(backend: Backend) -> None:
    variant = Variant(common=True)
    expected = [count(roll(number=i, seed=4), variant=variant, backend=CPU).solutions for i in range(6)]
    result = census(count=6, variant=variant, seed=4, backend=backend)
    assert result.complete
    assert result.count == 6
    assert result.solutions.tolist() == [min(2, solutions) for solutions in expected]
    assert census(count=3, variant=variant, all_solutions=True, seed=4, backend=CPU).solutions.tolist() == expected[:3]


@pytest.fixture
def few_dice(monkeypatch: pytest.MonkeyPatch) -> int:
    """Replace the dice by dice with a few hundred rolls, and return the number of rolls."""
    few = tuple(die[:3] for die in DICE[:8]) + tuple(die[:1] for die in DICE[8:])
    rolls = all_rolls(few)
    monkeypatch.setattr(_census, "all_rolls", lambda: rolls)
    monkeypatch.setattr(CPU, "batch", lambda bytes_per_item: 100)
    return len(rolls)


@pytest.mark.parametrize("variant", [STANDARD, Variant(no_repeats=True, common=True)], ids=["standard", "no repeats"])
def test_all_rolls_agree_with_the_solver(few_dice: int, variant: Variant) -> None:
    done: list[int] = []
    result = census(variant=variant, progress=done.append, backend=CPU)
    assert result.complete
    assert result.count == few_dice == done[-1]
    assert int(result.weights.sum()) == 3**8
    assert len(done) < few_dice / 100, "no roll was skipped because it was known to have two solutions"
    assert np.array_equal(result.solutions, counts(result.letters, variant=variant, limit=2, backend=CPU))


def test_the_number_of_workers_does_not_change_the_result(few_dice: int) -> None:
    """Two workers also search rolls that a solution still being computed would have marked."""
    assert np.array_equal(census(workers=2, backend=CPU).solutions, census(backend=CPU).solutions)
    assert np.array_equal(
        census(count=300, seed=1, workers=2, backend=CPU).solutions, census(count=300, seed=1, backend=CPU).solutions
    )


class Stopped(Exception):
    pass


def test_a_census_of_all_rolls_continues_where_it_was_stopped(tmp_path: Path, few_dice: int) -> None:
    file, whole = tmp_path / "run", census(seed=1, backend=CPU)

    def stop(done: int) -> None:
        if done > few_dice / 2:
            raise Stopped

    with pytest.raises(Stopped):
        census(seed=1, checkpoint=file, progress=stop, backend=CPU)
    state = checkpoint.load(file, KIND)[1].values
    assert few_dice / 2 < state["done"] < few_dice
    assert (state["marks"] == MORE).any()
    rest = census(resume=file, backend=CPU)
    assert rest.complete
    assert np.array_equal(rest.solutions, whole.solutions)
    part = census(time_limit=0, backend=CPU)
    assert not part.complete
    assert 0 < part.count < few_dice
    assert np.array_equal(part.solutions, counts(part.letters, limit=2, backend=CPU))


def test_a_sample_continues_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CPU, "batch", lambda bytes_per_item: 10)
    file, whole = tmp_path / "run", census(count=60, seed=1, backend=CPU)
    part = census(count=60, seed=1, time_limit=0, checkpoint=file, backend=CPU)
    assert (part.count, part.complete) == (10, False)
    assert np.array_equal(census(count=60, resume=file, backend=CPU).solutions, whole.solutions)
    with pytest.raises(BadInput, match="made with sample True, not with False"):
        census(resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with no_repeats False, not with True"):
        census(count=60, variant=Variant(no_repeats=True), resume=file, backend=CPU)


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadInput, match="count 0: expected"):
        census(count=0)
    with pytest.raises(BadInput, match="all_solutions: expected a number of random rolls"):
        census(all_solutions=True)


def test_properties_of_a_census() -> None:
    letters = np.zeros((4, 26), np.uint8)
    letters[:, 0] = (1, 0, 2, 0)  # a
    letters[:, 25] = (1, 3, 0, 1)  # z
    result = Census(1, False, False, letters, np.array([1, 2, 3, 4]), np.array([0, 1, 2, 0]), 0.1, True)
    assert (result.count, result.unsolvable, result.share, result.weighted_share) == (4, 2, 0.5, 0.5)
    assert result.distribution == {0: 2, 1: 1, 2: 1}
    assert result.by_letter == {"a": (2, 1, 0.25), "z": (3, 2, 5 / 7)}
    assert result.by_vowels == {0: (2, 1, 4 / 6), 1: (1, 1, 1.0), 2: (1, 0, 0.0)}
    assert result.hardest[:2] == [("zzz", 1, 2), ("aa", 2, 3)]
    assert result.likeliest_unsolvable[:1] == [("z", 0, 4)]
