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
from gpusolve.games.tetris.kernels import Boards, Placements
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

    Advice searches every placement, and ranks all by the same value. Suggestions and reviews have the same best one.
    Games by the same rules and policy seldom make another: a learned value and branching, which have to be fast there,
    go on only from the placements that look best at first.
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
        """How a player with a learned value chooses; None for weights."""
        return Careful(self.player, self.backend, self.policy, self.variant) if self.player.in_points else None

    def rank(self, position: Position) -> Ranking:
        """Return the placements with their worth: together with the next piece, if that is known.

        Where presses can be missed, the worth is the expectation of aiming at the placement.

        Raises NoSolution if the piece cannot spawn, so that the game is over.
        """
        board, piece, variant = position.board, position.piece, self.variant
        if not can_spawn(board, piece):
            raise NoSolution(f"{PIECES[piece]} cannot spawn on this board, so the game is over")
        placements = self._placements(position)
        count = int(placements.counts[0])
        numbers = placements.placements[0, :count].tolist()
        states = [kernels.state_of(piece, number) for number in numbers]
        after, cleared = placements.after[0, :count], placements.cleared[0, :count]
        lowest = [max(row for row, _ in cells_of(piece, state)) for state in states]
        features = kernels.features(self.backend, after, cleared, lowest)
        choices = Choices(piece, position.following, after, cleared, features, position.level, position.lines)
        aims = self._aims(position, states)
        ratings = self._rated(aims, choices)
        decisive = self._decisive(ratings, cleared)
        ranking = Ranking(states, after, cleared, features, ratings, decisive, _order(ratings, decisive), aims)
        if placed := self.adjusted(position, ranking, position.pieces[1:] or range(7 if variant.delay else 0)):
            chances = transitions(variant.source)[piece]
            likely = [sum(int(chances[then]) for then, made in placed.items() if made == state) for state in states]
            ranking.order.sort(key=lambda i: likely[i] < max(likely))
        return ranking

    def _placements(self, position: Position) -> Placements:
        """Return the placements in the order in which the player takes those that are worth the same."""
        if self.careful is not None:
            return self.careful.placements(self._now(position, [0])).on_host(self.backend)
        return kernels.placements(
            self.backend,
            kernels.columns_of(position.board[None]),
            [position.piece],
            levels=position.level,
            reach=self.variant.reach,
            doubled=self.variant.double_killscreen,
            delay=self.variant.delay,
        )

    def _now(self, position: Position, following: Sequence[int]) -> Now:
        """Return the position with each next piece, as arrays of the device."""
        n = len(following)
        now = Now(
            np.repeat(kernels.columns_of(position.board[None]), n, axis=0),
            np.full(n, position.piece, np.int32),
            np.array(following, np.int32),
            np.full(n, min(position.level, LEVELS - 1), np.int32),
            np.full(n, position.lines, np.int32),
        )
        return Now(*map(self.backend.asarray, now))

    def _aims(self, position: Position, states: list[State]) -> Aims | None:
        """Return what comes of aiming at placements; None where one search for two pieces says what is made of them."""
        if self.careful is None or not states or not (self.variant.miss or self.policy.name == "branching"):
            return None
        return self.careful.aims(position.board, position.piece, position.level, states)

    def _rated(self, aims: Aims | None, choices: Choices) -> Ratings:
        """Return what placements are worth; with `aims`, which a learned value has, aiming at them."""
        if self.careful is None or aims is None:
            return self.player.rate(self.backend, choices, self.policy, self.variant)
        rated = self.careful.rated(aims, choices.piece, choices.following, choices.level, choices.lines)
        return aims.expected(rated)

    def _decisive(self, ratings: Ratings, cleared: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """Return what outweighs the value of each placement, less is better."""
        if self.player.in_points:
            return np.zeros(len(cleared), np.int64)
        decisive: npt.NDArray[np.int64] = ratings.stuck.astype(np.int64) - (cleared == 4) - ratings.tetris_next
        return decisive

    def adjusted(self, position: Position, ranking: Ranking, following: Sequence[int]) -> dict[int, State]:
        """Return the placement that the player makes with each next piece.

        With a reaction time these are the adjustments of the player's plan.
        """
        if not following or not ranking.states:
            return {}
        if not self.variant.delay:
            rated = [(then, self.rate(position, ranking, then)) for then in following]
            orders = [(then, _order(each, self._decisive(each, ranking.cleared))) for then, each in rated]
            return {then: ranking.states[order[0]] for then, order in orders}
        if self.careful is not None and ranking.aims is not None:
            one = self._now(position, following[:1])
            aimed = self.careful.adjusted(ranking.aims, one, self.careful.placements(one), following)
            return {then: ranking.states[at] for then, at in zip(following, aimed, strict=True)}
        choose = self.choose if self.careful is None else self.careful.every
        placements, chosen = choose(self._now(position, following))
        placed = self.backend.to_host(placements.placements)[range(len(following)), self.backend.to_host(chosen)]
        states = (kernels.state_of(position.piece, number) for number in placed.tolist())
        return dict(zip(following, states, strict=True))

    def rate(self, position: Position, ranking: Ranking, following: int) -> Ratings:
        """Return what the placements are worth together with a next piece."""
        return self._rated(
            ranking.aims,
            Choices(
                position.piece,
                following,
                ranking.after,
                ranking.cleared,
                ranking.features,
                position.level,
                position.lines,
            ),
        )

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


def _order(ratings: Ratings, decisive: npt.NDArray[np.int64]) -> list[int]:
    """Return the placements from the best to the worst; among stuck ones the value tells nothing."""
    values = np.where(decisive == 1, 0, ratings.values)
    order: list[int] = np.lexsort((np.arange(len(values)), values, decisive)).tolist()
    return order
