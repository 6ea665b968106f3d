"""Sliding tiles as a problem for the searches of any puzzle: A*, IDA* and searches from both sides.

`solve` is faster: it keeps bits instead of heights, and forbids strings of moves. Here each state is looked up in
full, by walking down from it to the goal in each database.
"""

from __future__ import annotations

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board, check_solvable
from gpusolve.games.sliding.databases.catalogue import databases_of, partition_for
from gpusolve.games.sliding.databases.kernels import measure
from gpusolve.games.sliding.kernels import neighbours
from gpusolve.search.problem import Problem

MOVES = 4  # of the blank, in the order of `rules.MOVES`


class SlidingTiles(Problem):
    """A board with its goal. A state has the tile in each cell, uint8; a move swaps the blank with a neighbour.

    Parameters
    ----------
    board : Board
        A board of at most 25 cells whose tiles are all different.
    partition : str, optional
        The sets of tiles of the pattern databases, as in `solve`. Databases that this machine does not keep are built,
        for `inverse` as well.
    backend : Backend or str, optional
        The device.

    Raises
    ------
    BadInput
        For a board that cannot be solved, or is too large, or has tiles that look alike, and for an unknown partition.

    Examples
    --------
    >>> from gpusolve.search.bidirectional import bidirectional
    >>> bidirectional(SlidingTiles(Board.parse("8 6 7 / 2 5 4 / 3 0 1"))).cost
    27
    """

    is_consistent = True

    def __init__(self, board: Board, *, partition: str | None = None, backend: Backend | str | None = None) -> None:
        super().__init__(backend if backend is not None else "cpu")
        if len(set(board.tiles)) < board.cells:
            raise BadInput(f"{board}: expected tiles that are all different")
        check_solvable(board)
        self.board, self._partition = board, partition
        self.databases = databases_of(partition_for(board, partition), self.backend)
        self.root, self.goal = (
            self.backend.asarray(np.array(tiles, np.uint8)[:, None]) for tiles in (board.tiles, board.solved)
        )
        self._beside = self.backend.asarray(neighbours(board.rows, board.columns))
        turned, numbered = np.array(board.turned_cells), np.array(board.numbered().tiles, np.uint8)
        number = np.zeros(board.cells, np.uint8)
        number[list(board.tiles)] = numbered[turned]
        self._number, self._from = self.backend.asarray(number), self.backend.asarray(np.argsort(turned))

    def costs(self, states: Array) -> Array:
        """Return 1 for the moves that stay on the board."""
        blank = (states == 0).argmax(axis=0)
        return (self._beside[blank] != blank[:, None]).astype(np.uint8)

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        """Return the states after moves."""
        xp, made = self.backend.xp, states[:, parents]
        blank, every = (made == 0).argmax(axis=0), self.backend.xp.arange(len(parents))
        to = self._beside[blank, moves]
        made[blank, every] = made[to, every]
        made[to, every] = 0
        return xp.ascontiguousarray(made)

    def heuristic(self, states: Array) -> Array:
        """Return the greater of both views' heights."""
        boards = self.backend.to_host(self._number[states[self._from]].T)
        return self.backend.asarray(measure(self.databases, np.ascontiguousarray(boards)).views.max(axis=1))

    @property
    def inverse(self) -> Problem:
        """The way from the goal to the board, with pattern databases for the board as the goal."""
        board = self.board
        back = Board(board.rows, board.columns, board.solved, _text(board))
        return SlidingTiles(back, partition=self._partition, backend=self.backend)


def _text(board: Board) -> str:
    return " / ".join(" ".join(map(str, line)) for line in board.lines)
