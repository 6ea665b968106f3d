"""Best-first search against a plain form, on a toy game."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpusolve.search.best_first import Found, Heap, VisitedSet, best_first
from search.toy import PlainHeap, Toy, toys


def plain_best_first(toy: Toy, limit: int) -> tuple[int, list[int], int]:
    """Value and moves of the best state taken, and how many were taken."""
    heap, seen, taken = PlainHeap(), set(), 0
    best: tuple[int, list[int]] = (-1, [])
    heap.push(0, (0, []))
    while heap.entries and taken < limit:
        total, moves = heap.pop()
        taken += 1
        if toy.worth_of(total) > best[0]:
            best = toy.worth_of(total), moves
        if (total, len(moves)) in seen:
            continue
        seen.add((total, len(moves)))
        for move, key in enumerate(toy.keys_of(total, len(moves))):
            if key:
                heap.push(key, (total + 1 + move, [*moves, move]))
    return *best, taken


def search(toy: Toy, limit: int, batch: int = 1) -> Found:
    return best_first(np, toy.root, toy.keys, toy.make, toy.values, toy.visited, limit, batch)


@settings(deadline=None)
@given(toys, st.integers(1, 60))
def test_a_batch_of_one_is_the_plain_form(toy: Toy, limit: int) -> None:
    found = search(toy, limit)
    assert (found.value, found.moves, found.expanded) == plain_best_first(toy, limit)


@settings(deadline=None)
@given(toys, st.integers(1, 50))
def test_any_batch_finds_the_best_of_all(toy: Toy, batch: int) -> None:
    found = search(toy, 10**6, batch)
    assert found.exhausted
    assert found.value == plain_best_first(toy, 10**6)[0]
    assert toy.worth_of(sum(move + 1 for move in found.moves)) == found.value


def test_the_time_limit_ends_it() -> None:
    toy = Toy((1, 2, 3), 30)
    found = best_first(np, toy.root, toy.keys, toy.make, toy.values, toy.visited, 10**6, 1, time_limit=0.0)
    assert (found.expanded, found.exhausted) == (1, False)


@given(st.lists(st.lists(st.integers(0, 5), max_size=9), max_size=9), st.lists(st.integers(0, 12), max_size=9))
def test_the_heap_keeps_the_textbooks_order(pushes: list[list[int]], pops: list[int]) -> None:
    heap, plain, number = Heap(), PlainHeap(), 0
    for keys, count in zip(pushes, [*pops, *[0] * len(pushes)], strict=False):
        heap.push(np.array(keys, np.uint16), number)
        for i, key in enumerate(keys):
            if key:
                plain.push(key, number + i)
        number += len(keys)
        count = min(count, len(plain.entries))
        assert heap.pop(count).tolist() == [plain.pop() for _ in range(count)]
        assert len(heap) == len(plain.entries)


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), max_size=30), max_size=5))
def test_the_visited_set_is_a_set(batches: list[list[tuple[int, int]]]) -> None:
    found, plain = VisitedSet(), set()
    for batch in batches:
        expected = []
        for row in batch:
            expected.append(row not in plain)
            plain.add(row)
        assert found.add(np.array(batch, np.uint64).reshape(-1, 2)).tolist() == expected
    assert len(found) == len(plain)


def test_the_visited_set_grows() -> None:
    rows = np.random.default_rng(0).integers(0, 1 << 62, (100_000, 3)).astype(np.uint64)
    found = VisitedSet()
    assert all(found.add(part).all() for part in np.array_split(rows, 7))
    assert not found.add(rows).any()
    assert len(found) == len(rows)
