"""The judgement of boards by a learned value, on one device: the points that a game is about to lose.

Losses are integers, so every device plays the same game. See `rules.losses` for what a loss is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris.clock import LEVELS, Clock, clock_of
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.judge import Choices, Ratings, with_each_piece
from gpusolve.games.tetris.players.kernels import LossTables, least_losses
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules.board import KILL_SCREEN
from gpusolve.games.tetris.rules.losses import READY, Stakes
from gpusolve.games.tetris.variant import Variant

EVERY = 2**31
"""A margin that leaves no placement out."""
MARGINS: tuple[tuple[int, int], ...] = ((4000, 32000), (1000, 4000), (250, 1000))
"""The margins of a search for a second, a third and a fourth breadth, in points, up to level 28 and from level 29 on.
There, one choice can lose everything. ``benchmarks/results/tetris-tournament-search.md`` has what they cost."""
RISKS: tuple[int, ...] = (3, 8, 32)
"""The risk of a board is what it is about to lose beyond what its lines to come account for. A third of it is added to
the margin for a second breadth, and less to those for further ones, because placements then lie further apart."""


class ValueJudge:
    """A learned value as a `judge.Judge` and a `judge.TreeJudge`: an account is the number of lines cleared."""

    def __init__(
        self,
        backend: Backend,
        tables: npt.NDArray[np.int16],
        endgame: npt.NDArray[np.int32],
        at_stake: Stakes,
        variant: Variant,
    ) -> None:
        self.backend, self.variant = backend, variant
        self.tables = LossTables(
            tables=backend.asarray(tables),
            endgame=backend.asarray(endgame),
            lost=backend.asarray(at_stake.lost.reshape(-1)),
            course=backend.asarray(at_stake.course.reshape(-1)),
        )
        self.future = backend.asarray(at_stake.future.astype(np.int64))
        self.clock = clock_of(backend, variant.reach, variant.double_killscreen)

    def least(
        self, boards: Array, pieces: Array, *, levels: Array, lines: Array, most: int, clock: Clock | None = None
    ) -> Placements:
        """See `judge.Judge`; `values` are int32, in points."""
        return least_losses(
            self.backend,
            self.tables,
            boards,
            pieces,
            levels=levels,
            lines=lines,
            clock=clock or self.clock,
            max_lines=self.variant.max_lines,
            most=most,
        )

    def cost(self, lines: Array, cleared: Array) -> Array:
        """See `judge.Judge`."""
        return self.tables.lost[lines * 5 + cleared].astype(np.int64)

    def end(self, lines: Array) -> Array:
        """See `judge.Judge`."""
        return self.future[lines]

    def after(self, lines: Array, cleared: Array) -> Array:
        """See `judge.Judge`."""
        return self.backend.xp.minimum(lines + cleared, self.variant.max_lines).astype(np.int32)

    def margin(self, depth: int, *, levels: Array, accounts: Array, least: Array) -> Array:
        """See `judge.Margin`."""
        xp = self.backend.xp
        early, late = MARGINS[depth - 1]
        usual = self.tables.endgame[self.tables.course[4 * accounts.astype(np.int64) + 3].astype(np.int64) * READY]
        risk = xp.minimum(xp.maximum(least - usual, 0), EVERY)
        return (xp.where(levels < KILL_SCREEN, early, late) + risk // RISKS[depth - 1]).astype(np.int64)

    def open(self, now: Now) -> Array:
        """See `judge.TreeJudge`."""
        return now.lines

    def tried(self, placements: Placements) -> Array:
        """See `judge.TreeJudge`; all placements are tried."""
        return self.backend.xp.arange(placements.cleared.shape[1]) < placements.counts[:, None]

    def leaf(self, boards: Array, pieces: Array, *, levels: Array, accounts: Array) -> Array:
        """See `judge.TreeJudge`."""
        last = self.least(boards, pieces, levels=levels, lines=accounts, most=1)
        assert last.values is not None
        values = last.values[:, 0].astype(np.int64)
        return self.with_ends(values, is_stuck=last.counts == 0, accounts=accounts, scale=1)

    def expected_leaf(self, boards: Array, *, previous: Array, levels: Array, accounts: Array, chances: Array) -> Array:
        """See `judge.TreeJudge`."""
        n = len(boards)
        boards, pieces, levels, accounts = with_each_piece(self.backend, boards, levels, accounts)
        values = self.leaf(boards, pieces, levels=levels, accounts=accounts)
        return (values.reshape(n, 7) * chances[previous]).sum(axis=1)

    def with_ends(self, worths: Array, *, is_stuck: Array, accounts: Array, scale: int) -> Array:
        """See `judge.TreeJudge`; a game that has all its lines loses nothing more."""
        xp = self.backend.xp
        worths = xp.where(is_stuck, self.future[accounts] * scale, worths)
        return xp.where(accounts >= self.variant.max_lines, 0, worths)


def rate_by_value(judge: ValueJudge, choices: Choices, breadths: tuple[int, ...] = ()) -> Ratings:
    """Return what the placements of a piece are about to lose, in points.

    If the next piece is not known, that is the expectation over it. `breadths` are those of branching after the first
    one: every placement is searched with them.
    """
    backend, max_lines, count = judge.backend, judge.variant.max_lines, len(choices.after)
    tree = Expectimax(judge, (1, *breadths), judge.variant)
    then = np.minimum(choices.lines + choices.cleared.astype(np.int32), max_lines)
    boards, lines = backend.asarray(choices.after), backend.asarray(then)
    levels = backend.asarray(np.full(count, min(choices.level, LEVELS - 1), np.int32))
    before = backend.asarray(np.full(count, choices.lines))
    lost = backend.to_host(judge.cost(before, backend.asarray(choices.cleared)))
    possible, scale = int(judge.future[choices.lines]), tree.whole ** len(breadths)
    if choices.following is None:
        previous = backend.asarray(np.full(count, choices.piece, np.int32))
        expected = tree.expected(boards, previous=previous, levels=levels, accounts=lines, breadths=breadths)
        none = np.zeros(count, np.bool_)
        return Ratings(lost + backend.to_host(expected) / (tree.whole * scale), none, none, possible)
    pieces = backend.asarray(np.full(count, choices.following, np.int32))
    second = judge.least(boards, pieces, levels=levels, lines=lines, most=1).on_host(backend)
    worths = backend.to_host(tree.value(boards, pieces, levels=levels, accounts=lines, breadths=breadths))
    goes_on, stuck = then < max_lines, second.counts == 0
    tetris = (second.cleared[:, 0] == 4) & ~stuck & goes_on
    values, ends = lost + worths / scale, stuck & goes_on
    worst = values[~ends].max(initial=-1.0)  # a sum of tables can exceed all that there is to lose
    return Ratings(np.where(ends, np.maximum(values, worst + 1), values), tetris, ends, possible)
