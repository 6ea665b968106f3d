"""A census: what marks tell is what the solver finds, and it goes on where it was stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.qless._solve import count, counts
from gpusolve.games.qless.measuring import _census as distribution
from gpusolve.games.qless.measuring._census import KIND, Census, census
from gpusolve.games.qless.measuring.marks import MORE
from gpusolve.games.qless.rolls import DICE, all_rolls, can_roll, random_rolls, roll, text_of
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.runs import checkpoint

CPU = open_backend("cpu")


def test_all_rolls_of_small_dice() -> None:
    """By throwing them in every way."""
    dice = ("aab", "abc", "ccd")
    thrown: dict[str, int] = {}
    for faces in np.ndindex(3, 3, 3):
        letters = "".join(sorted(die[face] for die, face in zip(dice, faces, strict=True)))
        thrown[letters] = thrown.get(letters, 0) + 1
    rolls = all_rolls(dice)
    assert {rolls.text(i): int(rolls.weights[i]) for i in range(len(rolls))} == thrown
    assert all(can_roll(letters, dice) for letters in thrown)
    assert not can_roll("abb", dice)


def test_random_rolls_are_of_the_dice() -> None:
    rolls = random_rolls(7, 5, 50)
    assert [text_of(counts) for counts in rolls[:3]] == [roll(7, 5), roll(7, 6), roll(7, 7)]
    assert all(can_roll(text_of(counts)) for counts in rolls)
    many = random_rolls(1, 0, 60_000)[:, [ord(letter) - ord("a") for letter in "jzv"]].mean(axis=0)
    assert np.allclose(many, 1 / 6, atol=0.01)


def test_a_sample_is_the_solver_many_times(backend: Backend) -> None:
    variant = Variant(common=True)
    found = census(6, variant, seed=4, backend=backend)
    assert found.complete
    assert found.rolls == 6
    for number in range(6):
        assert found.solutions[number] == min(2, count(roll(4, number), variant, backend=CPU).solutions)
    assert census(3, variant, count=True, seed=4, backend=CPU).solutions.tolist() == [
        count(roll(4, number), variant, backend=CPU).solutions for number in range(3)
    ]


@pytest.fixture
def few_dice(monkeypatch: pytest.MonkeyPatch) -> int:
    """Dice that give hundreds of rolls; their number."""
    few = tuple(die[:3] for die in DICE[:8]) + tuple(die[:1] for die in DICE[8:])
    rolls = all_rolls(few)
    monkeypatch.setattr(distribution, "all_rolls", lambda: rolls)
    monkeypatch.setattr(CPU, "batch", lambda bytes_per_item: 100)
    return len(rolls)


@pytest.mark.parametrize("variant", [STANDARD, Variant(no_repeats=True, common=True)], ids=["standard", "no repeats"])
def test_all_rolls_are_what_the_solver_says(few_dice: int, variant: Variant) -> None:
    done: list[int] = []
    found = census(None, variant, progress=done.append, backend=CPU)
    assert found.complete
    assert found.rolls == few_dice == done[-1]
    assert int(found.weights.sum()) == 3**8
    assert len(done) < few_dice / 100, "no roll was known before it was searched"
    assert np.array_equal(found.solutions, counts(found.letters, variant, 2, CPU))


def test_workers_come_to_the_same(few_dice: int) -> None:
    """They search rolls that a solution under way would have told of, and that changes nothing."""
    assert np.array_equal(census(workers=2, backend=CPU).solutions, census(backend=CPU).solutions)
    assert np.array_equal(
        census(300, seed=1, workers=2, backend=CPU).solutions, census(300, seed=1, backend=CPU).solutions
    )


class Stopped(Exception):
    pass


def test_it_goes_on_where_it_was_stopped(tmp_path: Path, few_dice: int) -> None:
    file, whole = tmp_path / "run", census(seed=1, backend=CPU)

    def stop(done: int) -> None:
        if done > few_dice / 2:
            raise Stopped

    with pytest.raises(Stopped):
        census(seed=1, checkpoint=file, progress=stop, backend=CPU)
    _, state = checkpoint.load(file, KIND)
    assert few_dice / 2 < state["done"] < few_dice
    assert (state["marks"] == MORE).any()
    rest = census(resume=file, backend=CPU)
    assert rest.complete
    assert np.array_equal(rest.solutions, whole.solutions)
    part = census(time_limit=0, backend=CPU)
    assert not part.complete
    assert 0 < part.rolls < few_dice
    assert np.array_equal(part.solutions, counts(part.letters, STANDARD, 2, CPU))


def test_a_sample_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CPU, "batch", lambda bytes_per_item: 10)
    file, whole = tmp_path / "run", census(60, seed=1, backend=CPU)
    part = census(60, seed=1, time_limit=0, checkpoint=file, backend=CPU)
    assert (part.rolls, part.complete) == (10, False)
    assert np.array_equal(census(60, resume=file, backend=CPU).solutions, whole.solutions)
    with pytest.raises(BadInput, match="made with sample True, not with False"):
        census(resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with no_repeats False, not with True"):
        census(60, Variant(no_repeats=True), resume=file, backend=CPU)


def test_bad_input() -> None:
    with pytest.raises(BadInput, match="rolls 0: expected"):
        census(0)
    with pytest.raises(BadInput, match="count: expected a number of random rolls"):
        census(count=True)


def test_what_is_derived() -> None:
    letters = np.zeros((4, 26), np.uint8)
    letters[:, 0] = (1, 0, 2, 0)  # a
    letters[:, 25] = (1, 3, 0, 1)  # z
    found = Census(1, False, False, letters, np.array([1, 2, 3, 4]), np.array([0, 1, 2, 0]), 0.1, True)
    assert (found.rolls, found.unsolvable, found.share, found.weighted_share) == (4, 2, 0.5, 0.5)
    assert found.distribution == {0: 2, 1: 1, 2: 1}
    assert found.by_letter() == {"a": (2, 1, 0.25), "z": (3, 2, 5 / 7)}
    assert found.by_vowels() == {0: (2, 1, 4 / 6), 1: (1, 1, 1.0), 2: (1, 0, 0.0)}
    assert found.hardest(2) == [("zzz", 1, 2), ("aa", 2, 3)]
    assert found.likeliest_unsolvable(1) == [("z", 4)]
