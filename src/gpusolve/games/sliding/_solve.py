"""Solving a board optimally, by iterative deepening over pattern databases."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_number, check_type
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.sliding.automata.strings import MOST_DEPTH
from gpusolve.games.sliding.boards import Board, check_solvable
from gpusolve.games.sliding.databases.catalogue import databases_of, partition_of
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.rules import solves
from gpusolve.games.sliding.search.deepening import MOST_BOUND, Deepening
from gpusolve.games.sliding.search.jobs import job_runner, run_step
from gpusolve.games.sliding.search.puzzle import Puzzle
from gpusolve.games.sliding.search.solution import Solution, Status
from gpusolve.runs.cluster import open_workers, parse
from gpusolve.runs.run import Run

DEPTH = 14
"""Default length of the forbidden strings of moves."""
MOST_WEIGHT = 10
FINEST = 10  # greatest denominator of a weight


def solve(
    board: Board,
    *,
    partition: str | None = None,
    databases: Databases | None = None,
    depth: int = DEPTH,
    bound: int | None = None,
    all_solutions: bool = False,
    weight: float = 1.0,
    workers: int | str = 1,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Status], object] = lambda status: None,
    backend: Backend | None = None,
) -> Solution:
    """Find an optimal solution of a board, or all of them.

    Parameters
    ----------
    board : Board
        The position to solve.
    partition : str, optional
        The sets of tiles that have a pattern database each, such as ``1,2,3/4,5,6,7,8``, or a partition's name:
        ``6-6-6-6`` for 5x5; ``6-6-3`` or ``5-5-5`` for 4x4. By default the best that has been built, or else the
        fastest to build.
    databases : Databases, optional
        Pattern databases from `open_databases`, which several calls can share. By default each call opens its own; for
        the 24-puzzle these are 2 GB, which takes a moment, and they are built first if this machine does not keep them.
    depth : int, default 14
        Length of the strings of moves that the automaton forbids, 2 to 23. 2 forbids only undoing the last move;
        `all_solutions` implies it.
    bound : int, optional
        Maximum number of moves, 0 to 250. By default there is none.
    all_solutions : bool, default False
        Find all optimal solutions.
    weight : float, default 1
        Above 1, accept a solution that is at most this many times longer than an optimal one, which takes less time. At
        most 10, rounded to a fraction with a denominator of at most 10.
    workers : int or str, default 1
        Number of processes, or the address or file of a Dask scheduler; see `gpusolve.runs.cluster.open_workers`. The
        solution and the number of nodes do not depend on it.
    time_limit : float, optional
        Seconds after which the search stops.
    checkpoint : Path, optional
        The file to which the state of the search is saved.
    resume : Path, optional
        The checkpoint from which to continue.
    progress : callable, optional
        Called regularly with a `Status`.
    backend : Backend, optional
        The device. By default the one of `databases`, or the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Solution
        Its `moves` are None if there is no solution within the bound or the time.

    Raises
    ------
    NoSolution
        If no moves lead to the goal.
    BadInput
        For numbers out of range, for databases that do not fit the board or the other arguments, for a board that
        takes more than 250 moves, and for a checkpoint of another search.
    WrongSolution
        If moves do not lead to the goal by the rules, which would be a fault of gpusolve.

    References
    ----------
    .. [1] R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27
       (1985).
    .. [2] R. E. Korf and A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134 (2002).

    Examples
    --------
    >>> from gpusolve.games.sliding import parse_board
    >>> solution = solve(parse_board("8 6 7 / 2 5 4 / 3 0 1"))
    >>> len(solution.moves), solution.proven
    (27, True)
    """
    check_type("board", board, Board)
    if databases is not None:
        check_type("databases", databases, Databases)
    check_options(depth=depth, bound=bound, weight=weight, workers=workers)
    check_solvable(board)
    if databases is None:
        chosen = partition_of(board.rows, board.columns, partition)
    else:
        _check_databases(databases, board, partition, backend)
        chosen = databases.partition
    sets = str(chosen)
    exact_weight = Fraction(weight).limit_denominator(FINEST)
    depth = 2 if all_solutions else depth
    settings = {
        "board": str(board),
        "goal": board.goal,
        "partition": sets,
        "depth": depth,
        "bound": bound,
        "all_solutions": all_solutions,
        "weight": float(exact_weight),
    }
    run = Run("sliding.solve", settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    if databases is None:
        databases = databases_of(chosen, open_backend(backend))
    puzzle = Puzzle(board, databases, depth)
    search = Deepening(puzzle, weight=exact_weight, max_bound=bound, all_solutions=all_solutions)
    if run.state:
        search.restore(run.state)
    # In this process a step is one launch, so that progress is shown and Ctrl-C noticed; a worker runs a whole job.
    in_this_process = parse(workers) == (None, 1)
    prepare = (lambda _: partial(run_step, puzzle)) if in_this_process else partial(job_runner, board, sets, depth)
    with (
        open_workers(workers, prepare, databases.backend, run=run, progress=progress) as opened,
        run.saved(search.state) as more,
    ):
        while not search.finished and more():
            search.step(opened)
            progress(search.status)
    solution = search.solution(run.seconds)
    check_solution(solution)
    return solution


def check_solution(solution: Solution) -> None:
    """Raise WrongSolution unless every solution leads to the goal by the rules."""
    for moves in solution.solutions:
        if not solves(solution.board, moves):
            raise WrongSolution(f"{solution.board}: the search returned {moves}, which does not lead to the goal")


def check_options(*, depth: int, bound: int | None, weight: float, workers: int | str) -> None:
    """Raise BadInput for options of `solve` that are out of range, before anything takes time."""
    check_integer("depth", depth, 2, MOST_DEPTH)
    check_number("weight", weight, 1, MOST_WEIGHT)
    if bound is not None:
        check_integer("bound", bound, 0, MOST_BOUND)
    parse(workers)


def _check_databases(databases: Databases, board: Board, partition: str | None, backend: Backend | None) -> None:
    """Raise BadInput unless databases fit the board and the other arguments of `solve`."""
    own = databases.partition
    if (own.rows, own.columns) != (board.rows, board.columns):
        raise BadInput(
            f"databases for {own.rows}x{own.columns}: expected databases for a board of {board.rows}x{board.columns}"
        )
    if partition is not None and partition_of(board.rows, board.columns, partition) != own:
        raise BadInput(f"partition {partition}: expected that of the databases, {own}")
    if backend is not None and open_backend(backend) is not databases.backend:
        raise BadInput(
            f"backend {open_backend(backend).name}: expected that of the databases, {databases.backend.name}"
        )
