"""What next guesses cost: exactly where that takes about a second, else by the best strategies known."""

from __future__ import annotations

import numpy as np

from gpusolve.backend import Backend
from gpusolve.games.wordle.proof.descent import NEVER
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.tables import PartitionTable
from gpusolve.games.wordle.variant import Variant

EXACT = 300
"""With so many answers left the best guesses are found exactly, if that is not hard."""
OPEN = 42
"""So many guesses may lie between the total of a strategy that is found at once and what no strategy can beat.

With more it takes longer than a second: 5 s where mamma got no letter but its a.
"""
WIDTH = 3
"""Else so many guesses are tried in each state, and so many next ones compared."""
MEMORY = 32
"""MiB that it may take."""


def valued(table: PartitionTable, variant: Variant, backend: Backend | None = None) -> Position:
    """A position that tells what guesses cost: `Position.exact` says whether exactly."""
    position, count = Position(table, variant, WIDTH, MEMORY, backend), len(table.answers)
    if count <= EXACT:
        least = 3 * count - int(table.partition.patterns.max())
        if position.cost(np.arange(count))[0] - least <= OPEN:
            position.restrict(0)
    return position


def best_totals(position: Position, count: int, turns: int) -> dict[int, int]:
    """The `count` best guesses and their fewest guesses over all answers, all found within `turns`; where few remain.

    Guesses that cannot be among them by their number of patterns alone are not searched.
    """
    found: dict[int, int] = {}
    part, beta = position.table.partition, NEVER
    if count == 1:
        beta = position.cost(np.arange(len(position.answers)), turns)[0] + 1
    bounds = 3 * len(position.answers) - part.patterns[0] - part.contains[0]
    for guess in np.argsort(bounds, kind="stable").tolist():
        if bounds[guess] >= beta:
            break
        total = position.cost_after(guess, turns, beta)
        if total < min(beta, NEVER):
            found[guess] = total
            if len(found) >= count:
                beta = sorted(found.values())[count - 1] + 1
    return found
