"""The mean of learned values, which can play better than each of them.

A value that plays safely and one that risks more meet halfway. That gained points at 12 and 30 Hz with a reaction time
and at 15, 20 and 24 Hz (``benchmarks/results/tetris-tournament-training.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.changes import blend_of
from gpusolve.games.tetris.players.value import (
    LearnedValue,
    ValueLike,
    base_for_changes,
    check_phases,
    load_value,
    save_value,
)
from gpusolve.games.tetris.rules.losses import READY, SIZE
from gpusolve.result import HIDDEN

MOST_VALUES = 16
"""Number of values at most; each takes 12 MB of memory for each of its phases."""


@dataclass(frozen=True, repr=False)
class MeanValue(LearnedValue, schema="tetris.average-values/2"):
    """The mean of learned values.

    Attributes
    ----------
    values : tuple of str
        The names of the values.
    base : str or None
        The first value, as text.
    """

    values: tuple[str, ...] = ()
    base: str | None = field(default=None, metadata=HIDDEN)

    def save(self, out: Path = Path("mean.value"), *, changes_only: bool = False) -> None:
        """Write the mean to a file that every command accepts. Raises BadInput if it cannot be written.

        Parameters
        ----------
        out : Path, default mean.value
            Write the mean to this file.
        changes_only : bool, default False
            Write only what differs from the first value if it is a shipped name, or from the shipped value that its
            file differs from. Another version of gpusolve may not be able to load the file.
        """
        base = base_for_changes(self.base, "as the first VALUE") if changes_only else None
        save_value(out, replace(self, name=out.stem), base=base)


def average_values(values: Sequence[str] | Sequence[ValueLike]) -> MeanValue:
    """Write the mean of learned values.

    It can play better than each of them.

    Every number of the tables is the mean of these numbers of all values, rounded. If the values change their tables at
    different levels, the mean changes its tables at each of these levels.

    Parameters
    ----------
    values : sequence of str, Path or LearnedValue
        Two to 16 values for games of the same length: shipped names or files. One that occurs twice counts twice.

    Returns
    -------
    MeanValue
        The mean, a `LearnedValue`. Its text `about` says of what.

    Raises
    ------
    BadInput
        If there are fewer than two or more than 16 values, if one cannot be loaded, if they are for games of different
        lengths, or if they change their tables at more different levels than a value can.

    Examples
    --------
    ``gpusolve tetris average-values tournament-30hz tournament-20hz``

    >>> mean = average_values(["tournament-30hz", "tournament-20hz"])
    >>> mean.name, mean.phases
    ('mean', (0, 29, 39))
    """
    checks.check_type("values", values, (list, tuple))
    if not 2 <= len(values) <= MOST_VALUES:
        raise BadInput(f"values: expected two to {MOST_VALUES}, not {len(values)}")
    loaded = [load_value(value) for value in values]
    first = loaded[0]
    for value in loaded[1:]:
        if value.endgame.shape != first.endgame.shape:
            lengths = [f"{one.name} of {len(one.endgame) // READY - 1} lines" for one in (first, value)]
            raise BadInput(f"values: expected values for games of the same length, not {' and '.join(lengths)}")
    phases = tuple(sorted({level for value in loaded for level in value.phases}))
    check_phases(phases)
    alike = range(len(loaded))
    sets = [value.tables.reshape(-1, SIZE) for value in loaded]
    tables = [
        blend_of([part[value.phase_at(level)] for part, value in zip(sets, loaded, strict=True)], alike)
        for level in phases
    ]
    endgame = blend_of([value.endgame for value in loaded], alike)
    names = tuple(value.name for value in loaded)
    return MeanValue(
        "mean",
        f"the mean of {', '.join(names)}",
        np.concatenate(tables),
        endgame,
        phases,
        names,
        str(values[0]) if isinstance(values[0], str | Path) else None,
    )
