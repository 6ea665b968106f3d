"""The rules of sliding tiles in plain Python, and two slow exact solvers. This is the oracle of the tests.

A move is named after the direction in which the blank goes, U D L R, or after the tile that moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, groupby

from gpusolve.checks import check_type, digits
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import AnyBoard, Board
from gpusolve.games.sliding.goals import GOALS

MOVES = "UDLR"
"""The directions of the blank. A move's number is its index here, and the opposite of move m is m ^ 1."""
ARROWS = str.maketrans("↑↓←→", MOVES)
DIRECTIONS = re.compile("([UDLRudlr]([1-9][0-9]?)?)*")
"""Directions in one word; a number says how often."""
MOST_MOVES = 10_000
"""Maximum number of moves in a text of moves."""
Tiles = tuple[int, ...]
WalkingState = tuple[int, tuple[tuple[int, ...], ...]]
"""The line of the blank, and for each line how many of its tiles have their goals in each line."""


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
    return replace(board, tiles=_moved(board.rows, board.columns, board.tiles, direction))


def replay(board: AnyBoard, moves: str) -> list[Board]:
    """Play moves and return every board on the way.

    Parameters
    ----------
    board : Board, str, path or sequence of str
        The position to start from, as `Board.parse` reads it.
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
    >>> print(*replay("3 1 / 2 0", "UL"), sep=", ")
    3 1 / 2 0, 3 0 / 2 1, 0 3 / 2 1
    """
    boards = [Board.parse(board)]
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


def parse_moves(board: AnyBoard, text: str) -> str:
    """Read moves from text and check that they are legal on a board.

    Parameters
    ----------
    board : Board, str, path or sequence of str
        The position in which the first move is made, as `Board.parse` reads it.
    text : str
        Directions of the blank, such as ``ULDR`` in any case, ``U L2 D3`` or ``↑←↓→``, or the numbers of the tiles
        that move, such as ``5 12 3``; separated by spaces, commas or semicolons.

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
    >>> [parse_moves("0 1 2 / 3 4 5", moves) for moves in ("r, r, d", "1 2 5", "R2 D", "→→↓")]
    ['RRD', 'RRD', 'RRD', 'RRD']
    """
    check_type("moves", text, str)
    board = Board.parse(board)
    words = [word for word in re.split(r"[\s,;]+", text.translate(ARROWS)) if word]
    whole, steps = "".join(words), list[str]()
    for word in [whole] if DIRECTIONS.fullmatch(whole) else words:
        if DIRECTIONS.fullmatch(word):
            found = re.findall("([A-Z])([0-9]*)", word.upper())
            steps += [move for move, times in found for _ in range(int(times or 1))]
        else:
            steps.append(word)
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
        if len(direction) > 1:
            raise BadInput(f"move {number}: several tiles {tile} are beside the blank: expected U, D, L or R")
        if neighbour(rows, columns, tiles.index(0), direction) is None:
            raise BadInput(f"move {number}, {direction}: the blank is at the edge")
        tiles = _moved(rows, columns, tiles, direction)
        played += direction
    return played


def tiles_moved(board: AnyBoard, moves: str) -> list[int]:
    """Return the tile that each move moves.

    Parameters
    ----------
    board : Board, str, path or sequence of str
        The position in which the first move is made, as `Board.parse` reads it.
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
    >>> tiles_moved("0 1 / 2 3", "RD")
    [1, 3]
    """
    board = Board.parse(board)
    tiles, found = board.tiles, []
    for direction in moves:
        after = _moved(board.rows, board.columns, tiles, direction)
        found.append(tiles[after.index(0)])
        tiles = after
    return found


def distances(rows: int, columns: int, *, goal: str = "blank-first") -> dict[Tiles, int]:
    """Return the optimal number of moves for every solvable board of a small size, by breadth-first search.

    The goal is one with a name, or the tiles of any board of this size.

    >>> max(distances(2, 3).values())
    21
    """
    return _distances(_solved(rows, columns, goal), partial(_successors, rows, columns))


def manhattan(board: Board) -> int:
    """Return the sum of the tiles' distances from their goal cells, a lower bound on the number of moves.

    A tile that looks like others goes to the nearest of their goal cells.
    """
    total = 0
    for cell, tile in enumerate(board.tiles):
        if tile:
            row, column = divmod(cell, board.columns)
            goals = [divmod(goal, board.columns) for goal, there in enumerate(board.solved) if there == tile]
            total += min(abs(row - goal_row) + abs(column - goal_column) for goal_row, goal_column in goals)
    return total


def linear_conflict(board: Board) -> int:
    """Return the Manhattan distance, and two moves for each tile that has to leave its line so that others can pass.

    Two tiles are in conflict if both are in the row (or column) of their goals, and in the wrong order there. As few
    tiles as possible leave the line [1]_.

    .. [1] O. Hansson, A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields powerful admissible
       heuristics", Information Sciences 63 (1992).

    >>> linear_conflict(Board(2, 3, (0, 2, 1, 3, 4, 5))), manhattan(Board(2, 3, (0, 2, 1, 3, 4, 5)))
    (4, 2)
    """
    goal = [divmod(board.solved.index(tile), board.columns) for tile in range(board.cells)]
    total = manhattan(board)
    for row in range(board.rows):
        tiles = board.tiles[row * board.columns : (row + 1) * board.columns]
        total += 2 * tiles_in_conflict([goal[tile][1] for tile in tiles if tile and goal[tile][0] == row])
    for column in range(board.columns):
        tiles = board.tiles[column :: board.columns]
        total += 2 * tiles_in_conflict([goal[tile][0] for tile in tiles if tile and goal[tile][1] == column])
    return total


