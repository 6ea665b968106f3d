"""IDA* with one of the textbooks' heuristics: one path, no automaton, and only the undoing of a move forbidden."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpusolve.games.sliding import rules
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.deepening import BLANK, Stack, deepen
from gpusolve.games.sliding.cpu.outcomes import DEPTH, NEAREST, NEW
from gpusolve.games.sliding.heuristics.tables import ORDER, TABLES, Table, check_heuristic, tables_of
from gpusolve.games.sliding.search.engine import Engine
from gpusolve.games.sliding.search.serial import FAR, SerialDeepening
from gpusolve.games.sliding.search.solution import Solution
from gpusolve.runs.run import Run

MOST_PATH = 256  # room for more moves than any bound has


@dataclass(frozen=True, kw_only=True)
class Textbook(Engine):
    """IDA* with a heuristic that needs only small tables (Korf 1985)."""

    heuristic: Table

    def solve(self, board: Board) -> Solution:
        """Find an optimal solution. Raise BadInput if the heuristic cannot be used for a board of this size."""
        check_heuristic(board, self.heuristic)
        search = SerialDeepening(board, [Search(board, self.heuristic)], max_bound=self.bound)
        return search.run(Run("sliding.solve", {}, seed=0, time_limit=self.time_limit), self.progress)


class Search:
    """A depth-first search from a board with one of the heuristics (see `search.serial.PathSearch`).

    Attributes
    ----------
    tiles : ndarray of uint8
        The tiles of the node that the search has reached, numbered as `Layout` explains.
    heights : ndarray of int64
        The heuristic's values on the path to it.
    """

    def __init__(self, board: Board, heuristic: Table) -> None:
        self._board, self._start, self._kind = board, board.numbered(), TABLES.index(heuristic)
        self._tables, numbers = tables_of(board.layout, heuristic)
        tiles, tables = np.array(self._start.tiles, np.uint8), self._tables
        codes = np.zeros((2, max(board.rows, board.columns)), np.int64)
        states = np.zeros((MOST_PATH, 2), np.int64)
        for cell, tile in enumerate(tiles.tolist()):
            for axis in range(2):
                line, place = tables.goal_line[axis + 2, cell], tables.goal_line[3 - axis, cell]
                codes[axis, line] += tables.digit[axis, tile, line] * tables.power[axis, place]
        self.height = int(tables.distance[tiles, np.arange(board.cells)].sum())
        if heuristic == "linear-conflict":
            self.height += int(sum(tables.conflicts[axis, codes[axis]].sum() for axis in range(2)))
        elif heuristic == "walking-distance":
            for axis in range(2):
                states[0, axis] = numbers[axis][rules.walking_state(self._start, axis)]
            self.height = int(tables.walking[[0, 1], states[0]].sum())
        self._first_codes = codes.copy()
        self._stack = Stack(
            board=tiles,
            codes=codes,
            path=np.zeros(MOST_PATH, np.uint8),
            left=np.zeros(MOST_PATH, np.uint8),
            heights=np.zeros(MOST_PATH, np.int64),
            states=states,
            counters=np.zeros(5, np.int64),
        )
        self.tiles, self.heights, self.counters = tiles, self._stack.heights, self._stack.counters
        self.begin()
        self.run(0, 0)  # compiles the search, so that no bound has to

    def begin(self) -> None:
        """Go back to the board."""
        self.tiles[:], self._stack.codes[:] = self._start.tiles, self._first_codes
        self.heights[0], self._stack.left[0], self.counters[:] = self.height, NEW, 0
        self.counters[BLANK], self.counters[NEAREST] = self._start.blank, FAR

    def run(self, bound: int, budget: int) -> int:
        """Search on within a bound; return DONE, FOUND, or PAUSED after `budget` nodes."""
        return int(deepen(self._kind, bound, budget, self._tables, self._stack))

    def moves(self) -> str:
        """Return the moves on the path, in the directions of the board as it was given."""
        return self._board.as_given("".join(ORDER[move] for move in self._stack.path[: self.counters[DEPTH]]))
