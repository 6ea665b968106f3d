"""The choice of a player who misses presses: by what a placement is worth if the piece may come to rest elsewhere.

Every placement is searched, which advice by branching does without missed presses, too. How likely each press is
missed depends on its window (`rules.timing`). A player who aims at a placement makes the presses that
`rules.reachability.paths` has for it. With a reaction time, the player first chooses a plan, by the same expectations.
Boards are taken one by one, in plain Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.kernels import Boards, Placements
from gpusolve.games.tetris.players.judge import Choices, Ratings
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.player import Player
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.turns import Choose, Now
from gpusolve.games.tetris.rules.board import COLUMNS, Board, State, place
from gpusolve.games.tetris.rules.reachability import paths
from gpusolve.games.tetris.rules.timing import Falling, Path, landing, landings, pace_of, windows
from gpusolve.games.tetris.variant import Variant
from gpusolve.runs.seeds import GOLDEN, MASK64, mix

FINE = 1024
"""Parts of a point in the worths that plans are chosen by."""


@dataclass(frozen=True)
class Aims:
    """What comes of aiming at each of n placements, where the piece can come to rest in m ways."""

    chances: npt.NDArray[np.float64]
    """The chance that the piece comes to rest in each way, (n, m); the first n ways are the placements."""
    states: list[State]
    """Where it comes to rest, m."""
    after: Boards
    """The boards after that, (m, 10)."""
    cleared: npt.NDArray[np.uint8]
    """The lines that it clears, (m,)."""
    features: npt.NDArray[np.int32]
    """The features of the boards, (m, 17)."""

    def expected(self, ratings: Ratings) -> Ratings:
        """Return what aiming at each placement is worth, from what each way to come to rest is worth."""
        n = len(self.chances)
        return Ratings(self.chances @ ratings.values, ratings.tetris_next[:n], ratings.stuck[:n], ratings.possible)


def chances_of(falling: Falling, path: Path, variant: Variant) -> tuple[list[range], dict[State, float]]:
    """Return the windows of presses, and where the piece comes to rest if they are missed by chance."""
    found = windows(falling, path, pace=pace_of(variant.reach), known=variant.delay)
    if not variant.miss:
        return found, {landing(falling, path): 1.0}
    missed = [miss_of(len(window), variant.miss) for window in found]
    return found, landings(falling, path, missed)


def miss_of(frames: int, miss: Sequence[float]) -> float:
    """Return the chance of missing a press whose window has a number of frames.

    >>> miss_of(1, (0.5, 0.2)), miss_of(2, (0.5, 0.2)), miss_of(3, (0.5, 0.2))
    (0.5, 0.2, 0.0)
    """
    return miss[frames - 1] if frames <= len(miss) else 0.0


class Careful:
    """A player with a learned value who looks ahead by a policy and knows that presses can be missed."""

    def __init__(self, player: Player, backend: Backend, policy: Policy, variant: Variant) -> None:
        self.player, self.backend, self.policy, self.variant = player, backend, policy, variant
        self.planner = Planner(backend, variant) if variant.delay else None
        self.every = player.chooser(backend, Policy("branching", (kernels.PLACEMENTS,)), variant)

    def aims(self, board: Board, piece: int, level: int, placed: Sequence[State]) -> Aims:
        """Return what comes of aiming at placements, which are all that the piece has on the board."""
        variant = self.variant
        if not variant.miss:
            return self._aims(board, piece, list(placed), np.eye(len(placed)))
        doubled = variant.double_killscreen
        found = paths(board, piece, variant.reach, level, doubled=doubled, delay=variant.delay)
        falling = Falling(board, piece, level, doubled=doubled)
        states, rows = list(placed), []
        for state in placed:
            rows.append(chances_of(falling, found[state], variant)[1])
            states += [other for other in rows[-1] if other not in states]
        return self._aims(board, piece, states, np.array([[row.get(state, 0.0) for state in states] for row in rows]))

    def _aims(self, board: Board, piece: int, states: list[State], chances: npt.NDArray[np.float64]) -> Aims:
        boards, cleared, lowest = zip(*(place(board, piece, state) for state in states), strict=True)
        after, lines = kernels.columns_of(np.stack(boards)), np.array(cleared, np.uint8)
        return Aims(chances, states, after, lines, kernels.features(self.backend, after, lines, lowest))

    def rated(self, aims: Aims, piece: int, following: int | None, level: int, lines: int) -> Ratings:
        """Return what each way to come to rest is worth."""
        choices = Choices(piece, following, aims.after, aims.cleared, aims.features, level, lines)
        return self.player.rate(self.backend, choices, self.policy, self.variant)

    def adjusted(self, aims: Aims, now: Now, placements: Placements, following: Sequence[int]) -> list[int]:
        """Return the index of the placement to aim at with each next piece.

        `now` and `placements` have one board, as arrays of the device; `placements` are all of the piece there, and no
        others. With a reaction time, one plan leads to all that are returned.
        """
        backend, n = self.backend, len(following)
        piece, _, level, lines = (int(backend.to_host(array)[0]) for array in now[1:])
        if self.planner is None:
            rated = (self.rated(aims, piece, then, level, lines) for then in following)
            return [int(aims.expected(ratings).values.argmin()) for ratings in rated]
        worths = self._worths(aims, piece, level, lines)
        fine = np.repeat(worths[None], n, axis=0)
        repeated = Now(*(backend.xp.repeat(array, n, axis=0) for array in now))
        repeated = repeated._replace(following=backend.asarray(np.array(following, np.int32)))
        arrays = (placements.counts, placements.placements, placements.cleared, placements.after)
        every = Placements(*(backend.xp.repeat(array, n, axis=0) for array in arrays))
        chosen: list[int] = backend.to_host(self.planner.choose(repeated, every, backend.asarray(fine))).tolist()
        return chosen

    def _worths(self, aims: Aims, piece: int, level: int, lines: int) -> npt.NDArray[np.int64]:
        """Return what aiming at each placement is worth with each next piece, (n, 7), in parts of a point."""
        rated = (aims.expected(self.rated(aims, piece, then, level, lines)) for then in range(7))
        return np.rint(np.stack([each.values for each in rated], axis=1) * FINE).astype(np.int64)

    def choose(self, now: Now) -> tuple[Placements, Array]:
        """Return where the piece comes to rest on each board, as the only placement: see `turns.Choose`.

        The player aims at a placement, and presses are missed by chance. The chance follows from the position, so that
        a game is the same on every device.
        """
        backend, n = self.backend, len(now.boards)
        counts, numbers = np.zeros(n, np.int32), np.zeros((n, 1), np.uint32)
        cleared, after = np.zeros((n, 1), np.uint8), np.zeros((n, 1, COLUMNS), np.uint32)
        for game in range(n):
            alone = Now(*(array[game : game + 1] for array in now))
            placements = self.placements(alone)
            board, piece, following, level, lines = (backend.to_host(array)[0] for array in alone)
            states = self.states(placements, int(piece))
            if not states:
                continue
            aims = self.aims(kernels.board_of(board), int(piece), int(level), states)
            [aim] = self.adjusted(aims, alone, placements, [int(following)])
            end = _drawn(aims.chances[aim], [*board.tolist(), int(piece), int(following), int(lines)])
            counts[game], numbers[game, 0] = 1, kernels.number_of(int(piece), aims.states[end])
            cleared[game, 0], after[game, 0] = aims.cleared[end], aims.after[end]
        made = Placements(*(backend.asarray(array) for array in (counts, numbers, cleared, after)))
        return made, backend.asarray(np.zeros(n, np.int32))

    def placements(self, now: Now) -> Placements:
        """Return the placements of the piece on one board, arrays of the device.

        Those that look best at first come first, as in games without misses: ties go to the first one.
        """
        xp, (found, _) = self.backend.xp, self.every(now)
        count = int(self.backend.to_host(found.counts)[0])
        arrays = (found.placements, found.cleared, found.after)
        return Placements(found.counts, *(xp.ascontiguousarray(array[:, :count]) for array in arrays))

    def states(self, placements: Placements, piece: int) -> list[State]:
        """Return the placements on one board as states."""
        return [kernels.state_of(piece, number) for number in self.backend.to_host(placements.placements)[0].tolist()]


def chooser_of(player: Player, backend: Backend, policy: Policy, variant: Variant) -> Choose:
    """Return how a player chooses in games, with presses that are missed if the variant has a chance for that."""
    if variant.miss:
        return Careful(player, backend, policy, variant).choose
    return player.chooser(backend, policy, variant)


def _drawn(chances: npt.NDArray[np.float64], numbers: Sequence[int]) -> int:
    """Return an index, drawn by its chance. The draw follows from some numbers."""
    state = 0
    for number in numbers:
        state = mix((state + number + GOLDEN) & MASK64)
    bounds = np.cumsum(chances)
    return min(int(np.searchsorted(bounds, state / 2**64 * bounds[-1], side="right")), int(np.flatnonzero(chances)[-1]))
