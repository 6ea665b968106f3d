"""The command ``check``: a game replayed and scored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.positions import FoundWord, Moves, Position, move_text
from gpusolve.games.queuedle.puzzles import AnyPuzzle, Puzzle
from gpusolve.result import FLAT, Result, Rows, reported
from gpusolve.wordlists import Words, load_words


@dataclass(frozen=True, repr=False)
class ScoredPosition(Result):
    """A position, and the words on its grid.

    Attributes
    ----------
    position : Position
        The grid, the rest of the queue and the slides made.
    words : tuple of FoundWord
        Every word on the grid, with its line and its first cell.
    """

    position: Position = field(metadata=FLAT)
    words: tuple[FoundWord, ...]

    @reported
    def score(self) -> int:
        """The score: one point for each letter of every word."""
        return sum(len(entry.word) for entry in self.words)


@dataclass(frozen=True, repr=False)
class ScoredGame(Rows[ScoredPosition], schema="queuedle.check/2"):
    """A game: the position before the first slide and after each slide, which are also its items.

    Attributes
    ----------
    boards : list of ScoredPosition
        The positions.
    puzzle : Puzzle
        The puzzle.
    """

    boards: list[ScoredPosition]
    puzzle: Puzzle

    @reported
    def moves(self) -> Moves:
        """The slides; as text, in notation."""
        return self.boards[-1].position.moves

    @reported
    def score(self) -> int:
        """The score of the last board."""
        return self.boards[-1].score

    def columns(self) -> dict[str, list[Any]]:
        """Return the boards as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            The ``slide`` to each board in notation, empty for the first; its ``score``; its rows as ``grid``, with
            ``/`` between them; the rest of the ``queue``; and the ``words`` on it, with spaces between them.
        """
        return {
            "slide": ["", *map(move_text, self.moves)],
            "score": [board.score for board in self],
            "grid": ["/".join(board.position.grid) for board in self],
            "queue": [board.position.queue for board in self],
            "words": [" ".join(entry.word for entry in board.words) for board in self],
        }


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
        The rows of a 3x3 to 6x6 grid and then the queue, such as ``tsea/enop/adis/ttre eat``; a file with such a
        text; or a day, such as ``2025-05-31``. By default today's puzzle.
    zone : str, optional
        The IANA time zone in which the day begins at midnight. By default the zone of this machine.
    dictionary : str, path, iterable of str
        Valid words: the name of a list, or a file with one word per line.
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


def scored(puzzle: Puzzle, moves: Sequence[int], words: Collection[str]) -> ScoredGame:
    """Play slides and find the words on each board. Raises BadInput for an illegal slide."""
    positions = rules.replay(puzzle.start, moves)
    return ScoredGame(
        [ScoredPosition(position, tuple(rules.find_words(position.grid, words))) for position in positions], puzzle
    )


def replay(puzzle: AnyPuzzle, moves: str | Sequence[int]) -> list[Position]:
    """Play slides on a puzzle.

    Parameters
    ----------
    puzzle : Puzzle, str, path, date or sequence of str
        The grid and the queue, or a day, as `Puzzle.parse` reads them.
    moves : str or sequence of int
        The slides: in notation, such as ``d1 l3``, or as numbers, 4 times the line (from 0) plus 0, 1, 2 or 3 for left,
        right, up and down.

    Returns
    -------
    list of Position
        The position before the first slide and after each slide.

    Raises
    ------
    BadInput
        With its number, for an illegal slide.

    Examples
    --------
    >>> replay("tsea/enop/adis/ttre eat", "u1")[-1].grid
    ('esea', 'anop', 'tdis', 'etre')
    """
    puzzle = Puzzle.parse(puzzle)
    return rules.replay(puzzle.start, Moves.parse(moves, size=puzzle.size))
