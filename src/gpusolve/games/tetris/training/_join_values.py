"""A learned value made of several, each of which judges boards from one level on.

The tables that play best at one level need not come from the training that plays best at another. At level 18, where
pieces still fall slowly, tables that were learned from fast taps score more than those that were learned from slow ones
(``benchmarks/results/tetris-tournament-training.md``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.value import (
    LearnedValue,
    ValueLike,
    base_for_changes,
    check_phases,
    load_value,
    save_value,
)
from gpusolve.games.tetris.rules.board import DOUBLED
from gpusolve.games.tetris.rules.losses import SIZE
from gpusolve.result import HIDDEN


@dataclass(frozen=True, repr=False)
class JoinedValue(LearnedValue, schema="tetris.join-values/2"):
    """A learned value that judges boards by another value from each of some levels on.

    Attributes
    ----------
    values : dict of int to str
        Level -> the name of the value that judges boards from there on.
    base : str or None
        The value for level 0, as text.
    """

    values: dict[int, str] = field(default_factory=dict)
    base: str | None = field(default=None, metadata=HIDDEN)

    def save(self, out: Path = Path("joined.value"), *, changes_only: bool = False) -> None:
        """Write the value to a file that every command accepts. Raises BadInput if it cannot be written.

        Parameters
        ----------
        out : Path, default joined.value
            Write the value to this file.
        changes_only : bool, default False
            Write only what differs from the value for level 0 if it is a shipped name, or from the shipped value that
            its file differs from. Another version of gpusolve may not be able to load the file.
        """
        base = base_for_changes(self.base, "for level 0") if changes_only else None
        save_value(out, replace(self, name=out.stem), base=base)


def join_values(values: Mapping[int, ValueLike] | Sequence[str]) -> JoinedValue:
    """Join learned values, one for each range of levels.

    Parameters
    ----------
    values : mapping of int to str, Path or LearnedValue, or sequence of str
        For each of two or more levels, from 0 to 39, the value whose tables judge boards from this level on, a shipped
        name or a file, as ``LEVEL=VALUE``. The first level is 0. The table of lines to come is that of the value for
        the highest level.

    Returns
    -------
    JoinedValue
        The joined value, a `LearnedValue`. Its text `about` says of what.

    Raises
    ------
    BadInput
        If there are fewer than two values, if level 0 has none, if a level is out of range, if a value cannot be
        loaded, or if the result would change its tables at more levels than a value can.

    Examples
    --------
    ``gpusolve tetris join-values 0=tournament-30hz 19=tournament-15hz``

    >>> joined = join_values({0: "tournament-30hz", 19: "tournament-15hz"})
    >>> joined.phases
    (0, 19, 29, 39)
    """
    values = by_level(values)
    if len(values) < 2 or 0 not in values or not 0 <= min(values) <= max(values) <= DOUBLED:
        raise BadInput(f"values: expected at least two, for level 0 and other levels up to {DOUBLED}")
    levels = sorted(values)
    loaded = {level: load_value(values[level]) for level in levels}
    sets, phases = [], []
    for begin, end in zip(levels, [*levels[1:], DOUBLED + 1], strict=True):
        value = loaded[begin]
        changes = [begin, *(level for level in value.phases if begin < level < end)]
        sets += [value.tables.reshape(-1, SIZE)[value.phase_at(level)] for level in changes]
        phases += changes
    check_phases(tuple(phases))
    about = ", ".join(f"{loaded[level].name} from level {level} on" for level in levels)
    return JoinedValue(
        "joined",
        about,
        np.concatenate(sets),
        loaded[levels[-1]].endgame,
        tuple(phases),
        {level: loaded[level].name for level in levels},
        str(values[0]) if isinstance(values[0], str | Path) else None,
    )


def by_level(values: Mapping[int, ValueLike] | Sequence[str]) -> Mapping[int, ValueLike]:
    """Return the values of `join_values` by level. Raise BadInput for text that is not ``LEVEL=VALUE``."""
    if isinstance(values, Mapping):
        for level in values:
            checks.check_type("level", level, int)
        return values
    checks.check_type("values", values, (list, tuple))
    found: dict[int, ValueLike] = {}
    for each in values:
        checks.check_type("value", each, str)
        text, _, source = each.partition("=")
        number = checks.digits(text, 99)
        if number is None or number in found or not source:
            raise BadInput(f"value {shown(each)}: expected LEVEL=VALUE, each level once")
        found[number] = source
    return found
