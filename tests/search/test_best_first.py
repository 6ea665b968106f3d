"""Best-first search against a plain form, on a toy game."""

from __future__ import annotations

from hypothesis import given, strategies as st

from gpusolve.backend import Backend
from gpusolve.search.beam import beam
from gpusolve.search.best_first import best_first
from search.toy import PlainHeap, Toy
from search.toys import toys


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


@given(toys, st.integers(1, 60))
def test_a_batch_of_one_is_the_plain_form(backend: Backend, toy: Toy, limit: int) -> None:
    found = best_first(toy.on(backend), limit, batch=1)
    assert (found.value, found.moves, found.expanded) == plain_best_first(toy, limit)
    assert found.complete


@given(toys, st.integers(1, 50))
def test_any_batch_finds_the_best_of_all(backend: Backend, toy: Toy, batch: int) -> None:
    found = best_first(toy.on(backend), 10**6, batch)
    assert found.exhaustive
    assert found.value == plain_best_first(toy, 10**6)[0]
    assert toy.worth_of(sum(move + 1 for move in found.moves)) == found.value


def test_the_time_limit_ends_it() -> None:
    toy = Toy((1, 2, 3), 30)
    found = best_first(toy, 10**6, 1, time_limit=0.0)
    assert (found.expanded, found.complete, found.exhaustive) == (1, False, False)


def test_at_its_limit_it_is_complete_but_has_left_something_out() -> None:
    found = best_first(Toy((1, 2, 3), 30), 5, 2)
    assert (found.expanded, found.complete, found.exhaustive) == (5, True, False)


def test_moves_are_wider_than_a_byte(backend: Backend) -> None:
    toy = Toy(tuple(range(901)), 3, 300, backend)
    for found in (best_first(toy, 100, 7), beam(toy, 20, 3)):
        assert (found.value, found.moves) == (900, [299, 299, 299])
