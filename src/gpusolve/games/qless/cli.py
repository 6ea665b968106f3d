"""``gpusolve qless``: parse, call the function of the same name, report."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gpusolve.errors import Exit
from gpusolve.games.qless import __doc__ as about
from gpusolve.output.options import (
    Checkpoint,
    Csv,
    Device,
    Dictionary,
    Html,
    Json,
    Plot,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Workers,
    open_device,
    writable,
)

if TYPE_CHECKING:
    from gpusolve.games.qless._solve import Solutions
    from gpusolve.games.qless.variant import Variant

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

Letters = Annotated[str, typer.Argument(metavar="ROLL", help="3 to 14 letters: cddeeimprtwx.")]
MinLength = Annotated[int, typer.Option(min=3, max=14, help="Letters a word has at least.")]
Touching = Annotated[bool, typer.Option("--allow-touching", help="Two letters side by side need not be a word.")]
NoRepeats = Annotated[bool, typer.Option("--no-repeats", help="No word comes twice.")]
Ban = Annotated[Path | None, typer.Option(help="A file with words that are not to be used.")]
Common = Annotated[bool, typer.Option("--common", help="Everyday words only, those of scowl-35.")]
Must = Annotated[str | None, typer.Option(help="A word that every solution has.")]
Out = Annotated[Path | None, typer.Option(callback=writable, help="Write every solution to this file, one per line.")]
Day = Literal["too easy", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@app.command(epilog="Example: gpusolve qless roll --seed 1")
def roll(
    seed: Seed = None,
    number: Annotated[int, typer.Option(min=0, help="Which roll of the seed; a census counts them from 0.")] = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Roll the twelve dice."""
    from gpusolve.games import qless
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    seed = random_seed() if seed is None else seed
    letters = qless.roll(seed, number)
    if json:
        report.json_line("qless.roll/1", seed=seed, number=number, roll=letters)
        return
    report.text(letters)
    report.note(f"seed {seed}, roll {number}", quiet)


