"""``gpusolve qless``: each command parses its options, calls the function of the same name, and reports the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpusolve.games.qless import __doc__ as about
from gpusolve.games.qless.cli_options import (
    AllowTouching,
    MinLength,
    RollArgument,
    VariantOptions,
    end_search,
    with_variant_options,
)
from gpusolve.games.qless.measuring.cli import census, generate, rate
from gpusolve.output.options import Device, Html, Json, Quiet, Seed, TimeLimit, open_device, writable

if TYPE_CHECKING:
    from gpusolve.games.qless import Solutions

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

Must = Annotated[str | None, typer.Option(help="Word that every solution has to contain.")]


@app.command(epilog="Example: gpusolve qless roll --seed 1")
def roll(
    number: Annotated[int, typer.Option(min=0, help="Number of the roll among those of the seed, from 0.")] = 0,
    seed: Seed = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Roll the twelve dice."""
    from gpusolve.games import qless
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    seed = random_seed() if seed is None else seed
    letters = qless.roll(number=number, seed=seed)
    if json:
        report.json_line("qless.roll/1", seed=seed, number=number, roll=letters)
        return
    report.text(letters)
    report.note(f"seed {seed}, roll {number}", quiet)


@app.command(epilog="Example: gpusolve qless solve cddeeimprtwx --limit 3")
@with_variant_options
def solve(
    roll: RollArgument,
    *,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Stop after this number of solutions.", show_default="no limit")
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="Number of solutions to draw.")] = 6,
    must: Must = None,
    options: VariantOptions,
    out: Annotated[
        Path | None, typer.Option(callback=writable, help="Write every solution to this file, one per line.")
    ] = None,
    html: Html = None,
    time_limit: TimeLimit = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find every crossword that uses all letters of a roll. With --json, print one solution per line as it is found."""
    from gpusolve import files
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing
    from gpusolve.games.qless._solve import SHARES
    from gpusolve.output import report

    variant = options.variant()
    backend = open_device(device, quiet)

    def on_solutions(solutions: Solutions) -> None:
        if json:
            drawing.stream(solutions)

    with report.Progress("parts searched", SHARES, quiet) as progress:
        solutions = qless.solve(
            roll,
            variant=variant,
            limit=limit,
            must=must,
            on_solutions=on_solutions,
            time_limit=time_limit,
            progress=progress,
            backend=backend,
        )
    if out is not None:
        files.write(out, "".join(f"{text}\n" for text in solutions.texts()), "--out")
    if html is not None:
        from gpusolve.games.qless.pages import pictures

        pictures.save_page(html, solutions)
    if json:
        report.json_line(
            "qless.solve/1",
            roll=solutions.roll,
            solutions=len(solutions),
            complete=solutions.complete,
            device=backend.name,
            seconds=solutions.seconds,
        )
    else:
        drawing.show_solutions(solutions, top)
    end_search(len(solutions), complete=solutions.complete or limit is not None)


@app.command(epilog="Example: gpusolve qless count cddeeimprtwx")
@with_variant_options
def count(
    roll: RollArgument,
    *,
    must: Must = None,
    options: VariantOptions,
    time_limit: TimeLimit = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count the solutions of a roll."""
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing
    from gpusolve.games.qless._solve import SHARES
    from gpusolve.output import report

    variant = options.variant()
    backend = open_device(device, quiet)
    with report.Progress("parts searched", SHARES, quiet) as progress:
        result = qless.count(
            roll, variant=variant, must=must, time_limit=time_limit, progress=progress, backend=backend
        )
    if json:
        report.json_line("qless.count/1", **vars(result), device=backend.name)
    else:
        report.text(drawing.solutions_text(result.roll, result.solutions, result.complete))
    end_search(result.solutions, complete=result.complete)


