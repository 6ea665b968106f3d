"""The variant of Tetris that is played."""

from __future__ import annotations

from dataclasses import dataclass

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.board import GRAVITY, MAX_LINES
from gpusolve.games.tetris.rules.reachability import REACHES, frames_of, frames_of_taps, rate_of, rhythm_of
from gpusolve.games.tetris.rules.sources import SOURCES
from gpusolve.notebook import as_html, as_text

MOST_DELAY = 2000
MOST_LINES = 10_000
"""The largest `max_lines`: the score of such a game fits 32 bits."""


@dataclass(frozen=True)
class Variant:
    """The rules that a game is played by: what a player can reach, where pieces come from, when the game ends.

    Parameters
    ----------
    reach : str, default "free"
        The placements that a player can reach: ``free`` for every placement that some sequence of presses leads to;
        against gravity, ``<N>hz`` for N taps per second (1 to 30), the frames of the taps themselves as in ``0,2,4``,
        ``slow5`` for five quick taps and a pause, and ``das`` for a button that is held (`rules.das`). After a way to
        tap, ``+tuck``, as in ``30hz+tuck``, lets the last press come on any frame, and the rhythm start again when the
        next piece is known (`rules.reachability`).
    source : str, default "uniform8"
        Where pieces come from: ``uniform8`` draws evenly and repeats a piece more rarely, ``nes`` is the console's own
        generator.
    start_level : int, default 19
        The level at the start, 0 to 29.
    max_lines : int, default 230
        The game ends when this number of lines is cleared, 1 to 10,000.
    delay_ms : int, default 0
        Milliseconds from the appearance of a piece until the player knows the next one, 0 to 2,000. Until then the
        player moves according to a plan. Needs a `reach` by tapping.
    double_killscreen : bool, default False
        Whether pieces drop two rows at a time from level 39 on. Needs a `reach` with a clock.

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
    source: str = "uniform8"
    start_level: int = 19
    max_lines: int = MAX_LINES
    delay_ms: int = 0
    double_killscreen: bool = False

    _repr_html_ = as_html
    __repr__ = as_text

    def __post_init__(self) -> None:
        check_reach(self.reach)
        checks.check_choice("source", self.source, SOURCES)
        checks.check_integer("start level", self.start_level, 0, len(GRAVITY) - 1)
        checks.check_integer("max lines", self.max_lines, 1, MOST_LINES)
        checks.check_integer("delay_ms", self.delay_ms, 0, MOST_DELAY)
        checks.check_type("double_killscreen", self.double_killscreen, bool)
        if self.reach == "free" and (self.delay_ms or self.double_killscreen):
            name = f"delay_ms {self.delay_ms}" if self.delay_ms else "double_killscreen"
            raise BadInput(f"{name}: expected only where pieces are reached against gravity, not free")
        if self.reach == "das" and self.delay_ms:
            raise BadInput(f"delay_ms {self.delay_ms}: expected 0 with das, only tapping has plans")

    @property
    def delay(self) -> int:
        """`delay_ms` in frames of the console, rounded."""
        return frames_of(self.delay_ms)


def check_reach(reach: str) -> None:
    """Raise BadInput unless `reach` is one of `reachability.REACHES`, a rate of tapping, or the frames of taps.

    ``+tuck`` may follow each of them but ``free`` and ``das``.
    """
    if not isinstance(reach, str):
        checks.check_choice("reach", reach, REACHES)
    rhythm, tucks = rhythm_of(reach)
    if rhythm[:1].isdigit() and not rhythm.endswith("hz"):
        frames_of_taps(rhythm)
    elif rate_of(rhythm) is None and not (tucks and rhythm == "slow5"):
        checks.check_choice("reach", reach, REACHES)


def check_variant(variant: Variant) -> None:
    """Raise TypeError unless `variant` is a Variant, which has checked its own fields."""
    checks.check_type("variant", variant, Variant)
