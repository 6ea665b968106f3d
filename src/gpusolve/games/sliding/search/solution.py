"""The result of a search, and its progress."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.games.sliding.boards import Board


@dataclass(frozen=True)
class Bound:
    """The search of all paths within a bound.

    Attributes
    ----------
    bound : int
        Maximum number of moves, each weighted as `solve` was asked to.
    expanded : int
        Number of nodes that were entered and are not the goal.
    generated : int
        Number of children of these nodes.
    seconds : float
        Seconds of the search.
    """

    bound: int
    expanded: int
    generated: int
    seconds: float


@dataclass(frozen=True)
class Status:
    """The progress of a search.

    Attributes
    ----------
    bound : int
        The current bound, in moves.
    expanded : int
        Number of nodes expanded within this bound so far.
    expected : int
        Expected number of nodes within this bound, if it grows like the last one; at least `expanded`.
    seconds : float
        Seconds spent on this bound.
    """

    bound: int
    expanded: int
    expected: int
    seconds: float


@dataclass(frozen=True)
class Solution:
    """The result of `solve`.

    Attributes
    ----------
    board : Board
        The board that was solved.
    moves : str or None
        Directions of the blank, U D L R; None if there is no solution within the bound or the time.
    solutions : list of str
        All optimal solutions if they were asked for; otherwise `moves` alone, if there is a solution.
    lower_bound : int
        No solution has fewer moves.
    bounds : list of Bound
        The bounds that were searched. The last one may be incomplete.
    seconds : float
        Seconds of the search, including earlier sessions of a resumed one.
    complete : bool
        Whether the search ended by itself, not by a time limit.
    """

    board: Board
    moves: str | None
    solutions: list[str]
    lower_bound: int
    bounds: list[Bound]
    seconds: float
    complete: bool

    @property
    def proven(self) -> bool:
        """Whether `moves` is proven optimal."""
        return self.moves is not None and len(self.moves) <= self.lower_bound

    @property
    def ratio(self) -> float | None:
        """Length of `moves` divided by the lower bound: at most this many times longer than an optimal solution."""
        return None if self.moves is None else max(1.0, len(self.moves) / max(1, self.lower_bound))

    @property
    def expanded(self) -> int:
        """Number of nodes expanded in all bounds."""
        return sum(bound.expanded for bound in self.bounds)

    @property
    def generated(self) -> int:
        """Number of nodes generated in all bounds."""
        return sum(bound.generated for bound in self.bounds)
