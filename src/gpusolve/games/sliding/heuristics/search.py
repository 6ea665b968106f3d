"""IDA* with one of the textbooks' heuristics: one path, no automaton, and only the undoing of a move forbidden."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from gpusolve.games.sliding import rules
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.deepening import (
    BLANK,
    DEPTH,
    EXPANDED,
    FOUND,
    GENERATED,
    NEAREST,
    NEW,
    PAUSED,
    deepen,
)
from gpusolve.games.sliding.heuristics.tables import ORDER, TABLES, Table, check_heuristic, tables_of
from gpusolve.games.sliding.search.solution import Bound, Solution, Status

MOST_PATH = 256  # no board of up to 16 cells takes as many moves
BUDGET = 2_000_000  # nodes between two looks at the clock
FAR = 2**40


class Search:
    """A depth-first search from a board, which can stop after any number of nodes and continue.

    Attributes
    ----------
    height : int
        The heuristic's value of the board.
    tiles : ndarray of uint8
        The tiles of the node that the search has reached, with the goal blank-first.
    heights : ndarray of int64
        The heuristic's values on the path to it.
    counters : ndarray of int64
        The length of the path, the cell of the blank, the nodes expanded and generated, and the next bound.
    """

    def __init__(self, board: Board, heuristic: Table) -> None:
        check_heuristic(board, heuristic)
        self._start, self._kind = board.blank_first(), TABLES.index(heuristic)
        self._mirrored = board.goal == "blank-last"
        self._tables, numbers = tables_of(board.rows, board.columns, heuristic)
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
        self._codes, self._states, self._first_codes = codes, states, codes.copy()
        self._path, self._left = np.zeros(MOST_PATH, np.uint8), np.zeros(MOST_PATH, np.uint8)
        self.heights, self.counters = np.zeros(MOST_PATH, np.int64), np.zeros(5, np.int64)
        self.tiles = tiles
        self.begin()
        self.run(0, 0)  # compiles the search, so that no bound has to

    def begin(self) -> None:
        """Go back to the board."""
        self.tiles[:], self._codes[:] = self._start.tiles, self._first_codes
        self.heights[0], self._left[0], self.counters[:] = self.height, NEW, 0
        self.counters[BLANK], self.counters[NEAREST] = self._start.blank, FAR

    def run(self, bound: int, budget: int) -> int:
        """Search on within a bound; return DONE, FOUND, or PAUSED after `budget` nodes."""
        return int(
            deepen(
                self._kind,
                bound,
                budget,
                *self._tables,
                self.tiles,
                self._codes,
                self._path,
                self._left,
                self.heights,
                self._states,
                self.counters,
            )
        )

    def moves(self) -> str:
        """Return the moves on the path, in the directions of the board as it was given."""
        path = self._path[: self.counters[DEPTH]].tolist()
        return "".join(ORDER[3 - move if self._mirrored else move] for move in path)


def solve_by(
    board: Board,
    heuristic: Table,
    *,
    bound: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[Status], object] = lambda status: None,
) -> Solution:
    """Find an optimal solution of a board that can be solved, by IDA* with a heuristic (Korf 1985).

    Raises BadInput if the heuristic cannot be used for a board of this size.
    """
    search = Search(board, heuristic)
    bounds: list[Bound] = []
    begin, limit, complete = time.monotonic(), search.height, True
    moves = "" if board.is_solved else None
    while complete and moves is None and (bound is None or limit <= bound):
        start, outcome = time.monotonic(), PAUSED
        search.begin()
        while outcome == PAUSED and complete:
            outcome = search.run(limit, BUDGET)
            expanded, generated = (int(search.counters[i]) for i in (EXPANDED, GENERATED))
            past = [each.expanded for each in bounds[-2:]]
            expected = past[1] ** 2 // past[0] if len(past) == 2 else 0
            progress(Status(limit, expanded, max(expected, expanded), time.monotonic() - start, tuple(bounds)))
            complete = outcome != PAUSED or time_limit is None or time.monotonic() - begin < time_limit
        bounds.append(Bound(limit, expanded, generated, time.monotonic() - start))
        if outcome == FOUND:
            moves = search.moves()
        elif complete:
            limit = int(search.counters[NEAREST])
    return Solution(
        board=board,
        moves=moves,
        solutions=[] if moves is None else [moves],
        lower_bound=limit,
        bounds=bounds,
        seconds=time.monotonic() - begin,
        complete=complete,
    )
