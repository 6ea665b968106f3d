"""Boards of sliding tiles: reading them, writing them, and telling which of them can be solved.

The tiles of a board are written row by row, with 0 for the blank. There are two conventions for the goal: research
uses ``blank-first``, which is 0 1 2 ... n, and most toys use ``blank-last``, which is 1 2 ... n 0. Turning a board by
180 degrees and renaming every tile v to n + 1 - v gives the same puzzle in the other convention. Any other goal is
possible as well: every search works on a board that is turned, and whose tiles are numbered by their goal cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from gpusolve import files
from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.sliding.goals import GOALS, Layout, in_place, symmetries, tiles_of
from gpusolve.games.sliding.notation import (
    BLANKS,
    LONGEST_SIDE,
    MOST_CELLS,
    NO_BOARD,
    SHORTEST_SIDE,
    Grid,
    is_board,
    is_compact,
    parse_grid,
    parse_grids,
)
from gpusolve.games.sliding.published import SETS
from gpusolve.result import Result

EXACT_CELLS = 25
"""Maximum number of cells of boards that can be solved optimally."""
USUAL = GOALS[:2]
"""The goals of which one is taken where nobody says which."""


@dataclass(frozen=True, repr=False)
class Board(Result):
    """A position of the puzzle, together with its goal.

    Parameters
    ----------
    rows, columns : int
        Size of the board: at most 25 cells, or 7x7; each side has at least 2.
    tiles : tuple of int
        The tile in each cell, row by row; 0 is the blank. Tiles with the same number look alike, and each can be in the
        goal cell of any other.
    goal : str, default "blank-first"
        The position to reach: ``blank-first`` (0 1 2 ... n), ``blank-last`` (1 2 ... n 0), ``columns``, ``snake`` or
        ``spiral``, which all take the tiles in ascending order; or its tiles, written like those of a board.
    letters : str, default ""
        The letters of the tiles 1, 2, ..., if they have letters instead of numbers.
    goal_assumed : bool, default False
        Whether nobody said which goal it is, so that one that can be reached was assumed.

    Raises
    ------
    BadInput
        For a side that is too short or too long, if a tile is missing, and for a goal that has other tiles. Tiles can
        look alike if the goal is written out, or if they are so many that it cannot be a mistake.

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
    goal: str = "blank-first"
    letters: str = ""
    goal_assumed: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_size(self.rows, self.columns)
        if not isinstance(self.goal, str) or not self.goal.strip():
            raise BadInput(f"goal {self.goal!r}: expected one of {', '.join(GOALS)}, or the tiles of a board")
        if len(self.tiles) != self.cells:
            raise BadInput(f"{len(self.tiles)} tiles: expected {self.cells} for {self.rows}x{self.columns}")
        if {*map(type, self.tiles)} != {int} or {*self.tiles} != {*range(self.cells)}:
            for position, tile in enumerate(self.tiles, 1):
                check_integer(f"position {position}: tile", tile, 0, self.cells - 1)
        kinds = set(self.tiles)
        if len(kinds) < self.cells and (
            self.tiles.count(0) != 1 or (self.goal in GOALS and not self.letters and 2 * len(kinds) > self.cells)
        ):
            double = 0 if self.tiles.count(0) > 1 else next(tile for tile in self.tiles if self.tiles.count(tile) > 1)
            missing = [str(tile) for tile in range(self.cells) if tile not in kinds]
            are = "is" if len(missing) == 1 else "are"
            raise BadInput(
                f"tile {double} appears {self.tiles.count(double)} times, and {', '.join(missing)} {are} missing"
            )
        assert self.solved  # a goal with other tiles is an error

    def __str__(self) -> str:
        return " / ".join(" ".join(map(self.named, row)) for row in self.lines)

    @property
    def lines(self) -> list[tuple[int, ...]]:
        """The tiles of each row."""
        return [self.tiles[i : i + self.columns] for i in range(0, self.cells, self.columns)]

    def named(self, tile: int) -> str:
        """Return a tile as people write it: its number or its letter."""
        return str(tile) if not self.letters else self.letters[tile - 1] if tile else "_"

    @classmethod
    def parse(cls, board: AnyBoard, *, goal: str | None = None) -> Board:
        """Read a board as people write it, or from a file.

        Parameters
        ----------
        board : Board, str, path or sequence of str
            The tiles row by row, separated by spaces or commas; ``0``, ``_``, ``.``, ``*`` or ``x`` is the blank. Rows
            are on separate lines or separated by ``/`` or ``;``. A square board can be written without separators
            between the rows, and rows or a square board with a hexadecimal digit or a letter for each tile, without
            separators between them. A size before the tiles (``3``, ``4 4`` or ``4x4:``) and brackets as in JSON are
            read as well. A number before the tiles, such as the index in Korf's files, or after them, such as the
            length of a solution, is ignored. Or the name of a file with a board. Several texts are the tiles or the
            rows of one board; a `Board` is returned as it is.
        goal : str, optional
            The position to reach, as `Board` explains it. By default blank-first or blank-last, whichever can be
            reached; the first if both can.

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
        >>> Board.parse("1 1 1 / 2 2 2 / 0 3 3").solved, Board.parse("CAT/SOX/ED_", goal="spiral").tiles
        ((0, 1, 1, 1, 2, 2, 2, 3, 3), (2, 1, 7, 6, 5, 8, 4, 3, 0))
        """
        if not isinstance(board, Board | Path | str):
            check_type("board", board, Sequence)
            for piece in board:
                check_type("board", piece, str)
        boards = load_boards(board, goal=goal)
        if len(boards) > 1:
            in_file = isinstance(board, Path) or (isinstance(board, str) and files.exists(board))
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
        if self.goal in GOALS:
            return tiles_of(self.goal, self.rows, self.columns, self.tiles)
        try:
            grid = parse_grid(self.goal)
        except BadInput as error:
            raise BadInput(f"goal {self.goal[:40]}: {error}; or one of {', '.join(GOALS)}") from None
        if (grid.rows, grid.columns, grid.letters) != (self.rows, self.columns, self.letters) or (
            sorted(grid.tiles) != sorted(self.tiles)
        ):
            raise BadInput(f"goal {self.goal[:99]}: expected the same tiles as {self}")
        return grid.tiles

    @property
    def blank_steps(self) -> int:
        """Number of steps of the blank's cell from its cell in the goal: odd if every solution has an odd length."""
        cells = (divmod(self.tiles.index(0), self.columns), divmod(self.solved.index(0), self.columns))
        return sum(abs(a - b) for a, b in zip(*cells, strict=True))

    @property
    def is_solved(self) -> bool:
        """Whether this board is its goal."""
        return self.tiles == self.solved

    @cached_property
    def turned_cells(self) -> tuple[int, ...]:
        """The cell to which each cell goes so that the blank's goal cell is as low as possible."""
        home = self.solved.index(0)
        return min(symmetries(self.rows, self.columns), key=lambda turned: turned[home])

    @cached_property
    def layout(self) -> Layout:
        """What the tables of the goal depend on."""
        return self._numbering[0]

    @cached_property
    def _numbering(self) -> tuple[Layout, tuple[int, ...]]:
        """The layout, and the number of the tile in each cell of the turned board."""
        turned, at = self.turned_cells, dict[int, list[int]]()
        for cell, tile in enumerate(self.solved):
            at.setdefault(tile, []).append(turned[cell])
        plain = Layout(self.rows, self.columns, at[0][0])
        numbers = {tile: sorted(map(plain.goal_cell, cells)) for tile, cells in at.items() if tile} | {0: [0]}
        alike = tuple(sorted(tuple(kind) for kind in numbers.values() if len(kind) > 1))
        left = {tile: iter(kind) for tile, kind in numbers.items()}
        placed = dict(zip(turned, (next(left[tile]) for tile in self.tiles), strict=True))
        return replace(plain, alike=alike), tuple(placed[cell] for cell in range(self.cells))

    def turned(self) -> Board:
        """Return a puzzle with one of the usual goals in the convention of the other: every move goes the opposite way.

        >>> print(Board.parse("1 2 3 / 4 5 6 / 7 0 8", goal="blank-last").turned())
        1 0 2 / 3 4 5 / 6 7 8
        """
        tiles = tuple(self.cells - tile if tile else 0 for tile in reversed(self.tiles))
        return Board(self.rows, self.columns, tiles, USUAL[1 - USUAL.index(self.goal)])

    def numbered(self) -> Board:
        """Return the same puzzle with each tile numbered by its goal cell, turned as its `layout` says.

        The goal blank-first with all its tiles different is returned as it is. Tiles that look alike get different
        numbers.

        >>> print(Board.parse("1 2 3 / 4 5 6 / 7 0 8", goal="blank-last").numbered())
        1 0 2 / 3 4 5 / 6 7 8
        """
        layout, tiles = self._numbering
        if tiles == self.tiles and self.goal == "blank-first":
            return self
        cells = (*range(self.cells),)
        solved = tuple(layout.goal_cell(cell) if cell != layout.blank else 0 for cell in cells)
        goal = "blank-first" if solved == cells else _text(solved, self.columns)
        return Board(self.rows, self.columns, tiles, goal)

    def as_given(self, moves: str) -> str:
        """Return the moves of `numbered` as moves of this board.

        >>> Board(2, 2, (1, 2, 0, 3), "blank-last").as_given("UL")
        'DR'
        """
        return moves.translate(str.maketrans(in_place(self.turned_cells, self.columns), "UDLR"))


