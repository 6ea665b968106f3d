"""Boards of sliding tiles: reading them, writing them, and telling which of them can be solved.

The tiles of a board are written row by row, with 0 for the blank. There are two conventions for the goal: research
uses ``blank-first``, which is 0 1 2 ... n, and most toys use ``blank-last``, which is 1 2 ... n 0. Turning a board by
180 degrees and renaming every tile v to n + 1 - v gives the same puzzle in the other convention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isqrt
from pathlib import Path
from typing import Literal

from gpusolve import files
from gpusolve.checks import check_choice, check_integer, check_type, digits
from gpusolve.errors import BadInput, NoSolution
from gpusolve.result import HIDDEN, Result

MOST_CELLS = 49
"""Maximum number of cells; those of boards with a side longer than 7 are at most 25."""
EXACT_CELLS = 25
"""Maximum number of cells of boards that can be solved optimally."""
SHORTEST_SIDE = 2
LONGEST_SIDE = EXACT_CELLS // SHORTEST_SIDE
BLANKS = ("0", "_", ".")
"""The ways to write the blank."""
Goal = Literal["blank-first", "blank-last"]
GOALS: tuple[Goal, Goal] = ("blank-first", "blank-last")
OPPOSITES = str.maketrans("UDLR", "DURL")
NO_BOARD = "no board: expected tiles, row by row"


@dataclass(frozen=True, repr=False)
class Board(Result):
    """A position of the puzzle, together with its goal.

    Parameters
    ----------
    rows, columns : int
        Size of the board: at most 25 cells, or 7x7; each side has at least 2.
    tiles : tuple of int
        The tile in each cell, row by row; 0 is the blank.
    goal : {"blank-first", "blank-last"}, default "blank-first"
        The position to reach: 0 1 2 ... n, or 1 2 ... n 0.
    guessed : bool, default False
        Whether nobody said which goal it has.

    Raises
    ------
    BadInput
        For a side that is too short or too long, and if a tile is missing or appears twice.

    Examples
    --------
    >>> board = parse_board("8 6 7 / 2 5 4 / 3 0 1")
    >>> board.rows, board.columns, board.blank, board.solved
    (3, 3, 7, (0, 1, 2, 3, 4, 5, 6, 7, 8))
    >>> print(board)
    8 6 7 / 2 5 4 / 3 0 1
    """

    rows: int
    columns: int
    tiles: tuple[int, ...]
    goal: Goal = "blank-first"
    guessed: bool = field(default=False, repr=False, compare=False, metadata=HIDDEN)

    def __post_init__(self) -> None:
        check_size(self.rows, self.columns)
        check_choice("goal", self.goal, GOALS)
        if len(self.tiles) != self.cells:
            raise BadInput(f"{len(self.tiles)} tiles: expected {self.cells} for {self.rows}x{self.columns}")
        for position, tile in enumerate(self.tiles, 1):
            check_integer(f"position {position}: tile", tile, 0, self.cells - 1)
        if len(set(self.tiles)) < self.cells:
            double = next(tile for tile in self.tiles if self.tiles.count(tile) > 1)
            missing = [str(tile) for tile in range(self.cells) if tile not in self.tiles]
            are = "is" if len(missing) == 1 else "are"
            raise BadInput(
                f"tile {double} appears {self.tiles.count(double)} times, and {', '.join(missing)} {are} missing"
            )

    def __str__(self) -> str:
        rows = (self.tiles[i : i + self.columns] for i in range(0, self.cells, self.columns))
        return " / ".join(" ".join(map(str, row)) for row in rows)

    @property
    def cells(self) -> int:
        """Number of cells, including the blank's."""
        return self.rows * self.columns

    @cached_property
    def blank(self) -> int:
        """The cell of the blank, counted row by row from 0."""
        return self.tiles.index(0)

    @cached_property
    def solved(self) -> tuple[int, ...]:
        """The tiles of the goal, row by row."""
        return solved_tiles(self.cells, self.goal)

    @property
    def is_solved(self) -> bool:
        """Whether this board is its goal."""
        return self.tiles == self.solved

    def turned(self) -> Board:
        """Return the same puzzle in the other convention, in which every move goes the opposite way.

        >>> print(parse_board("1 2 3 / 4 5 6 / 7 0 8", goal="blank-last").turned())
        1 0 2 / 3 4 5 / 6 7 8
        """
        tiles = tuple(self.cells - tile if tile else 0 for tile in reversed(self.tiles))
        return Board(self.rows, self.columns, tiles, GOALS[1 - GOALS.index(self.goal)])

    def blank_first(self) -> Board:
        """Return the same puzzle in the convention ``blank-first``, which the search works in."""
        return self if self.goal == "blank-first" else self.turned()

    def as_given(self, moves: str) -> str:
        """Return the moves of `blank_first` as moves of this board.

        >>> Board(2, 2, (1, 2, 0, 3), "blank-last").as_given("UL")
        'DR'
        """
        return moves if self.goal == "blank-first" else moves.translate(OPPOSITES)


