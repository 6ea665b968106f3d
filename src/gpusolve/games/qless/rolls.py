"""Rolls of the dice: their letters, random rolls of a seed, and all rolls with the number of ways to get each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.checks import check_type, lower
from gpusolve.errors import BadInput
from gpusolve.games.qless.cpu.rolls import merged
from gpusolve.games.qless.rules import MAX_LETTERS, MIN_LETTERS
from gpusolve.result import Result
from gpusolve.runs.seeds import GOLDEN, mix_all

DICE = (
    "aeiouu", "aaeeoo", "iionny", "nnrrhh", "wrflld", "hhpttw", "ppvfgk", "ggldrr", "ccjtbd", "ccsttm", "szxnbk",
    "mmblly",
)  # fmt: skip
"""The dice of the physical game."""
FACES = 6
ROLLS = 15_800_439
"""Number of different rolls of the dice."""


@dataclass(frozen=True, repr=False)
class Roll(Result, schema="qless.roll/2"):
    """A random roll of the dice.

    Attributes
    ----------
    roll : str
        The twelve letters in alphabetical order.
    seed, number : int
        The seed, and the number of the roll among those of the seed.
    """

    roll: str
    seed: int
    number: int

    def __str__(self) -> str:
        return self.roll


def random_rolls(seed: int, first: int, count: int) -> npt.NDArray[np.uint8]:
    """Return rolls first, first + 1, ... of a seed as counts of letters: uint8, shape (count, 26)."""
    states = np.uint64(seed) + np.uint64(GOLDEN) * np.arange(
        first * len(DICE) + 1, (first + count) * len(DICE) + 1, dtype=np.uint64
    )
    faces = (mix_all(states) >> np.uint64(32)) * np.uint64(FACES) >> np.uint64(32)  # 0 to 5, uniform to 1 in 2^29
    dice = np.array([list(die.encode()) for die in DICE], np.int64) - ord("a")
    letters = dice[np.arange(len(DICE)), faces.reshape(count, len(DICE)).astype(np.int64)]
    counts = np.zeros((count, 26), np.uint8)
    np.add.at(counts, (np.arange(count)[:, None], letters), 1)
    return counts


def parse_roll(text: str | Roll) -> str:
    """Return the letters of a roll in alphabetical order.

    A text has 3 to 14 letters a-z in any case; spaces and commas are ignored. Raises BadInput for any other text.

    >>> parse_roll("Tea, eat")
    'aaeett'
    """
    if isinstance(text, Roll):
        return text.roll
    check_type("roll", text, str)
    letters = lower("".join(text.replace(",", " ").split()))
    for letter in letters:
        if not "a" <= letter <= "z":
            raise BadInput(f"roll: '{letter}' is not a letter: expected {MIN_LETTERS} to {MAX_LETTERS} letters a-z")
    if not MIN_LETTERS <= len(letters) <= MAX_LETTERS:
        noun = "letter" if len(letters) == 1 else "letters"
        raise BadInput(f"roll: {len(letters):,} {noun}: expected {MIN_LETTERS} to {MAX_LETTERS}")
    return "".join(sorted(letters))


def counts_of(letters: str) -> npt.NDArray[np.uint8]:
    """Return how often each letter of the alphabet occurs: uint8, shape (26,)."""
    return np.bincount(np.frombuffer(letters.encode(), np.uint8) - ord("a"), minlength=26).astype(np.uint8)


def text_of(counts: npt.NDArray[np.uint8]) -> str:
    """Return the letters of a roll, given as counts, in alphabetical order."""
    return "".join(chr(ord("a") + letter) * int(counts[letter]) for letter in range(26))


def can_roll(letters: str, dice: tuple[str, ...] = DICE) -> bool:
    """Return whether the dice can show these letters, each die once.

    >>> can_roll("cddeeimprtwx"), can_roll("aaaaaaaaaaaa")
    (True, False)
    """
    used_dice = {0}  # the sets of dice, as bits, that can show the letters so far
    for letter in letters:
        used_dice = {
            used | 1 << i for used in used_dice for i, die in enumerate(dice) if letter in die and not used >> i & 1
        }
    return bool(used_dice)


@dataclass(frozen=True, eq=False)
class AllRolls:
    """Every roll of the dice once, in a fixed order.

    `keys` (uint64, (rolls,)), ascending: the counts of a roll's letters in one number; letter i has the bits
    ``masks[i] << shifts[i]`` (both uint64, (26,)). `weights` (int64, (rolls,)): the number of ways to get the roll;
    they add up to 6^12.
    """

    keys: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.int64]
    shifts: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        return f"<AllRolls: {len(self):,}>"

    def counts(self, numbers: slice | npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return the counts of the letters of the rolls with these numbers: uint8, shape (rolls, 26)."""
        return (self.keys[numbers][:, None] >> self.shifts & self.masks).astype(np.uint8)

    def text(self, number: int) -> str:
        """Return the letters of a roll in alphabetical order."""
        return text_of(self.counts(slice(number, number + 1))[0])


def all_rolls(dice: tuple[str, ...] = DICE) -> AllRolls:
    """Return all rolls of the dice: 15,800,439 for the game's, 300 MB, in a second or two.

    The dice are added one by one: each roll of the dice so far is combined with each face of the next die. Adding a
    letter adds a power of two to the key, which keeps the order, so the lists for the faces only need to be merged.

    >>> rolls = all_rolls(("aab", "ab"))
    >>> [(rolls.text(i), int(rolls.weights[i])) for i in range(len(rolls))]
    [('aa', 2), ('ab', 3), ('bb', 1)]
    """
    most = [sum(letter in die for die in dice) for letter in "abcdefghijklmnopqrstuvwxyz"]
    widths = [count.bit_length() for count in most]
    shifts = np.cumsum([0, *widths[:-1]]).astype(np.uint64)
    keys, weights = np.zeros(1, np.uint64), np.ones(1, np.int64)
    for die in dice:
        faces = Counter(die)
        adds = np.array([1 << int(shifts[ord(letter) - ord("a")]) for letter in faces], np.uint64)
        keys, weights = merged(keys, weights, adds, np.array(list(faces.values()), np.int64))
    return AllRolls(keys, weights, shifts, np.array([(1 << width) - 1 for width in widths], np.uint64))
