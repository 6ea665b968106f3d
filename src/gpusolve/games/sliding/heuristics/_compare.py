"""Comparing heuristics: the same boards, solved with each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_number
from gpusolve.games.sliding._solve import solve
from gpusolve.games.sliding.boards import AnyBoards, Board, check_solvable, load_boards
from gpusolve.games.sliding.databases.catalogue import databases_of, partition_for
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.heuristics.tables import HEURISTICS, MOST_SIDE, Heuristic, check_heuristic
from gpusolve.games.sliding.search.solution import Solution, Status
from gpusolve.result import FLAT, Result, Rows, reported

SECONDS = 60.0
MOST_SECONDS = 1_000_000


@dataclass(frozen=True, repr=False)
class Comparison(Result):
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
    solution: Solution = field(metadata=FLAT)

    @reported
    def estimate(self) -> int:
        """The heuristic's value of the board: no solution has fewer moves."""
        return self.solution.bounds[0].bound if self.solution.bounds else 0

    @property
    def seconds(self) -> float:
        """Seconds of the search alone."""
        return sum(bound.seconds for bound in self.solution.bounds)


@dataclass(frozen=True, repr=False)
class Comparisons(Rows[Comparison], schema="sliding.compare/2"):
    """The searches of boards with one heuristic after another, which are also its items.

    Attributes
    ----------
    rows : list of Comparison
        The searches, board by board.
    """

    rows: list[Comparison]

    @property
    def complete(self) -> bool:
        """Whether every search ended by itself."""
        return all(row.solution.complete for row in self.rows)

    @property
    def by_board(self) -> list[list[Comparison]]:
        """The searches of each board."""
        firsts = [place for place, row in enumerate(self.rows) if row.heuristic == HEURISTICS[0]]
        return [self.rows[first:end] for first, end in pairwise([*firsts, len(self.rows)])]

    @reported
    def seconds(self) -> float:
        """Seconds of all searches."""
        return sum(row.solution.seconds for row in self.rows)


class Means(Comparisons):
    """The searches of boards that have been shown already, of which only the means are left to show."""


def compare(
    boards: AnyBoards,
    *,
    goal: str | None = None,
    partition: str | None = None,
    databases: Databases | None = None,
    seconds: float = SECONDS,
    progress: Callable[[Status], object] = lambda status: None,
    backend: Backend | None = None,
) -> Comparisons:
    """Compare the heuristics of the textbooks.

    A table shows the nodes and times of each board. It is solved with one heuristic after another, by IDA* that forbids
    nothing but undoing the last move. Boards with a side longer than 4 are not searched with linear conflicts and
    walking distances.

    Parameters
    ----------
    boards : Board, str, Path, or sequence of them
        Boards of up to 16 cells, written as for `solve`.
    goal : str, optional
        Position to reach: ``blank-first`` (0 1 2 ... n), ``blank-last`` (1 2 ... n 0), ``columns``, ``snake``,
        ``spiral``, or the tiles of any board. By default one of the first two that can be reached, blank-first if both
        can.
    partition : str, optional
        Sets of tiles that have a pattern database each, such as ``1,2,3/4,5,6,7,8``, or a partition's name, as for
        `solve`. By default it depends on the size.
    databases : Databases, optional
        Pattern databases from `open_databases` for boards of this size, instead of `partition`.
    seconds : float, default 60
        Maximum number of seconds for each search.
    progress : callable, optional
        Called with a `Status` from time to time.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``. Only pattern databases use it;
        the other heuristics are computed by one thread of the host.

    Returns
    -------
    Comparisons
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
    ``gpusolve sliding compare '8 6 7 / 2 5 4 / 3 0 1'``

    >>> rows = compare("8 6 7 / 2 5 4 / 3 0 1")
    >>> [(row.heuristic, row.estimate, row.solution.expanded) for row in rows][:2]
    [('manhattan', 19, 7257), ('linear-conflict', 21, 2982)]
    """
    check_number("seconds", seconds, 0, MOST_SECONDS)
    asked = load_boards(boards, goal=goal)
    for board in asked:
        check_heuristic(board, "pdb")
        check_solvable(board)
    rows, opened = [], open_backend(backend) if databases is None else databases.backend
    for board in asked:
        plain = max(board.rows, board.columns) > MOST_SIDE or board.layout.alike
        for heuristic in HEURISTICS:
            if plain and heuristic in ("linear-conflict", "walking-distance"):
                continue
            if heuristic != "pdb":
                solution = solve(board, heuristic=heuristic, time_limit=seconds, progress=progress)
                rows.append(Comparison(heuristic, None, solution))
                continue
            databases = _databases(board, partition, databases, opened)
            solution = solve(board, databases=databases, depth=2, time_limit=seconds, progress=progress)
            rows.append(Comparison(heuristic, str(databases.partition), solution))
    return Comparisons(rows)


def _databases(board: Board, partition: str | None, opened: Databases | None, backend: Backend) -> Databases:
    """Return the pattern databases of a board: those that are open already if they fit."""
    if opened is not None and opened.partition.layout == board.layout:
        return opened
    return databases_of(partition_for(board, partition), backend)
