"""``gpusolve queuedle``: parse the command line, call the public functions, report."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve.errors import Exit
from gpusolve.games.queuedle import __doc__ as about
from gpusolve.output.options import (
    Checkpoint,
    Device,
    Dictionary,
    Html,
    Json,
    Quiet,
    Resume,
    Seed,
    TimeLimit,
    Workers,
    open_device,
)

if TYPE_CHECKING:
    from gpusolve.games.queuedle.puzzles import DailyPuzzle, ScoredPosition
    from gpusolve.games.queuedle.rules import Puzzle
    from gpusolve.output.report import Progress

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

PUZZLE_DICTIONARY = "Words that the grid of a new puzzle must not contain. The dictionary of the site is not shipped."
File = Annotated[
    Path | None,
    typer.Argument(help="File with the rows of the grid, one per line, followed by the queue; or a date, as --date."),
]
Date = Annotated[
    str | None, typer.Option(help="Day of the puzzle, such as 2025-05-31.", show_default="today in the zone")
]
Zone = Annotated[
    str | None,
    typer.Option(help="IANA time zone in which the day begins at midnight.", show_default="the zone of this machine"),
]
PuzzleDictionary = Annotated[str | None, typer.Option(help=PUZZLE_DICTIONARY, show_default="the same as --dictionary")]
Grid = Annotated[
    str | None, typer.Option(help="Rows of a 4x4, 5x5 or 6x6 grid, such as fndoi/eedgr/aadqs/oeilx/eyatg.")
]
Queue = Annotated[str, typer.Option(help="With --grid: the letters of the queue in order, at most 31.")]


@app.command(epilog="Example: gpusolve queuedle daily 2025-06-01")
def daily(
    day: Annotated[str | None, typer.Argument(metavar="[DATE]", help="The same as --date.", show_default=False)] = None,
    date: Date = None,
    zone: Zone = None,
    puzzle_dictionary: Annotated[str, typer.Option(help=PUZZLE_DICTIONARY)] = "scowl-70",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the puzzle of a day. It is the site's puzzle if --puzzle-dictionary is the site's dictionary."""
    from gpusolve.errors import BadInput
    from gpusolve.games.queuedle import daily, drawing
    from gpusolve.output import report

    if day is not None and date is not None:
        raise BadInput(f"--date {date}: expected only one date, not {day} as well")
    date = day if date is None else date
    puzzle = daily(date, zone=zone, puzzle_dictionary=puzzle_dictionary)
    if json:
        report.json_line("queuedle.daily/1", **_daily_fields(puzzle, puzzle_dictionary), **_fields(puzzle.puzzle))
    else:
        drawing.show_daily(puzzle, puzzle_dictionary)


