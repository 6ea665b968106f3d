"""Advice on positions: what a player does there, and what every placement is worth to the player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend
from gpusolve.errors import NoSolution
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.kernels import Boards
from gpusolve.games.tetris.measuring.prospects import Outcome, Prospect, outcomes, prospects
from gpusolve.games.tetris.measuring.ranking import Ranking
from gpusolve.games.tetris.players.judge import Choices, Ratings
from gpusolve.games.tetris.players.misses import Aims, Careful
from gpusolve.games.tetris.players.player import Player, PlayerLike, policy_of
from gpusolve.games.tetris.players.playing import games_at_once
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.players.turns import Choose, Now
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import PIECES, State, can_spawn, cells_of, place, points
from gpusolve.games.tetris.rules.sources import transitions
from gpusolve.games.tetris.variant import Variant

AdvicePolicy = Literal["two-piece", "branching"]
"""The policies that rate every placement."""


@dataclass(frozen=True)
class Adviser:
    """A player who is asked for advice on positions of games by the same rules, on a device.

    The best placement is the one that the player makes in a game by these rules and this policy. So suggestions,
    reviews and games give the same advice for a position.
    """

    player: Player
    policy: Policy
    variant: Variant
    backend: Backend

    @classmethod
    def of(
        cls,
        player: PlayerLike | None,
        policy: AdvicePolicy,
        breadths: str | Sequence[int] | None,
        variant: Variant,
        backend: Backend,
    ) -> Adviser:
        """Return the adviser with the defaults filled in.

        Raises BadInput for another policy, and for breadths that it does not have.
        """
        checks.check_choice("policy", policy, ("two-piece", "branching"))
        chosen = player_of(player, variant)
        filled = policy_of(chosen, policy, breadths=breadths, variant=variant)
        return cls(chosen, filled, variant, backend)

    @cached_property
    def choose(self) -> Choose:
        """How the player chooses in games without missing a press."""
        return self.player.chooser(self.backend, self.policy, self.variant)

    @cached_property
    def choose_soon(self) -> Choose:
        """How the player chooses in playouts: looking at two pieces, which is fast."""
        soon = Policy("two-piece")
        return self.choose if self.policy == soon else self.player.chooser(self.backend, soon, self.variant)

    @cached_property
    def careful(self) -> Careful | None:
        """How the player chooses where presses can be missed; None if no press is."""
        return Careful(self.player, self.backend, self.policy, self.variant) if self.variant.miss else None

    def rank(self, position: Position) -> Ranking:
        """Return the placements with their worth: together with the next piece, if that is known.

        Where presses can be missed, the worth is the expectation of aiming at the placement.

        Raises NoSolution if the piece cannot spawn, so that the game is over.
        """
        board, piece, variant = position.board, position.piece, self.variant
        if not can_spawn(board, piece):
            raise NoSolution(f"{PIECES[piece]} cannot spawn on this board, so the game is over")
        placements = kernels.placements(
            self.backend,
            kernels.columns_of(board[None]),
            [piece],
            levels=position.level,
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
        ratings, aims = self._rated(position, after, cleared, features, states)
        decisive = ratings.stuck.astype(np.int64) - (cleared == 4) - ratings.tetris_next
        if self.player.in_points:
            decisive[:] = 0
        values = np.where(decisive == 1, 0, ratings.values)
        order = np.lexsort((np.arange(count), values, decisive)).tolist()
        placed = self.adjusted(position, self._answers(position))
        if placed:
            chances = transitions(variant.source)[piece]
            likely = [sum(int(chances[then]) for then, made in placed.items() if made == state) for state in states]
            order.sort(key=lambda i: likely[i] < max(likely))
        return Ranking(states, after, cleared, features, ratings, decisive, order, aims)

    def _rated(
        self,
        position: Position,
        after: Boards,
        cleared: npt.NDArray[np.uint8],
        features: npt.NDArray[np.int32],
        states: list[State],
    ) -> tuple[Ratings, Aims | None]:
        """Return what the placements are worth, and what comes of aiming at them if presses can be missed."""
        piece, following, level, lines = position.piece, position.following, position.level, position.lines
        if self.careful is None:
            return self._rate(Choices(piece, following, after, cleared, features, level, lines)), None
        aims = self.careful.aims(position.board, piece, level, states)
        return aims.expected(self.careful.rated(aims, piece, following, level, lines)), aims

    def _answers(self, position: Position) -> Sequence[int]:
        """Return the next piece, if it is known; or else, with a reaction time, all that can follow the plan."""
        return position.pieces[1:] or range(7 if self.variant.delay else 0)

    def adjusted(self, position: Position, following: Sequence[int]) -> dict[int, State]:
        """Return the placement that the player makes with each next piece.

        With a reaction time these are the adjustments of the player's plan.
        """
        n = len(following)
        if not n:
            return {}
        now = Now(
            np.repeat(kernels.columns_of(position.board[None]), n, axis=0),
            np.full(n, position.piece, np.int32),
            np.array(following, np.int32),
            np.full(n, min(position.level, LEVELS - 1), np.int32),
            np.full(n, position.lines, np.int32),
        )
        if self.careful is not None:
            one = Now(*(self.backend.asarray(array[:1]) for array in now))
            found = self.careful.placements(one)
            states = self.careful.states(found, position.piece)
            aims = self.careful.aims(position.board, position.piece, position.level, states)
            aimed = self.careful.adjusted(aims, one, found, following) if states else []
            return {then: states[at] for then, at in zip(following, aimed, strict=False)}
        placements, chosen = self.choose(Now(*map(self.backend.asarray, now)))
        placed = self.backend.to_host(placements.placements)[np.arange(n), self.backend.to_host(chosen)].tolist()
        return {then: kernels.state_of(position.piece, number) for then, number in zip(following, placed, strict=True)}

    def rate(self, position: Position, ranking: Ranking, state: State, following: int) -> Ratings:
        """Return what one of the placements is worth together with a next piece."""
        if self.careful is not None and ranking.aims is not None:
            ratings = self.careful.rated(ranking.aims, position.piece, following, position.level, position.lines)
            every, only = ranking.aims.expected(ratings), [ranking.states.index(state)]
            return Ratings(every.values[only], every.tetris_next[only], every.stuck[only], every.possible)
        at = [ranking.states.index(state)]
        after, cleared, features = ranking.after[at], ranking.cleared[at], ranking.features[at]
        return self._rate(Choices(position.piece, following, after, cleared, features, position.level, position.lines))

    def _rate(self, choices: Choices) -> Ratings:
        return self.player.rate(self.backend, choices, self.policy, self.variant)

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
            self.choose_soon,
            boards,
            levels=np.array([min(self.variant.level_at(number), LEVELS - 1) for number in lines], np.int32),
            lines=np.array(cleared, np.int32),
            pieces=pieces,
            playouts=playouts,
            variant=self.variant,
            seed=seed,
            backend=self.backend,
        )

    def outcomes(
        self,
        position: Position,
        placed: dict[int, State],
        *,
        games: int,
        seed: int,
        progress: Callable[[int], None],
    ) -> dict[int, Outcome]:
        """Return for each next piece how games end that go on from the placement made with it; none without games."""
        if not games:
            return {}
        boards, lines, scored = [], [], []
        for state in placed.values():
            board, cleared, _ = place(position.board, position.piece, state)
            boards.append(board)
            lines.append(position.lines + cleared)
            scored.append(points(cleared, lines[-1], self.variant.start_level))
        policy = Policy("two-piece")
        found = outcomes(
            self.choose_soon,
            kernels.columns_of(np.stack(boards)),
            lines=np.array(lines, np.int32),
            pieces=[[position.piece, then] for then in placed],
            scored=scored,
            games=games,
            variant=self.variant,
            seed=seed,
            backend=self.backend,
            at_once=partial(games_at_once, self.backend, self.player, policy, self.variant),
            progress=progress,
        )
        return dict(zip(placed, found, strict=True))
