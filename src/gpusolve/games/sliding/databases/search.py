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
from gpusolve.games.sliding.databases.pairs import Better, Chooser, may_change
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
        databases, reason = self.databases, None
        chooses = databases is None and self.partition is None and self.resume is None
        if chooses and (names := alternatives(board)):
            choice = choose(board, names, open_backend(self.backend), depth=self._depth)
            databases, reason = choice.databases, choice.reason
        partition = databases.partition if databases is not None else self._partition(board)
        begin, better = clock.now(), None
        try:
            engine = self._choosing(board, partition) if chooses else self
            return engine._search(board, partition, databases, reason)
        except Better as error:
            better, spent = error, clock.now() - begin
        left = None if self.time_limit is None else max(0.0, self.time_limit - spent)
        return replace(self, time_limit=left)._search(board, better.partition, None, better.reason, spent)

    @property
    def _depth(self) -> int:
        return 2 if self.all_solutions else self.depth

    def _choosing(self, board: Board, partition: Partition) -> PatternDatabases:
        """Return the engine of a search that changes to a partition of the library when this pays."""
        backend = open_backend(self.backend)
        if not may_change(board, backend):
            return self
        may_build = self.time_limit is None
        return replace(self, progress=Chooser(board, partition, backend, self._depth, may_build, self.progress))

    def _search(
        self, board: Board, partition: Partition, databases: Databases | None, reason: str | None, spent: float = 0.0
    ) -> Solution:
        """Search with a partition that was chosen for some reason, after a search that took `spent` seconds."""
        depth = self._depth
        run = self.run_of(board, before=spent, partition=str(partition), depth=depth)
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
