"""Q-less in plain Python: grids, the rules of a solution, and an exhaustive search. The oracle of the tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gpusolve.checks import lower
from gpusolve.errors import BadInput
from gpusolve.result import Drawn

MIN_LETTERS, MAX_LETTERS = 3, 14
"""Bounds of the number of letters in a roll. The game has twelve."""
MOST_TILES = 144
"""The largest number of tiles of one grid: Bananagrams has so many."""
MIN_LENGTH = 3
"""The minimum length of a word in Q-less."""
SHORTEST = 2
"""The lowest minimum length of a word, as in Bananagrams."""
MOST_CELLS = MOST_TILES
"""The largest height or width of a grid that is read: connected tiles cannot be larger either way."""
EMPTY = "."
Cell = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True, repr=False)
class Grid(Drawn):
    """A filled grid, cut to the rows and columns that have letters.

    Attributes
    ----------
    rows : tuple of str
        Rows of equal length, with ``.`` for an empty cell.

    Examples
    --------
    >>> grid = parse_grid("..t/eat/..e")
    >>> grid.letters, grid.words
    ('aeett', ('eat', 'tte'))
    >>> print(grid)
    . . t
    e a t
    . . e
    """

    rows: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(" ".join(row).rstrip() for row in self.rows)

    def to_json(self) -> str:
        """Return the rows on one line with ``/`` between them, as `parse_grid` reads them."""
        return "/".join(self.rows)

    @property
    def cells(self) -> dict[Cell, str]:
        """(Row, column) -> letter, in reading order."""
        return {(i, j): letter for i, row in enumerate(self.rows) for j, letter in enumerate(row) if letter != EMPTY}

    @property
    def letters(self) -> str:
        """The letters in alphabetical order."""
        return "".join(sorted(self.cells.values()))

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs of two or more adjacent letters: across from the top, then down from the left."""
        columns = ["".join(column) for column in zip(*self.rows, strict=True)]
        return tuple(run for line in (*self.rows, *columns) for run in line.split(EMPTY) if len(run) > 1)

    @property
    def words(self) -> tuple[str, ...]:
        """The runs of three letters or more."""
        return tuple(run for run in self.runs if len(run) >= MIN_LENGTH)

    @property
    def transpose(self) -> Grid:
        """The grid with rows and columns exchanged."""
        return Grid(tuple("".join(column) for column in zip(*self.rows, strict=True)))


def parse_grid(text: str) -> Grid:
    """Return the grid that a text describes.

    The rows are separated by line breaks or ``/``; an empty cell is ``.`` or a space. A text with single spaces between
    the letters, as `Grid` is printed, is accepted too. Empty rows and columns at the edges are removed. Raises BadInput
    for any other text.
    """
    rows = [lower(row) for row in text.replace("/", "\n").splitlines()]
    if all(row[1::2].strip() == "" for row in rows):
        rows = [row[::2] for row in rows]
    rows = [row.replace(" ", EMPTY) for row in rows]
    for number, row in enumerate(rows, 1):
        for letter in row:
            if not ("a" <= letter <= "z" or letter == EMPTY):
                raise BadInput(f"grid, row {number}: '{letter}': expected letters a-z, and . for an empty cell")
    cells = {(i, j): letter for i, row in enumerate(rows) for j, letter in enumerate(row) if letter != EMPTY}
    if not cells:
        raise BadInput("grid: it has no letters: expected at least one word")
    height, width = (max(line) - min(line) + 1 for line in zip(*cells, strict=True))
    if max(height, width) > MOST_CELLS:  # a few letters far apart would become millions of empty cells
        raise BadInput(f"grid: {height:,} rows, {width:,} columns: expected at most {MOST_CELLS} of each")
    return grid_of(cells)


def grid_of(cells: dict[Cell, str]) -> Grid:
    """Return the grid with these letters, given as (row, column) -> letter; the origin can be anywhere."""
    top, left = min(i for i, _ in cells), min(j for _, j in cells)
    bottom, right = max(i for i, _ in cells), max(j for _, j in cells)
    return Grid(
        tuple("".join(cells.get((i, j), EMPTY) for j in range(left, right + 1)) for i in range(top, bottom + 1))
    )


