"""Shapes: the sets of cells that a crossword with a given number of letters can cover.

A cell is a number of eight bits, 16 row + column. A shape is its cells in reading order, moved so that its top row and
its leftmost column are 0. A shape and its transpose count as one: the one whose cells come first in lexicographic order
represents both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.checks import check_integer, check_type
from gpusolve.games.qless.cpu.shapes import ROW, enumerate_shapes, free_shapes
from gpusolve.games.qless.rules import MAX_LETTERS, MIN_LENGTH, MIN_LETTERS
from gpusolve.result import HIDDEN, Result, reported, rows

MOST_LISTED = 1000
"""Maximum number of shapes that are listed."""
USUAL = 1 << 14
"""Number of shapes for which there is room at first: twelve letters have 8,363."""


@dataclass(frozen=True, repr=False)
class Slot(Result):
    """Cells of a shape for one word.

    Attributes
    ----------
    cells : tuple of int
        Indices of the cells within the shape, in the order of the word's letters.
    across : bool
        Whether the word is written across, not down.
    """

    cells: tuple[int, ...]
    across: bool


@dataclass(frozen=True, eq=False)
class Shapes(Result, schema="qless.shapes/2"):
    """All shapes with a given number of letters, ordered by their number of words, then by their cells.

    Attributes
    ----------
    letters : int
        Number of cells of each shape.
    min_length : int
        Minimum length of a word: every run of two or more cells is at least this long.
    allow_touching : bool
        Whether runs of two cells that form no word are allowed. Even then, each cell belongs to a word.
    cells : ndarray of uint8, shape (shapes, letters)
        Cells of each shape in reading order, each as 16 row + column.
    words : ndarray of int64, shape (shapes,)
        Number of words of each shape.
    symmetric : ndarray of bool, shape (shapes,)
        Whether a shape is its own transpose.
    polyominoes : int
        Number of fixed polyominoes with `letters` cells, among which the shapes were searched for.
    """

    letters: int
    min_length: int
    allow_touching: bool
    cells: npt.NDArray[np.uint8] = field(metadata=HIDDEN)
    words: npt.NDArray[np.int64] = field(metadata=HIDDEN)
    symmetric: npt.NDArray[np.bool_] = field(metadata=HIDDEN)
    polyominoes: int

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        return f"<Shapes: {len(self):,} of {self.letters} letters, words of {self.min_length} letters or more>"

    @reported
    def count(self) -> int:
        """Number of shapes if a shape and its transpose count as one."""
        return len(self)

    @reported
    def symmetric_count(self) -> int:
        """Number of shapes that are their own transposes."""
        return int(self.symmetric.sum())

    @reported
    def fixed(self) -> int:
        """Number of shapes if a shape and its transpose count as two."""
        return 2 * len(self) - int(self.symmetric.sum())

    @reported
    def free(self) -> int:
        """Number of shapes if all rotations and reflections of a shape count as one."""
        return self._free

    @cached_property
    def _free(self) -> int:
        return int(free_shapes(self.cells))

    @reported
    def by_words(self) -> dict[int, int]:
        """Number of words -> number of shapes."""
        numbers, counts = np.unique(self.words, return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    @rows
    def first(self) -> list[str]:
        """The first shapes, at most 1,000, as `text` writes them."""
        return [self.text(number) for number in range(min(MOST_LISTED, len(self)))]

    def save(self, out: Path | None = None) -> None:
        """Write every shape to a file, one per line.

        Parameters
        ----------
        out : Path, optional
            Write every shape to this file, one per line.
        """
        if out is not None:
            files.write(out, "".join(f"{self.text(number)}\n" for number in range(len(self))), "--out")

    def slots(self, number: int) -> list[Slot]:
        """Return the slots of a shape: those across in reading order, then those down by column and row."""
        return _slots(self.cells[number].tolist(), self.min_length)

    def text(self, number: int) -> str:
        """Return a shape as text, with # for a cell, . for an empty cell, and / between the rows."""
        cells = self.cells[number]
        rows = np.full((int(cells.max()) // ROW + 1, int((cells % ROW).max()) + 1), ".")
        rows[cells // ROW, cells % ROW] = "#"
        return "/".join("".join(row) for row in rows)


def shapes(*, letters: int = 12, min_length: int = MIN_LENGTH, allow_touching: bool = False) -> Shapes:
    """Count the shapes that a crossword can have.

    They are also counted by words and by symmetry, and the first ones are drawn.

    They are filtered from all fixed polyominoes, each of which is made once [1]_: half a million for twelve letters.

    Parameters
    ----------
    letters : int, default 12
        Number of letters of the crossword, 3 to 14.
    min_length : int, default 3
        Minimum length of a word, 3 to 14.
    allow_touching : bool, default False
        Allow two adjacent letters that do not form a word.

    Returns
    -------
    Shapes
        All shapes, each once in either orientation.

    Raises
    ------
    BadInput
        If a number is out of range.

    References
    ----------
    .. [1] D. H. Redelmeier, "Counting polyominoes: yet another attack", Discrete Mathematics 36, 1981, pp. 191-203.

    Examples
    --------
    ``gpusolve qless shapes --letters 7 --top 3``

    >>> twelve = shapes(letters=12)
    >>> len(twelve), twelve.fixed, twelve.free, twelve.polyominoes
    (8363, 16699, 2162, 505861)
    """
    letters = check_integer("letters", letters, MIN_LETTERS, MAX_LETTERS)
    min_length = check_integer("min_length", min_length, MIN_LENGTH, MAX_LETTERS)
    check_type("allow_touching", allow_touching, bool)
    return _shapes(int(letters), int(min_length), allow_touching)


@cache
def _shapes(letters: int, min_length: int, allow_touching: bool) -> Shapes:
    found, room = USUAL, 0
    while found > room:  # a second time only if there are more than usual
        room = found
        cells, words, symmetric = (
            np.empty((room, letters), np.uint8),
            np.empty(room, np.int64),
            np.empty(room, np.bool_),
        )
        found, polyominoes = enumerate_shapes(letters, min_length, allow_touching, cells, words, symmetric)
    cells, words, symmetric = cells[:found], words[:found], symmetric[:found]
    order = np.lexsort((*cells.T[::-1], words))
    return Shapes(letters, min_length, allow_touching, cells[order], words[order], symmetric[order], int(polyominoes))


def _slots(cells: list[int], min_length: int) -> list[Slot]:
    """Return the slots among cells in reading order: the runs of `min_length` or more cells."""
    index = {cell: i for i, cell in enumerate(cells)}
    slots = []
    for across in (True, False):
        step = 1 if across else ROW
        for cell in sorted(cells, key=lambda cell: cell if across else (cell % ROW, cell)):
            if cell - step not in index:
                run = [cell]
                while run[-1] + step in index:
                    run.append(run[-1] + step)
                if len(run) >= min_length:
                    slots.append(Slot(tuple(index[cell] for cell in run), across))
    return slots
