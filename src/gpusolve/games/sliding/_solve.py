"""Solving a board: optimally by iterative deepening, or well by a beam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from gpusolve.backend import Backend
from gpusolve.checks import check_choice
from gpusolve.errors import BadInput, WrongSolution
from gpusolve.games.sliding.beams.search import Beams
from gpusolve.games.sliding.boards import EXACT_CELLS, AnyBoard, Board, check_solvable
from gpusolve.games.sliding.databases.catalogue import (
    databases_of,
    is_built,
    most_alike,
    partition_for,
    stays_open,
)
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.databases.search import DEPTH, PatternDatabases
from gpusolve.games.sliding.heuristics.search import Textbook
from gpusolve.games.sliding.heuristics.tables import HEURISTICS, MOST_CELLS, Heuristic
from gpusolve.games.sliding.rules import solves
from gpusolve.games.sliding.search.engine import Engine
from gpusolve.games.sliding.search.saved import board_of
from gpusolve.games.sliding.search.solution import METRICS, Metric, Solution, Status
from gpusolve.games.sliding.slides.search import Slides
from gpusolve.runs.cluster import parse

Strategy: TypeAlias = Literal["auto", "deepening", "beam"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
FIRST_WEIGHT, FIRST_SECONDS = 1.5, 5.0
"""Weight and time limit of a first answer."""
ENGINES: dict[type[Engine], dict[str, str]] = {
    PatternDatabases: {"strategy": "deepening", "metric": "single-tile", "heuristic": "pdb"},
    Textbook: {"strategy": "deepening", "metric": "single-tile"},
    Slides: {"strategy": "deepening", "metric": "multi-tile"},
    Beams: {"strategy": "beam"},
}
"""The engines, and the options of `solve` that lead to each of them. The first that fits is taken."""


def solve(
    board: AnyBoard | None = None,
    *,
    goal: str | None = None,
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
    """Find an optimal solution and prove it, or a good one.

    On the command line, several boards are solved one after another. Pattern databases that do not exist yet are built
    first; for the 24-puzzle a first answer is shown before that. If memory or disk is short, small ones are used.
    `resume` continues with the board of the checkpoint, and then with the boards after it.

    Parameters
    ----------
    board : Board, str, Path or sequence of str, optional
        Tiles row by row with 0 or _ for the blank, such as ``8 6 7 / 2 5 4 / 3 0 1``, or the tiles of one square board
        without quotes; or a file of boards, one per line, with or without an index as in Korf's files; or - for stdin;
        or ``article``, the ten 24-puzzles of Korf and Taylor (1996). Letters can stand for numbers, and tiles that look
        alike can change places. By default the board of the checkpoint in `resume`.
    goal : str, optional
        Position to reach: ``blank-first`` (0 1 2 ... n), ``blank-last`` (1 2 ... n 0), ``columns``, ``snake``,
        ``spiral``, or the tiles of any board. By default one of the first two that can be reached, blank-first if both
        can.
    strategy : {"auto", "deepening", "beam"}
        ``deepening``: an optimal solution, proven, for boards of up to 25 cells. ``beam``: a good solution for boards
        of up to 7x7, with small databases of 2 to 30 MB: beams of growing width, then each window of the solution is
        searched for fewer moves. ``auto``: deepening if the board is small enough, else beam.
    metric : {"single-tile", "multi-tile"}
        What one move is: a tile that slides, or several tiles of a line at once (for boards of up to 16 cells).
        ``multi-tile`` has tables of its own, 231 MB for 4x4, which are built first in 10 to 20 seconds.
    heuristic : {"pdb", "manhattan", "linear-conflict", "walking-distance"}
        Lower bound on the moves left. ``pdb``: pattern databases. The others are those of the textbooks, for boards of
        up to 16 cells (all but ``manhattan``: with sides of at most 4). They need no databases and forbid only undoing
        the last move; they take `bound` and `time_limit` only.
    partition : str, optional
        Sets of tiles that have a pattern database each, such as ``1,2,3/4,5,6,7,8``, or a partition's name: ``large``
        or ``small``; ``6-6-6-6-best``, ``6-6-6-6`` or ``5-5-5-4-4-1`` for 5x5; ``7-8``, ``7-7-1``, ``6-6-3`` or
        ``5-5-5`` for 4x4. By default the best that has been built, or else ``large`` for 5x5 and ``small`` for 4x4;
        ``small`` if memory or disk is short; for 5x5, the first bounds of the board choose between ``6-6-6-6-best`` and
        ``6-6-6-6`` if both have been built, and a search whose next bound takes long changes to the best two of the
        partitions that ten tables serve (10 GB). They are built once, when they pay and if there is no time limit. With
        two partitions and a ``+`` between them, the search looks up both, instead of one straight and reflected.
    databases : Databases, optional
        Open pattern databases from `open_databases`, which several calls can share. By default each call opens its own;
        for the 24-puzzle these are 3 GB, which takes a moment, and they are built first if this machine does not keep
        them.
    depth : int, default 14
        Length of the strings of moves that the automaton forbids, 2 to 23. 2 forbids only undoing the last move;
        `all_solutions` implies it.
    bound : int, optional
        Maximum number of moves of a solution, 0 to 250; with a beam, to 1,000. By default there is none.
    all_solutions : bool, default False
        Find all optimal solutions.
    weight : float, default 1
        Above 1, accept a solution that is at most this many times longer than an optimal one, which takes less time. At
        most 10, rounded down to a fraction with a denominator of at most 10. Weights above 1.8 would save nothing more,
        so their solutions are at most 1.8 times as long.
    width : int, optional
        With a beam: number of boards that the widest one keeps after each move. By default 10,000.
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default nothing is random: of boards that a beam ranks alike, it
        keeps the one with the lowest parent, and then with the lowest move.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint.
    progress : callable, optional
        Called with a `Status` from time to time.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``. `databases` have their own.

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
    ``gpusolve sliding solve '8 6 7 / 2 5 4 / 3 0 1'``

    >>> solution = solve("8 6 7 / 2 5 4 / 3 0 1")
    >>> len(solution.moves), solution.proven
    (27, True)
    >>> solve([str(tile) for tile in (1, 7, 2, 3, 4, 5, 6, 0, *range(8, 36))], width=100).moves
    'UL'
    """
    options = dict(locals())
    del options["board"], options["goal"]
    start = Board.parse(board_of(resume) if board is None else board, goal=goal)
    engine = engine_of(start, **options)
    check_solvable(start)
    solution = engine.solve(start)
    check_solution(solution)
    return solution


def engine_of(board: Board, **options: Any) -> Engine:
    """Return the engine that `solve` takes for a board. Raise BadInput for an option that this engine does not have."""
    for name, known in (("strategy", STRATEGIES), ("metric", METRICS), ("heuristic", HEURISTICS)):
        check_choice(name, options[name], known)
    if parse(options["workers"]) == (None, 1):
        options["workers"] = 1  # also written as text
    usual = all(options[name] == DEFAULTS[name] for name in ("strategy", "metric", "heuristic"))
    if usual and has_large_kind(board) and board.cells <= MOST_CELLS:
        options["heuristic"] = "manhattan"
    choices = options | {"strategy": "beam" if takes_beam(board, options["strategy"]) else "deepening"}
    engine = next(
        engine for engine, lead in ENGINES.items() if all(choices[name] == value for name, value in lead.items())
    )
    for name, value in options.items():
        default = DEFAULTS[name]
        if name not in _options_of(engine) and value is not default and np.any(value != default):
            owner = next(other for other in ENGINES if name in _options_of(other))
            choice, needed = next(item for item in ENGINES[owner].items() if choices[item[0]] != item[1])
            instead = f", not {options[choice]}" if options[choice] != DEFAULTS[choice] else ""
            raise BadInput(f"{name}: expected only with {choice} {needed}{instead}")
    return engine(**{field.name: options[field.name] for field in fields(engine)})


@cache
def _options_of(engine: type[Engine]) -> frozenset[str]:
    return frozenset([*ENGINES[engine], *(field.name for field in fields(engine))])


DEFAULTS: dict[str, Any] = {name: value for name, value in (solve.__kwdefaults__ or {}).items() if name != "goal"}


def first_answer(board: Board, backend: Backend, *, eager: bool = False) -> Solution | None:
    """Return a quick solution from small databases if the default ones have not been built yet, else None.

    If `eager`, also return it if both have been built and the default ones are so large that they take a second to
    open.
    """
    if board.cells > EXACT_CELLS or board.layout.alike:
        return None
    default, small = (partition_for(board, name) for name in (None, "small"))
    slow = eager and is_built(small) and not stays_open(default)
    if default == small or (is_built(default) and not slow):
        return None
    return solve(board, databases=databases_of(small, backend), weight=FIRST_WEIGHT, time_limit=FIRST_SECONDS)


def check_solution(solution: Solution) -> None:
    """Raise WrongSolution unless every solution leads to the goal by the rules."""
    for moves in solution.solutions:
        if not solves(solution.board, moves):
            raise WrongSolution(f"{solution.board}: the search returned {moves}, which does not lead to the goal")


def takes_beam(board: Board, strategy: Strategy) -> bool:
    """Return whether a board is solved by a beam."""
    is_large = board.cells > EXACT_CELLS or (has_large_kind(board) and board.cells > MOST_CELLS)
    return strategy == "beam" or (strategy == "auto" and is_large)


def has_large_kind(board: Board) -> bool:
    """Return whether more tiles look alike than a pattern database has room for."""
    return any(len(kind) > most_alike(board.cells) for kind in board.layout.alike)
