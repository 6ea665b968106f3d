"""Play by the learned value: one piece, two pieces, or the expectation over what may follow them; many games at once.

The games live on the device. A turn of all of them is a few batches: the placements of each board with the least loss,
the boards after those with the next piece, and so on. Losses are integers, so the same game is played on every device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import kernels, rules, sources
from gpusolve.games.tetris.kernels import NOWHERE, PROGRAM, Games, Placements, Settings
from gpusolve.games.tetris.value import LearnedValue, stakes
from gpusolve.seeds import MASK64

BREADTHS = (8, 4)
"""branching: placements looked at of the known piece, of the next one; then the best of each piece that may come."""
TWO_PIECE = (12,)
"""two-piece: placements of the known piece that are looked at, each with the best of the next one."""
MOST_BREADTHS = 2
BYTES_PER_BOARD = 256
WORST = 2**62


def breadths_of(policy: str, breadths: tuple[int, ...] | None) -> tuple[int, ...]:
    """How wide a policy looks: nothing for greedy, TWO_PIECE, or what is given for branching, else BREADTHS."""
    if policy == "branching":
        return BREADTHS if breadths is None else breadths
    return () if policy == "greedy" else TWO_PIECE


def check(policy: str, breadths: tuple[int, ...] | None, settings: Settings) -> None:
    """Raises BadInput for what is not played by a learned value."""
    if settings.delay:
        raise BadInput(f"delay_ms {settings.delay_ms}: expected 0 with a learned value")
    if policy == "branching" and breadths is not None and len(breadths) > MOST_BREADTHS:
        raise BadInput(f"breadths {','.join(map(str, breadths))}: expected at most two with a learned value")


class Table:
    """A value, and what games are played for, on a device."""

    def __init__(self, backend: Backend, value: LearnedValue, settings: Settings) -> None:
        at_stake = stakes(settings.start_level, settings.max_lines)
        self.backend, self.settings = backend, settings
        self.tables, self.endgame = backend.asarray(value.tables), backend.asarray(value.endgame)
        self.lost, self.scales = backend.asarray(at_stake.lost.reshape(-1)), backend.asarray(at_stake.scales)
        self.future = backend.asarray(at_stake.future.astype(np.int64))
        self.timed, self.taps = kernels.timing(backend, settings.reach, settings.double_killscreen)
        rows = [rules.level_at(lines, settings.start_level) for lines in range(settings.max_lines + 1)]
        self.levels = backend.asarray(np.minimum(rows, kernels.LEVELS - 1).astype(np.int32))

    def least(self, boards: Array, pieces: Array, lines: Array, most: int) -> Placements:
        """The placements of each board that lose least, the least first; `values`: what they lose, int32."""
        n, backend = len(boards), self.backend
        counts, losses = backend.empty(n, np.int32), backend.empty((n, most), np.int32)
        found, cleared = backend.empty((n, most), np.uint32), backend.empty((n, most), np.uint8)
        after = backend.empty((n, most, rules.COLUMNS), np.uint32)
        if n:
            backend.launch(
                PROGRAM, "least_losses", n, self.tables, self.endgame, self.lost, self.scales, self.settings.max_lines,
                boards, pieces, lines, self.levels[lines], self.timed, self.taps, int(most), counts, losses, found,
                cleared, after,
            )  # fmt: skip
        return Placements(counts, found, cleared, after, losses)

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

    def choose(self, boards: Array, pieces: Array, following: Array, lines: Array) -> tuple[Placements, Array]:
        """The placements of each board looked at, and the number of the chosen one among them, int32."""
        xp = self.backend.xp
        if not self.breadths:
            found = self.least(boards, pieces, lines, 1)
            return found, xp.zeros(len(boards), np.int32)
        found = self.least(boards, pieces, lines, self.breadths[0])
        worths = self._worths(found, following, lines, len(self.breadths) - 1)
        return found, worths.argmin(axis=1).astype(np.int32)

    def _worths(self, found: Placements, following: Array, lines: Array, depth: int) -> Array:
        """What each placement loses, with the piece after it, times whole^depth, int64; WORST where there is none."""
        xp = self.backend.xp
        kept = xp.arange(found.cleared.shape[1]) < found.counts[:, None]
        worths = xp.full(kept.shape, WORST, np.int64)
        board, rank = xp.nonzero(kept)
        cleared = found.cleared[board, rank]
        lost = self.lost[lines[board] * 5 + cleared].astype(np.int64) * self.whole**depth
        worths[board, rank] = lost + self.value(
            found.after[board, rank], following[board], self.after(lines[board], cleared), depth
        )
        return worths

    def value(self, boards: Array, pieces: Array, lines: Array, depth: int) -> Array:
        """What is lost from each board on, with a piece to place, times whole^depth, int64."""
        xp = self.backend.xp
        found = self.least(boards, pieces, lines, self.breadths[len(self.breadths) - depth] if depth else 1)
        if depth == 0:
            assert found.values is not None
            best = found.values[:, 0].astype(np.int64)
        else:
            kept = xp.arange(found.cleared.shape[1]) < found.counts[:, None]
            board, rank = xp.nonzero(kept)
            cleared = found.cleared[board, rank]
            worths = xp.full(kept.shape, WORST, np.int64)
            worths[board, rank] = self.lost[lines[board] * 5 + cleared].astype(np.int64) * self.whole**depth
            worths[board, rank] += self.expected(
                found.after[board, rank], pieces[board], self.after(lines[board], cleared), depth - 1
            )
            best = worths.min(axis=1)
        best = xp.where(found.counts == 0, self.future[lines] * self.whole**depth, best)
        return xp.where(lines >= self.settings.max_lines, 0, best)

    def expected(self, boards: Array, previous: Array, lines: Array, depth: int) -> Array:
        """The sum of what is lost over the seven pieces, each times its chance after `previous`, int64."""
        xp, n = self.backend.xp, len(boards)
        pieces = xp.tile(xp.arange(7, dtype=np.int32), n)
        worths = self.value(xp.repeat(boards, 7, axis=0), pieces, xp.repeat(lines, 7), depth)
        return (worths.reshape(n, 7) * self.chances[previous]).sum(axis=1)


class Round:
    """Games played side by side, turn by turn: their state on the device. `going`: the numbers of those that go on."""

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
        self.levels, self.going = xp.zeros(n, np.int32), xp.arange(n, dtype=np.int32)

    def now(self) -> tuple[Array, Array, Array, Array]:
        """Of the games that go on: the boards, the pieces, those that follow, the lines."""
        going = self.going
        return self.boards[going], self.pieces[going], self.following[going], self.results[going, 1]

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
    value: LearnedValue,
    games: int,
    seed: int,
    first_game: int,
    policy: str,
    breadths: tuple[int, ...] | None,
    settings: Settings,
    backend: Backend,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Games, list[list[int]]]:
    """Plays whole games; their results, arrays of shape (1, games), and the placements of each."""
    search = Search(backend, value, breadths_of(policy, breadths), settings)
    at_once = games_at_once(backend, search.breadths)
    results: list[npt.NDArray[np.int32]] = []
    traces: list[list[int]] = []
    for begin in range(first_game, first_game + games, at_once):
        batch = range(begin, min(begin + at_once, first_game + games))
        done = len(traces)
        result, trace = _play(search, batch, seed, lambda more, done=done: progress(done + more))  # type: ignore[misc]
        results.append(result)
        traces += trace
    out = np.concatenate(results).astype(np.int32)[None]
    return Games(*(out[:, :, i] for i in range(4))), traces


def games_at_once(backend: Backend, breadths: tuple[int, ...]) -> int:
    """How many games to play side by side on this device; what comes of them does not depend on it."""
    boards = 40 * int(np.prod(breadths)) * 7 ** max(0, len(breadths) - 1) if breadths else 40
    return max(1, backend.batch(BYTES_PER_BOARD * boards))


def _play(
    search: Search, games: range, seed: int, progress: Callable[[int], None]
) -> tuple[npt.NDArray[np.int32], list[list[int]]]:
    backend, made = search.backend, []
    state = Round(backend, games, seed, search.settings)
    while len(state.going):
        boards, pieces, following, lines = state.now()
        found, chosen = search.choose(boards, pieces, following, lines)
        placed, goes_on = state.turn(state.going, found, chosen)
        made.append((backend.to_host(state.going), backend.to_host(placed)))
        state.going = state.going[goes_on]
        progress(len(games) - len(state.going))
    traces: list[list[int]] = [[] for _ in games]
    for some, placements in made:
        for game, placement in zip(some.tolist(), placements.tolist(), strict=True):
            if placement != NOWHERE:
                traces[game].append(placement)
    results: npt.NDArray[Any] = backend.to_host(state.results)
    return results, traces
