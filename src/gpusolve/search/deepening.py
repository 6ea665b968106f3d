"""Iterative deepening (IDA*, Korf 1985) over batches: depth first, but many nodes at a time.

The open nodes of the current bound are a stack. Each step takes the topmost nodes, examines all of their moves in one
call, and pushes the children within the bound. A batch of 1 is the textbook's search. A larger one expands the same
nodes within every bound below the optimum, because all of them have to be expanded; only the order differs, and with it
the number of nodes of the last bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpusolve import clock
from gpusolve.backend import Array
from gpusolve.checks import check_integer, check_number
from gpusolve.search.problem import (
    MOST_COST,
    Problem,
    Progress,
    Solution,
    allowed_moves,
    batch_size,
    check_problem,
    replayed,
)

MOST_BATCH = 2**24
INFINITE = 2**31 - 1
NEVER = 255  # see `Problem.surplus`


def ida_star(
    problem: Problem,
    *,
    bound: int = MOST_COST,
    batch: int = 8192,
    time_limit: float = float("inf"),
    progress: Progress = lambda expanded, bound: None,
) -> Solution:
    """Find a path of least cost by iterative deepening, in little memory.

    It knows no state again, so it suits puzzles in which few paths lead to the same state. If there is no solution, it
    ends only at `bound` or at the time limit.

    Parameters
    ----------
    problem : Problem
        The puzzle; its heuristic must not overestimate.
    bound : int, optional
        Largest cost of a solution.
    batch : int, default 8192
        Number of nodes expanded at a time; 1 gives the textbook's order.
    time_limit : float, optional
        Seconds after which no batch is expanded.
    progress : callable, optional
        Called after each batch with the number of nodes expanded and the current bound.

    Returns
    -------
    Solution
        `proven` if a path was found: all bounds below its cost are complete.

    Raises
    ------
    BadInput
        For options out of range, and if the heuristic turns out to overestimate.

    References
    ----------
    Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27 (1985).
    """
    bound = check_integer("bound", bound, 0, MOST_COST)
    batch = check_integer("batch", batch, 1, MOST_BATCH)
    check_number("time_limit", time_limit, 0, float("inf"))
    check_problem(problem)
    begin, search = clock.now(), _Deepening(problem)
    moves: list[int] | None = [] if bool(problem.is_goal(problem.root)[0]) else None
    current, complete = int(problem.heuristic(problem.root)[0]), True
    while moves is None and current <= bound and complete:
        search.begin()
        beyond = INFINITE
        while search.size and moves is None:
            if clock.now() - begin >= time_limit:
                complete = False
                break
            moves, nearest = search.step(batch, current)
            beyond = min(beyond, nearest)
            progress(search.expanded, current)
        if moves is None and complete:
            if beyond == INFINITE:  # no path is longer: every reachable state was examined
                return Solution(None, None, current, True, search.expanded, search.generated, clock.now() - begin)
            current = beyond
    cost = None if moves is None else replayed(problem, moves)
    lower_bound = current if cost is None else cost
    seconds = clock.now() - begin
    return Solution(moves, cost, lower_bound, cost is not None, search.expanded, search.generated, seconds)


@dataclass
class _Nodes:
    """Nodes of the search, one per column of `states` and per row of the others."""

    states: Array
    before: Array
    """The parents' states, to leave out moves straight back; no rows if an automaton does that."""
    costs: Array
    """The cost of the path to each node, int32."""
    at: Array
    """The node of the automaton, int32."""
    depths: Array
    """Number of moves on the path, int32."""
    paths: Array
    """The moves, uint16 (count, longest)."""


