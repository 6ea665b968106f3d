"""Iterative deepening: all paths of at most so many moves, then of two more, each bound in jobs (IDA*, Korf 1985)."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.games.sliding import kernels
from gpusolve.games.sliding.rules import MOVES
from gpusolve.games.sliding.search.jobs import UNKNOWN, Done, Job, Puzzle, lanes_of, nodes_per_job, prefixes_of
from gpusolve.games.sliding.search.paths import Paths, join, packed, unpacked
from gpusolve.games.sliding.search.solution import Bound, Solution, Status
from gpusolve.runs.cluster import Workers

NODES_PER_PREFIX = 40  # in the last bound
MOST_PREFIXES = 40_000


class Deepening:
    """Where a search is: the bound, the prefixes it is divided into, and the jobs that are left of it, in order.

    The tree is cut into prefixes, all paths of some number of moves. Those below which the search of the last bound
    came nearest to the goal are searched first: most often it is found below one of the first (see
    benchmarks/results/sliding.md).
    """

    def __init__(self, puzzle: Puzzle, weight: Fraction, most: int | None, every: bool) -> None:
        self.puzzle, self.most, self.every = puzzle, most, every
        self.lanes = lanes_of(puzzle.backend)
        self.least = max(puzzle.heights)
        self.limit = kernels.Limit(weight.numerator * self.least, weight.denominator, weight.numerator)
        self.bounds: list[Bound] = []
        self.over = puzzle.board.is_solved
        self.found: list[str] = [""] if self.over else []
        self.level = 0  # moves of the prefixes
        self.nearest = np.full(1, UNKNOWN, np.uint8)  # below each prefix, in the last bound
        self.sent: deque[Job] = deque()  # jobs that workers have
        self.results: Iterator[Done] = iter(())
        self.begin()
        self._whole = self._state()

    def begin(self) -> None:
        """Divides the work of a bound."""
        if self.most is not None and self.limit.bound > self.most * self.limit.pace:
            self.over = True
        before = self.bounds[-1].expanded if self.bounds else 0
        work = prefixes_of(self.puzzle, self.level)
        while len(work) < before // NODES_PER_PREFIX:
            finer = prefixes_of(self.puzzle, self.level + 1)
            if len(finer) > MOST_PREFIXES:
                break
            another = (finer.counted <= self.level) & (np.arange(len(finer)) > 0)
            self.nearest = self.nearest[np.cumsum(another)]  # each takes on what is known of the one it is part of
            work, self.level = finer, self.level + 1
        order = np.argsort(self.nearest, kind="stable").astype(np.int32)
        self.jobs = [self.job(work[:0], order, 0, nodes_per_job(self.lanes), before)]
        self.counts = [(0, 0)] * 2  # nodes expanded and generated before the first job, between two, and after the last
        self.now = np.full(len(work), UNKNOWN, np.uint8)
        self.seconds = 0.0

    def job(self, begun: Paths, numbers: npt.NDArray[np.int32], before: int, budget: int, expected: int) -> Job:
        """A job of this bound."""
        return Job(self.limit, self.every, self.lanes, self.level, begun, numbers, before, budget, expected)

    def step(self, workers: Workers[Job, Done]) -> None:
        """Has a job done; at the end of a bound, the next begins."""
        begin = time.monotonic()
        if not self.sent:
            self.results = workers.results(self)
        done = next(self.results)
        job = self.sent.popleft()
        if job in self.jobs:  # else there is a solution before it
            self.merge(job, done)
        self.seconds += time.monotonic() - begin
        if not self.jobs:
            self.results = iter(())  # so that what has not begun never does
            self.sent.clear()
            self._finish()
        self._whole = self._state()

    def __iter__(self) -> Deepening:
        return self

    def __next__(self) -> Job:
        """The first job that no worker has."""
        self.sent.append(next(job for job in self.jobs if job not in self.sent))
        return self.sent[-1]

    def merge(self, job: Job, done: Done) -> None:
        """Puts what is left of a job in its place. Of solutions that of the first job counts, and what comes before."""
        place = self.jobs.index(job)
        left = [] if done.left is None else done.left.parts()
        last = bool(done.solutions) and not self.every
        self.now = np.minimum(self.now, done.nearest)
        self.found = done.solutions if last else self.found + done.solutions
        counts = [_sum(self.counts[place], (done.expanded, done.generated)), *[(0, 0)] * len(left)]
        if not last:
            counts[-1] = _sum(counts[-1], self.counts[place + 1])
        self.jobs[place:] = left if last else left + self.jobs[place + 1 :]
        self.counts[place:] = counts if last else counts + self.counts[place + 2 :]

    def _finish(self) -> None:
        pace, weight = self.limit.pace, self.limit.weight
        self.bounds.append(self._bound())
        if self.found:
            self.over = True
            return
        # Beyond the bound, pace * moves + weight * height is at least bound + 1 on every way to the goal.
        beyond = -(-(self.limit.bound + 1) // max(pace, weight))
        self.least = max(self.least, beyond + (beyond - self.least) % 2)
        self.nearest = self.now
        self.limit = replace(self.limit, bound=self.limit.bound + 2 * pace)
        self.begin()

    def _bound(self) -> Bound:
        expanded, generated = (sum(numbers) for numbers in zip(*self.counts, strict=True))
        return Bound(self.limit.bound // self.limit.pace, expanded, generated, self.seconds)

    @property
    def status(self) -> Status:
        """For whoever watches."""
        past, now = [bound.expanded for bound in self.bounds[-2:]], self._bound()
        expected = past[1] * past[1] // past[0] if len(past) == 2 and past[0] else 0
        return Status(now.bound, now.expanded, max(expected, now.expanded), now.seconds)

    def solution(self) -> Solution:
        """What has been found so far; the seconds are the caller's to fill in."""
        bounds = self.bounds if self.over else [*self.bounds, self._bound()]
        found = sorted(set(self.found), key=lambda moves: (len(moves), [MOVES.index(move) for move in moves]))
        asked = found if self.every else found[:1]
        best = found[0] if found else None
        return Solution(self.puzzle.board, best, asked, self.least, bounds, 0.0, self.over)

    def state(self) -> dict[str, Any]:
        """For the checkpoint: what was so after the last step; Ctrl-C may have come in the middle of the next."""
        numbers, jobs = self._whole
        begun = join(*(job.begun for job in jobs)) if jobs else prefixes_of(self.puzzle, 0)[:0]
        waiting = np.concatenate([np.zeros(0, np.int32), *(job.prefixes for job in jobs)])
        sizes = [[len(job.begun), len(job.prefixes), job.before, job.budget, job.expected] for job in jobs]
        arrays = {f"open_{name}": array for name, array in packed(begun).items()}
        return numbers | arrays | {"waiting": waiting, "jobs": sizes}

    def _state(self) -> tuple[dict[str, Any], list[Job]]:
        numbers = {
            "limit": self.limit.bound,
            "least": self.least,
            "level": self.level,
            "counts": list(self.counts),
            "bound_seconds": self.seconds,
            "bounds": [list(vars(bound).values()) for bound in self.bounds],
            "found": self.found,
            "over": self.over,
            "nearest": self.nearest,
            "now": self.now,
        }
        return numbers, list(self.jobs)

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a checkpoint."""
        self.limit = replace(self.limit, bound=state["limit"])
        self.bounds = [Bound(*values) for values in state["bounds"]]
        self.level, self.nearest = state["level"], state["nearest"]
        self.begin()
        begun = unpacked({name.removeprefix("open_"): state[name] for name in state if name.startswith("open_")})
        if "taken" in state:  # of a version that had one job for a bound
            waiting, done = self.jobs[0].prefixes[state["taken"] :], state["counts"]
            budget = max(1, nodes_per_job(self.lanes) - done[0])
            state |= {"waiting": waiting, "counts": [done, [0, 0]]}
            state["jobs"] = [[len(begun), len(waiting), done[0], budget, self.jobs[0].expected]]
        self.jobs, waiting = [], state["waiting"]
        for paths, numbers, *rest in state["jobs"]:
            self.jobs.append(self.job(begun[:paths], waiting[:numbers], *rest))
            begun, waiting = begun[paths:], waiting[numbers:]
        self.counts = [(expanded, generated) for expanded, generated in state["counts"]]
        self.least, self.over, self.found = (state[name] for name in ("least", "over", "found"))
        self.seconds, self.now = state["bound_seconds"], state["now"]
        self._whole = self._state()


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]
