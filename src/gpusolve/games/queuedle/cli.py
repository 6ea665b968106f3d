"""``gpusolve queuedle``: parse, call, report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve.errors import Exit
from gpusolve.output.options import (
    Checkpoint,
    Device,
    Dictionary,
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

app = typer.Typer(
    help="Queuedle: slide letters into a grid so that it holds many words.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

PUZZLE_DICTIONARY = "Draw again until the board holds none of these words, as the site does by a list of its own."
File = Annotated[Path | None, typer.Argument(help="A file with the rows, one per line, and then the queue.")]
Date = Annotated[
    str | None, typer.Option(help="The puzzle of this day, as 2025-05-31.", show_default="today in the zone")
]
Zone = Annotated[
    str | None,
    typer.Option(help="The IANA time zone whose midnight begins the day.", show_default="this machine's"),
]
PuzzleDictionary = Annotated[str | None, typer.Option(help=PUZZLE_DICTIONARY, show_default="as --dictionary")]
Grid = Annotated[str | None, typer.Option(help="The rows, as fndoi/eedgr/aadqs/oeilx/eyatg: 4x4, 5x5 or 6x6.")]
Queue = Annotated[str, typer.Option(help="With --grid: the letters to come, the first one first; at most 31.")]


@app.command(epilog="Example: gpusolve queuedle daily --date 2025-06-01")
def daily(
    date: Date = None,
    zone: Zone = None,
    puzzle_dictionary: Annotated[str, typer.Option(help=PUZZLE_DICTIONARY)] = "scowl-70",
    json: Json = False,
) -> None:
    """The puzzle of a day, the site's if --puzzle-dictionary is the site's."""
    from gpusolve.games.queuedle import daily, drawing as show
    from gpusolve.output import report

    found = daily(date, zone, puzzle_dictionary)
    if json:
        report.json_line("queuedle.daily/1", **_daily_fields(found, puzzle_dictionary), **_fields(found.puzzle))
    else:
        show.show_daily(found, puzzle_dictionary)


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
        Literal["auto", "beam", "best-first"], typer.Option(help="auto: the best within --states or --time-limit.")
    ] = "auto",
    heuristic: Annotated[
        Literal["score", "score+remaining", "potential"] | None,
        typer.Option(
            help="What is tried first. beam: score, or potential, what the lines are likely to become; "
            "best-first: score+remaining or score.",
            show_default="beam: score; best-first: score+remaining",
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(help="beam: boards kept after each slide.", show_default="100000"),
    ] = None,
    expanded: Annotated[
        int | None, typer.Option(help="best-first: boards taken from its queue.", show_default="500000")
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option(help="best-first: boards taken at once; 1 as published.", show_default="4096"),
    ] = None,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="best-first: a hash of the letters tells what was visited, as published.")
    ] = False,
    endings: Annotated[
        int | None,
        typer.Option(help="beam: try out all the last slides, so many, of the best 2,048 boards.", show_default="0"),
    ] = None,
    states: Annotated[
        int | None,
        typer.Option(
            help="auto: no round begins after so many boards scored.", show_default="200000000 without --time-limit"
        ),
    ] = None,
    restarts: Annotated[
        int | None,
        typer.Option(help="auto: so many runs, each with its own seed and all of --states; the best one counts."),
    ] = None,
    memory: Annotated[
        int | None, typer.Option(help="beam, auto: MiB that may be taken, by each worker.", show_default="4096")
    ] = None,
    workers: Workers = "1",
    seed: Seed = None,
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The best board that can be found, and the slides to it.

    auto goes through one and the same sequence of beams for a --seed: more --states go on where fewer end, and so does
    --resume. Ctrl-C loses the round that is under way, some seconds. Only auto has --checkpoint and --resume. --workers
    share --restarts, which take the seeds from --seed on. A beam with a --seed breaks ties at random.
    """
    import math
    import time

    from gpusolve.games.queuedle import auto, check, drawing as show, searches, solve
    from gpusolve.output import report

    puzzle, about = _puzzle(file, date, zone, grid, queue, dictionary, puzzle_dictionary)
    by_clock = strategy == "auto" and states is None and time_limit is not None and math.isfinite(time_limit)
    label, total = {
        "auto": ("seconds", math.ceil(time_limit or 0))
        if by_clock
        else ("boards scored", (states or auto.STATES) * (restarts or 1)),
        "beam": ("boards scored, at most", 4 * puzzle.size * (width or searches.WIDTH) * max(1, len(puzzle.queue))),
        "best-first": ("boards taken", expanded or searches.EXPANDED),
    }[strategy]
    backend = open_device(device, quiet)
    begin = time.monotonic()
    with report.Progress(label, total, quiet) as progress:

        def tell(done: int, best: int) -> None:
            progress(int(time.monotonic() - begin) if by_clock else done, best)

        found = solve(
            puzzle,
            dictionary,
            strategy,
            heuristic,
            width,
            expanded,
            batch,
            lossy,
            endings,
            states,
            restarts,
            memory,
            workers,
            seed,
            time_limit,
            checkpoint,
            resume,
            tell,
            backend,
        )
    boards = check(found.moves, puzzle, dictionary)
    if json:
        report.json_line(
            "queuedle.solve/1",
            **about,
            strategy=found.strategy,
            device=backend.name,
            seed=found.seed,
            complete=found.complete,
            proven=found.proven,
            rounds=found.rounds,
            generated=found.generated,
            seconds=found.seconds,
            states_per_second=found.rate,
            **_fields(puzzle),
            **_board_fields(boards),
        )
    else:
        show.show_note(about)
        show.show_boards(boards)
        show.show_search(found)
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


