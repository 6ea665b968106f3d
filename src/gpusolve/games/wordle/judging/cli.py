"""The commands of ``gpusolve wordle`` that judge games, guesses, strategies and endgames; `cli` adds them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from gpusolve.errors import Exit
from gpusolve.games.wordle.cli_options import AnswersOption, GuessesOption, HiddenOnly, ModeOption, ScoringOption
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.output.options import Checkpoint, Csv, Device, Html, Json, Quiet, Resume, TimeLimit, open_device

TOP = 20


def analyze(
    words: Annotated[list[str], typer.Argument(help="The guesses of a game, alone or as salet:-y--g.")],
    answer: Annotated[str | None, typer.Option(help="The hidden word.", show_default="the last guess")] = None,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    html: Html = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge a game: what each guess cost beside the best one, what was skill and what luck."""
    from gpusolve.games.wordle.judging import _analyze as analysis, drawing as show_judging
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.output import report

    variant = Variant.load(guesses, answers, mode, scoring, guess_hidden_only)
    backend, begin = open_device(device, quiet), time.perf_counter()
    game = analysis.analyze(words, answer, variant, backend)
    seconds = time.perf_counter() - begin
    report.note(show_judging.widened(variant), quiet or not game.widened)
    if html is not None:
        show_judging.save_page(html, game)
    if json:
        report.json_line(
            "wordle.analyze/1",
            answer=game.answer,
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            widened=game.widened,
            solved=game.solved,
            skill=game.skill,
            lost=game.lost,
            luck=game.luck,
            moves=show_judging.rows(game),
            device=backend.name,
            seconds=seconds,
        )
        return
    show_judging.show_analysis(game)


def explain(
    history: Annotated[list[str] | None, typer.Argument(help="Guesses and their patterns: salet:-y--g")] = None,
    guess: Annotated[str | None, typer.Option(help="The next guess.", show_default="the best one")] = None,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    top: Annotated[int, typer.Option(min=1, help="Cells to show.")] = TOP,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Why a guess is best: what each pattern leaves, and what is guessed then."""
    from gpusolve.games.wordle import rules
    from gpusolve.games.wordle.judging import _explain as explanations, drawing as show_judging
    from gpusolve.games.wordle.variant import Variant
    from gpusolve.output import report

    turns = rules.parse_history(history or [])
    variant = Variant.load(guesses, answers, mode, scoring, guess_hidden_only)
    backend, begin = open_device(device, quiet), time.perf_counter()
    found = explanations.explain(turns, guess, variant, backend)
    seconds = time.perf_counter() - begin
    report.note(show_judging.widened(variant), quiet or not found.widened)
    if json:
        report.json_line(
            "wordle.explain/1",
            history=[{"guess": before, "pattern": rules.pattern_text(code)} for before, code in turns],
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            widened=found.widened,
            guess=found.guess,
            answers=found.answers,
            total=found.total,
            mean=found.mean,
            exact=found.exact,
            best=found.best,
            cells=[
                {
                    "pattern": rules.pattern_text(cell.pattern),
                    "words": cell.words,
                    "guess": cell.guess,
                    "total": cell.total,
                }
                for cell in found.cells
            ],
            device=backend.name,
            seconds=seconds,
        )
        return
    show_judging.show_explanation(found, top)


def verify(
    tree: Annotated[Path, typer.Argument(help="A strategy: a tree file, or the nested form of other solvers.")],
    guesses: Annotated[
        str | None,
        typer.Option(help="The words that may be guessed: a shipped list's name or a file.", show_default="the tree's"),
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(help="The words that may be hidden: a shipped list's name or a file.", show_default="the tree's"),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            help="hard: use what is revealed; ultra-hard: only guesses that fit every pattern seen.",
            show_default="the tree's",
        ),
    ] = None,
    scoring: Annotated[
        Scoring | None,
        typer.Option(
            help="presence: every letter that is not green and occurs anywhere is yellow.", show_default="the tree's"
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check a strategy against every answer, by the rules alone: total, depths, worst words, or the first fault."""
    from gpusolve.games.wordle.judging import _verify as trees, drawing as show_judging
    from gpusolve.output import report

    found = trees.verify(tree, guesses, answers, mode, scoring)
    if json:
        report.json_line(
            "wordle.verify/1",
            guess=found.guess,
            guesses=len(found.variant.guesses),
            answers=len(found.turns),
            mode=found.variant.mode,
            scoring=found.variant.scoring,
            guess_hidden_only=found.variant.guess_hidden_only,
            total=found.total,
            mean=found.mean,
            distribution=found.distribution,
            worst=found.worst,
        )
        return
    show_judging.show_verified(found)


def groups(
    size: Annotated[int, typer.Option(min=2, max=6, help="Answers of a group.")] = 3,
    within: Annotated[int, typer.Option(min=2, max=6, help="Guesses, the last of them right.")] = 2,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    scoring: ScoringOption = "wordle",
    top: Annotated[int, typer.Option(min=1, help="Groups to show.")] = TOP,
    csv: Csv = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Which answers cannot always be told apart and solved within so many guesses."""
    from gpusolve.games.wordle.grouping import _groups as separation
    from gpusolve.output import report

    backend = open_device(device, quiet)

    def tell(done: int, pairs: int) -> None:
        report.status(f"{done:,} of {pairs:,} pairs", quiet)

    found = separation.groups(
        answers,
        size=size,
        within=within,
        guesses=guesses,
        scoring=scoring,
        time_limit=time_limit,
        checkpoint=checkpoint,
        resume=resume,
        progress=tell,
        backend=backend,
    )
    report.status("", quiet)
    words = found.words
    if csv is not None:
        report.write_csv(csv, [f"answer {i + 1}" for i in range(size)], words)
    if json:
        report.json_line(
            "wordle.groups/1",
            size=size,
            within=within,
            answers=len(found.answers),
            scoring=scoring,
            count=len(found),
            complete=found.complete,
            groups=words[:top],
            device=backend.name,
            seconds=found.seconds,
        )
    else:
        many = "all" if found.complete else "so far"
        report.text(f"{len(found):,} groups of {size} of {len(found.answers):,} answers not within {within}, {many}")
        for group in words[:top]:
            report.text(" ".join(group))
        if len(found) > top:
            report.text(f"... and {len(found) - top:,} more")
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


def endgames(
    least: Annotated[int, typer.Option(min=2, help="Answers of a set, at least.")] = 4,
    answers: AnswersOption = "wordle-answers",
    top: Annotated[int, typer.Option(min=1, help="Sets to show.")] = TOP,
    csv: Csv = None,
    json: Json = False,
) -> None:
    """The sets of answers that agree in all places but one."""
    from gpusolve.games.wordle.grouping import _endgames as lookalikes
    from gpusolve.output import report

    found = lookalikes.endgames(answers, least=least)
    if csv is not None:
        report.write_csv(csv, ("place", "words"), [(place, " ".join(words)) for place, words in found.items()])
    rows = [{"place": place, "words": words} for place, words in list(found.items())[:top]]
    if json:
        report.json_line("wordle.endgames/1", least=least, count=len(found), sets=rows)
        return
    report.text(f"{len(found):,} sets of at least {least} answers agree in all places but one")
    report.table(
        ["place", "size", "answers"],
        [(place, len(found[place]), " ".join(found[place])) for place in list(found)[:top]],
    )
