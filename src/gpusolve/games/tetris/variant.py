"""What a game is played under."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules import board as rules, reachability
from gpusolve.games.tetris.rules.sources import SOURCES

MOST_DELAY = 2000
MOST_LINES = 10_000
"""Lines of a game: its score fits 32 bits."""


@dataclass(frozen=True)
class Settings:
    """What a game is played under: reachability, piece source, start level, lines at which it ends, reaction, gravity.

    `reach`: one of `reachability.REACHES`, or ``<N>hz`` for N taps per second. `delay_ms`: that many milliseconds after
    a piece appears the next one becomes known: until then the player moves by a plan. `double_killscreen`: two rows a
    frame from level 39 on. Raises BadInput for an unknown reach or source, a start level not from 18 to 29, lines not
    from 1 to MOST_LINES, a delay not from 0 to MOST_DELAY, and for a delay or double gravity without a clock.
    """

    reach: str = "free"
    source: str = "uniform8"
    start_level: int = 19
    max_lines: int = rules.MAX_LINES
    delay_ms: int = 0
    double_killscreen: bool = False

    def __post_init__(self) -> None:
        check_reach(self.reach)
        checks.check_choice("source", self.source, SOURCES)
        checks.check_integer("start level", self.start_level, 18, len(rules.GRAVITY) - 1)
        checks.check_integer("max lines", self.max_lines, 1, MOST_LINES)
        checks.check_integer("delay_ms", self.delay_ms, 0, MOST_DELAY)
        checks.check_type("double_killscreen", self.double_killscreen, bool)
        if self.reach == "free" and (self.delay_ms or self.double_killscreen):
            name = f"delay_ms {self.delay_ms}" if self.delay_ms else "double_killscreen"
            raise BadInput(f"{name}: expected only where pieces are reached against gravity, not free")

    @property
    def delay(self) -> int:
        """`delay_ms` in frames."""
        return reachability.frames_of(self.delay_ms)


def check_reach(reach: str) -> None:
    """Raises BadInput for what is neither one of `reachability.REACHES` nor another rate of tapping."""
    if not isinstance(reach, str) or reachability.rate_of(reach) is None:
        checks.check_choice("reach", reach, reachability.REACHES)


def check_settings(settings: Settings) -> None:
    """Raises TypeError for what is no Settings; what is one has been looked at already."""
    if not isinstance(settings, Settings):
        raise TypeError(f"settings: expected Settings, not {type(settings).__name__}")
