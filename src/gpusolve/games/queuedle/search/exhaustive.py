"""The strategy ``exhaustive``: it tries all slides, leaves out what cannot be better, and so proves the best board.

It goes depth first, a batch of boards at a time, so that memory stays small. The tables of `bounds.line_bounds` bound
what the children of a batch can become, and those whose bound is not above the best score so far are left out. Of the
16^8 sequences of slides of a 4x4 grid with eight letters, one in twenty is scored.

The sequences of the first slides are jobs, one after another, between which the state of the search is saved.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from gpusolve import clock
from gpusolve.backend import Array
from gpusolve.games.queuedle.kernels import NOISE_LEVELS
from gpusolve.games.queuedle.search.auto import MOST_STATES, check_found, puzzle_settings
from gpusolve.games.queuedle.search.bounds import MOST_LINE_BOUNDS, line_bounds, select, widen
from gpusolve.games.queuedle.search.memory import MEMORY, batch_size
from gpusolve.games.queuedle.search.searches import REVIEW_WIDTH, Solution, Solver
from gpusolve.runs.run import Run
from gpusolve.search.space import Progress

BATCH = 20_000
"""Number of boards expanded at a time."""
DEPTH = {3: 7, 4: 6, 5: 5, 6: 4}
"""Grid size -> number of slides after those of a job, at least, so that a job takes a second at most."""
MOST_SPLIT = 4
"""Number of slides of a job, at most: 160,000 jobs on a 5x5 grid."""


@dataclass(frozen=True)
class SearchState:
    """The state of a search between two jobs."""

    score: int
    moves: list[int]
    jobs: int = 0
    """Number of jobs that are done."""
    generated: int = 0


def search_all(
    solver: Solver,
    *,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Progress = lambda generated, best: None,
) -> Solution:
    """Try all slides, and return the best board, which is proven if the search was not cut.

    Parameters
    ----------
    solver : Solver
        The puzzle on its device.
    time_limit : float, optional
        Seconds after which the search is cut. A resumed search does the job that was cut again.
    checkpoint, resume : Path, optional
        The file that the state is saved to after each job, and the file to continue from (`gpusolve.runs.run.Run`).
    progress : callable
        Called after each job with the percentage of jobs done and the best score.

    Returns
    -------
    Solution

    Raises
    ------
    BadInput
        For a negative time limit, too little memory, and a checkpoint of another search.
    """
    settings = puzzle_settings(solver)
    run = Run("queuedle.exhaustive", settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    tables = 1 + MOST_LINE_BOUNDS[solver.puzzle.size]
    batch = batch_size(solver.boards, width=REVIEW_WIDTH, memory=MEMORY, tables=tables)
    if run.state:
        state = SearchState(
            score=run.state.integer("score", 0, MOST_STATES),
            moves=run.state.integers("moves", 0, solver.boards.moves - 1),
            jobs=run.state.integer("jobs", 0, MOST_STATES),
            generated=run.state.integer("generated", 0, 1000 * MOST_STATES),
        )
        check_found(solver, run.state, "score", state.score, state.moves)
    else:
        first = solver.run_beam([solver.scores], width=REVIEW_WIDTH, batch=min(batch, REVIEW_WIDTH))
        state = SearchState(first.value, first.moves, 0, first.generated)
    search = _Search(solver, state, batch=min(batch, BATCH), deadline=clock.now() + run.time_left)
    jobs = search.first_slides()
    if state.jobs:
        search.generated = state.generated  # which counts the first slides
    with run.saved(lambda: asdict(state)) as more:
        while state.jobs < jobs.count and state.score < solver.bound and more():
            if not search.try_all(jobs.part(state.jobs, state.jobs + 1)):
                break
            state = SearchState(search.score, search.moves, state.jobs + 1, search.generated)
            progress(100 * state.jobs // jobs.count, state.score)
    done = state.jobs >= jobs.count or search.score == solver.bound
    return solver.solution(
        search.score,
        search.moves,
        strategy="exhaustive",
        generated=search.generated,
        seconds=run.seconds,
        complete=done,
        proven=done,
    )


@dataclass(frozen=True)
class _Level:
    """States that equally many slides lead to, and these slides, uint8 (slides, count)."""

    states: Array
    slides: Array

    @property
    def count(self) -> int:
        """Number of states."""
        return int(self.states.shape[1])

    def part(self, first: int, last: int) -> _Level:
        """Return the states from `first` to before `last`."""
        return _Level(self.states[:, first:last].copy(), self.slides[:, first:last])


class _Search:
    """A search under way: the best board so far, and the tables that bound what others can become."""

    def __init__(self, solver: Solver, state: SearchState, *, batch: int, deadline: float) -> None:
        self.score, self.moves, self.generated = state.score, state.moves, state.generated
        self._solver, self._batch, self._deadline = solver, batch, deadline
        position, scores = solver.position, solver.backend.to_host(solver.scores)
        tables = line_bounds(select(scores, position), position)[1:]
        self._bounds = [solver.scores, *(solver.backend.asarray(widen(table, position)) for table in tables)]
        self._queue = len(position.queue)

    def first_slides(self) -> _Level:
        """Return the jobs: what all sequences of the first slides lead to."""
        level = _Level(self._solver.root, self._solver.backend.xp.zeros((0, 1), np.uint8))
        for _ in range(min(MOST_SPLIT, self._queue - DEPTH[self._solver.puzzle.size])):
            level = self._children(level, everything=True)
        return level

    def try_all(self, level: _Level) -> bool:
        """Try all slides after those of the level; return False if the deadline passed before."""
        if len(level.slides) == self._queue:
            return True
        for first in range(0, level.count, self._batch):
            if clock.now() > self._deadline:
                return False
            children = self._children(level.part(first, first + self._batch))
            if children.count and not self.try_all(children):
                return False
        return True

    def _children(self, level: _Level, everything: bool = False) -> _Level:
        """Return what the next slides lead to, best bound first, without what cannot become better than the best."""
        solver, xp = self._solver, self._solver.backend.xp
        left = self._queue - len(level.slides) - 1
        bounded = left < len(self._bounds) and not everything
        keys = solver.boards.expand(level.states, 0, level.count, table=self._bounds[left if bounded else 0])
        self.generated += int((keys > 0).sum())
        chosen = keys > NOISE_LEVELS * (self.score + 1) if bounded else keys > 0
        parents, moves = xp.nonzero(chosen)
        order = xp.argsort(-keys[parents, moves].astype(np.int32), kind="stable")
        parents, moves = parents[order].astype(np.int32), moves[order].astype(np.uint16)
        states = solver.boards.slide(level.states, parents, moves)
        slides = xp.concatenate([level.slides[:, parents], moves.astype(np.uint8)[None]])
        if len(parents):
            scores = solver.boards.totals(states, solver.scores)
            best = int(scores.argmax())
            if int(scores[best]) > self.score:
                self.score, self.moves = int(scores[best]), [*solver.moves, *map(int, slides[:, best])]
        return _Level(states, slides)
