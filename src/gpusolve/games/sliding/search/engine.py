"""What the engines of `solve` have in common: each finds solutions in one way, and its fields are its options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from gpusolve.backend import Backend
from gpusolve.checks import check_integer, check_number
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.search.deepening import MOST_BOUND
from gpusolve.games.sliding.search.solution import Solution, Status


@dataclass(frozen=True, kw_only=True)
class Engine(ABC):
    """A way to solve boards. Its fields are options of `solve`, which explains them; these are those of every engine.

    Raises BadInput for an option out of range.
    """

    most_bound: ClassVar[int] = MOST_BOUND

    bound: int | None = None
    time_limit: float | None = None
    progress: Callable[[Status], object] = lambda status: None
    backend: Backend | None = None

    def __post_init__(self) -> None:
        if self.bound is not None:
            check_integer("bound", self.bound, 0, self.most_bound)
        if self.time_limit is not None:
            check_number("time_limit", self.time_limit, 0, float("inf"))

    @abstractmethod
    def solve(self, board: Board) -> Solution:
        """Search for a solution of a board that can be solved. Raise BadInput for a board that does not fit."""
