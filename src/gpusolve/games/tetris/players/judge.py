"""What policies ask of a player's judgement of boards, on one device.

A policy (`greedy` here, `expectimax`, `playouts`) is written once, for a judge. There are two: `weights_judge` has
the one by 17 weights, `value_judge` the one by a learned value. A judge gives values to placements; less is better. All
arrays are the device's.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.tetris.clock import Clock
from gpusolve.games.tetris.kernels import Boards, Placements
from gpusolve.games.tetris.players.turns import Choose, Now


class Judge(Protocol):
    """A judgement whose values add up along a game: for greedy play and for playouts."""

    @property
    def backend(self) -> Backend:
        """The device."""

    def least(
        self, boards: Array, pieces: Array, *, levels: Array, lines: Array, most: int, clock: Clock | None = None
    ) -> Placements:
        """Return the `most` placements of each board with the least values, the least first.

        The next piece is known at once, unless `clock` has a delay.
        """

    def cost(self, lines: Array, cleared: Array) -> Array:
        """Return what is lost by clearing `cleared` lines after `lines`, int64."""

    def end(self, lines: Array) -> Array:
        """Return what is lost where a game ends because a piece has no placement, int64."""

    def after(self, lines: Array, cleared: Array) -> Array:
        """Return the number of lines afterwards, int32, at most the number at which a game ends."""


class Margin(Protocol):
    """How much worse than the best a placement may be and still be searched with a further breadth."""

    def __call__(self, depth: int, *, levels: Array, accounts: Array, least: Array) -> Array:
        """Return the margin on each board, int64.

        `depth` is the number of pieces in the tree that are not known, with this breadth. `least` is what the best
        placement of each board loses by the search so far.
        """


class TreeJudge(Protocol):
    """A judgement for the search tree of `expectimax`.

    On the way down the tree each board has an *account*, an integer that sums up the placements that led to it: the
    lines cleared so far for a learned value, the tetrises scored in the tree for weights.
    """

    @property
    def backend(self) -> Backend:
        """The device."""

    @property
    def margin(self) -> Margin | None:
        """How close to the best a placement has to be to be searched with a further breadth; None: all are searched."""

    def open(self, now: Now) -> Array:
        """Return the accounts at the root of the tree."""

    def least(
        self, boards: Array, pieces: Array, *, levels: Array, lines: Array, most: int, clock: Clock | None = None
    ) -> Placements:
        """See `Judge`; `lines` are the boards' accounts."""

    def tried(self, placements: Placements) -> Array:
        """Return which placements of each board are worth trying, bool (n, most): the first ones, if any."""

    def cost(self, account: Array, cleared: Array) -> Array:
        """Return what is lost by clearing `cleared` lines, int64."""

    def after(self, account: Array, cleared: Array) -> Array:
        """Return the accounts afterwards."""

    def leaf(self, boards: Array, pieces: Array, *, levels: Array, accounts: Array) -> Array:
        """Return what each board is worth with a last piece to place, int64."""

    def expected_leaf(self, boards: Array, *, previous: Array, levels: Array, accounts: Array, chances: Array) -> Array:
        """Return the sum of `leaf` over the seven pieces, each times its chance after `previous`, int64."""

    def with_ends(self, worths: Array, *, is_stuck: Array, accounts: Array, scale: int) -> Array:
        """Return the worths of boards, replaced where a game ends by what its end is worth times `scale`."""


def with_each_piece(backend: Backend, boards: Array, levels: Array, accounts: Array) -> tuple[Array, ...]:
    """Return boards, pieces, levels and accounts of 7 n boards: each board with each of the seven pieces in turn."""
    xp = backend.xp
    pieces = xp.tile(xp.arange(7, dtype=np.int32), len(boards))
    boards, levels, accounts = (xp.repeat(array, 7, axis=0) for array in (boards, levels, accounts))
    return boards, pieces, levels, accounts


def greedy(judge: Judge) -> Choose:
    """Return the choice of the placement with the least value."""

    def choose(now: Now) -> tuple[Placements, Array]:
        placements = judge.least(now.boards, now.pieces, levels=now.levels, lines=now.lines, most=1)
        return placements, judge.backend.xp.zeros(len(now.boards), np.int32)

    return choose


def by_lines(backend: Backend, first: int, before: Choose, after: Choose) -> Choose:
    """Return the choice by `before` in games with fewer lines than `first`, and by `after` in the others.

    Both must keep the same number of placements, with their values.
    """
    xp = backend.xp

    def choose(now: Now) -> tuple[Placements, Array]:
        is_late = now.lines >= first
        early, late = xp.nonzero(~is_late)[0], xp.nonzero(is_late)[0]
        parts = [(games, choice) for games, choice in ((early, before), (late, after)) if len(games)]
        chosen = [choice(Now(*(array[games] for array in now))) for games, choice in parts]
        if len(chosen) == 1:
            return chosen[0]
        back = xp.argsort(xp.concatenate((early, late)))
        columns = ((p.counts, p.placements, p.cleared, p.after, p.values, index) for p, index in chosen)
        *placements, index = (xp.concatenate(arrays)[back] for arrays in zip(*columns, strict=True))
        return Placements(*placements), index

    return choose


# --- the worth of each placement on one board, for suggestions --------------------------------------------------------


class Choices(NamedTuple):
    """The placements of a piece on one board."""

    piece: int
    following: int | None
    """The next piece, if it is known."""
    after: Boards
    """The boards after the placements, (n, 10)."""
    cleared: npt.NDArray[np.uint8]
    """The lines that the placements clear."""
    features: npt.NDArray[np.int32]
    """The features of the boards, (n, 17)."""
    level: int
    lines: int
    """The lines cleared before."""


class Ratings(NamedTuple):
    """What the placements are worth; if the next piece is known, with that piece where it is best."""

    values: npt.NDArray[np.float64]
    """Less is better."""
    tetris_next: npt.NDArray[np.bool_]
    """Whether the next piece makes a tetris."""
    stuck: npt.NDArray[np.bool_]
    """Whether the next piece has no placement."""
    possible: int | None = None
    """If values are points that are about to be lost: the most that the rest of the game can bring."""
