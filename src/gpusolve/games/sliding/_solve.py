"""Solving a board: optimally by iterative deepening, or well by a beam."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, check_integer, check_number, check_type
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.sliding.automata.strings import MOST_DEPTH
from gpusolve.games.sliding.beams.search import MOST_MOVES, MOST_WIDTH, WIDTH, solve_by_beam
from gpusolve.games.sliding.boards import EXACT_CELLS, Board, check_exact_size, check_solvable
from gpusolve.games.sliding.databases.catalogue import databases_of, is_built, partition_of
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.heuristics.search import solve_by
from gpusolve.games.sliding.heuristics.tables import HEURISTICS, Heuristic
from gpusolve.games.sliding.rules import solves
from gpusolve.games.sliding.search.deepening import MOST_BOUND, Deepening
from gpusolve.games.sliding.search.jobs import job_runner, run_step
from gpusolve.games.sliding.search.puzzle import Puzzle
from gpusolve.games.sliding.search.solution import METRICS, Metric, Solution, Status
from gpusolve.games.sliding.slides.search import solve_by_slides
from gpusolve.runs.cluster import open_workers, parse
from gpusolve.runs.run import Run
from gpusolve.runs.seeds import check_seed

Strategy: TypeAlias = Literal["auto", "deepening", "beam"]
STRATEGIES: tuple[Strategy, ...] = ("auto", "deepening", "beam")
DEPTH = 14
"""Default length of the forbidden strings of moves."""
MOST_WEIGHT = 10
FIRST_WEIGHT, FIRST_SECONDS = 1.5, 5.0
"""Weight and time limit of a first answer."""
FINEST = 10  # greatest denominator of a weight


def solve(
    board: Board,
    *,
    strategy: Strategy = "auto",
    metric: Metric = "single-tile",
    heuristic: Heuristic = "pdb",
    partition: str | None = None,
    databases: Databases | None = None,
    depth: int = DEPTH,
    bound: int | None = None,
    all_solutions: bool = False,
    weight: float = 1.0,
    width: int | None = None,
    workers: int | str = 1,
    seed: int | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Status], object] = lambda status: None,
    backend: Backend | None = None,
) -> Solution:
    """Find an optimal solution of a board, or all of them; or a good solution of a board of up to 7x7.

    Parameters
    ----------
    board : Board
        The position to solve.
    strategy : {"auto", "deepening", "beam"}
        ``deepening`` finds an optimal solution of a board of up to 25 cells and proves it. ``beam`` finds a good one of
        any board: beams of growing width, then each window of the solution is searched for fewer moves. It needs small
        databases only, 2 to 30 MB, and takes `width`, `seed`, `bound`, `time_limit`, `progress` and `backend`. ``auto``
        is ``deepening`` where that is possible, else ``beam``.
    metric : {"single-tile", "multi-tile"}
        What one move is: a tile that slides by a cell, or one to several tiles of a line that slide by a cell at once.
        ``multi-tile`` is for boards of up to 16 cells. It has its own tables, which take seconds to build and 64 MB;
        one thread searches, and takes `bound`, `time_limit` and `progress` only.
    heuristic : {"pdb", "manhattan", "linear-conflict", "walking-distance"}
        The lower bound on the moves left. ``pdb``: pattern databases. The others are those of the textbooks, for boards
        of up to 16 cells (all but ``manhattan``: with sides of at most 4). They need no databases and forbid only
        undoing the last move; they are searched by one thread, and take `bound`, `time_limit` and `progress` only.
    partition : str, optional
        The sets of tiles that have a pattern database each, such as ``1,2,3/4,5,6,7,8``, or a partition's name:
        ``large`` or ``small``; ``6-6-6-6-best``, ``6-6-6-6`` or ``5-5-5-4-4-1`` for 5x5; ``6-6-3`` or ``5-5-5`` for
        4x4. By default the best that has been built, or else ``large`` for 5x5 and ``small`` for 4x4; ``small`` if
        memory or disk is short. With two partitions and a ``+`` between them, the search looks up both, instead of one
        straight and reflected.
    databases : Databases, optional
        Pattern databases from `open_databases`, which several calls can share. By default each call opens its own; for
        the 24-puzzle these are 3 GB, which takes a moment, and they are built first if this machine does not keep them.
    depth : int, default 14
        Length of the strings of moves that the automaton forbids, 2 to 23. 2 forbids only undoing the last move;
        `all_solutions` implies it.
    bound : int, optional
        Maximum number of moves, 0 to 250; with a beam, to 1,000. By default there is none.
    all_solutions : bool, default False
        Find all optimal solutions.
    weight : float, default 1
        Above 1, accept a solution that is at most this many times longer than an optimal one, which takes less time. At
        most 10, rounded to a fraction with a denominator of at most 10.
    width : int, optional
        Number of boards that the widest beam keeps after each move; by default 10,000.
    workers : int or str, default 1
        Number of processes, or the address or file of a Dask scheduler; see `gpusolve.runs.cluster.open_workers`. The
        solution and the number of nodes do not depend on it.
    seed : int, optional
        Breaks ties of a beam at random. Without a seed, the lowest parent and then the lowest move win.
    time_limit : float, optional
        Seconds after which the search stops. Building tables and compiling kernels does not count.
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
    >>> from gpusolve.games.sliding import Board, parse_board
    >>> solution = solve(parse_board("8 6 7 / 2 5 4 / 3 0 1"))
    >>> len(solution.moves), solution.proven
    (27, True)
    >>> larger = Board(6, 6, (1, 7, 2, 3, 4, 5, 6, 0, *range(8, 36)))
    >>> solve(larger, width=100).moves
    'UL'
    """
    check_type("board", board, Board)
    check_choice("strategy", strategy, STRATEGIES)
    of_databases = {
        "partition": partition is not None,
        "databases": databases is not None,
        "depth": depth != DEPTH,
        "all_solutions": all_solutions,
        "weight": weight != 1,
        "workers": parse(workers) != (None, 1),
        "checkpoint": checkpoint is not None,
        "resume": resume is not None,
    }
    if takes_beam(board, strategy):
        _check_plain(
            "strategy deepening",
            metric=metric != "single-tile",
            heuristic=heuristic != "pdb",
            **of_databases,
        )
        check_beam_options(width=width, seed=seed, bound=bound, time_limit=time_limit)
        check_solvable(board)
        solution = solve_by_beam(
            board,
            width=WIDTH if width is None else width,
            seed=seed,
            bound=bound,
            time_limit=time_limit,
            progress=progress,
            backend=open_backend(backend),
        )
        check_solution(solution)
        return solution
    _check_plain("strategy beam", width=width is not None, seed=seed is not None)
    check_exact_size(board.rows, board.columns)
    check_choice("metric", metric, METRICS)
    check_choice("heuristic", heuristic, HEURISTICS)
    if metric != "single-tile" or heuristic != "pdb":
        _check_plain(
            f"heuristic pdb, not {heuristic}" if metric == "single-tile" else f"metric single-tile, not {metric}",
            heuristic=metric != "single-tile" and heuristic != "pdb",
            **of_databases,
        )
        check_options(depth=depth, bound=bound, weight=weight, workers=workers)
        check_solvable(board)
        if heuristic == "pdb":
            solution = solve_by_slides(board, bound=bound, time_limit=time_limit, progress=progress)
        else:
            solution = solve_by(board, heuristic, bound=bound, time_limit=time_limit, progress=progress)
        check_solution(solution)
        return solution
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
    with clock.building:
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


def first_answer(board: Board, backend: Backend, *, eager: bool = False) -> Solution | None:
    """Return a quick solution from small databases if the default ones have not been built yet, else None.

    If `eager`, also return it if both have been built: the default ones take a second to open.
    """
    if board.cells > EXACT_CELLS:
        return None
    default, small = (partition_of(board.rows, board.columns, name) for name in (None, "small"))
    if default == small or (is_built(default) and not (eager and is_built(small))):
        return None
    return solve(board, databases=databases_of(small, backend), weight=FIRST_WEIGHT, time_limit=FIRST_SECONDS)


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


def takes_beam(board: Board, strategy: Strategy) -> bool:
    """Return whether a board is solved by a beam."""
    return strategy == "beam" or (strategy == "auto" and board.cells > EXACT_CELLS)


def check_beam_options(*, width: int | None, seed: int | None, bound: int | None, time_limit: float | None) -> None:
    """Raise BadInput for options of a beam that are out of range."""
    if width is not None:
        check_integer("width", width, 1, MOST_WIDTH)
    if seed is not None:
        check_seed(seed)
    if bound is not None:
        check_integer("bound", bound, 0, MOST_MOVES)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, float("inf"))


def _check_plain(expected: str, **given: bool) -> None:
    """Raise BadInput for options of `solve` that other choices do not have."""
    for name in (name for name, value in given.items() if value):
        raise BadInput(f"{name}: expected only with {expected}")


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
