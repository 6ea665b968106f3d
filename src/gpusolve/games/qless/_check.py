"""A filled grid, checked against the rules; and the same check of every solution that a search returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.checks import check_type
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.qless._shapes import Shapes
from gpusolve.games.qless.cpu.checking import first_wrong
from gpusolve.games.qless.larger.tiles import blanks_of, parse_tiles
from gpusolve.games.qless.larger.variant import Free
from gpusolve.games.qless.rolls import counts_of, parse_roll, text_of
from gpusolve.games.qless.rules import MIN_LENGTH, SHORTEST, Grid, broken_rule, parse_grid
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import Result, reported


@dataclass(frozen=True, repr=False)
class Verdict(Result, schema="qless.check/4"):
    """Whether a filled grid is a solution.

    Attributes
    ----------
    roll : str
        The letters that the grid has to use, in alphabetical order, blanks first.
    grid : Grid
        The grid.
    broken_rule : str or None
        Description of the first rule that the grid breaks; None if it is a solution.
    doubtful : list of str
        Those of its words that are only in some dictionaries.
    free : bool
        Whether the rules are those of ``arrange``.
    """

    roll: str
    grid: Grid
    broken_rule: str | None
    doubtful: list[str]
    free: bool = False

    @reported
    def words(self) -> list[str]:
        """The words of the grid."""
        return list(self.grid.runs if self.free else self.grid.words)

    @reported
    def legal(self) -> bool:
        """Whether the grid breaks no rule."""
        return self.broken_rule is None

    @property
    def fault(self) -> str:
        """The rule that the grid breaks."""
        return f"the grid is not legal: {self.broken_rule}" if self.broken_rule else ""


def check(grid: str, *, roll: str | None = None, free: bool = False, variant: Variant = STANDARD) -> Verdict:
    """Check a filled grid against the rules, and report the first that it breaks.

    Parameters
    ----------
    grid : str
        Rows from top to bottom, separated by ``/`` or line breaks, with ``.`` or a space for empty cells, such as
        ``tea/a../t..``.
    roll : str, optional
        Letters that the grid has to use. By default the letters of the grid.
    free : bool, default False
        Check by the rules of ``arrange``: 1 to 144 tiles with ``?`` for blanks in `roll`, and words of two letters and
        more, unless `min_length` is greater than 3.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.

    Returns
    -------
    Verdict
        The grid and the first rule that it breaks, if any.

    Raises
    ------
    BadInput
        If `grid` is not a grid, or `roll` is not a roll, or with `free` no tiles.

    Examples
    --------
    ``gpusolve qless check '..c./.pew/..d./.met/rid./.x..'``

    >>> check("..t/eat/..e").broken_rule
    "'tte' is not in the dictionary"
    >>> check("te/o.", roll="t?o", free=True).words
    ['te', 'to']
    """
    check_type("variant", variant, Variant)
    check_type("grid", grid, str)
    check_type("free", free, bool)
    filled = parse_grid(grid)
    given = filled.letters if roll is None else roll
    letters = parse_tiles(given) if free else parse_roll(given)
    if free and variant.allow_touching:
        raise BadInput("allow_touching: expected without free, by whose rules two letters are a word")
    if free:
        least = SHORTEST if variant.min_length == MIN_LENGTH else variant.min_length
        variant = Free(
            variant.dictionary, min_length=least, no_repeats=variant.no_repeats, ban=variant.ban, common=variant.common
        )
    spelled = filled.letters if free and blanks_of(filled.letters, letters) is not None else letters
    rule = broken_rule(
        filled,
        spelled,
        variant.words,
        min_length=variant.min_length,
        allow_touching=variant.allow_touching,
        no_repeats=variant.no_repeats,
    )
    return Verdict(letters, filled, rule, variant.doubtful(filled.runs if free else filled.words), free)


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
    wrong = first_wrong(
        rolls, owners, shapes.cells, shape, fill, variant.min_length, variant.allow_touching, variant.no_repeats,
        *table,
    )  # fmt: skip
    return None if wrong < 0 else int(wrong)