class _Deepening:
    """The stack of a depth-first search within a bound."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.expanded = self.generated = self.size = 0
        xp, root = problem.backend.xp, problem.root
        self._remembers = problem.automaton is None
        none = xp.zeros(1, np.int32)
        before = root if self._remembers else root[:0]
        self._root = _Nodes(root, before, none, none, none, xp.zeros((1, 64), np.uint16))
        self._stack = self._room(1024, 64)

    def _room(self, capacity: int, longest: int) -> _Nodes:
        make, root = self.problem.backend.empty, self._root
        states, before = (make((len(one), capacity), one.dtype) for one in (root.states, root.before))
        costs, at, depths = (make(capacity, np.int32) for _ in range(3))
        return _Nodes(states, before, costs, at, depths, make((capacity, longest), np.uint16))

    def begin(self) -> None:
        """Begin at the root again."""
        self._push(self._root)

    def _push(self, nodes: _Nodes) -> None:
        stack, count, longest = self._stack, len(nodes.costs), nodes.paths.shape[1]
        room, width = len(stack.costs), stack.paths.shape[1]
        if self.size + count > room or longest > width:
            room, kept = max(room, 2 * (self.size + count)) if self.size + count > room else room, slice(self.size)
            width = max(width, longest)
            old, stack = stack, self._room(room, width)
            self._stack = stack
            self._write(kept, self._taken(old, kept))
        self._write(slice(self.size, self.size + count), nodes)
        self.size += count

    def _write(self, at: slice, nodes: _Nodes) -> None:
        stack = self._stack
        stack.states[:, at], stack.before[:, at], stack.costs[at] = nodes.states, nodes.before, nodes.costs
        stack.at[at], stack.depths[at] = nodes.at, nodes.depths
        stack.paths[at, : nodes.paths.shape[1]] = nodes.paths

    def _taken(self, nodes: _Nodes, at: slice) -> _Nodes:
        copy = self.problem.backend.xp.ascontiguousarray
        return _Nodes(
            copy(nodes.states[:, at]), copy(nodes.before[:, at]), nodes.costs[at].copy(), nodes.at[at].copy(),
            nodes.depths[at].copy(), nodes.paths[at].copy(),
        )  # fmt: skip

    def step(self, batch: int, bound: int) -> tuple[list[int] | None, int]:
        """Expand the topmost nodes; return the moves to a goal if one was reached, and the least cost beyond it."""
        problem, xp = self.problem, self.problem.backend.xp
        count = min(self.size, batch_size(batch, self.expanded))
        nodes = self._taken(self._stack, slice(self.size - count, self.size))
        self.size -= count
        self.expanded += count
        parents, moves, states, over = (self._tried if problem.surplus is None else self._foreseen)(nodes, bound)
        nearest = bound + over if over < INFINITE else INFINITE
        if not len(parents):
            return None, nearest
        depths = nodes.depths[parents]
        paths = nodes.paths[parents]
        if int(depths.max()) >= paths.shape[1]:
            paths = xp.concatenate([paths, xp.zeros_like(paths)], axis=1)
        paths[xp.arange(len(parents)), depths] = moves
        reached = problem.is_goal(states)
        if bool(reached.any()):
            last = int(xp.flatnonzero(reached)[-1])  # the first in the textbook's order
            return [int(move) for move in paths[last, : int(depths[last]) + 1].tolist()], nearest
        self._push(
            _Nodes(
                states,
                nodes.states[:, parents] if self._remembers else states[:0],
                nodes.costs[parents] + problem.costs(nodes.states)[parents, moves].astype(np.int32),
                depths if problem.automaton is None else problem.automaton[nodes.at[parents], moves],
                depths + 1,
                paths,
            )
        )
        return None, nearest

    def _tried(self, nodes: _Nodes, bound: int) -> tuple[Array, Array, Array, int]:
        """Make all children of nodes. Return the parents, moves and states of those within the bound.

        The last number is by how much the nearest of the others exceeds it, or INFINITE.
        """
        problem, xp = self.problem, self.problem.backend.xp
        costs = problem.costs(nodes.states)
        allowed = costs > 0
        if problem.automaton is not None:
            allowed &= problem.automaton[nodes.at] >= 0
        parents, moves = allowed_moves(problem, allowed)
        self.generated += len(parents)
        states = problem.make(nodes.states, parents, moves)
        over = nodes.costs[parents] + costs[parents, moves] + problem.heuristic(states) - bound
        if self._remembers:
            over[(states == nodes.before[:, parents]).all(axis=0)] = INFINITE
        beyond = over[over > 0]
        within = xp.flatnonzero(over <= 0)
        nearest = int(beyond.min()) if len(beyond) else INFINITE
        return parents[within], moves[within], xp.ascontiguousarray(states[:, within]), nearest

    def _foreseen(self, nodes: _Nodes, bound: int) -> tuple[Array, Array, Array, int]:
        """Return the same for a problem that knows by how much each child exceeds the bound: the others are made."""
        problem, xp = self.problem, self.problem.backend.xp
        assert problem.surplus is not None
        over = problem.surplus(nodes.states, bound - nodes.costs, nodes.at)
        self.generated += int(xp.count_nonzero(over != NEVER))
        parents, moves = allowed_moves(problem, over == 0)
        states = problem.make(nodes.states, parents, moves)
        nearest = int((over - np.uint8(1)).min()) + 1  # 0 becomes 255, and NEVER 254
        if self._remembers:
            within = xp.flatnonzero(~(states == nodes.before[:, parents]).all(axis=0))
            parents, moves, states = parents[within], moves[within], xp.ascontiguousarray(states[:, within])
        return parents, moves, states, nearest if nearest < NEVER else INFINITE
