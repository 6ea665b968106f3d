"""The seed of a puzzle that the site shows, from its grid alone.

The site draws grids from the seeds after midnight until one holds no word, so which one it is depends on the site's
dictionary. But a grid of 25 letters says which seed drew it, and so what the rest of the queue is: there are 2^31
states of the generator, and far more grids.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.positions import Position

TRIES = 4000
"""Number of seeds after a midnight that are tried. With the site's words, the mean of 370 days was 68, the most 590."""
FIRST = datetime.date(2025, 1, 1)
"""The first day whose midnight is tried: the site is from 2025."""
QUARTER = 15 * 60 * 1000
"""Milliseconds of a quarter of an hour: every time zone is a whole number of them away from UTC."""
DAY = 96 * QUARTER
FURTHEST_WEST = 40
"""Quarters by which Hawaii is behind UTC. Later midnights of a day are those of the next day in the east."""
_TILES = np.frombuffer(rules.TILES.encode(), np.uint8)


@dataclass(frozen=True)
class Drawn:
    """A grid and a queue that a seed drew, and the day on which it did.

    Attributes
    ----------
    start : Position
        The grid and the queue.
    seed : int
        The seed.
    tries : int
        Number of milliseconds from midnight to the seed.
    day : date
        The day.
    zone : str or None
        The zone whose midnight it was, as UTC+02:00; None for the zone that was asked for.
    """

    start: Position
    seed: int
    tries: int
    day: datetime.date
    zone: str | None = None


def find(grid: str, queue: str, *, today: datetime.date, zone: str | None) -> Drawn | None:
    """Return the draw with the letters of `grid`, row by row, whose queue begins with `queue`; None if there is none.

    The midnights are those from FIRST to tomorrow in `zone`, the latest first. If it is None, they are those of this
    machine's zone, and then those of all zones.
    """
    letters = np.frombuffer((grid + queue).encode(), np.uint8)
    days = [today - datetime.timedelta(days=back) for back in range(-1, (today - FIRST).days + 1)]
    for day in days:
        midnight = rules.daily_seed(day, zone)
        for seed in _drawing(letters, midnight):
            return Drawn(rules.draw(seed), seed, seed - midnight, day)
    if zone is not None:
        return None
    quarters = sorted(range(DAY // QUARTER), key=lambda quarter: quarter % 4 != 0)  # most zones are whole hours away
    for day in days:
        for quarter in quarters:
            midnight = rules.daily_seed(day, "UTC") + quarter * QUARTER
            for seed in _drawing(letters, midnight):
                return _elsewhere(day, quarter, seed, seed - midnight)
    return None


def _drawing(letters: npt.NDArray[np.uint8], midnight: int) -> Iterator[int]:
    """Yield the seeds after a midnight that draw these letters first. The arithmetic is that of `rules.draw`."""
    states = midnight + np.arange(TRIES, dtype=np.float64)
    seeds = np.arange(midnight, midnight + TRIES)
    for letter in letters:
        states = np.fmod(states * 16807.0, 2147483647.0)
        drawn = _TILES[np.floor((states - 1.0) / 2147483646.0 * len(_TILES)).astype(np.intp)] == letter
        states, seeds = states[drawn], seeds[drawn]
        if not len(seeds):
            return
    yield from seeds.tolist()


def _elsewhere(day: datetime.date, quarter: int, seed: int, tries: int) -> Drawn:
    """Return a draw whose midnight was this quarter of an hour of a day in UTC."""
    east = quarter > FURTHEST_WEST
    minutes = 15 * (DAY // QUARTER - quarter if east else quarter)
    zone = f"UTC{'+' if east else '-'}{minutes // 60:02}:{minutes % 60:02}"
    return Drawn(rules.draw(seed), seed, tries, day + datetime.timedelta(days=int(east)), zone)
