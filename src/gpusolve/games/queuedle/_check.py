"""The command ``check``: a game replayed and scored."""

from __future__ import annotations

from collections.abc import Sequence

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.positions import Moves
from gpusolve.games.queuedle.puzzles import AnyPuzzle, Puzzle
from gpusolve.games.queuedle.scored import ScoredGame, scored
from gpusolve.wordlists import Words, load_words


def check(
    moves: str | Sequence[int],
    puzzle: AnyPuzzle = None,
    *,
    zone: str | None = None,
    dictionary: Words = "scowl-70",
    puzzle_dictionary: Words | None = None,
) -> ScoredGame:
    """Check slides, and score the board after each of them.

    An illegal slide is reported with its number.

    Parameters
    ----------
    moves : str or sequence of int
        Slides, such as ``d1 l3``: column 1 down, row 3 to the left. In Python also as numbers, 4 times the line (from
        0) plus 0, 1, 2 or 3 for left, right, up and down.
    puzzle : Puzzle, str, path, date or sequence of str, optional
        The rows of a 4x4, 5x5 or 6x6 grid and then the queue, such as ``tsea/enop/adis/ttre eat``; a file with such a
        text; or a day, such as ``2025-05-31``. By default today's puzzle.
    zone : str, optional
        The IANA time zone in which the day begins at midnight. By default the zone of this machine.
    dictionary : str, path, iterable of str
        Valid words: the name of a shipped list, or a file with one word per line.
    puzzle_dictionary : str, path, iterable of str, optional
        Words that the grid of a day must not contain; the dictionary of the site is not shipped. By default the same as
        `dictionary`.

    Returns
    -------
    ScoredGame
        The position before the first slide and after each slide, with their words.

    Raises
    ------
    BadInput
        With the number of the slide, if one is illegal; for a puzzle that cannot be read; and if no word of the
        dictionary fits on the grid.

    Examples
    --------
    ``gpusolve queuedle check 'r2 l4 d1' 2025-06-01``

    >>> check("u1 l1 d3", "tsea/enop/adis/ttre eat").score
    39
    """
    puzzle = Puzzle.parse(puzzle, zone=zone, puzzle_dictionary=puzzle_dictionary, dictionary=dictionary)
    return scored(puzzle, Moves.parse(moves, size=puzzle.size), rules.usable(load_words(dictionary), puzzle.size))
