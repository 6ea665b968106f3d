"""``gpusolve sliding``: parse, call the function of the same name, report."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve.errors import BadInput, Exit
from gpusolve.games.sliding import __doc__ as about
from gpusolve.output.options import Checkpoint, Device, Html, Json, Quiet, Resume, Seed, TimeLimit, Workers, open_device

if TYPE_CHECKING:
    from gpusolve.games.sliding._verify import Verdict
    from gpusolve.games.sliding.boards import Board
    from gpusolve.games.sliding.databases._tables import TableFile
    from gpusolve.games.sliding.search.solution import Solution

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

BoardText = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="The tiles row by row, 0 or _ the blank, as '8 6 7 / 2 5 4 / 3 0 1', a file with them, or - for stdin.",
    ),
]
Goal = Annotated[
    Literal["blank-first", "blank-last"],
    typer.Option(help="Where the tiles are to go: 0 1 2 ... n, or 1 2 ... n 0."),
]
Partition = Annotated[
    str | None,
    typer.Option(help="The sets of tiles that have a table each: 1,2,3/4,5,6,7,8, or a name.", show_default="by size"),
]
Moves = Annotated[str, typer.Argument(help="The blank's directions, ULDR, or the tiles that move, '5 2 1'.")]
SPEED = 4.0  # moves per second that are shown


@app.command(epilog="Example: gpusolve sliding scramble --rows 3 --columns 3 --seed 1")
def scramble(
    rows: Annotated[int, typer.Option(help="Rows; at most 25 cells in all.")] = 4,
    columns: Annotated[int, typer.Option(help="Columns.")] = 4,
    goal: Goal = "blank-first",
    moves: Annotated[
        int | None, typer.Option(help="Walk so many random moves from the goal.", show_default="any solvable board")
    ] = None,
    count: Annotated[int, typer.Option(help="Boards, a line each.")] = 1,
    seed: Seed = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Random boards that can be solved, each as likely as any other."""
    from gpusolve.games import sliding
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    seed = random_seed() if seed is None else seed
    found = sliding.scramble(rows, columns, goal, moves, count, seed)
    if json:
        fields = {"rows": rows, "columns": columns, "goal": goal, "moves": moves}
        report.json_line("sliding.scramble/1", seed=seed, **fields, boards=[list(board.tiles) for board in found])
        return
    for board in found:
        report.text(str(board))
    report.note(f"seed {seed}", quiet)


