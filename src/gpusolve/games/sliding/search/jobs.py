"""Jobs: parts of a bound that are searched separately, in this process or elsewhere.

A job is a number of paths that have been started and prefixes that have not. It ends when all of it is searched, at a
solution, or when it has expanded the nodes of its budget; the rest is then divided into further jobs. All of this
depends on the job alone. So a bound expands the same nodes and finds the same solution wherever its jobs are run, and
in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.cpu.outcomes import FOUND, PAUSED
from gpusolve.games.sliding.databases.catalogue import databases_of, partition_for
from gpusolve.games.sliding.rules import MOVES
from gpusolve.games.sliding.search import kernels
from gpusolve.games.sliding.search.paths import Paths, join, split
from gpusolve.games.sliding.search.symmetry import ALL, first_moves
from gpusolve.games.sliding.search.tree import Limit, Tree

LANES = 512
"""Number of paths that a CPU searches side by side. The numbers of nodes below are for this many lanes."""
NODES_PER_PATH = 40_000  # a step searches one more path for each multiple of this number that the bound has expanded
FIRST_BUDGET = 1_000  # nodes per path while there are few paths
LEAST_SHARE, MOST_SHARE = 200_000, 8_000_000  # nodes of all paths of a launch
NODES_PER_JOB = 40_000_000
LEAST_PARTS = 4  # minimum number of jobs into which the rest of a job is divided
UNKNOWN = 255
"""Stands for the least height below a prefix that has not been searched."""


@dataclass(frozen=True, eq=False)
class Job:
    """Some of the paths within a limit.

    Attributes
    ----------
    limit : Limit
        The bound.
    all_solutions : bool
        Whether the search continues after a solution.
    lanes : int
        Number of paths that are searched side by side.
    level : int
        Number of moves of the prefixes.
    started : Paths
        Paths whose search has started. They come first.
    prefixes : ndarray of int32
        The numbers of the prefixes that come after them.
    before : int
        Number of nodes of the bound that were expanded on the way to this job.
    budget : int
        Number of nodes after which the job ends.
    expected : int
        Expected number of nodes in all.
    """

    limit: Limit
    all_solutions: bool
    lanes: int
    level: int
    started: Paths
    prefixes: npt.NDArray[np.int32]
    before: int
    budget: int
    expected: int

    def __len__(self) -> int:
        return len(self.started) + len(self.prefixes)

    def parts(self) -> list[Job]:
        """Return the jobs into which this job is divided, in the same order, if its budget is spent; else the job."""
        if self.budget > 0:
            return [self]
        size = nodes_per_job(self.lanes)
        started = len(self.started)
        count = min(max(LEAST_PARTS, self.expected // size), len(self))
        cuts = [len(self) * i // count for i in range(count + 1)]
        return [
            replace(
                self,
                started=self.started[min(first, started) : min(last, started)],
                prefixes=self.prefixes[max(0, first - started) : max(0, last - started)],
                budget=size,
                expected=self.expected // count,
            )
            for first, last in pairwise(cuts)
        ]


@dataclass(frozen=True, eq=False)
class JobResult:
    """The result of a job.

    Attributes
    ----------
    expanded, generated : int
        Number of nodes.
    nearest : ndarray of uint8, shape (prefixes,)
        The least height below each prefix of the level, or UNKNOWN.
    solutions : list of str
        The solutions, as moves of the numbered board.
    rest : Job or None
        The part of the job that has not been searched; None if there is none.
    """

    expanded: int
    generated: int
    nearest: npt.NDArray[np.uint8]
    solutions: list[str]
    rest: Job | None


def lanes_of(backend: Backend) -> int:
    """Return the number of paths that a device searches side by side; on a GPU each path takes a thread."""
    return backend.lanes(LANES, kernels.BYTES_PER_PATH)


def nodes_per_job(lanes: int) -> int:
    """Return the number of nodes of a job, about a second of work."""
    return NODES_PER_JOB * lanes // LANES


def job_runner(
    board: Board, partition: str, depth: int, all_solutions: bool, backend: Backend
) -> Callable[[Job], JobResult]:
    """Return a worker's function that runs a job of this board to its end."""
    databases = databases_of(partition_for(board, partition), backend)
    first = ALL if all_solutions else first_moves(board)
    return partial(run_job, kernels.open_root(databases, board.numbered().tiles, databases.automaton(depth), first))


def run_job(root: Tree, job: Job) -> JobResult:
    """Run a job to its end."""
    result = run_step(root, job)
    while result.rest is not None and result.rest.budget > 0:
        step = run_step(root, result.rest)
        result = replace(
            step,
            expanded=result.expanded + step.expanded,
            generated=result.generated + step.generated,
            nearest=np.minimum(result.nearest, step.nearest),
            solutions=result.solutions + step.solutions,
        )
    return result


def window_of(lanes: int, before: int) -> int:
    """Return the number of paths that a step searches side by side.

    They are few at first, since a step that searches many paths a little starts those that it need not have started.
    After `before` nodes of the bound the same share of all lanes searches, on a CPU and on a GPU.

    >>> [window_of(512, before) for before in (0, 40_000, 4_000_000, 40_000_000)]
    [64, 65, 164, 512]
    >>> [window_of(8192, before) for before in (0, 40_000, 4_000_000, 40_000_000)]
    [1024, 1040, 2624, 8192]
    """
    return min(max(1, lanes // 8) + before * lanes // (NODES_PER_PATH * LANES), lanes)


def run_step(root: Tree, job: Job) -> JobResult:
    """Search some of a job's paths in one launch."""
    most, least = (share * job.lanes // LANES for share in (MOST_SHARE, LEAST_SHARE))
    window = window_of(job.lanes, job.before)
    prefixes = root.prefixes(job.level)
    # Started paths come first, split so that they fill the window; then the prefixes that came nearest to the goal.
    started = split(job.started, window, root.walk)
    taken = max(0, window - len(started))
    paths = join(started, prefixes[job.prefixes[:taken]])
    batch, waiting = paths[:window], paths[window:]
    budget = min(max(least, job.before // 4), most) // len(batch) if len(batch) > window // 2 else FIRST_BUDGET
    searched = root.search(batch, limit=job.limit, budget=budget)
    expanded = int(searched.expanded.sum())
    nearest = np.full(len(prefixes), UNKNOWN, np.uint8)
    heights = np.minimum(searched.nearest // job.limit.weight, UNKNOWN - 1).astype(np.uint8)
    np.minimum.at(nearest, batch.owner, heights)
    at_goal = searched.status == FOUND
    after = searched.paths
    solutions = [
        "".join(MOVES[move] for move in moves[:length])
        for moves, length in zip(after.moves[at_goal], after.length[at_goal], strict=True)
    ]
    after.skip[at_goal] = 1  # the goal has been entered, and the search continues after it
    unfinished = (searched.status == PAUSED) | (at_goal & job.all_solutions & (after.length >= after.fixed))
    rest = replace(
        job,
        started=join(after[unfinished], waiting),
        prefixes=job.prefixes[taken:],
        before=job.before + expanded,
        budget=job.budget - expanded,
    )
    over = (bool(solutions) and not job.all_solutions) or not len(rest)
    return JobResult(expanded, int(searched.generated.sum()), nearest, solutions, None if over else rest)
