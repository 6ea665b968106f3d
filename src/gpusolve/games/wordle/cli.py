"""``gpusolve wordle``: parse the command line, call the function of the same name, report the result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpusolve import clock
from gpusolve.errors import Exit
from gpusolve.games.wordle.analysis import cli as cli_analysis
from gpusolve.games.wordle.cli_options import (
    ADVERSARY_HELP,
    AdviceOption,
    AnswersOption,
    DigraphsOption,
    First,
    GuessesOption,
    HiddenOnly,
    HistoryArgument,
    MeasureOption,
    ModeOption,
    ScoringOption,
    WeightedAnswers,
    read_history,
)
from gpusolve.games.wordle.grouping import cli as cli_grouping
from gpusolve.games.wordle.rules import Objective, Order, joined_turns
from gpusolve.games.wordle.weights import cli as cli_weights
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Json,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Weights,
    Workers,
    open_device,
    reading,
    writable,
)

app = typer.Typer(
    help="Wordle: partition tables, suggestions, greedy play, the exact best strategy.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TOP = 20
TURNS = reading(joined_turns)


@app.command("partition-table", epilog="Example: gpusolve wordle partition-table --top 5")
def partition_table(
    guesses: GuessesOption = None,
    words: Annotated[
        str | None, typer.Option(help="Guesses to show instead of --guesses, separated by commas, such as trace,salet.")
    ] = None,
    answers: WeightedAnswers = None,
    scoring: ScoringOption = "wordle",
    sort: Annotated[Order, typer.Option(help="Measure by which the table is sorted. guess: alphabetically.")] = (
        "entropy"
    ),
    weights: Weights = None,
    top: Annotated[
        int | None, typer.Option(min=1, help="Number of rows to show.", show_default=f"{TOP}, or all of --words")
    ] = None,
    csv: Csv = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show how every guess partitions the answers.

    The columns are the number of patterns, the largest cell, the entropy in bits and the expected number of answers.
    """
    from gpusolve.errors import BadInput
    from gpusolve.games import wordle
    from gpusolve.games.wordle import drawing, rules
    from gpusolve.output import report

    if guesses is not None and words is not None:
        raise BadInput("--words: expected either --words or --guesses")
    chosen = None if words is None else list(dict.fromkeys(rules.parse_word(word, None) for word in words.split(",")))
    backend, begin = open_device(device, quiet), clock.now()
    table = wordle.partition_table(
        chosen or guesses, answers, scoring=scoring, sort=sort, weights=weights, backend=backend
    )
    shown = top or (None if chosen else TOP)
    rows, seconds = drawing.table_rows(table, None if csv else shown), clock.now() - begin
    if csv is not None:
        report.write_csv(csv, list(rows[0]), [list(row.values()) for row in rows])
    if json:
        report.json_line(
            "wordle.partition-table/1",
            guesses=len(table.guesses),
            answers=len(table.answers),
            weight=table.weight,
            scoring=scoring,
            sort=sort,
            device=backend.name,
            seconds=seconds,
            rows=rows[:shown],
        )
        return
    report.text(f"{len(table.guesses):,} guesses x {len(table.answers):,} answers, scoring {scoring}, by {sort}")
    drawing.show_rows(rows[:shown])


