"""Search from both sides: BAE* (Sadhukhan 2012) if the heuristic is consistent, otherwise MM (Holte and others 2016).

Side 0 searches from the root, side 1 from the goal. A state that both have reached joins their paths; the search ends
when no cheaper pair of paths can exist.

BAE* knows of each node also how much the other side's heuristic h' errs: a path of cost g to it was estimated by h', so
the estimate for the rest is raised by g - h'. A node has the priority 2g + h - h'. If p and p' are the least priorities
of the two sides, no path costs less than (p + p') / 2: on a path of least cost, take the last node u that side 0 has
reached at least cost, and the first such v of side 1. For consistent heuristics the cost between them is at least
h(u) - h(v) and at least h'(v) - h'(u), so it is at least the mean of both.

MM has the priority max(g + h, 2g + 1), and no path costs less than the lower of the two least priorities: unless u = v,
the costs of u and v and of at least one move add up to at most the path's, and so does twice the lower of them, plus 1.
"""

from __future__ import annotations

import numpy as np

from gpusolve import clock
from gpusolve.errors import BadInput
from gpusolve.search.frontier import Frontier, Long, Numbers
from gpusolve.search.nodes import INFINITE
from gpusolve.search.problem import Problem, Progress, Solution, replayed


def bidirectional(
    problem: Problem,
    *,
    batch: int = 8192,
    time_limit: float = float("inf"),
    memory: int | None = None,
    progress: Progress = lambda expanded, bound: None,
) -> Solution:
    """Find a path of least cost from both sides. The problem must have an `inverse`.

    Parameters
    ----------
    problem : Problem
        The puzzle; its heuristic and its inverse's must not overestimate.
    batch : int, default 8192
        Number of nodes expanded at a time.
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
        For options out of range, for a problem without an inverse, and if a heuristic turns out to overestimate, or not
        to be consistent although the problem says so.

    References
    ----------
    Sadhukhan, "A new approach to bidirectional heuristic search using error functions" (2012);
    Holte, Felner, Sharon and Sturtevant, "Bidirectional search that is guaranteed to meet in the middle", AAAI 2016.
    """
    inverse = problem.inverse
    if inverse is None:
        raise BadInput("problem without an inverse: expected one to search from both sides")
    begin, consistent = clock.now(), problem.is_consistent and inverse.is_consistent

    search = Frontier(
        [problem, inverse], _bae if consistent else _mm, batch=batch, time_limit=time_limit, memory=memory
    )
    nodes, queues = search.nodes, search.queues
    best, meeting = INFINITE, -1
    lower_bound = int(nodes.estimates[0, 0])

    def look(reached: Numbers) -> None:
        nonlocal best, meeting
        totals = nodes.costs[0, reached].astype(np.int64) + nodes.costs[1, reached]
        if len(totals) and int(totals.min()) < best:
            best, meeting = int(totals.min()), int(reached[np.argmin(totals)])

    look(np.zeros(1, np.int32))
    while queues[0].size and queues[1].size:
        least = [queue.least for queue in queues]
        lower_bound = max(lower_bound, (sum(least) + 1) // 2 if consistent else min(least))
        if best <= lower_bound or not search.may_go_on:
            break
        side = int(queues[1].waiting < queues[0].waiting)
        if not consistent and least[0] != least[1]:
            side = int(least[1] < least[0])
        if not len(taken := search.take(side, best)):
            continue
        children = search.expand(side, taken, best)
        look(children.nodes)
        if consistent:
            before, after = nodes.estimates[:, children.parents], nodes.estimates[:, children.nodes]
            dropped, risen = before[side] - after[side], after[1 - side] - before[1 - side]
            if (np.maximum(dropped, risen) > children.costs).any():
                raise BadInput("heuristic: it drops by more than the cost of a move: expected is_consistent = False")
        progress(search.expanded, min(lower_bound, best))
    moves = search.path(meeting) if best < INFINITE else None
    cost = None if moves is None else replayed(problem, moves)
    exhausted = not (queues[0].size and queues[1].size)
    if cost is not None:
        lower_bound = cost if exhausted else min(cost, lower_bound)
    proven = exhausted if cost is None else cost == lower_bound
    return Solution(moves, cost, lower_bound, proven, search.expanded, search.generated, clock.now() - begin)


def _bae(costs: Long, own: Long, other: Numbers) -> Long:
    return 2 * costs + own - other


def _mm(costs: Long, own: Long, other: Numbers) -> Long:
    found: Long = np.maximum(costs + own, 2 * costs + 1)
    return found
