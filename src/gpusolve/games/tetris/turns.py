"""Many games side by side, a turn of all of them at a time, by any policy that chooses for a batch of boards.

Boards, pieces and results live on the device. Only which games go on, and what they placed, comes to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris import kernels, rules, sources
from gpusolve.games.tetris.kernels import NOWHERE, PROGRAM, Boards, Games, Placements, Settings
from gpusolve.seeds import MASK64

Choose: TypeAlias = Callable[[Array, Array, Array, Array], tuple[Placements, Array]]
"""Of boards, their pieces, the pieces that follow and the levels' rows of the table of taps, all the device's: some
placements of each, and the number among them of the one to make, int32; what it is where there are none is all one."""
Start: TypeAlias = tuple[Boards, npt.NDArray[np.int32]]
"""The board of each game, and its row of the table of taps, which then stays, however many lines are cleared."""
Lists: TypeAlias = Sequence[Sequence[int]]
"""The pieces of each game, by their numbers. The last one only follows, so it is not placed."""


def play(
    choose: Choose,
    games: range,
    seed: int,
    settings: Settings,
    backend: Backend,
    at_once: int,
    lists: Lists | None = None,
    start: Start | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    """Plays these games of `seed`; their results, of shape (1, games), and their placements.

    `at_once`: how many side by side, what comes of them does not depend on it. `lists`: pieces for each game, instead
    of those of the seed; it ends where they do. `start`: instead of the empty board. `progress` is called with the
    number of games that are over.
    """

    def counted(before: int) -> Callable[[int], None]:
        return lambda done: progress(before + done)

    results, traces = [], []
    for begin in range(0, len(games), at_once):
        batch = slice(begin, begin + at_once)
        its_lists = None if lists is None else lists[batch]
        its_start = None if start is None else (start[0][batch], start[1][batch])
        result, trace = _play(choose, games[batch], seed, settings, backend, its_lists, its_start, counted(begin))
        results.append(result)
        traces += trace
    out = np.concatenate(results)[None]
    return Games(*(out[:, :, i] for i in range(4))), traces


def _play(
    choose: Choose,
    games: range,
    seed: int,
    settings: Settings,
    backend: Backend,
    lists: Lists | None,
    start: Start | None,
    progress: Callable[[int], None],
) -> tuple[npt.NDArray[np.int32], list[list[int]]]:
    """A batch of games: score, lines, pieces, tetrises of each, and its placements."""
    xp, n = backend.xp, len(games)
    source = sources.SOURCES.index(settings.source)
    dice, pieces, following = (backend.empty(*room) for room in (((n, 4), np.uint64), (n, np.int32), (n, np.int32)))
    backend.launch(PROGRAM, "deal", n, np.uint64(int(seed) & MASK64), games.start, source, dice, pieces, following)
    boards, results = xp.zeros((n, rules.COLUMNS), np.uint32), xp.zeros((n, 4), np.int32)
    levels = xp.full(n, min(rules.level_at(0, settings.start_level), kernels.LEVELS - 1), np.int32)
    if start is not None:
        boards[:], levels[:] = backend.asarray(start[0]), backend.asarray(start[1])
    stays = levels.copy()
    going = xp.arange(n, dtype=np.int32)
    turns: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]] = []
    given = None if lists is None else backend.asarray(_table(lists))
    while True:
        if given is not None:
            turn = len(turns)
            going = going[given[going, turn + 1] >= 0]
            pieces[going], following[going] = given[going, turn], given[going, turn + 1]
        if not len(going):
            break
        found, chosen = choose(boards[going], pieces[going], following[going], levels[going])
        placed, goes_on = backend.empty(len(going), np.uint32), backend.empty(len(going), np.uint8)
        backend.launch(
            PROGRAM, "turn", len(going), going, found.counts, found.placements, found.cleared, found.after,
            found.placements.shape[1], chosen, source, settings.start_level, settings.max_lines, boards, pieces,
            following, levels, dice, results, placed, goes_on,
        )  # fmt: skip
        turns.append((backend.to_host(going), backend.to_host(placed)))
        if start is not None:
            levels[:] = stays
        going = going[goes_on != 0]
        progress(n - len(going))
    traces: list[list[int]] = [[] for _ in games]
    for some, made in turns:
        for game, placement in zip(some.tolist(), made.tolist(), strict=True):
            if placement != NOWHERE:
                traces[game].append(placement)
    return backend.to_host(results), traces


def _table(lists: Lists) -> npt.NDArray[np.int32]:
    """A row for each list, -1 after its end, a column more than the longest has."""
    table = np.full((len(lists), max(map(len, lists)) + 2), -1, np.int32)
    for row, pieces in zip(table, lists, strict=True):
        row[: len(pieces)] = pieces
    return table
