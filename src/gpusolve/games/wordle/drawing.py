"""Output of ``gpusolve wordle`` in the terminal, and the rows of its tables."""

from __future__ import annotations

import shutil
import textwrap
import time
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import rules
from gpusolve.games.wordle.rules import History
from gpusolve.output import report

if TYPE_CHECKING:  # the command `pattern` starts without NumPy
    from collections.abc import Sequence

    from gpusolve.games.wordle._play import Turn
    from gpusolve.games.wordle._simulate import Simulation
    from gpusolve.games.wordle.proof._solve import Solution
    from gpusolve.games.wordle.proof.starts import Progress
    from gpusolve.games.wordle.tables import PartitionTable, Suggestions
    from gpusolve.games.wordle.variant import Variant

COLOURS = {"-": "grey", "y": "yellow", "g": "green"}
WORST = 20
"""Number of the worst answers that are listed."""
LISTED = 60
"""Number of remaining answers that are listed; if more than ten times as many remain, none are."""
NARROWEST = 20
"""Smallest width in columns to which words are folded, even if the terminal is narrower."""
BAR = 60
"""Width in columns of the longest bar of a distribution."""


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "answer"), count(2315, "answer"), count(2, "guess")
    ('1 answer', '2,315 answers', '2 guesses')
    """
    plural = "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{plural if number != 1 else ''}"


def listed(words: Sequence[str], most: int, separator: str = " ") -> str:
    """Return up to `most` words on one line.

    >>> listed(["crane", "trace", "salet"], 2)
    'crane trace ...'
    """
    return separator.join(words[:most]) + (" ..." if len(words) > most else "")


def turn_fields(history: History) -> list[dict[str, str]]:
    """Return a history as JSON values."""
    return [{"guess": guess, "pattern": rules.pattern_text(code)} for guess, code in history]


def table_rows(table: PartitionTable, top: int | None = None) -> list[dict[str, Any]]:
    """Return the first `top` rows of a table (None: all rows), each as name -> value, in the order of the table."""
    columns = {name: values if name == "guess" else values.tolist() for name, values in table.columns(top).items()}
    if "mean" in columns:
        columns["mean"] = [None if value != value else value for value in columns["mean"]]  # JSON has no nan
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def show_rows(rows: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    report.table(list(rows[0]), [list(row.values()) for row in rows])


def show_turn(guess: str, code: int, after: str = "") -> None:
    """Print a guess on coloured tiles, followed by its pattern and other text."""
    marks = rules.pattern_text(code)
    report.tiles(guess, [COLOURS[mark] for mark in marks], f"{guess}:{marks}{after}")


def show_game(turns: Sequence[Turn], seed: int | None) -> None:
    """Print the guesses of a game, each with the number of answers before it."""
    for turn in turns:
        show_turn(turn.guess, turn.pattern, f"  {count(turn.remaining, 'possible answer')}")
    report.text(count(len(turns), "guess") + ("" if seed is None else f", seed {seed}"))


def show_remaining(table: PartitionTable) -> None:
    """Print the number of answers that remain, and the answers if they are few."""
    words = table.answers
    report.text(
        f"{count(len(words), 'answer')} left" + (f": {listed(words, LISTED)}" if len(words) <= 10 * LISTED else "")
    )


def widening_note(variant: Variant) -> str:
    """Return the note that no listed answer fits the history."""
    return (
        f"none of the {len(variant.answers):,} answers fits, so all {len(variant.guesses):,} guesses count as possible "
        "answers"
    )


def show_suggestions(table: Suggestions, top: int) -> None:
    """Print the best guesses with the chances that this guess and the next one solve the game, in percent.

    The entropy is in bits. The mean number of guesses to the end is shown if it is known.
    """
    with_mean = bool(table.totals)
    report.table(
        [
            "guess",
            *["mean"] * with_mean,
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
                *["" if row["mean"] is None else f"{row['mean']:.4f}"] * with_mean,
                row["is_answer"],
                f"{abs(row['entropy']):.2f}",  # the entropy of a single pattern can come out as -1e-10
                f"{row['expected']:.2f}",
                row["patterns"],
                row["largest"],
                f"{100 * row['solved_now']:.1f}",
                f"{100 * row['solved_next']:.1f}",
            )
            for row in table_rows(table, top)
        ],
    )


def show_cells(cells: dict[int, list[str]], everything: bool) -> None:
    """Print the cells of a guess as a table as wide as the terminal: one line for each cell, or all its answers."""
    width = max(shutil.get_terminal_size().columns - len("pattern  size  "), NARROWEST)
    lines = [("pattern", "size", "answers"), ("-------", "----", "-------")]
    for code, words in cells.items():
        folded = textwrap.wrap(" ".join(words), width)
        if len(folded) > 1 and not everything:
            folded = textwrap.wrap(" ".join(words), width, max_lines=1, placeholder=" ...")
        lines += [(rules.pattern_text(code), str(len(words)), folded[0]), *(("", "", more) for more in folded[1:])]
    for pattern, size, words_text in lines:
        report.text(f"{pattern:<7}  {size:>4}  {words_text}")


def show_simulation(simulation: Simulation) -> None:
    """Print the mean, the distribution of the guesses, and the answers that need the most."""
    answers, lost = len(simulation.answers), simulation.lost
    report.text(
        f"{count(answers, 'answer')}, {simulation.total:,} guesses, mean {simulation.mean:.5f}; "
        f"{lost:,} need{'s' * (lost == 1)} more than six guesses"
    )
    show_distribution(simulation.distribution, answers)
    show_worst(simulation.worst)


def show_distribution(distribution: dict[int, int], answers: int) -> None:
    """Print how many of the answers need how many guesses, with a bar for each number of guesses."""
    report.table(
        ["guesses", "answers", "%", ""],
        [
            (turns, n, f"{100 * n / answers:.2f}", "#" * round(BAR * n / max(distribution.values())))
            for turns, n in distribution.items()
        ],
    )


def show_worst(words: Sequence[str]) -> None:
    """Print the answers that need the most guesses."""
    report.text(f"worst: {listed(words, WORST, ', ')}")


def show_solution(solution: Solution) -> None:
    """Print the best next guesses, then the guesses that the first of them needs."""
    answers = len(solution.answers)
    if solution.objective != "worst":
        rows = [
            (start.guess, f"{start.value:,}", f"{start.value / answers:.5f}", start.proven) for start in solution.starts
        ]
        report.table(["guess", "total", "mean", "proven"], rows)
    elif len(solution.starts) > 1:
        starts = " ".join(start.guess for start in solution.starts)
        within = count(solution.starts[0].value, "guess")
        report.text(f"{len(solution.starts):,} next guesses solve every answer within {within}: {starts}")
    report.text(
        f"{solution.guess}: {count(answers, 'answer')}, {count(solution.total, 'guess')}, mean {solution.mean:.5f}, "
        f"at most {solution.worst} for an answer; {'proven' if solution.proven else 'not proven'}"
        + (f", {solution.compared:,} next guesses compared" if solution.compared > 1 else "")
    )
    show_distribution(solution.distribution, answers)


class SearchStatus:
    """A line on stderr that shows how far a search is; it disappears at the end of the ``with`` block."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._begin = time.monotonic()
        self._workers: object = ""

    def __call__(self, progress: Progress) -> None:
        """Show the finished jobs, the best total so far, the states, and their rate."""
        seconds = max(time.monotonic() - self._begin, 1e-9)
        parts = [
            f"{progress.done:,} of {progress.of:,} jobs",
            "" if progress.best is None else f"best {progress.best:,}",
            f"{progress.states:,} states",
            f"{progress.states / seconds:,.0f}/s",
            f"{seconds:,.0f} s",
            str(self._workers),
        ]
        report.status(", ".join(part for part in parts if part), self._quiet)

    def watch(self, workers: object) -> None:
        """Show these workers as well (`runs.cluster.Workers`, whose text says how many there are)."""
        self._workers = workers

    def __enter__(self) -> SearchStatus:
        return self

    def __exit__(self, *_: object) -> None:
        report.status("", self._quiet)
