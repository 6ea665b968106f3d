"""Comparing heuristics: the same boards, solved with each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_number, check_type
from gpusolve.errors import BadInput
from gpusolve.games.sliding._solve import solve
from gpusolve.games.sliding.boards import Board, check_solvable
from gpusolve.games.sliding.databases.catalogue import databases_of, partition_of
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.heuristics.tables import HEURISTICS, MOST_SIDE, Heuristic, check_heuristic
from gpusolve.games.sliding.search.solution import Solution, Status
from gpusolve.notebook import as_html, as_text

SECONDS = 60.0
MOST_SECONDS = 1e9


@dataclass(frozen=True)
class Comparison:
    """A board that was searched with one heuristic.

    Attributes
    ----------
    heuristic : {"manhattan", "linear-conflict", "walking-distance", "pdb"}
        The heuristic.
    partition : str or None
        The sets of tiles of the pattern databases; None for other heuristics.
    solution : Solution
        The result; it has no moves if the time was over first.
    """

    heuristic: Heuristic
    partition: str | None
    solution: Solution

    __repr__ = as_text
    _repr_html_ = as_html

    @property
    def estimate(self) -> int:
        """The heuristic's value of the board: no solution has fewer moves."""
        return self.solution.bounds[0].bound if self.solution.bounds else 0

    @property
    def seconds(self) -> float:
        """Seconds of the search alone."""
        return sum(bound.seconds for bound in self.solution.bounds)


def compare(
    boards: Sequence[Board],
    *,
    partition: str | None = None,
    databases: Databases | None = None,
    seconds: float = SECONDS,
    progress: Callable[[Status], object] = lambda status: None,
    backend: Backend | None = None,
) -> list[Comparison]:
    """Solve boards with one heuristic after another, by IDA* that forbids nothing but undoing the last move.

    Parameters
    ----------
    boards : sequence of Board
        Boards of up to 16 cells. Boards with a side longer than 4 are not searched with linear conflicts and walking
        distances.
    partition : str, optional
        The sets of tiles that have a pattern database each; see `solve`.
    databases : Databases, optional
        Pattern databases from `open_databases` for boards of this size, instead of `partition`.
    seconds : float, default 60
        Maximum number of seconds for each search.
    progress : callable, optional
        Called regularly with a `Status`.
    backend : Backend, optional
        The device of the pattern databases; by default the one that ``GPUSOLVE_DEVICE`` names. The other heuristics are
        computed by one thread of the host.

    Returns
    -------
    list of Comparison
        For each board the heuristics in the order of the textbooks: ``manhattan``, ``linear-conflict``,
        ``walking-distance``, ``pdb``.

    Raises
    ------
    NoSolution
        If no moves lead from a board to the goal.
    BadInput
        For no boards, for a board with more than 16 cells, and as `solve` does.

    References
    ----------
    .. [1] R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27
       (1985). With ``manhattan``, the number of generated nodes and the root is that of its table.
    .. [2] O. Hansson, A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields powerful admissible
       heuristics", Information Sciences 63 (1992): ``linear-conflict``.
    .. [3] K. Takahashi, "15 puzzle optimal solver" (2002): ``walking-distance``.

    Examples
    --------
    >>> from gpusolve.games.sliding import parse_board
    >>> rows = compare([parse_board("8 6 7 / 2 5 4 / 3 0 1")])
    >>> [(row.heuristic, row.estimate, row.solution.expanded) for row in rows][:2]
    [('manhattan', 19, 7257), ('linear-conflict', 21, 2982)]
    """
    check_number("seconds", seconds, 0, MOST_SECONDS)
    if not boards:
        raise BadInput("no boards: expected at least one")
    for board in boards:
        check_type("board", board, Board)
        check_heuristic(board, "pdb")
        check_solvable(board)
    rows, opened = [], open_backend(backend) if databases is None else databases.backend
    for board in boards:
        long = max(board.rows, board.columns) > MOST_SIDE
        for heuristic in HEURISTICS:
            if long and heuristic in ("linear-conflict", "walking-distance"):
                continue
            if heuristic != "pdb":
                solution = solve(board, heuristic=heuristic, time_limit=seconds, progress=progress)
                rows.append(Comparison(heuristic, None, solution))
                continue
            databases = _databases(board, partition, databases, opened)
            solution = solve(board, databases=databases, depth=2, time_limit=seconds, progress=progress)
            rows.append(Comparison(heuristic, str(databases.partition), solution))
    return rows


def _databases(board: Board, partition: str | None, opened: Databases | None, backend: Backend) -> Databases:
    """Return the pattern databases of a board: those that are open already if they fit."""
    if opened is not None and (opened.partition.rows, opened.partition.columns) == (board.rows, board.columns):
        return opened
    return databases_of(partition_of(board.rows, board.columns, partition), backend)
