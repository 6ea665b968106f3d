"""The command ``daily``: the puzzle of a day."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from gpusolve.checks import joined
from gpusolve.games.queuedle.days import read_day
from gpusolve.games.queuedle.puzzles import Puzzle, of_day, of_grid, today_in
from gpusolve.wordlists import Words


def daily(
    day: str | datetime.date | Sequence[str] | None = None,
    *,
    zone: str | None = None,
    dictionary: Words = "scowl-70",
    puzzle_dictionary: Words | None = None,
) -> Puzzle:
    """Draw the puzzle of a day, or find it from the grid that the site shows.

    A day has the site's puzzle if the words are those of the site's dictionary, which ``gpusolve lists get queuedle``
    downloads. A grid needs no dictionary: it tells the day, and the whole queue, of which the site shows five letters.

    Parameters
    ----------
    day : str, datetime.date or sequence of str, optional
        The day, such as ``2025-05-31``, ``today``, ``yesterday`` or ``31 May 2025``; or the 25 letters of the grid that
        the site shows, row by row, and then the letters of the queue that it shows, if you like. By default today in
        `zone`.
    zone : str, optional
        The IANA time zone in which the day begins at midnight. By default the zone of this machine; for a grid, that
        zone and then all others.
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
        For a date in another form or before 1970, for an unknown zone, and for a grid that no day since 2025 has.

    Examples
    --------
    ``gpusolve queuedle daily 2025-06-01``

    >>> daily("2025-05-31", zone="Europe/London").queue
    'raaeutpioesduii'
    >>> puzzle = daily("fndoi/eedgr/aadqs/oeilx/eyatg")
    >>> puzzle.date, puzzle.queue
    ('2025-05-31', 'aikiueieexuatov')
    """
    if day is not None and not isinstance(day, datetime.date):
        text = joined("day", day).strip()
        found = read_day(text, today_in(zone))
        if found is None:
            return of_grid(text, zone=zone)
        day = found
    return of_day(day, zone=zone, dictionary=dictionary if puzzle_dictionary is None else puzzle_dictionary)
