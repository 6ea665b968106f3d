"""The policy *playouts*: a few placements, each tried by playing on over many sequences of pieces, many games at once.

All placements of a board meet the same sequences, so that luck cancels out between them, and these are spread evenly:
at each place every piece comes as often as its chance says (Latin hypercube sampling; McKay, Beckman and Conover 1979).
On the way pieces go where they are best together with the next one. What has been lost on the way, and what the last
board is worth, is added up; the sums are integers, so the same game is played on every device.
"""

from __future__ import annotations

from math import prod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Array, Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.rules.features import DECISIVE
from gpusolve.games.tetris.variant import Settings
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

BREADTHS = (4, 16, 4)
"""Placements that are tried, sequences, pieces of each."""
MOST_SEQUENCES, MOST_PIECES, WIDEST = 1000, 50, 200_000
KEPT = 3
"""On the way: placements that are looked at with the next piece."""
BYTES_PER_BOARD = 5120
"""Ten times what they take, as in `branching`: so a batch is over in seconds on a CPU."""
WORST = 2**62


class Judging(Protocol):
    """What boards are judged by, on a device. All arrays are the device's."""

    def least(self, boards: Array, pieces: Array, levels: Array, lines: Array, most: int) -> Placements:
        """The placements of each board with the least values, the least first; a value has what they lose in it."""

    def cost(self, lines: Array, cleared: Array) -> Array:
        """What is lost by clearing so many lines, int64."""

    def end(self, lines: Array) -> Array:
        """What is lost where no piece can be placed any more, int64."""

    def after(self, lines: Array, cleared: Array) -> Array:
        """The lines then, int32, those of the game's end at most."""


class Weighing:
    """The 17 weights as `Judging`: a tetris outweighs all values, and so does the end."""

    def __init__(self, backend: Backend, weights: npt.ArrayLike, settings: Settings) -> None:
        self.backend, self.settings = backend, settings
        self.weights, self.order = backend.asarray(kernels.one_row(weights)), backend.asarray(kernels.order_table())
        self.timed, self.taps = kernels.timing(backend, settings.reach, settings.double_killscreen)

    def least(self, boards: Array, pieces: Array, levels: Array, lines: Array, most: int) -> Placements:
        """See `Judging`."""
        return kernels.best_there(
            self.backend, self.weights, boards, pieces, levels, self.timed, self.taps, self.order, most
        )

    def cost(self, lines: Array, cleared: Array) -> Array:
        """See `Judging`."""
        return -DECISIVE * (cleared == 4).astype(np.int64)

    def end(self, lines: Array) -> Array:
        """See `Judging`."""
        return self.backend.xp.full(len(lines), DECISIVE, np.int64)

    def after(self, lines: Array, cleared: Array) -> Array:
        """See `Judging`."""
        return self.backend.xp.minimum(lines + cleared, self.settings.max_lines).astype(np.int32)


