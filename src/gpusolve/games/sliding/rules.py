"""Sliding tiles in plain Python: moves, whole solutions, and two slow exact solvers. The oracle of the tests.

A move is named by the direction in which the blank goes: U D L R; or by the tile that is moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from gpusolve.checks import check_type, digits
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board, Goal, solved_tiles

MOVES = "UDLR"
"""The directions of the blank; a move's number is its place here. The opposite of m is m ^ 1."""
LONGEST = 10_000
"""Moves that are read, at most."""
Tiles = tuple[int, ...]


def neighbour(rows: int, columns: int, cell: int, move: str) -> int | None:
    """The cell that the blank goes to; None where the edge is."""
    row, column = divmod(cell, columns)
    row, column = row + (move == "D") - (move == "U"), column + (move == "R") - (move == "L")
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else None


def legal_moves(board: Board) -> str:
    """The directions that the blank can go in.

    >>> legal_moves(Board(2, 2, (0, 1, 2, 3)))
    'DR'
    """
    return "".join(move for move in MOVES if neighbour(board.rows, board.columns, board.blank, move) is not None)


def move(board: Board, direction: str) -> Board:
    """The board after a move. Raises ValueError for a move that the edge forbids."""
    return Board(board.rows, board.columns, _moved(board.rows, board.columns, board.tiles, direction), goal=board.goal)


def replay(board: Board, moves: str) -> list[Board]:
    """The board before the first of these moves and after each, as `parse_moves` gives them."""
    boards = [board]
    for direction in moves:
        boards.append(move(boards[-1], direction))
    return boards


def parse_moves(board: Board, text: str) -> str:
    """The directions of a text of moves on a board: U D L R, or the tiles that are moved, as numbers.

    Raises BadInput for what is no move, and with the number of the first that the rules forbid.

    >>> board = Board(2, 2, (0, 1, 2, 3))
    >>> parse_moves(board, "r, d"), parse_moves(board, "1 3")
    ('RD', 'RD')
    """
    check_type("moves", text, str)
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    letters = "".join(words)
    steps = list(letters.upper()) if re.fullmatch("[UDLRudlr]*", letters) else words
    if len(steps) > LONGEST:
        raise BadInput(f"{len(steps):,} moves: expected at most {LONGEST:,}")
    rows, columns, tiles, done = board.rows, board.columns, board.tiles, ""
    for number, step in enumerate(steps, 1):
        tile = digits(step, board.cells - 1)
        if step not in MOVES and not tile:
            raise BadInput(f"move {number}, '{step[:20]}': expected U, D, L, R, or a tile, 1 to {board.cells - 1}")
        moved = step if step in MOVES else _direction(rows, columns, tiles, tile or 0)
        if moved is None:
            raise BadInput(f"move {number}: tile {tile} is not beside the blank")
        if neighbour(rows, columns, tiles.index(0), moved) is None:
            raise BadInput(f"move {number}, {moved}: the blank is at the edge")
        tiles = _moved(rows, columns, tiles, moved)
        done += moved
    return done


def tiles_moved(board: Board, moves: str) -> list[int]:
    """The tile that each of these moves moves.

    >>> tiles_moved(Board(2, 2, (0, 1, 2, 3)), "RD")
    [1, 3]
    """
    return [before.tiles[after.blank] for before, after in pairwise(replay(board, moves))]


def distances(rows: int, columns: int, goal: Goal = "blank-first") -> dict[Tiles, int]:
    """The fewest moves of every solvable board of a small size, by breadth-first search from the goal.

    >>> max(distances(2, 3).values())
    21
    """
    start = solved_tiles(rows * columns, goal)
    found, frontier = {start: 0}, [start]
    while frontier:
        following = []
        for tiles in frontier:
            for _, reached in _successors(rows, columns, tiles):
                if reached not in found:
                    found[reached] = found[tiles] + 1
                    following.append(reached)
        frontier = following
    return found


def manhattan(board: Board) -> int:
    """The sum of the tiles' distances from their places: no tile gets there in fewer moves."""
    total = 0
    for cell, tile in enumerate(board.tiles):
        if tile:
            (row, column), (goal_row, goal_column) = (
                divmod(place, board.columns) for place in (cell, board.solved.index(tile))
            )
            total += abs(row - goal_row) + abs(column - goal_column)
    return total


def shortest(board: Board) -> str:
    """An optimal solution, by IDA* (Korf 1985) with the Manhattan distance. For solvable boards of few moves.

    >>> shortest(Board(2, 3, (1, 2, 5, 3, 4, 0)))
    'ULL'
    """
    bound = manhattan(board)
    while True:
        found = _deepen(board, "", bound)
        if found is not None:
            return found
        bound += 2


def _deepen(board: Board, path: str, bound: int) -> str | None:
    """A solution that goes on from `path` and has at most `bound` moves."""
    if len(path) + manhattan(board) > bound:
        return None
    if board.is_solved:
        return path
    for direction in legal_moves(board):
        if not path or MOVES.index(path[-1]) ^ 1 != MOVES.index(direction):
            found = _deepen(move(board, direction), path + direction, bound)
            if found is not None:
                return found
    return None


def _successors(rows: int, columns: int, tiles: Tiles) -> Iterator[tuple[str, Tiles]]:
    for direction in MOVES:
        if neighbour(rows, columns, tiles.index(0), direction) is not None:
            yield direction, _moved(rows, columns, tiles, direction)


def _moved(rows: int, columns: int, tiles: Tiles, direction: str) -> Tiles:
    blank = tiles.index(0)
    other = neighbour(rows, columns, blank, direction)
    if other is None:
        raise ValueError(f"the blank in cell {blank} of {rows}x{columns} cannot go {direction}")
    after = list(tiles)
    after[blank], after[other] = after[other], 0
    return tuple(after)


def _direction(rows: int, columns: int, tiles: Tiles, tile: int) -> str | None:
    """The direction in which the blank swaps with a tile; None where they are not neighbours."""
    blank, cell = tiles.index(0), tiles.index(tile)
    return next((one for one in MOVES if neighbour(rows, columns, blank, one) == cell), None)