def _text(tiles: Sequence[int], columns: int) -> str:
    return " / ".join(" ".join(map(str, tiles[at : at + columns])) for at in range(0, len(tiles), columns))


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


def solved_board(rows: int, columns: int, goal: str) -> Board:
    """Return a goal as a board of this size. Raise BadInput for a size out of range and a goal of another size."""
    rows, columns = check_size(rows, columns)
    if isinstance(goal, str) and goal not in GOALS and goal.strip():
        board = Board.parse(goal, goal=goal)
        if (board.rows, board.columns) != (rows, columns):
            raise BadInput(f"goal {goal[:40]}: {board.rows}x{board.columns}, expected {rows}x{columns}")
        return board
    board = Board(rows, columns, (*range(rows * columns),), goal)
    return replace(board, tiles=board.solved)


def is_solvable(board: Board) -> bool:
    """Return whether the goal can be reached from a board.

    Every move swaps the blank with a tile. That changes the parity of the permutation, and the parity of the blank's
    distance from its cell in the goal. So a board can be solved only if both parities are equal, and every board whose
    parities are equal can be solved (Johnson and Story 1879). Two tiles that look alike can be exchanged, so both
    parities can be had.

    >>> is_solvable(Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", goal="blank-last"))
    False
    """
    odd_swaps, odd_steps = _parities(board)
    return odd_swaps == odd_steps or len(set(board.tiles)) < board.cells


