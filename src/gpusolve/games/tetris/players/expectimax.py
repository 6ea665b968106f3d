"""Expectimax: a search over the known pieces and over what can follow them, many games at once.

The tree and the games live on the device. The search takes one level of the tree at a time over all games: the
placements of its boards are found and judged in one batch. Values are integers, scaled by the denominator of the
pieces' chances once for each level of chance, so every device makes the same choice.

Each further level of chance takes 20 times as long or more, and the search above it settles most choices. So with a
learned value, whose units are points, the search starts with the known pieces and goes deeper only for the placements
that are close to the best (iterative deepening with a margin, as in forward pruning of game trees).

With a reaction time, the player first chooses a plan, then one of the placements that it leaves. So the search goes
deeper where several plans are close, for the pieces that can tell them apart. When the next piece is known, it searches
the placements that are left, as if the piece had been known at once.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend import Array
from gpusolve.games.tetris.kernels import NUMBERS, Placements, order_table
from gpusolve.games.tetris.players.judge import TreeJudge, with_each_piece
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.variant import Variant

WORST = 2**62
"""Above every worth, with room for a margin."""


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
        xp, planner = self.backend.xp, self.planner
        if planner is not None and (self.judge.margin is None or len(self.breadths) == 1):
            placements, tried, worths = self.worths(now)
            chosen = planner.choose(now, placements, xp.where(tried[:, :, None], worths, 0))
        else:
            placements, tried = self._tried(now)
            left = tried if planner is None else self._left(now, placements, tried, planner)
            chosen = self._first(now.pieces, placements, left, self._known(now, placements, left))
        return placements, xp.where(tried.any(axis=1), chosen, 0).astype(np.int32)

    def worths(self, now: Now) -> tuple[Placements, Array, Array]:
        """Return the best placements of each board, which of them are searched, and what these are worth.

        What is searched is bool (n, most); a single placement is made without a search. Worths are int64 (n, most, k),
        less is better. If the next piece is known, k is 1, and they are times whole^(len(breadths) - 1). With a
        reaction time k is 7, for each piece that can follow; then every placement is searched to the end, and worths
        are rounded down.
        """
        placements, tried = self._tried(now)
        if self.planner is None:
            return placements, tried, self._known(now, placements, tried)[:, :, None]
        breadths, every = self.breadths[1:], self.backend.xp.repeat(tried[:, :, None], 7, axis=2)
        return placements, tried, self._late(now, placements, every, breadths)

    def _tried(self, now: Now) -> tuple[Placements, Array]:
        """Return the best placements of each board, and which of them are tried, bool (n, most)."""
        judge, clock = self.judge, self.planner.clock if self.planner else None
        placements = judge.least(
            now.boards, now.pieces, levels=now.levels, lines=judge.open(now), most=self.breadths[0], clock=clock
        )
        tried = judge.tried(placements)
        return placements, tried & (tried.sum(axis=1, keepdims=True) > 1)

    def _known(self, now: Now, placements: Placements, tried: Array) -> Array:
        """Return what each placement is worth if the next piece is known, int64 (n, most); less is better.

        They are times whole^(len(breadths) - 1). With a judge that has a margin, the known pieces settle most choices.
        Further breadths are added one by one, only for the placements within the margin of the best, where there are
        several; the others keep their distance from it.
        """
        breadths, following, whole = self.breadths, now.following[:, None], self.whole
        if self.judge.margin is None:
            return self._searched(now, placements, tried[:, :, None], following, breadths[1:])[:, :, 0]
        worths = self._searched(now, placements, tried[:, :, None], following, ())[:, :, 0]
        for depth in range(1, len(breadths)):
            scale, least = whole ** (depth - 1), worths.min(axis=1)
            margin = self._margin(depth, now, least // scale)
            close = tried & (worths <= (least + margin * scale)[:, None])
            close &= close.sum(axis=1, keepdims=True) > 1
            deep = self._searched(now, placements, close[:, :, None], following, breadths[1 : depth + 1])[:, :, 0]
            worths = self._replaced(worths, deep, close, tried, whole)
        return worths

    def _left(self, now: Now, placements: Placements, tried: Array, planner: Planner) -> Array:
        """Return which of the placements that are tried the best plan leaves, bool (n, most).

        A plan is worth the expectation, over the pieces that can follow, of the best placement that it leaves. Further
        breadths are added one by one for the plans within the margin of the best. Where these leave the same close
        placements for a piece that can follow, it cannot tell them apart, and is not searched.
        """
        xp, chances, whole = self.backend.xp, self.chances[now.pieces][:, None, :], self.whole
        left = planner.plans(now, placements) & tried[:, None, :]
        plans = left.any(axis=2)
        worths = self._late(now, placements, xp.repeat(tried[:, :, None], 7, axis=2), ())

        def expectations() -> tuple[Array, Array]:
            leasts = xp.where(left[:, :, :, None], worths[:, None], WORST).min(axis=2)
            sums = (xp.where(plans[:, :, None], leasts, 0) * chances).sum(axis=2)
            return leasts, xp.where(plans, sums, WORST)

        for depth in range(1, len(self.breadths)):
            leasts, expected = expectations()
            least = expected.min(axis=1)
            margin = self._margin(depth, now, least // whole)
            plans &= expected <= (least + margin * whole)[:, None]
            close = left[:, :, :, None] & (worths[:, None] <= (leasts + margin[:, None, None])[:, :, None, :])
            by_some = (close & plans[:, :, None, None]).any(axis=1)
            by_all = (close | ~plans[:, :, None, None]).all(axis=1)
            searched = by_some & (by_some & ~by_all).any(axis=1, keepdims=True)
            deep = self._late(now, placements, searched, self.breadths[1 : depth + 1])
            worths = self._replaced(worths, deep, searched, tried[:, :, None], 1)
        return left[xp.arange(len(left)), expectations()[1].argmin(axis=1)]

    def _margin(self, depth: int, now: Now, least: Array) -> Array:
        """Return the judge's margin on each board, int64."""
        assert self.judge.margin is not None
        return self.judge.margin(depth, levels=now.levels, accounts=self.judge.open(now), least=least)

    def _replaced(self, worths: Array, deep: Array, searched: Array, tried: Array, scale: int) -> Array:
        """Return the worths, times `scale`, or the deeper ones where placements have been searched.

        The others keep their distance from the best one that has been searched. Worths are (n, most, ...).
        """
        xp = self.backend.xp
        best = xp.where(searched, worths, WORST).argmin(axis=1)[:, None]
        change = xp.take_along_axis(deep, best, axis=1) - xp.take_along_axis(worths, best, axis=1) * scale
        change = xp.where(searched.any(axis=1)[:, None], change, 0)
        return xp.where(searched, deep, xp.where(tried, worths * scale + change, WORST))

    def _late(self, now: Now, placements: Placements, tried: Array, breadths: tuple[int, ...]) -> Array:
        """Return `_searched` with each of the seven pieces, rounded down, since a sum over them has to fit 64 bits."""
        xp = self.backend.xp
        pieces = xp.tile(xp.arange(7, dtype=np.int32), (len(tried), 1))
        worths = self._searched(now, placements, tried, pieces, breadths)
        return xp.where(tried, worths // self.whole ** len(breadths), WORST)

    def _searched(
        self, now: Now, placements: Placements, tried: Array, following: Array, breadths: tuple[int, ...]
    ) -> Array:
        """Return what each placement is worth with each piece of `following`, times whole^len(breadths).

        `tried` is bool (n, most, k), and `following`, (n, k), has the pieces. Worths are int64 (n, most, k), WORST for
        placements that are not tried.
        """
        xp, judge, scale = self.backend.xp, self.judge, self.whole ** len(breadths)
        board, rank, which = xp.nonzero(tried)
        worths = xp.full(tried.shape, WORST, np.int64)
        if len(board):
            before, cleared = judge.open(now)[board], placements.cleared[board, rank]
            value = self.value(
                placements.after[board, rank],
                following[board, which],
                levels=now.levels[board],
                accounts=judge.after(before, cleared),
                breadths=breadths,
            )
            worths[board, rank, which] = judge.cost(before, cleared) * scale + value
        return worths

    def value(
        self, boards: Array, pieces: Array, *, levels: Array, accounts: Array, breadths: tuple[int, ...]
    ) -> Array:
        """Return what each board is worth with a piece to place, times whole^len(breadths), int64; less is better.

        With a judge that has a margin, only the placements that the expectation over one further piece leaves close to
        the best are searched with all breadths.
        """
        judge = self.judge
        if not breadths:
            return judge.leaf(boards, pieces, levels=levels, accounts=accounts)
        placements = judge.least(boards, pieces, levels=levels, lines=accounts, most=breadths[0])
        tried = judge.tried(placements)
        if breadths[1:] and judge.margin is not None:
            worths = self._expectations(placements, pieces, tried, levels=levels, accounts=accounts, breadths=())
            least = worths.min(axis=1)
            margin = judge.margin(2, levels=levels, accounts=accounts, least=least // self.whole)
            tried = tried & (worths <= (least + margin * self.whole)[:, None])
        worths = self._expectations(placements, pieces, tried, levels=levels, accounts=accounts, breadths=breadths[1:])
        is_stuck, scale = placements.counts == 0, self.whole ** len(breadths)
        return judge.with_ends(worths.min(axis=1), is_stuck=is_stuck, accounts=accounts, scale=scale)

    def _expectations(
        self,
        placements: Placements,
        pieces: Array,
        tried: Array,
        *,
        levels: Array,
        accounts: Array,
        breadths: tuple[int, ...],
    ) -> Array:
        """Return what each placement that is `tried` is worth, times whole^(1 + len(breadths)), and WORST for others.

        The next piece is not known.
        """
        xp, judge = self.backend.xp, self.judge
        board, rank = xp.nonzero(tried)
        worths = xp.full(tried.shape, WORST, np.int64)
        if len(board):
            cleared, before = placements.cleared[board, rank], accounts[board]
            expected = self.expected(
                placements.after[board, rank],
                previous=pieces[board],
                levels=levels[board],
                accounts=judge.after(before, cleared),
                breadths=breadths,
            )
            worths[board, rank] = judge.cost(before, cleared) * self.whole ** (1 + len(breadths)) + expected
        return worths

    def expected(
        self, boards: Array, *, previous: Array, levels: Array, accounts: Array, breadths: tuple[int, ...]
    ) -> Array:
        """Return the sum of what boards are worth over the seven pieces, each times its chance after `previous`."""
        if not breadths:
            return self.judge.expected_leaf(
                boards, previous=previous, levels=levels, accounts=accounts, chances=self.chances
            )
        n = len(boards)
        boards, pieces, levels, accounts = with_each_piece(self.backend, boards, levels, accounts)
        values = self.value(boards, pieces, levels=levels, accounts=accounts, breadths=breadths).reshape(n, 7)
        return (values * self.chances[previous]).sum(axis=1)

    def _first(self, pieces: Array, placements: Placements, tried: Array, worths: Array) -> Array:
        """Return the index of the placement of least worth on each board; ties go by `order`."""
        if self.order is None:
            return worths.argmin(axis=1)
        xp = self.backend.xp
        is_best = worths == worths.min(axis=1, keepdims=True)
        numbers = xp.where(tried, placements.placements, 0).astype(np.int64)
        order = self.order[pieces[:, None].astype(np.int64) * NUMBERS + numbers]
        return xp.where(is_best, order, NUMBERS).argmin(axis=1)
