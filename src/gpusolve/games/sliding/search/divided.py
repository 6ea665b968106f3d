"""Engines whose bounds are divided into jobs, for this process or for workers, with checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from gpusolve.backend import Backend
from gpusolve.checks import check_number
from gpusolve.errors import BadInput
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.search.engine import Engine
from gpusolve.games.sliding.search.jobs import Job, JobResult, run_step
from gpusolve.games.sliding.search.parallel import ParallelDeepening
from gpusolve.games.sliding.search.solution import Solution
from gpusolve.games.sliding.search.tree import Tree
from gpusolve.runs.cluster import open_workers, parse
from gpusolve.runs.run import Run
from gpusolve.search.weight import ratio_of

MOST_WEIGHT = 10
STRONGEST = Fraction(9, 5)
"""The greatest weight that is used: it keeps what a greater one promises, with less work. With greater ones, paths
become so long, and bounds rise in such small steps, that a search takes up to a hundred times the nodes."""


@dataclass(frozen=True, kw_only=True)
class Divided(Engine):
    """IDA* in jobs; `solve` explains the options."""

    all_solutions: bool = False
    weight: float = 1.0
    workers: int | str = 1
    checkpoint: Path | None = None
    resume: Path | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("weight", self.weight, 1, MOST_WEIGHT)
        if self.all_solutions and self.weight > 1:
            raise BadInput(f"weight {self.weight:g}: expected 1 with all_solutions, which finds every optimal one")
        parse(self.workers)

    @property
    def used_weight(self) -> Fraction:
        """The weight that the search uses."""
        return min(ratio_of(self.weight), STRONGEST)

    def run_of(self, board: Board, *, before: float = 0.0, **settings: Any) -> Run:
        """Return the run of a search, with everything that its result depends on, `before` seconds after its begin."""
        settings = {
            "board": str(board),
            "goal": board.goal,
            **settings,
            "bound": self.bound,
            "all_solutions": self.all_solutions,
            "weight": float(self.used_weight),
        }
        return Run(
            "sliding.solve",
            settings,
            seed=0,
            checkpoint=self.checkpoint,
            resume=self.resume,
            time_limit=self.time_limit,
            before=before,
        )

    def find(
        self,
        board: Board,
        tree: Tree,
        run: Run,
        runner: Callable[[Backend], Callable[[Job], JobResult]],
        **options: Any,
    ) -> Solution:
        """Search the tree below a board, here or by workers, each of which makes its `runner` on its device."""
        search = ParallelDeepening(
            board,
            tree,
            weight=self.used_weight,
            max_bound=self.bound,
            all_solutions=self.all_solutions,
            **options,
        )
        if run.state:
            search.restore(run.state)
        if parse(self.workers) == (None, 1):  # a step is one launch, so that progress is shown and Ctrl-C noticed
            search.do_jobs = partial(map, partial(run_step, tree))
            return search.run(run, self.progress)
        with open_workers(self.workers, runner, tree.backend, run=run, progress=self.progress) as workers:
            search.do_jobs = workers.results
            return search.run(run, self.progress)
