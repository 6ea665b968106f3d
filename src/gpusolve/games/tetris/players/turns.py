"""Many games side by side: one turn of all games at a time, with any function that chooses for a batch of boards.

Boards, pieces and results live on the device. Only the numbers of the games that go on and their placements come to
the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend, in_batches
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.kernels import NOWHERE, Boards, Placements, columns_of
from gpusolve.games.tetris.players.kernels import RESULTS, GameArrays, Games, deal, turn
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import COLUMNS, level_at
from gpusolve.games.tetris.rules.sources import SOURCES
from gpusolve.games.tetris.variant import Variant

BYTES_PER_GAME = 1 << 17
"""What a game by a simple policy takes: two workspaces of boards for a whole game, or all placements in a turn."""


class Now(NamedTuple):
    """The positions of games: an array of the device for each property, with an entry for each game."""

    boards: Array
    pieces: Array
    following: Array
    levels: Array
    """Rows of the clock's tables."""
    lines: Array


class Start(NamedTuple):
    """Positions where games start instead of the empty board."""

    boards: Boards
    levels: npt.NDArray[np.int32]
    """Rows of the clock's tables."""
    lines: npt.NDArray[np.int32]
    stays: bool = True
    """Whether level and lines stay the same, however many lines are cleared."""

    @classmethod
    def at(cls, position: Position, games: int = 1) -> Start:
        """Return the start of games that go on from a position."""
        levels = np.full(games, min(position.level, LEVELS - 1), np.int32)
        boards = np.repeat(columns_of(position.board[None]), games, axis=0)
        return cls(boards, levels, np.full(games, position.lines, np.int32), stays=False)


Choose: TypeAlias = Callable[[Now], tuple[Placements, Array]]
"""Returns placements on each board, and the index of the chosen one among them: int32, an array of the device. Where
a board has no placement, any index does."""
PieceLists: TypeAlias = Sequence[Sequence[int]]
"""The pieces of each game, by their numbers. The last piece of a list is only seen as the next one, never placed."""


def simple_games_at_once(backend: Backend) -> int:
    """Return how many games by a policy that looks at no more than two pieces are played side by side."""
    return backend.batch(BYTES_PER_GAME)


class Round:
    """Games of a seed side by side: their state on the device.

    `going` has the numbers of the games that go on; `results`, int32 (games, 4), the score, lines, pieces and tetrises
    of each game. All games start with an empty board; `lines` are the numbers of lines cleared before, 0 by default.
    """

    def __init__(
        self,
        backend: Backend,
        games: range,
        *,
        seed: int,
        variant: Variant,
        lines: npt.NDArray[np.int32] | None = None,
    ) -> None:
        n, xp = len(games), backend.xp
        self.backend, self.variant, self.source = backend, variant, SOURCES.index(variant.source)
        self.dice, self.pieces, self.following = deal(backend, games, seed=seed, source=self.source)
        self.boards, self.results = xp.zeros((n, COLUMNS), np.uint32), xp.zeros((n, len(RESULTS)), np.int32)
        cleared = np.zeros(n, np.int32) if lines is None else lines
        self.results[:, 1] = backend.asarray(cleared)
        rows = [min(level_at(number, variant.start_level), LEVELS - 1) for number in cleared.tolist()]
        self.levels = backend.asarray(np.array(rows, np.int32))
        self.going = xp.arange(n, dtype=np.int32)

    def now(self) -> Now:
        """Return the positions of the games that go on."""
        going = self.going
        lines = self.results[going, 1]
        return Now(self.boards[going], self.pieces[going], self.following[going], self.levels[going], lines)

    def turn(self, games: Array, placements: Placements, chosen: Array) -> tuple[Array, Array]:
        """Make the chosen placements; return them, NOWHERE where there is none, and whether each game goes on."""
        state = GameArrays(self.boards, self.pieces, self.following, self.levels, self.dice, self.results)
        return turn(
            self.backend, state, games, placements=placements, chosen=chosen, source=self.source, variant=self.variant
        )


def play_by_turns(
    choose: Choose,
    games: range,
    *,
    seed: int,
    variant: Variant,
    backend: Backend,
    at_once: Callable[[], int],
    lists: PieceLists | None = None,
    start: Start | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    """Play games of a seed; return their results, of shape (1, games), and the placements of each.

    `at_once` says how many games to play side by side, which changes no result (`in_batches`). `lists` gives the pieces
    of each game instead of the seed; a game ends where its list does. `start` replaces the empty board. `progress` is
    called with the number of games that are over.
    """

    def counted(before: int) -> Callable[[int], None]:
        return lambda done: progress(before + done)

    def play_batch(numbers: range) -> tuple[npt.NDArray[np.int32], list[list[int]]]:
        batch = slice(numbers.start, numbers.stop)
        return _play_batch(
            choose,
            games[batch],
            seed=seed,
            variant=variant,
            backend=backend,
            lists=None if lists is None else lists[batch],
            start=start and Start(start.boards[batch], start.levels[batch], start.lines[batch], start.stays),
            progress=counted(batch.start),
        )

    played = list(in_batches(range(len(games)), at_once, play_batch))
    results = np.concatenate([batch_results for batch_results, _ in played])
    return Games.of(results[None]), [trace for _, traces in played for trace in traces]


def _play_batch(
    choose: Choose,
    games: range,
    *,
    seed: int,
    variant: Variant,
    backend: Backend,
    lists: PieceLists | None,
    start: Start | None,
    progress: Callable[[int], None],
) -> tuple[npt.NDArray[np.int32], list[list[int]]]:
    """Play games side by side; return their results and the placements of each."""
    state = Round(backend, games, seed=seed, variant=variant)
    made: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]] = []
    if start is not None:
        boards, levels, lines = map(backend.asarray, start[:3])
        state.boards[:], state.levels[:], state.results[:, 1] = boards, levels, lines
    given = None if lists is None else backend.asarray(_table(lists))
    while True:
        if given is not None:
            number, going = len(made), state.going
            state.going = going = going[given[going, number + 1] >= 0]
            state.pieces[going], state.following[going] = given[going, number], given[going, number + 1]
        if not len(state.going):
            break
        placed, goes_on = state.turn(state.going, *choose(state.now()))
        made.append((backend.to_host(state.going), backend.to_host(placed)))
        if start is not None and start.stays:
            state.levels[:], state.results[:, 1] = levels, lines
        state.going = state.going[goes_on]
        progress(len(games) - len(state.going))
    traces: list[list[int]] = [[] for _ in games]
    for numbers, placements in made:
        for game, placement in zip(numbers.tolist(), placements.tolist(), strict=True):
            if placement != NOWHERE:
                traces[game].append(placement)
    results: npt.NDArray[np.int32] = backend.to_host(state.results)
    return results, traces


def _table(lists: PieceLists) -> npt.NDArray[np.int32]:
    """Return a row for each list, filled up with -1; there is one column more than the longest list needs."""
    table = np.full((len(lists), max(map(len, lists)) + 2), -1, np.int32)
    for row, pieces in zip(table, lists, strict=True):
        row[: len(pieces)] = pieces
    return table