class Playouts:
    """The policy as a choice for many boards at once."""

    def __init__(self, backend: Backend, judging: Judging, breadths: tuple[int, ...], settings: Settings) -> None:
        self.backend, self.judging, self.max_lines = backend, judging, settings.max_lines
        self.tried, self.count, self.length = breadths
        self.sequences = backend.asarray(sequences(settings.source, self.count, self.length))

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """The placements of each board that were tried, and the number of the chosen one, int32."""
        xp = self.backend.xp
        found = self.judging.least(now.boards, now.pieces, now.levels, now.lines, self.tried)
        kept = xp.arange(self.tried) < found.counts[:, None]
        board, rank = xp.nonzero(kept)
        cleared, lines = found.cleared[board, rank].astype(np.int32), now.lines[board]
        then = Now(
            *(
                xp.repeat(one, self.count, axis=0)
                for one in (
                    found.after[board, rank],
                    now.following[board],
                    now.following[board],
                    now.levels[board],
                    self.judging.after(lines, cleared),
                )
            )
        )
        drawn = self.sequences[now.following[board]].reshape(len(board) * self.count, self.length)
        worths = xp.full(kept.shape, WORST, np.int64)
        lost = self._played_on(then, drawn).reshape(len(board), self.count).sum(axis=1)
        worths[board, rank] = lost + self.count * self.judging.cost(lines, cleared)
        return found, worths.argmin(axis=1).astype(np.int32)

    def _played_on(self, now: Now, drawn: Array) -> Array:
        """What is lost from each board on: its piece and all but the last that are drawn after it are placed, int64."""
        xp, judging = self.backend.xp, self.judging
        boards, pieces, lines = now.boards.copy(), now.pieces, now.lines.copy()
        total = xp.zeros(len(boards), np.int64)
        going = xp.nonzero(lines < self.max_lines)[0]
        for step in range(self.length):
            following = drawn[:, step]
            here = Now(boards[going], pieces[going], following[going], now.levels[going], lines[going])
            found, chosen, worths = self._planned(here)
            stuck = found.counts == 0
            total[going[stuck]] += judging.end(here.lines[stuck])
            going, chosen, here_lines = going[~stuck], chosen[~stuck], here.lines[~stuck]
            if step == self.length - 1:
                total[going] += worths[~stuck]
                break
            made = xp.nonzero(~stuck)[0]
            cleared = found.cleared[made, chosen].astype(np.int32)
            total[going] += judging.cost(here_lines, cleared)
            boards[going], lines[going] = found.after[made, chosen], judging.after(here_lines, cleared)
            going = going[lines[going] < self.max_lines]
            pieces = following
        return total

    def _planned(self, now: Now) -> tuple[Placements, Array, Array]:
        """Two-piece play: KEPT placements of each board, the number of the chosen one, and what both pieces lose."""
        xp, judging = self.backend.xp, self.judging
        found = judging.least(now.boards, now.pieces, now.levels, now.lines, KEPT)
        board, rank = xp.nonzero(xp.arange(KEPT) < found.counts[:, None])
        cleared, lines = found.cleared[board, rank].astype(np.int32), now.lines[board]
        then = judging.after(lines, cleared)
        second = judging.least(found.after[board, rank], now.following[board], now.levels[board], then, 1)
        assert second.values is not None
        lost = xp.where(second.counts == 0, judging.end(then), second.values[:, 0].astype(np.int64))
        worths = xp.full((len(now.boards), KEPT), WORST, np.int64)
        worths[board, rank] = judging.cost(lines, cleared) + xp.where(then >= self.max_lines, 0, lost)
        chosen = worths.argmin(axis=1).astype(np.int32)
        return found, chosen, worths.min(axis=1)


def sequences(source: str, count: int, length: int) -> npt.NDArray[np.int32]:
    """Pieces that may follow each of the seven, int32 (7, count, length), the same ones always.

    >>> found = sequences("uniform8", 16, 2)
    >>> np.bincount(found[0, :, 0], minlength=7).tolist()  # after an I: the next I comes half as often
    [1, 2, 3, 2, 3, 2, 3]
    """
    chances = sources.transitions(source)
    bounds, whole = chances.cumsum(axis=1), int(chances[0].sum())
    found, before = np.empty((7, count, length), np.int32), np.repeat(np.arange(7)[:, None], count, axis=1)
    state = 0
    for place in range(length):
        order = list(range(count))
        for i in range(count - 1, 0, -1):  # Fisher and Yates
            state = (state + GOLDEN) & MASK64
            j = mix(state) % (i + 1)
            order[i], order[j] = order[j], order[i]
        draws = (2 * np.array(order) + 1) * whole // (2 * count)
        before = (bounds[before] <= draws[None, :, None]).sum(axis=2)
        found[:, :, place] = before
    return found


def check(breadths: tuple[int, ...]) -> None:
    """Raises BadInput for breadths that cannot be played with."""
    given = ",".join(map(str, breadths)) if isinstance(breadths, tuple | list) else str(breadths)
    if not isinstance(breadths, tuple | list) or len(breadths) != 3:
        raise BadInput(f"breadths {given[:40]}: expected placements, sequences and pieces for playouts, as 4,16,4")
    for name, number, most in zip(
        ("placements", "sequences", "pieces"), breadths, (kernels.PLACEMENTS, MOST_SEQUENCES, MOST_PIECES), strict=True
    ):
        checks.check_integer(f"breadths: {name}", number, 1, most)
    if prod(breadths[:2]) > WIDEST:
        raise BadInput(f"breadths {given}: expected at most {WIDEST:,} boards")


def games_at_once(backend: Backend, breadths: tuple[int, ...]) -> int:
    """How many games to play side by side on this device; what comes of them does not depend on it."""
    return max(1, backend.batch(BYTES_PER_BOARD * prod(breadths) * KEPT))
