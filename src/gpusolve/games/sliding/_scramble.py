"""Random boards: any solvable board with equal probability, or the end of a random walk from the goal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gpusolve.checks import check_integer
from gpusolve.games.sliding.boards import Board, check_size, is_solvable, solved_board
from gpusolve.games.sliding.rules import MOVES, legal_moves, move
from gpusolve.result import Rows, reported, written
from gpusolve.runs.seeds import GOLDEN, MASK64, check_seed, mix, random_seed

MOST_BOARDS = 1_000_000
MOST_STEPS = 1_000_000


@dataclass(frozen=True, repr=False)
class Scrambled(Rows[Board], schema="sliding.scramble/2"):
    """Random boards, which are also its items.

    Attributes
    ----------
    boards : list of Board
        The boards; in JSON their tiles, row by row.
    goal : str
        The position to reach.
    moves : int or None
        Length of the random walks from the goal; None if every solvable board had the same probability.
    seed : int
        The seed of the random choices.
    """

    boards: list[Board] = field(metadata=written("tiles"))
    goal: str
    moves: int | None
    seed: int

    @property
    def tiles(self) -> list[tuple[int, ...]]:
        """The tiles of each board, row by row."""
        return [board.tiles for board in self.boards]

    @reported
    def rows(self) -> int:
        """Number of rows of each board."""
        return self.boards[0].rows

    @reported
    def columns(self) -> int:
        """Number of columns of each board."""
        return self.boards[0].columns


def scramble(
    *,
    rows: int = 4,
    columns: int = 4,
    goal: str = "blank-first",
    moves: int | None = None,
    count: int = 1,
    seed: int | None = None,
) -> Scrambled:
    """Draw random boards that can be solved.

    All have the same probability, unless `moves` is given.

    Parameters
    ----------
    rows : int, default 4
        Number of rows; a board has at most 25 cells, or 7x7.
    columns : int, default 4
        Number of columns.
    goal : str, default "blank-first"
        Position to reach: ``blank-first`` (0 1 2 ... n), ``blank-last`` (1 2 ... n 0), ``columns``, ``snake``,
        ``spiral``, or the tiles of any board of this size.
    moves : int, optional
        Length of a random walk from the goal to the board; the walk never undoes its last move. By default every
        solvable board has the same probability.
    count : int, default 1
        Number of boards, up to 1,000,000.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has. Board i of a seed is
        the same for any `count`.

    Returns
    -------
    Scrambled

    Raises
    ------
    BadInput
        For a board that is too large, and for numbers out of range.

    Examples
    --------
    ``gpusolve sliding scramble --rows 3 --columns 3 --seed 1``

    >>> print(*scramble(rows=3, columns=3, seed=1, count=2), sep=", ")
    3 6 0 / 1 5 8 / 4 2 7, 3 6 7 / 2 1 0 / 5 4 8
    """
    rows, columns = check_size(rows, columns)
    count = check_integer("count", count, 1, MOST_BOARDS)
    if moves is not None:
        moves = check_integer("moves", moves, 0, MOST_STEPS)
    seed = random_seed() if seed is None else check_seed(seed)
    solved = solved_board(rows, columns, goal)
    generators = (_Random(seed, number) for number in range(count))
    boards = [_shuffled(solved, random) if moves is None else _walked(solved, moves, random) for random in generators]
    return Scrambled(boards, goal, moves, seed)


class _Random:
    """The random numbers of one board of a seed: a SplitMix64 hash of the seed, the board's number and a counter."""

    def __init__(self, seed: int, number: int) -> None:
        self._state = mix(mix(seed + GOLDEN & MASK64) ^ number)

    def below(self, end: int) -> int:
        self._state = self._state + GOLDEN & MASK64
        return mix(self._state) % end


def _shuffled(solved: Board, random: _Random) -> Board:
    """Shuffle all tiles (Fisher-Yates). If the result cannot be solved, swap two tiles.

    The swap pairs each unsolvable board with a solvable one, so all solvable boards have the same probability.
    """
    tiles = list(solved.tiles)
    for i in range(len(tiles) - 1):
        other = i + random.below(len(tiles) - i)
        tiles[i], tiles[other] = tiles[other], tiles[i]
    board = replace(solved, tiles=tuple(tiles))
    if is_solvable(board):
        return board
    first, second = [cell for cell, tile in enumerate(tiles) if tile][:2]
    tiles[first], tiles[second] = tiles[second], tiles[first]
    return replace(solved, tiles=tuple(tiles))


def _walked(solved: Board, moves: int, random: _Random) -> Board:
    board, last = solved, -1
    for _ in range(moves):
        choices = [m for m in map(MOVES.index, legal_moves(board)) if m != last ^ 1]
        last = choices[random.below(len(choices))]
        board = move(board, MOVES[last])
    return board
