"""The command ``daily``: the puzzle of a day."""

from __future__ import annotations

import datetime

from gpusolve.games.queuedle.puzzles import Puzzle, of_day
from gpusolve.wordlists import Words


def daily(
    date: str | datetime.date | None = None, *, zone: str | None = None, puzzle_dictionary: Words = "scowl-70"
) -> Puzzle:
    """Draw the puzzle of a day.

    It is the site's puzzle if `puzzle_dictionary` is the site's dictionary.

    Parameters
    ----------
    date : str or datetime.date, optional
        The day, such as ``2025-05-31``. By default today in `zone`.
    zone : str, optional
        The IANA time zone in which the day begins at midnight. By default the zone of this machine.
    puzzle_dictionary : str, path, iterable of str
        Words that the grid must not contain, as a list of valid words: another list can give another puzzle. The
        dictionary of the site is not shipped: with ours, two puzzles out of three differ from the site's.

    Returns
    -------
    Puzzle

    Raises
    ------
    BadInput
        For a date in another form, for a day before 1970, and for an unknown zone.

    Examples
    --------
    ``gpusolve queuedle daily 2025-06-01``

    >>> daily("2025-05-31", zone="Europe/London").queue
    'raaeutpioesduii'
    """
    return of_day(date, zone=zone, dictionary=puzzle_dictionary)
