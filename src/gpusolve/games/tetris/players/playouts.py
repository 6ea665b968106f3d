"""The policy *playouts*: a few placements, each tried by playing on over many sequences of pieces, many games at once.

All placements of a board meet the same sequences, so that luck cancels out between them, and the sequences are spread
evenly: at each step every piece comes as often as its chance says (Latin hypercube sampling; McKay, Beckman and Conover
1979). In a playout each piece goes where it is best together with the next one. What is lost on the way and what the
last board is worth is added up; the sums are integers, so every device plays the same game.

With a delay the next piece is not known while the plan is made, so all seven are tried, and a move takes seven times as
long. Within a playout the next piece is known at once: what a delay costs there is left to the judge.
"""

from __future__ import annotations

from math import prod

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.judge import Judge, with_each_piece
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.variant import Variant
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

KEPT = 3
"""In a playout: the number of placements that are tried with the next piece."""
BYTES_PER_BOARD = 5120
"""Ten times what a board takes, as for branching, so that a batch is over in seconds on a CPU."""
WORST = 2**62


class Playouts:
    """A policy: `breadths` has the placements that are tried, the sequences of pieces, and the pieces of each."""

    def __init__(self, judge: Judge, breadths: tuple[int, ...], variant: Variant) -> None:
        self.judge, self.backend, self.max_lines = judge, judge.backend, variant.max_lines
        self.tried, self.count, self.length = breadths
        self.sequences = self.backend.asarray(sequences(variant.source, self.count, self.length))
        self.planner = Planner(self.backend, variant) if variant.delay else None

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """Return the placements that were tried on each board, and the index of the chosen one, int32."""
        xp, judge = self.backend.xp, self.judge
        clock = self.planner.clock if self.planner else None
        placements = judge.least(
            now.boards, now.pieces, levels=now.levels, lines=now.lines, most=self.tried, clock=clock
        )
        kept = xp.arange(self.tried) < placements.counts[:, None]
        board, rank = xp.nonzero(kept)
        cleared, lines = placements.cleared[board, rank].astype(np.int32), now.lines[board]
        after, levels, then = placements.after[board, rank], now.levels[board], judge.after(lines, cleared)
        lost = self.count * judge.cost(lines, cleared)
        if self.planner is None:
            worths = xp.full(kept.shape, WORST, np.int64)
            worths[board, rank] = lost + self._lost(after, now.following[board], levels=levels, lines=then)
            return placements, worths.argmin(axis=1).astype(np.int32)
        worths = xp.zeros((*kept.shape, 7), np.int64)
        after, pieces, levels, then = with_each_piece(self.backend, after, levels, then)
        sums = lost[:, None] + self._lost(after, pieces, levels=levels, lines=then).reshape(-1, 7)
        worths[board, rank] = sums // self.count  # a sum over the next piece has to fit 64 bits
        return placements, self.planner.choose(now, placements, worths)

    def _lost(self, boards: Array, pieces: Array, *, levels: Array, lines: Array) -> Array:
        """Return what is lost from each board on, with a piece to place, summed over all sequences, int64."""
        arrays = (boards, pieces, pieces, levels, lines)
        then = Now(*(self.backend.xp.repeat(array, self.count, axis=0) for array in arrays))
        drawn = self.sequences[pieces].reshape(len(boards) * self.count, self.length)
        return self._play_on(then, drawn).reshape(len(boards), self.count).sum(axis=1)

    def _play_on(self, now: Now, drawn: Array) -> Array:
        """Return what is lost from each board on, int64, while its piece and the pieces drawn after it are placed.

        The last piece that is drawn is only seen as the next one.
        """
        xp, judge = self.backend.xp, self.judge
        boards, pieces, lines = now.boards.copy(), now.pieces, now.lines.copy()
        total = xp.zeros(len(boards), np.int64)
        going = xp.nonzero(lines < self.max_lines)[0]
        for step in range(self.length):
            following = drawn[:, step]
            here = Now(boards[going], pieces[going], following[going], now.levels[going], lines[going])
            placements, chosen, worths = self._two_piece(here)
            stuck = placements.counts == 0
            total[going[stuck]] += judge.end(here.lines[stuck])
            going, chosen, here_lines = going[~stuck], chosen[~stuck], here.lines[~stuck]
            if step == self.length - 1:
                total[going] += worths[~stuck]
                break
            made = xp.nonzero(~stuck)[0]
            cleared = placements.cleared[made, chosen].astype(np.int32)
            total[going] += judge.cost(here_lines, cleared)
            boards[going], lines[going] = placements.after[made, chosen], judge.after(here_lines, cleared)
            going = going[lines[going] < self.max_lines]
            pieces = following
        return total

    def _two_piece(self, now: Now) -> tuple[Placements, Array, Array]:
        """Return KEPT placements of each board, the index of the chosen one, and what both pieces lose."""
        xp, judge = self.backend.xp, self.judge
        placements = judge.least(now.boards, now.pieces, levels=now.levels, lines=now.lines, most=KEPT)
        board, rank = xp.nonzero(xp.arange(KEPT) < placements.counts[:, None])
        cleared, lines = placements.cleared[board, rank].astype(np.int32), now.lines[board]
        then = judge.after(lines, cleared)
        second = judge.least(
            placements.after[board, rank], now.following[board], levels=now.levels[board], lines=then, most=1
        )
        assert second.values is not None
        lost = xp.where(second.counts == 0, judge.end(then), second.values[:, 0].astype(np.int64))
        worths = xp.full((len(now.boards), KEPT), WORST, np.int64)
        worths[board, rank] = judge.cost(lines, cleared) + xp.where(then >= self.max_lines, 0, lost)
        return placements, worths.argmin(axis=1).astype(np.int32), worths.min(axis=1)


def sequences(source: str, count: int, length: int) -> npt.NDArray[np.int32]:
    """Return pieces that can follow each of the seven pieces, int32 (7, count, length), always the same ones.

    >>> drawn = sequences("uniform8", 16, 2)
    >>> np.bincount(drawn[0, :, 0], minlength=7).tolist()  # after an I: the next I comes half as often
    [1, 2, 3, 2, 3, 2, 3]
    """
    chances = transitions(source)
    bounds, whole = chances.cumsum(axis=1), int(chances[0].sum())
    drawn, before = np.empty((7, count, length), np.int32), np.repeat(np.arange(7)[:, None], count, axis=1)
    state = 0
    for step in range(length):
        order = list(range(count))
        for i in range(count - 1, 0, -1):  # Fisher and Yates
            state = (state + GOLDEN) & MASK64
            j = mix(state) % (i + 1)
            order[i], order[j] = order[j], order[i]
        draws = (2 * np.array(order) + 1) * whole // (2 * count)
        before = (bounds[before] <= draws[None, :, None]).sum(axis=2)
        drawn[:, :, step] = before
    return drawn


def games_at_once(backend: Backend, breadths: tuple[int, ...], variant: Variant) -> int:
    """Return how many games to play side by side on a device; no result depends on it."""
    return max(1, backend.batch(BYTES_PER_BOARD * prod(breadths) * KEPT * (7 if variant.delay else 1)))
