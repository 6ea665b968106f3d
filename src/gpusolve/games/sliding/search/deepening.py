"""Iterative deepening (IDA*, Korf 1985): all paths within a bound, then all paths within the next one, and so on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from gpusolve import clock
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.rules import MOVES
from gpusolve.games.sliding.search.solution import Bound, Metric, Solution, Status
from gpusolve.runs.run import Run

MOST_BOUND = 250
"""Maximum length of a solution, in moves: no board of up to 5x5 takes as many, and a path has room for a few more."""


class Deepening(ABC):
    """A search that raises its bound until there is a solution. A subclass searches the paths within the bound.

    Parameters
    ----------
    board : Board
        The board as it was given.
    bound : int
        The first bound.
    lower_bound : int
        No solution has fewer moves.
    max_bound : int, optional
        The search ends before a bound of more moves.
    all_solutions : bool, default False
        Whether to report every solution, or the first.
    most_moves : int, default 250
        The longest solution that a path has room for.
    pace : int, default 1
        What a move counts in a bound: more than 1 where heights have a weight that is a fraction.
    most_bound : int, optional
        The largest bound that a node has room for.
    metric : {"single-tile", "multi-tile"}
        What one move is.

    Attributes
    ----------
    solutions : list of str
        The solutions so far.
    finished : bool
        Whether there is nothing left to search.
    """

    def __init__(
        self,
        board: Board,
        *,
        bound: int,
        lower_bound: int,
        max_bound: int | None,
        all_solutions: bool = False,
        most_moves: int = MOST_BOUND,
        pace: int = 1,
        most_bound: int | None = None,
        metric: Metric = "single-tile",
    ) -> None:
        self.board, self.bound, self.lower_bound = board, bound, lower_bound
        self._max_bound, self._all_solutions, self._metric = max_bound, all_solutions, metric
        self._most_moves, self._pace, self._most_bound = most_moves, pace, most_bound
        self._bounds: list[Bound] = []  # those that are complete
        self._seconds = 0.0  # spent on the current bound
        self.finished = board.is_solved
        self.solutions = [""] if self.finished else []
        self._begin_bound()
        self._kept = self._snapshot()

    @abstractmethod
    def _prepare(self) -> None:
        """Prepare the search of the current bound."""

    @abstractmethod
    def _search(self) -> bool:
        """Search for a moment. Return whether the bound is complete: all of its paths are searched, or enough."""

    @abstractmethod
    def _nodes(self) -> tuple[int, int]:
        """Return the number of nodes expanded and generated within the current bound."""

    @abstractmethod
    def _raise_bound(self) -> None:
        """Set the next bound and the new lower bound, once there is no solution within the current bound."""

    def _snapshot(self) -> Any:
        """Return what a checkpoint takes, in objects that never change: Ctrl-C can come within a step."""
        return None

    def run(self, run: Run, progress: Callable[[Status], object]) -> Solution:
        """Search until there is a solution, or until the run's time is up."""
        with run.saved(self.state) as more:
            while not self.finished and more():
                self.step()
                progress(self.status)
        return self.solution(run.seconds)

    def step(self) -> None:
        """Search for a moment. After the last path of a bound, begin the next bound."""
        begin = clock.now()
        is_complete = self._search()
        self._seconds += clock.now() - begin
        if is_complete:
            self._bounds.append(self._current_bound())
            self.finished = bool(self.solutions)
            if not self.finished:
                self._raise_bound()
                self._begin_bound()
        self._kept = self._snapshot()

    def _begin_bound(self) -> None:
        if self._max_bound is not None and self.bound > self._max_bound * self._pace:
            self.finished = True
        elif self.lower_bound > self._most_moves or (self._most_bound is not None and self.bound > self._most_bound):
            raise BadInput(
                f"{self.board}: it takes at least {self.lower_bound} moves: expected a board that takes fewer"
            )
        self._seconds = 0.0
        self._prepare()

    def _current_bound(self) -> Bound:
        return Bound(self.bound // self._pace, *self._nodes(), self._seconds)

    @property
    def status(self) -> Status:
        """The progress of the search."""
        past, now = [bound.expanded for bound in self._bounds[-2:]], self._current_bound()
        expected = past[1] * past[1] // past[0] if len(past) == 2 and past[0] else 0
        return Status(now.bound, now.expanded, max(expected, now.expanded), now.seconds, tuple(self._bounds))

    def solution(self, seconds: float) -> Solution:
        """Return the result so far, of a search that took `seconds`."""
        solutions = sorted(set(self.solutions), key=lambda moves: (len(moves), [MOVES.index(move) for move in moves]))
        return Solution(
            board=self.board,
            moves=solutions[0] if solutions else None,
            solutions=solutions if self._all_solutions else solutions[:1],
            lower_bound=self.lower_bound,
            bounds=self._bounds if self.finished else [*self._bounds, self._current_bound()],
            seconds=seconds,
            complete=self.finished,
            metric=self._metric,
        )

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint; there is none for a search that cannot be resumed."""
        return {}