@app.command(epilog="Example: gpusolve queuedle solve --date 2025-06-01 --strategy beam --width 1000")
def solve(
    file: File = None,
    date: Date = None,
    zone: Zone = None,
    grid: Grid = None,
    queue: Queue = "",
    dictionary: Dictionary = "scowl-70",
    puzzle_dictionary: PuzzleDictionary = None,
    strategy: Annotated[
        Literal["auto", "beam", "best-first"],
        typer.Option(
            help="auto: a sequence of beam searches within --states or --time-limit. beam: a single beam search. "
            "best-first: a single best-first search."
        ),
    ] = "auto",
    heuristic: Annotated[
        Literal["score", "score+remaining", "potential"] | None,
        typer.Option(
            help="How boards are ranked. beam: by score or potential (how much the lines are likely to score later). "
            "best-first: by score or score+remaining (the score plus the number of letters in the queue).",
            show_default="beam: score; best-first: score+remaining",
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(help="beam: number of boards kept after each slide.", show_default="100000"),
    ] = None,
    expanded: Annotated[
        int | None, typer.Option(help="best-first: maximum number of boards to expand.", show_default="500000")
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option(help="best-first: number of boards to expand at a time (1 as published).", show_default="4096"),
    ] = None,
    lossy: Annotated[
        bool,
        typer.Option(
            "--lossy", help="best-first: skip boards whose letters have the same 32-bit hash as a visited board."
        ),
    ] = False,
    endings: Annotated[
        int | None,
        typer.Option(
            help="beam: try all sequences of this many last slides (at most 6) on the best 2,048 boards.",
            show_default="0",
        ),
    ] = None,
    states: Annotated[
        int | None,
        typer.Option(
            help="auto: number of scored boards after which no new beam search starts.",
            show_default="200000000 without --time-limit",
        ),
    ] = None,
    restarts: Annotated[
        int | None,
        typer.Option(
            help="auto: number of runs with different seeds, each with all of --states; the best result is reported.",
            show_default="one run",
        ),
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(help="beam, auto: memory limit of the search, or of each worker, in MiB.", show_default="4096"),
    ] = None,
    workers: Workers = "1",
    seed: Seed = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    html: Html = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Search for the best board of a puzzle and the slides to it.

    With the strategy auto, --seed determines a sequence of beam searches. A run with a larger --states continues the
    sequence where a run with a smaller value ends, and so does --resume. Ctrl-C loses only the current beam search, a
    few seconds of work. Only auto has --checkpoint and --resume. The --workers share the --restarts, whose seeds count
    up from --seed. With the strategy beam, ties are broken at random by --seed.
    """
    import math

    from gpusolve.games.queuedle import auto, drawing, rules, searches, solve
    from gpusolve.output import report

    puzzle, origin = _puzzle(
        file=file,
        date=date,
        zone=zone,
        grid=grid,
        queue=queue,
        dictionary=dictionary,
        puzzle_dictionary=puzzle_dictionary,
    )
    by_clock = strategy == "auto" and states is None and time_limit is not None and math.isfinite(time_limit)
    label, total = {
        "auto": ("seconds", math.ceil(time_limit or 0))
        if by_clock
        else ("boards scored", (states or auto.STATES) * (restarts or 1)),
        "beam": ("boards scored, at most", 4 * puzzle.size * (width or searches.WIDTH) * max(1, len(puzzle.queue))),
        "best-first": ("boards taken", expanded or searches.EXPANDED),
    }[strategy]
    backend = open_device(device, quiet)
    with report.Progress(label, total, quiet) as progress:
        solution = solve(
            puzzle,
            dictionary=dictionary,
            strategy=strategy,
            heuristic=heuristic,
            width=width,
            expanded=expanded,
            batch=batch,
            lossy=lossy,
            endings=endings,
            states=states,
            restarts=restarts,
            memory=memory,
            workers=workers,
            improved=lambda score, moves: report.interim(score=score, moves=rules.moves_text(moves).split()),
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            resume=resume,
            progress=_Seconds(progress) if by_clock else progress,
            backend=backend,
        )
    if html is not None:
        from gpusolve.games.queuedle.pages import pictures

        pictures.save_page(html, solution.boards, solution, day=origin.get("date", ""))
    if json:
        report.json_line(
            "queuedle.solve/1",
            **origin,
            strategy=solution.strategy,
            device=backend.name,
            seed=solution.seed,
            complete=solution.complete,
            proven=solution.proven,
            rounds=solution.rounds,
            generated=solution.generated,
            seconds=solution.seconds,
            states_per_second=solution.rate,
            **_fields(puzzle),
            **_board_fields(solution.boards),
        )
    else:
        drawing.show_note(origin)
        drawing.show_boards(solution.boards)
        drawing.show_search(solution)
    if not solution.complete:
        raise typer.Exit(Exit.STOPPED)


@app.command(epilog="Example: gpusolve queuedle check 'r2 l4 d1' --date 2025-06-01")
def check(
    moves: Annotated[str, typer.Argument(help="Slides, such as 'd1 l3' (column 1 down, row 3 to the left).")],
    file: File = None,
    date: Date = None,
    zone: Zone = None,
    grid: Grid = None,
    queue: Queue = "",
    dictionary: Dictionary = "scowl-70",
    puzzle_dictionary: PuzzleDictionary = None,
    html: Html = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check slides, and show the score and the board after each. An illegal slide is reported (exit code 2)."""
    from gpusolve.games.queuedle import check, drawing
    from gpusolve.output import report

    puzzle, origin = _puzzle(
        file=file,
        date=date,
        zone=zone,
        grid=grid,
        queue=queue,
        dictionary=dictionary,
        puzzle_dictionary=puzzle_dictionary,
    )
    boards = check(moves, puzzle, dictionary=dictionary)
    if html is not None:
        from gpusolve.games.queuedle.pages import pictures

        pictures.save_page(html, boards, day=origin.get("date", ""))
    if json:
        report.json_line("queuedle.check/1", **origin, **_fields(puzzle), **_board_fields(boards))
    else:
        drawing.show_note(origin)
        drawing.show_boards(boards)


class _Seconds:
    """A progress callback that shows the seconds since the start instead of the boards scored."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._begin = progress, time.monotonic()
        self.watch = progress.watch

    def __call__(self, done: int, best: int) -> None:
        self._progress(int(time.monotonic() - self._begin), best)


def _puzzle(
    *,
    file: Path | None,
    date: str | None,
    zone: str | None,
    grid: str | None,
    queue: str,
    dictionary: str,
    puzzle_dictionary: str | None,
) -> tuple[Puzzle, dict[str, Any]]:
    """Return the puzzle that the options ask for, and the JSON fields that say where it comes from."""
    from gpusolve import files
    from gpusolve.errors import BadInput
    from gpusolve.games.queuedle import daily, load_puzzle, parse_puzzle

    if file is not None and date is None and re.fullmatch(r"\d{4}-\d\d?-\d\d?", str(file)) and not files.exists(file):
        file, date = None, str(file)
    if sum(given is not None for given in (file, date, grid)) > 1:
        raise BadInput("expected only one of a file, --grid and --date")
    if queue and grid is None:
        raise BadInput("--queue: expected together with --grid")
    for name, value in (("--zone", zone), ("--puzzle-dictionary", puzzle_dictionary)):
        if value is not None and (file is not None or grid is not None):
            raise BadInput(f"{name}: expected with --date or for today's puzzle, not with a file or --grid")
    if grid is not None:
        return parse_puzzle(grid, queue), {}
    if file is not None:
        return load_puzzle(file), {"file": str(file)}
    drawn_with = dictionary if puzzle_dictionary is None else puzzle_dictionary
    puzzle = daily(date, zone=zone, puzzle_dictionary=drawn_with)
    return puzzle.puzzle, _daily_fields(puzzle, drawn_with)


def _daily_fields(puzzle: DailyPuzzle, dictionary: str) -> dict[str, Any]:
    from gpusolve.games.queuedle import drawing

    return {
        "date": puzzle.date,
        "zone": puzzle.zone,
        "puzzle_dictionary": dictionary,
        "puzzle_seed": puzzle.puzzle_seed,
        "tries": puzzle.tries,
        "note": drawing.note_about(dictionary),
    }


def _fields(puzzle: Puzzle) -> dict[str, Any]:
    return {"grid": list(puzzle.grid), "queue": puzzle.queue}


def _board_fields(boards: Sequence[ScoredPosition]) -> dict[str, Any]:
    """Return the score, the moves, and the board after each move with its words."""
    from gpusolve.games.queuedle.rules import move_text

    return {
        "score": boards[-1].score,
        "moves": [move_text(move) for move in boards[-1].position.moves],
        "boards": [
            {
                "grid": list(board.position.grid),
                "score": board.score,
                "words": [entry.word for entry in board.words],
            }
            for board in boards
        ],
    }
