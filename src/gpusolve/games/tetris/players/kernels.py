"""Batches of games: whole games and turns of many games on the device, and what players ask while they choose.

The functions here take arrays of the device that have been checked, except `play` and `trace`, which check what they
are given and raise BadInput.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Array, Backend, in_batches
from gpusolve.games.tetris.clock import Clock, clock_of
from gpusolve.games.tetris.kernels import PROGRAM, Placements, fixed_points
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS
from gpusolve.games.tetris.rules.policies import POLICIES
from gpusolve.games.tetris.rules.sources import SOURCES
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.runs.seeds import MASK64

MOST_PLAYED = 10_000_000
"""Games of one call, over all rows of weights: 160 MB of results."""
RESULT_BYTES = 16
"""Bytes of the results of a game."""
MOST_GAME = 2**31 - 1
"""The number of a game is an int32."""
RESULTS = ("scores", "lines", "pieces", "tetrises")
"""The columns of a game's results, in the kernels' order."""


@dataclass(frozen=True)
class Games:
    """The results of games, int32 arrays of shape (players, games)."""

    scores: npt.NDArray[np.int32]
    lines: npt.NDArray[np.int32]
    pieces: npt.NDArray[np.int32]
    tetrises: npt.NDArray[np.int32]

    @classmethod
    def of(cls, results: npt.NDArray[np.int32]) -> Games:
        """Return results of shape (players, games, 4) under their names."""
        return cls(*(results[:, :, i] for i in range(len(RESULTS))))

    @property
    def results(self) -> npt.NDArray[np.int32]:
        """Results as one array, int32 (players, games, 4), in the order of RESULTS."""
        return np.stack([getattr(self, name) for name in RESULTS], axis=-1)


# --- whole games by weights -------------------------------------------------------------------------------------------


def play(
    backend: Backend,
    weights: npt.ArrayLike,
    games: int,
    *,
    seed: int,
    first_game: int = 0,
    policy: str = "two-piece",
    variant: Variant = Variant(),
) -> Games:
    """Play games `first_game`, `first_game` + 1, ... of `seed` with each row of `weights`, (n, 17), to their end.

    64 bits of the seed count. Raises BadInput for more than MOST_PLAYED games.
    """
    fixed = fixed_points(weights)
    games = checks.check_integer("games", games, 1, MOST_PLAYED // len(fixed))
    checks.check_integer("game", first_game, 0, MOST_GAME - games)

    def play_batch(batch: range) -> npt.NDArray[np.int32]:
        first = first_game + batch.start
        results, _ = _play(
            backend, fixed, len(batch), seed=seed, first_game=first, policy=policy, variant=variant, turns=0
        )
        return results

    parts = in_batches(range(games), partial(backend.batch, len(fixed) * RESULT_BYTES), play_batch)
    return Games.of(np.concatenate(list(parts), axis=1))


def trace(
    backend: Backend,
    weights: npt.ArrayLike,
    *,
    seed: int,
    game: int = 0,
    policy: str = "two-piece",
    variant: Variant = Variant(),
) -> list[int]:
    """Return the placements of one game."""
    fixed = fixed_points(weights)
    game = checks.check_integer("game", game, 0, MOST_GAME - 1)
    check_variant(variant)
    turns = ((variant.max_lines + 3) * COLUMNS + ROWS * COLUMNS) // 4  # four cells a piece, ten a line
    played, placed = _play(backend, fixed, 1, seed=seed, first_game=game, policy=policy, variant=variant, turns=turns)
    return [int(placement) for placement in placed[: int(Games.of(played).pieces[0, 0])]]


def _play(
    backend: Backend,
    fixed: npt.NDArray[np.int32],
    games: int,
    *,
    seed: int,
    first_game: int,
    policy: str,
    variant: Variant,
    turns: int,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
    """Play whole games; return their results, (rows, games, 4), and the first `turns` placements of each."""
    checks.check_choice("policy", policy, POLICIES)
    seed = checks.check_integer("seed", seed, -(2**65), 2**65)  # training adds to the user's seed
    check_variant(variant)
    results, placed = backend.launch(
        PROGRAM, f"play_{policy.replace('-', '_')}", len(fixed) * games, backend.asarray(fixed), int(games),
        np.uint64(int(seed) & MASK64), int(first_game), SOURCES.index(variant.source), variant.start_level,
        variant.max_lines, *clock_of(backend, variant.reach, variant.double_killscreen), turns,
    )  # fmt: skip
    return backend.to_host(results).reshape(len(fixed), games, len(RESULTS)), backend.to_host(placed)


# --- games turn by turn -----------------------------------------------------------------------------------------------


class GameArrays(NamedTuple):
    """The state of many games on the device, a row for each game."""

    boards: Array
    pieces: Array
    following: Array
    levels: Array
    dice: Array
    results: Array


def deal(backend: Backend, games: range, *, seed: int, source: int) -> tuple[Array, Array, Array]:
    """Return the dice (uint64 (n, 4)), the first piece and the second piece (int32) of games of a seed."""
    dealt: tuple[Array, Array, Array] = backend.launch(
        PROGRAM, "deal", len(games), np.uint64(int(seed) & MASK64), games.start, source
    )
    return dealt


def turn(
    backend: Backend,
    state: GameArrays,
    games: Array,
    *,
    placements: Placements,
    chosen: Array,
    source: int,
    variant: Variant,
) -> tuple[Array, Array]:
    """Make the chosen placement in each of `games` and draw the next piece; changes `state`.

    Returns the placements, NOWHERE where there is none, and whether each game goes on.
    """
    placed, goes_on = backend.launch(
        PROGRAM, "turn", len(games), games, placements.counts, placements.placements, placements.cleared,
        placements.after, chosen, source, variant.start_level, variant.max_lines, *state,
    )  # fmt: skip
    return placed, goes_on != 0


def plan(
    backend: Backend,
    boards: Array,
    pieces: Array,
    *,
    following: Array,
    levels: Array,
    clock: Clock,
    chances: Array,
    placements: Placements,
    worths: Array,
) -> Array:
    """Return the placement chosen by a player who learns the next piece late, int32 (n,); 0 where there is none.

    `worths`, int64 (n, most, 7), says what each placement is worth with each next piece; each is below 2^55 in size.
    `clock` has the delay.
    """
    return backend.launch(
        PROGRAM, "plan", len(boards), boards, pieces, following, levels, clock.taps, chances, placements.counts,
        placements.placements, worths,
    )  # fmt: skip


def plans(
    backend: Backend, boards: Array, pieces: Array, *, levels: Array, clock: Clock, placements: Placements
) -> Array:
    """Return the plans of a player who learns the next piece late: which placements each leaves, bool (n, k, most).

    Plans are in the order in which they settle ties, without those that leave nothing that an earlier one does not
    leave. Boards with fewer plans than others have rows that leave nothing. `clock` has the delay.
    """
    numbers, left = backend.launch(
        PROGRAM, "plans", len(boards), boards, pieces, levels, clock.taps, placements.counts, placements.placements
    )
    return left[:, : max(1, int(numbers.max())) if len(boards) else 1] != 0


# --- judgements by weights --------------------------------------------------------------------------------------------


def expect(
    backend: Backend,
    weights: Array,
    boards: Array,
    *,
    previous: Array,
    levels: Array,
    tetrises: Array,
    chances: Array,
    clock: Clock,
) -> Array:
    """Return the expected value of each board before its next piece is drawn, int64 (n,).

    It is the sum over the seven pieces of the chance of the piece after `previous` times its least value, less DECISIVE
    for each of the `tetrises` scored so far.
    """
    return backend.launch(PROGRAM, "expect", len(boards), weights, boards, previous, levels, tetrises, chances, *clock)


def worths(backend: Backend, weights: Array, boards: Array, *, levels: Array, clock: Clock) -> Array:
    """Return the least value of each of the seven pieces on each board, int64 (n, 7); DECISIVE where it has no room."""
    return backend.launch(PROGRAM, "worths", len(boards), weights, boards, levels, *clock)


# --- judgements by a learned value ------------------------------------------------------------------------------------


class LossTables(NamedTuple):
    """A learned value and the stakes of a variant on the device."""

    tables: Array
    endgame: Array
    lost: Array
    course: Array


def least_losses(
    backend: Backend,
    tables: LossTables,
    boards: Array,
    pieces: Array,
    *,
    levels: Array,
    lines: Array,
    clock: Clock,
    max_lines: int,
    most: int,
) -> Placements:
    """Return the `most` placements of each board that lose least, the least first; their `values` are int32, points."""
    counts, losses, numbers, cleared, after = backend.launch(
        PROGRAM, "least_losses", len(boards), *tables, max_lines, boards, pieces, lines, levels, *clock, int(most)
    )
    return Placements(counts, numbers, cleared, after, losses)
