"""Play by the learned value: one piece, two pieces, or the expectation over what may follow them; many games at once.

The games live on the device. A turn of all of them is a few batches: the placements of each board with the least loss,
the boards after those with the next piece, and so on, all with the gravity of the first. Losses are integers, so the
same game is played on every device.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.kernels import PROGRAM, Placements
from gpusolve.games.tetris.players import playouts
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.players.value import LearnedValue, stakes
from gpusolve.games.tetris.rules import board as rules, sources
from gpusolve.games.tetris.variant import Settings

BREADTHS = (8, 4)
"""branching: placements looked at of the known piece, of the next one; then the best of each piece that may come."""
TWO_PIECE = (12,)
"""two-piece: placements of the known piece that are looked at, each with the best of the next one."""
MOST_BREADTHS = 2
BYTES_PER_BOARD = 256
WORST = 2**62


def breadths_of(policy: str, breadths: tuple[int, ...] | None) -> tuple[int, ...]:
    """How wide a policy looks: nothing for greedy, TWO_PIECE, or what is given for branching, else BREADTHS.

    Raises BadInput for what is not played by a learned value.
    """
    if policy == "playouts":
        return playouts.BREADTHS if breadths is None else breadths
    if policy != "branching":
        return () if policy == "greedy" else TWO_PIECE
    if breadths is not None and len(breadths) > MOST_BREADTHS:
        raise BadInput(f"breadths {','.join(map(str, breadths))}: expected at most two with a learned value")
    return BREADTHS if breadths is None else breadths


class Table:
    """A value, and what games are played for, on a device."""

    def __init__(self, backend: Backend, value: LearnedValue, settings: Settings) -> None:
        at_stake = stakes(settings.start_level, settings.max_lines)
        self.backend, self.settings = backend, settings
        self.tables, self.endgame = backend.asarray(value.tables), backend.asarray(value.endgame)
        self.lost, self.scales = backend.asarray(at_stake.lost.reshape(-1)), backend.asarray(at_stake.scales)
        self.future = backend.asarray(at_stake.future.astype(np.int64))
        self.timed, self.taps = kernels.timing(backend, settings.reach, settings.double_killscreen)

    def least(self, boards: Array, pieces: Array, levels: Array, lines: Array, most: int) -> Placements:
        """The placements of each board that lose least, the least first; `values`: what they lose, int32."""
        n, backend = len(boards), self.backend
        counts, losses = backend.empty(n, np.int32), backend.empty((n, most), np.int32)
        found, cleared = backend.empty((n, most), np.uint32), backend.empty((n, most), np.uint8)
        after = backend.empty((n, most, rules.COLUMNS), np.uint32)
        if n:
            backend.launch(
                PROGRAM, "least_losses", n, self.tables, self.endgame, self.lost, self.scales, self.settings.max_lines,
                boards, pieces, lines, levels, self.timed, self.taps, int(most), counts, losses, found,
                cleared, after,
            )  # fmt: skip
        return Placements(counts, found, cleared, after, losses)

    def best(self, now: Now) -> tuple[Placements, Array]:
        """Greedy play: the placement of each board that loses least."""
        found = self.least(now.boards, now.pieces, now.levels, now.lines, 1)
        return found, self.backend.xp.zeros(len(now.boards), np.int32)

    def cost(self, lines: Array, cleared: Array) -> Array:
        """What is lost by clearing so many lines, int64."""
        return self.lost[lines * 5 + cleared].astype(np.int64)

    def end(self, lines: Array) -> Array:
        """What is lost by a game that ends after so many lines, int64."""
        return self.future[lines]

    def after(self, lines: Array, cleared: Array) -> Array:
        """The lines after some more are cleared, those of the game's end at most."""
        return self.backend.xp.minimum(lines + cleared, self.settings.max_lines).astype(np.int32)


class Search(Table):
    """What a policy looks at. All arrays are the device's."""

    def __init__(self, backend: Backend, value: LearnedValue, breadths: tuple[int, ...], settings: Settings) -> None:
        super().__init__(backend, value, settings)
        self.breadths = breadths
        chances = sources.transitions(settings.source)
        self.chances, self.whole = backend.asarray(chances), int(chances[0].sum())
        self.planner = Planner(backend, settings) if settings.delay else None

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """The placements of each board looked at, and the number of the chosen one among them, int32."""
        if not self.breadths:
            return self.best(now)
        xp, depth = self.backend.xp, len(self.breadths) - 1
        found = self.least(now.boards, now.pieces, now.levels, now.lines, self.breadths[0])
        kept = xp.arange(self.breadths[0]) < found.counts[:, None]
        board, rank = xp.nonzero(kept)
        cleared, lines, levels = found.cleared[board, rank], now.lines[board], now.levels[board]
        then = found.after[board, rank], levels, self.after(lines, cleared)
        if self.planner is None:
            worths = xp.full(kept.shape, WORST, np.int64)
            lost = self.cost(lines, cleared) * self.whole**depth
            worths[board, rank] = lost + self.value(then[0], now.following[board], *then[1:], depth)
            return found, worths.argmin(axis=1).astype(np.int32)
        worths = xp.zeros((*kept.shape, 7), np.int64)
        found_out = self.values(*then, depth) // self.whole**depth  # a sum over the next piece has to fit 64 bits
        worths[board, rank] = self.cost(lines, cleared)[:, None] + found_out
        return found, self.planner.choose(now, found, worths)

    def value(self, boards: Array, pieces: Array, levels: Array, lines: Array, depth: int) -> Array:
        """What is lost from each board on, with a piece to place, times whole^depth, int64."""
        xp = self.backend.xp
        found = self.least(boards, pieces, levels, lines, self.breadths[len(self.breadths) - depth] if depth else 1)
        if depth == 0:
            assert found.values is not None
            best = found.values[:, 0].astype(np.int64)
        else:
            kept = xp.arange(found.cleared.shape[1]) < found.counts[:, None]
            board, rank = xp.nonzero(kept)
            cleared = found.cleared[board, rank]
            worths = xp.full(kept.shape, WORST, np.int64)
            worths[board, rank] = self.cost(lines[board], cleared) * self.whole**depth
            worths[board, rank] += self.expected(
                found.after[board, rank], pieces[board], levels[board], self.after(lines[board], cleared), depth - 1
            )
            best = worths.min(axis=1)
        best = xp.where(found.counts == 0, self.future[lines] * self.whole**depth, best)
        return xp.where(lines >= self.settings.max_lines, 0, best)

    def expected(self, boards: Array, previous: Array, levels: Array, lines: Array, depth: int) -> Array:
        """The sum of what is lost over the seven pieces, each times its chance after `previous`, int64."""
        return (self.values(boards, levels, lines, depth) * self.chances[previous]).sum(axis=1)

    def values(self, boards: Array, levels: Array, lines: Array, depth: int) -> Array:
        """`value` with each of the seven pieces to place, (n, 7)."""
        xp, n = self.backend.xp, len(boards)
        pieces = xp.tile(xp.arange(7, dtype=np.int32), n)
        found = self.value(xp.repeat(boards, 7, axis=0), pieces, xp.repeat(levels, 7), xp.repeat(lines, 7), depth)
        return found.reshape(n, 7)


def games_at_once(backend: Backend, breadths: tuple[int, ...], settings: Settings) -> int:
    """How many games to play side by side on this device; what comes of them does not depend on it."""
    unknown = max(0, len(breadths) - 1 + (settings.delay > 0)) if breadths else 0
    boards = 40 * int(np.prod(breadths)) * 7**unknown
    return max(1, backend.batch(BYTES_PER_BOARD * boards))
