"""How results look: games on tiles, tables of guesses, strategies and their distributions."""

from __future__ import annotations

import itertools
import shutil
import textwrap
import time
from typing import TYPE_CHECKING, Any

from gpusolve.games.wordle import rules
from gpusolve.output import page, report
from gpusolve.output.parts import Bars, Line, Note, Part, Picture, Table, Tiles, Title, Verbatim, counted

if TYPE_CHECKING:  # the command `pattern` starts without NumPy
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from gpusolve.games.wordle._cells import Cells
    from gpusolve.games.wordle._pattern import Marked
    from gpusolve.games.wordle._play import Game, PlayedTurn
    from gpusolve.games.wordle._simulate import Simulation
    from gpusolve.games.wordle.adversary._beat_adversary import Duel
    from gpusolve.games.wordle.adversary._outlast_adversary import LongDuel
    from gpusolve.games.wordle.proof._solve import Solution
    from gpusolve.games.wordle.proof.starts import Progress
    from gpusolve.games.wordle.rules import History
    from gpusolve.games.wordle.tables import PartitionTable, Suggestions
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.games.wordle.weights._words import WeightedWords
    from gpusolve.games.wordle.weights.weights import Weights
    from gpusolve.games.wordle.wordlist import WordList

COLOURS = {"-": "grey", "y": "yellow", "g": "green"}
WORST = 20
"""Number of the worst answers that are listed."""
LISTED = 60
"""Number of remaining answers that are listed; if more than ten times as many remain, none are."""
UNLIKELY = 0.01
"""Answers with a smaller chance are counted, not listed."""
NARROWEST = 20
"""Smallest width in columns to which words are folded, even if the terminal is narrower."""
MANY = 100
"""Number of guesses from which a table is shown in part."""
TOP = 20
"""Number of rows of a partition table that are shown."""
OVER = "the game is over: none of the six guesses was the answer"
FIRST_WORDS = 20
"""Number of words of a written list that are shown."""


def partition_table(table: PartitionTable, *, top: int | None = None) -> Iterator[Part]:
    """Yield the size of a table and its first rows.

    Parameters
    ----------
    top : int, optional
        Number of rows to show; 0 shows none. By default 20, or all of `words`.
    """
    number = f"{len(table.guesses):,} guesses x {len(table.answers):,} answers"
    yield Title(number)
    yield Line(f"{number}, scoring {table.scoring}, by {table.sort}")
    shown = (TOP if len(table.guesses) > MANY else None) if top is None else top
    if shown != 0:
        columns = table.columns(shown)
        yield Table(list(columns), [*zip(*columns.values(), strict=True)], f"guesses, by {table.sort}")


def suggestions(table: Suggestions, *, top: int = 10) -> Iterator[Part]:
    """Yield the guesses so far, the answers that remain, and the best guesses with their chances.

    Parameters
    ----------
    top : int, default 10
        Number of guesses to show; 0 shows none.
    """
    if table.variant is not None:
        yield from notes(table.variant, widened=table.widened)
    yield from map(Note, unknown_notes(table.history, table.variant))
    for guess, code in table.history:
        yield turn_tiles(guess, code)
    if table.solved:
        yield Line(f"solved in {len(table.history)}")
        return
    yield from remaining(table)
    mode = "easy" if table.variant is None else table.variant.mode
    by = objective_text(table.ranked_by, known=bool(table.totals))
    left = rules.GUESSES - len(table.history)
    if left < 1:
        yield Line(OVER)
        return
    if left == 1:
        by = "the chance to win"
    elif not table.totals and table.sort == "entropy":
        by = "the chance to win with two guesses" if left == 2 else "entropy, with a bonus for likely answers"
    number = counted(len(table.guesses), "allowed guess")
    if table.allowed is not None and table.allowed > len(table.guesses):
        number = f"{len(table.guesses):,} guesses, the most promising of {table.allowed:,} allowed ones"
    yield Line(f"guess {len(table.history) + 1} of {rules.GUESSES}, {mode} mode: the best of {number}, by {by}")
    yield from suggestion_rows(table, top)


def cells(cells: Cells, *, all: bool = False) -> Iterator[Part]:
    """Yield the cells of a guess as a table as wide as the terminal.

    Parameters
    ----------
    all : bool, default False
        Show all answers instead of one line for each cell.
    """
    by_pattern = cells.by_pattern
    number_of_cells = counted(len(by_pattern), "cell")
    yield Line(f"{cells.guess}: {counted(cells.answers, 'answer')} in {number_of_cells}, scoring {cells.scoring}")
    rows = [(each.pattern, len(each.words), " ".join(each.words)) for each in cells.cells]
    table = Table(("pattern", "size", "answers"), rows, f"cells of {cells.guess}")
    yield Picture(lambda controls: page.drawn([table], controls=controls), tuple(map(Line, _cell_lines(cells, all))))


