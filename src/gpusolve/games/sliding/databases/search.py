"""Solving a board with pattern databases: iterative deepening that looks up the height of every node."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from gpusolve import clock
from gpusolve.backend import open_backend
from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput
from gpusolve.games.sliding.automata.strings import MOST_DEPTH
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import databases_of, partition_for
from gpusolve.games.sliding.databases.choice import alternatives, choose, chosen_before
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.databases.tilesets import Partition
from gpusolve.games.sliding.search.divided import Divided
from gpusolve.games.sliding.search.jobs import job_runner
from gpusolve.games.sliding.search.kernels import open_root
from gpusolve.games.sliding.search.solution import Solution
from gpusolve.games.sliding.search.symmetry import ALL, first_moves

DEPTH = 14
"""Default length of the forbidden strings of moves."""


@dataclass(frozen=True, kw_only=True)
class PatternDatabases(Divided):
    """IDA* with pattern databases and an automaton of forbidden strings of moves; `solve` explains the options."""

    partition: str | None = None
    databases: Databases | None = None
    depth: int = DEPTH

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.databases is not None:
            check_type("databases", self.databases, Databases)
        check_integer("depth", self.depth, 2, MOST_DEPTH)

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
        run = self.run_of(board, partition=str(partition), depth=depth)
        first = ALL if self.all_solutions else first_moves(board)
        with clock.building:
            databases = databases or databases_of(partition, open_backend(self.backend))
            root = open_root(databases, board.numbered().tiles, databases.automaton(depth), first)
        found = self.find(board, root, run, partial(job_runner, board, str(partition), depth, self.all_solutions))
        return replace(found, partition=str(partition), choice=reason)

    def _partition(self, board: Board) -> Partition:
        """Return the partition that was asked for, that of the checkpoint if the board chose it, or the default."""
        if self.partition is None and self.resume is not None:
            return partition_for(board, chosen_before(board, self.resume))
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
