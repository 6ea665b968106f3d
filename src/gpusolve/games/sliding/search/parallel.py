"""Iterative deepening on a device, in jobs for this process or for workers, with checkpoints."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.rules import solves
from gpusolve.games.sliding.search import kernels
from gpusolve.games.sliding.search.deepening import MOST_BOUND, Deepening
from gpusolve.games.sliding.search.jobs import UNKNOWN, Job, JobResult, lanes_of, nodes_per_job
from gpusolve.games.sliding.search.paths import join, packed, read_packed
from gpusolve.games.sliding.search.solution import Bound
from gpusolve.games.sliding.search.tree import Limit, Tree

NODES_PER_PREFIX = 40  # nodes of the last bound per prefix
MOST_PREFIXES = 40_000
MOST_LEVEL = 64  # only a board of 2x2, which has two long paths, could get to prefixes of as many moves
MOST_NODES = 2**62


@dataclass(frozen=True)
class _Snapshot:
    """The state of a search between two steps, in objects that never change."""

    bounds: tuple[Bound, ...]
    solutions: tuple[str, ...]
    nearest: npt.NDArray[np.uint8]
    counts: tuple[tuple[int, int], ...]
    seconds: float
    jobs: tuple[Job, ...]


class ParallelDeepening(Deepening):
    """A search whose bounds are divided into jobs.

    The tree is divided into prefixes: all paths of some number of moves. The prefixes below which the search of the
    last bound came nearest to the goal are searched first, because the goal is usually found below one of the first
    prefixes in this order (see benchmarks/results/sliding.md).

    Attributes
    ----------
    do_jobs : callable
        Yields the result of each job of an iterator, in their order. The iterator can end, and have more jobs after the
        next result.
    jobs : list of Job
        The jobs of the current bound that have not been run, in order.
    counts : list of tuple of int
        Number of nodes expanded and generated before the first of these jobs, between two of them, and after the last.
    nearest : ndarray of uint8
        The least height so far below each prefix, or UNKNOWN.
    """

    do_jobs: Callable[[Iterator[Job]], Iterator[JobResult]]

    def __init__(
        self,
        board: Board,
        root: Tree,
        *,
        weight: Fraction,
        max_bound: int | None,
        all_solutions: bool,
        **options: Any,
    ) -> None:
        self._root, self._weight, height = root, weight.numerator, root.height
        self._level = 0  # number of moves of the prefixes
        self.nearest = np.full(1, UNKNOWN, np.uint8)
        self._sent: deque[Job] = deque()  # jobs that workers have
        self._results: Iterator[JobResult] = iter(())
        self._pace, self._max_bound, self.lower_bound = weight.denominator, max_bound, height
        super().__init__(
            board,
            bound=self._limited(weight.numerator * height),
            lower_bound=height,
            max_bound=max_bound,
            all_solutions=all_solutions,
            pace=weight.denominator,
            most_bound=kernels.MOST_SLACK,
            **options,
        )

    def _prepare(self) -> None:
        """Divide the tree for the current limit into prefixes, and put them in order."""
        before = self._bounds[-1].expanded if self._bounds else 0
        prefixes, nearest = self._root.prefixes(self._level), self.nearest
        while len(prefixes) < before // NODES_PER_PREFIX and self._level < MOST_LEVEL:
            finer = self._root.prefixes(self._level + 1)
            if len(finer) > MOST_PREFIXES:
                break
            is_first = (finer.counted <= self._level) & (np.arange(len(finer)) > 0)
            nearest = nearest[np.cumsum(is_first)]  # each prefix inherits from the prefix that it continues
            prefixes, self._level = finer, self._level + 1
        order, lanes = np.argsort(nearest, kind="stable").astype(np.int32), lanes_of(self._root.backend)
        first_job = Job(
            limit=Limit(self.bound, self._pace, self._weight),
            all_solutions=self._all_solutions,
            lanes=lanes,
            level=self._level,
            started=prefixes[:0],
            prefixes=order,
            before=0,
            budget=nodes_per_job(lanes),
            expected=before,
        )
        self.jobs, self.counts = [first_job], [(0, 0)] * 2
        self.nearest = np.full(len(prefixes), UNKNOWN, np.uint8)

    def _search(self) -> bool:
        """Wait for the next job's result."""
        if not self._sent:
            self._results = self.do_jobs(self)
        result = next(self._results)
        job = self._sent.popleft()
        if job in self.jobs:  # else there is a solution before it
            self.merge(job, result)
        if not self.jobs:
            self._results = iter(())  # cancels the jobs that no worker has started
            self._sent.clear()
        return not self.jobs

    # The jobs are taken from this iterator. It has to be able to end and then continue when a result adds jobs, which a
    # generator cannot do.
    def __iter__(self) -> ParallelDeepening:
        return self

    def __next__(self) -> Job:
        """Return the first job that no worker has."""
        self._sent.append(next(job for job in self.jobs if job not in self._sent))
        return self._sent[-1]

    def merge(self, job: Job, result: JobResult) -> None:
        """Replace a job by the rest of it. A solution removes all jobs after it, with their counts and solutions."""
        index = self.jobs.index(job)
        rest = [] if result.rest is None else result.rest.parts()
        last = bool(result.solutions) and not self._all_solutions
        self.nearest = np.minimum(self.nearest, result.nearest)
        found = [self.board.as_given(moves) for moves in result.solutions]
        self.solutions = found if last else self.solutions + found
        counts = [_sum(self.counts[index], (result.expanded, result.generated)), *[(0, 0)] * len(rest)]
        if not last:
            counts[-1] = _sum(counts[-1], self.counts[index + 1])
        self.jobs[index:] = rest if last else rest + self.jobs[index + 1 :]
        self.counts[index:] = counts if last else counts + self.counts[index + 2 :]

    def _nodes(self) -> tuple[int, int]:
        expanded, generated = (sum(numbers) for numbers in zip(*self.counts, strict=True))
        return expanded, generated

    def _raise_bound(self) -> None:
        # Beyond the bound, pace * moves + weight * height is at least bound + 1 on every path to the goal.
        beyond = -(-(self.bound + 1) // max(self._pace, self._weight))
        step = self._root.step
        self.lower_bound = max(self.lower_bound, beyond + (beyond - self.lower_bound) % step)
        # A solution within weight * lower_bound is at most `weight` times longer than an optimal one.
        self.bound = self._limited(min(self.bound + step * self._pace, self._weight * self.lower_bound))

    def _limited(self, bound: int) -> int:
        """Return the next bound. Where it would be beyond the maximum, the last search goes up to it without a weight.

        With a weight, a solution within the maximum can have nodes that are beyond it.
        """
        if self._max_bound is None or not bound > self._pace * self._max_bound >= self._pace * self.lower_bound:
            return bound
        self._weight = self._pace
        return self._pace * self._max_bound

    def _snapshot(self) -> _Snapshot:
        return _Snapshot(
            bounds=tuple(self._bounds),
            solutions=tuple(self.solutions),
            nearest=self.nearest,
            counts=tuple(self.counts),
            seconds=self._seconds,
            jobs=tuple(self.jobs),
        )

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint: after the last complete step, because Ctrl-C can come within a step."""
        snapshot, jobs = self._kept, self._kept.jobs
        started = join(self._root.prefixes(0)[:0], *(job.started for job in jobs))
        return {
            "bounds": [vars(bound) for bound in snapshot.bounds],
            "solutions": list(snapshot.solutions),
            "nearest": snapshot.nearest,
            "counts": np.array(snapshot.counts, np.int64),
            "bound_seconds": snapshot.seconds,
            "jobs": [
                {
                    "started": len(job.started),
                    "prefixes": len(job.prefixes),
                    "before": job.before,
                    "budget": job.budget,
                    "expected": job.expected,
                }
                for job in jobs
            ],
            "prefixes": np.concatenate([np.zeros(0, np.int32), *(job.prefixes for job in jobs)]),
            **{f"started_{name}": array for name, array in packed(started).items()},
        }

    def restore(self, state: Fields) -> None:
        """Continue from a checkpoint.

        The limit, the lower bound and the level of the prefixes follow from the bounds that are complete.

        Raises
        ------
        BadInput
            If the state is not that of a search.
        """
        if self.board.is_solved:
            return
        jobs = state.objects("jobs")
        self._restore_bounds(state, finished=not jobs)
        self._restore_solutions(state)
        if not jobs and not (self._bounds and self.solutions):
            raise state.wrong("jobs", "a job at least, because there is no solution")
        self.nearest = state.array("nearest", np.uint8, (len(self.nearest),))
        counts = state.array("counts", np.int64, (len(jobs) + 1, 2), 0, MOST_NODES)
        self.counts = [(int(expanded), int(generated)) for expanded, generated in counts]
        self._seconds = state.number("bound_seconds", 0, float("inf"))
        self._restore_jobs(state, jobs)
        self._kept = self._snapshot()

    def _restore_bounds(self, state: Fields, *, finished: bool) -> None:
        """Repeat the bounds that are complete, without searching them. The last one has the solution if `finished`."""
        entries = state.objects("bounds")
        for number, entry in enumerate(entries, 1):
            bound = self.bound // self._pace
            self._bounds.append(
                Bound(
                    bound=entry.integer("bound", bound, bound),
                    expanded=entry.integer("expanded", 0, MOST_NODES),
                    generated=entry.integer("generated", 0, MOST_NODES),
                    seconds=entry.number("seconds", 0, float("inf")),
                )
            )
            if not (finished and number == len(entries)):
                self._raise_bound()
                try:
                    self._begin_bound()
                except BadInput:
                    raise state.wrong("bounds", f"bounds up to {MOST_BOUND} moves") from None
        self.finished |= finished

    def _restore_solutions(self, state: Fields) -> None:
        solutions = state.sequence("solutions")
        for moves in solutions:
            if not isinstance(moves, str) or not solves(self.board, moves):
                raise state.wrong("solutions", "moves that solve the board")
        self.solutions = solutions

    def _restore_jobs(self, state: Fields, entries: list[Fields]) -> None:
        prefixes = state.array("prefixes", np.int32, (None,), 0, len(self.nearest) - 1)
        started = read_packed(state, "started_", owners=len(self.nearest))
        template, self.jobs = self.jobs[0], []
        for entry in entries:
            first = entry.integer("started", 0, len(started))
            last = entry.integer("prefixes", 0 if first else 1, len(prefixes))
            self.jobs.append(
                replace(
                    template,
                    started=started[:first],
                    prefixes=prefixes[:last],
                    before=entry.integer("before", 0, MOST_NODES),
                    budget=entry.integer("budget", 1, MOST_NODES),
                    expected=entry.integer("expected", 0, MOST_NODES),
                )
            )
            started, prefixes = started[first:], prefixes[last:]
        if len(started) or len(prefixes):
            raise state.wrong("jobs", "jobs for all started paths and prefixes")


def _sum(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return first[0] + second[0], first[1] + second[1]
