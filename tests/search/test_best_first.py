"""Best-first search compared with a plain version, on a toy game."""

from __future__ import annotations

from hypothesis import given, strategies as st

from gpusolve.backend import Backend
from gpusolve.search.beam import beam
from gpusolve.search.best_first import best_first
from search.toy import PlainHeap, Toy
from search.toys import toys


def plain_best_first(toy: Toy, limit: int) -> tuple[int, list[int], int]:
    """Return the value and the moves of the best state taken, and the number of states taken."""
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
def test_a_batch_of_one_gives_the_plain_version(backend: Backend, toy: Toy, limit: int) -> None:
    result = best_first(toy.on(backend), limit=limit, batch=1)
    assert (result.value, result.moves, result.expanded) == plain_best_first(toy, limit)
    assert result.complete


@given(toys, st.integers(1, 50))
def test_any_batch_finds_the_best_state(backend: Backend, toy: Toy, batch: int) -> None:
    result = best_first(toy.on(backend), limit=10**6, batch=batch)
    assert result.exhaustive
    assert result.value == plain_best_first(toy, 10**6)[0]
    assert toy.worth_of(sum(move + 1 for move in result.moves)) == result.value


def test_the_time_limit_ends_the_search() -> None:
    toy = Toy((1, 2, 3), 30)
    result = best_first(toy, limit=10**6, batch=1, time_limit=0.0)
    assert (result.expanded, result.complete, result.exhaustive) == (1, False, False)


def test_a_search_that_stops_at_its_limit_is_complete_but_not_exhaustive() -> None:
    result = best_first(Toy((1, 2, 3), 30), limit=5, batch=2)
    assert (result.expanded, result.complete, result.exhaustive) == (5, True, False)


def test_moves_may_need_more_than_a_byte(backend: Backend) -> None:
    toy = Toy(tuple(range(901)), 3, 300, backend)
    for result in (best_first(toy, limit=100, batch=7), beam(toy, width=20, batch=3)):
        assert (result.value, result.moves) == (900, [299, 299, 299])
