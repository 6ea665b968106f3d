"""The command ``daily``: the puzzle of a day."""

from __future__ import annotations

import datetime

from gpusolve.games.queuedle.puzzles import Puzzle, of_day
from gpusolve.wordlists import Words


def daily(
    date: str | datetime.date | None = None,
    *,
    zone: str | None = None,
    dictionary: Words = "scowl-70",
    puzzle_dictionary: Words | None = None,
) -> Puzzle:
    """Draw the puzzle of a day.

    It is the site's puzzle if the words are those of the site's dictionary, which ``gpusolve lists get queuedle``
    downloads.

    Parameters
    ----------
    date : str or datetime.date, optional
        The day, such as ``2025-05-31``. By default today in `zone`.
    zone : str, optional
        The IANA time zone in which the day begins at midnight. By default the zone of this machine.
    dictionary : str, path, iterable of str
        Valid words: the name of a list, or a file with one word per line. The grid contains none, so another
        list can give another puzzle: with ours, two puzzles out of three differ from the site's.
    puzzle_dictionary : str, path, iterable of str, optional
        Words that the grid must not contain. By default the same as `dictionary`.

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
    return of_day(date, zone=zone, dictionary=dictionary if puzzle_dictionary is None else puzzle_dictionary)