@app.command(epilog="Example: gpusolve sliding solve '8 6 7 / 2 5 4 / 3 0 1'")
def solve(
    boards: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOARD...", help="Boards as above, files of them, or - for stdin."),
    ] = None,
    published: Annotated[
        Literal["article"] | None,
        typer.Option("--set", help="Solve published boards: the article's ten of the 24-puzzle."),
    ] = None,
    goal: Goal = "blank-first",
    partition: Partition = None,
    depth: Annotated[int, typer.Option(help="Length of the strings of moves that the automaton forbids.")] = 14,
    bound: Annotated[int | None, typer.Option(help="Look for no solution of more moves.")] = None,
    all_solutions: Annotated[bool, typer.Option("--all-solutions", "--all", help="All optimal solutions.")] = False,
    weight: Annotated[
        float, typer.Option(help="A solution at most so many times longer than an optimal one will do.")
    ] = 1.0,
    workers: Workers = "1",
    time_limit: TimeLimit = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Optimal solutions, proven; of several boards one after the other.

    Tables that are not there yet are built first. --resume goes on with the board of the checkpoint, and then with
    those that come after it.
    """
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.games.sliding.boards import check_solvable
    from gpusolve.output import report

    if bool(boards) == (published is not None):
        raise BadInput("expected either boards or --set")
    if published is not None and goal != "blank-first":
        raise BadInput(f"--goal {goal}: the boards of a set have theirs, blank-first")
    asked = [board for source in boards or [] for board in _boards(source, goal)]
    if published is not None:
        asked = sliding.instances(published)
    for board in asked:
        check_solvable(board)
    if resume is not None:
        asked = asked[_position(asked, resume) :]
    file = resume if checkpoint is None else checkpoint
    begin = time.monotonic()
    backend = open_device(device, quiet)
    watch = drawing.Watch(quiet)
    for board in asked:
        left = None if time_limit is None else max(0.0, begin + time_limit - time.monotonic())
        with watch:
            found = sliding.solve(
                board,
                partition,
                depth,
                bound,
                all_solutions,
                weight,
                workers,
                watch.building,
                left,
                file,
                resume,
                watch,
                backend,
            )
        resume = None
        if json:
            report.json_line("sliding.solve/1", **_solution_fields(found), device=backend.name)
        else:
            drawing.show_solution(found, len(asked) > 1)
        if not found.complete:
            raise typer.Exit(Exit.STOPPED)
        if found.moves is None:
            raise typer.Exit(Exit.NO_SOLUTION)


@app.command(epilog="Example: gpusolve sliding build --rows 4 --columns 4")
def build(
    rows: Annotated[int, typer.Option(help="Rows; at most 25 cells in all.")] = 5,
    columns: Annotated[int, typer.Option(help="Columns.")] = 5,
    partition: Partition = None,
    samples: Annotated[int, typer.Option(help="Random boards on which the tables are measured.")] = 10_000,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build the pattern databases of a partition, if they are not there yet, and measure them."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    backend = open_device(device, quiet)
    watch = drawing.Watch(quiet)
    with watch:
        found = sliding.build(rows, columns, partition, samples, seed, watch.building, backend)
    if json:
        report.json_line(
            "sliding.build/1",
            rows=rows,
            columns=columns,
            partition=str(found.partition),
            samples=samples,
            seed=found.seed,
            mean=found.mean,
            table=_table_fields(found.file),
            device=backend.name,
            seconds=found.seconds,
        )
    else:
        drawing.show_built(found, samples)


@app.command(epilog="Example: gpusolve sliding tables")
def tables(json: Json = False) -> None:
    """The tables that this machine keeps, and whether they are whole."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report
    from gpusolve.runs import store

    found = sliding.tables()
    if json:
        report.json_line("sliding.tables/1", folder=str(store.folder()), tables=[_table_fields(one) for one in found])
    else:
        drawing.show_tables(found, store.folder())


@app.command(epilog="Example: gpusolve sliding verify '1 2 5 / 3 4 0' ULL")
def verify(
    board: BoardText,
    moves: Moves,
    goal: Goal = "blank-first",
    json: Json = False,
) -> None:
    """Your moves, played: whether they lead to the goal (else exit code 1). An illegal one is told, exit code 2."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    found = sliding.verify(_board(board, goal), moves)
    if json:
        report.json_line("sliding.verify/1", **_verdict_fields(found))
    else:
        drawing.show_verdict(found)
    if not found.solves:
        raise typer.Exit(Exit.NO_SOLUTION)


@app.command(epilog="Example: gpusolve sliding show '1 2 5 / 3 4 0' ULL")
def show(
    board: BoardText,
    moves: Moves,
    goal: Goal = "blank-first",
    speed: Annotated[float | None, typer.Option(min=0.1, max=100, help="Moves per second.", show_default="4")] = None,
    html: Html = None,
    json: Json = False,
) -> None:
    """Watch moves being made, in the terminal or on a page."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    if speed is not None and (json or html is not None):
        raise BadInput(f"--speed {speed:g}: expected without {'--json' if json else '--html'}")
    found = sliding.show(_board(board, goal), moves)
    if html is not None:
        drawing.save_page(html, found)
    if json:
        report.json_line("sliding.show/1", **_verdict_fields(found), boards=[list(one.tiles) for one in found.boards])
    elif html is not None:
        drawing.page_written(html, found)
    else:
        drawing.animate(found, speed or SPEED)


