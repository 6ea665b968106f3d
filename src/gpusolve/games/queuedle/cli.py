"""``gpusolve queuedle``: parse, call the solver, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve.options import Device, Json, Quiet, Seed, open_device

if TYPE_CHECKING:
    from gpusolve.games.queuedle.rules import Position, Puzzle
    from gpusolve.games.queuedle.solver import Solution, Solver

app = typer.Typer(help="Queuedle: daily puzzles, the best board.", no_args_is_help=True, rich_markup_mode=None)

Dictionary = Annotated[str, typer.Option(help="The words that count: a shipped list's name or a file.")]
Date = Annotated[str | None, typer.Option(help="The puzzle of this day, as 2025-05-31; none: today in the zone.")]
Zone = Annotated[str, typer.Option(help="The IANA time zone whose midnight begins the day.")]
Grid = Annotated[str | None, typer.Option(help="The rows, as fndoi/eedgr/aadqs/oeilx/eyatg: 4x4, 5x5 or 6x6.")]
Queue = Annotated[str, typer.Option(help="With --grid: the letters to come, the first one first; at most 31.")]

STOPPED = 3  # a time limit that ends a search before its own end


@app.command()
def daily(
    date: Date = None,
    zone: Zone = "Europe/London",
    dictionary: Dictionary = "scowl-70",
    json: Json = False,
) -> None:
    """The puzzle of a day."""
    from gpusolve import report

    words = _words(dictionary)
    puzzle, about = _daily(date, zone, words)
    if json:
        report.json_line("queuedle.daily/1", dictionary=dictionary, **about, **_puzzle_fields(puzzle))
        return
    report.text(f"{about['date']}, {zone}, dictionary {dictionary}: seed {about['seed']}, try {about['tries']}")
    for row in puzzle.grid:
        report.text(f"  {row}")
    report.text(f"queue {puzzle.queue}")


@app.command()
def solve(
    file: Annotated[Path | None, typer.Argument(help="A file with the rows, one a line, and then the queue.")] = None,
    date: Date = None,
    zone: Zone = "Europe/London",
    grid: Grid = None,
    queue: Queue = "",
    dictionary: Dictionary = "scowl-70",
    strategy: Annotated[
        Literal["auto", "beam", "best-first"], typer.Option(help="auto: the best within --time-limit.")
    ] = "auto",
    heuristic: Annotated[
        Literal["score", "score+remaining", "potential"] | None,
        typer.Option(
            help="What is tried first. best-first: score, or score+remaining (the default); "
            "beam: score (the default), or potential, what the lines are likely to become."
        ),
    ] = None,
    width: Annotated[int, typer.Option(min=1, max=100_000_000, help="beam: boards kept after each slide.")] = 100_000,
    expanded: Annotated[int, typer.Option(min=1, help="best-first: boards taken from its queue.")] = 500_000,
    batch: Annotated[int, typer.Option(min=1, help="best-first: boards taken at once; 1 as published.")] = 4096,
    lossy: Annotated[
        bool, typer.Option(help="best-first: a hash of the letters alone tells what was visited, as published.")
    ] = False,
    endings: Annotated[
        int, typer.Option(min=0, max=6, help="beam: try out all the last slides, so many, of the best 2,048 boards.")
    ] = 0,
    time_limit: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds; auto: 10 unless given, else no limit.")
    ] = None,
    memory: Annotated[int, typer.Option(min=1, help="beam, auto: MiB that may be taken.")] = 4096,
    seed: Seed = None,
    checkpoint: Annotated[Path | None, typer.Option(help="auto: write its state here as it goes.")] = None,
    resume: Annotated[Path | None, typer.Option(help="auto: go on from this checkpoint; its time counts.")] = None,
    replay: Annotated[str | None, typer.Option(help="Show and check these moves instead: 'd1 l3'.")] = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The best board that can be found, and the moves to it; or, with --replay, any moves checked and shown."""
    from gpusolve import report
    from gpusolve.errors import BadInput
    from gpusolve.games.queuedle import rules

    words = _words(dictionary)
    puzzle, about = _puzzle(file, date, zone, grid, queue, words)
    fitting = rules.usable(words, puzzle.size)
    if replay is not None:
        moves = rules.parse_moves(replay, puzzle.size) if replay.strip() else []
        positions = rules.replay(puzzle, moves)
        if json:
            report.json_line("queuedle.replay/1", **about, **_result_fields(puzzle, positions, fitting))
        else:
            _show(positions, fitting)
        return
    if strategy != "auto" and (checkpoint is not None or resume is not None):
        raise BadInput(f"--checkpoint, --resume: expected with --strategy auto, not {strategy}")

    from gpusolve.checkpoint import settings_of
    from gpusolve.games.queuedle.solver import KIND, TIME_LIMIT, Solver

    if strategy == "auto" and seed is None:
        seed = settings_of(resume, KIND)["seed"] if resume is not None else random_seed()
    solver = Solver(puzzle, fitting, open_device(device, quiet))
    limit = float("inf") if time_limit is None else time_limit
    if strategy == "best-first":
        with report.progress("boards taken", expanded, quiet) as progress:
            found = solver.best_first(heuristic or "score+remaining", expanded, batch, lossy, limit, progress)
    elif strategy == "beam":
        levels = max(1, len(puzzle.queue))
        with report.progress("boards scored, at most", 4 * puzzle.size * width * levels, quiet) as progress:
            found = solver.beam(width, heuristic or "score", memory, seed, endings, limit, progress)
    else:
        if heuristic is not None:
            raise BadInput("--heuristic: expected with --strategy beam or best-first; auto has its own")
        seconds = TIME_LIMIT if time_limit is None else time_limit
        with report.progress("seconds", round(seconds), quiet) as progress:
            found = solver.auto(seconds, memory, seed or 0, checkpoint, resume, progress)
    _report(solver, found, about, seed, json)
    if not found.complete:
        raise typer.Exit(STOPPED)


