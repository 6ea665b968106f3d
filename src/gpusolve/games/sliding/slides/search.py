"""IDA* in the multi-tile metric: one path, vertical and horizontal slides in turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gpusolve import clock
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.outcomes import DEPTH, NEAREST, NEW
from gpusolve.games.sliding.cpu.slides import Lookups, Stack, deepen
from gpusolve.games.sliding.search.engine import Engine
from gpusolve.games.sliding.search.serial import FAR, SerialDeepening
from gpusolve.games.sliding.search.solution import Solution
from gpusolve.games.sliding.slides.tables import check_metric, lookups_of
from gpusolve.runs.run import Run

MOST_SLIDES = 126
"""Longest path; boards of 4x4 take at most 43 slides."""


@dataclass(frozen=True, kw_only=True)
class Slides(Engine):
    """IDA* in which sliding several tiles of a line at once is one move (Korf 1985)."""

    def solve(self, board: Board) -> Solution:
        """Find a solution of the fewest slides.

        Raise BadInput for a board with too many cells, and for one that takes more than `MOST_SLIDES` slides.
        """
        check_metric(board)
        with clock.building:
            lookups = lookups_of(board.layout)
        return self.search(board, lookups)

    def search(self, board: Board, lookups: Lookups) -> Solution:
        """Find a solution with the look-ups of the board size, which several calls can share."""
        searches = [Search(board, lookups, axis) for axis in range(2)]
        search = SerialDeepening(board, searches, max_bound=self.bound, most_moves=MOST_SLIDES, metric="multi-tile")
        return search.run(Run("sliding.solve", {}, seed=0, time_limit=self.time_limit), self.progress)


class Search:
    """A depth-first search from a board whose first slide has a given axis (see `search.serial.PathSearch`)."""

    def __init__(self, board: Board, lookups: Lookups, axis: int) -> None:
        self._board, self._lookups, self._axis = board, lookups, axis
        self._start = board.numbered()
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
        self._stack = Stack(
            board=np.zeros(board.cells, np.int64),
            positions=np.zeros((MOST_SLIDES + 2, len(lookups.table)), np.int64),
            blanks=np.zeros(MOST_SLIDES + 2, np.int64),
            tried=np.zeros(MOST_SLIDES + 2, np.int64),
            counters=np.zeros(4, np.int64),
        )
        self.counters = self._stack.counters
        self.begin()
        self.run(0, 0)  # compiles the search, so that no bound has to

    def begin(self) -> None:
        """Go back to the board."""
        stack = self._stack
        stack.board[:], stack.positions[0] = self._start.tiles, self._first
        stack.blanks[0], stack.tried[0], stack.counters[:] = self._start.blank, NEW, 0
        stack.counters[NEAREST] = FAR

    def run(self, bound: int, budget: int) -> int:
        """Search on within a bound; return DONE, FOUND, or PAUSED after `budget` nodes."""
        rows, columns = self._start.rows, self._start.columns
        return int(deepen(self._axis, bound, budget, rows, columns, self._lookups, self._stack))

    def moves(self) -> str:
        """Return the moves of the blank on the path, one for each tile, in the directions of the board as given."""
        path, columns = self._stack.blanks[: self.counters[DEPTH] + 1].tolist(), self._start.columns
        found = ""
        for start, end in pairwise(path):
            (row, column), (row_2, column_2) = divmod(start, columns), divmod(end, columns)
            found += "D" * (row_2 - row) + "U" * (row - row_2) + "R" * (column_2 - column) + "L" * (column - column_2)
        return self._board.as_given(found)
