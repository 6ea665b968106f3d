"""``gpusolve wordle``: parse, call the solver, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve.options import Device, Json, Quiet, Seed, open_device

if TYPE_CHECKING:
    from gpusolve.backend import Backend
    from gpusolve.games.wordle.solver import PartitionTable

app = typer.Typer(help="Wordle: partition tables, suggestions, play.", no_args_is_help=True, rich_markup_mode=None)

Guesses = Annotated[str, typer.Option(help="The words that may be guessed: a shipped list's name or a file.")]
Answers = Annotated[str, typer.Option(help="The words that may be hidden: a shipped list's name or a file.")]
Scoring = Annotated[
    Literal["wordle", "presence"],
    typer.Option(help="presence: every letter that is not green and occurs anywhere is yellow."),
]
Measure = Literal["entropy", "expected", "patterns", "largest"]
TableOrder = Literal["entropy", "expected", "patterns", "largest", "guess"]
By = Annotated[Measure, typer.Option("--sort", help="What makes a guess better.")]
Mode = Annotated[
    Literal["easy", "hard", "ultra-hard"],
    typer.Option(help="hard: use what is revealed; ultra-hard: only guesses that fit every pattern seen."),
]
HiddenOnly = Annotated[bool, typer.Option("--guess-hidden-only", help="Guess remaining answers only.")]
First = Annotated[str | None, typer.Option(help="The first guess, instead of the best one.")]

COLUMNS = ("guess", "patterns", "largest", "sum_squares", "entropy", "expected", "is_answer")


@app.command("partition-table")
def partition_table(
    guesses: Guesses = "wordle-guesses",
    answers: Answers = "wordle-answers",
    scoring: Scoring = "wordle",
    sort: Annotated[TableOrder, typer.Option(help="What the table is ordered by.")] = "entropy",
    top: Annotated[int, typer.Option(min=1, help="Rows to show.")] = 20,
    words: Annotated[str | None, typer.Option(help="Show these guesses only: trace,salet")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write every row to this file.")] = None,
    cells: Annotated[str | None, typer.Option(help="Show the cells of this word, with their words, instead.")] = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How every guess parts the answers: patterns, largest cell, sum of squares, entropy in bits, expected size."""
    from gpusolve import report
    from gpusolve.games.wordle import solver

    hidden = _load(answers)
    if cells is not None:
        _show_cells(cells.lower(), hidden, scoring, open_device(device, quiet), json)
        return
    chosen = list(dict.fromkeys(words.lower().split(","))) if words is not None else None
    backend = open_device(device, quiet)
    table = solver.partition_table(chosen or _load(guesses), hidden, scoring, backend)
    rows = _rows(table, sort)
    if csv is not None:
        report.write_csv(csv, COLUMNS, rows)
    shown = rows if chosen else rows[:top]
    if json:
        report.json_line(
            "wordle.partition-table/1",
            guesses=len(table.guesses),
            answers=len(table.answers),
            scoring=scoring,
            sort=sort,
            device=backend.name,
            rows=[dict(zip(COLUMNS, row, strict=True)) for row in shown],
        )
        return
    report.text(f"{len(table.guesses):,} guesses x {len(table.answers):,} answers, scoring {scoring}, by {sort}")
    _show_rows(shown)


@app.command()
def pattern(
    guess: Annotated[str, typer.Argument(help="Five letters.")],
    answer: Annotated[str, typer.Argument(help="Five letters.")],
    scoring: Scoring = "wordle",
    json: Json = False,
) -> None:
    """The pattern that a guess gets when an answer is hidden."""
    from gpusolve import report
    from gpusolve.games.wordle import rules

    guess, answer = rules.parse_word(guess), rules.parse_word(answer)
    code = rules.pattern(guess, answer, scoring)
    if json:
        report.json_line(
            "wordle.pattern/1", guess=guess, answer=answer, scoring=scoring, pattern=rules.pattern_text(code), code=code
        )
    else:
        _show_turn(guess, code)


