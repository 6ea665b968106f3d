"""Boards that are their own reflection on the diagonal: half of their tree is enough."""

from __future__ import annotations

from gpusolve.games.sliding.boards import Board

ALL, UP_AND_DOWN = (0, 1, 2, 3), (0, 1)


def first_moves(board: Board) -> tuple[int, ...]:
    """Return the moves with which one of the optimal solutions begins, as indices in `rules.MOVES`.

    If a board and its goal are their own reflections on the main diagonal, the reflection of a solution is a solution,
    and one of both begins up or down. Of all optimal solutions, the first in the order U D L R has no forbidden string,
    because another solution with the string that is allowed instead would come before it; so it is found.

    >>> first_moves(Board.parse("0 3 2 / 1 4 7 / 6 5 8")), first_moves(Board.parse("8 6 7 / 2 5 4 / 3 0 1"))
    ((0, 1), (0, 1, 2, 3))
    """
    layout, tiles, side = board.layout, board.numbered().tiles, board.columns
    if board.rows != side:
        return ALL
    diagonal = tuple(cell % side * side + cell // side for cell in range(board.cells))
    goals = [layout.goal_cells(tile) if tile else (layout.blank,) for tile in tiles]
    mirrored = [tuple(sorted(diagonal[goal] for goal in goals[diagonal[cell]])) for cell in range(board.cells)]
    return UP_AND_DOWN if layout.is_kept_by(diagonal) and mirrored == goals else ALL