@app.command(epilog="Example: gpusolve sliding automaton --depth 8")
def automaton(
    rows: Annotated[int, typer.Option(help="Rows; at most 25 cells in all.")] = 5,
    columns: Annotated[int, typer.Option(help="Columns.")] = 5,
    depth: Annotated[
        int, typer.Option(help="Length of the longest string, 2 to 23; each takes 2.5 times the last.")
    ] = 14,
    choice: Annotated[
        Literal["first", "smallest", "square"],
        typer.Option(
            help="Which of two alike strings is kept: the first by U D L R; that with the smaller box, as published; "
            "the first, for each start square by itself."
        ),
    ] = "first",
    time_limit: TimeLimit = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The strings of moves that a search need never make, how few nodes that leaves, and the file that keeps them."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    begin = time.monotonic()
    with report.Progress("length", depth, quiet) as progress:
        found = sliding.automaton(rows, columns, depth, choice, time_limit, progress)
    seconds = time.monotonic() - begin
    factor, *factors = found.branching_factors()
    if json:
        report.json_line(
            "sliding.automaton/1",
            rows=rows,
            columns=columns,
            depth=found.depth,
            choice=choice,
            complete=found.complete,
            strings=found.count,
            states=found.states,
            branching_factor=factor,
            branching_factors=factors,
            file=str(found.path),
            seconds=seconds,
        )
    else:
        drawing.show_automaton(found, factor, factors, seconds)
    if not found.complete:
        raise typer.Exit(Exit.STOPPED)


def _board(source: str, goal: Literal["blank-first", "blank-last"]) -> Board:
    """The one board of an argument. Raises BadInput for a file of several."""
    boards = _boards(source, goal)
    if len(boards) > 1:
        raise BadInput(f"{source}: {len(boards)} boards: expected one")
    return boards[0]


def _boards(source: str, goal: Literal["blank-first", "blank-last"]) -> list[Board]:
    """The boards of an argument: themselves, those of a file, or those of stdin."""
    from gpusolve import files
    from gpusolve.games.sliding import load_boards, parse_board, parse_boards

    if source == "-":
        return parse_boards(sys.stdin.read(), goal)
    if files.exists(source) or not re.match(r"[\s,/]*[0-9_.]+([\s,/]|$)", source):
        return load_boards(source, goal)
    return [parse_board(source, goal)]


def _position(boards: list[Board], resume: Path) -> int:
    """Which of the boards a checkpoint belongs to."""
    from gpusolve.runs import checkpoint

    settings, _ = checkpoint.load(resume, "sliding.solve")
    for number, board in enumerate(boards):
        if settings.get("board") == str(board) and settings.get("goal") == board.goal:
            return number
    raise BadInput(f"checkpoint {resume}: made with board {settings.get('board')}, which is none of these")


def _solution_fields(found: Solution) -> dict[str, Any]:
    from gpusolve.games.sliding.rules import tiles_moved

    return _fields(found.board) | {
        "moves": found.moves,
        "tiles_moved": None if found.moves is None else tiles_moved(found.board, found.moves),
        "length": None if found.moves is None else len(found.moves),
        "proven": found.proven,
        "ratio": found.ratio,
        "least": found.least,
        "solutions": found.solutions,
        "expanded": found.expanded,
        "generated": found.generated,
        "bounds": [vars(bound) for bound in found.bounds],
        "complete": found.complete,
        "seconds": found.seconds,
    }


def _table_fields(found: TableFile) -> dict[str, Any]:
    return vars(found) | {"path": str(found.path)}


def _verdict_fields(found: Verdict) -> dict[str, Any]:
    return _fields(found.boards[0]) | {
        "moves": found.moves,
        "tiles_moved": found.tiles,
        "length": len(found.moves),
        "solves": found.solves,
        "end": list(found.boards[-1].tiles),
    }


def _fields(board: Board) -> dict[str, Any]:
    return {"rows": board.rows, "columns": board.columns, "goal": board.goal, "tiles": list(board.tiles)}
