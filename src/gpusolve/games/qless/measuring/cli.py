"""The commands that rate rolls and take a census."""

from __future__ import annotations

from typing import Annotated

import typer

from gpusolve import clock
from gpusolve.errors import Exit
from gpusolve.games.qless.cli_options import VariantOptions, end_search, with_variant_options
from gpusolve.games.qless.measuring.difficulty import Day
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Json,
    Plot,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Workers,
    open_device,
)


@with_variant_options
def rate(
    roll: Annotated[str, typer.Argument(metavar="ROLL", help="The twelve letters of the roll, such as bbcefklnnpux.")],
    *,
    options: VariantOptions,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rate how hard a roll of twelve letters is. The scale is that of the daily game, from Monday to Sunday."""
    from gpusolve.games import qless
    from gpusolve.games.qless.measuring import drawing
    from gpusolve.output import report

    variant = options.variant()
    backend = open_device(device, quiet)
    rating = qless.rate(roll, variant=variant, backend=backend)
    if json:
        report.json_line("qless.rate/1", **vars(rating), device=backend.name)
    else:
        report.text(drawing.rating_text(rating))
    end_search(rating.solutions, complete=True)


@with_variant_options
def generate(
    *,
    day: Annotated[Day, typer.Option(help="Difficulty on the daily game's scale.")] = "saturday",
    options: VariantOptions,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Generate a roll of a given difficulty. The difficulty is that of a day in the daily game."""
    from gpusolve.games import qless
    from gpusolve.games.qless.measuring import drawing
    from gpusolve.output import report

    variant = options.variant()
    backend = open_device(device, quiet)
    begin = clock.now()
    result = qless.generate(day, variant=variant, seed=seed, backend=backend)
    if json:
        fields = vars(result.rating) | {"seconds": clock.now() - begin}
        report.json_line(
            "qless.generate/1", seed=result.seed, rolls_tried=result.rolls_tried, **fields, device=backend.name
        )
        return
    report.text(drawing.rating_text(result.rating))
    report.note(f"seed {result.seed}, roll {result.rolls_tried - 1}", quiet)


@with_variant_options
def census(
    *,
    rolls: Annotated[
        int | None,
        typer.Option(min=1, help="Number of random rolls of the dice.", show_default="all 15,800,439 different rolls"),
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Count all solutions of each random roll.")] = False,
    top: Annotated[
        int,
        typer.Option(min=0, help="Number of rolls to show of each kind: the hardest, and those without a solution."),
    ] = 5,
    options: VariantOptions,
    plot: Plot = None,
    csv: Csv = None,
    workers: Workers = "1",
    seed: Seed = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find out which rolls of the dice have no solution. The rolls are counted by letter and by number of vowels."""
    from gpusolve.games import qless
    from gpusolve.games.qless.measuring import drawing
    from gpusolve.games.qless.rolls import ROLLS
    from gpusolve.output import report

    variant = options.variant()
    backend = open_device(device, quiet)
    with report.Progress("rolls done", rolls or ROLLS, quiet) as progress:
        result = qless.census(
            rolls,
            variant=variant,
            count=count,
            workers=workers,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            backend=backend,
        )
    if csv is not None:
        report.write_csv(csv, ("roll", "weight", "solutions"), drawing.census_rows(result))
    if plot is not None:
        drawing.plot_census(plot, result)
    if json:
        report.json_line("qless.census/1", **drawing.census_fields(result, top), device=backend.name)
    else:
        drawing.show_census(result, top)
    if not result.complete:
        report.note(f"stopped at the time limit after {result.rolls:,} of {rolls or ROLLS:,} rolls", quiet)
        raise typer.Exit(Exit.STOPPED)
