"""The variant of Tetris that is played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.board import GRAVITY, MAX_LINES, level_at, line_of
from gpusolve.games.tetris.rules.reachability import (
    FASTEST,
    REACHES,
    frames_of,
    frames_of_taps,
    rate_of,
    reach_of_taps,
    rhythm_of,
)
from gpusolve.games.tetris.rules.sources import SOURCES, Source
from gpusolve.options import Options
from gpusolve.result import Result

MOST_DELAY = 2000
MOST_MISSES = 60
"""Numbers in `miss`: a window of a second is wide enough for anybody."""
_CHANCE = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9}")
MOST_LEVEL = 255
TOURNAMENT_LINES = 430
"""The last line of the tournaments that are played beyond level 29; it leads to level 49."""
MOST_LINES = 10_000
"""The largest `max_lines`: the score of such a game fits 32 bits."""


@dataclass(frozen=True, repr=False)
class Variant(Result, Options):
    """The rules that a game is played by: what a player can reach, where pieces come from, when the game ends.

    Parameters
    ----------
    reach, source, start_level, max_lines, delay_ms, double_killscreen, miss
        See `Variant.load`.

    Raises
    ------
    BadInput
        For a value that is not in its range.

    Examples
    --------
    >>> Variant("30hz", source="nes", delay_ms=300).delay
    18
    """

    reach: str = "free"
    source: Source = "uniform8"
    start_level: int = 19
    max_lines: int = MAX_LINES
    delay_ms: int = 0
    double_killscreen: bool = False
    miss: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_reach(self.reach)
        checks.check_choice("source", self.source, SOURCES)
        checks.check_integer("start_level", self.start_level, 0, len(GRAVITY) - 1)
        checks.check_integer("max_lines", self.max_lines, 1, MOST_LINES)
        checks.check_integer("delay_ms", self.delay_ms, 0, MOST_DELAY)
        checks.check_type("double_killscreen", self.double_killscreen, bool)
        if self.reach == "free" and (self.delay_ms or self.double_killscreen):
            name = f"delay_ms {self.delay_ms}" if self.delay_ms else "double_killscreen"
            raise BadInput(f"{name}: expected only where pieces are reached against gravity, not free")
        if self.reach == "das" and self.delay_ms:
            raise BadInput(f"delay_ms {self.delay_ms}: expected 0 with das, only tapping has plans")
        object.__setattr__(self, "miss", misses_of(self.miss))
        if self.miss and self.reach in ("free", "das"):
            raise BadInput(f"miss {_listed(self.miss)}: expected only with taps against gravity, not {self.reach}")

    @classmethod
    def load(
        cls,
        *,
        reach: str | None = None,
        hz: int | None = None,
        taps: str | None = None,
        source: Source = "uniform8",
        start_level: int = 19,
        max_lines: int = MAX_LINES,
        delay_ms: int = 0,
        double_killscreen: bool = False,
        miss: str | Sequence[float] = (),
    ) -> Variant:
        """Return the variant with these rules. What a player can reach is given by one of `reach`, `hz` and `taps`.

        Parameters
        ----------
        reach : str, optional
            Placements that the player can reach. ``free``, the default, has all that presses lead to, with unlimited
            time. The others are against gravity: ``30hz``, ``15hz`` and so on by tapping at this rate, 1 to 30 times a
            second, ``0,2,4`` by tapping on these frames, ``slow5`` by five quick taps and a pause, and ``das`` by
            holding the button down. With ``30hz+tuck`` and ``slow5+tuck``, the last press, a tuck or a spin, may come
            on any frame, and the rhythm starts again when the next piece is known.
        hz : int, optional
            Taps per second against gravity, 1 to 30; instead of `reach`.
        taps : str, optional
            Frames on which the player can tap, as in ``0,2,4,6,18,20``, or StackRabbit's timelines, such as ``X....``,
            which begin again at their end; instead of `reach` and `hz`.
        source : {"uniform8", "nes"}
            Generator of the pieces. ``uniform8``: equal chances, with few repeats; ``nes``: the console's.
        start_level : int, default 19
            Level at the start of a game, 0 to 29.
        max_lines : int, default 230
            Number of lines after which a game ends, 1 to 10,000; 430 lines lead to level 49.
        delay_ms : int, default 0
            Milliseconds until the player knows the next piece, 0 to 2,000; until then the player follows a plan. Needs
            taps against gravity.
        double_killscreen : bool, default False
            Whether pieces fall two rows per frame from level 39 on. Needs a clock: any `reach` but ``free``.
        miss : str or sequence of float, optional
            Chance that the player misses a press, 0 to 1, by its window: the number of frames on which it may come
            while the same placement results. ``0.5,0.2`` are the chances for one frame and for two; presses with wider
            windows are not missed, because there is time to repeat them. A missed press does nothing. Needs taps
            against gravity and a learned value. By default no press is missed.

        Returns
        -------
        Variant

        Raises
        ------
        BadInput
            If two of `reach`, `hz` and `taps` are given, and for a value that is not in its range.

        Examples
        --------
        >>> Variant.load(hz=12, delay_ms=300).reach, Variant.load(taps="0,2,4").reach, Variant.load(taps="X....").reach
        ('12hz', '0,2,4', '12hz')
        """
        named = [(name, value) for name, value in (("reach", reach), ("hz", hz), ("taps", taps)) if value is not None]
        if len(named) > 1:
            (first, other), (name, value) = named[0], named[-1]
            raise BadInput(f"{name} {shown(value)}: expected without {first} {shown(other)}")
        if hz is not None:
            hz = checks.check_integer("hz", hz, 1, FASTEST)
            reach = f"{hz}hz"
        if taps is not None:
            checks.check_type("taps", taps, str)
            reach = reach_of_taps(taps)
        return cls(
            "free" if reach is None else reach,
            source,
            start_level,
            max_lines,
            delay_ms,
            double_killscreen,
            misses_of(miss),
        )

    @property
    def summary(self) -> str:
        """The rules in a few words."""
        words = [self.reach, self.source, f"start level {self.start_level}"]
        if self.max_lines != MAX_LINES:
            words.append(f"{self.max_lines} lines")
        if self.delay_ms:
            words.append(f"next piece known after {self.delay_ms} ms")
        if self.double_killscreen:
            words.append("double killscreen")
        if self.miss:
            words.append(f"presses missed {_listed(self.miss)}")
        return ", ".join(words)

    @property
    def delay(self) -> int:
        """`delay_ms` in frames of the console, rounded."""
        return frames_of(self.delay_ms)

    @property
    def settings(self) -> dict[str, Any]:
        """The rules as settings of a run. Checkpoints from before presses could be missed have no chances of that."""
        rules = asdict(self) | {"miss": list(self.miss)}
        if not self.miss:
            del rules["miss"]
        return rules

    def level_at(self, lines: int) -> int:
        """Return the level after a number of lines."""
        return level_at(lines, self.start_level)

    def line_of(self, level: int) -> int:
        """Return the number of lines after which a level begins, whether the game lasts as long or not."""
        return line_of(level, self.start_level)

    def started_for(self, level: int, lines: int) -> Variant:
        """Return the rules of a game in which this level goes with this number of lines.

        That is a game from the start level of these rules, or else from 18, 19, or the lowest level possible.

        Raises
        ------
        BadInput
            If no start level leads to them.

        Examples
        --------
        >>> Variant().started_for(18, 40).start_level, Variant().started_for(9, 42).start_level
        (18, 9)
        """
        for start in (self.start_level, 18, 19, *range(len(GRAVITY))):
            if level_at(lines, start) == level:
                return replace(self, start_level=start)
        raise BadInput(f"level {level}: no game has it after {lines} lines")

    def game_at(self, *, level: int | None = None, lines: int | None = None) -> tuple[Variant, int]:
        """Return the rules of the game that a position belongs to, and the lines cleared so far.

        A level stands for its first line, and one below the start level for the beginning of a game that starts there.
        A position beyond the usual 230 lines belongs to a game that goes on to 430 lines, or else to the last one.

        Parameters
        ----------
        level : int, optional
            The level, 0 to 255.
        lines : int, optional
            Instead of `level`: the lines cleared so far. By default the game begins.

        Returns
        -------
        Variant
            The rules.
        int
            The lines.

        Raises
        ------
        BadInput
            If both are given, for a value that is not in its range, and for lines at which the game is over.

        Examples
        --------
        >>> variant, lines = Variant("30hz", double_killscreen=True).game_at(level=42)
        >>> variant.max_lines, lines
        (430, 360)
        """
        variant = self
        if level is not None:
            level = checks.check_integer("level", level, 0, MOST_LEVEL)
            if lines is not None:
                raise BadInput(f"level {level}: expected without lines, which determine it")
            variant = replace(self, start_level=min(int(level), self.start_level))
            lines = variant.line_of(level)
        lines = 0 if lines is None else lines
        lines = checks.check_integer("lines", lines, 0, MOST_LINES - 1)
        lines = int(lines)
        if lines >= variant.max_lines == MAX_LINES:
            variant = replace(variant, max_lines=next(most for most in (TOURNAMENT_LINES, MOST_LINES) if lines < most))
        if lines >= variant.max_lines:
            raise BadInput(f"lines {lines}: expected fewer, the game is over with {variant.max_lines}")
        return variant, lines


def check_reach(reach: str) -> None:
    """Raise BadInput unless `reach` is one of `reachability.REACHES`, a rate of tapping, or the frames of taps.

    ``+tuck`` may follow each of them but ``free`` and ``das``.
    """
    rhythm, tucks = rhythm_of(reach) if isinstance(reach, str) else ("", False)
    if re.fullmatch("[0-9,]+", rhythm):
        frames_of_taps(rhythm)
    elif rate_of(rhythm) is None and rhythm != "slow5" and (tucks or rhythm not in REACHES):
        forms = f"free, das, slow5, 1hz to {FASTEST}hz, or frames of taps, as in 0,2,4"
        raise BadInput(f"reach {shown(reach)}: expected {forms}; +tuck may follow all but free and das")


def misses_of(miss: str | Sequence[float]) -> tuple[float, ...]:
    """Return the chances of missing a press whose window has 1, 2, ... frames; no wider one is missed.

    Zeros at the end are left out, so no chance at all is an empty tuple.

    Raises BadInput unless these are numbers from 0 to 1 that do not grow with the window.

    >>> misses_of("0.5,0.2,0"), misses_of("0.1"), misses_of("0,0")
    ((0.5, 0.2), (0.1,), ())
    """
    given: Sequence[Any] = [word.strip() for word in miss.split(",")] if isinstance(miss, str) else miss
    checks.check_type("miss", given, (list, tuple))
    if isinstance(miss, str):
        if not all(_CHANCE.fullmatch(word) for word in given):
            given_as = f"miss {shown(miss)}" if miss.strip() else "miss"
            raise BadInput(f"{given_as}: expected numbers from 0 to 1 separated by commas, as in 0.5,0.2")
        given = [float(word) for word in given]
    if len(given) > MOST_MISSES:
        raise BadInput(f"miss: {len(given)} numbers, expected at most {MOST_MISSES}")
    for number in given:
        checks.check_number("miss", number, 0, 1)
    for wide, wider in pairwise(given):
        if wider > wide:
            raise BadInput(f"miss {_listed(given)}: expected {wider:g} no greater than {wide:g}, for a wider window")
    return tuple(float(chance) for chance in given if chance)


def _listed(miss: Sequence[float]) -> str:
    return ",".join(f"{chance:g}" for chance in miss)


def check_variant(variant: Variant) -> None:
    """Raise TypeError unless `variant` is a Variant, which has checked its own fields."""
    checks.check_type("variant", variant, Variant)


def check_trainable(variant: Variant) -> None:
    """Raise BadInput for rules in which presses can be missed: in the games of a training none is."""
    check_variant(variant)
    if variant.miss:
        raise BadInput(f"miss {_listed(variant.miss)}: expected none in a training, whose players miss no press")
