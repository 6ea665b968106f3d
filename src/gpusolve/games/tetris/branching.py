"""Branching: expectimax on the two known pieces and on what may follow them, many games at once.

The host holds the tree, a level at a time over all games; the device finds and values the placements of a level in one
batch. Values are integers, scaled by the denominator of the pieces' probabilities once for each level of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels, rules, sources
from gpusolve.games.tetris.features import DECISIVE
from gpusolve.games.tetris.kernels import Boards, Games, Placements, Settings

BREADTHS = (3, 5, 5)
"""The best placements looked at: of the known piece, of the next one, of the one after."""
MOST_BREADTHS = 3  # another level of chance would not fit 64 bits
WIDEST = 40_000
"""The product of the breadths: 2 million boards for a move, a gigabyte."""
GAMES = 48  # played at once, at most
BYTES_PER_BOARD = 1024  # of the last level: about 4,000 boards for a move with BREADTHS
Ints = npt.NDArray[np.int64]


def breadths_of(policy: str, breadths: tuple[int, ...] | None) -> tuple[int, ...]:
    """The breadths to search with. Raises BadInput for ones that cannot be, and for any with another policy."""
    if breadths is None:
        return BREADTHS
    check(breadths)
    if policy != "branching":
        raise BadInput(f"breadths {','.join(map(str, breadths))}: expected only with the policy branching")
    return tuple(int(breadth) for breadth in breadths)


def check(breadths: tuple[int, ...]) -> None:
    """Raises BadInput for breadths that cannot be searched."""
    if not isinstance(breadths, Sequence) or isinstance(breadths, str) or not 1 <= len(breadths) <= MOST_BREADTHS:
        raise BadInput(f"breadths {_text(breadths)}: expected one to three numbers from 1 on, as 3,5,5")
    for breadth in breadths:
        checks.whole("breadth", breadth, 1, kernels.PLACEMENTS)
    if prod(breadths) > WIDEST:
        raise BadInput(f"breadths {_text(breadths)}: expected a product of at most {WIDEST:,}")


def _text(breadths: object) -> str:
    found = ",".join(map(str, breadths)) if isinstance(breadths, Sequence) else str(breadths)
    return found[:40]


def games_at_once(backend: Backend, breadths: tuple[int, ...]) -> int:
    """How many games to play side by side on this device; what comes of them does not depend on it."""
    boards = prod(breadths) * 7 ** (len(breadths) - 1)
    return min(GAMES, backend.batch(BYTES_PER_BOARD * boards))


def transitions(source: str) -> Ints:
    """P(next | piece) times their sum, int64 (7, 7), a row for each piece.

    >>> transitions("uniform8")[0].tolist()
    [2, 9, 9, 9, 9, 9, 9]
    """
    if source == "uniform8":
        return np.full((7, 7), 9, np.int64) - 7 * np.eye(7, dtype=np.int64)
    table = np.zeros((7, 7), np.int64)
    for i, previous in enumerate(sources.NES_ORDER):
        for first in range(8):  # the high byte is uniform: all residues of 8 are as likely, twice
            if first not in (i, 7):
                table[previous, sources.NES_ORDER[first]] += 8
                continue
            for second in range(8):
                table[previous, sources.NES_ORDER[(second + sources.NES_SPAWN_IDS[i]) % 7]] += 1
    return table


def choose(
    weights: npt.ArrayLike,
    boards: Boards,
    pieces: npt.NDArray[Any],
    following: npt.NDArray[Any],
    levels: npt.NDArray[Any],
    breadths: tuple[int, ...] = BREADTHS,
    settings: Settings = Settings(),
    backend: Backend | None = None,
) -> tuple[Placements, Ints]:
    """The best placements of `pieces` on each board, breadths[0] at most, and the number of the chosen one among them.

    That number is int64, (n,), and 0 where there is no placement. A tetris is played if there is one. Otherwise the
    placements are valued by what is to be expected after the following piece and len(breadths) - 1 more, each at its
    best.
    """
    check(breadths)
    kernels.check_settings(settings)
    n = len(boards)
    following = kernels.in_range("following", following, 0, 6, n)
    levels = kernels.in_range("levels", levels, 0, kernels.MOST_LINES, n)
    backend = open_backend(backend)
    found = kernels.best(backend, weights, boards, pieces, levels, settings.reach, breadths[0])
    chosen = np.zeros(len(boards), np.int64)
    open_boards = (found.counts > 1) & (found.cleared[:, 0] != 4)
    kept = (np.arange(breadths[0]) < found.counts[:, None]) & open_boards[:, None]
    board, rank = np.nonzero(kept)
    if len(board):
        search = _Search(backend, weights, breadths, settings, transitions(settings.source))
        worth = search.value(
            found.after[board, rank], following[board], levels[board], np.zeros(len(board), np.int64), len(breadths) - 1
        )
        worths = np.full(kept.shape, np.iinfo(np.int64).max)
        worths[board, rank] = worth
        chosen[open_boards] = worths.argmin(axis=1)[open_boards]
    return found, chosen


class _Search:
    """What stays the same in a search: the device, the weights, how wide."""

    def __init__(
        self, backend: Backend, weights: npt.ArrayLike, breadths: tuple[int, ...], settings: Settings, chances: Ints
    ) -> None:
        self.backend, self.weights, self.breadths, self.settings = backend, weights, breadths, settings
        self.chances, self.whole = chances, int(chances[0].sum())

    def value(
        self, boards: Boards, pieces: npt.NDArray[Any], levels: npt.NDArray[Any], tetrises: Ints, depth: int
    ) -> Ints:
        """What each board is worth with a piece to place, times whole^depth; less is better.

        `tetrises`: those scored on the way, DECISIVE each; one at the very end does not count.
        """
        breadth = self.breadths[len(self.breadths) - depth] if depth else 1
        found = kernels.best(self.backend, self.weights, boards, pieces, levels, self.settings.reach, breadth)
        stuck = found.counts == 0
        scale = self.whole**depth
        if depth == 0:
            assert found.values is not None
            best = found.values[:, 0] + DECISIVE * (found.cleared[:, 0] == 4) - DECISIVE * tetrises
            return np.where(stuck, DECISIVE, best)
        kept = np.arange(breadth) < found.counts[:, None]
        kept[:, 1:] &= (found.cleared[:, :1] != 4) | stuck[:, None]  # a tetris comes first, and nothing after it
        parent, rank = np.nonzero(kept)
        scored = tetrises[parent] + (found.cleared[parent, rank] == 4)
        after = self.expected(found.after[parent, rank], pieces[parent], levels[parent], scored, depth - 1)
        worth = np.full(len(boards), DECISIVE * scale)
        if len(parent):
            starts = np.flatnonzero(rank == 0)
            worth[parent[starts]] = np.minimum.reduceat(after, starts)
        return worth

    def expected(
        self, boards: Boards, previous: npt.NDArray[Any], levels: npt.NDArray[Any], tetrises: Ints, depth: int
    ) -> Ints:
        """The sum of what the boards are worth over the seven pieces, each times its chance after `previous`."""
        n = len(boards)
        worth = self.value(
            np.repeat(boards, 7, axis=0),
            np.tile(np.arange(7), n),
            np.repeat(levels, 7),
            np.repeat(tetrises, 7),
            depth,
        )
        expected: Ints = (worth.reshape(n, 7) * self.chances[previous]).sum(axis=1)
        return expected


def play(
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int = 0,
    breadths: tuple[int, ...] = BREADTHS,
    settings: Settings = Settings(),
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> tuple[Games, list[list[int]]]:
    """Plays whole games; their results, arrays of shape (1, games), and the placements of each.

    `progress` is called with the number of games that are over. Raises BadInput for what cannot be played.
    """
    check(breadths)
    kernels.check_settings(settings)
    kernels.check_seed(seed)
    checks.whole("games", games, 1, kernels.MOST_PLAYED)
    checks.whole("game", first_game, 0, kernels.MOST_GAME - games)
    backend = open_backend(backend)

    def counted(before: int) -> Callable[[int], None]:
        return lambda done: progress(before + done)

    results, traces = [], []
    at_once = games_at_once(backend, breadths)
    for begin in range(0, games, at_once):
        batch = range(first_game + begin, first_game + min(begin + at_once, games))
        result, trace = _play(weights, batch, seed, breadths, settings, counted(begin), backend)
        results.append(result)
        traces += trace
    out = np.concatenate(results).astype(np.int32)[None]
    return Games(*(out[:, :, i] for i in range(4))), traces


def _play(
    weights: npt.ArrayLike,
    games: range,
    seed: int,
    breadths: tuple[int, ...],
    settings: Settings,
    progress: Callable[[int], None],
    backend: Backend,
) -> tuple[Ints, list[list[int]]]:
    """A batch of games, a turn of all of them at a time: score, lines, pieces, tetrises of each, and its placements."""
    drawn = [sources.pieces(seed, game, settings.source) for game in games]
    pieces, following = (np.array([next(source) for source in drawn]) for _ in range(2))
    boards = np.zeros((len(games), rules.COLUMNS), np.uint32)
    results = np.zeros((len(games), 4), np.int64)
    traces: list[list[int]] = [[] for _ in games]
    going = np.arange(len(games))
    while len(going):
        levels = np.array([rules.level_at(int(lines), settings.start_level) for lines in results[going, 1]])
        found, chosen = choose(
            weights, boards[going], pieces[going], following[going], levels, breadths, settings, backend
        )
        placed = np.flatnonzero(found.counts > 0)
        chosen, going = chosen[placed], going[placed]
        boards[going] = found.after[placed, chosen]
        cleared, placements = found.cleared[placed, chosen].tolist(), found.placements[placed, chosen].tolist()
        for game, rows, placement in zip(going.tolist(), cleared, placements, strict=True):
            lines = int(results[game, 1]) + rows
            results[game] += (rules.points(rows, lines, settings.start_level), rows, 1, rows == 4)
            traces[game].append(placement)
            pieces[game], following[game] = following[game], next(drawn[game])
        going = going[results[going, 1] < settings.max_lines]
        progress(len(games) - len(going))
    return results, traces