@app.command(epilog="Example: gpusolve qless solve cddeeimprtwx --limit 3")
def solve(
    roll: Letters,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop at so many solutions.")] = None,
    top: Annotated[int, typer.Option(min=0, help="Solutions to draw.")] = 6,
    must: Must = None,
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
    out: Out = None,
    html: Html = None,
    time_limit: TimeLimit = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Every crossword that uses all letters of a roll. With --json one per line, as they are found."""
    from gpusolve import files
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing as show
    from gpusolve.games.qless._solve import SHARES
    from gpusolve.output import report

    variant = _variant(dictionary, min_length, allow_touching, no_repeats, ban, common)
    backend = open_device(device, quiet)

    def each(some: Solutions) -> None:
        if json:
            show.stream(some)

    with report.Progress("parts searched", SHARES, quiet) as progress:
        found = qless.solve(roll, variant, limit, must, each, time_limit, progress, backend)
    if out is not None:
        files.write(out, "".join(f"{text}\n" for text in found.texts()), "--out")
    if html is not None:
        show.save_page(html, found)
    if json:
        report.json_line(
            "qless.solve/1",
            roll=found.roll,
            solutions=len(found),
            complete=found.complete,
            device=backend.name,
            seconds=found.seconds,
        )
    else:
        show.show_solutions(found, top)
    _end(len(found), found.complete or limit is not None)


@app.command(epilog="Example: gpusolve qless count cddeeimprtwx")
def count(
    roll: Letters,
    must: Must = None,
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
    time_limit: TimeLimit = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How many solutions a roll has."""
    from gpusolve.games import qless
    from gpusolve.games.qless._solve import SHARES
    from gpusolve.output import report

    variant = _variant(dictionary, min_length, allow_touching, no_repeats, ban, common)
    backend = open_device(device, quiet)
    with report.Progress("parts searched", SHARES, quiet) as progress:
        found = qless.count(roll, variant, must, time_limit, progress, backend)
    if json:
        report.json_line("qless.count/1", **vars(found), device=backend.name)
    else:
        report.text(f"{found.roll}: {found.solutions:,} solutions" + ("" if found.complete else " so far"))
    _end(found.solutions, found.complete)


@app.command(epilog="Example: gpusolve qless check '..c./.pew/..d./.met/rid./.x..'")
def check(
    grid: Annotated[str, typer.Argument(help="Rows with / between them, . where there is no letter: 'tea/a../t..'.")],
    roll: Annotated[str | None, typer.Option(help="The letters that it has to use.", show_default="its own")] = None,
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Whether a filled grid keeps the rules; if not, which one it breaks (exit code 2)."""
    from gpusolve.errors import BadInput
    from gpusolve.games import qless
    from gpusolve.output import report

    verdict = qless.check(grid, roll, _variant(dictionary, min_length, allow_touching, no_repeats, ban, common))
    if json:
        report.json_line(
            "qless.check/1",
            roll=verdict.roll,
            grid="/".join(verdict.grid.rows),
            words=verdict.grid.words,
            legal=verdict.broken is None,
            broken=verdict.broken,
        )
    else:
        report.text(str(verdict.grid))
        if verdict.broken is None:
            report.text(f"a solution: {' '.join(verdict.grid.words)}")
    if verdict.broken is not None:
        raise BadInput(f"not legal: {verdict.broken}")


@app.command(epilog="Example: gpusolve qless hint cddeeimprtwx --words 2")
def hint(
    roll: Letters,
    words: Annotated[int, typer.Option(min=1, max=14, help="Words to tell.")] = 1,
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A word of a solution, then two."""
    from gpusolve.games import qless
    from gpusolve.output import report

    variant = _variant(dictionary, min_length, allow_touching, no_repeats, ban, common)
    backend = open_device(device, quiet)
    found = qless.hint(roll, words, variant, backend)
    if json:
        report.json_line("qless.hint/1", **vars(found), device=backend.name)
    else:
        report.text(f"{' '.join(found.words)} (of {found.of} words)")


@app.command(epilog="Example: gpusolve qless unsolvable fgjlmmnnnoot")
def unsolvable(
    roll: Letters,
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Whether a roll has no solution; if so, what is best left out."""
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing as show
    from gpusolve.output import report

    variant = _variant(dictionary, min_length, allow_touching, no_repeats, ban, common)
    backend = open_device(device, quiet)
    found = qless.unsolvable(roll, variant, backend)
    if json:
        report.json_line(
            "qless.unsolvable/1",
            roll=found.roll,
            unsolvable=found.unsolvable,
            proven=True,
            parts=[vars(part) for part in found.parts],
            example=found.example and "/".join(found.example.rows),
            device=backend.name,
            seconds=found.seconds,
        )
    else:
        show.show_unsolvable(found)


@app.command(epilog="Example: gpusolve qless rate bbcefklnnpux")
def rate(
    roll: Letters,
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How hard a roll of twelve letters is, on the daily game's scale from Monday to Sunday."""
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing as show
    from gpusolve.output import report

    variant = _variant(dictionary, min_length, allow_touching, no_repeats, ban, common)
    backend = open_device(device, quiet)
    found = qless.rate(roll, variant, backend)
    if json:
        report.json_line("qless.rate/1", **vars(found), device=backend.name)
    else:
        report.text(show.rating_text(found))
    _end(found.solutions, True)


@app.command(epilog="Example: gpusolve qless generate --day saturday --seed 1")
def generate(
    day: Annotated[Day, typer.Option(help="How hard it is to be.")] = "saturday",
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A roll as hard as those of a weekday."""
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing as show
    from gpusolve.output import report

    variant = _variant(dictionary, min_length, allow_touching, no_repeats, ban, common)
    backend = open_device(device, quiet)
    begin = time.monotonic()
    found = qless.generate(day, variant, seed, backend)
    if json:
        fields = vars(found.rating) | {"seconds": time.monotonic() - begin}
        report.json_line("qless.generate/1", seed=found.seed, tries=found.tries, **fields, device=backend.name)
        return
    report.text(show.rating_text(found.rating))
    report.note(f"seed {found.seed}, roll {found.tries - 1}", quiet)


@app.command(epilog="Example: gpusolve qless shapes 7 --top 3")
def shapes(
    letters: Annotated[int, typer.Argument(min=3, max=14, help="Cells.")] = 12,
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    top: Annotated[int, typer.Option(min=0, help="Shapes to draw.")] = 6,
    out: Annotated[Path | None, typer.Option(callback=writable, help="Write every shape to this file.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The shapes that a crossword of so many letters can have: how many, by words and symmetry."""
    from gpusolve import files
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing as show
    from gpusolve.output import report

    found = qless.shapes(letters, min_length, allow_touching)
    if out is not None:
        files.write(out, "".join(f"{found.text(number)}\n" for number in range(len(found))), "--out")
    if json:
        report.json_line(
            "qless.shapes/1",
            letters=letters,
            min_length=min_length,
            allow_touching=allow_touching,
            shapes=len(found),
            symmetric=int(found.symmetric.sum()),
            fixed=found.fixed,
            free=found.free,
            polyominoes=found.polyominoes,
            by_words=found.by_words,
            first=[found.text(number) for number in range(min(top, len(found)))],
        )
    else:
        show.show_shapes(found, top)


@app.command(epilog="Example: gpusolve qless census --rolls 1000 --seed 1")
def census(
    rolls: Annotated[
        int | None, typer.Option(min=1, help="Random rolls of the dice.", show_default="all 15,800,439")
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Count all solutions of each random roll.")] = False,
    top: Annotated[int, typer.Option(min=0, help="Hardest rolls to show.")] = 5,
    dictionary: Dictionary = "scowl-70",
    min_length: MinLength = 3,
    allow_touching: Touching = False,
    no_repeats: NoRepeats = False,
    ban: Ban = None,
    common: Common = False,
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
    """Which rolls of the dice have no solution, one, or more, and which letters make it so."""
    from gpusolve.games import qless
    from gpusolve.games.qless import drawing as show
    from gpusolve.games.qless.rolls import ROLLS
    from gpusolve.output import report

    variant = _variant(dictionary, min_length, allow_touching, no_repeats, ban, common)
    backend = open_device(device, quiet)
    with report.Progress("rolls done", rolls or ROLLS, quiet) as progress:
        found = qless.census(rolls, variant, count, workers, seed, time_limit, checkpoint, resume, progress, backend)
    if csv is not None:
        report.write_csv(csv, ("roll", "weight", "solutions"), show.census_rows(found))
    if plot is not None:
        show.plot_census(plot, found)
    if json:
        report.json_line("qless.census/1", **show.census_fields(found, top), device=backend.name)
    else:
        show.show_census(found, top)
    if not found.complete:
        report.note(f"stopped at the time limit: {found.rolls:,} of {rolls or ROLLS:,} rolls", quiet)
        raise typer.Exit(Exit.STOPPED)


def _variant(
    dictionary: str, min_length: int, allow_touching: bool, no_repeats: bool, ban: Path | None, common: bool
) -> Variant:
    from gpusolve.games.qless import Variant

    return Variant(dictionary, min_length, allow_touching, no_repeats, ban, common)


def _end(solutions: int, complete: bool) -> None:
    """The exit code where it is not 0."""
    if not complete:
        raise typer.Exit(Exit.STOPPED)
    if not solutions:
        raise typer.Exit(Exit.NO_SOLUTION)
