"""Problems for the tests of heuristic searches: any small graph with costs, and what is true about it by Dijkstra."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from gpusolve.backend import Array, Backend, open_backend
from gpusolve.search.problem import Problem

FAR = 10**6


@dataclass(frozen=True)
class Graph:
    """Edges by vertex: where each leads and what it costs (0: there is none). `h` and `back` are the heuristics."""

    targets: tuple[tuple[int, ...], ...]
    prices: tuple[tuple[int, ...], ...]
    start: int
    goals: tuple[int, ...]
    h: tuple[int, ...] = ()
    back: tuple[int, ...] = ()

    def edges(self) -> list[tuple[int, int, int]]:
        return [
            (vertex, target, price)
            for vertex, (targets, prices) in enumerate(zip(self.targets, self.prices, strict=True))
            for target, price in zip(targets, prices, strict=True)
            if price
        ]

    def distances(self, sources: tuple[int, ...], backward: bool) -> list[int]:
        """Return the least cost from the sources to each vertex, or backward to the sources; FAR without a path."""
        found = [FAR] * len(self.targets)
        heap = [(0, source) for source in sources]
        while heap:
            cost, vertex = heapq.heappop(heap)
            if cost >= found[vertex]:
                continue
            found[vertex] = cost
            for a, b, price in self.edges():
                if (b if backward else a) == vertex:
                    heapq.heappush(heap, (cost + price, a if backward else b))
        return found

    @property
    def optimum(self) -> int:
        return self.distances(self.goals, True)[self.start]

    def reversed(self) -> Graph:
        """Return the graph with all edges turned round."""
        outgoing: list[list[tuple[int, int]]] = [[] for _ in self.targets]
        for a, b, price in self.edges():
            outgoing[b].append((a, price))
        most = max(1, *map(len, outgoing))
        rows = [[*row, *[(0, 0)] * (most - len(row))] for row in outgoing]
        return Graph(
            tuple(tuple(target for target, _ in row) for row in rows),
            tuple(tuple(price for _, price in row) for row in rows),
            self.start,
            self.goals,
            self.h,
            self.back,
        )


class Walk(Problem):
    """The problem of a graph. Its states have two fields, the second of which is always 7."""

    def __init__(self, graph: Graph, backend: Backend | str = "cpu", *, consistent: bool = False) -> None:
        super().__init__(backend)
        self.graph, self.is_consistent = graph, consistent
        self.root = self.state(graph.start)
        self._targets = self.backend.asarray(np.array(graph.targets, np.uint16))
        self._prices = self.backend.asarray(np.array(graph.prices, np.uint8))
        self._goals = self.backend.asarray(np.array(graph.goals, np.uint16))
        self._h = self.backend.asarray(np.array(graph.h or [0] * len(graph.targets), np.int32))

    def state(self, *vertices: int) -> Array:
        return self.backend.asarray(np.array([vertices, [7] * len(vertices)], np.uint16))

    def costs(self, states: Array) -> Array:
        return self._prices[states[0]]

    def make(self, states: Array, parents: Array, moves: Array) -> Array:
        assert (parents.dtype, moves.dtype) == (np.int32, np.uint16)
        assert states.flags.c_contiguous
        to = self._targets[states[0, parents], moves]
        return self.backend.xp.stack([to, self.backend.xp.full_like(to, 7)])

    def is_goal(self, states: Array) -> Array:
        return (states[0][:, None] == self._goals).any(axis=1)

    def heuristic(self, states: Array) -> Array:
        return self._h[states[0]]

    @property
    def inverse(self) -> Problem:
        graph = self.graph.reversed()
        problem = Walk(Graph(graph.targets, graph.prices, 0, (graph.start,), graph.back), self.backend,
                       consistent=self.is_consistent)  # fmt: skip
        problem.root = self.state(*graph.goals)
        return problem


class Foreseeing(Walk):
    """This problem knows the estimates of the children before it makes them."""

    @property
    def surplus(self) -> Callable[[Array, Array, Array], Array]:
        return self._surplus

    def _surplus(self, states: Array, room: Array, at: Array) -> Array:
        prices, xp = self._prices[states[0]].astype(np.int32), self.backend.xp
        over = xp.clip(prices + self._h[self._targets[states[0]]] - room[:, None], 0, 254)
        return xp.where(prices > 0, over, 255).astype(np.uint8)


@st.composite
def graphs(draw: st.DrawFn, *, consistent: bool) -> Graph:
    """Draw a graph whose heuristics never overestimate; they are consistent if that is asked for."""
    vertices, moves = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    vertex = st.integers(0, vertices - 1)
    most = draw(st.sampled_from([1, 5]))
    targets = draw(st.lists(st.tuples(*[vertex] * moves), min_size=vertices, max_size=vertices))
    prices = draw(st.lists(st.tuples(*[st.integers(0, most)] * moves), min_size=vertices, max_size=vertices))
    goals = tuple(draw(st.lists(vertex, min_size=1, max_size=2, unique=True)))
    graph = Graph(tuple(targets), tuple(prices), draw(vertex), goals)
    truth = graph.distances(goals, True), graph.distances((graph.start,), False)
    if consistent:  # a fraction of the distance in a graph with cheaper edges
        cheap = Graph(graph.targets, tuple(tuple((p + 1) // 2 for p in row) for row in prices), graph.start, goals)
        cap = draw(st.integers(0, 9))
        pair = cheap.distances(goals, True), cheap.distances((graph.start,), False)
        h, back = (tuple(min(cap, value) for value in values) for values in pair)
    else:
        h, back = (tuple(draw(st.integers(0, min(value, 12))) for value in values) for values in truth)
    return Graph(graph.targets, graph.prices, graph.start, goals, h, back)


__all__ = ["FAR", "Foreseeing", "Graph", "Walk", "graphs", "open_backend"]
