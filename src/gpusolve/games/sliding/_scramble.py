"""Boards to solve: at random, each as likely as any other; and what a random walk from the goal leads to."""

from __future__ import annotations

from gpusolve.checks import check_integer
from gpusolve.games.sliding.boards import Board, Goal, check_size, is_solvable, solved_tiles
from gpusolve.games.sliding.rules import MOVES, legal_moves, move
from gpusolve.runs.seeds import GOLDEN, MASK64, check_seed, mix, random_seed

MOST_BOARDS = 1_000_000
MOST_MOVES = 1_000_000


def scramble(
    rows: int = 4,
    columns: int = 4,
    goal: Goal = "blank-first",
    moves: int | None = None,
    count: int = 1,
    seed: int | None = None,
) -> list[Board]:
    """`count` boards of a seed: of all that can be solved each is as likely; or where so many random `moves` lead.

    Such a walk begins at the goal and takes no move back at once. Board i of a seed is the same whatever the `count`.
    Raises BadInput for a board of more than 25 cells and for numbers out of range.

    >>> print(*scramble(3, 3, seed=1, count=2), sep=", ")
    3 6 0 / 1 5 8 / 4 2 7, 3 6 7 / 2 1 0 / 5 4 8
    """
    check_size(rows, columns)
    check_integer("count", count, 1, MOST_BOARDS)
    if moves is not None:
        check_integer("moves", moves, 0, MOST_MOVES)
    seed = random_seed() if seed is None else check_seed(seed)
    solved = Board(rows, columns, solved_tiles(rows * columns, goal), goal)
    draws = (_Draws(seed, number) for number in range(count))
    return [_shuffled(solved, draw) if moves is None else _walked(solved, moves, draw) for draw in draws]


class _Draws:
    """Random numbers of a board of a seed: a hash (SplitMix64) of both and of how many were drawn."""

    def __init__(self, seed: int, number: int) -> None:
        self._state = mix(mix(seed + GOLDEN & MASK64) ^ number)

    def below(self, end: int) -> int:
        self._state = self._state + GOLDEN & MASK64
        return mix(self._state) % end


def _shuffled(solved: Board, draws: _Draws) -> Board:
    """A Fisher-Yates shuffle; two tiles of an unsolvable board are swapped, which pairs it with a solvable one."""
    tiles = list(solved.tiles)
    for i in range(len(tiles) - 1):
        other = i + draws.below(len(tiles) - i)
        tiles[i], tiles[other] = tiles[other], tiles[i]
    board = Board(solved.rows, solved.columns, tuple(tiles), solved.goal)
    if is_solvable(board):
        return board
    first, second = [cell for cell, tile in enumerate(tiles) if tile][:2]
    tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(solved.rows, solved.columns, tuple(tiles), solved.goal)


def _walked(solved: Board, moves: int, draws: _Draws) -> Board:
    board, last = solved, -1
    for _ in range(moves):
        open_moves = [m for m in map(MOVES.index, legal_moves(board)) if m != last ^ 1]
        last = open_moves[draws.below(len(open_moves))]
        board = move(board, MOVES[last])
    return board