def check_size(rows: int, columns: int) -> None:
    """Raise BadInput unless a board can have this size."""
    check_integer("rows", rows, SHORTEST_SIDE, LONGEST_SIDE)
    check_integer("columns", columns, SHORTEST_SIDE, LONGEST_SIDE)
    if rows * columns > EXACT_CELLS and max(rows, columns) ** 2 > MOST_CELLS:
        raise BadInput(f"{rows}x{columns} is {rows * columns} cells: expected at most {EXACT_CELLS}, or at most 7x7")


def check_exact_size(rows: int, columns: int) -> None:
    """Raise BadInput unless boards of this size can be solved optimally."""
    check_size(rows, columns)
    if rows * columns > EXACT_CELLS:
        raise BadInput(
            f"{rows}x{columns} is {rows * columns} cells: expected at most {EXACT_CELLS}, or the strategy beam"
        )


def solved_tiles(cells: int, goal: Goal = "blank-first") -> tuple[int, ...]:
    """Return the tiles of a solved board, row by row."""
    return (*range(cells),) if goal == "blank-first" else (*range(1, cells), 0)


def is_solvable(board: Board) -> bool:
    """Return whether the goal can be reached from a board.

    Every move swaps the blank with a tile. That changes the parity of the permutation, and the parity of the blank's
    distance from its cell in the goal. So a board can be solved only if both parities are equal, and every board whose
    parities are equal can be solved (Johnson and Story 1879).

    >>> is_solvable(parse_board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", goal="blank-last"))
    False
    """
    odd_swaps, odd_steps = _parities(board)
    return odd_swaps == odd_steps


def check_solvable(board: Board) -> None:
    """Raise NoSolution, with the reason, unless the board can be solved."""
    odd_swaps, odd_steps = _parities(board)
    if odd_swaps == odd_steps:
        return
    other = Board(board.rows, board.columns, board.tiles, GOALS[1 - GOALS.index(board.goal)])
    hint = f"; the goal {other.goal} can be reached" if is_solvable(other) else ""
    raise NoSolution(
        f"{board}: no moves lead to the goal {board.goal}: it takes {_parity(odd_swaps)} number of swaps, but the "
        f"blank is {_parity(odd_steps)} number of steps from its cell, and every move changes both parities{hint}"
    )


def _parities(board: Board) -> tuple[bool, bool]:
    """Return whether the goal is an odd number of swaps away, and the blank an odd number of steps from its cell."""
    goal_cell = board.solved.index
    targets = [goal_cell(tile) for tile in board.tiles]
    odd_swaps, seen = 0, set()
    for first in range(board.cells):
        cell = first
        while cell not in seen:  # a cycle of length n takes n - 1 swaps
            seen.add(cell)
            cell = targets[cell]
            odd_swaps += cell != first
    row, column = divmod(board.blank, board.columns)
    goal_row, goal_column = divmod(goal_cell(0), board.columns)
    return odd_swaps % 2 == 1, (row + column + goal_row + goal_column) % 2 == 1


def _parity(odd: bool) -> str:
    return "an odd" if odd else "an even"


def parse_board(text: str, *, goal: Goal | None = "blank-first") -> Board:
    """Read a board from text.

    Parameters
    ----------
    text : str
        The tiles row by row, separated by spaces or commas; ``0``, ``_`` or ``.`` is the blank. Rows are on separate
        lines or separated by ``/`` or ``;``. A square board can be written on a single line without separators, and if
        it has at most 16 cells, as one word with a hexadecimal digit for each tile. A number before the tiles, such as
        the index in Korf's files, is ignored.
    goal : {"blank-first", "blank-last"} or None, default "blank-first"
        The position to reach: 0 1 2 ... n, or 1 2 ... n 0. None: the one that can be reached; the first if both can.

    Returns
    -------
    Board

    Raises
    ------
    BadInput
        If the text is not a board.

    Examples
    --------
    >>> parse_board("3 1 2 0").tiles
    (3, 1, 2, 0)
    >>> parse_board("1 2 3 4 / 5 6 7 _", goal="blank-last").columns
    4
    >>> parse_board("867254301").tiles
    (8, 6, 7, 2, 5, 4, 3, 0, 1)
    >>> parse_board("99 3 1 2 0").tiles, parse_board("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", goal=None).goal
    ((3, 1, 2, 0), 'blank-last')
    """
    check_type("board", text, str)
    words = [row for row in map(_words, re.split(r"[/;\n]", text)) if row]
    if len(words) == 1 and len(words[0]) == 1 and is_compact(words[0][0]):
        words = [[str(int(digit, 16)) for digit in words[0][0]]]
    if _has_index(words):
        words[0] = words[0][1:]
    rows = [[_number(word) for word in row] for row in words]
    if not rows:
        raise BadInput(NO_BOARD)
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise BadInput(f"rows of {' and '.join(map(str, lengths))} tiles: expected rows of the same length")
    tiles = tuple(tile for row in rows for tile in row)
    count, columns = len(rows), lengths[0]
    if count == 1:
        if columns > MOST_CELLS:
            raise BadInput(f"{columns} tiles: expected at most {MOST_CELLS}")
        count = columns = isqrt(len(tiles))
        if count * columns != len(tiles) or count < SHORTEST_SIDE:
            raise BadInput(f"{len(tiles)} tiles in one row: expected a square number of tiles, or / between the rows")
    if goal is None:
        first, last = (Board(count, columns, tiles, known) for known in GOALS)
        found = last.goal if is_solvable(last) and not is_solvable(first) else first.goal
        return Board(count, columns, tiles, found, guessed=True)
    return Board(count, columns, tiles, goal)


