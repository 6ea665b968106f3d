"""Shapes: the sets of cells that a crossword with a given number of letters can cover.

A cell is a number of eight bits, 16 row + column. A shape is its cells in reading order, moved so that its top row and
its leftmost column are 0. A shape and its transpose count as one: the one whose cells come first in lexicographic order
represents both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.backend.compiled import compiled, inlined
from gpusolve.checks import check_integer, check_type
from gpusolve.games.qless.rules import MAX_LETTERS, MIN_LENGTH, MIN_LETTERS
from gpusolve.result import HIDDEN, Result, reported, rows

ROW = 16
"""Difference between the numbers of a cell and of the cell below it."""
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
        return int(_free(self.cells))

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
    check_integer("letters", letters, MIN_LETTERS, MAX_LETTERS)
    check_integer("min_length", min_length, MIN_LENGTH, MAX_LETTERS)
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
        found, polyominoes = _enumerate(letters, min_length, allow_touching, cells, words, symmetric)
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


@compiled
def _enumerate(n: int, min_length: int, touching: bool, cells: Any, words: Any, symmetric: Any) -> Any:
    """Fill in the cells, the number of words and the symmetry of each shape; return how many shapes there are.

    Those for which the arrays have no room are only counted. The number of polyominoes is returned as well.

    A polyomino grows from its first cell in reading order. `untried` lists the cells that can still be added: each is
    either added or ruled out for good, so no polyomino is made twice.
    """
    width = 2 * n + 1  # an empty border on all sides
    size = (n + 2) * width
    seen, taken = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    start = width + n
    seen[:start] = True  # the cells before the first cell in reading order
    seen[(n + 1) * width :] = True
    seen[start] = True
    untried = np.empty(4 * n, np.int64)
    untried[0] = start
    chosen, before = np.empty(n, np.int64), np.empty(n, np.int64)  # by depth: index in `untried`, length of `untried`
    code, transposed = np.empty(n, np.uint8), np.empty(n, np.uint8)
    polyominoes = accepted = depth = i = 0
    length = 1
    steps = (1, width, -1, -width)
    while depth >= 0:
        if i == length:
            depth -= 1
            if depth >= 0:
                i = chosen[depth]
                taken[untried[i]] = False
                seen[untried[before[depth] : length]] = False
                length = before[depth]
                i += 1
            continue
        cell = untried[i]
        taken[cell] = True
        chosen[depth] = i
        if depth < n - 1:
            before[depth] = length
            for step in steps:
                if not seen[cell + step]:
                    seen[cell + step] = True
                    untried[length] = cell + step
                    length += 1
            depth += 1
            i += 1
            continue
        polyominoes += 1
        count = _words(untried, chosen, taken, n, width, min_length, touching)
        if count:
            _codes(untried, chosen, n, width, code, transposed)
            order = 0
            for k in range(n):
                if code[k] != transposed[k]:
                    order = -1 if code[k] < transposed[k] else 1
                    break
            if order <= 0:
                if accepted < len(words):
                    for k in range(n):
                        cells[accepted, k] = code[k]
                    words[accepted], symmetric[accepted] = count, order == 0
                accepted += 1
        taken[cell] = False
        i += 1
    return accepted, polyominoes


@compiled
def _words(untried: Any, chosen: Any, taken: Any, n: int, width: int, min_length: int, touching: bool) -> int:
    """Return the number of words of a polyomino, 0 if it is not a shape."""
    count = covered = 0
    for k in range(n):
        cell = untried[chosen[k]]
        for step in (1, width):
            if taken[cell - step]:
                continue
            length = 1
            while taken[cell + length * step]:
                length += 1
            if length >= min_length:
                count += 1
            elif length > 1 and not (touching and length == 2):
                return 0
    if touching:
        for k in range(n):
            cell = untried[chosen[k]]
            for step in (1, width):
                length = 1
                while taken[cell + length * step]:
                    length += 1
                back = 0
                while taken[cell - (back + 1) * step]:
                    back += 1
                if length + back >= min_length:
                    covered += 1
                    break
        if covered < n:
            return 0
    return count


@compiled
def _codes(untried: Any, chosen: Any, n: int, width: int, code: Any, transposed: Any) -> None:
    """Fill in the cells of a polyomino and of its transpose in reading order.

    Rows and columns are counted from the top row and the leftmost column of the polyomino.
    """
    left = width
    for k in range(n):
        left = min(left, untried[chosen[k]] % width)
    for k in range(n):
        row, column = untried[chosen[k]] // width - 1, untried[chosen[k]] % width - left
        _insert(code, k, ROW * row + column)
        _insert(transposed, k, ROW * column + row)


@inlined
def _insert(numbers: Any, count: int, number: int) -> None:
    """Insert a number into `count` sorted numbers. Numba's own sorting takes ten times as long to compile."""
    while count and numbers[count - 1] > number:
        numbers[count] = numbers[count - 1]
        count -= 1
    numbers[count] = number


@compiled
def _free(cells: Any) -> int:
    """Return the number of shapes that come first among their eight rotations and reflections."""
    count, n = 0, cells.shape[1]
    other = np.empty(n, np.uint8)
    for shape in cells:
        rows, columns = 0, 0
        for cell in shape:
            rows, columns = max(rows, cell // ROW), max(columns, cell % ROW)
        first = True
        for turn in range(1, 8):
            for k in range(n):
                row, column = shape[k] // ROW, shape[k] % ROW
                if turn & 1:
                    row = rows - row
                if turn & 2:
                    column = columns - column
                _insert(other, k, ROW * column + row if turn & 4 else ROW * row + column)
            for k in range(n):
                if other[k] != shape[k]:
                    first = first and shape[k] < other[k]
                    break
        count += first
    return count
