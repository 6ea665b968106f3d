"""Rolls of the dice."""

from __future__ import annotations

import numpy as np

from gpusolve.games.qless._roll import roll
from gpusolve.games.qless.rolls import all_rolls, can_roll, random_rolls, text_of


def test_all_rolls_of_small_dice() -> None:
    """Compared with every way to throw them."""
    dice = ("aab", "abc", "ccd")
    thrown: dict[str, int] = {}
    for faces in np.ndindex(3, 3, 3):
        letters = "".join(sorted(die[face] for die, face in zip(dice, faces, strict=True)))
        thrown[letters] = thrown.get(letters, 0) + 1
    rolls = all_rolls(dice)
    assert {rolls.text(i): int(rolls.weights[i]) for i in range(len(rolls))} == thrown
    assert all(can_roll(letters, dice) for letters in thrown)
    assert not can_roll("abb", dice)


def test_random_rolls_can_be_rolled_with_uniform_faces() -> None:
    rolls = random_rolls(7, 5, 50)
    assert [text_of(counts) for counts in rolls[:3]] == [str(roll(number=number, seed=7)) for number in (5, 6, 7)]
    assert all(can_roll(text_of(counts)) for counts in rolls)
    frequencies = random_rolls(1, 0, 60_000)[:, [ord(letter) - ord("a") for letter in "jzv"]].mean(axis=0)
    assert np.allclose(frequencies, 1 / 6, atol=0.01)
