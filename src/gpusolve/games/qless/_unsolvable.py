"""Rolls without a solution, and which letters to leave out so that there is one."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_type
from gpusolve.games.qless import kernels
from gpusolve.games.qless._count import counts
from gpusolve.games.qless._solve import solve
from gpusolve.games.qless.rolls import Roll, counts_of, parse_roll
from gpusolve.games.qless.rules import MIN_LETTERS, Grid
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import Result, reported


@dataclass(frozen=True, repr=False)
class Part(Result):
    """A roll without some of its letters.

    Attributes
    ----------
    letters : str
        The letters that remain, in alphabetical order.
    without : str
        The letters that are left out.
    solutions : int
        Number of solutions of the letters that remain.
    """

    letters: str
    without: str
    solutions: int


@dataclass(frozen=True, repr=False)
class Unsolvable(Result, schema="qless.unsolvable/2"):
    """Whether a roll has no solution, and what to leave out if so.

    Attributes
    ----------
    roll : str
        The letters of the roll in alphabetical order.
    unsolvable : bool
        Whether the roll has no solution.
    parts : list of Part
        If the roll has no solution: every way to leave out as few letters as possible so that there is one, the way
        with the most solutions first.
    example : Grid or None
        A solution of the roll or of the first part; None if no part of three or more letters has one.
    seconds : float
        Time that the search took.
    """

    roll: str
    unsolvable: bool
    parts: list[Part]
    example: Grid | None
    seconds: float = field(compare=False)

    @reported
    def proven(self) -> bool:
        """Whether this is proven: always, because the search leaves nothing out."""
        return True


def unsolvable(roll: str | Roll, *, variant: Variant = STANDARD, backend: Backend | None = None) -> Unsolvable:
    """Find out whether a roll has no solution.

    If it has none, the fewest letters to leave out are found so that there is one.

    Parameters
    ----------
    roll : str
        The 3 to 14 letters of the roll, such as ``cddeeimprtwx``; spaces and commas are ignored.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Unsolvable
        Whether the roll has no solution, and if so its largest parts that have one.

    Raises
    ------
    BadInput
        If `roll` is not a roll.

    Examples
    --------
    ``gpusolve qless unsolvable fgjlmmnnnoot``

    >>> unsolvable("fgjlmmnnnoot").parts[0]
    Part(letters='fgjlmnnnoot', without='m', solutions=6)
    """
    begin = clock.now()
    letters, backend = parse_roll(roll), open_backend(backend)
    check_type("variant", variant, Variant)
    first = solve(letters, variant=variant, max_solutions=1, backend=backend)
    if len(first):
        return Unsolvable(letters, False, [], first[0], clock.now() - begin)
    for size in range(len(letters) - 1, MIN_LETTERS - 1, -1):
        parts = _solvable_parts(letters, size, variant, backend)
        if parts:
            example = solve(parts[0].letters, variant=variant, max_solutions=1, backend=backend)[0]
            return Unsolvable(letters, True, parts, example, clock.now() - begin)
    return Unsolvable(letters, True, [], None, clock.now() - begin)


def _solvable_parts(letters: str, size: int, variant: Variant, backend: Backend) -> list[Part]:
    """Return the parts of `size` letters that have a solution, those with the most solutions first."""
    parts = sorted({"".join(part) for part in combinations(letters, size)})
    numbers = counts(
        np.stack([counts_of(part) for part in parts]), variant=variant, limit=kernels.NO_LIMIT, backend=backend
    )
    solvable = [
        Part(part, _left_out(letters, part), number)
        for part, number in zip(parts, numbers.tolist(), strict=True)
        if number
    ]
    return sorted(solvable, key=lambda part: -part.solutions)


def _left_out(letters: str, part: str) -> str:
    """Return the letters that are not in a part."""
    for letter in part:
        letters = letters.replace(letter, "", 1)
    return letters
