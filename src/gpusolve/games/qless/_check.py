"""A filled grid, checked against the rules."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.checks import check_type
from gpusolve.games.qless.rolls import parse_roll
from gpusolve.games.qless.rules import Grid, broken_rule, parse_grid
from gpusolve.games.qless.variant import STANDARD, Variant


@dataclass(frozen=True)
class Verdict:
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


def check(grid: str, *, roll: str | None = None, variant: Variant = STANDARD) -> Verdict:
    """Check whether a filled grid is a solution of a roll.

    Parameters
    ----------
    grid : str
        The rows, separated by ``/`` or line breaks, with ``.`` or a space for an empty cell.
    roll : str, optional
        The letters that the grid has to use; by default the letters of the grid.
    variant : Variant, optional
        The words that count, and the rules; the standard game by default.

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
