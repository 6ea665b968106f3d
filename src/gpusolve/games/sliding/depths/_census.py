"""A census: how many positions of a board are how many moves from the goal, and which are the hardest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial

import numpy as np

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice, check_integer, check_number
from gpusolve.errors import BadInput, Exit
from gpusolve.games.sliding.boards import Board, solved_board
from gpusolve.games.sliding.depths.levels import Levels
from gpusolve.games.sliding.depths.ranks import Ranks
from gpusolve.games.sliding.search.solution import METRICS, Metric
from gpusolve.result import Result, reported

MOST_CELLS = 14
"""Maximum number of cells: 43.6 billion positions, for which a search in the single-tile metric takes 7 GB."""
MOST_HARDEST = 1000


@dataclass(frozen=True, repr=False)
class Census(Result, schema="sliding.census/1"):
    """All positions of a board, counted by their depth.

    Attributes
    ----------
    rows, columns : int
        Size of the board.
    goal : str
        The position to reach.
    metric : {"single-tile", "multi-tile"}
        What counts as one move.
    counts : list of int
        Number of positions at each depth: the fewest moves that lead to the goal.
    hardest : list of str
        Positions at the greatest depth: as many as were asked for, or all.
    seconds : float
        Seconds of the search.
    complete : bool
        Whether all positions are counted.
    """

    rows: int
    columns: int
    goal: str
    metric: Metric
    counts: list[int]
    hardest: list[str]
    seconds: float
    complete: bool

    @property
    def exit_code(self) -> int:
        """`Exit.STOPPED` if the time was up, else `Exit.DONE`."""
        return super().exit_code if self.complete else Exit.STOPPED

    @reported
    def depth(self) -> int:
        """The greatest depth: if the census is complete, no position needs more moves."""
        return len(self.counts) - 1

    @reported
    def positions(self) -> int:
        """Number of positions that were counted."""
        return sum(self.counts)

    @reported
    def mean(self) -> float:
        """Their mean depth."""
        return sum(depth * count for depth, count in enumerate(self.counts)) / self.positions


def census(
    *,
    rows: int = 3,
    columns: int = 3,
    goal: str = "blank-first",
    metric: Metric = "single-tile",
    hardest: int = 2,
    time_limit: float | None = None,
    progress: Callable[[int], object] = lambda positions: None,
    backend: Backend | None = None,
) -> Census:
    """Count all positions of a board by the fewest moves to the goal.

    A complete breadth-first search with one or two bits for each position. It shows how hard the hardest positions are,
    and lists them.

    Parameters
    ----------
    rows : int, default 3
        Number of rows; a board has at most 14 cells here.
    columns : int, default 3
        Number of columns.
    goal : str, default "blank-first"
        Position to reach: ``blank-first`` (0 1 2 ... n), ``blank-last`` (1 2 ... n 0), ``columns``, ``snake``,
        ``spiral``, or the tiles of any board of this size. The counts depend only on the cell of its blank.
    metric : {"single-tile", "multi-tile"}
        What one move is: a tile that slides, or several tiles of a line at once.
    hardest : int, default 2
        Number of the hardest positions that are listed, up to 1,000.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    progress : callable, optional
        Called with the number of positions so far.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Census
        If the time is up, it has the depths that are complete.

    Raises
    ------
    BadInput
        For a board that is too large or has tiles that look alike, for numbers out of range, and if memory is short.

    References
    ----------
    .. [1] R. E. Korf and P. Schultze, "Large-scale parallel breadth-first search", AAAI 2005.

    Examples
    --------
    ``gpusolve sliding census --rows 3 --columns 3``

    >>> found = census(rows=2, columns=3)
    >>> found.depth, found.positions, found.hardest
    (21, 360, ['3 4 5 / 0 1 2'])
    """
    check_choice("metric", metric, METRICS)
    hardest = check_integer("hardest", hardest, 1, MOST_HARDEST)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, float("inf"))
    solved = solved_board(rows, columns, goal)
    if solved.cells > MOST_CELLS:
        raise BadInput(f"{rows}x{columns} is {solved.cells} cells: expected at most {MOST_CELLS}")
    if len({*solved.tiles}) < solved.cells:
        raise BadInput(f"goal {goal}: expected tiles that are all different")
    upright = _upright(solved)
    ranks = Ranks(max(rows, columns), min(rows, columns), [solved.tiles[cell] for cell in upright].index(0))
    device, single = open_backend(backend), metric == "single-tile"
    needed, free = Levels.bytes_of(ranks, single=single), device.free_memory
    if free is not None and needed > free:
        size = f"{needed / 2**30:.1f} GiB of memory"
        raise BadInput(f"{rows}x{columns} needs {size}, but {free / 2**30:.1f} GiB are free on {device.name}")
    with clock.building:
        levels, counts = Levels(device, ranks, single=single), [1]
    begin, total = clock.now(), factorial(solved.cells) // 2
    while (positions := sum(counts)) < total:
        if time_limit is not None and clock.now() - begin >= time_limit:
            break
        counts.append(levels.advance())
        progress(sum(counts))
    boards = [str(board) for board in _boards(levels, solved, hardest)]
    return Census(rows, columns, goal, metric, counts, boards, clock.now() - begin, positions == total)


def _upright(board: Board) -> list[int]:
    """Return the cells of a board row by row, or column by column if its rows are longer."""
    cells = np.arange(board.cells).reshape(board.rows, board.columns)
    return (cells if board.rows >= board.columns else cells.T).ravel().tolist()


def _boards(levels: Levels, solved: Board, most: int) -> list[Board]:
    """Return positions of the last level as boards, in ascending order of their tiles."""
    upright = _upright(solved)
    names = [solved.tiles[cell] for cell in upright if solved.tiles[cell]]
    found = []
    for blank, orders in levels.positions(most):
        for order in orders.tolist():
            tiles = [0] * solved.cells
            for cell, tile in zip(upright[:blank] + upright[blank + 1 :], order, strict=True):
                tiles[cell] = names[tile]
            found.append(tuple(tiles))
    return [Board(solved.rows, solved.columns, tiles, solved.goal, solved.letters) for tiles in sorted(found)]