def check_solvable(board: Board) -> None:
    """Raise NoSolution, with the reason, unless the board can be solved."""
    if is_solvable(board):
        return
    odd_swaps, odd_steps = _parities(board)
    others = (replace(board, goal=goal) for goal in USUAL if goal != board.goal)
    hints = [f"; the goal {other.goal} can be reached" for other in others if is_solvable(other)]
    raise NoSolution(
        f"{board}: no moves lead to the goal {board.goal}: it takes {_parity(odd_swaps)} number of swaps, but the "
        f"blank is {_parity(odd_steps)} number of steps from its cell, and every move changes both parities"
        f"{''.join(hints[:1])}"
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
    return odd_swaps % 2 == 1, board.blank_steps % 2 == 1


def _parity(odd: bool) -> str:
    return "an odd" if odd else "an even"


def load_boards(boards: AnyBoards, *, goal: str | None = None) -> list[Board]:
    r"""Read several boards: from texts, from files, or a set of published ones.

    Parameters
    ----------
    boards : Board, str, path or sequence of these
        Each text is a board as `Board.parse` reads it; or several lines with one board each, or with grids that are
        separated by empty lines, where ``#`` starts a comment; or the name of a file with such a text; or ``article``,
        the ten 24-puzzles of Korf and Taylor (1996) [1]_. Texts that each have one tile or one row are one board.
    goal : str, optional
        The position to reach, as `Board` explains it. By default blank-first or blank-last, whichever can be reached;
        the first if both can.

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
        raise BadInput(NO_BOARD)
    return found


def _sources(words: Sequence[Board | Path | str]) -> Sequence[Board | Path | str]:
    """Return what of a sequence is a board or has boards. Tiles or rows of a single board are joined."""
    check_type("boards", words, Sequence)
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) < 2 or len(texts) < len(words) or all(map(is_compact, texts)):
        return words
    if any(map(files.exists, texts)) or any(re.search(r"\s", word) for word in texts):
        return words
    with_blank = sum(bool(set(re.split("[,/]", word)) & set(BLANKS)) for word in texts)
    if not all(re.fullmatch(r"[0-9_.,/*x]+|[^\W\d_]", word) for word in texts):
        return words
    if with_blank > 1:  # each is a board
        return words
    return [("/" if re.search("[0-9_.],[0-9_.]", texts[0]) else " ").join(texts)]


def _boards_of(source: Board | Path | str, goal: str | None) -> list[Board]:
    """Return the boards of a text or a file, or of the set with this name."""
    check_type("board", source, (Board, Path, str))
    if isinstance(source, Board):
        if goal not in (None, source.goal):
            raise BadInput(f"goal {goal}: expected {source.goal}, the goal of the board")
        return [source]
    if isinstance(source, str) and source in SETS and not files.exists(source):
        if goal not in (None, "blank-first"):
            raise BadInput(f"goal {goal}: expected blank-first, the goal of the boards in {source}")
        return [_with_goal(grid, "blank-first") for grid in parse_grids(SETS[source])]
    if isinstance(source, str) and not files.exists(source) and not _is_name(source):
        return [_with_goal(grid, goal) for grid in _read(source)]
    text = files.read_text(source, "boards")
    try:
        return [_with_goal(grid, goal) for grid in parse_grids(text)]
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None


def _read(text: str) -> list[Grid]:
    try:
        return parse_grids(text) if re.search(r"[\n#]|^\s*\[", text) else [parse_grid(text)]
    except BadInput as error:
        if is_board(text):
            raise
        raise BadInput(f"{text[:40]}: not a board, and there is no file of this name: {error}") from None


def _is_name(source: str) -> bool:
    """Return whether a text that is not a file can only be the name of one."""
    return not is_board(source) and bool(re.search(r"^[/~]|^\.\.?/|\.[A-Za-z]\w{0,4}$|\x00", source.strip()))


def _with_goal(grid: Grid, goal: str | None) -> Board:
    """Return a board with its goal, or with the usual one that it can reach."""
    shape = grid.rows, grid.columns, grid.tiles
    try:
        if goal is not None:
            return Board(*shape, goal, grid.letters)
        first, last = (Board(*shape, usual, grid.letters, goal_assumed=True) for usual in USUAL)
    except BadInput as error:
        raise BadInput(f"line {grid.line}: {error}" if grid.line else str(error)) from None
    return last if is_solvable(last) and not is_solvable(first) else first
