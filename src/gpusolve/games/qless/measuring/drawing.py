"""A rating on one line, and the tables and the plot of a census."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gpusolve.games.qless.drawing import counted
from gpusolve.games.qless.measuring._census import TWO, Census
from gpusolve.games.qless.measuring._rate import Rating
from gpusolve.games.qless.measuring.difficulty import ENOUGH
from gpusolve.games.qless.rolls import text_of
from gpusolve.output import report


def rating_text(rating: Rating) -> str:
    """Return a rating on one line."""
    if rating.day is None:
        return f"{rating.roll}: no solution"
    totals = f"{counted(rating.solutions, 'solution')} in {counted(rating.shapes, 'shape')}"
    if rating.shapes_tried is None:
        tried = f", which is fewer than the {ENOUGH} that the daily game looks for"
    else:
        tried = f"; the first {ENOUGH} are found after trying {counted(rating.shapes_tried, 'shape')}"
    dice = "" if rating.on_dice else "; the dice cannot show these letters"
    return f"{rating.roll}: {rating.day} ({totals}{tried}{dice})"


def show_census(census: Census, top: int) -> None:
    """Print how many rolls have no solution, the tables by letter and by vowels, and the hardest rolls."""
    rolls = counted(census.rolls, "roll")
    if census.sample:
        rolls = f"{counted(census.rolls, 'random roll')} of seed {census.seed}"
    report.text(f"{rolls}: {census.unsolvable:,} without a solution ({100 * census.share:.3f} %)")
    if not census.sample:
        report.text(f"the dice show a roll without a solution {100 * census.weighted_share:.3f} % of the time")
    report.text(f"exactly one solution: {counted(census.distribution.get(1, 0), 'roll')}")
    for name, rows in (("letter", census.by_letter()), ("vowels", census.by_vowels())):
        report.text()
        report.table((name, "rolls", "without a solution", "probability"), ((key, *row) for key, row in rows.items()))
    if top:
        hardest = ", ".join(f"{letters} ({_solutions(census, number)})" for letters, number, _ in census.hardest(top))
        report.text(f"\nhardest rolls that have a solution: {hardest or 'none'}")
        unsolvable = ", ".join(letters for letters, _ in census.likeliest_unsolvable(top))
        likeliest = "rolls" if census.sample else "most likely rolls"  # in a sample all weights are 1
        report.text(f"{likeliest} without a solution: {unsolvable or 'none'}")


def _solutions(census: Census, number: int) -> str:
    """Return the number of solutions of a roll as text; a census that does not count them stops at the second."""
    return "2 or more solutions" if number == TWO and not census.counted else counted(number, "solution")


def census_fields(census: Census, top: int) -> dict[str, Any]:
    """Return the results of a census as values for JSON."""
    return {
        "seed": census.seed,
        "rolls": census.rolls,
        "sample": census.sample,
        "counted": census.counted,
        "complete": census.complete,
        "unsolvable": census.unsolvable,
        "share": census.share,
        "weighted_share": census.weighted_share,
        "distribution": census.distribution,
        "by_letter": census.by_letter(),
        "by_vowels": census.by_vowels(),
        "hardest": census.hardest(top),
        "likeliest_unsolvable": census.likeliest_unsolvable(top),
        "seconds": census.seconds,
    }


def census_rows(census: Census) -> Iterator[tuple[str, int, int]]:
    """Yield a row for each roll: letters, weight, solutions."""
    rows: Iterable[tuple[Any, Any, Any]] = zip(census.letters, census.weights, census.solutions, strict=True)
    return ((text_of(letters), int(weight), int(solutions)) for letters, weight, solutions in rows)


def plot_census(path: Path, census: Census) -> None:
    """Plot the probability that a roll with a given letter has no solution, as bars."""
    from gpusolve.output.plot import save_bars

    rows = census.by_letter()
    title = f"Q-less: how often a roll has no solution, by letter ({census.rolls:,} rolls)"
    percentages = [100 * probability for _, _, probability in rows.values()]
    save_bars(path, list(rows), percentages, title, "letter in the roll", "rolls without a solution, %")
