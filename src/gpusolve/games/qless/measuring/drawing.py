"""How ratings and censuses look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gpusolve.games.qless.measuring._census import TWO, Census
from gpusolve.games.qless.measuring._generate import Generated
from gpusolve.games.qless.measuring._rate import Rating
from gpusolve.games.qless.measuring.difficulty import ENOUGH
from gpusolve.games.qless.rolls import ROLLS
from gpusolve.output import report
from gpusolve.output.parts import Line, Note, Part, Table, counted


def rating(rating: Rating) -> Iterator[Part]:
    """Yield a rating on one line."""
    if not rating.solutions:
        yield Line(f"{rating.roll}: no solution")
        return
    totals = f"{counted(rating.solutions, 'solution')} in {counted(rating.shapes, 'shape')}, "
    totals += f"{rating.everyday_solutions:,} of them of everyday words"
    if rating.shapes_tried is not None:
        totals += f"; the first {ENOUGH} of these are found after trying {counted(rating.shapes_tried, 'shape')}"
    elif rating.difficulty is not None:
        totals += f"; fewer than {ENOUGH} of these are found in the shapes that are tried"
    dice = "" if rating.on_dice else "; the dice cannot show these letters"
    day = rating.difficulty or "harder than any day"
    yield Line(f"{rating.roll}: {day} ({totals}{dice})")


def generated(generated: Generated) -> Iterator[Part]:
    """Yield a roll with its difficulty, and where it comes from."""
    yield from rating(generated.rating)
    yield Note(f"seed {generated.seed}, roll {generated.rolls_tried - 1}")


def census(census: Census, *, top: int = 5) -> Iterator[Part]:
    """Yield how many rolls have no solution, the tables by letter and by vowels, and the hardest rolls.

    Parameters
    ----------
    top : int, default 5
        Number of rolls to show of each kind: the hardest, and those without a solution.
    """
    rolls = counted(census.count, "roll")
    if census.sample:
        rolls = f"{counted(census.count, 'random roll')} of seed {census.seed}"
    yield Line(f"{rolls}: {census.unsolvable:,} without a solution ({100 * census.share:.3f} %)")
    if not census.sample:
        yield Line(f"the dice show a roll without a solution {100 * census.weighted_share:.3f} % of the time")
    yield Line(f"exactly one solution: {counted(census.distribution.get(1, 0), 'roll')}")
    for name, shares in (("letter", census.by_letter), ("vowels", census.by_vowels)):
        yield Line()
        rows = [(key, *share) for key, share in shares.items()]
        yield Table((name, "rolls", "without a solution", "probability"), rows, f"rolls by {name}")
    if top:
        hardest = ", ".join(f"{each.roll} ({_solutions(census, each.solutions)})" for each in census.hardest[:top])
        yield Line(f"\nhardest rolls that have a solution: {hardest or 'none'}")
        unsolvable = ", ".join(each.roll for each in census.likeliest_unsolvable[:top])
        likeliest = "rolls" if census.sample else "most likely rolls"  # in a sample all weights are 1
        yield Line(f"{likeliest} without a solution: {unsolvable or 'none'}")
    if not census.complete:
        yield Note(f"stopped at the time limit after {census.count:,} rolls")


def census_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a census."""
    return report.Progress("rolls done", value("count") or ROLLS, quiet)


def _solutions(census: Census, number: int) -> str:
    """Return the number of solutions of a roll as text; a census that does not count them stops at the second."""
    return "2 or more solutions" if number == TWO and not census.counted else counted(number, "solution")
