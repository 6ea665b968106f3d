"""What ``gpusolve wordle`` draws, and the rows of its tables."""

from __future__ import annotations

from typing import Any

from gpusolve import report
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.greedy import Simulation
from gpusolve.games.wordle.solver import PartitionTable

COLUMNS = ("guess", "patterns", "largest", "sum_squares", "entropy", "expected", "is_answer")
COLOURS = {"-": "grey", "y": "yellow", "g": "green"}
WORST = 20  # of the worst answers, so many are listed
LISTED = 60  # of the answers left, so many are listed; none while there are more than ten times as many


def rows(table: PartitionTable) -> list[tuple[Any, ...]]:
    """A row of COLUMNS for each guess, in the order of the table's ranking."""
    found = table.partition
    columns = (found.patterns, found.largest, found.sum_squares, found.entropy, found.expected, found.contains)
    lists = [column[0].tolist() for column in columns]
    return [(table.guesses[i], *(values[i] for values in lists)) for i in table.ranking().tolist()]


def show_rows(rows: list[tuple[Any, ...]]) -> None:
    """Rows of COLUMNS as a table."""
    report.table(COLUMNS, rows)


def show_turn(guess: str, code: int, after: str = "") -> None:
    """A guess on coloured tiles."""
    marks = rules.pattern_text(code)
    report.tiles(guess, [COLOURS[mark] for mark in marks], f"{guess}:{marks}{after}")


def show_remaining(table: PartitionTable) -> None:
    """How many answers are left, and which if they are few."""
    words = table.answers
    listed = ": " + " ".join(words[:LISTED]) + (" ..." if len(words) > LISTED else "")
    report.text(f"{len(words):,} answer{'s' * (len(words) != 1)} left{listed if len(words) <= 10 * LISTED else ''}")


def show_cells(cells: dict[int, list[str]]) -> None:
    """The cells of a guess as a table."""
    report.table(
        ["pattern", "size", "answers"],
        [(rules.pattern_text(code), len(words), " ".join(words)) for code, words in cells.items()],
    )


def show_simulation(simulation: Simulation) -> None:
    """Mean, distribution, worst words."""
    count, distribution, worst = len(simulation.answers), simulation.distribution, simulation.worst
    report.text(
        f"{count:,} answers, {simulation.total:,} guesses, mean {simulation.mean:.5f}, "
        f"{simulation.lost:,} not within six"
    )
    report.table(
        ["guesses", "answers", "%", ""],
        [
            (turns, n, f"{100 * n / count:.2f}", "#" * round(60 * n / max(distribution.values())))
            for turns, n in distribution.items()
        ],
    )
    report.text(f"worst: {', '.join(worst[:WORST])}" + (" ..." if len(worst) > WORST else ""))
