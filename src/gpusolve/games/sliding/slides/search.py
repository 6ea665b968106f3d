"""IDA* in the multi-tile metric: in the jobs of the single-tile metric, with workers and checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gpusolve import clock
from gpusolve.backend import Backend, open_backend
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.search.divided import Divided
from gpusolve.games.sliding.search.jobs import Job, JobResult, run_job
from gpusolve.games.sliding.search.paths import MOST_MOVES
from gpusolve.games.sliding.search.solution import Solution
from gpusolve.games.sliding.search.symmetry import ALL, first_moves
from gpusolve.games.sliding.slides.kernels import SlideTree, moves_of, open_tree
from gpusolve.games.sliding.slides.lookups import Lookups
from gpusolve.games.sliding.slides.tables import check_metric, lookups_of


@dataclass(frozen=True, kw_only=True)
class Slides(Divided):
    """IDA* in which sliding several tiles of a line at once is one move (Korf 1985); `solve` explains the options."""

    def solve(self, board: Board) -> Solution:
        """Find a solution of the fewest slides, all of them, or with a weight a good one.

        Raise BadInput for a board with too many cells, and for one that takes more than `most_slides`.
        """
        check_metric(board)
        with clock.building:
            lookups = lookups_of(board.layout, open_backend(self.backend))
        return self.search(board, lookups)

    def search(self, board: Board, lookups: Lookups) -> Solution:
        """Find a solution with the look-ups of the board size, which several calls can share."""
        run = self.run_of(board, metric="multi-tile")
        with clock.building:
            tree = tree_of(board, lookups, self.all_solutions)
        most = most_slides(board.rows, board.columns)
        runner = partial(slide_runner, board, self.all_solutions)
        return self.find(board, tree, run, runner, most_moves=most, metric="multi-tile")


def tree_of(board: Board, lookups: Lookups, all_solutions: bool) -> SlideTree:
    """Return the tree below a board."""
    return open_tree(lookups, board.numbered().tiles, ALL if all_solutions else first_moves(board))


def slide_runner(board: Board, all_solutions: bool, backend: Backend) -> Callable[[Job], JobResult]:
    """Return a worker's function that runs a job of this board to its end."""
    return partial(run_job, tree_of(board, lookups_of(board.layout, backend), all_solutions))


def most_slides(rows: int, columns: int) -> int:
    """Return the greatest number of slides for which a path has room, and for one more.

    >>> most_slides(4, 4), most_slides(2, 8)
    (84, 62)
    """
    return max(slides for slides in range(MOST_MOVES) if moves_of(rows, columns, slides + 1) < MOST_MOVES)
