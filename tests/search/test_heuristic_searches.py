"""IDA*, A*, weighted A* and searches from both sides, compared with Dijkstra's algorithm on small graphs."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star
from gpusolve.search.problem import Solution
from search.graphs import FAR, Foreseeing, Graph, Walk, graphs

batches = st.sampled_from([1, 2, 8192])


def check(solution: Solution, graph: Graph) -> None:
    """A path is replayed by the plain rules; what is proven is true."""
    optimum = graph.optimum
    assert solution.proven
    if optimum == FAR:
        assert solution.moves is None
        assert solution.cost is None
        return
    assert solution.moves is not None
    vertex = graph.start
    for move in solution.moves:
        assert graph.prices[vertex][move]
        vertex = graph.targets[vertex][move]
    assert vertex in graph.goals
    assert solution.cost == solution.lower_bound == optimum


@given(graphs(consistent=False) | graphs(consistent=True), batches)
def test_a_star_finds_the_least_cost(backend: Backend, graph: Graph, batch: int) -> None:
    check(a_star(Walk(graph, backend), batch=batch), graph)


@given(graphs(consistent=False) | graphs(consistent=True), batches, st.booleans())
def test_iterative_deepening_finds_the_least_cost(backend: Backend, graph: Graph, batch: int, ahead: bool) -> None:
    optimum = graph.optimum
    problem = (Foreseeing if ahead else Walk)(graph, backend)
    solution = ida_star(problem, batch=batch, bound=20 if optimum == FAR else optimum)
    if optimum == FAR:  # it knows no state again, so cycles keep it from proving that there is no solution
        assert solution.moves is None
        assert solution.lower_bound > 20 or solution.proven
    else:
        check(solution, graph)
        below = ida_star(problem, batch=batch, bound=optimum - 1) if optimum else None
        assert below is None or (below.moves is None and not below.proven and below.lower_bound == optimum)


@given(graphs(consistent=False), batches)
def test_both_sides_find_the_least_cost(backend: Backend, graph: Graph, batch: int) -> None:
    check(bidirectional(Walk(graph, backend), batch=batch), graph)


@given(graphs(consistent=True), batches)
def test_both_sides_with_consistent_heuristics_find_the_least_cost(backend: Backend, graph: Graph, batch: int) -> None:
    check(bidirectional(Walk(graph, backend, consistent=True), batch=batch), graph)


@given(graphs(consistent=False), batches, st.sampled_from([1.5, 2, 10]))
def test_a_weight_bounds_the_cost(backend: Backend, graph: Graph, batch: int, weight: float) -> None:
    solution, optimum = a_star(Walk(graph, backend), weight=weight, batch=batch), graph.optimum
    if optimum == FAR:
        assert solution.proven
        assert solution.moves is None
        return
    assert solution.cost is not None
    assert solution.lower_bound <= optimum <= solution.cost <= weight * optimum
    assert solution.proven == (solution.cost == solution.lower_bound)


LINE = Graph(((1, 0), (2, 0), (3, 1), (3, 2)), ((1, 0), (1, 1), (1, 1), (0, 1)), 0, (3,), (3, 2, 1, 0), (0, 1, 2, 3))


def test_a_heuristic_that_overestimates_is_reported() -> None:
    wrong = Graph(LINE.targets, LINE.prices, 0, (3,), (3, 2, 5, 0), (0, 1, 2, 3))
    for search in (a_star, bidirectional, ida_star):
        with pytest.raises(BadInput, match="heuristic 5: expected at most 1, the cost of a path to the goal"):
            search(Walk(wrong))


def test_a_heuristic_that_is_not_consistent_is_reported() -> None:
    wrong = Graph(LINE.targets, LINE.prices, 0, (3,), (3, 0, 1, 0), (0, 1, 2, 3))
    with pytest.raises(BadInput, match="it drops by more than the cost of a move"):
        bidirectional(Walk(wrong, consistent=True))
    assert bidirectional(Walk(wrong)).cost == 3


def test_without_time_nothing_is_proven_but_the_first_bound() -> None:
    for search in (a_star, bidirectional, ida_star):
        solution = search(Walk(LINE), time_limit=0)
        assert (solution.moves, solution.proven, solution.lower_bound, solution.expanded) == (None, False, 3, 0)