@app.command(epilog="Example: gpusolve queuedle check 'r2 l4 d1' --date 2025-06-01")
def check(
    moves: Annotated[str, typer.Argument(help="Your slides, as 'd1 l3'.")],
    file: File = None,
    date: Date = None,
    zone: Zone = None,
    grid: Grid = None,
    queue: Queue = "",
    dictionary: Dictionary = "scowl-70",
    puzzle_dictionary: PuzzleDictionary = None,
    json: Json = False,
) -> None:
    """Your slides, checked and scored: the board after each. An illegal slide is told with its number, exit code 2."""
    from gpusolve.games.queuedle import check, drawing as show
    from gpusolve.output import report

    puzzle, about = _puzzle(file, date, zone, grid, queue, dictionary, puzzle_dictionary)
    boards = check(moves, puzzle, dictionary)
    if json:
        report.json_line("queuedle.check/1", **about, **_fields(puzzle), **_board_fields(boards))
    else:
        show.show_note(about)
        show.show_boards(boards)


def _puzzle(
    file: Path | None,
    date: str | None,
    zone: str | None,
    grid: str | None,
    queue: str,
    dictionary: str,
    puzzle_dictionary: str | None,
) -> tuple[Puzzle, dict[str, Any]]:
    """The puzzle asked for - of a file, of --grid and --queue, or of a day - and what tells which it is."""
    from gpusolve.errors import BadInput
    from gpusolve.games.queuedle import daily, load_puzzle, parse_puzzle

    if sum(given is not None for given in (file, date, grid)) > 1:
        raise BadInput("expected one of a file, --grid and --date")
    if queue and grid is None:
        raise BadInput("--queue: expected with --grid")
    for name, value in (("--zone", zone), ("--puzzle-dictionary", puzzle_dictionary)):
        if value is not None and (file is not None or grid is not None):
            raise BadInput(f"{name}: expected with --date or for today's puzzle, not with a file or --grid")
    if grid is not None:
        return parse_puzzle(grid, queue), {}
    if file is not None:
        return load_puzzle(file), {"file": str(file)}
    drawn_by = dictionary if puzzle_dictionary is None else puzzle_dictionary
    found = daily(date, zone, drawn_by)
    return found.puzzle, _daily_fields(found, drawn_by)


def _daily_fields(found: DailyPuzzle, dictionary: str) -> dict[str, Any]:
    from gpusolve.games.queuedle import drawing as show

    return {
        "date": found.date,
        "zone": found.zone,
        "puzzle_dictionary": dictionary,
        "puzzle_seed": found.puzzle_seed,
        "tries": found.tries,
        "note": show.note_of(dictionary),
    }


def _fields(puzzle: Puzzle) -> dict[str, Any]:
    return {"grid": list(puzzle.grid), "queue": puzzle.queue}


def _board_fields(boards: Sequence[ScoredPosition]) -> dict[str, Any]:
    """The score, the moves, and the board after each of them with its words."""
    from gpusolve.games.queuedle.rules import move_text

    return {
        "score": boards[-1].score,
        "moves": [move_text(move) for move in boards[-1].position.moves],
        "boards": [
            {
                "grid": list(board.position.grid),
                "score": board.score,
                "words": [found.word for found in board.words],
            }
            for board in boards
        ],
    }