def marked(marked: Marked) -> Iterator[Part]:
    """Yield a guess on coloured tiles, followed by its pattern."""
    yield turn_tiles(marked.guess, marked.code)


def game(game: Game) -> Iterator[Part]:
    """Yield the guesses of a game, each with the number of answers before it, and what they were chosen by."""
    yield from notes(game.variant)
    for each in game.turns:
        yield from played_turn(each)
    by = "the strategy" if game.sort == "strategy" else objective_text(game.sort)
    seed = "" if game.seed is None else f", seed {game.seed}"
    yield Line(f"{counted(len(game.turns), 'guess')}{seed}, chosen by {by}")


def played_turn(turn: PlayedTurn) -> Iterator[Part]:
    """Yield a guess with the number of answers before it."""
    yield turn_tiles(turn.guess, turn.pattern, f"  {counted(turn.remaining, 'possible answer')}")


def duel(duel: Duel) -> Iterator[Part]:
    """Yield a line of play against the adversary, and whether it is proven to be the shortest."""
    yield from map(Note, unknown_notes(duel.history, duel.variant))
    for each in duel.turns:
        yield from played_turn(each)
    proven = "proven to be the fewest" if duel.proven else f"not proven, at least {duel.at_least} are necessary"
    yield Line(f"{counted(len(duel.turns), 'guess')} against the adversary; {proven}")


def long_duel(duel: LongDuel) -> Iterator[Part]:
    """Yield a line of play against the adversary, and whether it is proven to be the longest."""
    yield from map(Note, unknown_notes(duel.history, duel.variant))
    for each in duel.turns:
        yield from played_turn(each)
    proven = "proven to be the most" if duel.proven else f"not proven, no game takes more than {duel.at_most}"
    yield Line(f"{counted(len(duel.turns), 'guess')} against the adversary, each leaving fewer answers; {proven}")


def simulation(simulation: Simulation) -> Iterator[Part]:
    """Yield the mean, the distribution of the guesses, and the answers that need the most."""
    if simulation.variant is not None:
        yield from notes(simulation.variant)
    answers, lost = len(simulation.answers), simulation.lost
    yield Line(
        f"{counted(answers, 'answer')}, {_total(simulation)}, mean {simulation.mean:.5f}; "
        f"{lost:,} need{'s' * (lost == 1)} more than six guesses"
        + ("" if simulation.weights is None else f", won with chance {100 * simulation.won:.4g} %")
    )
    yield distribution(simulation.distribution, answers, _weights_by_turns(simulation))
    yield worst(simulation.worst)


def solution(solution: Solution) -> Iterator[Part]:
    """Yield the best next guesses, then the guesses that the first of them needs."""
    if solution.variant is not None:
        yield from notes(solution.variant)
        yield from map(Note, unknown_notes(solution.history, solution.variant))
    answers = len(solution.answers)
    if solution.objective != "worst":
        rows = [
            (start.guess, f"{start.value:,}", f"{start.value / solution.weight:.5f}", start.proven)
            for start in solution.starts
        ]
        yield Table(["guess", "total", "mean", "proven"], rows, "the best next guesses")
    elif len(solution.starts) > 1:
        starts = " ".join(start.guess for start in solution.starts)
        within = counted(solution.starts[0].value, "guess")
        yield Line(f"{len(solution.starts):,} next guesses solve every answer within {within}: {starts}")
    yield Line(
        f"{solution.guess}: {counted(answers, 'answer')}, {_total(solution)}, mean {solution.mean:.5f}, "
        + ("" if solution.weights is None else f"won with chance {100 * solution.won:.4g} %, ")
        + f"at most {solution.worst} for an answer; {'proven' if solution.proven else 'not proven'}"
        + (f", {solution.compared:,} next guesses compared" if solution.compared > 1 else "")
    )
    yield distribution(solution.distribution, answers, _weights_by_turns(solution))


def weighted_words(words: WeightedWords) -> Iterator[Part]:
    """Yield the words as the lines of a file that ``--weights`` reads."""
    yield Verbatim(words.text().rstrip("\n"))


