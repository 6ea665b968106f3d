"""``gpusolve wordle``: parse, call the solver, report."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from gpusolve.games.wordle.cli_options import (
    AdviceOption,
    AnswersOption,
    First,
    GuessesOption,
    HiddenOnly,
    MeasureOption,
    ModeOption,
    ScoringOption,
)
from gpusolve.games.wordle.judging import cli as cli_judging
from gpusolve.games.wordle.rules import Objective, Order
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Json,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Workers,
    open_device,
    writable,
)

app = typer.Typer(
    help="Wordle: partition tables, suggestions, greedy play, the exact best strategy.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TOP = 20


@app.command("partition-table", epilog="Example: gpusolve wordle partition-table --top 5")
def partition_table(
    guesses: Annotated[
        str | None,
        typer.Option(
            help="The words that may be guessed: a shipped list's name or a file.", show_default="wordle-guesses"
        ),
    ] = None,
    words: Annotated[str | None, typer.Option(help="These guesses instead of a list: trace,salet")] = None,
    answers: AnswersOption = "wordle-answers",
    scoring: ScoringOption = "wordle",
    sort: Annotated[Order, typer.Option(help="What the table is sorted by.")] = "entropy",
    top: Annotated[
        int | None, typer.Option(min=1, help="Rows to show.", show_default=f"{TOP}, or all of --words")
    ] = None,
    csv: Csv = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How every guess splits the answers: patterns, largest cell, sum of squares, entropy in bits, expected size."""
    from gpusolve.errors import BadInput
    from gpusolve.games.wordle import _suggest as solver, drawing as show, rules
    from gpusolve.output import report

    if guesses is not None and words is not None:
        raise BadInput("--words: expected either these or --guesses")
    chosen = None if words is None else list(dict.fromkeys(map(rules.parse_word, words.split(","))))
    backend, begin = open_device(device, quiet), time.perf_counter()
    table = solver.partition_table(chosen or guesses or "wordle-guesses", answers, scoring, sort, backend)
    shown = top or (None if chosen else TOP)
    rows, seconds = show.rows(table, None if csv else shown), time.perf_counter() - begin
    if csv is not None:
        report.write_csv(csv, list(rows[0]), [list(row.values()) for row in rows])
    if json:
        report.json_line(
            "wordle.partition-table/1",
            guesses=len(table.guesses),
            answers=len(table.answers),
            scoring=scoring,
            sort=sort,
            device=backend.name,
            seconds=seconds,
            rows=rows[:shown],
        )
        return
    report.text(f"{len(table.guesses):,} guesses x {len(table.answers):,} answers, scoring {scoring}, by {sort}")
    show.show_rows(rows[:shown])


