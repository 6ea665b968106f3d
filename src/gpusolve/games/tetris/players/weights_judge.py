"""The judgement of boards by weights of 17 features, on one device.

A value is the sum of the weights times the features, an integer. A tetris outweighs all values, and so, in the opposite
direction, does the end of a game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris.clock import LEVELS, Clock, clock_of
from gpusolve.games.tetris.kernels import (
    PLACEMENTS,
    Placements,
    best,
    best_on_device,
    one_row,
    order_table,
    placements_on_device,
)
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.judge import Choices, Ratings
from gpusolve.games.tetris.players.kernels import expect, worths
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules.features import DECISIVE, fixed_point
from gpusolve.games.tetris.variant import Variant


class WeightsJudge:
    """Weights as a `judge.Judge`."""

    def __init__(self, backend: Backend, weights: npt.ArrayLike, variant: Variant, *, ties: str = "number") -> None:
        self.backend, self.variant = backend, variant
        self.weights, self.order = backend.asarray(one_row(weights)), backend.asarray(order_table(ties))
        self.clock = clock_of(backend, variant.reach, variant.double_killscreen)

    def least(
        self, boards: Array, pieces: Array, *, levels: Array, lines: Array, most: int, clock: Clock | None = None
    ) -> Placements:
        """See `judge.Judge`."""
        return best_on_device(
            self.backend,
            self.weights,
            boards,
            pieces,
            levels=levels,
            clock=clock or self.clock,
            order=self.order,
            most=most,
        )

    def cost(self, lines: Array, cleared: Array) -> Array:
        """See `judge.Judge`."""
        return -DECISIVE * (cleared == 4).astype(np.int64)

    def end(self, lines: Array) -> Array:
        """See `judge.Judge`."""
        return self.backend.xp.full(len(lines), DECISIVE, np.int64)

    def after(self, lines: Array, cleared: Array) -> Array:
        """See `judge.Judge`."""
        return self.backend.xp.minimum(lines + cleared, self.variant.max_lines).astype(np.int32)


class WeightsTreeJudge(WeightsJudge):
    """Weights as a `judge.TreeJudge`, with the accounts of the published program.

    A tetris in the tree takes off DECISIVE, except that of the last piece. A board without a placement is worth
    DECISIVE, whatever was scored before. If a board's first placement is a tetris, no other one is tried.
    """

    margin = None

    def open(self, now: Now) -> Array:
        """See `judge.TreeJudge`."""
        return self.backend.xp.zeros(len(now.boards), np.int64)

    def tried(self, placements: Placements) -> Array:
        """See `judge.TreeJudge`."""
        tried = self.backend.xp.arange(placements.cleared.shape[1]) < placements.counts[:, None]
        tried[:, 1:] &= placements.cleared[:, :1] != 4
        return tried

    def cost(self, lines: Array, cleared: Array) -> Array:
        """Return 0: the tetrises are taken off at the leaves."""
        return self.backend.xp.zeros(len(lines), np.int64)

    def after(self, lines: Array, cleared: Array) -> Array:
        """Return the number of tetrises afterwards."""
        return lines + (cleared == 4)

    def leaf(self, boards: Array, pieces: Array, *, levels: Array, accounts: Array) -> Array:
        """See `judge.TreeJudge`."""
        last = self.least(boards, pieces, levels=levels, lines=accounts, most=1)
        assert last.values is not None
        values = last.values[:, 0] + DECISIVE * (last.cleared[:, 0] == 4) - DECISIVE * accounts
        return self.with_ends(values, is_stuck=last.counts == 0, accounts=accounts, scale=1)

    def expected_leaf(self, boards: Array, *, previous: Array, levels: Array, accounts: Array, chances: Array) -> Array:
        """See `judge.TreeJudge`; one kernel does it for all seven pieces."""
        return expect(
            self.backend,
            self.weights,
            boards,
            previous=previous,
            levels=levels,
            tetrises=accounts,
            chances=chances,
            clock=self.clock,
        )

    def with_ends(self, worths: Array, *, is_stuck: Array, accounts: Array, scale: int) -> Array:
        """See `judge.TreeJudge`."""
        return self.backend.xp.where(is_stuck, DECISIVE * scale, worths)


class TwoPiece:
    """Two-piece play by weights: all placements, each with the best placement of the next piece.

    The next piece is known at once or, with a delay, later.
    """

    def __init__(self, judge: WeightsJudge) -> None:
        self.judge, self.backend = judge, judge.backend
        self.planner = Planner(judge.backend, judge.variant) if judge.variant.delay else None

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """Return all placements of each board, and the index of the chosen one, int32."""
        backend, judge, xp, n = self.backend, self.judge, self.backend.xp, len(now.boards)
        clock = self.planner.clock if self.planner else judge.clock
        placements = placements_on_device(
            backend, now.boards, now.pieces, levels=now.levels, clock=clock, most=PLACEMENTS
        )
        board, rank = xp.nonzero(xp.arange(PLACEMENTS) < placements.counts[:, None])
        after, levels = placements.after[board, rank], now.levels[board]
        tetris = DECISIVE * (placements.cleared[board, rank] == 4)
        if self.planner is None:
            values = xp.full((n, PLACEMENTS), np.iinfo(np.int64).max, np.int64)
            if len(board):
                last = judge.least(after, now.following[board], levels=levels, lines=now.lines[board], most=1)
                assert last.values is not None
                values[board, rank] = xp.where(last.counts == 0, DECISIVE, last.values[:, 0]) - tetris
            return placements, values.argmin(axis=1).astype(np.int32)
        values = xp.zeros((n, PLACEMENTS, 7), np.int64)
        values[board, rank] = worths(backend, judge.weights, after, levels=levels, clock=judge.clock) - tetris[:, None]
        return placements, self.planner.choose(now, placements, values)


def rate_by_weights(backend: Backend, weights: tuple[float, ...], choices: Choices, variant: Variant) -> Ratings:
    """Return what the placements of a piece are worth in the weights' own units."""
    count = len(choices.after)
    fixed, shift = fixed_point(weights)
    if choices.following is None:
        totals = choices.features.astype(np.int64) @ np.array(fixed, np.int64)
        values, none = np.ldexp(totals.astype(np.float64), -shift), np.zeros(count, np.bool_)
        return Ratings(values, tetris_next=none, stuck=none)
    second = best(
        backend,
        weights,
        choices.after,
        np.full(count, choices.following),
        levels=choices.level,
        reach=variant.reach,
        doubled=variant.double_killscreen,
    )
    assert second.values is not None
    stuck = second.counts == 0
    tetris = (second.cleared[:, 0] == 4) & ~stuck
    totals = np.where(stuck, 0, second.values[:, 0] + DECISIVE * tetris)
    return Ratings(np.ldexp(totals.astype(np.float64), -shift), tetris_next=tetris, stuck=stuck)