def words_written(words: WeightedWords, out: Path) -> Iterator[Part]:
    """Yield the number of words in a file, and the first ones."""
    yield Line(f"{counted(len(words.weights), 'word')}, weight {words.weight:,}, in {out}")
    yield Line(listed([*words.weights], FIRST_WORDS))


def variant(variant: Variant) -> Iterator[Part]:
    """Yield the lists and the rules."""
    for kind, words in (("guesses", variant.guesses), ("answers", variant.answers)):
        yield Line(f"{kind}: {len(words):,}" + (f" ({words.name})" if words.name else ""))
    if variant.weights is not None:
        yield Line(f"weights: {variant.weights.name or 'given'}")
    yield Line(f"mode: {variant.mode}, scoring: {variant.scoring}")


def word_list(words: WordList) -> Iterator[Part]:
    """Yield the number of words, and the first ones."""
    yield Line(f"{counted(len(words), 'word')}: {listed(words[: LISTED + 1], LISTED)}")


def weights(weights: Weights) -> Iterator[Part]:
    """Yield the number of weights, and their sum."""
    yield Line(f"{counted(len(weights.values), 'weight')}, sum {weights.total:,}")


def solve_progress(value: Callable[[str], Any], quiet: bool) -> SearchStatus:
    """Return the line that shows how far a search is."""
    return SearchStatus(quiet)


beat_adversary_progress = solve_progress


