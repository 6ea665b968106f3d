"""The rules of sliding tiles in plain Python, and two slow exact solvers. This is the oracle of the tests.

A move is named after the direction in which the blank goes, U D L R, or after the tile that moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from gpusolve.checks import check_type, digits
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board, Goal, solved_tiles

MOVES = "UDLR"
"""The directions of the blank. A move's number is its index here, and the opposite of move m is m ^ 1."""
MOST_MOVES = 10_000
"""Maximum number of moves in a text of moves."""
Tiles = tuple[int, ...]


def neighbour(rows: int, columns: int, cell: int, direction: str) -> int | None:
    """Return the cell to which the blank moves, or None at the edge of the board."""
    row, column = divmod(cell, columns)
    row, column = row + (direction == "D") - (direction == "U"), column + (direction == "R") - (direction == "L")
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else None


def legal_moves(board: Board) -> str:
    """Return the directions in which the blank can move.

    >>> legal_moves(Board(2, 2, (0, 1, 2, 3)))
    'DR'
    """
    return "".join(move for move in MOVES if neighbour(board.rows, board.columns, board.blank, move) is not None)


def move(board: Board, direction: str) -> Board:
    """Return the board after a move. Raise ValueError if the blank is at the edge."""
    return Board(board.rows, board.columns, _moved(board.rows, board.columns, board.tiles, direction), goal=board.goal)


def replay(board: Board, moves: str) -> list[Board]:
    """Play moves and return every board on the way.

    Parameters
    ----------
    board : Board
        The position to start from.
    moves : str
        Directions of the blank, U D L R, as `parse_moves` returns them.

    Returns
    -------
    list of Board
        The board before the first move and after each move.

    Raises
    ------
    ValueError
        If the blank is at the edge of the board and cannot make a move.

    Examples
    --------
    >>> print(*replay(Board(2, 2, (3, 1, 2, 0)), "UL"), sep=", ")
    3 1 / 2 0, 3 0 / 2 1, 0 3 / 2 1
    """
    boards = [board]
    for direction in moves:
        boards.append(move(boards[-1], direction))
    return boards


def solves(board: Board, moves: str) -> bool:
    """Return whether all of these moves are legal and lead to the goal, without making a board of each position."""
    tiles = board.tiles
    for direction in moves:
        if direction not in MOVES or neighbour(board.rows, board.columns, tiles.index(0), direction) is None:
            return False
        tiles = _moved(board.rows, board.columns, tiles, direction)
    return tiles == board.solved


def parse_moves(board: Board, text: str) -> str:
    """Read moves from text and check that they are legal on a board.

    Parameters
    ----------
    board : Board
        The position in which the first move is made.
    text : str
        Directions of the blank, such as ``ULDR`` in any case, or the numbers of the tiles that move, such as
        ``5 12 3``; separated by spaces, commas or semicolons.

    Returns
    -------
    str
        Directions of the blank, U D L R.

    Raises
    ------
    BadInput
        With the number of the first move that cannot be read or is illegal.

    Examples
    --------
    >>> board = Board(2, 2, (0, 1, 2, 3))
    >>> parse_moves(board, "r, d"), parse_moves(board, "1 3")
    ('RD', 'RD')
    """
    check_type("moves", text, str)
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    letters = "".join(words)
    steps = list(letters.upper()) if re.fullmatch("[UDLRudlr]*", letters) else words
    if len(steps) > MOST_MOVES:
        raise BadInput(f"{len(steps):,} moves: expected at most {MOST_MOVES:,}")
    rows, columns, tiles, played = board.rows, board.columns, board.tiles, ""
    for number, step in enumerate(steps, 1):
        tile = digits(step, board.cells - 1)
        if step not in MOVES and not tile:
            raise BadInput(f"move {number}, '{step[:20]}': expected U, D, L, R, or a tile, 1 to {board.cells - 1}")
        direction = step if step in MOVES else _direction(rows, columns, tiles, tile or 0)
        if direction is None:
            raise BadInput(f"move {number}: tile {tile} is not beside the blank")
        if neighbour(rows, columns, tiles.index(0), direction) is None:
            raise BadInput(f"move {number}, {direction}: the blank is at the edge")
        tiles = _moved(rows, columns, tiles, direction)
        played += direction
    return played


