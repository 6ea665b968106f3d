"""A filled grid, checked against the rules; and the same check of every solution that a search returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.checks import check_type
from gpusolve.errors import WrongSolution
from gpusolve.games.qless._shapes import ROW, Shapes
from gpusolve.games.qless.rolls import counts_of, parse_roll, text_of
from gpusolve.games.qless.rules import MAX_LETTERS, Grid, broken_rule, parse_grid
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import Result, reported

MOST_RUNS = 2 * MAX_LETTERS
"""More words than a grid can have: each letter is in one across and one down at most."""


@dataclass(frozen=True, repr=False)
class Verdict(Result, schema="qless.check/2"):
    """Whether a filled grid is a solution.

    Attributes
    ----------
    roll : str
        The letters that the grid has to use, in alphabetical order.
    grid : Grid
        The grid.
    broken_rule : str or None
        Description of the first rule that the grid breaks; None if it is a solution.
    """

    roll: str
    grid: Grid
    broken_rule: str | None

    @reported
    def words(self) -> list[str]:
        """The words of the grid."""
        return list(self.grid.words)

    @reported
    def legal(self) -> bool:
        """Whether the grid breaks no rule."""
        return self.broken_rule is None

    @property
    def fault(self) -> str:
        """The rule that the grid breaks."""
        return f"the grid is not legal: {self.broken_rule}" if self.broken_rule else ""


def check(grid: str, *, roll: str | None = None, variant: Variant = STANDARD) -> Verdict:
    """Check a filled grid against the rules, and report the first that it breaks.

    Parameters
    ----------
    grid : str
        Rows from top to bottom, separated by ``/`` or line breaks, with ``.`` or a space for empty cells, such as
        ``tea/a../t..``.
    roll : str, optional
        Letters that the grid has to use. By default the letters of the grid.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.

    Returns
    -------
    Verdict
        The grid and the first rule that it breaks, if any.

    Raises
    ------
    BadInput
        If `grid` is not a grid, or `roll` is not a roll.

    Examples
    --------
    ``gpusolve qless check '..c./.pew/..d./.met/rid./.x..'``

    >>> check("..t/eat/..e").broken_rule
    "'tte' is not in the dictionary"
    """
    check_type("variant", variant, Variant)
    check_type("grid", grid, str)
    filled = parse_grid(grid)
    letters = parse_roll(filled.letters if roll is None else roll)
    rule = broken_rule(
        filled,
        letters,
        set(variant.anagrams),
        min_length=variant.min_length,
        allow_touching=variant.allow_touching,
        no_repeats=variant.no_repeats,
    )
    return Verdict(letters, filled, rule)


def find_wrong(
    roll: str, shapes: Shapes, shape: npt.NDArray[np.int32], fill: npt.NDArray[np.uint8], variant: Variant
) -> int | None:
    """Return the index of the first solution that breaks a rule, or None.

    The rules are those of `rules.broken_rule`, here compiled, because a roll can have millions of solutions. Nothing of
    the search is used except the cells of a shape.
    """
    return _find_wrong(counts_of(roll)[None], np.zeros(len(fill), np.int64), shapes, shape, fill, variant)


def check_solutions(
    rolls: npt.NDArray[np.uint8],
    kept: npt.NDArray[np.int64],
    shapes: Shapes,
    shape: npt.NDArray[np.int32],
    fill: npt.NDArray[np.uint8],
    variant: Variant,
) -> None:
    """Raise WrongSolution for the first of the solutions of many rolls that breaks a rule.

    Roll i, with the counts of letters ``rolls[i]``, has the next ``kept[i]`` solutions.
    """
    owners = np.repeat(np.arange(len(rolls)), kept)
    wrong = _find_wrong(rolls, owners, shapes, shape, fill, variant)
    if wrong is not None:
        roll = text_of(rolls[owners[wrong]])
        raise WrongSolution(f"{roll}: solution {wrong + 1} of the search breaks the rules")


def _find_wrong(
    rolls: npt.NDArray[np.uint8],
    owners: npt.NDArray[np.int64],
    shapes: Shapes,
    shape: npt.NDArray[np.int32],
    fill: npt.NDArray[np.uint8],
    variant: Variant,
) -> int | None:
    table = variant.known_words
    wrong = _first_wrong(
        rolls, owners, shapes.cells, shape, fill, variant.min_length, variant.allow_touching, variant.no_repeats,
        *table,
    )  # fmt: skip
    return None if wrong < 0 else int(wrong)


@compiled
def _first_wrong(
    rolls: Any, owners: Any, cells: Any, shape: Any, fill: Any, min_length: int, touching: bool, no_repeats: bool,
    heads: Any, tails: Any,
) -> int:  # fmt: skip
    """Return the index of the first solution that breaks a rule, or -1. Solution i is of roll ``owners[i]``."""
    n = fill.shape[1]
    # Four bits count each letter, 16 letters in each number; the last bit of the second is for what is no letter.
    units = np.zeros((256, 2), np.uint64)
    units[26:, 1] = np.uint64(1) << np.uint64(60)
    for letter in range(26):
        units[letter, letter // 16] = np.uint64(1) << np.uint64(4 * (letter % 16))
    owner, low, high = -1, np.uint64(0), np.uint64(0)
    runs = np.zeros((len(cells), MOST_RUNS + 1), np.uint64)  # of a shape, when its first solution is checked
    used = np.zeros((MOST_RUNS, 2), np.uint64)  # the words of a solution, packed
    for i in range(len(fill)):
        if not 0 <= shape[i] < len(cells):
            return i
        if owners[i] != owner:
            owner, low, high = owners[i], np.uint64(0), np.uint64(0)
            for letter in range(26):
                low += units[letter, 0] * np.uint64(rolls[owner, letter])
                high += units[letter, 1] * np.uint64(rolls[owner, letter])
        here = runs[shape[i]]
        if here[0] == 0 and not _find_runs(cells[shape[i]], min_length, touching, here):
            return i
        low_here = high_here = np.uint64(0)
        for k in range(n):
            low_here += units[fill[i, k], 0]
            high_here += units[fill[i, k], 1]
        if low_here != low or high_here != high:
            return i
        for number in range(MOST_RUNS):
            run = here[number]
            if run == 0:
                break
            head = tail = np.uint64(0)
            for j in range(np.int64(run >> np.uint64(56))):
                code = np.uint64(fill[i, run >> np.uint64(4 * j) & np.uint64(15)]) + np.uint64(1)
                if j < 12:
                    head |= code << np.uint64(5 * j)
                else:
                    tail |= code << np.uint64(5 * (j - 12))
            seen = i > 0 and used[number, 0] == head and used[number, 1] == tail  # consecutive solutions share words
            if not (seen or _is_known(heads, tails, head, tail)):
                return i
            for other in range(number if no_repeats else 0):
                if used[other, 0] == head and used[other, 1] == tail:
                    return i
            used[number, 0], used[number, 1] = head, tail
    return -1


@compiled
def _find_runs(cells: Any, min_length: int, touching: bool, runs: Any) -> bool:
    """Find the words of a shape. Return whether the shape is legal: connected, with every letter in a word.

    A word is written as its length, above 56 bits, and the indices of its cells, four bits each.
    """
    n, side, count = len(cells), ROW + 2, 0
    grid, covered = np.full(side * side, -1, np.int64), np.zeros(n, np.bool_)  # index of the cell; -1: empty
    for k in range(n):
        at = (cells[k] // ROW + 1) * side + cells[k] % ROW + 1
        if grid[at] >= 0:
            return False
        grid[at] = k
    for at in range(side, side * (side - 1)):
        for step in (1, side):
            if grid[at] < 0 or grid[at - step] >= 0 or grid[at + step] < 0:
                continue
            length, run = 0, np.uint64(0)
            while grid[at + length * step] >= 0:
                run |= np.uint64(grid[at + length * step]) << np.uint64(4 * length)
                length += 1
            if touching and length == 2:
                continue
            if length < min_length or count == MOST_RUNS:
                return False
            for j in range(length):
                covered[grid[at + j * step]] = True
            runs[count] = run | np.uint64(length) << np.uint64(56)
            count += 1
    reached, waiting, queued = 0, np.empty(4 * n + 1, np.int64), 1
    waiting[0] = (cells[0] // ROW + 1) * side + cells[0] % ROW + 1
    while queued:  # empty the grid from the first cell on
        queued -= 1
        at = waiting[queued]
        if grid[at] >= 0:
            grid[at] = -1
            reached += 1
            for step in (1, side, -1, -side):
                waiting[queued] = at + step
                queued += 1
    for k in range(n):
        if not covered[k]:
            return False
    return bool(reached == n)


@compiled
def _is_known(heads: Any, tails: Any, head: Any, tail: Any) -> bool:
    """Return whether a packed word is in the table of `Variant.known_words`."""
    mask = np.uint64(len(heads) - 1)
    slot = ((head ^ tail) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(32)) & mask
    while heads[slot]:
        if heads[slot] == head and tails[slot] == tail:
            return True
        slot = (slot + np.uint64(1)) & mask
    return False
