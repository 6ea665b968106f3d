"""The commands of ``gpusolve sliding``: parse, call the function of the same name, report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpusolve import clock
from gpusolve.errors import BadInput, Exit
from gpusolve.games.sliding import __doc__ as about
from gpusolve.output.options import Checkpoint, Device, Html, Json, Quiet, Resume, Seed, TimeLimit, Workers, open_device

if TYPE_CHECKING:
    from gpusolve.backend import Backend
    from gpusolve.games.sliding._verify import Verdict
    from gpusolve.games.sliding.boards import Board, Goal
    from gpusolve.games.sliding.databases._tables import TableFile
    from gpusolve.games.sliding.databases.lookups import Databases
    from gpusolve.games.sliding.heuristics._compare import Comparison
    from gpusolve.games.sliding.search.solution import Solution

app = typer.Typer(help=(about or "").partition("\n")[0], no_args_is_help=True, rich_markup_mode=None)

BoardText = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="Tiles row by row with 0 or _ for the blank, such as '8 6 7 / 2 5 4 / 3 0 1' or 867254301; or a file; or "
        "- for stdin.",
    ),
]
GoalOption = Annotated[
    Literal["blank-first", "blank-last"],
    typer.Option("--goal", help="Position to reach: 0 1 2 ... n, or 1 2 ... n 0."),
]
GuessedGoal = Annotated[
    Literal["blank-first", "blank-last"] | None,
    typer.Option(
        "--goal",
        help="Position to reach: 0 1 2 ... n, or 1 2 ... n 0.",
        show_default="the one that can be reached; blank-first if both can",
    ),
]
Partition = Annotated[
    str | None,
    typer.Option(
        help="Sets of tiles that have a pattern database each, such as 1,2,3/4,5,6,7,8, or a partition's name. Two "
        "partitions with a + between them: the search looks up both, instead of one straight and reflected.",
        show_default="depends on the size",
    ),
]
Rows = Annotated[int, typer.Option(help="Number of rows; a board has at most 25 cells, or 7x7.")]
Columns = Annotated[int, typer.Option(help="Number of columns.")]
Moves = Annotated[
    str,
    typer.Argument(
        metavar="MOVES", help="Directions of the blank, such as ULDR, or the tiles that move, such as '5 2 1'."
    ),
]
SPEED = 4.0  # moves shown per second


@app.command(epilog="Example: gpusolve sliding scramble --rows 3 --columns 3 --seed 1")
def scramble(
    rows: Rows = 4,
    columns: Columns = 4,
    goal: GoalOption = "blank-first",
    moves: Annotated[
        int | None,
        typer.Option(help="Length of a random walk from the goal to the board.", show_default="any solvable board"),
    ] = None,
    count: Annotated[int, typer.Option(help="Number of boards, printed one per line.")] = 1,
    seed: Seed = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print random boards that can be solved. All have the same probability."""
    from gpusolve.games import sliding
    from gpusolve.output import report
    from gpusolve.runs.seeds import random_seed

    seed = random_seed() if seed is None else seed
    boards = sliding.scramble(rows, columns, goal=goal, moves=moves, count=count, seed=seed)
    if json:
        fields = {"rows": rows, "columns": columns, "goal": goal, "moves": moves}
        report.json_line("sliding.scramble/1", seed=seed, **fields, boards=[list(board.tiles) for board in boards])
        return
    for board in boards:
        report.verbatim(str(board))
    report.note(f"seed {seed}", quiet)


