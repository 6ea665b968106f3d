"""The commands of ``gpusolve wordle`` about what answers have in common. The game's `cli` adds them."""

from __future__ import annotations

from typing import Annotated

import typer

from gpusolve.errors import Exit
from gpusolve.games.wordle.cli_options import AnswersOption, GuessesOption, ScoringOption, WeightedAnswers
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Json,
    Quiet,
    Resume,
    TimeLimit,
    Weights,
    open_device,
)

TOP = 20


def groups(
    size: Annotated[int, typer.Option(min=2, max=6, help="Number of answers in a group.")] = 3,
    within: Annotated[
        int,
        typer.Option(
            min=2, max=6, help="Number of guesses within which a strategy should solve all answers of a group."
        ),
    ] = 2,
    guesses: GuessesOption = None,
    answers: AnswersOption = "wordle-answers",
    scoring: ScoringOption = "wordle",
    top: Annotated[int, typer.Option(min=1, help="Number of groups to show.")] = TOP,
    csv: Csv = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find groups of answers that defeat every strategy. No strategy always solves them within --within guesses."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle.grouping import drawing
    from gpusolve.output import report

    backend = open_device(device, quiet)

    def show_progress(done: int, pairs: int) -> None:
        report.status(f"{done:,} of {pairs:,} pairs", quiet)

    groups = wordle.groups(
        size=size,
        within=within,
        guesses=guesses,
        answers=answers,
        scoring=scoring,
        time_limit=time_limit,
        checkpoint=checkpoint,
        resume=resume,
        progress=show_progress,
        backend=backend,
    )
    report.status("", quiet)
    if csv is not None:
        report.write_csv(csv, [f"answer {i + 1}" for i in range(size)], groups.words)
    if json:
        report.json_line(
            "wordle.groups/1",
            size=size,
            within=within,
            answers=len(groups.answers),
            scoring=scoring,
            count=len(groups),
            complete=groups.complete,
            groups=groups.words[:top],
            device=backend.name,
            seconds=groups.seconds,
        )
    else:
        drawing.show_groups(groups, top)
    if not groups.complete:
        raise typer.Exit(Exit.STOPPED)


def endgames(
    least: Annotated[int, typer.Option(min=2, help="Minimum number of answers in a set.")] = 4,
    answers: AnswersOption = "wordle-answers",
    top: Annotated[int, typer.Option(min=1, help="Number of sets to show.")] = TOP,
    csv: Csv = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find sets of answers that differ in a single position."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle.grouping import drawing
    from gpusolve.output import report

    sets = wordle.endgames(least=least, answers=answers)
    if csv is not None:
        report.write_csv(csv, ("template", "words"), [(template, " ".join(words)) for template, words in sets.items()])
    if json:
        rows = [{"template": template, "words": words} for template, words in list(sets.items())[:top]]
        report.json_line("wordle.endgames/1", least=least, count=len(sets), sets=rows)
        return
    drawing.show_endgames(sets, least, top)


def letters(
    guesses: GuessesOption = None,
    answers: WeightedAnswers = None,
    weights: Weights = None,
    csv: Csv = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count the letters of the answers. The table has the number of answers with each letter at each position."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle import rules
    from gpusolve.games.wordle.grouping import drawing
    from gpusolve.output import report

    variant = wordle.Variant.load(guesses, answers, weights=weights)
    counts = wordle.letters(variant.guesses, variant.answers)
    from_right = sum(map(rules.is_right_to_left, variant.answers))
    positions = [f"position {i}" for i in range(1, variant.length + 1)]
    if csv is not None:
        report.write_csv(csv, ["letter", *positions], [[letter, *numbers] for letter, numbers in counts.items()])
    if json:
        report.json_line(
            "wordle.letters/1",
            length=variant.length,
            answers=len(variant.answers),
            guesses=len(variant.guesses),
            digraphs=variant.digraphs,
            right_to_left=2 * from_right > len(variant.answers),
            letters=[{"letter": letter, "counts": numbers} for letter, numbers in counts.items()],
        )
        return
    drawing.show_letters(counts, variant)
