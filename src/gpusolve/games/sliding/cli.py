"""What only the command line and the server do: several boards one after another, with a first answer.

Boards of one size share open pattern databases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from gpusolve.errors import BadInput
from gpusolve.output import report

if TYPE_CHECKING:
    from gpusolve.backend import Backend
    from gpusolve.commands.running import Call
    from gpusolve.games.sliding.boards import Board
    from gpusolve.games.sliding.databases.lookups import Databases
    from gpusolve.games.sliding.heuristics._compare import Comparison, Comparisons
    from gpusolve.games.sliding.search.solution import Solution
    from gpusolve.result import Result


def solve(call: Call) -> Iterator[Result]:
    """Solve boards, with one time limit for all of them."""
    from gpusolve.games.sliding import drawing
    from gpusolve.games.sliding.boards import check_solvable, load_boards
    from gpusolve.games.sliding.search.saved import board_of, position

    board, resume, goal = (call.value(name) for name in ("board", "resume", "goal"))
    asked = load_boards(board_of(resume) if board is None else board, goal=goal)
    for name in ("csv", "html"):
        if call.value(name) is not None and len(asked) > 1:
            raise BadInput(f"--{name}: {len(asked)} boards: expected one")
    for board in asked:
        check_solvable(board)
    report.show(drawing.goal_notes(asked), call.quiet)
    # This imports Numba: after errors in boards.
    from gpusolve.games.sliding._solve import DEFAULTS, engine_of, first_answer
    from gpusolve.games.sliding.databases.choice import alternatives, chosen_before
    from gpusolve.games.sliding.databases.pairs import may_change
    from gpusolve.games.sliding.databases.search import PatternDatabases

    options = {name: value for name, value in call.of("").items() if name in DEFAULTS}
    engines = [engine_of(board, **(DEFAULTS | options)) for board in asked]
    limit = call.value("time_limit")
    first = 0 if resume is None else position(asked, resume)
    file = call.value("checkpoint") or resume
    partition, databases = call.value("partition"), None
    for board, engine in zip(asked[first:], engines[first:], strict=True):
        given: dict[str, object] = {"board": board, "goal": None, "time_limit": limit, "resume": resume}
        if isinstance(engine, PatternDatabases):
            if not _fit(databases, board):
                databases = None  # frees its memory first
                if partition is None and resume is None and engine.bound is None:
                    eager = report.watched()
                    if eager or not call.quiet:
                        _show_first(first_answer(board, call.backend, eager=eager), call.quiet)
                chosen = partition
                if partition is None and resume is not None:
                    chosen = chosen_before(board, resume)
                if chosen is not None or not alternatives(board):
                    databases = _open_databases(board, chosen, call.backend, call.quiet)
            given["checkpoint"] = file
            changes = partition is None and resume is None and may_change(board, call.backend)
            if databases is not None and not changes:  # else the search opens them, and others later
                given |= {"databases": databases, "partition": None}
        if len(asked) > 1 and not call.json:
            report.text(str(board))
        yield call.run(**given)
        resume = None
        if limit is not None:
            limit = max(0.0, limit - call.seconds)


def compare(call: Call) -> Result:
    """Show the table of each board when it is ready, and then the means. JSON and a page have all boards at once."""
    from gpusolve.games.sliding import drawing
    from gpusolve.games.sliding.boards import load_boards
    from gpusolve.games.sliding.heuristics.tables import check_heuristic

    asked = load_boards(call.value("boards"), goal=call.value("goal"))
    for board in asked:
        check_heuristic(board, "pdb")
    report.show(drawing.goal_notes(asked), call.quiet)
    from gpusolve.games.sliding.heuristics._compare import Means  # it imports Numba

    at_once = call.json or call.value("html") is not None
    rows: list[Comparison] = []
    databases = None
    for boards in [asked] if at_once else [[board] for board in asked]:
        if not _fit(databases, boards[0]):
            databases = _open_databases(boards[0], call.value("partition"), call.backend, call.quiet)
        made = cast("Comparisons", call.run(boards=boards, goal=None, databases=databases))
        if at_once:
            return made
        report.show(made.drawing(), call.quiet)
        rows += made
    return Means(rows)


def _fit(databases: Databases | None, board: Board) -> bool:
    """Return whether these pattern databases are open and those of the board's size and goal."""
    return databases is not None and databases.partition.layout == board.layout


def _open_databases(board: Board, partition: str | None, backend: Backend, quiet: bool) -> Databases:
    """Open the pattern databases of a board, or build them first, with progress."""
    from gpusolve.games.sliding import drawing
    from gpusolve.games.sliding.databases.catalogue import keep_databases, partition_for

    with drawing.BuildProgress(quiet) as building:
        return keep_databases(partition_for(board, partition), backend, progress=building)


def _show_first(solution: Solution | None, quiet: bool) -> None:
    """Show a solution that was found before the pattern databases are built, and send it to a client."""
    from gpusolve.games.sliding import drawing

    if solution is not None and solution.moves:
        report.show(drawing.first_answer(solution), quiet)
        report.interim(moves=solution.moves, ratio=solution.ratio)