def is_compact(word: str) -> bool:
    """Return whether a word is a square board with a hexadecimal digit for each tile.

    >>> is_compact("867254301"), is_compact("fedcba9876543210"), is_compact("8672543011"), is_compact("abc")
    (True, True, False, False)
    """
    digits = word.lower()
    return len(word) in (4, 9, 16) and sorted(digits) == sorted("0123456789abcdef"[: len(word)])


def parse_boards(text: str, *, goal: Goal | None = "blank-first") -> list[Board]:
    r"""Read boards from text: one board per line, or grids that are separated by empty lines.

    Parameters
    ----------
    text : str
        The boards, each as `parse_board` reads it. ``#`` starts a comment. Several lines without an empty line between
        them are the rows of a single board if they are short and at most one of them has a blank.
    goal : {"blank-first", "blank-last"} or None, default "blank-first"
        The position to reach: 0 1 2 ... n, or 1 2 ... n 0. None: the one that can be reached; the first if both can.

    Returns
    -------
    list of Board

    Raises
    ------
    BadInput
        If the text has no boards, or with the number of the first line that is not a board.

    Examples
    --------
    >>> [board.rows for board in parse_boards("3 1 2 0  # a comment\n0 1 2 3\n\n1 2\n3 4\n5 0")]
    [2, 2, 3]
    """
    check_type("boards", text, str)
    boards = []
    for first, lines in _blocks(text):
        for number, board in enumerate(["\n".join(lines)] if _is_grid(lines) else lines, first):
            try:
                boards.append(parse_board(board, goal=goal))
            except BadInput as error:
                raise BadInput(f"line {number}: {error}") from None
    if not boards:
        raise BadInput(NO_BOARD)
    return boards


def load_boards(path: str | Path, *, goal: Goal | None = "blank-first") -> list[Board]:
    """Read boards from a text file.

    Parameters
    ----------
    path : str or Path
        A file in UTF-8 with boards, as `parse_boards` reads them.
    goal : {"blank-first", "blank-last"} or None, default "blank-first"
        The position to reach: 0 1 2 ... n, or 1 2 ... n 0. None: the one that can be reached; the first if both can.

    Returns
    -------
    list of Board

    Raises
    ------
    BadInput
        If the file cannot be read, has no boards, or has a line that is not a board.
    """
    text = files.read_text(path, "boards")
    try:
        return parse_boards(text, goal=goal)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def _blocks(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield each group of lines that has no empty line in it, with the number of its first line, counted from 1."""
    block: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        content, _, comment = line.partition("#")
        if content.strip():
            block.append(content)
        elif not comment and block:
            yield number - len(block), block
            block = []


def _is_grid(lines: Sequence[str]) -> bool:
    rows = [_words(line) for line in lines]
    blanks = sum(any(word in BLANKS for word in row) for row in rows)
    return len(rows) > 1 and blanks <= 1 and len(rows[0]) <= LONGEST_SIDE


def _words(row: str) -> list[str]:
    return [word for word in re.split(r"[\s,/]+", row) if word]


def _has_index(rows: list[list[str]]) -> bool:
    """Return whether a number stands before the tiles of a board: without it the board is complete."""
    if not rows or not re.fullmatch("[0-9]{1,9}[.:)]?", rows[0][0]):
        return False
    tiles = ["0" if word in BLANKS else word for row in rows for word in row][1:]
    one_more = len(rows[0]) == len(rows[1]) + 1 if len(rows) > 1 else isqrt(len(tiles)) ** 2 == len(tiles)
    return one_more and len(tiles) >= SHORTEST_SIDE**2 and sorted(tiles) == sorted(map(str, range(len(tiles))))


def _number(word: str) -> int:
    number = 0 if word in BLANKS else digits(word, MOST_CELLS - 1)
    if number is None:
        raise BadInput(f"'{word[:20]}': expected a tile, 0 to {MOST_CELLS - 1}")
    return number
