"""The protocol of a player: who judges boards, and chooses placements for many of them at once.

`weights.Weights` and `value.LearnedValue` are players. Everything that plays, measures or shows games takes a player
through this protocol, so a new kind of player is a class with these members and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

from gpusolve import checks
from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris.kernels import Ties
from gpusolve.games.tetris.players.judge import Choices, Ratings
from gpusolve.games.tetris.players.policy import (
    PLAYOUTS,
    POLICIES,
    WIDE_POLICIES,
    Policy,
    PolicyName,
    check_ties,
    checked_breadths,
)
from gpusolve.games.tetris.players.turns import Choose
from gpusolve.games.tetris.variant import Variant, check_variant


@runtime_checkable
class Player(Protocol):
    """A player: it judges boards, and chooses placements for many boards at once.

    `Weights` and `LearnedValue` are players. So is any class with these members; its instances have to be picklable to
    play on several workers.
    """

    @property
    def name(self) -> str:
        """The name that results are reported under."""

    @property
    def digest(self) -> str:
        """A hash of everything that the player's choices depend on."""

    @property
    def in_points(self) -> bool:
        """Whether the player's values are points that are about to be lost.

        Such values depend on the lines cleared, and nothing outweighs them. Other values have a unit of their own, and
        a tetris, or a piece without a placement, outweighs them.
        """

    @property
    def branching_breadths(self) -> tuple[int, ...]:
        """The breadths of branching by default."""

    def chooser(self, backend: Backend, policy: Policy, variant: Variant) -> Choose:
        """Return the function that chooses placements for many boards at once."""

    def games_at_once(self, backend: Backend, policy: Policy, variant: Variant) -> int:
        """Return how many games to play side by side on a device; no result depends on it."""

    def kernel_weights(self, policy: Policy, variant: Variant) -> tuple[float, ...] | None:
        """Return the 17 weights with which one kernel plays whole games; None to play them turn by turn."""

    def rate(self, backend: Backend, choices: Choices, policy: Policy, variant: Variant) -> Ratings:
        """Return what the placements of a piece on one board are worth, looking as far ahead as the policy.

        Policies without a rating of their own rate like ``two-piece``.
        """


PlayerLike: TypeAlias = str | Path | Player | Sequence[float]
"""A player: the name of one that comes with gpusolve, a file of weights or of a learned value, or 17 weights."""


def policy_of(
    player: Player,
    name: PolicyName = "two-piece",
    *,
    breadths: str | Sequence[int] | None = None,
    ties: Ties | None = None,
    variant: Variant = Variant(),
) -> Policy:
    """Return a policy with the player's defaults filled in.

    Raises BadInput for an unknown name, for breadths or ties that the policy does not have, and where presses can be
    missed for a policy or a player that does not count on it.
    """
    checks.check_choice("policy", name, POLICIES)
    check_variant(variant)
    if variant.miss and name not in ("two-piece", "branching"):
        raise BadInput(f"policy {name}: expected two-piece or branching where presses can be missed")
    if variant.miss and not player.in_points:
        raise BadInput(f"miss: expected a player with a learned value, not {player.name}")
    if ties is not None:
        check_ties(name, ties)
    if breadths is not None:
        breadths = checked_breadths(name, breadths, in_points=player.in_points)
    if name not in WIDE_POLICIES:
        return Policy(name)
    default = PLAYOUTS if name == "playouts" else player.branching_breadths
    return Policy(name, default if breadths is None else breadths, ties or "number")
