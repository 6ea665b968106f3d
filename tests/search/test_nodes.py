"""The table of states and the queue, compared with Python's dict and lists."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given, strategies as st

from gpusolve.backend import Backend
from gpusolve.search.nodes import INFINITE, NOWHERE, Nodes, Queue

columns = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), max_size=60)


@given(st.lists(columns, max_size=4), st.booleans())
def test_a_state_has_one_number(backend: Backend, batches: list[list[tuple[int, int]]], many: bool) -> None:
    first = np.arange(3000 if many else 1)
    known: dict[tuple[int, int], int] = {(int(n), 9): int(n) for n in first}
    states = backend.asarray(np.array([first, np.full(len(first), 9)], np.uint16))
    nodes = Nodes(backend, states[:, :1], 2, 1)
    assert nodes.enter(states, states.astype(np.uint64)).tolist() == first.tolist()
    for batch in batches:
        expected = [known.setdefault(column, len(known)) for column in batch]
        states = backend.asarray(np.array(batch, np.uint16).reshape(-1, 2).T)
        assert nodes.enter(states, states.astype(np.uint64)).tolist() == expected
    assert nodes.count == len(known)
    kept = backend.to_host(nodes.states[:, : nodes.count]).T.tolist()
    assert [tuple(column) for column in kept] == [*known]
    assert (nodes.costs[0, : nodes.count] == INFINITE).all()


@given(st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), max_size=9), max_size=4))
def test_the_cheapest_path_is_kept_and_of_equal_ones_the_first(batches: list[list[tuple[int, int]]]) -> None:
    from gpusolve.backend import open_backend

    states = np.arange(5, dtype=np.uint16)[None]
    nodes = Nodes(open_backend("cpu"), states, 1, 2)
    nodes.enter(states, states.astype(np.uint64))
    plain: dict[int, tuple[int, int]] = {}
    for number, batch in enumerate(batches):
        better = []
        for child, cost in batch:
            if cost < plain.get(child, (INFINITE, 0))[0]:
                plain[child] = cost, number
                better += [child] if child not in better else []
        ids, costs = np.array(batch, np.int32).reshape(-1, 2).T.copy()
        parents = np.full(len(ids), number, np.int32)
        assert nodes.relax(1, ids, costs, parents, parents.astype(np.uint16)).tolist() == better
    assert [(int(nodes.costs[1, n]), int(nodes.parents[1, n])) for n in plain] == [*plain.values()]
    assert (nodes.costs[0, :5] == INFINITE).all()


def test_a_path_goes_back_to_the_root() -> None:
    from gpusolve.backend import open_backend

    states = np.arange(3, dtype=np.uint16)[None]
    nodes = Nodes(open_backend("cpu"), states, 1, 1)
    nodes.enter(states, states.astype(np.uint64))
    nodes.costs[0, 0], nodes.parents[0, 0] = 0, NOWHERE
    for child in (1, 2):
        one, parent = np.array([child], np.int32), np.array([child - 1], np.int32)
        nodes.relax(0, one, one, parent, np.array([7 * child], np.uint16))
    assert nodes.path(0, 2) == [(0, 7), (1, 14)]


@given(st.lists(st.tuples(st.lists(st.integers(0, 200), max_size=20), st.integers(0, 30)), max_size=20))
def test_the_queue_gives_the_least_priority_and_of_equal_ones_the_last(steps: list[tuple[list[int], int]]) -> None:
    queue, plain, number = Queue(), defaultdict[int, list[int]](list), 0
    for priorities, count in steps:
        ids = np.arange(number, number + len(priorities), dtype=np.int32)
        queue.push(ids, np.array(priorities, np.int32))
        for node, priority in zip(ids.tolist(), priorities, strict=True):
            plain[priority].append(node)
        number += len(priorities)
        waiting = [priority for priority in sorted(plain) if plain[priority]]
        assert queue.size == sum(map(len, plain.values()))
        if not waiting:
            assert queue.pop(count).tolist() == []
            continue
        assert queue.least == waiting[0]
        assert queue.waiting == len(plain[waiting[0]])
        expected = [plain[waiting[0]].pop() for _ in range(min(count, len(plain[waiting[0]])))]
        assert queue.pop(count).tolist() == expected