@app.command(epilog="Example: gpusolve wordle cells salet")
def cells(
    guess: Annotated[str, typer.Argument(help="The guess.")],
    answers: AnswersOption = "wordle-answers",
    scoring: ScoringOption = "wordle",
    everything: Annotated[
        bool, typer.Option("--all", help="Show all answers instead of one line for each cell.")
    ] = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Group the answers by the pattern that a guess gets. The largest cell is shown first."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle import drawing, rules
    from gpusolve.games.wordle.wordlist import word_list
    from gpusolve.output import report

    hidden = word_list(answers)
    guess = rules.parse_word(guess, hidden.length, hidden.digraphs)
    backend, begin = open_device(device, quiet), clock.now()
    by_pattern = wordle.cells(guess, hidden, scoring=scoring, backend=backend)
    seconds = clock.now() - begin
    number = sum(map(len, by_pattern.values()))
    if json:
        report.json_line(
            "wordle.cells/1",
            guess=guess,
            answers=number,
            scoring=scoring,
            device=backend.name,
            seconds=seconds,
            cells=[
                {"pattern": rules.pattern_text(code, hidden.length), "words": words}
                for code, words in by_pattern.items()
            ],
        )
        return
    number_of_cells = drawing.count(len(by_pattern), "cell")
    report.text(f"{guess}: {drawing.count(number, 'answer')} in {number_of_cells}, scoring {scoring}")
    drawing.show_cells(by_pattern, everything)


@app.command(epilog="Example: gpusolve wordle pattern eerie there")
def pattern(
    guess: Annotated[str, typer.Argument(help="The guess.")],
    answer: Annotated[str, typer.Argument(help="The hidden word.")],
    scoring: ScoringOption = "wordle",
    digraphs: DigraphsOption = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the pattern that a guess gets for a hidden answer."""
    from gpusolve.games.wordle import drawing, rules
    from gpusolve.output import report

    given = rules.checked_digraphs(digraphs.split(), "digraphs")
    guess, answer = (rules.parse_word(word, None, given) for word in (guess, answer))
    code = rules.pattern(guess, answer, scoring=scoring, digraphs=given)
    text = rules.pattern_text(code, rules.length_of(guess))
    if json:
        report.json_line("wordle.pattern/1", guess=guess, answer=answer, scoring=scoring, pattern=text, code=code)
        return
    drawing.show_turn(guess, code)


@app.command(cls=TURNS, epilog="Example: gpusolve wordle suggest salet:-y--g --mode hard")
def suggest(
    history: HistoryArgument = None,
    guesses: GuessesOption = None,
    answers: WeightedAnswers = None,
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    weights: Weights = None,
    sort: AdviceOption = "exact",
    top: Annotated[int, typer.Option(min=1, help="Number of guesses to show.")] = 10,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the answers that remain and the best next guesses."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle import drawing, rules
    from gpusolve.output import report

    variant = wordle.Variant.load(
        guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only, weights=weights
    )
    turns = read_history(history, variant, json=json, quiet=quiet)
    report.note(drawing.rounding_note(variant), quiet or variant.weights is None or variant.weights.exact)
    backend, begin = open_device(device, quiet), clock.now()
    table = wordle.suggest(turns, variant, sort=sort, backend=backend)
    rows, seconds = drawing.table_rows(table, top), clock.now() - begin
    report.note(drawing.widening_note(variant), quiet or not table.widened)
    if json:
        report.json_line(
            "wordle.suggest/1",
            history=drawing.turn_fields(turns),
            mode=mode,
            scoring=scoring,
            sort="exact" if table.totals else table.sort,
            device=backend.name,
            seconds=seconds,
            solved=table.solved,
            **drawing.list_fields(variant, widened=table.widened),
            weight=table.weight,
            remaining=table.answers[:],
            rows=rows,
        )
        return
    for guess, code in turns:
        drawing.show_turn(guess, code)
    if table.solved:
        report.text(f"solved in {len(turns)}")
        return
    drawing.show_remaining(table)
    by = drawing.objective_text(sort, known=bool(table.totals))
    number = drawing.count(len(table.guesses), "allowed guess")
    report.text(f"guess {len(turns) + 1} of {rules.GUESSES}, {mode} mode: the best of {number}, by {by}")
    drawing.show_suggestions(table, top)


@app.command(epilog="Example: gpusolve wordle play crane")
def play(
    answer: Annotated[
        str | None, typer.Argument(help="The hidden word. Without it, you enter the patterns of your own game.")
    ] = None,
    random: Annotated[bool, typer.Option("--random", help="Hide a random answer.")] = False,
    seed: Seed = None,
    adversary: Annotated[bool, typer.Option("--adversary", help=ADVERSARY_HELP)] = False,
    yourself: Annotated[
        bool, typer.Option("--yourself", help="Enter the guesses against the adversary yourself.")
    ] = False,
    guesses: GuessesOption = None,
    answers: WeightedAnswers = None,
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    weights: Weights = None,
    first: First = None,
    sort: AdviceOption = "exact",
    strategy: Annotated[Path | None, typer.Option(help="Play the strategy in this tree file.")] = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a game, or get help in your own. It is played against an answer or an adversary."""
    from gpusolve.errors import BadInput
    from gpusolve.games import wordle
    from gpusolve.games.wordle import dialogue, drawing
    from gpusolve.games.wordle._play import random_answer
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    if answer is not None and random:
        raise BadInput("--random: expected either an answer or --random")
    if seed is not None and not random:
        raise BadInput("--seed: expected --random as well")
    if adversary and (random or answer is not None):
        raise BadInput("--adversary: expected no answer, because the adversary hides none")
    if yourself and (json or not adversary):
        raise BadInput("--yourself: expected --adversary as well" + " and no --json" * json)
    if json and answer is None and not random and not adversary:
        raise BadInput(
            "--json: expected an answer, --random or --adversary; help in your own game is available only as text"
        )
    variant = wordle.Variant.load(
        guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only, weights=weights
    )
    report.note(drawing.rounding_note(variant), quiet or variant.weights is None or variant.weights.exact)
    backend, begin = open_device(device, quiet), clock.now()
    if random:
        seed = random_seed() if seed is None else seed
        answer = random_answer(variant.answers, seed=seed)
    if yourself:
        dialogue.face_adversary(variant)
        return
    if answer is None and not adversary:
        dialogue.help_through(variant, first=first, sort=sort, strategy=strategy, backend=backend)
        return
    turns = wordle.play(
        answer, variant, adversary=adversary, first=first, sort=sort, strategy=strategy, backend=backend
    )
    if json:
        report.json_line(
            "wordle.play/1",
            answer=turns[-1].guess,
            adversary=adversary,
            seed=seed,
            mode=mode,
            scoring=scoring,
            sort=sort,
            device=backend.name,
            seconds=clock.now() - begin,
            turns=drawing.played_fields(turns),
        )
        return
    objective = "the strategy" if strategy is not None else drawing.objective_text(sort)
    drawing.show_game(turns, seed, objective)


@app.command(epilog="Example: gpusolve wordle simulate --first salet")
def simulate(
    guesses: GuessesOption = None,
    answers: WeightedAnswers = None,
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    weights: Weights = None,
    first: First = None,
    sort: MeasureOption = "entropy",
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play the greedy strategy against every answer. Show the mean, the distribution and the worst answers."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle import drawing
    from gpusolve.games.wordle.variant import check_first
    from gpusolve.output import report

    variant = wordle.Variant.load(
        guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only, weights=weights
    )
    first = check_first(first, variant)
    report.note(drawing.rounding_note(variant), quiet or variant.weights is None or variant.weights.exact)
    backend = open_device(device, quiet)
    with report.Progress("answers solved", len(variant.answers), quiet) as progress:
        simulation = wordle.simulate(variant, first=first, sort=sort, progress=progress, backend=backend)
    if json:
        report.json_line(
            "wordle.simulate/1",
            first=first,
            mode=mode,
            scoring=scoring,
            sort=sort,
            device=backend.name,
            seconds=simulation.seconds,
            answers=len(simulation.answers),
            weight=simulation.weight,
            total=simulation.total,
            mean=simulation.mean,
            won=simulation.won,
            lost=simulation.lost,
            distribution=simulation.distribution,
            worst=simulation.worst,
        )
        return
    drawing.show_simulation(simulation)


@app.command(cls=TURNS, epilog="Example: gpusolve wordle solve salet:-y--g --best 3 --out tree.json")
def solve(
    history: HistoryArgument = None,
    guesses: GuessesOption = None,
    answers: WeightedAnswers = None,
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    weights: Weights = None,
    adversary: Annotated[
        bool,
        typer.Option(
            "--adversary", help=f"Find the fewest guesses against an adversary, and a line of play. {ADVERSARY_HELP}"
        ),
    ] = False,
    objective: Annotated[
        Objective,
        typer.Option(
            help="Objective to minimize. mean: the mean number of guesses; worst: the number of guesses in the worst "
            "case; worst-mean: first the worst case, then the mean."
        ),
    ] = "mean",
    within: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Maximum number of guesses for an answer, or against the adversary.",
            show_default="mean: the guesses that remain of six; otherwise the fewest possible",
        ),
    ] = None,
    start: Annotated[str | None, typer.Option(help="Next guess.", show_default="the best guess")] = None,
    first_words: Annotated[
        str | None,
        typer.Option(
            help="Next guesses to compare: all, 'top 100' by number of patterns, or a file with one word per line.",
            show_default="all",
        ),
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of best guesses to find and prove; not with --objective worst.", show_default="1"
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            min=1, help="Beam width: number of guesses to try in each state. This is fast but proves nothing."
        ),
    ] = None,
    memory: Annotated[int, typer.Option(min=1, help="Size of each worker's transposition table in MiB.")] = 1024,
    workers: Workers = "1",
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    out: Annotated[Path | None, typer.Option(callback=writable, help="Write the strategy to this tree file.")] = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the best strategy and prove that it is optimal. The option --objective chooses what is minimized.

    With --adversary, find the fewest guesses against an adversary and prove that no fewer are enough, for example:
    gpusolve wordle solve --adversary --mode hard
    """
    from gpusolve.errors import BadInput
    from gpusolve.games import wordle
    from gpusolve.games.wordle import drawing
    from gpusolve.games.wordle.analysis import strategies, trees
    from gpusolve.output import report

    variant = wordle.Variant.load(
        guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only, weights=weights
    )
    turns = read_history(history, variant, json=json, quiet=quiet)
    report.note(drawing.rounding_note(variant), quiet or variant.weights is None or variant.weights.exact)
    backend = open_device(device, quiet)
    if adversary:
        others = {"--first-words": first_words, "--best": best, "--width": width, "--out": out}
        given = [name for name, value in others.items() if value is not None]
        given += ["--objective"] * (objective != "mean") + ["--workers"] * (workers != "1")
        if given:
            raise BadInput(f"{given[0]}: expected no such option with --adversary, where a single line is searched for")
        with drawing.SearchStatus(quiet) as progress:
            duel = wordle.beat_adversary(
                turns,
                variant,
                within=within,
                start=start,
                memory=memory,
                time_limit=time_limit,
                checkpoint=checkpoint,
                resume=resume,
                progress=progress,
                backend=backend,
            )
        if json:
            report.json_line(
                "wordle.solve/1",
                history=drawing.turn_fields(turns),
                mode=mode,
                scoring=scoring,
                guess_hidden_only=guess_hidden_only,
                adversary=True,
                within=within,
                answers=duel.turns[0].remaining,
                guess=duel.guess,
                guesses=len(duel.turns),
                at_least=duel.at_least,
                turns=drawing.played_fields(duel.turns),
                complete=duel.proven,
                proven=duel.proven,
                device=backend.name,
                states=duel.states,
                seconds=duel.seconds,
            )
        else:
            drawing.show_duel(duel)
        if not duel.proven:
            raise typer.Exit(Exit.STOPPED)
        return
    with drawing.SearchStatus(quiet) as progress:
        solution = wordle.solve(
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
            progress=progress,
            backend=backend,
        )
    if out is not None:
        tree = strategies.reply_of(solution.tree, variant.guesses)
        trees.save_tree(out, tree, variant, total=int(solution.turns.sum()), history=turns)
    if json:
        report.json_line(
            "wordle.solve/1",
            history=drawing.turn_fields(turns),
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            adversary=False,
            objective=objective,
            within=solution.within,
            answers=len(solution.answers),
            weight=solution.weight,
            guess=solution.guess,
            total=solution.total,
            mean=solution.mean,
            won=solution.won,
            worst=solution.worst,
            distribution=solution.distribution,
            starts=[{"guess": start.guess, "value": start.value, "proven": start.proven} for start in solution.starts],
            compared=solution.compared,
            complete=solution.complete,
            proven=solution.proven,
            device=backend.name,
            states=solution.states,
            seconds=solution.seconds,
        )
    else:
        drawing.show_solution(solution)
    if not solution.complete:
        raise typer.Exit(Exit.STOPPED)


app.command(epilog="Example: gpusolve wordle analyze crane moist badly")(cli_analysis.analyze)
app.command(cls=TURNS, epilog="Example: gpusolve wordle explain salet:-y--g")(cli_analysis.explain)
app.command(epilog="Example: gpusolve wordle verify tree.json")(cli_analysis.verify)
app.command(epilog="Example: gpusolve wordle words --top 4000 --out answers.tsv")(cli_weights.words)
app.command(epilog="Example: gpusolve wordle groups")(cli_grouping.groups)
app.command(epilog="Example: gpusolve wordle endgames")(cli_grouping.endgames)
app.command(epilog="Example: gpusolve wordle letters")(cli_grouping.letters)