def broken_rule(
    grid: Grid,
    letters: str,
    words: Collection[str],
    *,
    min_length: int = MIN_LENGTH,
    allow_touching: bool = False,
    no_repeats: bool = False,
) -> str | None:
    """Return a description of the first rule that a filled grid breaks, or None if it is a solution.

    >>> broken_rule(parse_grid("..t/eat/..e"), "aeett", {"eat", "tea"})
    "'tte' is not in the dictionary"
    """
    if Counter(grid.letters) != Counter(letters):
        return f"its letters are {grid.letters}, not {''.join(sorted(letters))}"
    if not _is_connected(set(grid.cells)):
        return "its words are not all connected"
    runs = [run for run in grid.runs if not (allow_touching and len(run) == 2)]
    for run in runs:
        if len(run) < min_length:
            return f"'{run}' has fewer than {min_length} letters"
        if run not in words:
            return f"'{run}' is not in the dictionary"
    if no_repeats and len(set(runs)) < len(runs):
        return "it has the same word twice"
    for (i, j), letter in grid.cells.items():
        if not any(_run_length(set(grid.cells), (i, j), step) >= min_length for step in ((0, 1), (1, 0))):
            return f"'{letter}' in row {i + 1}, column {j + 1} belongs to no word"
    return None


def _is_connected(cells: set[Cell]) -> bool:
    reached: set[Cell] = set()
    waiting = [min(cells)]
    while waiting:
        i, j = cell = waiting.pop()
        if cell in cells and cell not in reached:
            reached.add(cell)
            waiting += [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
    return reached == cells


def _run_length(cells: set[Cell], cell: Cell, step: Cell) -> int:
    """Return the number of adjacent cells in a line through a cell, in the direction of `step`."""
    length = 1
    for sign in (1, -1):
        i, j = cell
        while (i + sign * step[0], j + sign * step[1]) in cells:
            i, j = i + sign * step[0], j + sign * step[1]
            length += 1
    return length


def exhaustive(
    letters: str, words: Collection[str], *, min_length: int = MIN_LENGTH, allow_touching: bool = False
) -> set[Grid]:
    """Return every solution of a few letters, each as the lesser of the grid and its transpose.

    The search knows no shapes: it adds a word wherever the word shares a letter with the grid or, if touching is
    allowed, lies beside a letter. Only a complete grid is checked against the rules; an incomplete one must consist of
    parts of words.

    >>> sorted("/".join(grid.rows) for grid in exhaustive("aeett", ["tea", "eat"]))
    ['..e/tea/..t', '..t/..e/tea', '.e./eat/.t.']
    """
    known = set(words)
    usable = [word for word in sorted(known) if not Counter(word) - Counter(letters) and len(word) >= min_length]
    parts = {word[i:j] for word in usable for i in range(len(word)) for j in range(i + 2, len(word) + 1)}
    solutions: set[Grid] = set()
    seen: set[Grid] = set()
    waiting = [Grid((word,)) for word in usable]
    while waiting:
        grid = waiting.pop()
        grid = min(grid, grid.transpose, key=lambda grid: grid.rows)
        if grid in seen:
            continue
        seen.add(grid)
        if not all(run in parts or (allow_touching and len(run) == 2) for run in grid.runs):
            continue
        left = Counter(letters) - Counter(grid.letters)
        if left:
            waiting += _with_another_word(grid, usable, left, allow_touching)
        elif broken_rule(grid, letters, known, min_length=min_length, allow_touching=allow_touching) is None:
            solutions.add(grid)
    return solutions


def _with_another_word(grid: Grid, words: list[str], left: Counter[str], touching: bool) -> Iterator[Grid]:
    """Yield the grid with each word added in every way.

    The word uses at least one letter that is left, and crosses another word or, if allowed, touches one.
    """
    cells = grid.cells
    for word in words:
        positions = {
            (row - k * a, column - k * b, a, b)
            for (i, j) in cells
            for k in range(len(word))
            for a, b in ((0, 1), (1, 0))
            for row, column in ([(i, j), (i + b, j + a), (i - b, j - a)] if touching else [(i, j)])
        }
        for i, j, a, b in positions:
            new: dict[Cell, str] = {}
            for k, letter in enumerate(word):
                cell = (i + k * a, j + k * b)
                if cells.get(cell, letter) != letter:
                    break
                if cell not in cells:
                    new[cell] = letter
            else:
                if new and not Counter(new.values()) - left:
                    yield grid_of(cells | new)
