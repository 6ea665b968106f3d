"""Policies: how far a player looks ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.kernels import PLACEMENTS, TIES
from gpusolve.games.tetris.rules.policies import POLICIES as SIMPLE_POLICIES
from gpusolve.games.tetris.variant import Variant

WIDE_POLICIES = ("branching", "playouts")
"""The policies that have breadths."""
POLICIES = (*SIMPLE_POLICIES, *WIDE_POLICIES)
PLAYOUTS = (4, 16, 4)
"""Breadths of playouts by default."""
LONGEST, LONGEST_IN_POINTS = 3, 4
"""The greatest numbers of breadths of branching by weights and by a learned value, whose worths are points. By weights,
one more level of chance would not fit 64 bits; by a learned value it would take too long."""
WIDEST = 40_000
"""The greatest product of the breadths of branching: 2 million boards for a move, a gigabyte."""
MOST_SEQUENCES, MOST_PIECES, MOST_PLAYED_ON = 1000, 50, 200_000
"""Limits of playouts: sequences of pieces, pieces in a sequence, and playouts per move."""


@dataclass(frozen=True)
class Policy:
    """How a player chooses, with every default filled in (`player.policy_of`).

    `name` is one of POLICIES. `breadths` is empty except for branching, where it has the number of placements that are
    tried of each piece in turn, and for playouts: placements that are tried, sequences of pieces, pieces of each.
    `ties` settles ties of branching, one of `kernels.TIES`.
    """

    name: str = "two-piece"
    breadths: tuple[int, ...] = ()
    ties: str = "number"

    def has_kernel(self, variant: Variant) -> bool:
        """Return whether a kernel plays whole games by weights in this way; other games are played turn by turn."""
        return self.name == "greedy" or (self.name == "two-piece" and variant.delay == 0)


def check_breadths(policy: str, breadths: Sequence[int], *, in_points: bool) -> None:
    """Raise BadInput unless a policy can be played with these breadths, by a player whose values are points or not."""
    if policy == "playouts":
        _check_playouts(breadths)
    else:
        _check_branching(breadths, LONGEST_IN_POINTS if in_points else LONGEST)
    if policy not in WIDE_POLICIES:
        raise BadInput(f"breadths {_text(breadths)}: expected only with the policies branching and playouts")


def check_ties(policy: str, ties: str) -> None:
    """Raise BadInput unless ties of a policy can be settled in this way."""
    checks.check_choice("ties", ties, TIES)
    if policy != "branching":
        raise BadInput(f"ties {ties}: expected only with the policy branching")


def _check_branching(breadths: Sequence[int], longest: int) -> None:
    if not isinstance(breadths, Sequence) or isinstance(breadths, str) or not 1 <= len(breadths) <= longest:
        raise BadInput(f"breadths {_text(breadths)}: expected 1 to {longest} numbers, each at least 1, as in 3,5,5")
    for breadth in breadths:
        checks.check_integer("breadth", breadth, 1, PLACEMENTS)
    if prod(breadths) > WIDEST:
        raise BadInput(f"breadths {_text(breadths)}: expected a product of at most {WIDEST:,}")


def _check_playouts(breadths: Sequence[int]) -> None:
    if not isinstance(breadths, tuple | list) or len(breadths) != 3:
        raise BadInput(
            f"breadths {_text(breadths)}: expected placements, sequences and pieces for playouts, as in 4,16,4"
        )
    for name, number, most in zip(
        ("placements", "sequences", "pieces"), breadths, (PLACEMENTS, MOST_SEQUENCES, MOST_PIECES), strict=True
    ):
        checks.check_integer(f"breadths: {name}", number, 1, most)
    if prod(breadths[:2]) > MOST_PLAYED_ON:
        raise BadInput(f"breadths {_text(breadths)}: expected at most {MOST_PLAYED_ON:,} boards")


def _text(breadths: object) -> str:
    is_list = isinstance(breadths, Sequence) and not isinstance(breadths, str)
    return shown(",".join(map(str, cast(Sequence[object], breadths))) if is_list else breadths)
