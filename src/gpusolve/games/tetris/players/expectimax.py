"""Expectimax: a search over the known pieces and over what can follow them, many games at once.

The tree and the games live on the device. The search takes one level of the tree at a time over all games: the
placements of its boards are found and judged in one batch. Values are integers, scaled by the denominator of the
pieces' chances once for each level of chance, so every device makes the same choice.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend import Array
from gpusolve.games.tetris.kernels import NUMBERS, Placements, order_table
from gpusolve.games.tetris.players.judging import TreeJudge, with_each_piece
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.variant import Variant

WORST = 2**63 - 1


class Expectimax:
    """A policy: `breadths` has the number of placements that are tried of each piece in turn.

    The first piece of the tree is the current one, the second the next one, and all further pieces are unknown. After
    the last breadth one more piece is placed where it is best. `ties`, see `kernels.order_table`, settles which of
    several placements with the same expectation is made; with ``number`` that is the one of the least value.
    """

    def __init__(self, judge: TreeJudge, breadths: tuple[int, ...], variant: Variant, *, ties: str = "number") -> None:
        self.judge, self.backend, self.breadths = judge, judge.backend, breadths
        chances = transitions(variant.source)
        self.chances, self.whole = self.backend.asarray(chances), int(chances[0].sum())
        self.planner = Planner(self.backend, variant) if variant.delay else None
        self.order = None if ties == "number" else self.backend.asarray(order_table(ties))

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """Return the placements that are tried on each board, and the index of the chosen one, int32."""
        xp, judge, depth = self.backend.xp, self.judge, len(self.breadths) - 1
        accounts = judge.open(now)
        clock, most = self.planner and self.planner.clock, self.breadths[0]
        placements = judge.least(
            now.boards, now.pieces, levels=now.levels, lines=accounts, most=most, clock=clock
        )
        if self.breadths[0] == 1:
            return placements, xp.zeros(len(now.boards), np.int32)
        tried = judge.tried(placements)
        is_open = tried[:, 1]
        tried = tried & is_open[:, None]  # a single placement is made without a search
        board, rank = xp.nonzero(tried)
        cleared, before, levels = placements.cleared[board, rank], accounts[board], now.levels[board]
        after, then = placements.after[board, rank], judge.after(before, cleared)
        if self.planner is None:
            worths = xp.full(tried.shape, WORST, np.int64)
            if len(board):
                value = self.value(after, now.following[board], levels=levels, accounts=then, depth=depth)
                worths[board, rank] = judge.cost(before, cleared) * self.whole**depth + value
            return placements, self._first(now.pieces, placements, tried, worths).astype(np.int32)
        worths = xp.zeros((*tried.shape, 7), np.int64)
        if len(board):  # rounded down, since a sum over the next piece has to fit 64 bits
            values = self.values(after, levels=levels, accounts=then, depth=depth) // self.whole**depth
            worths[board, rank] = judge.cost(before, cleared)[:, None] + values
        chosen = self.planner.choose(now, placements, worths)
        return placements, xp.where(is_open, chosen, 0).astype(np.int32)

    def value(self, boards: Array, pieces: Array, *, levels: Array, accounts: Array, depth: int) -> Array:
        """Return what each board is worth with a piece to place, times whole^depth, int64; less is better."""
        xp, judge = self.backend.xp, self.judge
        if depth == 0:
            return judge.leaf(boards, pieces, levels=levels, accounts=accounts)
        breadth, scale = self.breadths[-depth], self.whole**depth
        placements = judge.least(boards, pieces, levels=levels, lines=accounts, most=breadth)
        tried = judge.tried(placements)
        board, rank = xp.nonzero(tried)
        worths = xp.full(tried.shape, WORST, np.int64)
        if len(board):
            cleared, before = placements.cleared[board, rank], accounts[board]
            expected = self.expected(
                placements.after[board, rank],
                previous=pieces[board],
                levels=levels[board],
                accounts=judge.after(before, cleared),
                depth=depth - 1,
            )
            worths[board, rank] = judge.cost(before, cleared) * scale + expected
        is_stuck = placements.counts == 0
        return judge.with_ends(worths.min(axis=1), is_stuck=is_stuck, accounts=accounts, scale=scale)

    def expected(self, boards: Array, *, previous: Array, levels: Array, accounts: Array, depth: int) -> Array:
        """Return the sum of what boards are worth over the seven pieces, each times its chance after `previous`."""
        if depth == 0:
            return self.judge.expected_leaf(
                boards, previous=previous, levels=levels, accounts=accounts, chances=self.chances
            )
        values = self.values(boards, levels=levels, accounts=accounts, depth=depth)
        return (values * self.chances[previous]).sum(axis=1)

    def values(self, boards: Array, *, levels: Array, accounts: Array, depth: int) -> Array:
        """Return `value` with each of the seven pieces to place, int64 (n, 7)."""
        n = len(boards)
        boards, pieces, levels, accounts = with_each_piece(self.backend, boards, levels, accounts)
        return self.value(boards, pieces, levels=levels, accounts=accounts, depth=depth).reshape(n, 7)

    def _first(self, pieces: Array, placements: Placements, tried: Array, worths: Array) -> Array:
        """Return the index of the placement of least worth on each board; ties go by `order`."""
        if self.order is None:
            return worths.argmin(axis=1)
        xp = self.backend.xp
        is_best = worths == worths.min(axis=1, keepdims=True)
        numbers = xp.where(tried, placements.placements, 0).astype(np.int64)
        order = self.order[pieces[:, None].astype(np.int64) * NUMBERS + numbers]
        return xp.where(is_best, order, NUMBERS).argmin(axis=1)
