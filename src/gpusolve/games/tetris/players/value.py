"""The learned value: a player that judges a board by the points that it is about to lose, and its file."""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.backend import Backend
from gpusolve.checks import shown
from gpusolve.errors import BadInput, plain
from gpusolve.fields import Fields
from gpusolve.games.tetris import packed
from gpusolve.games.tetris.players import playouts
from gpusolve.games.tetris.players.changes import PARTS, WHOLE, Changes, changed, changes_from
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.judge import Choices, Ratings, by_lines, greedy
from gpusolve.games.tetris.players.playouts import Playouts
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.turns import Choose
from gpusolve.games.tetris.players.value_judge import ValueJudge, rate_by_value
from gpusolve.games.tetris.rules.board import DOUBLED, KILL_SCREEN
from gpusolve.games.tetris.rules.losses import MOST_PHASES, PHASES, READY, SIZE, SIZE_WITHOUT_HEIGHTS, Stakes, stakes
from gpusolve.games.tetris.variant import MOST_LINES, Variant
from gpusolve.result import HIDDEN, Result
from gpusolve.runs import store

SCHEMA = "gpusolve.tetris.value/1"
SUFFIX = ".value"
FOLDER = Path(__file__).parents[1] / "weights"
DIGITS = 16
"""Digits of the digest of a packed file that are in the name of the unpacked one."""
LARGEST_LOSS = 1_000_000_000
"""No game can lose as much, and sums of two losses fit 32 bits."""
TWO_PIECE = (12,)
"""two-piece: the number of placements of the current piece that are tried, each with the best one of the next piece.
More gain nothing in games; ``benchmarks/results/tetris-tournament-trials.md`` has the figures."""
BYTES_PER_BOARD = 256 * 40
"""For boards on the last level of a search (`games_at_once`)."""