def tiles_moved(board: Board, moves: str) -> list[int]:
    """Return the tile that each move moves.

    Parameters
    ----------
    board : Board
        The position in which the first move is made.
    moves : str
        Directions of the blank, U D L R, as `parse_moves` returns them.

    Returns
    -------
    list of int
        One tile per move.

    Raises
    ------
    ValueError
        If the blank is at the edge of the board and cannot make a move.

    Examples
    --------
    >>> tiles_moved(Board(2, 2, (0, 1, 2, 3)), "RD")
    [1, 3]
    """
    return [before.tiles[after.blank] for before, after in pairwise(replay(board, moves))]


def distances(rows: int, columns: int, *, goal: Goal = "blank-first") -> dict[Tiles, int]:
    """Return the optimal number of moves for every solvable board of a small size, by breadth-first search.

    >>> max(distances(2, 3).values())
    21
    """
    start = solved_tiles(rows * columns, goal)
    known, frontier = {start: 0}, [start]
    while frontier:
        next_frontier = []
        for tiles in frontier:
            for successor in _successors(rows, columns, tiles):
                if successor not in known:
                    known[successor] = known[tiles] + 1
                    next_frontier.append(successor)
        frontier = next_frontier
    return known


def manhattan(board: Board) -> int:
    """Return the sum of the tiles' distances from their goal cells, a lower bound on the number of moves."""
    total = 0
    for cell, tile in enumerate(board.tiles):
        if tile:
            (row, column), (goal_row, goal_column) = (
                divmod(position, board.columns) for position in (cell, board.solved.index(tile))
            )
            total += abs(row - goal_row) + abs(column - goal_column)
    return total


def shortest(board: Board) -> str:
    """Return an optimal solution, by IDA* (Korf 1985) with the Manhattan distance; slow for more than about 20 moves.

    >>> shortest(Board(2, 3, (1, 2, 5, 3, 4, 0)))
    'ULL'
    """
    bound = manhattan(board)
    while True:
        solution = _deepen(board, "", bound)
        if solution is not None:
            return solution
        bound += 2


def _deepen(board: Board, path: str, bound: int) -> str | None:
    """Return a solution of at most `bound` moves that starts with `path`, or None."""
    if len(path) + manhattan(board) > bound:
        return None
    if board.is_solved:
        return path
    for direction in legal_moves(board):
        if not path or MOVES.index(path[-1]) ^ 1 != MOVES.index(direction):
            solution = _deepen(move(board, direction), path + direction, bound)
            if solution is not None:
                return solution
    return None


def _successors(rows: int, columns: int, tiles: Tiles) -> Iterator[Tiles]:
    for direction in MOVES:
        if neighbour(rows, columns, tiles.index(0), direction) is not None:
            yield _moved(rows, columns, tiles, direction)


def _moved(rows: int, columns: int, tiles: Tiles, direction: str) -> Tiles:
    blank = tiles.index(0)
    other = neighbour(rows, columns, blank, direction)
    if other is None:
        raise ValueError(f"the blank in cell {blank} of {rows}x{columns} cannot move {direction}")
    after = list(tiles)
    after[blank], after[other] = after[other], 0
    return tuple(after)


def _direction(rows: int, columns: int, tiles: Tiles, tile: int) -> str | None:
    """Return the direction in which the blank swaps with a tile, or None if they are not neighbours."""
    blank, cell = tiles.index(0), tiles.index(tile)
    return next((move for move in MOVES if neighbour(rows, columns, blank, move) == cell), None)
