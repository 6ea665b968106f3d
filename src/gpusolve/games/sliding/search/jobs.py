"""Jobs: parts of a bound that are searched by themselves, in this process or elsewhere.

A job is some prefixes that wait and some paths that have been begun. It ends when nothing of it is left, at a solution,
or when it has expanded as many nodes as it may; what is left then is divided into further jobs. All of this depends on
the job alone, so a bound comes to the same nodes and the same solution wherever its jobs are done, and in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend
from gpusolve.games.sliding import kernels
from gpusolve.games.sliding.automata._automaton import automaton
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import Progress, load_tables, partition_of
from gpusolve.games.sliding.rules import MOVES
from gpusolve.games.sliding.search.paths import Paths, Walk, join, prefixes, root, split, text_of

LANES = 512
"""Paths that a CPU searches at once. Numbers of nodes below are for so many."""
NODES_PER_PATH = 40_000  # so many nodes later, one more is searched at once
FIRST_BUDGET = 1_000  # nodes of a path, while there are few
LEAST_SHARE, MOST_SHARE = 200_000, 8_000_000  # nodes of all paths of a launch
NODES_PER_JOB = 40_000_000
LEAST_PARTS = 4  # into which what is left of a job is divided
UNKNOWN = 255
"""Stands for the least height below a prefix that has not been searched."""


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A board, and what a search of it needs on a device. `heights`: of the board, in both views."""

    board: Board
    backend: Backend
    tables: kernels.Tables
    automaton: Array
    walk: Walk
    start: npt.NDArray[np.uint8]
    at: npt.NDArray[np.int64]
    heights: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Job:
    """Some of the paths within a limit.

    `lanes`: how many are searched at once. `every`: whether the search goes on after a solution. `begun`: paths that
    come first; then those of the `prefixes` (int32) of `level` moves. `before`: nodes of the bound that were expanded
    on the way here; `budget`: nodes after which it ends; `expected`: about how many there are in all.
    """

    limit: kernels.Limit
    every: bool
    lanes: int
    level: int
    begun: Paths
    prefixes: npt.NDArray[np.int32]
    before: int
    budget: int
    expected: int

    def parts(self) -> list[Job]:
        """What is left of it when its budget is spent, in the same order, in jobs of their own; itself until then."""
        if self.budget > 0:
            return [self]
        size = nodes_per_job(self.lanes)
        begun = len(self.begun)
        items = begun + len(self.prefixes)
        count = min(max(LEAST_PARTS, self.expected // size), items)
        cuts = [items * i // count for i in range(count + 1)]
        return [
            replace(
                self,
                begun=self.begun[min(first, begun) : min(last, begun)],
                prefixes=self.prefixes[max(0, first - begun) : max(0, last - begun)],
                budget=size,
                expected=self.expected // count,
            )
            for first, last in pairwise(cuts)
        ]


@dataclass(frozen=True, eq=False)
class Done:
    """What a job came to. `nearest`: uint8, the least height met below each prefix of the level, or UNKNOWN.

    `left`: what is still to be searched of it, None if nothing is.
    """

    expanded: int
    generated: int
    nearest: npt.NDArray[np.uint8]
    solutions: list[str]
    left: Job | None


def lanes_of(backend: Backend) -> int:
    """How many paths a device searches at once: on a GPU a thread each, as many as it runs."""
    return backend.lanes(LANES, kernels.BYTES_PER_PATH)


def nodes_per_job(lanes: int) -> int:
    """A second's work."""
    return NODES_PER_JOB * lanes // LANES


def open_puzzle(board: Board, partition: str, depth: int, backend: Backend, building: Progress | None = None) -> Puzzle:
    """A board with its tables, which are built if they are not there, and the automaton of strings up to `depth`."""
    table, state, words = _forbidden(board.rows, board.columns, depth)
    tables = load_tables(partition_of(board.rows, board.columns, partition), backend, building)
    first = board.blank_first()
    start = np.array(first.tiles, np.uint8)
    walk = Walk(kernels.neighbours(board.rows, board.columns), first.blank, table, state)
    heights, at = kernels.measure(backend, tables, start[None])
    views = heights[0].reshape(2, -1).sum(axis=1)
    puzzle = Puzzle(board, backend, tables, backend.asarray(words), walk, start, at[0], (int(views[0]), int(views[1])))
    _search(puzzle, kernels.Limit(max(puzzle.heights)), root(), 0)  # compiles, which is no part of a bound
    return puzzle


@lru_cache(4)
def _forbidden(rows: int, columns: int, depth: int) -> tuple[npt.NDArray[np.int32], int, npt.NDArray[np.uint32]]:
    """The automaton's table, the state where it starts, and the table as the kernels have it."""
    found = automaton(rows, columns, depth)
    return found.table, int(found.starts[0]), kernels.packed(found.table)


@lru_cache(2)
def prefixes_of(puzzle: Puzzle, level: int) -> Paths:
    """All prefixes of a level."""
    return prefixes(puzzle.walk, level)


def searching(board: Board, partition: str, depth: int, backend: Backend) -> Callable[[Job], Done]:
    """What does a job of this board to its end."""
    return partial(searched, open_puzzle(board, partition, depth, backend))


def searched(puzzle: Puzzle, job: Job) -> Done:
    """Does a job to its end."""
    done = stepped(puzzle, job)
    while done.left is not None and done.left.budget > 0:
        more = stepped(puzzle, done.left)
        done = replace(
            more,
            expanded=done.expanded + more.expanded,
            generated=done.generated + more.generated,
            nearest=np.minimum(done.nearest, more.nearest),
            solutions=done.solutions + more.solutions,
        )
    return done


def stepped(puzzle: Puzzle, job: Job) -> Done:
    """Searches some of a job's paths for a while."""
    most, least = (share * job.lanes // LANES for share in (MOST_SHARE, LEAST_SHARE))
    window = min(max(1, job.lanes // 8) + job.before // NODES_PER_PATH, job.lanes)
    work = prefixes_of(puzzle, job.level)
    # What has been begun comes first, in as many parts as are wanted; then what comes nearest to the goal.
    begun = split(job.begun, window, puzzle.walk)
    taken = max(0, window - len(begun))
    paths = join(begun, work[job.prefixes[:taken]])
    batch, rest = paths[:window], paths[window:]
    budget = min(max(least, job.before // 4), most) // len(batch) if len(batch) > window // 2 else FIRST_BUDGET
    searched = _search(puzzle, job.limit, batch, budget)
    expanded = int(searched.expanded.sum())
    nearest = np.full(len(work), UNKNOWN, np.uint8)
    near = np.minimum(searched.nearest // job.limit.weight, UNKNOWN - 1).astype(np.uint8)
    np.minimum.at(nearest, batch.owner, near)
    at_goal = searched.status == kernels.FOUND
    after = searched.paths
    texts = [
        text_of(moves[:length], MOVES)
        for moves, length in zip(after.moves[at_goal], after.length[at_goal], strict=True)
    ]
    after.skip[at_goal] = 1  # a goal has been entered, and what comes after it
    going_on = (searched.status == kernels.PAUSED) | (at_goal & job.every & (after.length >= after.fixed))
    left = replace(
        job,
        begun=join(after[going_on], rest),
        prefixes=job.prefixes[taken:],
        before=job.before + expanded,
        budget=job.budget - expanded,
    )
    over = (bool(texts) and not job.every) or not len(left.begun) + len(left.prefixes)
    solutions = [_as_given(moves, puzzle.board) for moves in texts]
    return Done(expanded, int(searched.generated.sum()), nearest, solutions, None if over else left)


def _search(puzzle: Puzzle, limit: kernels.Limit, paths: Paths, budget: int) -> kernels.Searched:
    """Paths searched on, within the limit, for so many nodes each."""
    slacks = limit.slack(puzzle.heights[0]), limit.slack(puzzle.heights[1])
    news = kernels.news_of(puzzle.walk.automaton, puzzle.walk.state, slacks)
    return kernels.search(
        puzzle.backend, puzzle.tables, puzzle.automaton, puzzle.start, puzzle.at, news, limit, budget, paths
    )


def _as_given(moves: str, board: Board) -> str:
    """Moves of the board turned so that its blank comes first, as moves of the board."""
    return moves if board.goal == "blank-first" else "".join(MOVES[MOVES.index(move) ^ 1] for move in moves)
