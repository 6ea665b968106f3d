"""The data types of puzzles and scored boards, and the reader of puzzle files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.rules import FoundWord, Position, Puzzle
from gpusolve.notebook import as_html, as_text


@dataclass(frozen=True)
class DailyPuzzle:
    """The puzzle of a day, and how it was drawn.

    Attributes
    ----------
    puzzle : Puzzle
        The grid and the queue.
    date : str
        The day, as 2025-05-31.
    zone : str
        The time zone whose midnight begins the day: an IANA name, or UTC+02:00 and the like if the zone of the machine
        has no known name.
    puzzle_seed : int
        The seed that drew the puzzle: the milliseconds from 1970 to midnight, plus `tries`.
    tries : int
        Number of seeds tried before, each of which drew a grid with a word on it.
    """

    puzzle: Puzzle
    date: str
    zone: str
    puzzle_seed: int
    tries: int

    _repr_html_ = as_html
    __repr__ = as_text


@dataclass(frozen=True)
class ScoredPosition:
    """A position, and the words on its grid.

    Attributes
    ----------
    position : Position
        The grid, the rest of the queue and the slides made.
    words : tuple of FoundWord
        Every word on the grid, with its line and its first cell.
    """

    position: Position
    words: tuple[FoundWord, ...]

    _repr_html_ = as_html
    __repr__ = as_text

    @property
    def score(self) -> int:
        """The score: one point for each letter of every word."""
        return sum(len(entry.word) for entry in self.words)


class ScoredGame(list[ScoredPosition]):
    """The position before the first slide and after each slide of a game. A notebook draws the boards."""

    _repr_html_ = as_html

    def columns(self) -> dict[str, list[Any]]:
        """Return the boards as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            The ``slide`` to each board in notation, empty for the first; its ``score``; its rows as ``grid``, with
            ``/`` between them; the rest of the ``queue``; and the ``words`` on it, as a list.
        """
        return {
            "slide": [rules.moves_text(board.position.moves[-1:]) for board in self],
            "score": [board.score for board in self],
            "grid": ["/".join(board.position.grid) for board in self],
            "queue": [board.position.queue for board in self],
            "words": [[entry.word for entry in board.words] for board in self],
        }


def scored(puzzle: Puzzle, moves: Sequence[int], words: Collection[str]) -> ScoredGame:
    """Play slides and find the words on each board. Raises BadInput for an illegal slide."""
    positions = rules.replay(puzzle, moves)
    return ScoredGame(ScoredPosition(position, tuple(rules.find_words(position.grid, words))) for position in positions)


def load_puzzle(path: Path) -> Puzzle:
    """Read a puzzle from a file: the rows, one per line, and then the queue.

    Parameters
    ----------
    path : Path
        A UTF-8 text file. It has as many rows as its first line has letters; the rest is the queue.

    Returns
    -------
    Puzzle

    Raises
    ------
    BadInput
        With the name of the file, if it cannot be read or is not a puzzle.
    """
    text = files.read_text(path)
    try:
        return rules.parse_file(text)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
