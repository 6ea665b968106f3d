"""Branching: expectimax on the two known pieces and on what may follow them, many games at once.

The tree and the games live on the device, a level at a time over all games: its placements are found and valued in one
batch. Only which games go on, and what they placed, comes to the host. Values are integers, scaled by the denominator
of the pieces' probabilities once for each level of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Array, Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.kernels import PROGRAM, Boards, Games, Placements
from gpusolve.games.tetris.players import playouts, turns
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.rules.features import DECISIVE
from gpusolve.games.tetris.variant import MOST_LINES, Settings, check_settings
from gpusolve.runs.seeds import check_seed

BREADTHS = (3, 5, 5)
"""The best placements looked at: of the known piece, of the next one, of the one after."""
MOST_BREADTHS = 3  # another level of chance would not fit 64 bits
WIDEST = 40_000
"""The product of the breadths: 2 million boards for a move, a gigabyte."""
BYTES_PER_BOARD = 1920
"""Of the last level, 525 boards a game with BREADTHS. Ten times what they take: so a batch is a thousand games on a
GPU, and 16 on a CPU, where it should be over in seconds."""
WORST = 2**63 - 1
Ints = npt.NDArray[np.int64]


def breadths_of(policy: str, breadths: tuple[int, ...] | None) -> tuple[int, ...]:
    """The breadths to search with. Raises BadInput for ones that cannot be, and for any with another policy."""
    if breadths is None:
        return playouts.BREADTHS if policy == "playouts" else BREADTHS
    (playouts.check if policy == "playouts" else check)(breadths)
    if policy not in ("branching", "playouts"):
        raise BadInput(f"breadths {_text(breadths)}: expected only with the policies branching and playouts")
    return tuple(int(breadth) for breadth in breadths)


def ties_of(policy: str, ties: str | None) -> str:
    """What settles ties. Raises BadInput for none of `kernels.TIES`, and for any with another policy."""
    if ties is None:
        return "number"
    checks.check_choice("ties", ties, kernels.TIES)
    if policy != "branching":
        raise BadInput(f"ties {ties}: expected only with the policy branching")
    return ties


def check(breadths: tuple[int, ...]) -> None:
    """Raises BadInput for breadths that cannot be searched."""
    if not isinstance(breadths, Sequence) or isinstance(breadths, str) or not 1 <= len(breadths) <= MOST_BREADTHS:
        raise BadInput(f"breadths {_text(breadths)}: expected one to three numbers from 1 on, as 3,5,5")
    for breadth in breadths:
        checks.check_integer("breadth", breadth, 1, kernels.PLACEMENTS)
    if prod(breadths) > WIDEST:
        raise BadInput(f"breadths {_text(breadths)}: expected a product of at most {WIDEST:,}")


def _text(breadths: object) -> str:
    found = ",".join(map(str, breadths)) if isinstance(breadths, Sequence) else str(breadths)
    return found[:40]


def games_at_once(backend: Backend, breadths: tuple[int, ...], settings: Settings) -> int:
    """How many games to play side by side on this device; what comes of them does not depend on it."""
    unknown = len(breadths) - 2 + (settings.delay > 0)
    return backend.batch(BYTES_PER_BOARD * prod(breadths) * 7 ** max(0, unknown))


def choose(
    weights: npt.ArrayLike,
    boards: Boards,
    pieces: npt.NDArray[Any],
    following: npt.NDArray[Any],
    levels: npt.NDArray[Any],
    breadths: tuple[int, ...] = BREADTHS,
    settings: Settings = Settings(),
    backend: Backend | None = None,
    ties: str = "number",
) -> tuple[Placements, npt.NDArray[np.int32]]:
    """The best placements of `pieces` on each board, breadths[0] at most, and the number of the chosen one among them.

    That number is int32, (n,), and 0 where there is no placement. A tetris is played if there is one. Otherwise the
    placements are valued by what is to be expected after the following piece and len(breadths) - 1 more, each at its
    best. `ties`: what settles them, `kernels.order_table`; of placements from which as much is to be expected, with
    ``number`` the better one by itself is chosen.
    """
    check(breadths)
    check_settings(settings)
    columns, first, levels = kernels.checked(boards, pieces, kernels.in_range("levels", levels, 0, MOST_LINES))
    after = kernels.in_range("following", following, 0, 6, len(columns)).astype(np.int32)
    backend = open_backend(backend)
    search = Branching(backend, weights, breadths, settings, ties)
    lines = np.zeros(len(columns), np.int32)
    found, chosen = search.choose(Now(*(backend.asarray(array) for array in (columns, first, after, levels, lines))))
    return found.on_host(backend), backend.to_host(chosen)


class Branching:
    """A search: the device, the weights, how wide. All arrays are the device's."""

    def __init__(
        self,
        backend: Backend,
        weights: npt.ArrayLike,
        breadths: tuple[int, ...],
        settings: Settings,
        ties: str = "number",
    ) -> None:
        self.backend, self.breadths, self.ties = backend, breadths, ties
        self.order = backend.asarray(kernels.order_table(ties))
        self.weights = backend.asarray(kernels.one_row(weights))
        chances = sources.transitions(settings.source)
        self.chances, self.whole = backend.asarray(chances), int(chances[0].sum())
        self.timed, self.taps = kernels.timing(backend, settings.reach, settings.double_killscreen)
        self.planner = Planner(backend, settings) if settings.delay else None

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """The best placements of each board, and the number of the chosen one, int32."""
        xp, pieces = self.backend.xp, now.pieces
        found = self._best(now.boards, pieces, now.levels, self.breadths[0])
        looked_at = (found.counts > 1) & (found.cleared[:, 0] != 4)
        kept = (xp.arange(self.breadths[0]) < found.counts[:, None]) & looked_at[:, None]
        board, rank = xp.nonzero(kept)
        after, levels_then, depth = found.after[board, rank], now.levels[board], len(self.breadths) - 1
        none_yet = xp.zeros(len(board), np.int64)
        if self.planner is None:
            worths = xp.full(kept.shape, WORST, np.int64)
            if len(board):
                worths[board, rank] = self.value(after, now.following[board], levels_then, none_yet, depth)
            if self.ties == "number":
                chosen = worths.argmin(axis=1)
            else:
                equal = worths == worths.min(axis=1, keepdims=True)
                numbers = xp.where(kept, found.placements, 0).astype(np.int64)
                order = self.order[pieces[:, None].astype(np.int64) * kernels.NUMBERS + numbers]
                chosen = xp.where(equal, order, kernels.NUMBERS).argmin(axis=1)
            return found, xp.where(looked_at, chosen, 0).astype(np.int32)
        worths = xp.zeros((*kept.shape, 7), np.int64)
        if len(board):  # rounded down, for a sum over the next piece has to fit 64 bits
            worths[board, rank] = self.values(after, levels_then, none_yet, depth) // self.whole**depth
        chosen = self.planner.choose(now, found, worths)
        return found, xp.where(looked_at, chosen, 0).astype(np.int32)

    def value(self, boards: Array, pieces: Array, levels: Array, tetrises: Array, depth: int) -> Array:
        """What each board is worth with a piece to place, times whole^depth, int64; less is better.

        `tetrises`: those scored on the way, DECISIVE each; one at the very end does not count.
        """
        xp = self.backend.xp
        breadth = self.breadths[len(self.breadths) - depth] if depth else 1
        found = self._best(boards, pieces, levels, breadth)
        stuck, scale = found.counts == 0, self.whole**depth
        if depth == 0:
            assert found.values is not None
            last = found.values[:, 0] + DECISIVE * (found.cleared[:, 0] == 4) - DECISIVE * tetrises
            return xp.where(stuck, DECISIVE, last)
        kept = xp.arange(breadth) < found.counts[:, None]
        kept[:, 1:] &= found.cleared[:, :1] != 4  # a tetris comes first, and nothing after it
        parent, rank = xp.nonzero(kept)
        worths = xp.full(kept.shape, WORST, np.int64)
        if len(parent):
            scored = tetrises[parent] + (found.cleared[parent, rank] == 4)
            worths[parent, rank] = self.expected(
                found.after[parent, rank], pieces[parent], levels[parent], scored, depth - 1
            )
        return xp.where(stuck, DECISIVE * scale, worths.min(axis=1))

    def expected(self, boards: Array, previous: Array, levels: Array, tetrises: Array, depth: int) -> Array:
        """The sum of what the boards are worth over the seven pieces, each times its chance after `previous`, int64."""
        if depth == 0:
            n = len(boards)
            out = self.backend.empty(n, np.int64)
            self.backend.launch(
                PROGRAM, "expect", n, self.weights, boards, previous, levels, tetrises, self.chances, self.timed,
                self.taps, out,
            )  # fmt: skip
            return out
        return (self.values(boards, levels, tetrises, depth) * self.chances[previous]).sum(axis=1)

    def values(self, boards: Array, levels: Array, tetrises: Array, depth: int) -> Array:
        """`value` with each of the seven pieces to place, (n, 7)."""
        xp, n = self.backend.xp, len(boards)
        found = self.value(
            xp.repeat(boards, 7, axis=0),
            xp.tile(xp.arange(7, dtype=np.int32), n),
            xp.repeat(levels, 7),
            xp.repeat(tetrises, 7),
            depth,
        )
        return found.reshape(n, 7)

    def _best(self, boards: Array, pieces: Array, levels: Array, most: int) -> Placements:
        return kernels.best_there(
            self.backend, self.weights, boards, pieces, levels, self.timed, self.taps, self.order, most
        )


def play(
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int = 0,
    breadths: tuple[int, ...] = BREADTHS,
    settings: Settings = Settings(),
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
    ties: str = "number",
) -> tuple[Games, list[list[int]]]:
    """Plays whole games; their results, arrays of shape (1, games), and the placements of each.

    `progress` is called with the number of games that are over. Raises BadInput for what cannot be played.
    """
    check(breadths)
    check_settings(settings)
    check_seed(seed)
    checks.check_integer("games", games, 1, kernels.MOST_PLAYED)
    checks.check_integer("game", first_game, 0, kernels.MOST_GAME - games)
    backend = open_backend(backend)
    search, at_once = Branching(backend, weights, breadths, settings, ties), games_at_once(backend, breadths, settings)
    numbers = range(first_game, first_game + games)
    return turns.play(search.choose, numbers, seed, settings, backend, at_once, progress=progress)
