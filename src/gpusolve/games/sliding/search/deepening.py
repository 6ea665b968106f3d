"""Iterative deepening (IDA*, Korf 1985): all paths within a bound, then within the next bound, each bound in jobs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.sliding.rules import MOVES, solves
from gpusolve.games.sliding.search import kernels
from gpusolve.games.sliding.search.jobs import UNKNOWN, Job, JobResult, lanes_of, nodes_per_job
from gpusolve.games.sliding.search.paths import join, packed, read_packed
from gpusolve.games.sliding.search.puzzle import Puzzle
from gpusolve.games.sliding.search.solution import Bound, Solution, Status
from gpusolve.runs.cluster import Workers

MOST_BOUND = 250
"""Maximum length of a solution, in moves: no board of up to 5x5 takes as many, and a path has room for a few more."""
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


class Deepening:
    """A search: the current bound, and the jobs that remain of it, in order.

    The tree is divided into prefixes: all paths of some number of moves. The prefixes below which the search of the
    last bound came nearest to the goal are searched first, because the goal is usually found below one of the first
    prefixes in this order (see benchmarks/results/sliding.md).

    Attributes
    ----------
    jobs : list of Job
        The jobs that have not been run.
    counts : list of tuple of int
        Number of nodes expanded and generated before the first of these jobs, between two of them, and after the last.
    nearest : ndarray of uint8
        The least height so far below each prefix, or UNKNOWN.
    finished : bool
        Whether there is nothing left to search.
    """

    def __init__(self, puzzle: Puzzle, *, weight: Fraction, max_bound: int | None, all_solutions: bool) -> None:
        self._puzzle, self._max_bound, self._all_solutions = puzzle, max_bound, all_solutions
        self._lanes = lanes_of(puzzle.root.databases.backend)
        self._lower_bound = max(puzzle.root.heights)
        self._limit = kernels.Limit(weight.numerator * self._lower_bound, weight.denominator, weight.numerator)
        self._bounds: list[Bound] = []
        self.finished = puzzle.board.is_solved
        self.solutions: list[str] = [""] if self.finished else []
        self._level = 0  # number of moves of the prefixes
        self.nearest = np.full(1, UNKNOWN, np.uint8)
        self._sent: deque[Job] = deque()  # jobs that workers have
        self._results: Iterator[JobResult] = iter(())
        self._begin_bound()
        self._snapshot = self._take_snapshot()

    def _begin_bound(self) -> None:
        """Divide the tree for the current limit into prefixes, and put them in order."""
        if self._max_bound is not None and self._limit.bound > self._max_bound * self._limit.pace:
            self.finished = True
        elif self._beyond_room:
            raise BadInput(
                f"{self._puzzle.board}: it takes at least {self._lower_bound} moves: expected a board that takes fewer"
            )
        before = self._bounds[-1].expanded if self._bounds else 0
        prefixes, nearest = self._puzzle.prefixes(self._level), self.nearest
        while len(prefixes) < before // NODES_PER_PREFIX and self._level < MOST_LEVEL:
            finer = self._puzzle.prefixes(self._level + 1)
            if len(finer) > MOST_PREFIXES:
                break
            is_first = (finer.counted <= self._level) & (np.arange(len(finer)) > 0)
            nearest = nearest[np.cumsum(is_first)]  # each prefix inherits from the prefix that it continues
            prefixes, self._level = finer, self._level + 1
        order = np.argsort(nearest, kind="stable").astype(np.int32)
        first_job = Job(
            limit=self._limit,
            all_solutions=self._all_solutions,
            lanes=self._lanes,
            level=self._level,
            started=prefixes[:0],
            prefixes=order,
            before=0,
            budget=nodes_per_job(self._lanes),
            expected=before,
        )
        self.jobs, self.counts = [first_job], [(0, 0)] * 2
        self.nearest = np.full(len(prefixes), UNKNOWN, np.uint8)
        self._seconds = 0.0

    def step(self, workers: Workers[Job, JobResult]) -> None:
        """Wait for the next job's result. After the last job of a bound, begin the next bound."""
        begin = clock.now()
        if not self._sent:
            self._results = workers.results(self)
        result = next(self._results)
        job = self._sent.popleft()
        if job in self.jobs:  # else there is a solution before it
            self.merge(job, result)
        self._seconds += clock.now() - begin
        if not self.jobs:
            self._results = iter(())  # cancels the jobs that no worker has started
            self._sent.clear()
            self._end_bound()
        self._snapshot = self._take_snapshot()

    # The workers take jobs from this iterator. It has to be able to end and then continue when a result adds jobs,
    # which a generator cannot do.
    def __iter__(self) -> Deepening:
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
        self.solutions = result.solutions if last else self.solutions + result.solutions
        counts = [_sum(self.counts[index], (result.expanded, result.generated)), *[(0, 0)] * len(rest)]
        if not last:
            counts[-1] = _sum(counts[-1], self.counts[index + 1])
        self.jobs[index:] = rest if last else rest + self.jobs[index + 1 :]
        self.counts[index:] = counts if last else counts + self.counts[index + 2 :]

    def _end_bound(self) -> None:
        self._bounds.append(self._current_bound())
        if self.solutions:
            self.finished = True
        else:
            self._raise_limit()
            self._begin_bound()

    def _raise_limit(self) -> None:
        # Beyond the bound, pace * moves + weight * height is at least bound + 1 on every path to the goal.
        beyond = -(-(self._limit.bound + 1) // max(self._limit.pace, self._limit.weight))
        self._lower_bound = max(self._lower_bound, beyond + (beyond - self._lower_bound) % 2)
        self._limit = replace(self._limit, bound=self._limit.bound + 2 * self._limit.pace)

    @property
    def _beyond_room(self) -> bool:
        """Whether a path has no room for the moves of a solution, or a node none for how far it is within the limit."""
        return self._lower_bound > MOST_BOUND or self._limit.bound > kernels.MOST_SLACK

    def _current_bound(self) -> Bound:
        expanded, generated = (sum(numbers) for numbers in zip(*self.counts, strict=True))
        return Bound(self._limit.bound // self._limit.pace, expanded, generated, self._seconds)

    @property
    def status(self) -> Status:
        """The progress of the search."""
        past, now = [bound.expanded for bound in self._bounds[-2:]], self._current_bound()
        expected = past[1] * past[1] // past[0] if len(past) == 2 and past[0] else 0
        return Status(now.bound, now.expanded, max(expected, now.expanded), now.seconds, tuple(self._bounds))

    def solution(self, seconds: float) -> Solution:
        """Return the result so far, of a search that took `seconds`."""
        solutions = sorted(set(self.solutions), key=lambda moves: (len(moves), [MOVES.index(move) for move in moves]))
        return Solution(
            board=self._puzzle.board,
            moves=solutions[0] if solutions else None,
            solutions=solutions if self._all_solutions else solutions[:1],
            lower_bound=self._lower_bound,
            bounds=self._bounds if self.finished else [*self._bounds, self._current_bound()],
            seconds=seconds,
            complete=self.finished,
        )

    def _take_snapshot(self) -> _Snapshot:
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
        snapshot = self._snapshot
        jobs = snapshot.jobs
        started = join(self._puzzle.prefixes(0)[:0], *(job.started for job in jobs))
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
        if self.finished and self._puzzle.board.is_solved:
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
        self._snapshot = self._take_snapshot()

    def _restore_bounds(self, state: Fields, *, finished: bool) -> None:
        """Repeat the bounds that are complete, without searching them. The last one has the solution if `finished`."""
        entries = state.objects("bounds")
        for number, entry in enumerate(entries, 1):
            bound = self._limit.bound // self._limit.pace
            self._bounds.append(
                Bound(
                    bound=entry.integer("bound", bound, bound),
                    expanded=entry.integer("expanded", 0, MOST_NODES),
                    generated=entry.integer("generated", 0, MOST_NODES),
                    seconds=entry.number("seconds", 0, float("inf")),
                )
            )
            if not (finished and number == len(entries)):
                self._raise_limit()
                if self._beyond_room:
                    raise state.wrong("bounds", f"bounds up to {MOST_BOUND} moves")
                self._begin_bound()
        self.finished |= finished

    def _restore_solutions(self, state: Fields) -> None:
        solutions = state.sequence("solutions")
        for moves in solutions:
            if not isinstance(moves, str) or not solves(self._puzzle.board, moves):
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
