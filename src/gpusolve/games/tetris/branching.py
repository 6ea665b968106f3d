"""Branching: expectimax on the two known pieces and on what may follow them, many games at once.

The host holds the tree, a level at a time over all games; the device finds and values the placements of a level in one
batch. Values are integers, scaled by the denominator of the pieces' probabilities once for each level of chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels, rules
from gpusolve.games.tetris.kernels import Boards, Games, Settings
from gpusolve.games.tetris.rules import DECISIVE

BREADTHS = (3, 5, 5)
"""The best placements looked at: of the known piece, of the next one, of the one after."""
MOST_BREADTHS = 3  # another level of chance would not fit 64 bits
GAMES = 48  # played at once: about 4,000 boards each at the last level
Ints = npt.NDArray[np.int64]


def check(breadths: tuple[int, ...]) -> None:
    """Raises BadInput for breadths that cannot be searched."""
    if not 1 <= len(breadths) <= MOST_BREADTHS or min(breadths) < 1:
        raise BadInput(f"breadths {','.join(map(str, breadths))}: expected one to three numbers from 1 on, as 3,5,5")


def transitions(source: str) -> Ints:
    """P(next | piece) times their sum, int64 (7, 7), a row for each piece.

    >>> transitions("uniform8")[0].tolist()
    [2, 9, 9, 9, 9, 9, 9]
    """
    if source == "uniform8":
        return np.full((7, 7), 9, np.int64) - 7 * np.eye(7, dtype=np.int64)
    table = np.zeros((7, 7), np.int64)
    for i, previous in enumerate(rules.NES_ORDER):
        for first in range(8):  # the high byte is uniform: all residues of 8 are as likely, twice
            if first not in (i, 7):
                table[previous, rules.NES_ORDER[first]] += 8
                continue
            for second in range(8):
                table[previous, rules.NES_ORDER[(second + rules.NES_SPAWN_IDS[i]) % 7]] += 1
    return table


def choose(
    backend: Backend,
    weights: npt.ArrayLike,
    boards: Boards,
    pieces: npt.NDArray[Any],
    following: npt.NDArray[Any],
    levels: npt.NDArray[Any],
    breadths: tuple[int, ...] = BREADTHS,
    settings: Settings = Settings(),
) -> npt.NDArray[np.int64]:
    """The placement of `pieces` on each board; -1 where there is none.

    A tetris is played if there is one. Otherwise the best breadths[0] placements are valued by what is to be expected
    after the following piece and len(breadths) - 1 more, each at its best.
    """
    found = kernels.best(backend, weights, boards, pieces, levels, settings.reach, breadths[0])
    choice = np.where(found.counts > 0, found.placements[:, 0].astype(np.int64), -1)
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
        best = worths.argmin(axis=1)
        choice[open_boards] = found.placements[open_boards, best[open_boards]]
    return choice


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
    backend: Backend,
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int = 0,
    breadths: tuple[int, ...] = BREADTHS,
    settings: Settings = Settings(),
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    """Plays whole games; their results, arrays of shape (1, games), and the placements of each.

    `progress` is called with the number of games that are over.
    """
    check(breadths)
    results, traces = [], []
    for begin in range(0, games, GAMES):
        some = min(GAMES, games - begin)
        result, trace = _play(backend, weights, some, seed, first_game + begin, breadths, settings, begin, progress)
        results.append(result)
        traces += trace
    out = np.concatenate(results).astype(np.int32)[None]
    return Games(*(out[:, :, i] for i in range(4))), traces


def _play(
    backend: Backend,
    weights: npt.ArrayLike,
    games: int,
    seed: int,
    first_game: int,
    breadths: tuple[int, ...],
    settings: Settings,
    done: int,
    progress: Callable[[int], None],
) -> tuple[npt.NDArray[np.int64], list[list[int]]]:
    drawn = [rules.pieces(seed, first_game + i, settings.source) for i in range(games)]
    pieces, following = (np.array([next(source) for source in drawn]) for _ in range(2))
    boards = np.zeros((games, rules.COLUMNS), np.uint32)
    results = np.zeros((games, 4), np.int64)  # score, lines, pieces, tetrises
    traces: list[list[int]] = [[] for _ in range(games)]
    going = np.arange(games)
    while len(going):
        levels = np.array([rules.level_at(int(lines), settings.start_level) for lines in results[going, 1]])
        choice = choose(backend, weights, boards[going], pieces[going], following[going], levels, breadths, settings)
        going, choice = going[choice >= 0], choice[choice >= 0]
        for i, placement in zip(going, choice, strict=True):
            piece = int(pieces[i])
            state = kernels.state_of(piece, int(placement))
            board, cleared, _ = rules.place(kernels.board_of(boards[i]), piece, state)
            boards[i] = kernels.columns_of(board[None])[0]
            lines = int(results[i, 1]) + cleared
            results[i] += (rules.points(cleared, lines, settings.start_level), cleared, 1, cleared == 4)
            traces[i].append(int(placement))
            pieces[i], following[i] = following[i], next(drawn[i])
        going = going[results[going, 1] < settings.max_lines]
        progress(done + games - len(going))
    return results, traces
