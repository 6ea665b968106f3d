"""Solving a board with pattern databases: iterative deepening that looks up the height of every node."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from gpusolve import clock
from gpusolve.backend import open_backend
from gpusolve.checks import check_integer, check_number, check_type
from gpusolve.errors import BadInput
from gpusolve.games.sliding.automata.strings import MOST_DEPTH
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import databases_of, partition_for
from gpusolve.games.sliding.databases.choice import alternatives, choose
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.databases.tilesets import Partition
from gpusolve.games.sliding.search.engine import Engine
from gpusolve.games.sliding.search.jobs import job_runner, run_step
from gpusolve.games.sliding.search.kernels import open_root
from gpusolve.games.sliding.search.parallel import ParallelDeepening
from gpusolve.games.sliding.search.solution import Solution
from gpusolve.runs import checkpoint
from gpusolve.runs.cluster import open_workers, parse
from gpusolve.runs.run import Run

DEPTH = 14
"""Default length of the forbidden strings of moves."""
MOST_WEIGHT = 10
STRONGEST = Fraction(9, 5)
"""The greatest weight that is used: it keeps what a greater one promises, with less work. With greater ones, paths
become so long, and bounds rise in such small steps, that a search takes up to a hundred times the nodes."""
FINEST = 10  # greatest denominator of a weight


@dataclass(frozen=True, kw_only=True)
class PatternDatabases(Engine):
    """IDA* with pattern databases and an automaton of forbidden strings of moves; `solve` explains the options."""

    partition: str | None = None
    databases: Databases | None = None
    depth: int = DEPTH
    all_solutions: bool = False
    weight: float = 1.0
    workers: int | str = 1
    checkpoint: Path | None = None
    resume: Path | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.databases is not None:
            check_type("databases", self.databases, Databases)
        check_integer("depth", self.depth, 2, MOST_DEPTH)
        check_number("weight", self.weight, 1, MOST_WEIGHT)
        if self.all_solutions and self.weight > 1:
            raise BadInput(f"weight {self.weight:g}: expected 1 with all_solutions, which finds every optimal one")
        parse(self.workers)

    def solve(self, board: Board) -> Solution:
        """Find an optimal solution, all of them, or with a weight a good one."""
        if self.databases is not None:
            self._check_databases(self.databases, board)
        depth = 2 if self.all_solutions else self.depth
        databases, reason = self.databases, None
        if databases is None and self.partition is None and self.resume is None and (names := alternatives(board)):
            choice = choose(board, names, open_backend(self.backend), depth=depth)
            databases, reason = choice.databases, choice.reason
        partition = databases.partition if databases is not None else self._partition(board)
        weight = min(Fraction(self.weight).limit_denominator(FINEST), STRONGEST)
        settings = {
            "board": str(board),
            "goal": board.goal,
            "partition": str(partition),
            "depth": depth,
            "bound": self.bound,
            "all_solutions": self.all_solutions,
            "weight": float(weight),
        }
        run = Run(
            "sliding.solve",
            settings,
            seed=0,
            checkpoint=self.checkpoint,
            resume=self.resume,
            time_limit=self.time_limit,
        )
        with clock.building:
            databases = databases or databases_of(partition, open_backend(self.backend))
            root = open_root(databases, board.numbered().tiles, databases.automaton(depth))
        search = ParallelDeepening(board, root, weight=weight, max_bound=self.bound, all_solutions=self.all_solutions)
        if run.state:
            search.restore(run.state)
        if parse(self.workers) == (None, 1):  # a step is one launch, so that progress is shown and Ctrl-C noticed
            search.do_jobs = partial(map, partial(run_step, root))
            found = search.run(run, self.progress)
            return replace(found, partition=str(partition), choice=reason)
        runner = partial(job_runner, board, str(partition), depth)
        with open_workers(self.workers, runner, databases.backend, run=run, progress=self.progress) as workers:
            search.do_jobs = workers.results
            found = search.run(run, self.progress)
            return replace(found, partition=str(partition), choice=reason)

    def _partition(self, board: Board) -> Partition:
        """Return the partition that was asked for, that of the checkpoint if the board chose it, or the default."""
        if self.partition is None and self.resume is not None:
            settings, _ = checkpoint.load(self.resume, "sliding.solve")
            for name in alternatives(board):
                if str(partition := partition_for(board, name)) == settings.text("partition"):
                    return partition
        return partition_for(board, self.partition)

    def _check_databases(self, databases: Databases, board: Board) -> None:
        """Raise BadInput unless databases fit the board and the other options."""
        own, backend = databases.partition, databases.backend
        if (own.rows, own.columns) != (board.rows, board.columns):
            size = f"{board.rows}x{board.columns}"
            raise BadInput(f"databases for {own.rows}x{own.columns}: expected databases for a board of {size}")
        if own.layout != board.layout:
            raise BadInput(f"databases of another goal than {board.goal}: expected databases for this goal")
        if self.partition is not None and partition_for(board, self.partition) != own:
            raise BadInput(f"partition {self.partition}: expected that of the databases, {own}")
        if self.backend is not None and (other := open_backend(self.backend)) is not backend:
            raise BadInput(f"backend {other.name}: expected that of the databases, {backend.name}")
