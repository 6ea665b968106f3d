"""Shapes: every set of cells that a crossword of so many letters can cover, once, whichever way round it is written.

A cell is a number of eight bits, 16 row + column; a shape is its cells in reading order, the highest row and the
leftmost column being 0. Of a shape and its transpose the one whose cells come first in lexicographic order stands for
both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.compiled import compiled
from gpusolve.checks import check_integer

LETTERS = (3, 14)
"""The fewest and the most letters of a roll."""
ROW = 16
"""What a cell's number grows by from row to row."""


@dataclass(frozen=True)
class Slot:
    """A place for a word: the indices of its cells in the shape, in the order of the letters, and its direction."""

    cells: tuple[int, ...]
    across: bool


@dataclass(frozen=True, eq=False)
class Shapes:
    """All shapes of `letters` cells whose every run of two cells or more has `min_length` at least.

    With `allow_touching` runs of two that spell nothing are allowed, while each cell belongs to a word. `cells`: uint8
    (shapes, letters). The shapes are ordered by their number of words, then by their cells. `words`: int64 (shapes,).
    `symmetric`: bool (shapes,), whether a shape is its own transpose. `polyominoes`: connected sets of so many cells,
    counted with all their turns and reflections, which is what there is to choose from.
    """

    letters: int
    min_length: int
    allow_touching: bool
    cells: npt.NDArray[np.uint8]
    words: npt.NDArray[np.int64]
    symmetric: npt.NDArray[np.bool_]
    polyominoes: int

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        return f"<Shapes: {len(self):,} of {self.letters} letters, words of {self.min_length} letters or more>"

    @property
    def fixed(self) -> int:
        """Shapes where a shape and its transpose are two."""
        return 2 * len(self) - int(self.symmetric.sum())

    @cached_property
    def free(self) -> int:
        """Shapes where all turns and reflections of a shape are one."""
        return int(_free(self.cells))

    @property
    def by_words(self) -> dict[int, int]:
        """Number of words -> shapes."""
        numbers, counts = np.unique(self.words, return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def slots(self, number: int) -> list[Slot]:
        """The words' places of a shape: those across in reading order, then those down by column and row."""
        return _slots(self.cells[number].tolist(), self.min_length)

    def text(self, number: int) -> str:
        """A shape with # for its cells, its rows with / between them."""
        cells = self.cells[number]
        rows = np.full((int(cells.max()) // ROW + 1, int((cells % ROW).max()) + 1), ".")
        rows[cells // ROW, cells % ROW] = "#"
        return "/".join("".join(row) for row in rows)


def shapes(letters: int = 12, min_length: int = 3, allow_touching: bool = False) -> Shapes:
    """The shapes of so many letters, 3 to 14; `min_length` from 3. Raises BadInput for other numbers.

    They are found among all polyominoes, each of which is made once (Redelmeier 1981): half a million for twelve
    letters.

    >>> found = shapes(12)
    >>> len(found), found.fixed, found.free, found.polyominoes
    (8363, 16699, 2162, 505861)
    """
    check_integer("letters", letters, *LETTERS)
    check_integer("min_length", min_length, 3, LETTERS[1])
    return _shapes(int(letters), int(min_length), bool(allow_touching))


@cache
def _shapes(letters: int, min_length: int, allow_touching: bool) -> Shapes:
    cells, words, symmetric, polyominoes = _enumerate(letters, min_length, allow_touching)
    order = np.lexsort((*cells.T[::-1], words))
    return Shapes(letters, min_length, allow_touching, cells[order], words[order], symmetric[order], int(polyominoes))


def _slots(cells: list[int], min_length: int) -> list[Slot]:
    """The places for words among cells in reading order: runs of `min_length` cells or more."""
    index = {cell: i for i, cell in enumerate(cells)}
    found = []
    for across in (True, False):
        step = 1 if across else ROW
        for cell in sorted(cells, key=lambda cell: cell if across else (cell % ROW, cell)):
            if cell - step not in index:
                run = [cell]
                while run[-1] + step in index:
                    run.append(run[-1] + step)
                if len(run) >= min_length:
                    found.append(Slot(tuple(index[cell] for cell in run), across))
    return found


@compiled
def _enumerate(n: int, least: int, touching: bool) -> Any:
    """The shapes' cells, words and symmetry, and the number of polyominoes.

    A polyomino grows from its first cell in reading order. `untried` lists the cells that may still be added: each is
    taken or passed over for good, so that no polyomino is made twice.
    """
    width = 2 * n + 1  # a border of empty cells all around
    size = (n + 2) * width
    seen, taken = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    start = width + n
    seen[:start] = True  # what comes before the first cell
    seen[(n + 1) * width :] = True
    seen[start] = True
    untried = np.empty(4 * n, np.int64)
    untried[0] = start
    chosen, before = np.empty(n, np.int64), np.empty(n, np.int64)  # by depth: place in untried, length of untried
    cells = np.empty((1024, n), np.uint8)
    words, symmetric = np.empty(1024, np.int64), np.empty(1024, np.bool_)
    code, transposed = np.empty(n, np.uint8), np.empty(n, np.uint8)
    polyominoes = found = depth = i = 0
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
        count = _words(untried, chosen, taken, n, width, least, touching)
        if count:
            _codes(untried, chosen, n, width, code, transposed)
            order = 0
            for k in range(n):
                if code[k] != transposed[k]:
                    order = -1 if code[k] < transposed[k] else 1
                    break
            if order <= 0:
                if found == len(cells):
                    cells = np.concatenate((cells, np.empty_like(cells)))
                    words = np.concatenate((words, np.empty_like(words)))
                    symmetric = np.concatenate((symmetric, np.empty_like(symmetric)))
                cells[found], words[found], symmetric[found] = code, count, order == 0
                found += 1
        taken[cell] = False
        i += 1
    return cells[:found], words[:found], symmetric[:found], polyominoes


@compiled
def _words(untried: Any, chosen: Any, taken: Any, n: int, width: int, least: int, touching: bool) -> int:
    """The words of a polyomino, 0 if it is not a shape."""
    count = covered = 0
    for k in range(n):
        cell = untried[chosen[k]]
        for step in (1, width):
            if taken[cell - step]:
                continue
            length = 1
            while taken[cell + length * step]:
                length += 1
            if length >= least:
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
                if length + back >= least:
                    covered += 1
                    break
        if covered < n:
            return 0
    return count


@compiled
def _codes(untried: Any, chosen: Any, n: int, width: int, code: Any, transposed: Any) -> None:
    """The cells in reading order, row and column counted from the shape's own, and those of the transpose."""
    left = width
    for k in range(n):
        left = min(left, untried[chosen[k]] % width)
    for k in range(n):
        row, column = untried[chosen[k]] // width - 1, untried[chosen[k]] % width - left
        code[k], transposed[k] = ROW * row + column, ROW * column + row
    code.sort()
    transposed.sort()


@compiled
def _free(cells: Any) -> int:
    """How many of the shapes come first among their eight turns and reflections."""
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
                other[k] = ROW * column + row if turn & 4 else ROW * row + column
            other.sort()
            for k in range(n):
                if other[k] != shape[k]:
                    first = first and shape[k] < other[k]
                    break
        count += first
    return count
