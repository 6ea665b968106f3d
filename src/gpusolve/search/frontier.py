"""The frontier of a search that knows a state again: its nodes, a queue for each side, and the step that all share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.backend import Array
from gpusolve.backend.cpu import free_bytes
from gpusolve.checks import check_integer, check_number
from gpusolve.errors import BadInput
from gpusolve.search.nodes import NOWHERE, Nodes, Queue
from gpusolve.search.problem import MOST_COST, Problem, allowed_moves, batch_size, check_problem

MOST_BATCH = 2**24
MOST_NODES = 2**30
"""Their numbers are int32, and their table has up to four times as many slots."""
Numbers = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]
Priority = Callable[[Long, Long, Numbers], Long]
"""A function of the costs of nodes, and of what the side's heuristic and the other side's say of them (the same one if
there is only one side). It returns the nodes' priorities in the side's queue."""


@dataclass(frozen=True)
class Children:
    """What a step has made: for each child its node, the cost of the move to it, its parent, and its state."""

    nodes: Numbers
    costs: Numbers
    parents: Numbers
    states: Array


class Frontier:
    """The nodes of a search and their queues; side 0 begins at the root, side 1, if there is one, at the goal.

    Parameters
    ----------
    problems : sequence of Problem
        The problem of each side.
    priority : callable
        The priority of nodes (see `Priority`).
    batch, time_limit, memory
        The options of the searches.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        priority: Priority,
        *,
        batch: int,
        time_limit: float,
        memory: int | None,
    ) -> None:
        self._batch = check_integer("batch", batch, 1, MOST_BATCH)
        check_number("time_limit", time_limit, 0, float("inf"))
        memory = memory if memory is None else check_integer("memory", memory, 1, 2**30)
        check_problem(problems[0])
        self._problems, self._priority = problems, priority
        self._end = clock.now() + time_limit
        backend, root = problems[0].backend, problems[0].root
        self.nodes = Nodes(backend, root, len(problems[0].identity(root)), len(problems))
        free = free_bytes()
        allowed = memory << 20 if memory is not None else (free // 2 if free else 4 << 30)
        self._most = min(MOST_NODES, allowed // self.nodes.bytes_per_node)
        self.queues = [Queue() for _ in problems]
        self.expanded = 0
        self.generated = 0
        for side, problem in enumerate(problems):
            check_problem(problem, roots=0 if side else 1)
            nodes = self._entered(problem.root)
            new = nodes[self.nodes.costs[side, nodes] != 0]
            self.nodes.costs[side, nodes], self.nodes.parents[side, nodes] = 0, NOWHERE
            self._push(side, np.unique(new))

    @property
    def may_go_on(self) -> bool:
        """Whether there is time and memory left."""
        return self.nodes.count < self._most and clock.now() < self._end

    def take(self, side: int, most: int) -> Numbers:
        """Return some nodes of the least priority of a side. There may be none that is still waiting there.

        Nodes from which no path of less than `most` can come are left out.
        """
        queue, nodes = self.queues[side], self.nodes
        least = queue.least
        taken = queue.pop(batch_size(self._batch, self.expanded))
        costs, estimates = nodes.costs[side, taken], nodes.estimates[side, taken]
        found: Numbers = taken[(self._priorities(side, taken) == least) & (costs + estimates < most)]
        return found

    def expand(self, side: int, taken: Numbers, most: int) -> Children:
        """Expand nodes, and push those to which a cheaper path is found; what costs `most` or more is left out."""
        problem, backend, nodes = self._problems[side], self._problems[0].backend, self.nodes
        xp = backend.xp
        states = xp.ascontiguousarray(nodes.states[:, backend.asarray(taken)])
        costs = problem.costs(states)
        parents, moves = allowed_moves(problem, costs > 0)
        self.expanded += len(taken)
        self.generated += len(parents)
        made = problem.make(states, parents, moves)
        children = self._entered(made)
        paid = backend.to_host(costs[parents, moves])
        if len(paid) and int(paid.max()) > MOST_COST:
            raise BadInput(f"cost {paid.max():,}: expected at most {MOST_COST:,}")
        paid = paid.astype(np.int32)
        origins, moves = taken[backend.to_host(parents)], backend.to_host(moves)
        improved = nodes.relax(side, children, nodes.costs[side, origins] + paid, origins, moves)
        total = nodes.costs[side, improved] + nodes.estimates[side, improved]
        self._push(side, improved[total < most])
        return Children(children, paid, origins, made)

    def _entered(self, states: Array) -> Numbers:
        """Return the nodes of states, and estimate those that are new."""
        before = self.nodes.count
        backend = self._problems[0].backend
        children = self.nodes.enter(states, self._problems[0].identity(states))
        if self.nodes.count > before:
            new = backend.xp.ascontiguousarray(self.nodes.states[:, before : self.nodes.count])
            for side, problem in enumerate(self._problems):
                estimates = backend.to_host(problem.heuristic(new))
                if int(estimates.min()) < 0 or int(estimates.max()) > MOST_COST:
                    raise BadInput(f"heuristic {estimates.min()} to {estimates.max()}: expected 0 to {MOST_COST:,}")
                self.nodes.estimates[side, before : self.nodes.count] = estimates
        return children

    def _priorities(self, side: int, nodes: Numbers) -> Long:
        costs, estimates = self.nodes.costs[side, nodes].astype(np.int64), self.nodes.estimates
        return self._priority(costs, estimates[side, nodes].astype(np.int64), estimates[side - 1, nodes])

    def _push(self, side: int, nodes: Numbers) -> None:
        priorities = self._priorities(side, nodes)
        if len(nodes) and not 0 <= int(priorities.min()) <= int(priorities.max()) <= MOST_COST:
            raise BadInput(
                f"priorities {priorities.min():,} to {priorities.max():,}: expected costs below {MOST_COST:,}, and a "
                "heuristic that never overestimates"
            )
        self.queues[side].push(nodes, priorities.astype(np.int32))

    def path(self, node: int) -> list[int]:
        """Return the moves from the root to the goal through a node.

        A backward step from a node led to a state; the move that leads from there to the node is looked for.
        """
        nodes, problem = self.nodes, self._problems[0]
        backend, xp = problem.backend, problem.backend.xp
        moves = [move for _, move in nodes.path(0, node)]
        while len(self._problems) > 1 and (after := int(nodes.parents[1, node])) != NOWHERE:
            state = xp.ascontiguousarray(nodes.states[:, node : node + 1])
            parents, every = allowed_moves(problem, problem.costs(state) > 0)
            paid = backend.to_host(problem.costs(state)[0, every])
            leads = backend.to_host(
                (problem.make(state, parents, every) == nodes.states[:, after : after + 1]).all(axis=0)
            )
            step = int(nodes.costs[1, node] - nodes.costs[1, after])
            fitting = np.flatnonzero(leads & (paid <= step))
            if not len(fitting):
                raise BadInput("inverse: a move of the inverse is not undone by a move of the problem at the same cost")
            moves.append(int(every[fitting[0]]))
            node = after
        return moves
