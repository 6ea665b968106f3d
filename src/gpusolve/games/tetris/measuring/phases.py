"""A reviewed game by its phases: how well it was played up to level 18, up to 28, up to 38, and beyond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Protocol

from gpusolve.games.tetris.rules.board import DOUBLED, KILL_SCREEN
from gpusolve.result import Result, reported

BEGINS = (0, 19, KILL_SCREEN, DOUBLED)
"""The levels at which phases begin, where pieces fall faster."""


class Judged(Protocol):
    """What a phase counts of a placement; see `_review.Judgement`."""

    @property
    def played_at(self) -> int:
        """The level before the placement."""

    @property
    def cleared(self) -> int:
        """The lines that it cleared."""

    @property
    def loss(self) -> float | None:
        """What it lost."""

    @property
    def misdrop(self) -> bool:
        """Whether it looks like a slip."""


@dataclass(frozen=True, repr=False)
class Phase(Result):
    """A phase of a reviewed game.

    Attributes
    ----------
    first_level : int
        The level at which the phase begins.
    last_level : int or None
        Its last level; None if it has none.
    placements : int
        Number of placements.
    best : int
        The number of placements that were the best one, or as good.
    loss : float
        The sum of all losses.
    lines : int
        The lines that were cleared.
    burned : int
        Those of them that were not cleared by a tetris.
    tetrises : int
        Number of tetrises.
    misdrops : int
        Number of placements that look like slips; see `Judgement`.
    """

    first_level: int
    last_level: int | None
    placements: int
    best: int
    loss: float
    lines: int
    burned: int
    tetrises: int
    misdrops: int = field(default=0)

    @property
    def name(self) -> str:
        """The levels as text."""
        if self.last_level is None:
            return f"from {self.first_level}"
        return f"{self.first_level} to {self.last_level}" if self.first_level else f"to {self.last_level}"

    @reported
    def tetris_rate(self) -> float | None:
        """The fraction of the lines that was cleared four at a time; None without lines."""
        return 4 * self.tetrises / self.lines if self.lines else None


def phases_of(rows: Sequence[Judged]) -> tuple[Phase, ...]:
    """Return the phases of a game that have placements, with what each of them counts."""
    found = []
    for first, after in zip_longest(BEGINS, BEGINS[1:]):
        within = [each for each in rows if first <= each.played_at and (after is None or each.played_at < after)]
        if within:
            tetrises, lines = sum(each.cleared == 4 for each in within), sum(each.cleared for each in within)
            phase = Phase(
                first,
                None if after is None else after - 1,
                len(within),
                best=sum(each.loss == 0 for each in within),
                loss=float(sum(each.loss or 0 for each in within)),
                lines=lines,
                burned=lines - 4 * tetrises,
                tetrises=tetrises,
                misdrops=sum(each.misdrop for each in within),
            )
            found.append(phase)
    return tuple(found)