@app.command(epilog="Example: gpusolve sliding solve '8 6 7 / 2 5 4 / 3 0 1'")
def solve(
    boards: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOARD...",
            help="Boards: tiles row by row with 0 or _ for the blank, such as '8 6 7 / 2 5 4 / 3 0 1', or the tiles of "
            "one square board without quotes; or files of boards, one per line, with or without an index as in Korf's "
            "files; or - for stdin.",
        ),
    ] = None,
    published: Annotated[
        Literal["article"] | None,
        typer.Option("--set", help="Solve a set of published boards: the ten 24-puzzles of Korf and Taylor (1996)."),
    ] = None,
    goal: GuessedGoal = None,
    strategy: Annotated[
        Literal["auto", "deepening", "beam"],
        typer.Option(
            help="deepening: an optimal solution, proven, for boards up to 25 cells. beam: a good solution for boards "
            "up to 7x7. auto: deepening if the board is small enough, else beam."
        ),
    ] = "auto",
    metric: Annotated[
        Literal["single-tile", "multi-tile"],
        typer.Option(
            help="What one move is: a tile that slides, or several tiles of a line at once (for boards up to the "
            "15-puzzle)."
        ),
    ] = "single-tile",
    heuristic: Annotated[
        Literal["pdb", "manhattan", "linear-conflict", "walking-distance"],
        typer.Option(
            help="Lower bound on the moves left. pdb: pattern databases; the others are for boards up to the 15-puzzle."
        ),
    ] = "pdb",
    partition: Partition = None,
    depth: Annotated[
        int, typer.Option(help="Length of the strings of moves that the automaton forbids, 2 to 23.")
    ] = 14,
    bound: Annotated[
        int | None, typer.Option(help="Maximum number of moves of a solution.", show_default="none")
    ] = None,
    all_solutions: Annotated[
        bool, typer.Option("--all-solutions", "--all", help="Find all optimal solutions.")
    ] = False,
    weight: Annotated[
        float, typer.Option(help="Accept a solution at most this many times longer than an optimal one, 1 to 10.")
    ] = 1.0,
    width: Annotated[
        int | None, typer.Option(help="beam: number of boards kept after each move.", show_default="10000")
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
    """Find optimal solutions and prove them, or good ones. Boards are solved one after another.

    Pattern databases that do not exist yet are built first; for the 24-puzzle a first answer is shown before that. If
    memory or disk is short, small ones are used. --resume continues with the board of the checkpoint, and
    then with the boards after it.
    """
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.games.sliding.boards import check_exact_size, check_solvable
    from gpusolve.output import report

    if bool(boards) == (published is not None):
        raise BadInput("expected either boards or --set")
    if published is not None and goal == "blank-last":
        raise BadInput(f"--goal {goal}: expected blank-first, the goal of the boards in a set")
    asked = [board for source in _sources(boards or []) for board in _boards(source, goal)]
    if published is not None:
        asked = sliding.instances(published)
    for board in asked:
        check_solvable(board)
    if goal is None and published is None:
        drawing.note_goals(asked, quiet)
    # This imports Numba: after errors in boards.
    from gpusolve.games.sliding._solve import first_answer, takes_beam
    from gpusolve.games.sliding.beams.search import Beams as check_beam_options
    from gpusolve.games.sliding.databases.search import PatternDatabases as check_options

    if all(takes_beam(board, strategy) for board in asked):
        check_beam_options(width=width, seed=seed, bound=bound, time_limit=time_limit)
    else:
        check_options(depth=depth, bound=bound, weight=weight, workers=workers)
    if resume is not None:
        asked = asked[_position(asked, resume) :]
    file = resume if checkpoint is None else checkpoint
    backend = open_device(device, quiet)
    databases: Databases | None = None
    searched = 0.0  # seconds, without those of opening databases
    for board in asked:
        if not takes_beam(board, strategy):
            check_exact_size(board.rows, board.columns)
        with_databases = not takes_beam(board, strategy) and metric == "single-tile" and heuristic == "pdb"
        if with_databases and not _fit(databases, board):
            databases = None  # frees its memory first
            if partition is None and resume is None and bound is None and (report.watched() or not quiet):
                drawing.show_first_answer(first_answer(board, backend, eager=report.watched()), quiet)
            databases = _open_databases(board, partition, backend, quiet)
        begin = clock.now()
        with drawing.SearchProgress(quiet) as progress:
            solution = sliding.solve(
                board,
                strategy=strategy,
                metric=metric,
                heuristic=heuristic,
                partition=None if with_databases else partition,
                databases=databases,
                depth=depth,
                bound=bound,
                all_solutions=all_solutions,
                weight=weight,
                width=width,
                workers=workers,
                seed=seed,
                time_limit=None if time_limit is None else max(0.0, time_limit - searched),
                checkpoint=file,
                resume=resume,
                progress=progress,
            )
        searched += clock.now() - begin
        resume = None
        if json:
            report.json_line("sliding.solve/1", **_solution_fields(solution), seed=seed, device=backend.name)
        else:
            drawing.show_solution(solution, with_board=len(asked) > 1)
        if not solution.complete:
            raise typer.Exit(Exit.STOPPED)
        if solution.moves is None:
            raise typer.Exit(Exit.NO_SOLUTION)


@app.command(epilog="Example: gpusolve sliding compare '8 6 7 / 2 5 4 / 3 0 1'")
def compare(
    boards: Annotated[
        list[str],
        typer.Argument(metavar="BOARD...", help="Boards of up to 16 cells, written as for `solve`."),
    ],
    goal: GuessedGoal = None,
    partition: Partition = None,
    seconds: Annotated[float, typer.Option(min=0, help="Maximum number of seconds for each search.")] = 60.0,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the heuristics of the textbooks. A table shows the nodes and times of each board."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.games.sliding.heuristics.tables import check_heuristic
    from gpusolve.output import report

    asked = [board for source in _sources(boards) for board in _boards(source, goal)]
    for board in asked:
        check_heuristic(board, "pdb")
    if goal is None:
        drawing.note_goals(asked, quiet)
    backend = open_device(device, quiet)
    rows: list[Comparison] = []
    databases: Databases | None = None
    for board in asked:
        if not _fit(databases, board):
            databases = _open_databases(board, partition, backend, quiet)
        with drawing.SearchProgress(quiet) as progress:
            compared = sliding.compare([board], databases=databases, seconds=seconds, progress=progress)
        rows += compared
        if not json:
            drawing.show_comparison(compared)
    if json:
        report.json_line(
            "sliding.compare/1",
            rows=[
                {"heuristic": row.heuristic, "partition": row.partition, "estimate": row.estimate}
                | _solution_fields(row.solution)
                for row in rows
            ],
            seconds=sum(row.solution.seconds for row in rows),
            device=backend.name,
        )
    elif len(asked) > 1:
        drawing.show_means(rows)
    if not all(row.solution.complete for row in rows):
        raise typer.Exit(Exit.STOPPED)


@app.command(epilog="Example: gpusolve sliding build --rows 4 --columns 4")
def build(
    rows: Rows = 5,
    columns: Columns = 5,
    partition: Partition = None,
    size: Annotated[
        Literal["small", "large"] | None,
        typer.Option(
            help="In place of a partition: the smallest or the best that has a name. For 5x5 the databases take 42 MB "
            "and 3 GB.",
            show_default="depends on the size of the board",
        ),
    ] = None,
    samples: Annotated[int, typer.Option(help="Number of random boards on which the databases are measured.")] = 10_000,
    seed: Seed = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build pattern databases, unless they exist. They are measured on random boards."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    backend = open_device(device, quiet)
    with drawing.BuildProgress(quiet) as progress:
        built = sliding.build(
            rows,
            columns,
            partition=partition,
            size=size,
            samples=samples,
            seed=seed,
            progress=progress,
            backend=backend,
        )
    if json:
        report.json_line(
            "sliding.build/1",
            rows=rows,
            columns=columns,
            partition=str(built.partition),
            samples=samples,
            seed=built.seed,
            mean=built.mean,
            table=_table_fields(built.file),
            device=backend.name,
            seconds=built.seconds,
        )
    else:
        drawing.show_built(built, samples)


@app.command(epilog="Example: gpusolve sliding tables")
def tables(json: Json = False, quiet: Quiet = False) -> None:
    """List the tables of this machine. Pattern databases and forbidden strings are checked for damage."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report
    from gpusolve.runs import store

    files = sliding.tables()
    if json:
        report.json_line("sliding.tables/1", folder=str(store.folder()), tables=[_table_fields(file) for file in files])
    else:
        drawing.show_tables(files, store.folder())


@app.command(epilog="Example: gpusolve sliding verify '1 2 5 / 3 4 0' ULL")
def verify(
    board: BoardText,
    moves: Moves,
    goal: GuessedGoal = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check whether moves reach the goal. The exit code is 1 if not, and 2 if a move is illegal."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    position = _board(board, goal)
    verdict = sliding.verify(position, moves)
    if goal is None:
        drawing.note_goals([position], quiet)
    if json:
        report.json_line("sliding.verify/1", **_verdict_fields(verdict))
    else:
        drawing.show_verdict(verdict)
    if not verdict.solves:
        raise typer.Exit(Exit.NO_SOLUTION)


@app.command(epilog="Example: gpusolve sliding show '1 2 5 / 3 4 0' ULL")
def show(
    board: BoardText,
    moves: Moves,
    goal: GuessedGoal = None,
    speed: Annotated[float | None, typer.Option(min=0.1, max=100, help="Moves per second.", show_default="4")] = None,
    html: Html = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Animate moves in the terminal or on an HTML page."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    if speed is not None and (json or html is not None):
        raise BadInput(f"--speed {speed:g}: expected without {'--json' if json else '--html'}")
    position = _board(board, goal)
    verdict = sliding.show(position, moves)
    if goal is None:
        drawing.note_goals([position], quiet)
    if html is not None:
        from gpusolve.games.sliding.pages import pictures

        pictures.save_page(html, verdict)
    if json:
        boards = [list(each.tiles) for each in verdict.boards]
        report.json_line("sliding.show/1", **_verdict_fields(verdict), boards=boards)
    elif html is not None:
        drawing.show_page(html, verdict)
    else:
        drawing.animate(verdict, speed or SPEED)


@app.command(epilog="Example: gpusolve sliding automaton --depth 8")
def automaton(
    rows: Rows = 5,
    columns: Columns = 5,
    depth: Annotated[
        int,
        typer.Option(help="Length of the longest strings, 2 to 23; each further move takes about 2.5 times as long."),
    ] = 14,
    choice: Annotated[
        Literal["first", "smallest", "square"],
        typer.Option(
            help="Which of two equivalent strings is allowed: the first in the order U D L R; the one with the smaller "
            "bounding box, as published; or the first, separately for each start square."
        ),
    ] = "first",
    time_limit: TimeLimit = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find strings of moves that no search needs. The branching factor that remains is shown."""
    from gpusolve.games import sliding
    from gpusolve.games.sliding import drawing
    from gpusolve.output import report

    begin = clock.now()
    with report.Progress("length", depth, quiet) as progress:
        computed = sliding.automaton(
            rows, columns, depth=depth, choice=choice, time_limit=time_limit, progress=progress
        )
    seconds = clock.now() - begin
    factor, *factors = computed.branching_factors()
    if json:
        report.json_line(
            "sliding.automaton/1",
            rows=rows,
            columns=columns,
            depth=computed.depth,
            choice=choice,
            complete=computed.complete,
            strings=computed.count,
            states=computed.states,
            branching_factor=factor,
            branching_factors=factors,
            file=str(computed.path),
            seconds=seconds,
        )
    else:
        drawing.show_automaton(computed, factor=factor, factors=factors, seconds=seconds)
    if not computed.complete:
        raise typer.Exit(Exit.STOPPED)


def _fit(databases: Databases | None, board: Board) -> bool:
    """Return whether these pattern databases are open and those of the board's size."""
    size = None if databases is None else (databases.partition.rows, databases.partition.columns)
    return size == (board.rows, board.columns)


def _open_databases(board: Board, partition: str | None, backend: Backend, quiet: bool) -> Databases:
    """Open the pattern databases of a board, or build them first, with progress."""
    from gpusolve.games.sliding import drawing
    from gpusolve.games.sliding.databases.catalogue import keep_databases, partition_of

    with drawing.BuildProgress(quiet) as building:
        return keep_databases(partition_of(board.rows, board.columns, partition), backend, progress=building)


def _sources(words: list[str]) -> list[str]:
    """Return the arguments that are boards or files. Tiles or rows of a board that was not quoted are joined."""
    from gpusolve import files
    from gpusolve.games.sliding.boards import BLANKS, is_compact

    if all(map(is_compact, words)):
        return words
    if len(words) < 2 or not all(re.fullmatch(r"[0-9_.,/]+", word) for word in words) or any(map(files.exists, words)):
        return words
    with_blank = sum(bool(set(re.split("[,/]", word)) & set(BLANKS)) for word in words)
    if with_blank > 1:  # each is a board
        return words
    return [("/" if re.search("[0-9_.],[0-9_.]", words[0]) else " ").join(words)]


def _board(source: str, goal: Goal | None) -> Board:
    """Read the board of an argument. Raise BadInput for a file of several boards."""
    boards = _boards(source, goal)
    if len(boards) > 1:
        raise BadInput(f"{source}: {len(boards)} boards: expected one")
    return boards[0]


def _boards(source: str, goal: Goal | None) -> list[Board]:
    """Read the boards of an argument: a board, a file of boards, or - for stdin."""
    from gpusolve import files
    from gpusolve.games.sliding import load_boards, parse_board, parse_boards
    from gpusolve.games.sliding.boards import is_compact
    from gpusolve.output.dialogue import read_input

    if source == "-":
        return parse_boards(read_input(), goal=goal)
    if is_compact(source) and not files.exists(source):
        return [parse_board(source, goal=goal)]
    if files.exists(source) or not re.match(r"[\s,/]*([0-9_.]+|[0-9]+[:)])([\s,/]|$)", source):
        return load_boards(source, goal=goal)
    return [parse_board(source, goal=goal)]


def _position(boards: list[Board], resume: Path) -> int:
    """Return the index of the board that a checkpoint belongs to. Raise BadInput if it is not there."""
    from gpusolve.runs import checkpoint

    settings, _ = checkpoint.load(resume, "sliding.solve")
    saved, goal = settings.text("board"), settings.text("goal")
    for number, board in enumerate(boards):
        if (str(board), board.goal) == (saved, goal):
            return number
    raise BadInput(f"checkpoint {resume}: made with board {saved}, goal {goal}, which is not among these boards")


def _solution_fields(solution: Solution) -> dict[str, Any]:
    from gpusolve.games.sliding.rules import tiles_moved

    return _board_fields(solution.board) | {
        "moves": solution.moves,
        "tiles_moved": None if solution.moves is None else tiles_moved(solution.board, solution.moves),
        "metric": solution.metric,
        "length": solution.length,
        "proven": solution.proven,
        "ratio": solution.ratio,
        "lower_bound": solution.lower_bound,
        "solutions": solution.solutions,
        "expanded": solution.expanded,
        "generated": solution.generated,
        "bounds": [vars(bound) for bound in solution.bounds],
        "complete": solution.complete,
        "seconds": solution.seconds,
    }


def _table_fields(file: TableFile) -> dict[str, Any]:
    return vars(file) | {"path": str(file.path)}


def _verdict_fields(verdict: Verdict) -> dict[str, Any]:
    return _board_fields(verdict.boards[0]) | {
        "moves": verdict.moves,
        "tiles_moved": verdict.tiles,
        "length": len(verdict.moves),
        "slides": verdict.slides,
        "solves": verdict.solves,
        "end": list(verdict.boards[-1].tiles),
    }


def _board_fields(board: Board) -> dict[str, Any]:
    return {"rows": board.rows, "columns": board.columns, "goal": board.goal, "tiles": list(board.tiles)}
