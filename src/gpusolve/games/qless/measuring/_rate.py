"""The difficulty of a roll."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_type
from gpusolve.errors import BadInput, Exit
from gpusolve.games.qless._solve import solve
from gpusolve.games.qless.measuring.difficulty import Difficulty, difficulty_of
from gpusolve.games.qless.measuring.order import Order, estimated_order, read_order
from gpusolve.games.qless.rolls import DICE, Roll, can_roll, parse_roll
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import Result


@dataclass(frozen=True, repr=False)
class Rating(Result, schema="qless.rate/3"):
    """The difficulty of a roll.

    Attributes
    ----------
    roll : str
        The letters of the roll in alphabetical order.
    solutions : int
        Number of solutions.
    shapes : int
        Number of different shapes that the solutions have.
    everyday_solutions : int
        Number of solutions of everyday words.
    shapes_tried : int or None
        Number of shapes tried, the most promising first, until ten of these are found; None if fewer are found.
    on_dice : bool
        Whether the dice can show the roll.
    difficulty : str or None
        Difficulty on the daily game's scale: "too easy", or "monday" to "sunday"; None if no solution of everyday words
        is found.
    seconds : float
        Time that the search took.
    """

    roll: str
    solutions: int
    shapes: int
    everyday_solutions: int
    shapes_tried: int | None
    on_dice: bool
    difficulty: Difficulty | None
    seconds: float = field(compare=False)

    @property
    def exit_code(self) -> int:
        """The exit code of the command: `Exit.NO_SOLUTION` for a roll without one."""
        return Exit.DONE if self.solutions else Exit.NO_SOLUTION


def rate(
    roll: str | Roll, *, order: Path | None = None, variant: Variant = STANDARD, backend: Backend | None = None
) -> Rating:
    """Rate how hard a roll of twelve letters is.

    The scale is that of the daily game, from Monday to Sunday: how many shapes have to be tried until ten solutions of
    everyday words are found. Everyday words are those of the dictionary that ``--common`` selects.

    Parameters
    ----------
    roll : str
        The twelve letters of the roll, such as ``bbcefklnnpux``; spaces and commas are ignored.
    order : Path, optional
        File with the shapes in the order in which the daily game tries them, as its repository has it [1]_, or one per
        line. By default an estimate, with a scale that was fitted to the rolls of the daily game.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Rating
        The weekday, and the numbers that determine it.

    Raises
    ------
    BadInput
        If `roll` does not have twelve letters, if `order` is not such a file, or if no word of the dictionary is an
        everyday word.

    References
    ----------
    .. [1] https://github.com/damiensnyder/damiens-arcade, ``analysis/grids.json``.

    Examples
    --------
    ``gpusolve qless rate bbcefklnnpux``

    >>> rate("bbcefklnnpux").difficulty
    'saturday'
    """
    check_type("variant", variant, Variant)
    backend = open_backend(backend)
    return rate_by(roll, order_of(order, variant, backend), variant, backend)


def order_of(file: Path | None, variant: Variant, backend: Backend) -> Order:
    """Return the order in a file, or the estimated one."""
    if file is None:
        return estimated_order(variant.min_length, variant.allow_touching, cast(Any, backend))
    return read_order(file, variant)


def rate_by(roll: str | Roll, order: Order, variant: Variant, backend: Backend) -> Rating:
    """Rate a roll; see `rate`."""
    begin = clock.now()
    letters = parse_roll(roll)
    if len(letters) != len(DICE):
        raise BadInput(f"roll: {len(letters)} letters: expected {len(DICE)}, because the scale is made for them")
    solutions = solve(letters, variant=variant, backend=backend)
    everyday = solutions if variant.common else solve(letters, variant=variant.everyday, backend=backend)
    found, tried = order.tried(everyday)
    on_dice = can_roll(letters)
    return Rating(
        roll=letters,
        solutions=len(solutions),
        shapes=len(np.unique(solutions.shape)),
        everyday_solutions=len(everyday),
        shapes_tried=tried,
        on_dice=on_dice,
        difficulty=difficulty_of(found, tried, on_dice, order.scale),
        seconds=clock.now() - begin,
    )
