"""Policies: how far a player looks ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Literal, cast, get_args

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.kernels import PLACEMENTS, TIES, Ties
from gpusolve.games.tetris.rules.policies import SimplePolicy
from gpusolve.games.tetris.variant import Variant
from gpusolve.result import HIDDEN, Result, reported, written

WidePolicy = Literal["branching", "playouts"]
WIDE_POLICIES: tuple[WidePolicy, ...] = get_args(WidePolicy)
"""The policies that have breadths."""
PolicyName = Literal[SimplePolicy, WidePolicy]
POLICIES: tuple[PolicyName, ...] = get_args(PolicyName)
PLAYOUTS = (4, 16, 4)
"""Breadths of playouts by default."""
LONGEST, LONGEST_IN_POINTS = 3, 4
"""The greatest numbers of breadths of branching by weights and by a learned value, whose worths are points. By weights,
one more level of chance would not fit 64 bits; by a learned value it would take too long."""
WIDEST = 40_000
"""The greatest product of the breadths of branching: 2 million boards for a move, a gigabyte."""
MOST_SEQUENCES, MOST_PIECES, MOST_PLAYED_ON = 1000, 50, 200_000
"""Limits of playouts: sequences of pieces, pieces in a sequence, and playouts per move."""


@dataclass(frozen=True, repr=False)
class Policy(Result):
    """How a player chooses, with every default filled in (`player.policy_of`).

    `name` is one of POLICIES. `breadths` is empty except for branching, where it has the number of placements that are
    tried of each piece in turn, and for playouts: placements that are tried, sequences of pieces, pieces of each.
    `ties` settles ties of branching, one of `kernels.TIES`.
    """

    name: PolicyName = field(default="two-piece", metadata=HIDDEN)
    breadths: tuple[int, ...] = field(default=(), metadata=written("given_breadths"))
    ties: Ties = field(default="number", metadata=written("used_ties"))

    @reported
    def policy(self) -> PolicyName:
        """How far the player looks ahead."""
        return self.name

    @property
    def given_breadths(self) -> list[int] | None:
        """The breadths; None if the policy has none."""
        return list(self.breadths) or None

    @property
    def used_ties(self) -> Ties | None:
        """What settles ties; None if the policy is not branching."""
        return self.ties if self.name == "branching" else None

    def has_kernel(self, variant: Variant) -> bool:
        """Return whether a kernel plays whole games by weights in this way; other games are played turn by turn."""
        return self.name == "greedy" or (self.name == "two-piece" and variant.delay == 0)


def checked_breadths(policy: str, breadths: str | Sequence[int], *, in_points: bool) -> tuple[int, ...]:
    """Return breadths as numbers, from numbers or from text such as ``8,4,3``.

    Raises BadInput unless a policy can be played with them, by a player whose values are points or not.
    """
    given = f"breadths {_text(breadths)}"
    if policy not in WIDE_POLICIES:
        raise BadInput(f"{given}: expected only with the policies branching and playouts")
    numbers = checks.numbers_in(breadths) if isinstance(breadths, str) else breadths
    least, most = (3, 3) if policy == "playouts" else (1, LONGEST_IN_POINTS if in_points else LONGEST)
    if not isinstance(numbers, Sequence) or not least <= len(numbers) <= most:
        playouts = "placements, sequences and pieces for playouts, as in 4,16,4"
        branching = f"1 to {most} numbers, each at least 1, as in 3,5,5"
        raise BadInput(f"{given}: expected {playouts if policy == 'playouts' else branching}")
    if policy == "playouts":
        limits = (("placements", PLACEMENTS), ("sequences", MOST_SEQUENCES), ("pieces", MOST_PIECES))
        for (name, most), number in zip(limits, numbers, strict=True):
            checks.check_integer(f"breadths: {name}", number, 1, most)
        if prod(numbers[:2]) > MOST_PLAYED_ON:
            raise BadInput(f"{given}: expected at most {MOST_PLAYED_ON:,} boards")
    else:
        for number in numbers:
            checks.check_integer("breadth", number, 1, PLACEMENTS)
        if prod(numbers) > WIDEST:
            raise BadInput(f"{given}: expected a product of at most {WIDEST:,}")
    return tuple(map(int, numbers))


def check_ties(policy: str, ties: str) -> None:
    """Raise BadInput unless ties of a policy can be settled in this way."""
    checks.check_choice("ties", ties, TIES)
    if policy != "branching":
        raise BadInput(f"ties {ties}: expected only with the policy branching")


def _text(breadths: object) -> str:
    is_list = isinstance(breadths, Sequence) and not isinstance(breadths, str)
    return shown(",".join(map(str, cast(Sequence[object], breadths))) if is_list else breadths)
