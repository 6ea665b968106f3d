"""Boards of sliding tiles: reading them, writing them, and telling which of them can be solved.

The tiles of a board are written row by row, with 0 for the blank. There are two conventions for the goal: research
uses ``blank-first``, which is 0 1 2 ... n, and most toys use ``blank-last``, which is 1 2 ... n 0. Turning a board by
180 degrees and renaming every tile v to n + 1 - v gives the same puzzle in the other convention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isqrt
from pathlib import Path
from typing import Literal, TypeAlias

from gpusolve import files
from gpusolve.checks import check_choice, check_integer, check_type, digits
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.sliding.published import SETS
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
_NO_BOARD = "no board: expected tiles, row by row"


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
        Whether nobody said which goal it is, so that it is one that can be reached.

    Raises
    ------
    BadInput
        For a side that is too short or too long, and if a tile is missing or appears twice.

    Examples
    --------
    >>> board = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
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

    @classmethod
    def parse(cls, board: AnyBoard, *, goal: Goal | None = None) -> Board:
        """Read a board as people write it, or from a file.

        Parameters
        ----------
        board : Board, str, path or sequence of str
            The tiles row by row, separated by spaces or commas; ``0``, ``_`` or ``.`` is the blank. Rows are on
            separate lines or separated by ``/`` or ``;``. A square board can be written without separators between the
            rows, and if it has at most 16 cells, as one word with a hexadecimal digit for each tile. A number before
            the tiles, such as the index in Korf's files, is ignored. Or the name of a file with a board. Several texts
            are the tiles or the rows of one board; a `Board` is returned as it is.
        goal : {"blank-first", "blank-last"}, optional
            The position to reach: 0 1 2 ... n, or 1 2 ... n 0. By default the one that can be reached; the first if
            both can.

        Returns
        -------
        Board

        Raises
        ------
        BadInput
            If the text is not a board, or the file has none or several.

        Examples
        --------
        >>> Board.parse("3 1 2 0").tiles
        (3, 1, 2, 0)
        >>> Board.parse("1 2 3 4 / 5 6 7 _", goal="blank-last").columns
        4
        >>> Board.parse("867254301").tiles
        (8, 6, 7, 2, 5, 4, 3, 0, 1)
        >>> Board.parse("99 3 1 2 0").tiles, Board.parse("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15").goal
        ((3, 1, 2, 0), 'blank-last')
        """
        if not isinstance(board, Board | Path | str):
            check_type("board", board, Sequence)
            for piece in board:
                check_type("board", piece, str)
        boards = load_boards(board, goal=goal)
        if len(boards) > 1:
            in_file = isinstance(board, Path) or (isinstance(board, str) and not _is_text(board))
            place = f"{board}: " if in_file else ""
            raise BadInput(f"{place}{len(boards)} boards: expected one")
        return boards[0]

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

        >>> print(Board.parse("1 2 3 / 4 5 6 / 7 0 8", goal="blank-last").turned())
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


AnyBoard: TypeAlias = Board | Path | str | Sequence[str]
"""A board, as `Board.parse` reads it."""
AnyBoards: TypeAlias = Board | Path | str | Sequence[Board | Path | str]
"""Boards, as `load_boards` reads them."""


def check_size(rows: int, columns: int) -> tuple[int, int]:
    """Return the numbers of rows and columns. Raise BadInput unless a board can have this size."""
    rows = check_integer("rows", rows, SHORTEST_SIDE, LONGEST_SIDE)
    columns = check_integer("columns", columns, SHORTEST_SIDE, LONGEST_SIDE)
    if rows * columns > EXACT_CELLS and max(rows, columns) ** 2 > MOST_CELLS:
        raise BadInput(f"{rows}x{columns} is {rows * columns} cells: expected at most {EXACT_CELLS}, or at most 7x7")
    return rows, columns


def check_exact_size(rows: int, columns: int) -> tuple[int, int]:
    """Return the numbers of rows and columns. Raise BadInput unless boards of this size can be solved optimally."""
    rows, columns = check_size(rows, columns)
    if rows * columns > EXACT_CELLS:
        raise BadInput(
            f"{rows}x{columns} is {rows * columns} cells: expected at most {EXACT_CELLS}, or the strategy beam"
        )
    return rows, columns


def solved_tiles(cells: int, goal: Goal = "blank-first") -> tuple[int, ...]:
    """Return the tiles of a solved board, row by row."""
    return (*range(cells),) if goal == "blank-first" else (*range(1, cells), 0)


def is_solvable(board: Board) -> bool:
    """Return whether the goal can be reached from a board.

    Every move swaps the blank with a tile. That changes the parity of the permutation, and the parity of the blank's
    distance from its cell in the goal. So a board can be solved only if both parities are equal, and every board whose
    parities are equal can be solved (Johnson and Story 1879).

    >>> is_solvable(Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", goal="blank-last"))
    False
    """
    odd_swaps, odd_steps = _parities(board)
    return odd_swaps == odd_steps


def check_solvable(board: Board) -> None:
    """Raise NoSolution, with the reason, unless the board can be solved."""
    odd_swaps, odd_steps = _parities(board)
    if odd_swaps == odd_steps:
        return
    other = replace(board, goal=GOALS[1 - GOALS.index(board.goal)])
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


def load_boards(boards: AnyBoards, *, goal: Goal | None = None) -> list[Board]:
    r"""Read several boards: from texts, from files, or a set of published ones.

    Parameters
    ----------
    boards : Board, str, path or sequence of these
        Each text is a board as `Board.parse` reads it; or several lines with one board each, or with grids that are
        separated by empty lines, where ``#`` starts a comment; or the name of a file with such a text; or ``article``,
        the ten 24-puzzles of Korf and Taylor (1996) [1]_. Texts that each have one tile or one row are one board.
    goal : {"blank-first", "blank-last"}, optional
        The position to reach: 0 1 2 ... n, or 1 2 ... n 0. By default the one that can be reached; the first if both
        can.

    Returns
    -------
    list of Board

    Raises
    ------
    BadInput
        If there are no boards, or with the number of the first line that is not a board.

    References
    ----------
    .. [1] R. E. Korf and L. A. Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.

    Examples
    --------
    >>> [board.rows for board in load_boards("3 1 2 0  # a comment\n0 1 2 3\n\n1 2\n3 4\n5 0")]
    [2, 2, 3]
    >>> len(load_boards("article"))
    10
    """
    sources = [boards] if isinstance(boards, Board | Path | str) else _sources(boards)
    found = [board for source in sources for board in _boards_of(source, goal)]
    if not found:
        raise BadInput(_NO_BOARD)
    return found


def _sources(words: Sequence[Board | Path | str]) -> Sequence[Board | Path | str]:
    """Return what of a sequence is a board or has boards. Tiles or rows of a single board are joined."""
    check_type("boards", words, Sequence)
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) < 2 or len(texts) < len(words) or all(map(is_compact, texts)):
        return words
    if not all(re.fullmatch(r"[0-9_.,/]+", word) for word in texts) or any(map(files.exists, texts)):
        return words
    with_blank = sum(bool(set(re.split("[,/]", word)) & set(BLANKS)) for word in texts)
    if with_blank > 1:  # each is a board
        return words
    return [("/" if re.search("[0-9_.],[0-9_.]", texts[0]) else " ").join(texts)]


def _boards_of(source: Board | Path | str, goal: Goal | None) -> list[Board]:
    """Return the boards of a text or a file, or of the set with this name."""
    check_type("board", source, (Board, Path, str))
    if goal is not None:
        check_choice("goal", goal, GOALS)
    if isinstance(source, Board):
        if goal not in (None, source.goal):
            raise BadInput(f"goal {goal}: expected {source.goal}, the goal of the board")
        return [source]
    if isinstance(source, str) and source in SETS and not files.exists(source):
        if goal == "blank-last":
            raise BadInput(f"goal {goal}: expected blank-first, the goal of the boards in {source}")
        return parse_lines(SETS[source], "blank-first")
    if isinstance(source, str) and _is_text(source):
        return parse_lines(source, goal) if re.search("[\n#]", source) else [parse_tiles(source, goal)]
    text = files.read_text(source, "boards")
    try:
        return parse_lines(text, goal)
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None


def _is_text(source: str) -> bool:
    """Return whether a text is a board or boards, and not the name of a file or a set."""
    if "\n" in source or not source.strip(" /,;\t"):
        return True
    starts = is_compact(source) or re.match(r"[\s,/]*([0-9_.]+|[0-9]+[:)])([\s,/;]|$)", source)
    return bool(starts) and not files.exists(source)


def parse_lines(text: str, goal: Goal | None) -> list[Board]:
    """Read one board per line, or grids that are separated by empty lines.

    Several lines without an empty line between them are the rows of a single board if they are short and at most one of
    them has a blank.
    """
    boards = []
    for first, lines in _blocks(text):
        for number, board in enumerate(["\n".join(lines)] if _is_grid(lines) else lines, first):
            try:
                boards.append(parse_tiles(board, goal))
            except BadInput as error:
                raise BadInput(f"line {number}: {error}") from None
    if not boards:
        raise BadInput(_NO_BOARD)
    return boards


def parse_tiles(text: str, goal: Goal | None) -> Board:
    """Read a single board."""
    words = [row for row in map(_words, re.split(r"[/;\n]", text)) if row]
    if len(words) == 1 and len(words[0]) == 1 and is_compact(words[0][0]):
        words = [[str(int(digit, 16)) for digit in words[0][0]]]
    if _has_index(words):
        words[0] = words[0][1:]
    rows = [[_number(word) for word in row] for row in words]
    if not rows:
        raise BadInput(_NO_BOARD)
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
    if goal is not None:
        return Board(count, columns, tiles, goal)
    first, last = (Board(count, columns, tiles, known, guessed=True) for known in GOALS)
    return last if is_solvable(last) and not is_solvable(first) else first


def is_compact(word: str) -> bool:
    """Return whether a word is a square board with a hexadecimal digit for each tile.

    >>> is_compact("867254301"), is_compact("fedcba9876543210"), is_compact("8672543011"), is_compact("abc")
    (True, True, False, False)
    """
    digits = word.lower()
    return len(word) in (4, 9, 16) and sorted(digits) == sorted("0123456789abcdef"[: len(word)])


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
