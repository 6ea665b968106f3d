"""Advice on positions: what a player does there, and what every placement is worth to the player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gpusolve.backend import Backend
from gpusolve.errors import NoSolution
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.kernels import Boards
from gpusolve.games.tetris.measuring.prospects import Prospect, prospects
from gpusolve.games.tetris.measuring.ranking import Ranking
from gpusolve.games.tetris.players.player import Player
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.ratings import Choices
from gpusolve.games.tetris.players.turns import Choose, Now
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import PIECES, State, can_spawn, cells_of
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.variant import Variant


@dataclass(frozen=True)
class Adviser:
    """A player who is asked for advice, on a device.

    The best placement is the one that the player makes in a game by these rules, looking at two pieces. So whoever
    suggests, reviews or plays on from a position gives the same advice.
    """

    player: Player
    variant: Variant
    backend: Backend

    @cached_property
    def choose(self) -> Choose:
        """How the player chooses in games."""
        return self.player.chooser(self.backend, Policy("two-piece"), self.variant)

    def rank(self, position: Position) -> Ranking:
        """Return the placements with their worth: together with the next piece, if that is known.

        Raises NoSolution if the piece cannot spawn, so that the game is over.
        """
        board, piece, variant = position.board, position.piece, self.variant
        if not can_spawn(board, piece):
            raise NoSolution(f"{PIECES[piece]} cannot spawn: cells in rows 19 and 20 are filled, the game is over")
        level = variant.level_at(position.lines)
        placements = kernels.placements(
            self.backend,
            kernels.columns_of(board[None]),
            [piece],
            levels=level,
            reach=variant.reach,
            doubled=variant.double_killscreen,
            delay=variant.delay,
        )
        count = int(placements.counts[0])
        numbers = placements.placements[0, :count].tolist()
        states = [kernels.state_of(piece, number) for number in numbers]
        after, cleared = placements.after[0, :count], placements.cleared[0, :count]
        lowest = [max(row for row, _ in cells_of(piece, state)) for state in states]
        features = kernels.features(self.backend, after, cleared, lowest)
        choices = Choices(piece, position.following, after, cleared, features, level, position.lines)
        ratings = self.player.rate(self.backend, choices, variant)
        decisive = ratings.stuck.astype(np.int64) - (cleared == 4) - ratings.tetris_next
        if self.player.in_points:
            decisive[:] = 0
        values = np.where(decisive == 1, 0, ratings.values)
        order = np.lexsort((np.arange(count), values, decisive)).tolist()
        if following := self._following(position):
            chances, placed = transitions(variant.source)[piece], self._placed(position, following)
            likely = [sum(int(chances[then]) for then, made in placed.items() if made == number) for number in numbers]
            order.sort(key=lambda i: likely[i] < max(likely))
        return Ranking(states, after, cleared, features, ratings, decisive, order)

    def plan(self, position: Position) -> dict[int, State]:
        """Return by the next piece the placement that the player makes who plans before it is known; empty if it is."""
        placed = self._placed(position, range(7 if self.variant.delay else 0))
        return {then: kernels.state_of(position.piece, number) for then, number in placed.items()}

    def _following(self, position: Position) -> Sequence[int]:
        """Return the next piece, if it is known; or else, with a reaction time, all that can follow the plan."""
        return position.pieces[1:] or range(7 if self.variant.delay else 0)

    def _placed(self, position: Position, following: Sequence[int]) -> dict[int, int]:
        """Return the placement that the player makes with each next piece, as its number."""
        n = len(following)
        if not n:
            return {}
        row = min(self.variant.level_at(position.lines), LEVELS - 1)
        now = Now(
            np.repeat(kernels.columns_of(position.board[None]), n, axis=0),
            np.full(n, position.piece, np.int32),
            np.array(following, np.int32),
            np.full(n, row, np.int32),
            np.full(n, position.lines, np.int32),
        )
        placements, chosen = self.choose(Now(*map(self.backend.asarray, now)))
        placed = self.backend.to_host(placements.placements)[np.arange(n), self.backend.to_host(chosen)].tolist()
        return dict(zip(following, placed, strict=True))

    def prospects(
        self,
        boards: Boards,
        *,
        lines: Sequence[int],
        pieces: Sequence[Sequence[int]],
        playouts: int,
        seed: int,
    ) -> list[Prospect]:
        """Return what is to come of boards with so many lines cleared if the player plays on; see `prospects`.

        For each board, `pieces` has the piece placed last and, if they are known, those that follow.
        """
        if not playouts or not len(boards):
            return []
        cleared = [min(number, self.variant.max_lines - 1) for number in lines]
        return prospects(
            self.choose,
            boards,
            levels=np.array([min(self.variant.level_at(number), LEVELS - 1) for number in lines], np.int32),
            lines=np.array(cleared, np.int32),
            pieces=pieces,
            playouts=playouts,
            variant=self.variant,
            seed=seed,
            backend=self.backend,
        )
