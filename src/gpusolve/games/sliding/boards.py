"""Boards of sliding tiles: as people write them, one or a file of many, and which of them can be solved.

Tiles are written row by row, 0 is the blank. There are two conventions for the goal: ``blank-first`` is 0 1 2 ... n, as
research has it; ``blank-last`` is 1 2 ... n 0, as on most toys. A board turned by 180 degrees, with every tile v called
n + 1 - v, is the same puzzle in the other convention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from pathlib import Path
from typing import Literal

from gpusolve import checks, files
from gpusolve.errors import BadInput, NoSolution

MOST_CELLS = 25
SHORTEST_SIDE = 2
BLANKS = ("0", "_", ".")
"""How a blank may be written."""
Goal = Literal["blank-first", "blank-last"]
GOALS: tuple[Goal, Goal] = ("blank-first", "blank-last")


@dataclass(frozen=True)
class Board:
    """A position: `rows` x `columns` cells, 4 to 25 of them; `tiles` row by row, 0 the blank; and where it is to go.

    Raises BadInput for sides that are too short or too long, and unless each of the tiles is there once.

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

    def __post_init__(self) -> None:
        check_size(self.rows, self.columns)
        checks.check_choice("goal", self.goal, GOALS)
        if len(self.tiles) != self.cells:
            raise BadInput(f"{len(self.tiles)} tiles: expected {self.cells} for {self.rows}x{self.columns}")
        for place, tile in enumerate(self.tiles, 1):
            checks.check_integer(f"place {place}: tile", tile, 0, self.cells - 1)
        if len(set(self.tiles)) < self.cells:
            twice = next(tile for tile in self.tiles if self.tiles.count(tile) > 1)
            missing = ", ".join(str(tile) for tile in range(self.cells) if tile not in self.tiles)
            raise BadInput(f"tile {twice} is there {self.tiles.count(twice)} times, and there is no {missing}")

    def __str__(self) -> str:
        rows = (self.tiles[i : i + self.columns] for i in range(0, self.cells, self.columns))
        return " / ".join(" ".join(map(str, row)) for row in rows)

    @property
    def cells(self) -> int:
        """Cells, the blank's included."""
        return self.rows * self.columns

    @cached_property
    def blank(self) -> int:
        """The cell of the blank, counted from 0 row by row."""
        return self.tiles.index(0)

    @cached_property
    def solved(self) -> tuple[int, ...]:
        """The tiles of the goal."""
        return solved_tiles(self.cells, self.goal)

    @property
    def is_solved(self) -> bool:
        """Whether this is the goal."""
        return self.tiles == self.solved

    def turned(self) -> Board:
        """The same puzzle in the other convention: every move goes into the opposite direction.

        >>> print(parse_board("1 2 3 / 4 5 6 / 7 0 8", "blank-last").turned())
        1 0 2 / 3 4 5 / 6 7 8
        """
        tiles = tuple(self.cells - tile if tile else 0 for tile in reversed(self.tiles))
        return Board(self.rows, self.columns, tiles, GOALS[1 - GOALS.index(self.goal)])

    def blank_first(self) -> Board:
        """The same puzzle in the convention that the solver works in."""
        return self if self.goal == "blank-first" else self.turned()


