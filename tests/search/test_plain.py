"""Problems in plain Python, compared with Dijkstra's algorithm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.search.a_star import a_star
from gpusolve.search.bidirectional import bidirectional
from gpusolve.search.deepening import ida_star
from gpusolve.search.plain import PlainProblem
from search.graphs import FAR, Graph, graphs

SEARCHES: tuple[Any, ...] = (a_star, bidirectional, ida_star)


def problem(graph: Graph) -> PlainProblem:
    """Return a graph as a problem whose states are texts in tuples, with a goal for the way back."""

    def moves(of: Graph, state: tuple[str, int]) -> Iterator[tuple[int, tuple[str, int]]]:
        vertex = state[1]
        for target, price in zip(of.targets[vertex], of.prices[vertex], strict=True):
            if price:
                yield price, ("vertex", target)

    back, goal = graph.reversed(), ("vertex", graph.goals[0])
    inverse = PlainProblem(
        goal, lambda state: moves(back, state), lambda state: state[1] == graph.start,
        heuristic=lambda state: graph.back[state[1]],
    )  # fmt: skip
    return PlainProblem(
        ("vertex", graph.start), lambda state: moves(graph, state), lambda state: state[1] in graph.goals,
        heuristic=lambda state: graph.h[state[1]], inverse=inverse,
    )  # fmt: skip


@given(graphs(consistent=False).filter(lambda graph: len(graph.goals) == 1), st.sampled_from([1, 100]))
def test_every_search_finds_the_least_cost(graph: Graph, batch: int) -> None:
    optimum = graph.optimum
    for search in SEARCHES[: 2 if optimum == FAR else 3]:
        solution = search(problem(graph), batch=batch)
        assert solution.proven
        assert solution.cost == (None if optimum == FAR else optimum)


def test_words_of_different_lengths_are_states() -> None:
    """From "a" to "abab": append a letter, which is dear, or double the word."""
    asked = PlainProblem("a", lambda word: [(2, word + "b"), (1, 2 * word)] if len(word) < 5 else [], "abab".__eq__)
    assert (a_star(asked).moves, a_star(asked).cost) == ([0, 1], 3)
    assert ida_star(asked).moves == [0, 1]


def test_costs_are_whole_numbers_above_0() -> None:
    for cost in (0, -1, 0.5):
        price: Any = cost

        def moves(number: int, price: Any = price) -> list[tuple[int, int]]:
            return [(price, number + 1)]

        asked = PlainProblem(0, moves, lambda number: number == 3)
        with pytest.raises(BadInput, match=f"cost {cost}: expected a whole number above 0"):
            a_star(asked)


@pytest.mark.thorough
def test_costs_and_priorities_have_a_place_in_the_queue() -> None:
    def asked(price: int) -> PlainProblem:
        return PlainProblem(0, lambda number: [(price, number + 1)], lambda number: number == 2)

    assert a_star(asked(2**26)).cost == ida_star(asked(2**26)).cost == 2**27
    with pytest.raises(BadInput, match="cost 134,217,729: expected at most 134,217,728"):
        a_star(asked(2**27 + 1))
    with pytest.raises(BadInput, match="priorities 134,217,732 to 134,217,732: expected costs below 134,217,728"):
        a_star(asked(2**25 + 1), weight=1.5)