def simulate_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a simulation."""
    from gpusolve.games.wordle.variant import check_variant

    variant = check_variant(value("variant"))
    return report.Progress("answers solved", len(variant.answers) if variant.weights is None else 0, quiet)


def listed(words: Sequence[str], most: int, separator: str = " ") -> str:
    """Return up to `most` words on one line.

    >>> listed(["crane", "trace", "salet"], 2)
    'crane trace ...'
    """
    return separator.join(words[:most]) + (" ..." if len(words) > most else "")


def notes(variant: Variant, *, widened: bool = False) -> Iterator[Note]:
    """Yield what a reader should know about the lists by which guesses are judged."""
    if variant.weights is not None and not variant.weights.exact:
        yield Note("the weights have too many digits to be used exactly, so they were rounded to a sum of 2^30")
    if widened:
        yield Note(widening_note(variant))


def turn_tiles(guess: str, code: int, after: str = "") -> Tiles:
    """Return a guess on coloured tiles, followed by its pattern and other text."""
    letters = rules.letters_of(guess)
    marks = rules.pattern_text(code, len(letters))
    return Tiles(letters, [COLOURS[mark] for mark in marks], f"{guess}:{marks}", after)


def objective_text(sort: str, known: bool | None = None) -> str:
    """Return what guesses are ranked by: a measure, or the exact mean, which is `known`, not known, or either (None).

    >>> objective_text("exact", known=True), objective_text("exact", known=False), objective_text("largest")
    ('the exact mean number of guesses to the end', 'entropy', 'largest')
    """
    if sort == "mean":
        return "the mean number of guesses to the end"
    if sort != "exact":
        return sort
    mean = "the exact mean number of guesses to the end"
    return f"{mean} where it is known, else by entropy" if known is None else mean if known else "entropy"


def remaining(table: Suggestions) -> Iterator[Line]:
    """Yield the number of answers that remain, the answers if they are few, and the chance of an unpublished one."""
    words = table.remaining
    if table.weights is None:
        some = f": {listed(words, LISTED)}" if len(words) <= 10 * LISTED else ""
        yield Line(f"{counted(len(words), 'answer')} left{some}")
        return
    if len(words) == 1:
        published = ", which is not in the published list" if table.unpublished else ""
        yield Line(f"1 answer left: {words[0]}{published}")
        return
    likely = [(word, chance) for word, chance in zip(words, table.chances, strict=True) if chance >= UNLIKELY]
    groups = itertools.groupby(likely, key=lambda each: f"{100 * each[1]:.0f} %")
    parts, shown = [], 0
    for percent, group in groups:
        few = [word for word, _ in group][: LISTED - shown]
        shown += len(few)
        if few:
            parts.append(f"{' '.join(few)} ({percent}{' each' if len(few) > 1 else ''})")
    rest = len(words) - shown
    others = f"{rest:,} others" if parts else f"none of them with a chance of {100 * UNLIKELY:.0f} %"
    yield Line(f"{counted(len(words), 'answer')} left: " + ", ".join([*parts, *[others] * (rest > 0)]))
    if table.unpublished is not None:
        yield Line(f"with a chance of {100 * table.unpublished:.0f} %, the answer is not in the published list")


def unknown_notes(history: History, variant: Variant) -> Iterator[str]:
    """Yield a note for each guess of the history that is not in the list of guesses."""
    from gpusolve.games.wordle.weights.mistakes import unknown_words

    return unknown_words((guess for guess, _ in history), variant.guesses)


def widening_note(variant: Variant) -> str:
    """Return the note that no listed answer fits the history."""
    from gpusolve.games.wordle.weights.chances import are_known

    if variant.weights is not None and variant.weights.name != rules.CHANCES:
        chances = ", and words that are not listed share one percent of the weight"
    else:
        chances = ", each with its chance" if are_known(variant.guesses) else ""
    return f"no listed answer fits, so all {len(variant.guesses):,} guesses count as possible answers{chances}"


def suggestion_rows(table: Suggestions, top: int) -> Iterator[Part]:
    """Yield the best guesses with the chances that this guess and the next one solve the game, in percent.

    The entropy is in bits. The mean number of guesses to the end is shown if it is known. Guesses that cannot be
    the answer are left out if they say nothing, and if the guess is the last one.
    """
    from gpusolve.games.wordle.tables import TOTALS

    with_mean = bool(table.totals)
    columns = table.columns(top)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    is_last = table.turns >= rules.GUESSES - 1
    rows = [row for row in rows if row["is_answer"] or (row["patterns"] > 1 and not is_last)]
    if not rows:
        return
    yield Table(
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
                *["" if row["mean"] != row["mean"] else f"{row['mean']:.4f}"] * with_mean,
                row["is_answer"],
                f"{abs(row['entropy']):.2f}",  # the entropy of a single pattern can come out as -1e-10
                f"{row['expected']:.2f}",
                row["patterns"],
                row["largest"],
                f"{100 * row['solved_now']:.1f}",
                f"{100 * row['solved_next']:.1f}",
            )
            for row in rows
        ],
        "the best guesses",
    )
    if with_mean and any(row["mean"] != row["mean"] for row in rows):
        known = len(table.totals)
        if known < TOTALS and table.turns:
            yield Line("no mean: these guesses do not find every answer in the guesses that are left")
        else:
            yield Line(f"the means of the best {known} guesses are known; the others are ordered by entropy")
    elif table.ranked_by == "mean" and table.turns:
        yield Line("no guess finds every answer in the guesses that are left; the mean ignores this limit")


def _cell_lines(cells: Cells, everything: bool) -> Iterator[str]:
    """Yield the table of the cells: one line for each cell, or all its answers."""
    width = max(shutil.get_terminal_size().columns - len("pattern  size  "), NARROWEST)
    lines = [("pattern", "size", "answers"), ("-------", "----", "-------")]
    for cell in cells.cells:
        text = " ".join(cell.words)
        folded = textwrap.wrap(text, width)
        if len(folded) > 1 and not everything:
            folded = textwrap.wrap(text, width, max_lines=1, placeholder=" ...")
        lines += [(cell.pattern, str(len(cell.words)), folded[0]), *(("", "", more) for more in folded[1:])]
    length = rules.length_of(cells.guess)
    for pattern, size, words in lines:
        yield f"{pattern:<{max(7, length)}}  {size:>4}  {words}"


def distribution(distribution: Mapping[int, int], answers: int, weights: Mapping[int, float] | None = None) -> Bars:
    """Return how many of the answers need how many guesses, with a bar for each number of guesses.

    `weights` are the shares of the weight of these answers, if they have weights.
    """
    share = [] if weights is None else [weights]
    return Bars(
        ["guesses", "answers", "%", *["weight %"] * len(share)],
        [
            (turns, n, f"{100 * n / answers:.2f}", *[f"{100 * each[turns]:.2f}" for each in share])
            for turns, n in distribution.items()
        ],
        "answers by number of guesses",
        None if weights is None else [weights[turns] for turns in distribution],
    )


def worst(words: Sequence[str]) -> Line:
    """Return the answers that need the most guesses."""
    return Line(f"worst: {listed(words, WORST, ', ')}")


def _total(result: Simulation | Solution) -> str:
    """Return the number of guesses over all answers as text, weighted if the answers have weights."""
    if result.weights is None:
        return counted(result.total, "guess")
    return f"weight {result.weight:,}, weighted guesses {result.total:,}"


def _weights_by_turns(result: Simulation | Solution) -> dict[int, float] | None:
    """Return the share of the weight of the answers that need each number of guesses; None without weights."""
    if result.weights is None:
        return None
    weights, turns = result.weights, result.turns
    return {n: float(weights[turns == n].sum() / result.weight) for n in result.distribution}


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