def check_size(rows: int, columns: int) -> None:
    """Raises BadInput unless a board may have so many rows and columns."""
    checks.check_integer("rows", rows, SHORTEST_SIDE, MOST_CELLS // SHORTEST_SIDE)
    checks.check_integer("columns", columns, SHORTEST_SIDE, MOST_CELLS // SHORTEST_SIDE)
    if rows * columns > MOST_CELLS:
        raise BadInput(f"{rows}x{columns} is {rows * columns} cells: expected at most {MOST_CELLS}")


def solved_tiles(cells: int, goal: Goal = "blank-first") -> tuple[int, ...]:
    """The tiles of a solved board."""
    return (*range(cells),) if goal == "blank-first" else (*range(1, cells), 0)


def is_solvable(board: Board) -> bool:
    """Whether any moves lead to the goal.

    A move swaps the blank with a tile, which turns the permutation's parity and that of the blank's distance from its
    place: solvable boards are those where both parities are the same (Johnson and Story 1879).

    >>> is_solvable(parse_board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", "blank-last"))
    False
    """
    swaps, steps = _parities(board)
    return swaps == steps


def check_solvable(board: Board) -> None:
    """Raises NoSolution, with the reason, unless the board is solvable."""
    swaps, steps = _parities(board)
    if swaps == steps:
        return
    other = Board(board.rows, board.columns, board.tiles, GOALS[1 - GOALS.index(board.goal)])
    hint = f"; the goal {other.goal} can be reached" if is_solvable(other) else ""
    raise NoSolution(
        f"{board}: no moves lead to the goal {board.goal}: it is {_parity(swaps)} number of swaps away, the blank "
        f"{_parity(steps)} number of steps, and every move changes both{hint}"
    )


def _parities(board: Board) -> tuple[bool, bool]:
    """Whether the board is an odd number of swaps from its goal, and whether the blank is an odd number of steps."""
    place = board.solved.index
    cells = [place(tile) for tile in board.tiles]  # where each tile wants to be
    swaps, seen = 0, set()
    for first in range(board.cells):
        cell = first
        while cell not in seen:  # a cycle of length n is n - 1 swaps
            seen.add(cell)
            cell = cells[cell]
            swaps += cell != first
    row, column = divmod(board.blank, board.columns)
    goal_row, goal_column = divmod(place(0), board.columns)
    return swaps % 2 == 1, (row + column + goal_row + goal_column) % 2 == 1


def _parity(odd: bool) -> str:
    return "an odd" if odd else "an even"


def parse_board(text: str, goal: Goal = "blank-first") -> Board:
    """A board of a text: rows on lines, or with ``/`` between; a square one may be all on one line.

    Numbers have spaces or commas between; 0, _ or . is the blank. Raises BadInput for what is no board.

    >>> parse_board("3 1 2 0").tiles
    (3, 1, 2, 0)
    >>> parse_board("1 2 3 4 / 5 6 7 _", "blank-last").columns
    4
    """
    checks.check_type("board", text, str)
    rows = [_numbers(row) for row in re.split(r"[/\n]", text) if row.strip(" \t\r,")]
    if not rows:
        raise BadInput("there is no board: expected its tiles, row by row")
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise BadInput(f"rows of {' and '.join(map(str, lengths))} tiles: expected all of the same length")
    tiles = tuple(tile for row in rows for tile in row)
    count, columns = len(rows), lengths[0]
    if count == 1:
        if columns > MOST_CELLS:
            raise BadInput(f"{columns} tiles: expected at most {MOST_CELLS}")
        count = columns = isqrt(len(tiles))
        if count * columns != len(tiles) or count < SHORTEST_SIDE:
            raise BadInput(f"{len(tiles)} tiles in one row: expected a square number of them, or / between the rows")
    return Board(count, columns, tiles, goal)


def parse_boards(text: str, goal: Goal = "blank-first") -> list[Board]:
    """The boards of a text: one a line, or grids with an empty line between. ``#`` begins a comment.

    Lines without an empty one between are the rows of a grid if they are short and at most one has a blank. Raises
    BadInput, with the number of the line, for what is no board, and where there is none.

    >>> [board.rows for board in parse_boards("3 1 2 0  # one\\n0 1 2 3\\n\\n1 2\\n3 4\\n5 0")]
    [2, 2, 3]
    """
    checks.check_type("boards", text, str)
    boards = []
    for first, lines in _blocks(text):
        for number, board in enumerate(["\n".join(lines)] if _is_grid(lines) else lines, first):
            try:
                boards.append(parse_board(board, goal))
            except BadInput as error:
                raise BadInput(f"line {number}: {error}") from None
    if not boards:
        raise BadInput("there is no board: expected its tiles, row by row")
    return boards


def load_boards(path: str | Path, goal: Goal = "blank-first") -> list[Board]:
    """The boards of a text file, as `parse_boards` has them. Raises BadInput where it cannot be read, too."""
    try:
        return parse_boards(files.read_text(path, "boards"), goal)
    except BadInput as error:
        raise error if str(path) in str(error) else BadInput(f"{path}, {error}") from None


def draw(board: Board, blank: str = "") -> str:
    """The board as lines of text, the tiles in columns.

    >>> print(draw(parse_board("8 6 7 / 2 5 4 / 3 0 1"), "."))
    8 6 7
    2 5 4
    3 . 1
    """
    width = len(str(board.cells - 1))
    signs = [(str(tile) if tile else blank).rjust(width) for tile in board.tiles]
    return "\n".join(" ".join(signs[i : i + board.columns]) for i in range(0, board.cells, board.columns))


def _blocks(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Lines that follow one another without an empty one, each time with the number of the first, from 1."""
    block: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        kept, _, comment = line.partition("#")
        if kept.strip():
            block.append(kept)
        elif not comment and block:
            yield number - len(block), block
            block = []


def _is_grid(lines: Sequence[str]) -> bool:
    rows = [_signs(line) for line in lines]
    blanks = sum(any(sign in BLANKS for sign in row) for row in rows)
    return len(rows) > 1 and blanks <= 1 and len(rows[0]) <= MOST_CELLS // SHORTEST_SIDE


def _signs(row: str) -> list[str]:
    return [sign for sign in re.split(r"[\s,/]+", row) if sign]


def _numbers(row: str) -> list[int]:
    return [_number(sign) for sign in _signs(row)]


def _number(sign: str) -> int:
    number = 0 if sign in BLANKS else checks.digits(sign, MOST_CELLS - 1)
    if number is None:
        raise BadInput(f"'{sign[:20]}': expected a tile, 0 to {MOST_CELLS - 1}")
    return number