def tiles_in_conflict(places: list[int]) -> int:
    """Return how many tiles of a line have to leave it so that the others are in order: all sets of tiles are tried.

    >>> tiles_in_conflict([3, 1, 2]), tiles_in_conflict([3, 2, 1]), tiles_in_conflict([1, 2])
    (1, 2, 0)
    """
    return min(
        len(places) - len(kept)
        for count in range(len(places) + 1)
        for kept in combinations(places, count)
        if list(kept) == sorted(kept)
    )


def walking_distance(board: Board) -> int:
    """Return the walking distance: the moves needed if the order of the tiles within each line did not matter [1]_.

    Vertical moves only have to bring every tile to the row of its goal, whatever its column is, and horizontal moves to
    the column of its goal.

    .. [1] K. Takahashi, "15 puzzle optimal solver" (2002), the walking distance.

    >>> manhattan(Board(2, 3, (0, 2, 1, 3, 4, 5))), walking_distance(Board(2, 3, (0, 2, 1, 3, 4, 5)))
    (2, 4)
    """
    sizes = (board.rows, board.columns), (board.columns, board.rows)
    home = divmod(board.solved.index(0), board.columns)
    return sum(walking_distances(*size, home[axis])[walking_state(board, axis)] for axis, size in enumerate(sizes))


def walking_state(board: Board, axis: int) -> WalkingState:
    """Return the line of the blank, and how many tiles of each line have their goals in each line.

    The lines are the rows (axis 0) or columns (axis 1) of a board whose tiles all differ.
    """
    sides, goal_cell = (board.rows, board.columns), board.solved.index
    counts = [[0] * sides[axis] for _ in range(sides[axis])]
    for cell, tile in enumerate(board.tiles):
        if tile:
            counts[divmod(cell, board.columns)[axis]][divmod(goal_cell(tile), board.columns)[axis]] += 1
    return divmod(board.blank, board.columns)[axis], tuple(map(tuple, counts))


def walks(state: WalkingState) -> Iterator[tuple[int, int, WalkingState]]:
    """Yield each state one move away, after whether the blank went forth, and the line of the goal of the tile."""
    blank, counts = state
    for forth, line in enumerate((blank - 1, blank + 1)):
        if 0 <= line < len(counts):
            for goal, count in enumerate(counts[line]):
                if count:
                    after = [list(row) for row in counts]
                    after[line][goal] -= 1
                    after[blank][goal] += 1
                    yield forth, goal, (line, tuple(map(tuple, after)))


@cache
def walking_distances(lines: int, places: int, blank: int = 0) -> dict[WalkingState, int]:
    """Return the distance of every state of `lines` lines with `places` cells each from the goal.

    In the goal the blank is in the line `blank`.

    >>> len(walking_distances(4, 4))
    24964
    """
    counts = [[places * (line == other) for other in range(lines)] for line in range(lines)]
    counts[blank][blank] -= 1
    start = blank, tuple(map(tuple, counts))
    known, frontier = {start: 0}, [start]
    while frontier:
        next_frontier = []
        for state in frontier:
            for _, _, after in walks(state):
                if after not in known:
                    known[after] = known[state] + 1
                    next_frontier.append(after)
        frontier = next_frontier
    return known


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


def slides_of(moves: str) -> list[str]:
    """Return the moves of the multi-tile metric, each as the directions of its tiles.

    >>> slides_of("LLUURUU")
    ['LL', 'UU', 'R', 'UU']
    """
    return ["".join(same) for _, same in groupby(moves)]


def slide_distances(rows: int, columns: int, *, goal: str = "blank-first") -> dict[Tiles, int]:
    """Return the distance of every solvable board from the goal in the multi-tile metric, by breadth-first search.

    >>> max(slide_distances(2, 3).values())
    20
    """
    return _distances(_solved(rows, columns, goal), partial(_slides, rows, columns))


def _solved(rows: int, columns: int, goal: str) -> Tiles:
    if goal in GOALS:
        return Board(rows, columns, (*range(rows * columns),), goal).solved
    return Board.parse(goal, goal=goal).tiles


def _distances(start: Tiles, successors: Callable[[Tiles], Iterable[Tiles]]) -> dict[Tiles, int]:
    known, frontier = {start: 0}, [start]
    while frontier:
        next_frontier = []
        for tiles in frontier:
            for successor in successors(tiles):
                if successor not in known:
                    known[successor] = known[tiles] + 1
                    next_frontier.append(successor)
        frontier = next_frontier
    return known


def _successors(rows: int, columns: int, tiles: Tiles) -> Iterator[Tiles]:
    for direction in MOVES:
        if neighbour(rows, columns, tiles.index(0), direction) is not None:
            yield _moved(rows, columns, tiles, direction)


def _slides(rows: int, columns: int, tiles: Tiles) -> Iterator[Tiles]:
    for direction in MOVES:
        after = tiles
        while neighbour(rows, columns, after.index(0), direction) is not None:
            after = _moved(rows, columns, after, direction)
            yield after


def _moved(rows: int, columns: int, tiles: Tiles, direction: str) -> Tiles:
    blank = tiles.index(0)
    other = neighbour(rows, columns, blank, direction)
    if other is None:
        raise ValueError(f"the blank in cell {blank} of {rows}x{columns} cannot move {direction}")
    after = list(tiles)
    after[blank], after[other] = after[other], 0
    return tuple(after)


def _direction(rows: int, columns: int, tiles: Tiles, tile: int) -> str | None:
    """Return the directions in which the blank swaps with a tile of this number, or None if there is none beside it."""
    blank = tiles.index(0)
    beside = {move: neighbour(rows, columns, blank, move) for move in MOVES}
    return "".join(move for move, cell in beside.items() if cell is not None and tiles[cell] == tile) or None