def rate_by_tree(
    backend: Backend, weights: tuple[float, ...], choices: Choices, breadths: tuple[int, ...], variant: Variant
) -> Ratings:
    """Return the expectation of branching after the placements of a piece, in the weights' own units.

    `breadths` are those after the first one: every placement is searched with them. Each tetris of the placement and of
    the search takes off DECISIVE with its chance, and each piece without a placement adds it.
    """
    count, none = len(choices.after), np.zeros(len(choices.after), np.bool_)
    tree = Expectimax(WeightsTreeJudge(backend, weights, variant), (1, *breadths), variant)
    boards = backend.asarray(choices.after)
    levels = backend.asarray(np.full(count, min(choices.level, LEVELS - 1), np.int32))
    accounts = backend.asarray((choices.cleared == 4).astype(np.int64))
    known = backend.asarray(np.full(count, choices.piece if choices.following is None else choices.following, np.int32))
    scale = tree.whole ** len(breadths)
    if choices.following is None:
        worths = tree.expected(boards, previous=known, levels=levels, accounts=accounts, breadths=breadths)
        scale *= tree.whole
    else:
        worths = tree.value(boards, known, levels=levels, accounts=accounts, breadths=breadths)
    shift = fixed_point(weights)[1]
    return Ratings(np.ldexp(backend.to_host(worths) / scale, -shift), tetris_next=none, stuck=none)
