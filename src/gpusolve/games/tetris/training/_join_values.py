"""A learned value made of several, each of which judges boards from one level on.

The tables that play best at one level need not come from the training that plays best at another. At level 18, where
pieces still fall slowly, tables that were learned from fast taps score more than those that were learned from slow ones
(``benchmarks/results/tetris-tournament-training.md``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.value import LearnedValue, ValueLike, check_phases, load_value
from gpusolve.games.tetris.rules.board import DOUBLED
from gpusolve.games.tetris.rules.losses import SIZE


def join_values(values: Mapping[int, ValueLike] | Sequence[str]) -> LearnedValue:
    """Return a learned value that judges boards by another value from each of some levels on.

    Parameters
    ----------
    values : mapping of int to str, Path or LearnedValue, or sequence of str
        By level, from 0 to 39, the value whose tables judge boards from there on; as text, ``LEVEL=VALUE`` for each.
        The first level is 0. The table of lines to come is that of the value for the highest level.

    Returns
    -------
    LearnedValue
        The joined value. Its text `about` says of what.

    Raises
    ------
    BadInput
        If there are fewer than two values, if level 0 has none, if a level is out of range, if a value cannot be
        loaded, or if the result would change its tables at more levels than a value can.

    Examples
    --------
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
    return LearnedValue("joined", about, np.concatenate(sets), loaded[levels[-1]].endgame, tuple(phases))


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
