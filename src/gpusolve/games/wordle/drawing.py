"""What ``gpusolve wordle`` draws, and the rows of its tables."""

from __future__ import annotations

import shutil
import textwrap
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import rules
from gpusolve.output import report

if TYPE_CHECKING:  # a pattern is shown without NumPy
    from gpusolve.games.wordle._simulate import Simulation
    from gpusolve.games.wordle.proof._solve import Solution
    from gpusolve.games.wordle.proof.starts import Progress
    from gpusolve.games.wordle.tables import PartitionTable, Suggestions

COLOURS = {"-": "grey", "y": "yellow", "g": "green"}
WORST = 20  # of the worst answers, so many are listed
LISTED = 60  # of the answers left, so many are listed; none while there are more than ten times as many
NARROWEST = 20  # columns that words are folded to, however narrow the terminal


def rows(table: PartitionTable, top: int | None = None) -> list[dict[str, Any]]:
    """The first `top` rows of a table (None: all) as name -> value, in the order of its ranking."""
    columns = {name: values if name == "guess" else values.tolist() for name, values in table.columns(top).items()}
    if "mean" in columns:
        columns["mean"] = [None if value != value else value for value in columns["mean"]]  # JSON has no nan
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def show_rows(rows: list[dict[str, Any]]) -> None:
    """Rows as a table."""
    report.table(list(rows[0]), [list(row.values()) for row in rows])


def show_turn(guess: str, code: int, after: str = "") -> None:
    """A guess on coloured tiles."""
    marks = rules.pattern_text(code)
    report.tiles(guess, [COLOURS[mark] for mark in marks], f"{guess}:{marks}{after}")


def show_remaining(table: PartitionTable) -> None:
    """How many answers are left, and which if they are few."""
    words = table.answers
    listed = ": " + " ".join(words[:LISTED]) + (" ..." if len(words) > LISTED else "")
    report.text(f"{len(words):,} answer{'s' * (len(words) != 1)} left{listed if len(words) <= 10 * LISTED else ''}")


def show_suggestions(table: Suggestions, top: int) -> None:
    """The first guesses: entropy in bits, answers expected to be left, chances to be done with it and with the next.

    Before that, where it is known, how many guesses it takes to the end.
    """
    report.table(
        [
            "guess",
            *["mean"] * bool(table.totals),
            "is_answer",
            "entropy",
            "expected",
            "patterns",
            "largest",
            "now %",
            "next %",
        ],
        [
            (
                row["guess"],
                *["" if row["mean"] is None else f"{row['mean']:.4f}"] * bool(table.totals),
                row["is_answer"],
                f"{abs(row['entropy']):.2f}",  # a guess that tells nothing may have -1e-10
                f"{row['expected']:.2f}",
                row["patterns"],
                row["largest"],
                f"{100 * row['solved_now']:.1f}",
                f"{100 * row['solved_next']:.1f}",
            )
            for row in rows(table, top)
        ],
    )


def show_cells(cells: dict[int, list[str]], everything: bool) -> None:
    """The cells of a guess as a table as wide as the terminal: a line of each one's answers, or all of them."""
    width = max(shutil.get_terminal_size().columns - len("pattern  size  "), NARROWEST)
    lines = []
    for code, words in cells.items():
        folded = textwrap.wrap(" ".join(words), width)
        if len(folded) > 1 and not everything:
            folded = textwrap.wrap(" ".join(words), width, max_lines=1, placeholder=" ...")
        lines += [(rules.pattern_text(code), str(len(words)), folded[0]), *(("", "", more) for more in folded[1:])]
    _print_columns([("pattern", "size", "answers"), ("-------", "----", "-------"), *lines])


def _print_columns(lines: Iterable[tuple[str, str, str]]) -> None:
    for pattern, size, words in lines:
        report.text(f"{pattern:<7}  {size:>4}  {words}")


def show_simulation(simulation: Simulation) -> None:
    """Mean, distribution, worst words."""
    count, distribution, worst = len(simulation.answers), simulation.distribution, simulation.worst
    report.text(
        f"{count:,} answers, {simulation.total:,} guesses, mean {simulation.mean:.5f}, "
        f"{simulation.lost:,} not within six"
    )
    show_distribution(distribution, count)
    report.text(f"worst: {', '.join(worst[:WORST])}" + (" ..." if len(worst) > WORST else ""))


def show_distribution(distribution: dict[int, int], count: int) -> None:
    """How many answers need how many guesses."""
    report.table(
        ["guesses", "answers", "%", ""],
        [
            (turns, n, f"{100 * n / count:.2f}", "#" * round(60 * n / max(distribution.values())))
            for turns, n in distribution.items()
        ],
    )


def search_status(quiet: bool) -> Callable[[Progress], None]:
    """Tells on stderr how far a search is: what is done, the best total so far, states a second."""
    begin = time.monotonic()

    def tell(progress: Progress) -> None:
        seconds = max(time.monotonic() - begin, 1e-9)
        best = "" if progress.best is None else f"best {progress.best:,}, "
        report.status(
            f"{progress.done:,} of {progress.of:,}, {best}{progress.states:,} states, "
            f"{progress.states / seconds:,.0f}/s, {seconds:,.0f} s",
            quiet,
        )

    return tell


def show_solution(solution: Solution) -> None:
    """The best next guesses, then what the first of them needs."""
    count = len(solution.answers)
    if solution.objective != "worst":
        rows = [(one.guess, f"{one.value:,}", f"{one.value / count:.5f}") for one in solution.starts]
        report.table(["guess", "total", "mean"], rows)
    elif len(solution.starts) > 1:
        listed = " ".join(one.guess for one in solution.starts)
        report.text(f"{len(solution.starts):,} next guesses solve all within {solution.starts[0].value}: {listed}")
    report.text(
        f"{solution.guess}: {count:,} answers, {solution.total:,} guesses, mean {solution.mean:.5f}, each within "
        f"{solution.worst}; {'proven' if solution.proven else 'not proven'}"
        + (f", {solution.compared:,} next guesses compared" if solution.compared > 1 else "")
    )
    show_distribution(solution.distribution, count)
