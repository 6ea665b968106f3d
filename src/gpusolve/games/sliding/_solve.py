"""Optimal solutions of boards, by iterative deepening over pattern databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer, check_number, check_type
from gpusolve.games.sliding.boards import Board, check_solvable
from gpusolve.games.sliding.databases.catalogue import Progress as Building, partition_of
from gpusolve.games.sliding.search.deepening import Deepening
from gpusolve.games.sliding.search.jobs import open_puzzle, searching, stepped
from gpusolve.games.sliding.search.solution import Solution, Status
from gpusolve.runs.cluster import open_workers, parse
from gpusolve.runs.run import Run

DEPTH = 14
"""Length of the forbidden strings of the automaton."""
MOST_BOUND = 250
MOST_WEIGHT = 10
FINEST = 10  # denominator of a weight


def solve(
    board: Board,
    partition: str | None = None,
    depth: int = DEPTH,
    bound: int | None = None,
    all_solutions: bool = False,
    weight: float = 1.0,
    workers: int | str = 1,
    building: Building | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Status], object] = lambda status: None,
    backend: Backend | None = None,
) -> Solution:
    """An optimal solution of a board; with `all_solutions` every one.

    `partition`: a name or sets of tiles (`catalogue.partition_of`). `depth`: of the automaton, 2 to forbid nothing but
    to take a move back, as `all_solutions` needs it. `bound`: solutions of more moves are not looked for. `weight`:
    above 1, the solution may be so many times longer than an optimal one, and is found sooner. `open_workers` tells of
    `workers`: what is found, and in how many nodes, does not depend on them. Raises NoSolution for a board that cannot
    be solved, BadInput for numbers out of range and a checkpoint of another search.

    >>> from gpusolve.games.sliding import parse_board
    >>> solve(parse_board("8 6 7 / 2 5 4 / 3 0 1")).least
    27
    """
    check_type("board", board, Board)
    check_number("weight", weight, 1, MOST_WEIGHT)
    if bound is not None:
        check_integer("bound", bound, 0, MOST_BOUND)
    alone = parse(workers) == (None, 1)
    check_solvable(board)
    tables_of = partition_of(board.rows, board.columns, partition)
    exact = Fraction(weight).limit_denominator(FINEST)
    depth = 2 if all_solutions else depth
    settings = {
        "board": str(board),
        "goal": board.goal,
        "partition": str(tables_of),
        "depth": depth,
        "bound": bound,
        "all_solutions": all_solutions,
        "weight": float(exact),
    }
    run = Run("sliding.solve", settings, 0, checkpoint, resume, time_limit)
    backend = open_backend(backend)
    puzzle = open_puzzle(board, str(tables_of), depth, backend, building)
    search = Deepening(puzzle, exact, bound, all_solutions)
    if run.state:
        search.restore(run.state)
    prepare = (lambda _: partial(stepped, puzzle)) if alone else partial(searching, board, str(tables_of), depth)
    with (
        open_workers(workers, prepare, backend, run=run, progress=progress) as those,
        run.saved(search.state) as more,
    ):
        while not search.over and more():
            search.step(those)
            progress(search.status)
    return replace(search.solution(), seconds=run.seconds)
