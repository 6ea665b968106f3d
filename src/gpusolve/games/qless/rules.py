"""Q-less in plain Python: grids, what makes one a solution, and every solution by trying all. The oracle of the
tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gpusolve.checks import lower
from gpusolve.errors import BadInput

EMPTY = "."
Cell = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """Letters on squared paper: rows of equal length, "." where there is none, without empty rows or columns around.

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

    @property
    def cells(self) -> dict[Cell, str]:
        """(Row, column) -> letter, in reading order."""
        return {(i, j): letter for i, row in enumerate(self.rows) for j, letter in enumerate(row) if letter != EMPTY}

    @property
    def letters(self) -> str:
        """Its letters, sorted."""
        return "".join(sorted(self.cells.values()))

    @property
    def runs(self) -> tuple[str, ...]:
        """What stands in two cells or more side by side: across from the top, then down from the left."""
        columns = ["".join(column) for column in zip(*self.rows, strict=True)]
        return tuple(run for line in (*self.rows, *columns) for run in line.split(EMPTY) if len(run) > 1)

    @property
    def words(self) -> tuple[str, ...]:
        """The runs of three letters or more."""
        return tuple(run for run in self.runs if len(run) > 2)

    @property
    def transpose(self) -> Grid:
        """The same with rows and columns exchanged."""
        return Grid(tuple("".join(column) for column in zip(*self.rows, strict=True)))


def parse_grid(text: str) -> Grid:
    """A grid as people write it: rows on lines of their own or with / between them, "." or a space where there is none.

    A text whose letters have single spaces between them, as `Grid` is printed, is read likewise. Empty rows and columns
    around are dropped. Raises BadInput for what is no grid.
    """
    rows = [lower(row) for row in text.replace("/", "\n").splitlines()]
    if all(row[1::2].strip() == "" for row in rows):
        rows = [row[::2] for row in rows]
    rows = [row.replace(" ", EMPTY) for row in rows]
    for number, row in enumerate(rows, 1):
        for letter in row:
            if not ("a" <= letter <= "z" or letter == EMPTY):
                raise BadInput(f"grid, row {number}: '{letter}': expected letters a-z, and . for a cell without one")
    cells = {(i, j): letter for i, row in enumerate(rows) for j, letter in enumerate(row) if letter != EMPTY}
    if not cells:
        raise BadInput("grid: no letters there: expected some")
    return grid_of(cells)


def grid_of(cells: dict[Cell, str]) -> Grid:
    """The grid with these letters, (row, column) -> letter, counted from anywhere."""
    top, left = min(i for i, _ in cells), min(j for _, j in cells)
    bottom, right = max(i for i, _ in cells), max(j for _, j in cells)
    return Grid(
        tuple("".join(cells.get((i, j), EMPTY) for j in range(left, right + 1)) for i in range(top, bottom + 1))
    )


def broken(
    grid: Grid,
    letters: str,
    words: Collection[str],
    min_length: int = 3,
    allow_touching: bool = False,
    no_repeats: bool = False,
) -> str | None:
    """The first rule that a filled grid breaks, in words; None for a solution.

    >>> broken(parse_grid("..t/eat/..e"), "aeett", {"eat", "tea"})
    "'tte' is not in the dictionary"
    """
    if Counter(grid.letters) != Counter(letters):
        return f"its letters are {grid.letters}, not {''.join(sorted(letters))}"
    if not _is_connected(set(grid.cells)):
        return "it falls into parts that are not connected"
    runs = [run for run in grid.runs if not (allow_touching and len(run) == 2)]
    for run in runs:
        if len(run) < min_length:
            return f"'{run}' has fewer than {min_length} letters"
        if run not in words:
            return f"'{run}' is not in the dictionary"
    if no_repeats and len(set(runs)) < len(runs):
        return "a word comes twice"
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
    length = 1
    for sign in (1, -1):
        i, j = cell
        while (i + sign * step[0], j + sign * step[1]) in cells:
            i, j = i + sign * step[0], j + sign * step[1]
            length += 1
    return length


def exhaustive(letters: str, words: Collection[str], min_length: int = 3, allow_touching: bool = False) -> set[Grid]:
    """Every solution, of a grid and its transpose the lesser one, by laying word after word wherever letters allow.

    For few letters. It knows no shapes: a word may be laid wherever it has a letter in common with those before or,
    where touching is allowed, lies beside one. Only what is complete is judged; what is not must be made of parts of
    words.

    >>> sorted("/".join(grid.rows) for grid in exhaustive("aeett", ["tea", "eat"]))
    ['..e/tea/..t', '..t/..e/tea', '.e./eat/.t.']
    """
    known = set(words)
    usable = [word for word in sorted(known) if not Counter(word) - Counter(letters) and len(word) >= min_length]
    parts = {word[i:j] for word in usable for i in range(len(word)) for j in range(i + 2, len(word) + 1)}
    found: set[Grid] = set()
    seen: set[Grid] = set()
    waiting = [Grid((word,)) for word in usable]
    while waiting:
        grid = waiting.pop()
        grid = min(grid, grid.transpose, key=lambda one: one.rows)
        if grid in seen:
            continue
        seen.add(grid)
        if not all(run in parts or (allow_touching and len(run) == 2) for run in grid.runs):
            continue
        left = Counter(letters) - Counter(grid.letters)
        if left:
            waiting += _laid(grid, usable, left, allow_touching)
        elif broken(grid, letters, known, min_length, allow_touching) is None:
            found.add(grid)
    return found


def _laid(grid: Grid, words: list[str], left: Counter[str], touching: bool) -> Iterator[Grid]:
    """The grid with one more word in all ways: it takes at least one new letter, and shares one with it, or touches."""
    cells = grid.cells
    for word in words:
        places = {
            (i - k * a, j - k * b, a, b)
            for (i, j) in cells
            for k in range(len(word))
            for a, b in ((0, 1), (1, 0))
            for (i, j) in ([(i, j), (i + b, j + a), (i - b, j - a)] if touching else [(i, j)])
        }
        for i, j, a, b in places:
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