def _words(dictionary: str) -> list[str]:
    from gpusolve.wordlists import load_words

    return load_words(dictionary)


def _daily(day: str | None, zone: str, words: list[str]) -> tuple[Puzzle, dict[str, Any]]:
    """The puzzle of a day, and what tells which it is."""
    import datetime
    from zoneinfo import ZoneInfo

    from gpusolve.errors import BadInput
    from gpusolve.games.queuedle import rules

    if day is None:
        rules.daily_seed(datetime.date(2025, 1, 1), zone)  # whether there is such a zone
        chosen = datetime.datetime.now(ZoneInfo(zone)).date()
    else:
        try:
            chosen = datetime.date.fromisoformat(day)
        except ValueError:
            raise BadInput(f"--date {day}: expected a day, as 2025-05-31") from None
    puzzle, seed, tries = rules.daily(chosen, zone, rules.usable(words, rules.DAILY_SIZE))
    return puzzle, {"date": chosen.isoformat(), "zone": zone, "seed": seed, "tries": tries}


def _puzzle(
    file: Path | None, date: str | None, zone: str, grid: str | None, queue: str, words: list[str]
) -> tuple[Puzzle, dict[str, Any]]:
    """The puzzle asked for: of a file, of --grid and --queue, or of a day."""
    from gpusolve.errors import BadInput
    from gpusolve.games.queuedle import rules

    if sum(given is not None for given in (file, date, grid)) > 1:
        raise BadInput("expected one of a file, --grid and --date")
    if queue and grid is None:
        raise BadInput("--queue: expected with --grid")
    if grid is not None:
        return rules.parse_puzzle(grid, queue), {}
    if file is None:
        return _daily(date, zone, words)
    try:
        return rules.parse_file(file.read_text(encoding="utf-8-sig")), {"file": str(file)}
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: not a UTF-8 text file (byte {error.start})") from error
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from error
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from error


def _puzzle_fields(puzzle: Puzzle) -> dict[str, Any]:
    return {"grid": list(puzzle.grid), "queue": puzzle.queue}


def _result_fields(puzzle: Puzzle, positions: list[Position], words: frozenset[str]) -> dict[str, Any]:
    """The puzzle, the moves, and the board after each of them with its words."""
    from gpusolve.games.queuedle import rules

    boards = []
    for position in positions:
        found = rules.find_words(position.grid, words)
        boards.append(
            {
                "grid": list(position.grid),
                "score": sum(len(word.word) for word in found),
                "words": [word.word for word in found],
            }
        )
    return {
        **_puzzle_fields(puzzle),
        "score": boards[-1]["score"],
        "moves": [rules.move_text(move) for move in positions[-1].moves],
        "boards": boards,
    }


def _report(solver: Solver, found: Solution, about: dict[str, Any], seed: int | None, json: bool) -> None:
    from gpusolve import report
    from gpusolve.games.queuedle import rules

    positions = rules.replay(solver.puzzle, found.moves)
    if json:
        report.json_line(
            "queuedle.solve/1",
            **about,
            strategy=found.strategy,
            device=solver.backend.name,
            seed=seed,
            complete=found.complete,
            optimal=found.optimal,
            rounds=found.rounds,
            generated=found.generated,
            seconds=found.seconds,
            states_per_second=found.rate,
            **_result_fields(solver.puzzle, positions, solver.words),
        )
        return
    _show(positions, solver.words)
    report.text(
        f"{found.strategy}: {found.generated:,} boards scored in {found.seconds:.1f} s"
        f", {found.rate / 1e6:.1f} million/s"
        + (f", seed {seed}" if seed is not None else "")
        + (", nothing left out: no board scores more" if found.optimal else "")
        + ("" if found.complete else ", stopped by the time limit")
    )


def _show(positions: list[Position], words: frozenset[str]) -> None:
    """Each board with its cells that are in a word marked, then score, moves and words of the last."""
    from gpusolve import report
    from gpusolve.games.queuedle import rules

    for position in positions:
        found = rules.find_words(position.grid, words)
        score = sum(len(word.word) for word in found)
        move = rules.move_text(position.moves[-1]) if position.moves else "start"
        report.text(
            f"{move}: {score} point{'s' * (score != 1)}" + (f", queue {position.queue}" if position.queue else "")
        )
        marked = rules.marked(position.grid, found)
        for row, marks in zip(position.grid, marked, strict=True):
            shown = "".join(letter.upper() if mark else letter for letter, mark in zip(row, marks, strict=True))
            report.tiles(row, ["green" if mark else "grey" for mark in marks], f"  {shown}")
    last = rules.find_words(positions[-1].grid, words)
    moves = positions[-1].moves
    report.text(f"score {sum(len(word.word) for word in last)} after {len(moves)} moves: {rules.moves_text(moves)}")
    report.text(f"words: {' '.join(word.word for word in last)}")
