"""A* (Hart, Nilsson and Raphael 1968) over batches, also with a weight: least-cost paths in as few nodes as possible.

Each step takes nodes of the least priority, the last that came first, and expands them in one call. All of them have
the same priority, so a batch changes which of these come first, and nothing else.
"""

from __future__ import annotations

import numpy as np

from gpusolve import clock
from gpusolve.checks import check_number
from gpusolve.search.frontier import Frontier, Long, Numbers
from gpusolve.search.nodes import INFINITE
from gpusolve.search.problem import Problem, Progress, Solution, replayed
from gpusolve.search.weight import ratio_of

MOST_WEIGHT = 100


def a_star(
    problem: Problem,
    *,
    weight: float = 1.0,
    batch: int = 8192,
    time_limit: float = float("inf"),
    memory: int | None = None,
    progress: Progress = lambda expanded, bound: None,
) -> Solution:
    """Find a path of least cost, or with a weight one that costs at most `weight` times as much.

    A state to which a cheaper path is found is expanded again, so the heuristic need not be consistent.

    Parameters
    ----------
    problem : Problem
        The puzzle; its heuristic must not overestimate.
    weight : float, default 1.0
        What the heuristic is multiplied by, 1 to 100, in tenths: the larger, the fewer nodes.
    batch : int, default 8192
        Number of nodes expanded at a time; 1 gives the textbook's order.
    time_limit : float, optional
        Seconds after which no batch is expanded.
    memory : int, optional
        MiB that the nodes may take; by default half of what is free.
    progress : callable, optional
        Called after each batch with the number of nodes expanded and the lower bound on the cost.

    Returns
    -------
    Solution
        A search that ran out of time or memory returns the best path so far, or none. It is `proven` if its cost equals
        its lower bound, or if there is no solution.

    Raises
    ------
    BadInput
        For options out of range, and if the heuristic turns out to overestimate.

    References
    ----------
    Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths" (1968);
    Pohl, "Heuristic search viewed as path finding in a graph", Artificial Intelligence 1 (1970).
    """
    check_number("weight", weight, 1, MOST_WEIGHT)
    ratio = ratio_of(weight)
    pace, factor = ratio.denominator, ratio.numerator
    begin = clock.now()

    def priority(costs: Long, own: Long, other: Numbers) -> Long:
        found: Long = pace * costs + factor * own
        return found

    search = Frontier([problem], priority, batch=batch, time_limit=time_limit, memory=memory)
    nodes, queue = search.nodes, search.queues[0]
    best, goal = (0, 0) if bool(problem.is_goal(problem.root)[0]) else (INFINITE, -1)
    lower_bound = int(nodes.estimates[0, 0])
    while queue.size:
        lower_bound = max(lower_bound, -(-queue.least // factor))
        if pace * best <= queue.least or not search.may_go_on:
            break
        if not len(taken := search.take(0, best)):
            continue
        children = search.expand(0, taken, best)
        reached = children.nodes[problem.backend.to_host(problem.is_goal(children.states))]
        if len(reached):
            cheapest = int(reached[np.argmin(nodes.costs[0, reached])])
            if nodes.costs[0, cheapest] < best:
                best, goal = int(nodes.costs[0, cheapest]), cheapest
        progress(search.expanded, min(lower_bound, best))
    moves = search.path(goal) if best < INFINITE else None
    cost = None if moves is None else replayed(problem, moves)
    if cost is not None:
        lower_bound = cost if not queue.size else min(cost, lower_bound)
    proven = not queue.size if cost is None else cost == lower_bound
    return Solution(moves, cost, lower_bound, proven, search.expanded, search.generated, clock.now() - begin)