@dataclass(frozen=True, repr=False)
class LearnedValue(Result):
    """A player that judges a board by tables, learned from its own games (`train_value`).

    Attributes
    ----------
    name : str
        The name that results are reported under. Characters that cannot be printed are escaped.
    about : str
        Where the tables come from.
    tables : numpy.ndarray
        The numbers of all tables (`rules.losses.TABLES`), int16, shape (phases * SIZE,), in units of 8 points.
    endgame : numpy.ndarray
        The table of lines to come and ready rows, int32, shape ((horizon + 1) * READY,), in points.
    phases : tuple of int
        The levels at which the phases begin, in ascending order; the first one is 0. Default: 0, 29 and 39, as many as
        there are sets of tables.

    Raises
    ------
    BadInput
        For arrays of another type or shape, for numbers that are no losses, and for phases that are none.

    Examples
    --------
    >>> load_value("learned").name
    'learned'
    """

    name: str
    about: str
    tables: npt.NDArray[np.int16] = field(metadata=HIDDEN)
    endgame: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    phases: tuple[int, ...] = ()

    in_points: ClassVar[bool] = True
    branching_breadths: ClassVar[tuple[int, ...]] = (8, 4)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(str(self.name)))
        for array, dtype, unit, most in (
            (self.tables, np.int16, SIZE, MOST_PHASES),
            (self.endgame, np.int32, READY, MOST_LINES + 1),
        ):
            if array.dtype != dtype or array.shape not in ((count * unit,) for count in range(1, most + 1)):
                raise BadInput(
                    f"value {self.name}: expected 1 to {most:,} times {unit:,} numbers, {np.dtype(dtype)}, "
                    f"not {array.size:,}, {array.dtype}"
                )
        if not -LARGEST_LOSS <= int(self.endgame.min()) <= int(self.endgame.max()) <= LARGEST_LOSS:
            raise BadInput(f"value {self.name}: expected losses of at most {LARGEST_LOSS:,} points")
        sets = len(self.tables) // SIZE
        phases = tuple(self.phases) or PHASES[:sets]
        object.__setattr__(self, "phases", phases)
        if len(phases) != sets or phases[0] != 0 or any(a >= b for a, b in pairwise(phases)):
            raise BadInput(f"value {self.name}: expected {sets} levels at which phases begin, from 0 up, not {phases}")

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the numbers."""
        return hashlib.sha256(self.tables.tobytes() + self.endgame.tobytes()).hexdigest()

    def phase_at(self, level: int) -> int:
        """Return the number of the phase, from 0, whose tables judge boards at a level."""
        return bisect_right(self.phases, level) - 1

    def stakes(self, variant: Variant) -> Stakes:
        """Return what lines are worth in a game, as this value counts them."""
        horizon = len(self.endgame) // READY - 1
        return stakes(variant.start_level, variant.max_lines, phases=self.phases, horizon=horizon)

    def judge(self, backend: Backend, variant: Variant) -> ValueJudge:
        """Return the judgement of boards on a device."""
        return ValueJudge(backend, self.tables, self.endgame, self.stakes(variant), variant)

    def chooser(self, backend: Backend, policy: Policy, variant: Variant) -> Choose:
        """See `player.Player`. Ties always go to the placement of less loss, so `policy.ties` changes nothing."""
        late = self._chooser(backend, policy, variant)
        if not self._is_short(variant):
            return late
        first = up_to_kill_screen(variant)
        return by_lines(backend, first.max_lines, self._chooser(backend, policy, first), late)

    def _is_short(self, variant: Variant) -> bool:
        """Return whether games go on beyond level 29, about which this value has learned nothing.

        Until then it plays as if the game ended there, as in its training.
        """
        return self.phases[-1] < KILL_SCREEN and len(phases_of(variant)) > 1

    def _chooser(self, backend: Backend, policy: Policy, variant: Variant) -> Choose:
        judge = self.judge(backend, variant)
        if policy.name == "playouts":
            return Playouts(judge, policy.breadths, variant).choose
        if policy.name == "greedy":
            return greedy(judge)
        return Expectimax(judge, policy.breadths if policy.name == "branching" else TWO_PIECE, variant).choose

    def games_at_once(self, backend: Backend, policy: Policy, variant: Variant) -> int:
        """See `player.Player`."""
        if policy.name == "playouts":
            return playouts.games_at_once(backend, policy.breadths, variant)
        if policy.name == "greedy":
            return backend.batch(BYTES_PER_BOARD)
        breadths = policy.breadths if policy.name == "branching" else TWO_PIECE
        unknown = len(breadths) - 1 + (variant.delay > 0)
        return backend.batch(BYTES_PER_BOARD * prod(breadths) * 7**unknown)

    def kernel_weights(self, policy: Policy, variant: Variant) -> None:
        """See `player.Player`."""
        return

    def rate(self, backend: Backend, choices: Choices, policy: Policy, variant: Variant) -> Ratings:
        """See `player.Player`."""
        first = up_to_kill_screen(variant)
        if self._is_short(variant) and choices.lines < first.max_lines:
            variant = first
        breadths = policy.breadths[1:] if policy.name == "branching" else ()
        return rate_by_value(self.judge(backend, variant), choices, breadths)


ValueLike: TypeAlias = str | Path | LearnedValue
"""A learned value: the name of one that comes with gpusolve, or a file."""


def save_value(path: Path, value: LearnedValue, *, base: str | None = None) -> None:
    """Save a learned value to a file that `load_value` reads.

    Parameters
    ----------
    path : Path
        The file, by convention with the suffix ``.value``, by which `evaluate` and `play` recognise it.
    value : LearnedValue
        The player.
    base : str, optional
        The name of a value that comes with gpusolve. The file contains only what differs from it. That is little if the
        value was trained from it, but a version of gpusolve with another value of this name cannot load the file.

    Raises
    ------
    BadInput
        If the file cannot be written, or if no value called `base` comes with gpusolve.
    """
    about = _about(value)
    if base is None:
        store.save(path, about, {"tables": value.tables, "endgame": value.endgame})
        return
    start = _load_base(base)
    changes = changes_from(start.tables, value.tables)
    about |= {"base": base, "digest": start.digest, "parts": changes.parts}
    arrays: store.Arrays = {"gaps": changes.gaps, "steps": changes.steps, "endgame": value.endgame}
    store.save(path, about, arrays | ({"whole": changes.whole} if len(changes.whole) else {}))


def load_value(source: ValueLike) -> LearnedValue:
    """Load a learned value; its tables are mapped into memory, except those of older files.

    The values that come with gpusolve are packed, except for the default, which needs no time at its first use. The
    others are unpacked into the user's cache then, from which they are mapped from then on.

    Parameters
    ----------
    source : str, Path or LearnedValue
        The name of a value that comes with gpusolve, or a file that `save_value` wrote.

    Returns
    -------
    LearnedValue

    Raises
    ------
    BadInput
        If there is no such file, if it is damaged, or if it holds something else.

    Examples
    --------
    >>> load_value("learned").tables.dtype
    dtype('int16')
    """
    if isinstance(source, LearnedValue):
        return source
    path = shipped_file(source)
    if path is not None and path.suffix == packed.SUFFIX:
        return _load_packed(path, files.version_of(path))
    if path is None:
        if not files.exists(source):
            raise BadInput(f"value {source}: no such file")
        path = Path(files.located(source))
    return _load(path, files.version_of(path))


def pack_value(path: Path, value: LearnedValue, *, references: Sequence[str] = ()) -> None:
    """Write a learned value as one that comes with gpusolve: a packed file, in the folder of the shipped ones.

    Parameters
    ----------
    path : Path
        The file, which has the name of the value and the suffix ``.packed``.
    value : LearnedValue
        The player.
    references : sequence of str
        Names of values that come with gpusolve. The file contains only what differs from them. Before the value can be
        used for the first time, they are unpacked as well.

    Raises
    ------
    BadInput
        If the file cannot be written, or if no value with one of these names comes with gpusolve.
    """
    about = _about(value)
    others = {name: _load_base(name).tables for name in references}
    files.write(path, packed.pack(about, value.tables, value.endgame, others), "value")


def _about(value: LearnedValue) -> store.About:
    """Return what a file says about a value."""
    return {"schema": SCHEMA, "name": value.name, "about": value.about, "phases": list(value.phases)}


def base_for_changes(source: object, where: str) -> str:
    """Return the shipped value from which a file has only what differs. Raise BadInput if there is none."""
    base = base_of(str(source)) if isinstance(source, str | Path) else None
    if base is None:
        raise BadInput(
            f"--changes-only: expected {where} a value that comes with gpusolve, or a file that --changes-only wrote"
        )
    return base


def base_of(source: str | Path) -> str | None:
    """Return the `base` with which `save_value` makes a small file of what is trained from `source`.

    That is `source` itself if it is shipped, and for a file of changes the shipped value that they change. For other
    files it is None.

    >>> base_of("tournament-15hz")
    'tournament-15hz'
    """
    if shipped_file(source) is not None:
        return str(source)
    load_value(Path(source))  # refuses what is no value
    table = store.open_table(Path(files.located(source)))
    return str(table.about["base"]) if "gaps" in table.arrays else None


@lru_cache(maxsize=3)
def _load_packed(path: Path, version: files.Version) -> LearnedValue:
    """Load a learned value from a packed file, or take it from the latest ones, as `_load` does."""
    about = packed.read_about(path)

    def unpacked() -> store.Arrays:
        return packed.unpack(path, lambda name: _load_base(name).tables)

    try:
        store.folder()
    except BadInput:  # the user has no home folder
        arrays = unpacked()
    else:
        arrays = store.made(f"tetris-{path.stem}-{about['packed'][:DIGITS]}", about, unpacked)
    found = Fields(f"value {path}: damaged", about)
    phases = tuple(found.integers("phases", 0, DOUBLED))
    return LearnedValue(found.text("name"), found.text("about"), arrays["tables"], arrays["endgame"], phases)


@lru_cache(maxsize=3)
def _load(path: Path, version: files.Version) -> LearnedValue:
    """Load a learned value from a file, or take it from the latest ones: checking it takes longer than a suggestion."""
    table = store.open_table(path)
    about = Fields(f"value {path}", table.about if isinstance(table.about, dict) else {})
    names = set(table.arrays)
    known = ({"tables", "endgame"}, {"gaps", "steps", "endgame"}, {"gaps", "steps", "endgame", "whole"})
    if about.values.get("schema") != SCHEMA or names not in known:
        raise BadInput(f"value {path}: expected a value that `gpusolve tetris train-value` wrote")
    phases = tuple(about.integers("phases", 0, DOUBLED)) if "phases" in about else ()
    if "gaps" in names:
        tables = _tables_from_changes(about, table.arrays)
        return LearnedValue(about.text("name"), about.text("about"), tables, table.arrays["endgame"], phases)
    tables, older = table.arrays["tables"], SIZE_WITHOUT_HEIGHTS
    if tables.shape in ((count * older,) for count in range(1, len(PHASES) + 1)):
        tables = np.pad(tables.reshape(-1, older), ((0, 0), (0, SIZE - older))).reshape(-1)
        tables.setflags(write=False)  # as what is mapped is, so that the same machine code serves both
    return LearnedValue(about.text("name"), about.text("about"), tables, table.arrays["endgame"], phases)


def _tables_from_changes(about: Fields, arrays: store.Arrays) -> npt.NDArray[np.int16]:
    """Return the tables of a file that contains what differs from a shipped value."""
    start = _load_base(about.text("base"))
    if about.text("digest") != start.digest:
        raise BadInput(f"{about.place}: it was trained from another {start.name} than this version of gpusolve has")
    parts = about.integers("parts", WHOLE, len(start.tables) // SIZE - 1)
    phases, rest = divmod(len(parts), PARTS)
    if not 1 <= phases <= MOST_PHASES or rest:
        raise about.wrong("parts", f"{PARTS} numbers for each of 1 to {MOST_PHASES} phases")
    blends = [set(parts[begin : begin + PARTS]) for begin in range(0, len(parts), PARTS)]
    if any(WHOLE in blend and len(blend) > 1 for blend in blends):
        raise about.wrong("parts", f"{WHOLE} for all {PARTS} numbers of a phase or for none")
    found = Fields(about.place, {"whole": np.empty(0, np.int16)} | arrays)
    whole = found.array("whole", np.int16, (blends.count({WHOLE}) * SIZE,), -32768, 32767)
    gaps = found.array("gaps", np.int32, (None,), 1, phases * SIZE)
    if gaps.sum(dtype=np.int64) > phases * SIZE:
        raise about.wrong("gaps", f"a sum of at most {phases * SIZE}")
    steps = found.array("steps", np.int16, gaps.shape, -32768, 32767)
    tables = changed(start.tables, Changes(parts, gaps, steps, whole))
    tables.setflags(write=False)  # as what is mapped is, so that the same machine code serves both
    return tables


def _load_base(name: str) -> LearnedValue:
    if shipped_file(name) is None:
        raise BadInput(f"value {shown(name)}: expected one that comes with gpusolve")
    return load_value(name)


def shipped_file(source: str | Path) -> Path | None:
    """Return the file of a learned value that comes with gpusolve, packed or not; None for another name."""
    for suffix in (SUFFIX, packed.SUFFIX):
        path = FOLDER / f"{source}{suffix}"
        if path.name == f"{source}{suffix}" and os.path.isfile(path):
            return path
    return None


def shipped_values() -> list[str]:
    """Return the names of the learned values that come with gpusolve."""
    return sorted(path.stem for path in FOLDER.iterdir() if path.suffix in (SUFFIX, packed.SUFFIX))


def phases_of(variant: Variant) -> tuple[int, ...]:
    """Return the levels at which the phases begin that a value needs for the games of a variant.

    >>> phases_of(Variant()), phases_of(Variant("30hz", max_lines=430, double_killscreen=True))
    ((0,), (0, 29, 39))
    """
    last = variant.level_at(variant.max_lines - 1) if variant.reach != "free" else 0
    return tuple(level for level in PHASES[: len(PHASES) if variant.double_killscreen else -1] if level <= last)


def check_phases(phases: tuple[int, ...]) -> None:
    """Raise BadInput if a value with tables for these phases would have more than MOST_PHASES of them."""
    if len(phases) > MOST_PHASES:
        levels = ", ".join(map(str, phases[1:]))
        raise BadInput(f"values: expected at most {MOST_PHASES - 1} levels at which the tables change, not {levels}")


def up_to_kill_screen(variant: Variant) -> Variant:
    """Return the games of a variant up to level 29, or all of them if they begin there.

    >>> up_to_kill_screen(Variant("10hz", max_lines=430)).max_lines
    230
    """
    lines = variant.line_of(KILL_SCREEN)
    return replace(variant, max_lines=min(lines, variant.max_lines)) if lines else variant


def untrained(name: str = "untrained", slope: float = 0.25) -> LearnedValue:
    """Return a value whose tables are zero, so that only its prior judges.

    It expects to lose the fraction `slope` of what every line still to come can bring.

    >>> int(untrained().endgame[-1])
    378750
    """
    future = stakes().future
    return LearnedValue(
        name, "", np.zeros(SIZE, np.int16), np.repeat((slope * future[::-1]).round(), READY).astype(np.int32)
    )