@app.command(epilog="Example: gpusolve wordle cells salet")
def cells(
    guess: Annotated[str, typer.Argument(help="Five letters.")],
    answers: AnswersOption = "wordle-answers",
    scoring: ScoringOption = "wordle",
    everything: Annotated[bool, typer.Option("--all", help="Show every answer, not a line of each cell.")] = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The answers by the pattern that a guess gets, the largest cell first."""
    from gpusolve.games.wordle import _suggest as solver, drawing as show, rules
    from gpusolve.output import report

    guess = rules.parse_word(guess)
    backend, begin = open_device(device, quiet), time.perf_counter()
    found = solver.cells(guess, answers, scoring, backend)
    seconds = time.perf_counter() - begin
    count = sum(map(len, found.values()))
    if json:
        report.json_line(
            "wordle.cells/1",
            guess=guess,
            answers=count,
            scoring=scoring,
            device=backend.name,
            seconds=seconds,
            cells=[{"pattern": rules.pattern_text(code), "words": words} for code, words in found.items()],
        )
        return
    report.text(f"{guess}: {count:,} answers in {len(found)} cells, scoring {scoring}")
    show.show_cells(found, everything)


@app.command(epilog="Example: gpusolve wordle pattern eerie there")
def pattern(
    guess: Annotated[str, typer.Argument(help="Five letters.")],
    answer: Annotated[str, typer.Argument(help="Five letters.")],
    scoring: ScoringOption = "wordle",
    json: Json = False,
) -> None:
    """The pattern that a guess gets when an answer is hidden."""
    from gpusolve.games.wordle import drawing as show, rules
    from gpusolve.output import report

    guess, answer = rules.parse_word(guess), rules.parse_word(answer)
    code = rules.pattern(guess, answer, scoring)
    if json:
        report.json_line(
            "wordle.pattern/1", guess=guess, answer=answer, scoring=scoring, pattern=rules.pattern_text(code), code=code
        )
    else:
        show.show_turn(guess, code)


@app.command(epilog="Example: gpusolve wordle suggest salet:-y--g --mode hard")
def suggest(
    history: Annotated[list[str] | None, typer.Argument(help="Guesses and their patterns: salet:-y--g")] = None,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    sort: AdviceOption = "exact",
    top: Annotated[int, typer.Option(min=1, help="Guesses to show.")] = 10,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The answers that remain and the best next guesses."""
    from gpusolve.games.wordle import _suggest as solver, drawing as show, rules
    from gpusolve.games.wordle.judging import drawing as show_judging
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.output import report

    turns = rules.parse_history(history or [])
    variant = Variant.load(guesses, answers, mode, scoring, guess_hidden_only)
    backend, begin = open_device(device, quiet), time.perf_counter()
    table = solver.suggest(turns, variant, sort, backend)
    rows, seconds = show.rows(table, top), time.perf_counter() - begin
    report.note(show_judging.widened(variant), quiet or not table.widened)
    if json:
        report.json_line(
            "wordle.suggest/1",
            history=[{"guess": guess, "pattern": rules.pattern_text(code)} for guess, code in turns],
            mode=mode,
            scoring=scoring,
            sort="exact" if table.totals else table.sort,
            device=backend.name,
            seconds=seconds,
            solved=table.solved,
            widened=table.widened,
            remaining=table.answers[:],
            rows=rows,
        )
        return
    for guess, code in turns:
        show.show_turn(guess, code)
    if table.solved:
        report.text(f"solved in {len(turns)}")
        return
    show.show_remaining(table)
    by = "exactly: mean guesses to the end" if table.totals else f"by {table.sort}"
    report.text(f"guess {len(turns) + 1} of {rules.GUESSES}: best of {len(table.guesses):,} guesses, {mode}, {by}")
    show.show_suggestions(table, top)


@app.command(epilog="Example: gpusolve wordle play crane")
def play(
    answer: Annotated[str | None, typer.Argument(help="The hidden word; none: you enter the patterns.")] = None,
    random: Annotated[bool, typer.Option("--random", help="Hide a random answer.")] = False,
    seed: Seed = None,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    first: First = None,
    sort: AdviceOption = "exact",
    strategy: Annotated[Path | None, typer.Option(help="Play the strategy of this tree file.")] = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game against a given or a random answer, or be helped through one of your own."""
    from gpusolve.errors import BadInput
    from gpusolve.games.wordle import _simulate as greedy, dialogue, drawing as show, rules
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    if answer is not None and random:
        raise BadInput("--random: expected either an answer or --random")
    if seed is not None and not random:
        raise BadInput("--seed: expected --random, too")
    if json and answer is None and not random:
        raise BadInput("--json: expected an answer or --random; a game in which you are asked is text")
    variant = Variant.load(guesses, answers, mode, scoring, guess_hidden_only)
    backend, begin = open_device(device, quiet), time.perf_counter()
    if random:
        seed = random_seed() if seed is None else seed
        answer = greedy.random_answer(variant.answers, seed)
    if answer is None:
        dialogue.help_through(variant, first, sort, backend, strategy)
        return
    turns = greedy.play(answer, variant, first, sort, strategy, backend)
    if json:
        report.json_line(
            "wordle.play/1",
            answer=turns[-1].guess,
            seed=seed,
            mode=mode,
            scoring=scoring,
            sort=sort,
            device=backend.name,
            seconds=time.perf_counter() - begin,
            turns=[
                {"guess": turn.guess, "pattern": rules.pattern_text(turn.pattern), "remaining": turn.remaining}
                for turn in turns
            ],
        )
        return
    for turn in turns:
        show.show_turn(turn.guess, turn.pattern, f"  of {turn.remaining:,}")
    report.text(f"{len(turns)} guesses" + (f", seed {seed}" if random else ""))


@app.command(epilog="Example: gpusolve wordle simulate --first salet")
def simulate(
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    first: First = None,
    sort: MeasureOption = "entropy",
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play the greedy strategy against every answer: mean, distribution, worst words."""
    from gpusolve.games.wordle import _simulate as greedy, drawing as show, rules
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.output import report

    first = rules.parse_word(first) if first is not None else None
    variant, backend = Variant.load(guesses, answers, mode, scoring, guess_hidden_only), open_device(device, quiet)
    with report.Progress("answers solved", len(variant.answers), quiet) as progress:
        result = greedy.simulate(variant, first, sort, progress, backend)
    if json:
        report.json_line(
            "wordle.simulate/1",
            first=first,
            mode=mode,
            scoring=scoring,
            sort=sort,
            device=backend.name,
            seconds=result.seconds,
            answers=len(result.answers),
            total=result.total,
            mean=result.mean,
            lost=result.lost,
            distribution=result.distribution,
            worst=result.worst,
        )
        return
    show.show_simulation(result)


@app.command(epilog="Example: gpusolve wordle solve salet:-y--g --best 3 --out tree.json")
def solve(
    history: Annotated[list[str] | None, typer.Argument(help="Guesses and their patterns: salet:-y--g")] = None,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    objective: Annotated[
        Objective,
        typer.Option(help="mean: the fewest guesses over all answers; worst: in the worst case; worst-mean: both."),
    ] = "mean",
    within: Annotated[
        int | None,
        typer.Option(
            min=1, help="Guesses that an answer may take.", show_default="mean: what is left of six; else the fewest"
        ),
    ] = None,
    start: Annotated[str | None, typer.Option(help="The next guess.")] = None,
    first_words: Annotated[
        str | None, typer.Option(help="Next guesses to compare: all, 'top 100' by their patterns, or a file.")
    ] = None,
    best: Annotated[
        int | None, typer.Option(min=1, help="But by worst, so many of them are told exactly.", show_default="1")
    ] = None,
    width: Annotated[
        int | None, typer.Option(min=1, help="Try so many guesses in each state: fast, and not proven.")
    ] = None,
    memory: Annotated[int, typer.Option(min=1, help="MiB for what has been found out, for each worker.")] = 1024,
    workers: Workers = "1",
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    out: Annotated[Path | None, typer.Option(callback=writable, help="Write the strategy as a tree file.")] = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The best strategy, proven: the fewest guesses over all answers, or in the worst case."""
    from gpusolve import files
    from gpusolve.errors import Exit
    from gpusolve.games.wordle import drawing as show, rules
    from gpusolve.games.wordle.judging import _verify as trees
    from gpusolve.games.wordle.proof import _solve as exact
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.output import report

    turns = rules.parse_history(history or [])
    variant = Variant.load(guesses, answers, mode, scoring, guess_hidden_only)
    backend = open_device(device, quiet)
    solution = exact.solve(
        turns,
        variant,
        objective=objective,
        within=within,
        start=start,
        first_words=first_words,
        best=best,
        width=width,
        memory=memory,
        workers=workers,
        time_limit=time_limit,
        checkpoint=checkpoint,
        resume=resume,
        progress=show.search_status(quiet),
        backend=backend,
    )
    report.status("", quiet)
    if out is not None:
        tree = trees.reply_of(solution.tree, variant.guesses)
        files.write(out, trees.tree_text(tree, variant, solution.total, turns), "tree")
    if json:
        report.json_line(
            "wordle.solve/1",
            history=[{"guess": guess, "pattern": rules.pattern_text(code)} for guess, code in turns],
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            objective=objective,
            within=within,
            answers=len(solution.answers),
            guess=solution.guess,
            total=solution.total,
            mean=solution.mean,
            worst=solution.worst,
            distribution=solution.distribution,
            starts=[{"guess": one.guess, "value": one.value} for one in solution.starts],
            compared=solution.compared,
            complete=solution.complete,
            proven=solution.proven,
            device=backend.name,
            states=solution.states,
            seconds=solution.seconds,
        )
    else:
        show.show_solution(solution)
    if not solution.complete:
        raise typer.Exit(Exit.STOPPED)


app.command(epilog="Example: gpusolve wordle analyze crane moist badly")(cli_judging.analyze)
app.command(epilog="Example: gpusolve wordle explain salet:-y--g")(cli_judging.explain)
app.command(epilog="Example: gpusolve wordle verify tree.json")(cli_judging.verify)
app.command(epilog="Example: gpusolve wordle groups")(cli_judging.groups)
app.command(epilog="Example: gpusolve wordle endgames")(cli_judging.endgames)
