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
    from gpusolve.games.wordle.adversary.duel import Duel
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
BAR = 40
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
    return [{"guess": guess, "pattern": rules.pattern_text(code, rules.length_of(guess))} for guess, code in history]


def played_fields(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """Return the guesses of a game, each with its pattern and the number of answers before it, as JSON values."""
    return [
        {
            "guess": turn.guess,
            "pattern": rules.pattern_text(turn.pattern, rules.length_of(turn.guess)),
            "remaining": turn.remaining,
        }
        for turn in turns
    ]


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
    letters = rules.letters_of(guess)
    marks = rules.pattern_text(code, len(letters))
    report.tiles(letters, [COLOURS[mark] for mark in marks], f"{guess}:{marks}{after}")


def show_game(turns: Sequence[Turn], seed: int | None, chosen_by: str) -> None:
    """Print the guesses of a game, each with the number of answers before it, and what they were chosen by."""
    for turn in turns:
        show_turn(turn.guess, turn.pattern, f"  {count(turn.remaining, 'possible answer')}")
    report.text(count(len(turns), "guess") + ("" if seed is None else f", seed {seed}") + f", chosen by {chosen_by}")


def show_duel(duel: Duel) -> None:
    """Print a line of play against the adversary, and whether it is proven to be the shortest."""
    for turn in duel.turns:
        show_turn(turn.guess, turn.pattern, f"  {count(turn.remaining, 'possible answer')}")
    report.text(
        f"{count(len(duel.turns), 'guess')} against the adversary; "
        + ("proven to be the fewest" if duel.proven else f"not proven, at least {duel.at_least} are necessary")
    )


def objective_text(sort: str, known: bool | None = None) -> str:
    """Return what guesses are ranked by: a measure, or the exact mean, which is `known`, not known, or either (None).

    >>> objective_text("exact", known=True), objective_text("exact", known=False), objective_text("largest")
    ('the exact mean number of guesses to the end', 'entropy', 'largest')
    """
    if sort != "exact":
        return sort
    mean = "the exact mean number of guesses to the end"
    return f"{mean} where it is known, else by entropy" if known is None else mean if known else "entropy"


def show_remaining(table: PartitionTable) -> None:
    """Print the number of answers that remain, and the answers if they are few."""
    words = table.answers
    report.text(
        f"{count(len(words), 'answer')} left" + (f": {listed(words, LISTED)}" if len(words) <= 10 * LISTED else "")
    )


def widening_note(variant: Variant) -> str:
    """Return the note that no listed answer fits the history."""
    chances = "" if variant.weights is None else ", and words that are not listed share one percent of the weight"
    return (
        f"none of the {len(variant.answers):,} answers fits, so all {len(variant.guesses):,} guesses count as possible "
        f"answers{chances}"
    )


def rounding_note(variant: Variant) -> str:
    """Return the note that the weights had to be rounded."""
    return "the weights have too many digits to be used exactly, so they were rounded to a sum of 2^30"


def list_fields(variant: Variant, *, widened: bool) -> dict[str, Any]:
    """Return the lists by which guesses are judged as JSON values: those of a variant, whose answers may be widened."""
    judged = variant.guesses if widened else variant.answers
    weights = variant.weights
    return {
        "answer_list": judged.name,
        "weight_list": None if weights is None else weights.name,
        "exact_weights": None if weights is None else weights.exact,
        "widened": widened,
    }


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
    length = rules.length_of(next(iter(cells.values()))[0])
    for code, words in cells.items():
        folded = textwrap.wrap(" ".join(words), width)
        if len(folded) > 1 and not everything:
            folded = textwrap.wrap(" ".join(words), width, max_lines=1, placeholder=" ...")
        lines += [
            (rules.pattern_text(code, length), str(len(words)), folded[0]),
            *(("", "", more) for more in folded[1:]),
        ]
    for pattern, size, words_text in lines:
        report.text(f"{pattern:<{max(7, length)}}  {size:>4}  {words_text}")


def show_simulation(simulation: Simulation) -> None:
    """Print the mean, the distribution of the guesses, and the answers that need the most."""
    answers, lost = len(simulation.answers), simulation.lost
    report.text(
        f"{count(answers, 'answer')}, {_total(simulation)}, mean {simulation.mean:.5f}; "
        f"{lost:,} need{'s' * (lost == 1)} more than six guesses"
        + ("" if simulation.weights is None else f", won with chance {100 * simulation.won:.4g} %")
    )
    show_distribution(simulation.distribution, answers, _weights_by_turns(simulation))
    show_worst(simulation.worst)


def show_distribution(distribution: dict[int, int], answers: int, weights: dict[int, float] | None = None) -> None:
    """Print how many of the answers need how many guesses, with a bar for each number of guesses.

    `weights` are the shares of the weight of these answers, if they have weights.
    """
    longest = max(distribution.values() if weights is None else weights.values())
    report.table(
        ["guesses", "answers", "%", *["weight %"] * (weights is not None), ""],
        [
            (
                turns,
                n,
                f"{100 * n / answers:.2f}",
                *[f"{100 * share[turns]:.2f}" for share in [weights] if share is not None],
                "#" * round(BAR * (n if weights is None else weights[turns]) / longest),
            )
            for turns, n in distribution.items()
        ],
    )


def _total(result: Simulation | Solution) -> str:
    """Return the number of guesses over all answers as text, weighted if the answers have weights."""
    if result.weights is None:
        return count(result.total, "guess")
    return f"weight {result.weight:,}, weighted guesses {result.total:,}"


def _weights_by_turns(result: Simulation | Solution) -> dict[int, float] | None:
    """Return the share of the weight of the answers that need each number of guesses; None without weights."""
    if result.weights is None:
        return None
    weights, turns = result.weights, result.turns
    return {n: float(weights[turns == n].sum() / result.weight) for n in result.distribution}


def show_worst(words: Sequence[str]) -> None:
    """Print the answers that need the most guesses."""
    report.text(f"worst: {listed(words, WORST, ', ')}")


def show_solution(solution: Solution) -> None:
    """Print the best next guesses, then the guesses that the first of them needs."""
    answers = len(solution.answers)
    if solution.objective != "worst":
        rows = [
            (start.guess, f"{start.value:,}", f"{start.value / solution.weight:.5f}", start.proven)
            for start in solution.starts
        ]
        report.table(["guess", "total", "mean", "proven"], rows)
    elif len(solution.starts) > 1:
        starts = " ".join(start.guess for start in solution.starts)
        within = count(solution.starts[0].value, "guess")
        report.text(f"{len(solution.starts):,} next guesses solve every answer within {within}: {starts}")
    report.text(
        f"{solution.guess}: {count(answers, 'answer')}, {_total(solution)}, mean {solution.mean:.5f}, "
        + ("" if solution.weights is None else f"won with chance {100 * solution.won:.4g} %, ")
        + f"at most {solution.worst} for an answer; {'proven' if solution.proven else 'not proven'}"
        + (f", {solution.compared:,} next guesses compared" if solution.compared > 1 else "")
    )
    show_distribution(solution.distribution, answers, _weights_by_turns(solution))


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
