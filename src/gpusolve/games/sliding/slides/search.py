"""IDA* in the multi-tile metric: one path, vertical and horizontal slides in turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from gpusolve import clock
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.slides import (
    DEPTH,
    EXPANDED,
    FOUND,
    NEAREST,
    NEW,
    PAUSED,
    deepen,
)
from gpusolve.games.sliding.search.solution import Bound, Solution, Status
from gpusolve.games.sliding.slides.tables import Lookups, check_metric, lookups_of

MOST_SLIDES = 126
"""Longest path; boards of 4x4 take at most 43 slides."""
BUDGET = 2_000_000  # nodes between two looks at the clock
FAR = 2**40


class Search:
    """A depth-first search from a board whose first slide has a given axis. It can stop and continue.

    Attributes
    ----------
    height : int
        The tables' lower bound on the number of slides.
    counters : ndarray of int64
        The length of the path, the nodes expanded and generated, and the next bound.
    """

    def __init__(self, board: Board, lookups: Lookups, axis: int) -> None:
        self._lookups, self._axis, self._mirrored = lookups, axis, board.goal == "blank-last"
        self._start = board.blank_first()
        cells = np.array([self._start.tiles.index(tile) for tile in range(board.cells)])
        self._first = np.array(
            [
                place[self._start.blank]
                + sum(int(place[cells[tile]]) << int(bits[tile]) for tile in np.flatnonzero(bits))
                for place, bits in zip(lookups.place, lookups.shift, strict=True)
            ]
        )
        self.height = max(
            int(lookups.tables[table, axis ^ flip, position])
            for table, flip, position in zip(lookups.table, lookups.flip, self._first, strict=True)
        )
        self._tiles = np.zeros(board.cells, np.int64)
        self._positions = np.zeros((MOST_SLIDES + 2, len(lookups.table)), np.int64)
        self._blanks, self._tried = np.zeros(MOST_SLIDES + 2, np.int64), np.zeros(MOST_SLIDES + 2, np.int64)
        self.counters = np.zeros(4, np.int64)
        self.begin()
        self.run(0, 0)  # compiles the search, so that no bound has to

    def begin(self) -> None:
        """Go back to the board."""
        self._tiles[:], self._positions[0] = self._start.tiles, self._first
        self._blanks[0], self._tried[0], self.counters[:] = self._start.blank, NEW, 0
        self.counters[NEAREST] = FAR

    def run(self, bound: int, budget: int) -> int:
        """Search on within a bound; return DONE, FOUND, or PAUSED after `budget` nodes."""
        return int(
            deepen(
                self._axis,
                bound,
                budget,
                self._start.rows,
                self._start.columns,
                *self._lookups,
                self._tiles,
                self._positions,
                self._blanks,
                self._tried,
                self.counters,
            )
        )

    def moves(self) -> str:
        """Return the moves of the blank on the path, one for each tile, in the directions of the board as given."""
        path, columns = self._blanks[: self.counters[DEPTH] + 1].tolist(), self._start.columns
        found = ""
        for start, end in pairwise(path):
            (row, column), (row_2, column_2) = divmod(start, columns), divmod(end, columns)
            found += "D" * (row_2 - row) + "U" * (row - row_2) + "R" * (column_2 - column) + "L" * (column - column_2)
        return found.translate(str.maketrans("UDLR", "DURL")) if self._mirrored else found


def solve_by_slides(
    board: Board,
    *,
    lookups: Lookups | None = None,
    bound: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[Status], object] = lambda status: None,
) -> Solution:
    """Find a solution of the fewest slides of a board that can be solved, by IDA* (Korf 1985).

    Several calls can share the look-ups of a board size.

    Raises BadInput for a board with too many cells, and for one that takes more than `MOST_SLIDES` slides.
    """
    check_metric(board)
    if lookups is None:
        with clock.building:
            lookups = lookups_of(board.rows, board.columns)
    searches = [Search(board, lookups, axis) for axis in range(2)]
    bounds: list[Bound] = []
    begin, limit, complete = clock.now(), min(search.height for search in searches), True
    moves = "" if board.is_solved else None
    while complete and moves is None and (bound is None or limit <= bound):
        if limit > MOST_SLIDES:
            raise BadInput(f"the board takes more than {MOST_SLIDES} slides, which the search has no room for")
        start, done, nearest, expanded, generated = time.monotonic(), [0, 0], FAR, 0, 0
        for search in searches:
            if search.height > limit:
                nearest = min(nearest, search.height)
                continue
            outcome = PAUSED
            search.begin()
            while outcome == PAUSED and complete:
                outcome = search.run(limit, BUDGET)
                expanded, generated = (done[i] + int(search.counters[EXPANDED + i]) for i in range(2))
                past = [each.expanded for each in bounds[-2:]]
                expected = past[1] ** 2 // past[0] if len(past) == 2 and past[0] else 0
                seconds = time.monotonic() - start
                progress(Status(limit, expanded, max(expected, expanded), seconds, tuple(bounds)))
                complete = outcome != PAUSED or time_limit is None or clock.now() - begin < time_limit
            done = [expanded, generated]
            nearest = min(nearest, int(search.counters[NEAREST]))
            if outcome == FOUND:
                moves = search.moves()
                break
        bounds.append(Bound(limit, expanded, generated, time.monotonic() - start))
        if moves is None and complete:
            limit = nearest
    return Solution(
        board=board,
        moves=moves,
        solutions=[] if moves is None else [moves],
        lower_bound=limit,
        bounds=bounds,
        seconds=clock.now() - begin,
        complete=complete,
        metric="multi-tile",
    )
