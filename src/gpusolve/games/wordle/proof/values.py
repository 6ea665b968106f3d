"""The cost of next guesses: exact where that takes about a second, otherwise that of the best strategies known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gpusolve.backend import Backend
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.tables import PartitionTable
from gpusolve.games.wordle.variant import Variant
from gpusolve.games.wordle.weights.chances import covering

EXACT = 300
"""Maximum number of answers left for which guesses are valued exactly."""
OPEN = 42
"""Maximum gap between the total of a strategy that is found at once and the lower bound on every total.

Weighted totals are divided by the mean weight. With a larger gap, exact values take longer than a second: 5 s after
mamma, if a is its only letter in the answer.
"""
WIDTH = 3
"""Beam width otherwise: the number of guesses tried in each state, and of next guesses compared."""
MEMORY = 32
"""Size of the transposition table in MiB."""


def valued(table: PartitionTable, variant: Variant, backend: Backend | None = None) -> Position:
    """Return a position that can value guesses; its attribute `exact` says whether the values are exact.

    If many answers are left, the position has only the likeliest ones (`covering`).
    """
    if len(table.answers) > EXACT and table.weights is not None:
        chosen = covering(table.weights)  # the statistics of the table still are those of all answers
        table = replace(table, answers=table.answers.take(chosen), weights=table.weights[chosen])
    position = Position(table, variant, width=WIDTH, memory=MEMORY, backend=backend)
    count = len(table.answers)
    if count <= EXACT:
        bound = 3 * position.mass - int(table.partition.next.max())
        gap = position.cost(np.arange(count))[0] - bound
        if gap * count <= OPEN * position.mass:
            position.restrict(0)
    return position


def best_totals(position: Position, count: int, turns: int, *, ties: bool = True) -> dict[int, int]:
    """Return the `count` best guesses with the least total of each, where every answer is found within `turns`.

    The search is exhaustive, so few answers should be left. Guesses whose number of patterns rules them out are not
    searched. Guesses that tie with the last of the best are included if `ties`.
    """
    totals: dict[int, int] = {}
    partition, beta = position.table.partition, position.never
    if count == 1:
        beta = position.cost(np.arange(len(position.answers)), turns=turns)[0] + 1
    bounds = 3 * position.mass - partition.next[0] - partition.now[0]
    for guess in np.argsort(bounds, kind="stable").tolist():
        if bounds[guess] >= beta:
            break
        total = position.cost_after(guess, turns, beta)
        if total < min(beta, position.never):
            totals[guess] = total
            if len(totals) >= count:
                beta = sorted(totals.values())[count - 1] + ties
    most = max(sorted(totals.values())[:count], default=0)  # the first ones could be anything
    return {guess: total for guess, total in totals.items() if total <= most}
