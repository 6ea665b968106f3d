"""Optimal solutions, by iterative deepening: all paths of at most so many moves, then of two more (IDA*, Korf 1985)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import kind, number, whole
from gpusolve.games.sliding import kernels
from gpusolve.games.sliding.automata import automaton
from gpusolve.games.sliding.boards import Board, check_solvable
from gpusolve.games.sliding.catalogue import Progress as Building
from gpusolve.games.sliding.catalogue import load_tables, partition_of
from gpusolve.games.sliding.paths import Walk, join, packed, prefixes, root, split, text_of, unpacked
from gpusolve.games.sliding.rules import MOVES
from gpusolve.run import Run

DEPTH = 14
"""Length of the forbidden strings of the automaton."""
MOST_BOUND = 250
MOST_WEIGHT = 10
FINEST = 10  # denominator of a weight
LEAST_WINDOW, MOST_WINDOW = 64, 512  # paths that are searched at once: more as the search of a bound goes on
NODES_PER_PATH = 40_000  # so many nodes later, one more
FIRST_BUDGET = 1_000  # nodes of a path, while there are few
LEAST_SHARE, MOST_SHARE = 200_000, 8_000_000  # nodes of all paths of a launch
NODES_PER_PREFIX = 40  # in the last bound
MOST_PREFIXES = 40_000
UNKNOWN = 255
"""Stands for the least height below a prefix that has not been searched."""


@dataclass(frozen=True)
class Bound:
    """A search of all paths within a bound. `expanded`: nodes entered with a height above 0; `generated`: children."""

    bound: int
    expanded: int
    generated: int
    seconds: float


@dataclass(frozen=True)
class Status:
    """How far a search has come: nodes expanded within the bound, seconds, and how many to expect (0: unknown)."""

    bound: int
    expanded: int
    expected: int
    seconds: float


@dataclass(frozen=True)
class Solution:
    """What was found. `moves`: U D L R of the blank on the board as it was given; None where nothing was found.

    No solution has fewer than `least` moves; `moves` is proven optimal if it has as many. `solutions` are all of that
    length if they were asked for, else the one. The last of `bounds` may have been left before its end. `complete`:
    whether the search came to its end.
    """

    board: Board
    moves: str | None
    solutions: list[str]
    least: int
    bounds: list[Bound]
    seconds: float
    complete: bool

    @property
    def proven(self) -> bool:
        """Whether `moves` is proven optimal."""
        return self.moves is not None and len(self.moves) <= self.least

    @property
    def ratio(self) -> float | None:
        """How many times longer than an optimal solution it is at the most, proven."""
        return None if self.moves is None else max(1.0, len(self.moves) / max(1, self.least))

    @property
    def expanded(self) -> int:
        """Nodes expanded in all."""
        return sum(bound.expanded for bound in self.bounds)

    @property
    def generated(self) -> int:
        """Nodes generated in all."""
        return sum(bound.generated for bound in self.bounds)


def solve(
    board: Board,
    partition: str | None = None,
    depth: int = DEPTH,
    bound: int | None = None,
    all_solutions: bool = False,
    weight: float = 1.0,
    building: Building | None = None,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Status], object] = lambda status: None,
    backend: Backend | None = None,
) -> Solution:
    """An optimal solution of a board; with `all_solutions` every one.

    `partition`: a name or sets of tiles (`catalogue.partition_of`). `depth`: of the automaton, 2 to forbid nothing but
    to take a move back, as `all_solutions` needs it. `bound`: solutions of more moves are not looked for. `weight`:
    above 1, the solution may be so many times longer than an optimal one, and is found sooner. Raises NoSolution for a
    board that cannot be solved, BadInput for numbers out of range and a checkpoint of another search.

    >>> from gpusolve.games.sliding import parse_board
    >>> solve(parse_board("8 6 7 / 2 5 4 / 3 0 1")).least
    27
    """
    kind("board", board, Board)
    number("weight", weight, 1, MOST_WEIGHT)
    if bound is not None:
        whole("bound", bound, 0, MOST_BOUND)
    check_solvable(board)
    tables_of = partition_of(board.rows, board.columns, partition)
    exact = Fraction(weight).limit_denominator(FINEST)
    depth = 2 if all_solutions else depth
    settings = {
        "board": str(board),
        "goal": board.goal,
        "partition": str(tables_of),
        "depth": depth,
        "bound": bound,
        "all_solutions": all_solutions,
        "weight": float(exact),
    }
    run = Run("sliding.solve", settings, 0, checkpoint, resume, time_limit)
    backend = open_backend(backend)
    forbidden = _forbidden(board.rows, board.columns, depth)
    tables = load_tables(tables_of, backend, building)
    search = _Search(board, tables, forbidden, exact, bound, all_solutions, backend)
    if run.state:
        search.restore(run.state)
    with run.saved(search.state) as more:
        while not search.over and more():
            search.step()
            progress(search.status)
    return replace(search.solution(), seconds=run.seconds)


@lru_cache(4)
def _forbidden(rows: int, columns: int, depth: int) -> tuple[npt.NDArray[np.int32], int, npt.NDArray[np.uint32]]:
    """The automaton's table, the state where it starts, and the table as the kernels have it."""
    found = automaton(rows, columns, depth)
    return found.table, int(found.starts[0]), kernels.packed(found.table)


