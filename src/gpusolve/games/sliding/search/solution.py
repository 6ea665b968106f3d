"""What a search has found, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve.games.sliding.boards import Board


@dataclass(frozen=True)
class Bound:
    """A search of all paths within a bound. `expanded`: nodes entered with a height above 0; `generated`: children."""

    bound: int
    expanded: int
    generated: int
    seconds: float


@dataclass(frozen=True)
class Status:
    """How far a search has come: nodes expanded within the bound, seconds, and how many to expect (0: unknown)."""

    bound: int
    expanded: int
    expected: int
    seconds: float


@dataclass(frozen=True)
class Solution:
    """What was found. `moves`: U D L R of the blank on the board as it was given; None where nothing was found.

    No solution has fewer than `least` moves; `moves` is proven optimal if it has as many. `solutions` are all of that
    length if they were asked for, else the one. The last of `bounds` may have been left before its end. `complete`:
    whether the search came to its end.
    """

    board: Board
    moves: str | None
    solutions: list[str]
    least: int
    bounds: list[Bound]
    seconds: float
    complete: bool

    @property
    def proven(self) -> bool:
        """Whether `moves` is proven optimal."""
        return self.moves is not None and len(self.moves) <= self.least

    @property
    def ratio(self) -> float | None:
        """How many times longer than an optimal solution it is at the most, proven."""
        return None if self.moves is None else max(1.0, len(self.moves) / max(1, self.least))

    @property
    def expanded(self) -> int:
        """Nodes expanded in all."""
        return sum(bound.expanded for bound in self.bounds)

    @property
    def generated(self) -> int:
        """Nodes generated in all."""
        return sum(bound.generated for bound in self.bounds)
