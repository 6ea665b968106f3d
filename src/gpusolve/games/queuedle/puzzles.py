"""The data types of puzzles and scored boards, and the reader of puzzle files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.rules import FoundWord, Position, Puzzle


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

    @property
    def score(self) -> int:
        """The score: one point for each letter of every word."""
        return sum(len(entry.word) for entry in self.words)


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