@app.command(epilog="Example: gpusolve qless check '..c./.pew/..d./.met/rid./.x..'")
@with_variant_options
def check(
    grid: Annotated[
        str,
        typer.Argument(help="Rows from top to bottom, separated by /, with . for empty cells, such as 'tea/a../t..'."),
    ],
    *,
    roll: Annotated[
        str | None, typer.Option(help="Letters that the grid has to use.", show_default="the letters of the grid")
    ] = None,
    options: VariantOptions,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check a filled grid against the rules. If it breaks a rule, report the first one (exit code 2)."""
    from gpusolve.errors import BadInput
    from gpusolve.games import qless
    from gpusolve.output import report

    verdict = qless.check(grid, roll=roll, variant=options.variant())
    if json:
        report.json_line(
            "qless.check/1",
            roll=verdict.roll,
            grid="/".join(verdict.grid.rows),
            words=verdict.grid.words,
            legal=verdict.broken_rule is None,
            broken_rule=verdict.broken_rule,
        )
    else:
        report.text(str(verdict.grid))
        if verdict.broken_rule is None:
            report.text(f"a solution: {' '.join(verdict.grid.words)}")
    if verdict.broken_rule is not None:
        raise BadInput(f"the grid is not legal: {verdict.broken_rule}")


@app.command(epilog="Example: gpusolve qless hint cddeeimprtwx --words 2")
@with_variant_options
def hint(
    roll: RollArgument,
    *,
    words: Annotated[int, typer.Option(min=1, max=14, help="Number of words to reveal, the longest first.")] = 1,
    options: VariantOptions,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Reveal one or more words of a solution."""
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing
    from gpusolve.output import report

    variant = options.variant()
    backend = open_device(device, quiet)
    result = qless.hint(roll, words=words, variant=variant, backend=backend)
    if json:
        report.json_line("qless.hint/1", **vars(result), device=backend.name)
    else:
        report.text(f"{' '.join(result.words)} (of {drawing.counted(result.solution_words, 'word')})")


@app.command(epilog="Example: gpusolve qless unsolvable fgjlmmnnnoot")
@with_variant_options
def unsolvable(
    roll: RollArgument,
    *,
    options: VariantOptions,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find out whether a roll has no solution. If it has none, find the fewest letters to remove to get a solution."""
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing
    from gpusolve.output import report

    variant = options.variant()
    backend = open_device(device, quiet)
    result = qless.unsolvable(roll, variant=variant, backend=backend)
    if json:
        report.json_line(
            "qless.unsolvable/1",
            roll=result.roll,
            unsolvable=result.unsolvable,
            proven=True,
            parts=[vars(part) for part in result.parts],
            example=result.example and "/".join(result.example.rows),
            device=backend.name,
            seconds=result.seconds,
        )
    else:
        drawing.show_unsolvable(result)


app.command(epilog="Example: gpusolve qless rate bbcefklnnpux")(rate)
app.command(epilog="Example: gpusolve qless generate --day saturday --seed 1")(generate)


@app.command(epilog="Example: gpusolve qless shapes 7 --top 3")
def shapes(
    letters: Annotated[int, typer.Argument(min=3, max=14, help="Number of letters of the crossword.")] = 12,
    min_length: MinLength = 3,
    allow_touching: AllowTouching = False,
    top: Annotated[int, typer.Option(min=0, help="Number of shapes to draw.")] = 6,
    out: Annotated[
        Path | None, typer.Option(callback=writable, help="Write every shape to this file, one per line.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count the shapes that a crossword can have. Also count them by words and by symmetry, and draw the first ones."""
    from gpusolve import files
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing
    from gpusolve.output import report

    result = qless.shapes(letters, min_length=min_length, allow_touching=allow_touching)
    if out is not None:
        files.write(out, "".join(f"{result.text(number)}\n" for number in range(len(result))), "--out")
    if json:
        report.json_line(
            "qless.shapes/1",
            letters=letters,
            min_length=min_length,
            allow_touching=allow_touching,
            shapes=len(result),
            symmetric=int(result.symmetric.sum()),
            fixed=result.fixed,
            free=result.free,
            polyominoes=result.polyominoes,
            by_words=result.by_words,
            first=[result.text(number) for number in range(min(top, len(result)))],
        )
    else:
        drawing.show_shapes(result, top)


app.command(epilog="Example: gpusolve qless census --rolls 1000 --seed 1")(census)
