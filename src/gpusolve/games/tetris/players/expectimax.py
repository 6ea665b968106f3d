"""Expectimax: a search over the known pieces and over what can follow them, many games at once.

The tree and the games live on the device. The search takes one level of the tree at a time over all games: the
placements of its boards are found and judged in one batch. Values are integers, scaled by the denominator of the
pieces' chances once for each level of chance, so every device makes the same choice.

Each further level of chance takes 20 times as long or more, and the search above it settles most choices. So with a
learned value, whose units are points, the search starts with the known pieces and goes deeper only for the placements
that are close to the best (iterative deepening with a margin, as in forward pruning of game trees). With a reaction
time, a plan has to be good for all seven pieces that can follow. So the placements whose expectation is close are
searched with all of them, and those that can still be changed when the next piece is known also with each piece for
which they are close.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend import Array
from gpusolve.games.tetris.kernels import NUMBERS, Placements, order_table
from gpusolve.games.tetris.players.judging import Margin, TreeJudge, with_each_piece
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
        xp = self.backend.xp
        placements, tried, worths = self.worths(now)
        if self.planner is None:
            return placements, self._first(now.pieces, placements, tried, worths[:, :, 0]).astype(np.int32)
        chosen = self.planner.choose(now, placements, xp.where(tried[:, :, None], worths, 0))
        return placements, xp.where(tried.any(axis=1), chosen, 0).astype(np.int32)

    def worths(self, now: Now) -> tuple[Placements, Array, Array]:
        """Return the best placements of each board, which of them are searched, and what these are worth.

        What is searched is bool (n, most). Worths are int64 (n, most, k), less is better: k is 1, or 7 with a reaction
        time, for each piece that can follow. A single placement is made without a search.
        """
        xp, judge = self.backend.xp, self.judge
        accounts, clock = judge.open(now), self.planner.clock if self.planner else None
        placements = judge.least(
            now.boards, now.pieces, levels=now.levels, lines=accounts, most=self.breadths[0], clock=clock
        )
        tried = judge.tried(placements)
        tried = tried & (tried.sum(axis=1, keepdims=True) > 1)
        following = now.following[:, None]
        if self.planner is not None:
            following = xp.tile(xp.arange(7, dtype=np.int32), (len(tried), 1))
        searched = xp.repeat(tried[:, :, None], following.shape[1], axis=2)
        return placements, tried, self._worths(now, placements, searched, following)

    def _worths(self, now: Now, placements: Placements, tried: Array, following: Array) -> Array:
        """Return what each placement is worth with each piece that can follow, int64 (n, most, k); less is better.

        `tried` is bool (n, most, k), and `following`, (n, k), has the pieces. With a judge that has a margin, the known
        pieces settle most choices. Further breadths are added one by one, only for the placements within the margin
        of the best, where there are several; the others keep their distance from it.
        """
        xp, breadths = self.backend.xp, self.breadths
        if self.judge.margin is None:
            return self._searched(now, placements, tried, following, breadths[1:])
        worths = self._searched(now, placements, tried, following, ())
        whole = 1 if self.planner else self.whole
        for depth in range(1, len(breadths)):
            best, close = self._close(self.judge.margin, now, placements, tried, worths, depth)
            deep = self._searched(now, placements, close, following, breadths[1 : depth + 1])
            least = xp.take_along_axis(worths, best, axis=1)
            is_close = xp.take_along_axis(close, best, axis=1)
            base = xp.where(is_close, xp.take_along_axis(deep, best, axis=1), least * whole)
            worths = xp.where(close, deep, xp.where(tried, base + (worths - least) * whole, WORST))
        return worths

    def _close(
        self, margin_of: Margin, now: Now, placements: Placements, tried: Array, worths: Array, depth: int
    ) -> tuple[Array, Array]:
        """Return the index of the best placement of each board, (n, 1, 1), and which ones are to be searched deeper.

        Those are the ones within the margin of the best, bool (n, most, k), if there are several.
        """
        xp, planner, accounts = self.backend.xp, self.planner, self.judge.open(now)
        if planner is None:
            totals, scale = worths[:, :, 0], self.whole ** (depth - 1)
        else:
            totals, scale = (xp.where(tried, worths, 0) * self.chances[now.pieces][:, None, :]).sum(axis=2), self.whole
            totals = xp.where(tried[:, :, 0], totals, WORST)
        best, least = totals.argmin(axis=1)[:, None, None], totals.min(axis=1)
        margin = margin_of(depth, levels=now.levels, accounts=accounts, least=least // scale)
        close = tried & (totals <= (least + margin * scale)[:, None])[:, :, None]
        if planner is not None:
            is_close = worths <= worths.min(axis=1)[:, None, :] + margin[:, None, None]
            close |= tried & is_close & planner.in_air(now, placements)[:, :, None]
        return best, close & (close.any(axis=2).sum(axis=1) > 1)[:, None, None]

    def _searched(
        self, now: Now, placements: Placements, tried: Array, following: Array, breadths: tuple[int, ...]
    ) -> Array:
        """Return the worths of the placements that are `tried`, and WORST for the others.

        Where the next piece is known, they are multiplied by whole^len(breadths), else rounded down, since a sum over
        the next piece has to fit 64 bits.
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
            cost = judge.cost(before, cleared)
            worths[board, rank, which] = cost + value // scale if self.planner else cost * scale + value
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