@app.command()
def suggest(
    history: Annotated[list[str] | None, typer.Argument(help="Guesses and their patterns: salet:-y--g")] = None,
    guesses: Guesses = "wordle-guesses",
    answers: Answers = "wordle-answers",
    mode: Mode = "easy",
    guess_hidden_only: HiddenOnly = False,
    scoring: Scoring = "wordle",
    sort: By = "entropy",
    top: Annotated[int, typer.Option(min=1, help="Guesses to show.")] = 10,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The answers that remain and the best next guesses."""
    from gpusolve import report
    from gpusolve.games.wordle import rules, solver

    turns = [rules.parse_turn(turn) for turn in history or []]
    backend = open_device(device, quiet)
    table = solver.suggest(turns, _load(guesses), _load(answers), mode, scoring, guess_hidden_only, backend)
    rows = _rows(table, sort)[:top]
    if json:
        report.json_line(
            "wordle.suggest/1",
            history=[{"guess": guess, "pattern": rules.pattern_text(code)} for guess, code in turns],
            mode=mode,
            scoring=scoring,
            sort=sort,
            device=backend.name,
            remaining=table.answers,
            rows=[dict(zip(COLUMNS, row, strict=True)) for row in rows],
        )
        return
    for guess, code in turns:
        _show_turn(guess, code)
    _show_remaining(table)
    report.text(f"best of {len(table.guesses):,} guesses, {mode}, by {sort}")
    _show_rows(rows)


@app.command()
def play(
    answer: Annotated[str | None, typer.Argument(help="The hidden word; none: you enter the patterns.")] = None,
    random: Annotated[bool, typer.Option("--random", help="Hide a random answer.")] = False,
    seed: Seed = None,
    guesses: Guesses = "wordle-guesses",
    answers: Answers = "wordle-answers",
    first: First = None,
    mode: Mode = "easy",
    guess_hidden_only: HiddenOnly = False,
    scoring: Scoring = "wordle",
    sort: By = "entropy",
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game against a given or a random answer, or be helped through one of your own."""
    from gpusolve import report
    from gpusolve.errors import BadInput
    from gpusolve.games.wordle import greedy, rules

    if answer is not None and random:
        raise BadInput("--random: expected either an answer or --random")
    allowed, hidden = _load(guesses), _load(answers)
    settings: dict[str, Any] = {
        "mode": mode,
        "scoring": scoring,
        "guess_hidden_only": guess_hidden_only,
        "backend": open_device(device, quiet),
    }
    first = rules.parse_word(first) if first is not None else None
    if answer is None and not random:
        if json:
            raise BadInput("--json: expected an answer or --random; a game in which you are asked is text")
        _help_through(allowed, hidden, first, sort, settings)
        return
    if random:
        seed = random_seed() if seed is None else seed
        answer = greedy.random_answer(hidden, seed)
    turns = greedy.play(rules.parse_word(answer or ""), allowed, hidden, first, sort, **settings)
    if json:
        report.json_line(
            "wordle.play/1",
            answer=answer,
            seed=seed if random else None,
            mode=mode,
            scoring=scoring,
            sort=sort,
            turns=[
                {"guess": turn.guess, "pattern": rules.pattern_text(turn.pattern), "remaining": turn.remaining}
                for turn in turns
            ],
        )
        return
    for turn in turns:
        _show_turn(turn.guess, turn.pattern, f"  of {turn.remaining:,}")
    report.text(f"{len(turns)} guesses" + (f", seed {seed}" if random else ""))


@app.command()
def simulate(
    guesses: Guesses = "wordle-guesses",
    answers: Answers = "wordle-answers",
    first: First = None,
    mode: Mode = "easy",
    guess_hidden_only: HiddenOnly = False,
    scoring: Scoring = "wordle",
    sort: By = "entropy",
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play the greedy strategy against every answer: mean, distribution, worst words."""
    from gpusolve import report
    from gpusolve.games.wordle import rules
    from gpusolve.games.wordle.greedy import simulate

    first = rules.parse_word(first) if first is not None else None
    allowed, hidden, backend = _load(guesses), _load(answers), open_device(device, quiet)
    with report.progress("answers solved", len(hidden), quiet) as progress:
        result = simulate(allowed, hidden, first, sort, mode, scoring, guess_hidden_only, backend, progress)
    if json:
        report.json_line(
            "wordle.simulate/1",
            first=first,
            mode=mode,
            scoring=scoring,
            sort=sort,
            device=backend.name,
            answers=len(result.answers),
            total=result.total,
            mean=result.mean,
            lost=result.lost,
            distribution=result.distribution,
            worst=result.worst,
        )
        return
    count = len(result.answers)
    report.text(f"{count:,} answers, {result.total:,} guesses, mean {result.mean:.5f}, {result.lost:,} not within six")
    report.table(
        ["guesses", "answers", "%", ""],
        [
            (turns, n, f"{100 * n / count:.2f}", "#" * round(60 * n / max(result.distribution.values())))
            for turns, n in result.distribution.items()
        ],
    )
    report.text(f"worst: {', '.join(result.worst[:20])}" + (" ..." if len(result.worst) > 20 else ""))


def _load(source: str) -> list[str]:
    from gpusolve.games.wordle.rules import LETTERS
    from gpusolve.wordlists import load_words

    return load_words(source, LETTERS)


def _rows(table: PartitionTable, sort: str) -> list[tuple[Any, ...]]:
    part = table.partition
    order = range(len(table.guesses)) if sort == "guess" else table.ranking(sort).tolist()
    columns = (part.patterns, part.largest, part.sum_squares, part.entropy, part.expected, part.contains)
    lists = [column[0].tolist() for column in columns]
    return [(table.guesses[i], *(values[i] for values in lists)) for i in order]


def _show_rows(rows: list[tuple[Any, ...]]) -> None:
    from gpusolve import report

    report.table(COLUMNS, rows)


def _show_cells(word: str, answers: list[str], scoring: str, backend: Backend, json: bool) -> None:
    from gpusolve import report
    from gpusolve.games.wordle import rules, solver

    found = solver.cells(rules.parse_word(word), answers, scoring, backend)
    if json:
        report.json_line(
            "wordle.cells/1",
            guess=word,
            answers=len(answers),
            scoring=scoring,
            cells=[{"pattern": rules.pattern_text(code), "words": words} for code, words in found.items()],
        )
        return
    report.text(f"{word}: {len(answers):,} answers in {len(found)} cells, scoring {scoring}")
    report.table(
        ["pattern", "size", "answers"],
        [(rules.pattern_text(code), len(words), " ".join(words)) for code, words in found.items()],
    )


def _show_turn(guess: str, code: int, after: str = "") -> None:
    from gpusolve import report
    from gpusolve.games.wordle import rules

    marks = rules.pattern_text(code)
    colours = [{"-": "grey", "y": "yellow", "g": "green"}[mark] for mark in marks]
    report.tiles(guess, colours, f"{guess}:{marks}{after}")


def _show_remaining(table: PartitionTable, most: int = 60) -> None:
    from gpusolve import report

    words = table.answers
    listed = ": " + " ".join(words[:most]) + (" ..." if len(words) > most else "")
    report.text(f"{len(words):,} answer{'s' * (len(words) != 1)} left{listed if len(words) <= 10 * most else ''}")


def _help_through(
    guesses: list[str], answers: list[str], first: str | None, sort: Measure, settings: dict[str, Any]
) -> None:
    """A game whose patterns the user enters, and whose guesses, too, where the user guessed something else."""
    from gpusolve import report
    from gpusolve.errors import GpusolveError
    from gpusolve.games.wordle import rules, solver

    report.text("Enter the pattern of the guess (-yg, as -y--g), or another guess with its pattern (salet:-y--g);")
    report.text("'undo' takes the last one back, an empty line ends.")
    turns: list[tuple[str, int]] = []
    while True:
        try:
            table = solver.suggest(turns, guesses, answers, **settings)
        except GpusolveError as error:
            if not turns:
                raise
            report.text(f"{error}: the last pattern is taken back")
            turns.pop()
            continue
        _show_remaining(table)
        best = first if first and not turns else table.guesses[table.ranking(sort)[0]]
        try:
            entry = input(f"{len(turns) + 1}. {best}: ").strip().lower()
        except EOFError:
            report.text()
            return
        if not entry:
            return
        if entry == "undo":
            del turns[-1:]
            continue
        try:
            turn = rules.parse_turn(entry if ":" in entry else f"{best}:{entry}")
        except GpusolveError as error:
            report.text(str(error))
            continue
        _show_turn(*turn)
        if turn[1] == rules.SOLVED:
            report.text(f"solved in {len(turns) + 1}")
            return
        turns.append(turn)
