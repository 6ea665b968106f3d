"""The result of a search, and its progress."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from gpusolve.errors import Exit
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.rules import slides_of, tiles_moved
from gpusolve.reprs import columns_of
from gpusolve.result import FLAT, Result, reported

Metric = Literal["single-tile", "multi-tile"]
"""What one move is: a tile that slides by a cell, or one to several tiles of a line that slide by a cell at once."""
METRICS: tuple[Metric, ...] = get_args(Metric)


@dataclass(frozen=True, repr=False)
class Bound(Result):
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


@dataclass(frozen=True, repr=False)
class Status(Result):
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
    bounds : tuple of Bound
        The bounds before, which are complete.
    """

    bound: int
    expanded: int
    expected: int
    seconds: float
    bounds: tuple[Bound, ...] = ()


@dataclass(frozen=True, repr=False)
class Solution(Result, schema="sliding.solve/2"):
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
    metric : {"single-tile", "multi-tile"}
        What counts as one move in `length`, `lower_bound` and `bounds`. In the multi-tile metric equal letters of
        `moves` that follow each other are one move.
    seed : int or None
        The seed that broke the ties of a beam; None if nothing was random.
    partition : str or None
        The sets of tiles of the pattern databases; None if there were none.
    choice : str or None
        Why the board chose this partition, or this pair of partitions; None if it did not choose.
    """

    board: Board = field(metadata=FLAT)
    moves: str | None
    solutions: list[str]
    lower_bound: int
    bounds: list[Bound]
    seconds: float
    complete: bool
    metric: Metric = "single-tile"
    seed: int | None = None
    partition: str | None = None
    choice: str | None = None

    @property
    def exit_code(self) -> int:
        """`Exit.STOPPED` if the search did not end by itself, `Exit.NO_SOLUTION` if there is none within the bound."""
        return Exit.NO_SOLUTION if self.complete and self.moves is None else super().exit_code

    @reported
    def tiles_moved(self) -> list[int] | None:
        """The tile that each of the moves moves; None if there is no solution."""
        return None if self.moves is None else tiles_moved(self.board, self.moves)

    def columns(self) -> dict[str, list[Any]]:
        """Return the bounds that were searched as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``bound``, ``expanded``, ``generated`` and ``seconds`` (see `Bound`).
        """
        return columns_of(self.bounds, "bound", "expanded", "generated", "seconds")

    @reported
    def length(self) -> int | None:
        """Number of moves of the solution; None if there is none."""
        if self.moves is None:
            return None
        return len(self.moves) if self.metric == "single-tile" else len(slides_of(self.moves))

    @reported
    def proven(self) -> bool:
        """Whether `moves` is proven optimal."""
        return self.length is not None and self.length <= self.lower_bound

    @reported
    def ratio(self) -> float | None:
        """`length` divided by the lower bound: the solution is at most this many times longer than an optimal one."""
        return None if self.length is None else max(1.0, self.length / max(1, self.lower_bound))

    @reported
    def expanded(self) -> int:
        """Number of nodes expanded in all bounds."""
        return sum(bound.expanded for bound in self.bounds)

    @reported
    def generated(self) -> int:
        """Number of nodes generated in all bounds."""
        return sum(bound.generated for bound in self.bounds)
