"""Rolls: twelve letters, one of each die; all rolls that there are, and how often the dice give each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.checks import check_integer, check_type, lower
from gpusolve.errors import BadInput
from gpusolve.games.qless._shapes import LETTERS
from gpusolve.runs.seeds import GOLDEN, check_seed, mix_all, random_seed

DICE = (
    "aeiouu", "aaeeoo", "iionny", "nnrrhh", "wrflld", "hhpttw", "ppvfgk", "ggldrr", "ccjtbd", "ccsttm", "szxnbk",
    "mmblly",
)  # fmt: skip
"""The physical game's."""
FACES = 6
ROLLS = 15_800_439
"""Different rolls that the dice give."""
MOST_NUMBER = 10**15
"""The last roll of a seed, at most."""


def roll(seed: int | None = None, number: int = 0) -> str:
    """Roll number `number` of a seed (None: a random one), its letters sorted. Raises BadInput for what is no seed.

    >>> roll(1), roll(1, 1)
    ('cdfkloorttxy', 'ccegilmnortx')
    """
    check_integer("number", number, 0, MOST_NUMBER)
    counts = random_rolls(random_seed() if seed is None else check_seed(seed), number, 1)
    return text_of(counts[0])


def random_rolls(seed: int, first: int, count: int) -> npt.NDArray[np.uint8]:
    """Rolls first, first + 1, ... of a seed as counts of letters: uint8, shape (count, 26)."""
    states = np.uint64(seed) + np.uint64(GOLDEN) * np.arange(
        first * len(DICE) + 1, (first + count) * len(DICE) + 1, dtype=np.uint64
    )
    faces = (mix_all(states) >> np.uint64(32)) * np.uint64(FACES) >> np.uint64(32)  # 0 to 5, evenly to 1 in 2^29
    dice = np.array([list(die.encode()) for die in DICE], np.int64) - ord("a")
    letters = dice[np.arange(len(DICE)), faces.reshape(count, len(DICE)).astype(np.int64)]
    counts = np.zeros((count, 26), np.uint8)
    np.add.at(counts, (np.arange(count)[:, None], letters), 1)
    return counts


def parse_roll(text: str) -> str:
    """The letters of a roll, sorted: 3 to 14 of a-z in any case, spaces and commas between them or not.

    >>> parse_roll("Tea, eat")
    'aaeett'
    """
    check_type("roll", text, str)
    letters = lower("".join(text.replace(",", " ").split()))
    for letter in letters:
        if not "a" <= letter <= "z":
            raise BadInput(f"roll: '{letter}' is not a letter: expected {LETTERS[0]} to {LETTERS[1]} of a-z")
    if not LETTERS[0] <= len(letters) <= LETTERS[1]:
        raise BadInput(f"roll: {len(letters):,} letters: expected {LETTERS[0]} to {LETTERS[1]}")
    return "".join(sorted(letters))


def counts_of(letters: str) -> npt.NDArray[np.uint8]:
    """How often each letter is there: uint8, shape (26,)."""
    return np.bincount(np.frombuffer(letters.encode(), np.uint8) - ord("a"), minlength=26).astype(np.uint8)


def text_of(counts: npt.NDArray[np.uint8]) -> str:
    """The letters of counts, sorted."""
    return "".join(chr(ord("a") + letter) * int(counts[letter]) for letter in range(26))


def can_roll(letters: str, dice: tuple[str, ...] = DICE) -> bool:
    """Whether dice, each once, can show these letters.

    >>> can_roll("cddeeimprtwx"), can_roll("aaaaaaaaaaaa")
    (True, False)
    """
    ways = {0}  # sets of dice that show the letters so far
    for letter in letters:
        ways = {way | 1 << i for way in ways for i, die in enumerate(dice) if letter in die and not way >> i & 1}
    return bool(ways)


@dataclass(frozen=True, eq=False)
class AllRolls:
    """Every roll that the dice give, once, in a fixed order.

    `keys` (uint64): the counts of its letters, in fields of `shifts` and `masks`, ascending. `weights` (int64): the
    ways in which the dice give it, 6^12 in all.
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
        """The counts of some rolls' letters: uint8, shape (rolls, 26)."""
        return (self.keys[numbers][:, None] >> self.shifts & self.masks).astype(np.uint8)

    def text(self, number: int) -> str:
        """A roll's letters, sorted."""
        return text_of(self.counts(slice(number, number + 1))[0])


@cache
def all_rolls(dice: tuple[str, ...] = DICE) -> AllRolls:
    """All rolls of some dice: 15,800,439 of the game's, 300 MB, in a second or two.

    A die after the other: the rolls of those before, with each of its faces. To add a letter is to add one to a field
    of the key, which keeps the order, so that the lists for each face are merged.

    >>> some = all_rolls(("aab", "ab"))
    >>> [(some.text(i), int(some.weights[i])) for i in range(len(some))]
    [('aa', 2), ('ab', 3), ('bb', 1)]
    """
    most = [sum(letter in die for die in dice) for letter in "abcdefghijklmnopqrstuvwxyz"]
    widths = [count.bit_length() for count in most]
    shifts = np.cumsum([0, *widths[:-1]]).astype(np.uint64)
    keys, weights = np.zeros(1, np.uint64), np.ones(1, np.int64)
    for die in dice:
        faces = Counter(die)
        adds = np.array([1 << int(shifts[ord(letter) - ord("a")]) for letter in faces], np.uint64)
        keys, weights = _merge(keys, weights, adds, np.array(list(faces.values()), np.int64))
    return AllRolls(keys, weights, shifts, np.array([(1 << width) - 1 for width in widths], np.uint64))


@compiled
def _merge(keys: Any, weights: Any, adds: Any, ways: Any) -> Any:
    """The keys, ascending, with each of `adds` added; the weights times its ways, summed where keys are equal."""
    room, faces = len(keys) * len(adds), len(adds)
    out, out_weights = np.empty(room, np.uint64), np.empty(room, np.int64)
    place = np.zeros(faces, np.int64)
    count = 0
    while True:
        lowest = np.uint64(0xFFFFFFFFFFFFFFFF)
        for face in range(faces):
            if place[face] < len(keys):
                lowest = min(lowest, keys[place[face]] + adds[face])
        if lowest == np.uint64(0xFFFFFFFFFFFFFFFF):
            break
        total = 0
        for face in range(faces):
            if place[face] < len(keys) and keys[place[face]] + adds[face] == lowest:
                total += weights[place[face]] * ways[face]
                place[face] += 1
        out[count], out_weights[count] = lowest, total
        count += 1
    return out[:count].copy(), out_weights[:count].copy()