class _Search:
    """Where a search is: the bound, the prefixes it is divided into, and the paths that have been begun.

    The tree is cut into prefixes, all paths of some number of moves. Those below which the search of the last bound
    came nearest to the goal are searched first: most often it is found below one of the first (see
    benchmarks/results/sliding.md).
    """

    def __init__(
        self,
        board: Board,
        tables: kernels.Tables,
        forbidden: tuple[npt.NDArray[np.int32], int, npt.NDArray[np.uint32]],
        weight: Fraction,
        most: int | None,
        all_solutions: bool,
        backend: Backend,
    ) -> None:
        self.board, self.backend, self.tables, self.most, self.every = board, backend, tables, most, all_solutions
        first = board.blank_first()
        self.start = np.array(first.tiles, np.uint8)
        table, state, automaton_words = forbidden
        self.walk = Walk(kernels.neighbours(board.rows, board.columns), first.blank, table, state)
        self.automaton = backend.asarray(automaton_words)
        heights, at = kernels.measure(backend, tables, self.start[None])
        self.at = at[0]
        views = heights[0].reshape(2, -1).sum(axis=1)
        self.heights = int(views[0]), int(views[1])
        self.limit = kernels.Limit(weight.numerator * max(self.heights), weight.denominator, weight.numerator)
        self.least = max(self.heights)
        self.bounds: list[Bound] = []
        self.found: list[str] = [""] if first.is_solved else []
        self.over = first.is_solved
        if not self.over:
            self.searched(root(), 0)  # compiles, which is no part of the first bound
        self.level = 0  # moves of the prefixes
        self.nearest = np.full(1, UNKNOWN, np.uint8)  # below each prefix, in the last bound
        self.begin()
        self._whole = self._state()

    def begin(self) -> None:
        """Divides the work of a bound."""
        if self.most is not None and self.limit.bound > self.most * self.limit.pace:
            self.over = True
        before = self.bounds[-1].expanded if self.bounds else 0
        work = prefixes(self.walk, self.level) if self.level else root()
        while len(work) < before // NODES_PER_PREFIX:
            finer = prefixes(self.walk, self.level + 1)
            if len(finer) > MOST_PREFIXES:
                break
            another = (finer.counted <= self.level) & (np.arange(len(finer)) > 0)
            self.nearest = self.nearest[np.cumsum(another)]  # each takes on what is known of the one it is part of
            work, self.level = finer, self.level + 1
        self.work = work
        self.order = np.argsort(self.nearest, kind="stable").astype(np.int32)
        self.taken = 0
        self.open = work[:0]
        self.now = np.full(len(work), UNKNOWN, np.uint8)
        self.expanded = self.generated = 0
        self.seconds = 0.0

    def step(self) -> None:
        """Searches some paths for a while; at the end of a bound, the next begins."""
        begin = time.monotonic()
        window = min(LEAST_WINDOW + self.expanded // NODES_PER_PATH, MOST_WINDOW)
        # What has been begun comes first, in as many parts as are wanted; then what comes nearest to the goal.
        begun = split(self.open, window, self.walk)
        following = self.order[self.taken : self.taken + max(0, window - len(begun))]
        self.taken += len(following)
        paths = join(begun, self.work[following])
        batch, rest = paths[:window], paths[window:]
        share = min(max(LEAST_SHARE, self.expanded // 4), MOST_SHARE)
        budget = share // len(batch) if len(batch) > window // 2 else FIRST_BUDGET
        searched = self.searched(batch, budget)
        self.expanded += int(searched.expanded.sum())
        self.generated += int(searched.generated.sum())
        near = np.minimum(searched.nearest // self.limit.weight, UNKNOWN - 1).astype(np.uint8)
        np.minimum.at(self.now, batch.owner, near)
        at_goal = searched.status == kernels.FOUND
        for moves, length in zip(searched.paths.moves[at_goal], searched.paths.length[at_goal], strict=True):
            self.found.append(self._as_given(text_of(moves[:length], MOVES)))
        after = searched.paths
        after.skip[at_goal] = 1  # a goal has been entered, and what comes after it
        going_on = (searched.status == kernels.PAUSED) | (at_goal & self.every & (after.length >= after.fixed))
        self.open = join(after[going_on], rest)
        self.seconds += time.monotonic() - begin
        done = not len(self.open) and self.taken == len(self.order)
        if done or (self.found and not self.every):
            self._finish()
        self._whole = self._state()

    def searched(self, paths: kernels.Paths, budget: int) -> kernels.Searched:
        """Paths searched on, within the bound, for so many nodes each."""
        slacks = self.limit.slack(self.heights[0]), self.limit.slack(self.heights[1])
        news = kernels.news_of(self.walk.automaton, self.walk.state, slacks)
        return kernels.search(
            self.backend, self.tables, self.automaton, self.start, self.at, news, self.limit, budget, paths
        )

    def _finish(self) -> None:
        pace, weight = self.limit.pace, self.limit.weight
        self.bounds.append(Bound(self.limit.bound // pace, self.expanded, self.generated, self.seconds))
        if self.found:
            self.over = True
            return
        # Beyond the bound, pace * moves + weight * height is at least bound + 1 on every way to the goal.
        beyond = -(-(self.limit.bound + 1) // max(pace, weight))
        self.least = max(self.least, beyond + (beyond - self.least) % 2)
        self.nearest = self.now
        self.limit = replace(self.limit, bound=self.limit.bound + 2 * pace)
        self.begin()

    def _as_given(self, moves: str) -> str:
        return moves if self.board.goal == "blank-first" else "".join(MOVES[MOVES.index(move) ^ 1] for move in moves)

    @property
    def status(self) -> Status:
        """For whoever watches."""
        past = [bound.expanded for bound in self.bounds[-2:]]
        expected = past[1] * past[1] // past[0] if len(past) == 2 and past[0] else 0
        return Status(self.limit.bound // self.limit.pace, self.expanded, max(expected, self.expanded), self.seconds)

    def solution(self) -> Solution:
        """What has been found so far; the seconds are the caller's to fill in."""
        bounds = list(self.bounds)
        if not self.over:
            bounds.append(Bound(self.limit.bound // self.limit.pace, self.expanded, self.generated, self.seconds))
        found = sorted(set(self.found), key=lambda moves: (len(moves), [MOVES.index(move) for move in moves]))
        asked = found if self.every else found[:1]
        return Solution(self.board, found[0] if found else None, asked, self.least, bounds, 0.0, self.over)

    def state(self) -> dict[str, Any]:
        """For the checkpoint: what was so after the last step; Ctrl-C may have come in the middle of the next."""
        numbers, paths = self._whole
        return numbers | {f"open_{name}": array for name, array in packed(paths).items()}

    def _state(self) -> tuple[dict[str, Any], kernels.Paths]:
        numbers = {
            "limit": self.limit.bound,
            "least": self.least,
            "level": self.level,
            "taken": self.taken,
            "counts": [self.expanded, self.generated],
            "bound_seconds": self.seconds,
            "bounds": [list(vars(bound).values()) for bound in self.bounds],
            "found": list(self.found),
            "over": self.over,
            "nearest": self.nearest,
            "now": self.now.copy(),
        }
        return numbers, self.open

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a checkpoint."""
        self.limit = replace(self.limit, bound=state["limit"])
        self.bounds = [Bound(*values) for values in state["bounds"]]
        self.level, self.nearest = state["level"], state["nearest"]
        self.begin()
        self.least, self.taken, self.over, self.found = (state[name] for name in ("least", "taken", "over", "found"))
        (self.expanded, self.generated), self.seconds, self.now = state["counts"], state["bound_seconds"], state["now"]
        self.open = unpacked({name.removeprefix("open_"): state[name] for name in state if name.startswith("open_")})
        self._whole = self._state()
