"""Help in one's own game: a word of a solution, a grid checked, what to leave out of a roll that has no solution."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_type
from gpusolve.errors import NoSolution
from gpusolve.games.qless import kernels, rules
from gpusolve.games.qless._shapes import LETTERS
from gpusolve.games.qless._solve import FEW, counts, solve
from gpusolve.games.qless.rolls import counts_of, parse_roll
from gpusolve.games.qless.rules import Grid, parse_grid
from gpusolve.games.qless.variant import STANDARD, Variant


@dataclass(frozen=True)
class Hint:
    """Words of a solution that has `of` words, the longest first."""

    roll: str
    words: list[str]
    of: int
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class Verdict:
    """A filled grid, and the first rule that it breaks (None: it is a solution)."""

    roll: str
    grid: Grid
    broken: str | None


@dataclass(frozen=True)
class Part:
    """What is left of a roll without the letters `without`, and the number of its solutions."""

    letters: str
    without: str
    solutions: int


@dataclass(frozen=True)
class Unsolvable:
    """Whether a roll is `unsolvable`, and if so its largest parts that are not, the one with the most solutions first.

    `example`: a solution of the roll, or of the first part; None where no part of three letters or more has one.
    """

    roll: str
    unsolvable: bool
    parts: list[Part]
    example: Grid | None
    seconds: float = field(compare=False)


def hint(roll: str, words: int = 1, variant: Variant = STANDARD, backend: Backend | None = None) -> Hint:
    """So many words of a solution with as few words as possible among the first of a roll.

    Raises NoSolution where there is none, BadInput for what is no roll or no number.

    >>> hint("cddeeimprtwx").words
    ['pewter']
    """
    begin = time.monotonic()
    check_integer("words", words, 1, LETTERS[1])
    found = solve(roll, variant, FEW, backend=backend)
    if not len(found):
        raise NoSolution(f"proven: {found.roll} has no solution; `gpusolve qless unsolvable` names parts that have")
    fewest = int(np.argmin(found.shapes.words[found.shape]))
    its = sorted(found[fewest].words, key=lambda word: (-len(word), word))
    return Hint(found.roll, its[:words], len(its), time.monotonic() - begin)


def check(grid: str, roll: str | None = None, variant: Variant = STANDARD) -> Verdict:
    """Whether a filled grid is a solution of a roll; without one, of its own letters. Raises BadInput for what is
    neither.

    >>> check("..t/eat/..e").broken
    "'tte' is not in the dictionary"
    """
    check_type("variant", variant, Variant)
    check_type("grid", grid, str)
    filled = parse_grid(grid)
    letters = parse_roll(filled.letters if roll is None else roll)
    options = variant.min_length, variant.allow_touching, variant.no_repeats
    return Verdict(letters, filled, rules.broken(filled, letters, set(variant.anagrams), *options))


def unsolvable(roll: str, variant: Variant = STANDARD, backend: Backend | None = None) -> Unsolvable:
    """Whether a roll has no solution; if so, the fewest letters that have to be left out, in each way that helps.

    >>> found = unsolvable("fgjlmmnnnoot")
    >>> found.parts[0]
    Part(letters='fgjlmnnnoot', without='m', solutions=6)
    """
    begin = time.monotonic()
    letters, backend = parse_roll(roll), open_backend(backend)
    check_type("variant", variant, Variant)
    first = solve(letters, variant, 1, backend=backend)
    if len(first):
        return Unsolvable(letters, False, [], first[0], time.monotonic() - begin)
    for size in range(len(letters) - 1, LETTERS[0] - 1, -1):
        parts = sorted({"".join(part) for part in combinations(letters, size)})
        numbers = counts(np.stack([counts_of(part) for part in parts]), variant, kernels.NO_LIMIT, backend)
        helping = [
            Part(part, _without(letters, part), number)
            for part, number in zip(parts, numbers.tolist(), strict=True)
            if number
        ]
        if helping:
            helping.sort(key=lambda part: -part.solutions)
            example = solve(helping[0].letters, variant, 1, backend=backend)[0]
            return Unsolvable(letters, True, helping, example, time.monotonic() - begin)
    return Unsolvable(letters, True, [], None, time.monotonic() - begin)


def _without(letters: str, part: str) -> str:
    """The letters that are not in a part of them."""
    for letter in part:
        letters = letters.replace(letter, "", 1)
    return letters
