"""What the commands of Q-less draw: grids and shapes side by side, a page to leaf through, the tables of a census."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from gpusolve.games.qless._hint import Unsolvable
from gpusolve.games.qless._shapes import Shapes
from gpusolve.games.qless._solve import Solutions
from gpusolve.games.qless.measuring._census import Census
from gpusolve.games.qless.measuring._rate import ENOUGH, Rating
from gpusolve.games.qless.rolls import text_of
from gpusolve.output import page, report

PAGE = Path(__file__).with_name("solutions.html")
MOST_ON_PAGE = 20_000
"""Solutions on a page; a megabyte."""
GAP = "    "


def stream(some: Solutions) -> None:
    """One JSON object a line for each solution."""
    if len(some):
        lines = (f'{{"schema": "gpusolve.qless.solve/1", "grid": "{text}"}}' for text in some.texts())
        report.text("\n".join(lines))


def show_solutions(found: Solutions, top: int) -> None:
    """How many there are, and the first drawn."""
    number = f"{len(found):,}" + ("" if found.complete else " or more")
    report.text(f"{found.roll}: {number} solution{'s' * (len(found) != 1)}")
    side_by_side([str(found[i]) for i in range(min(top, len(found)))])


def side_by_side(drawings: Sequence[str]) -> None:
    """Drawings in rows as wide as the terminal, an empty line above each row."""
    width = shutil.get_terminal_size().columns
    row: list[list[str]] = []
    used = 0
    for drawing in drawings:
        lines = drawing.splitlines()
        wide = max(map(len, lines)) + len(GAP)
        if row and used + wide - len(GAP) > width:
            _draw(row)
            row, used = [], 0
        row.append(lines)
        used += wide
    if row:
        _draw(row)


def _draw(row: list[list[str]]) -> None:
    widths = [max(map(len, lines)) for lines in row]
    report.text()
    for parts in zip_longest(*row, fillvalue=""):
        report.text(GAP.join(part.ljust(wide) for part, wide in zip(parts, widths, strict=True)).rstrip())


def save_page(path: Path, found: Solutions) -> None:
    """One HTML page with the solutions to leaf through, the first MOST_ON_PAGE of them."""
    texts = found.texts()
    about = f"{found.roll}: {len(texts):,}{'' if found.complete else ' or more'} solutions"
    if len(texts) > MOST_ON_PAGE:
        about += f", the first {MOST_ON_PAGE:,}"
    blanks = {"about": html.escape(about), "grids": json.dumps(texts[:MOST_ON_PAGE], separators=(",", ":"))}
    page.save(path, PAGE, **blanks)


def show_unsolvable(found: Unsolvable) -> None:
    """The verdict, the parts that can be solved, and a solution."""
    if not found.unsolvable:
        report.text(f"{found.roll} can be solved:")
    elif not found.parts:
        report.text(f"{found.roll} has no solution, nor has any part of it")
    else:
        report.text(f"{found.roll} has no solution; without")
        rows = [(part.without, part.letters, part.solutions) for part in found.parts]
        report.table(("letters", "what is left", "solutions"), rows)
    if found.example is not None:
        side_by_side([str(found.example)])


def rating_text(rating: Rating) -> str:
    """A rating on one line."""
    if rating.day is None:
        return f"{rating.roll}: no solution"
    tried = f"fewer than {ENOUGH}" if rating.tried is None else f"{ENOUGH} after {rating.tried:,} shapes"
    dice = "" if rating.on_dice else ", not of the dice"
    return f"{rating.roll}: {rating.day} ({rating.solutions:,} solutions in {rating.shapes:,} shapes, {tried}{dice})"


def show_shapes(found: Shapes, top: int) -> None:
    """The counts, and the first shapes drawn."""
    report.text(
        f"{found.letters} letters, words of {found.min_length} or more: {len(found):,} shapes up to transposition "
        f"({int(found.symmetric.sum()):,} symmetric), {found.fixed:,} fixed, {found.free:,} up to all symmetries, "
        f"of {found.polyominoes:,} polyominoes"
    )
    report.table(("words", "shapes"), found.by_words.items())
    side_by_side([" ".join(found.text(number)).replace(" / ", "\n") for number in range(min(top, len(found)))])


def show_census(found: Census, top: int) -> None:
    """The shares, the tables by letter and by vowels, the hardest rolls."""
    kind = f"random rolls of seed {found.seed}" if found.sample else "rolls"
    report.text(f"{found.rolls:,} {kind}: {found.unsolvable:,} have no solution, {100 * found.share:.3f} %")
    if not found.sample:
        report.text(f"the dice give a roll without a solution {100 * found.weighted_share:.3f} % of the time")
    report.text(f"exactly one solution: {found.distribution.get(1, 0):,}")
    for name, rows in (("letter", found.by_letter()), ("vowels", found.by_vowels())):
        report.text()
        report.table((name, "rolls", "without solution", "likelihood"), ((key, *row) for key, row in rows.items()))
    if top:
        report.text("\nhardest: " + ", ".join(f"{letters} ({number})" for letters, number, _ in found.hardest(top)))
        report.text("likeliest without: " + ", ".join(letters for letters, _ in found.likeliest_unsolvable(top)))


def census_fields(found: Census, top: int) -> dict[str, Any]:
    """What a census comes to, in values that JSON has."""
    return {
        "seed": found.seed,
        "rolls": found.rolls,
        "sample": found.sample,
        "counted": found.counted,
        "complete": found.complete,
        "unsolvable": found.unsolvable,
        "share": found.share,
        "weighted_share": found.weighted_share,
        "distribution": found.distribution,
        "by_letter": found.by_letter(),
        "by_vowels": found.by_vowels(),
        "hardest": found.hardest(top),
        "likeliest_unsolvable": found.likeliest_unsolvable(top),
        "seconds": found.seconds,
    }


def census_rows(found: Census) -> Iterator[tuple[str, int, int]]:
    """A row for each roll: letters, weight, solutions."""
    numbers: Iterable[tuple[Any, Any, Any]] = zip(found.letters, found.weights, found.solutions, strict=True)
    return ((text_of(letters), int(weight), int(solutions)) for letters, weight, solutions in numbers)


def plot_census(path: Path, found: Census) -> None:
    """How likely a roll with each letter has no solution, as bars."""
    from gpusolve.output.plot import save_bars

    rows = found.by_letter()
    title = f"Q-less: how often the dice give no solution, by letter ({found.rolls:,} rolls)"
    save_bars(path, list(rows), [100 * likely for _, _, likely in rows.values()], title, "a roll with", "%")
