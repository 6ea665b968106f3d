"""Beam search compared with a plain version, on a toy game."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from gpusolve.backend import Array, Backend
from gpusolve.search.beam import Beam, beam
from search.toy import MOVES, Toy
from search.toys import toys

LARGE = Toy((3, 1, 4, 1, 5, 9, 2, 6), 6)


def plain_levels(toy: Toy, width: int) -> list[list[tuple[int, int]]]:
    """Return the states of each level: the best `width` children, ties by parent and move, then without duplicates."""
    levels = [[(0, 0)]]
    while True:
        children = []
        for parent, (total, made) in enumerate(levels[-1]):
            for move, key in enumerate(toy.keys_of(total, made)):
                if key:
                    children.append((-key, parent, move, (total + 1 + move, made + 1)))
        if not children:
            return levels
        chosen = sorted(sorted(children)[:width], key=lambda child: child[1:3])
        levels.append(list(dict.fromkeys(child[3] for child in chosen)))


def plain_generated(toy: Toy, levels: list[list[tuple[int, int]]]) -> int:
    """Count the allowed moves of all states."""
    return sum(sum(key > 0 for key in toy.keys_of(*state)) for level in levels for state in level)


@given(toys, st.integers(0, 20), st.integers(0, 7))
def test_the_toy_follows_its_plain_rules_in_batches(backend: Backend, toy: Toy, total: int, made: int) -> None:
    toy, xp = toy.on(backend), backend.xp
    states = backend.asarray(np.array([[0, total], [0, min(made, toy.depth)]], np.uint32))
    keys = toy.expand(states, 1, 2)
    assert keys.shape == (1, MOVES)
    assert keys[0].tolist() == toy.keys_of(total, min(made, toy.depth))
    ends = made >= toy.depth or total in (7, 14)
    assert keys[0].tolist() == [0 if ends else 1 + toy.worth_of(total + step) for step in (1, 2, 3)]
    children = toy.make(states, xp.ones(MOVES, xp.int32), xp.arange(MOVES, dtype=xp.uint16))
    assert children.tolist() == [[total + 1, total + 2, total + 3], [min(made, toy.depth) + 1] * 3]
    assert toy.value(children).tolist() == [toy.worth_of(total + step) for step in (1, 2, 3)]


@given(toys, st.integers(1, 40), st.integers(1, 9))
def test_every_level_equals_that_of_the_plain_version(backend: Backend, toy: Toy, width: int, batch: int) -> None:
    search = Beam(toy.on(backend))
    levels = [list(zip(*search.states.tolist(), strict=True))]
    while search.advance(width=width, batch=batch):
        levels.append(list(zip(*search.states.tolist(), strict=True)))
    assert levels == plain_levels(toy, width)
    for level, states in enumerate(levels):
        for index, (total, made) in enumerate(states):
            moves = search.path(level, index)
            assert len(moves) == made == level
            assert sum(move + 1 for move in moves) == total


@given(toys, st.integers(1, 40), st.integers(1, 9), st.booleans())
def test_the_result_is_the_first_of_the_best_states_of_all_levels(
    backend: Backend, toy: Toy, width: int, batch: int, bounded: bool
) -> None:
    reports: list[tuple[int, int]] = []
    levels_known = toy.depth if bounded else None
    result = beam(
        toy.on(backend), width=width, batch=batch, levels=levels_known, progress=lambda *so_far: reports.append(so_far)
    )
    levels = plain_levels(toy, width)
    states = [state for level in levels for state in level]
    best = max(states, key=lambda state: toy.worth_of(state[0]))
    assert result.value == toy.worth_of(best[0])
    assert (sum(move + 1 for move in result.moves), len(result.moves)) == best
    assert result.complete
    assert result.generated == plain_generated(toy, levels) == max([0, *(generated for generated, _ in reports)])
    assert [best for _, best in reports] == sorted(best for _, best in reports)
    assert len(reports) == len(levels) - 1
    assert result.expanded == len(states) - (len(levels[-1]) if bounded and len(levels) > toy.depth else 0)


def test_a_wide_beam_is_exhaustive_and_a_narrow_one_is_not() -> None:
    assert beam(LARGE, width=1000, batch=4).exhaustive
    narrow = beam(LARGE, width=2, batch=4)
    assert narrow.complete
    assert not narrow.exhaustive


def test_after_the_time_limit_only_the_first_level_is_started() -> None:
    result = beam(LARGE, width=1000, batch=4, time_limit=0.0)
    assert (result.complete, result.exhaustive, result.expanded, result.generated) == (False, False, 1, 3)
    assert result.value == 4  # the value of the sum 2, the best sum after one move


def test_the_duration_of_the_first_level_does_not_predict_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU may have started up during it."""
    expand, clock = Toy.expand, [0.0]

    def slow_at_first(toy: Toy, states: Array, first: int, last: int) -> Array:
        clock[0] += 10 if states.shape[1] == 1 else 0.1
        return expand(toy, states, first, last)

    monkeypatch.setattr(Toy, "expand", slow_at_first)
    monkeypatch.setattr("gpusolve.search.beam.clock", SimpleNamespace(now=lambda: clock[0]))
    assert beam(LARGE, width=1000, batch=1000, time_limit=15).complete
    assert not beam(LARGE, width=1000, batch=1000, time_limit=10.2).complete


def test_a_better_state_reported_by_look_ahead_is_the_result() -> None:
    levels = []

    def look_ahead(states: Array, level: int) -> tuple[int, int, list[int]] | None:
        levels.append(level)
        return (500, 1, [2, 2]) if level == 1 else None

    result = beam(LARGE, width=1000, batch=4, levels=LARGE.depth, look_ahead=look_ahead)
    assert (result.value, result.moves) == (500, [1, 2, 2])
    assert levels == list(range(LARGE.depth))
