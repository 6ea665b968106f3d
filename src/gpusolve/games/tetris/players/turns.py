"""Many games side by side, a turn of all of them at a time, by any policy that chooses for a batch of boards.

Boards, pieces and results live on the device. Only which games go on, and what they placed, comes to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.kernels import NOWHERE, PROGRAM, Boards, Games, Placements
from gpusolve.games.tetris.rules import board as rules, sources
from gpusolve.games.tetris.variant import Settings
from gpusolve.runs.seeds import MASK64


class Now(NamedTuple):
    """Where games are: an array of the device for each property, with an entry for each game."""

    boards: Array
    pieces: Array
    following: Array
    levels: Array
    """Their rows of the table of taps."""
    lines: Array


class Start(NamedTuple):
    """Where games begin instead of the empty board; level and lines then stay, however many lines are cleared."""

    boards: Boards
    levels: npt.NDArray[np.int32]
    """Their rows of the table of taps."""
    lines: npt.NDArray[np.int32]


Choose: TypeAlias = Callable[[Now], tuple[Placements, Array]]
"""Some placements on each board, and the number among them of the one to make, int32, the device's; what it is where
there are none is all one."""
Lists: TypeAlias = Sequence[Sequence[int]]
"""The pieces of each game, by their numbers. The last one only follows, so it is not placed."""


class Round:
    """Games of a seed side by side, turn by turn: their state on the device.

    `going`: the numbers of those that go on; `results`, int32 (games, 4): score, lines, pieces, tetrises of each.
    """

    def __init__(self, backend: Backend, games: range, seed: int, settings: Settings) -> None:
        n, xp = len(games), backend.xp
        self.backend, self.settings, self.source = backend, settings, sources.SOURCES.index(settings.source)
        self.dice = backend.empty((n, 4), np.uint64)
        self.pieces, self.following = backend.empty(n, np.int32), backend.empty(n, np.int32)
        backend.launch(
            PROGRAM, "deal", n, np.uint64(int(seed) & MASK64), games.start, self.source, self.dice, self.pieces,
            self.following,
        )  # fmt: skip
        self.boards, self.results = xp.zeros((n, rules.COLUMNS), np.uint32), xp.zeros((n, 4), np.int32)
        self.levels = xp.full(n, min(rules.level_at(0, settings.start_level), kernels.LEVELS - 1), np.int32)
        self.going = xp.arange(n, dtype=np.int32)

    def now(self) -> Now:
        """Where the games are that go on."""
        some = self.going
        lines = self.results[some, 1]
        return Now(self.boards[some], self.pieces[some], self.following[some], self.levels[some], lines)

    def turn(self, games: Array, found: Placements, chosen: Array) -> tuple[Array, Array]:
        """Makes the chosen placements; the placements (NOWHERE where there is none), and which games go on."""
        placed = self.backend.empty(len(games), np.uint32)
        goes_on = self.backend.empty(len(games), np.uint8)
        self.backend.launch(
            PROGRAM, "turn", len(games), games, found.counts, found.placements, found.cleared, found.after,
            found.cleared.shape[1], chosen, self.source, self.settings.start_level, self.settings.max_lines,
            self.boards, self.pieces, self.following, self.levels, self.dice, self.results, placed, goes_on,
        )  # fmt: skip
        return placed, goes_on != 0


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
        its_start = None if start is None else Start(start.boards[batch], start.levels[batch], start.lines[batch])
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
    """A batch of games: their results, and the placements of each."""
    state = Round(backend, games, seed, settings)
    made: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]] = []
    if start is not None:
        boards, levels, lines = map(backend.asarray, start)
        state.boards[:], state.levels[:], state.results[:, 1] = boards, levels, lines
    given = None if lists is None else backend.asarray(_table(lists))
    while True:
        if given is not None:
            turn, going = len(made), state.going
            state.going = going = going[given[going, turn + 1] >= 0]
            state.pieces[going], state.following[going] = given[going, turn], given[going, turn + 1]
        if not len(state.going):
            break
        placed, goes_on = state.turn(state.going, *choose(state.now()))
        made.append((backend.to_host(state.going), backend.to_host(placed)))
        if start is not None:
            state.levels[:], state.results[:, 1] = levels, lines
        state.going = state.going[goes_on]
        progress(len(games) - len(state.going))
    traces: list[list[int]] = [[] for _ in games]
    for some, placements in made:
        for game, placement in zip(some.tolist(), placements.tolist(), strict=True):
            if placement != NOWHERE:
                traces[game].append(placement)
    results: npt.NDArray[np.int32] = backend.to_host(state.results)
    return results, traces


def _table(lists: Lists) -> npt.NDArray[np.int32]:
    """A row for each list, -1 after its end, a column more than the longest has."""
    table = np.full((len(lists), max(map(len, lists)) + 2), -1, np.int32)
    for row, pieces in zip(table, lists, strict=True):
        row[: len(pieces)] = pieces
    return table
