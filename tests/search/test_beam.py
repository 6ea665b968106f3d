"""The beam against a plain form, on a toy game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpusolve.search import beam
from gpusolve.search.beam import Beam
from search.toy import MOVES, Toy, toys


def plain_levels(toy: Toy, width: int) -> list[list[tuple[int, int]]]:
    """The states of each level: the best `width` children, ties by parent and move, then without duplicates."""
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


@settings(deadline=None)
@given(toys, st.integers(1, 40), st.integers(1, 9))
def test_levels_are_those_of_the_plain_form(toy: Toy, width: int, batch: int) -> None:
    search = Beam(np, toy.root, toy.expand, toy.make)
    found = [[tuple(map(int, column)) for column in search.states.T]]
    while search.advance(width, batch):
        found.append([tuple(map(int, column)) for column in search.states.T])
    assert found == plain_levels(toy, width)
    for level, states in enumerate(found):
        for index, (total, made) in enumerate(states):
            moves = search.path(level, index)
            assert len(moves) == made == level
            assert sum(move + 1 for move in moves) == total


def test_a_wide_beam_leaves_nothing_out_and_a_narrow_one_says_so() -> None:
    toy = Toy((3, 1, 4, 1, 5, 9, 2, 6), 6)
    for width, dropped in ((1000, False), (2, True)):
        search = Beam(np, toy.root, toy.expand, toy.make)
        while search.advance(width, 4):
            pass
        assert search.dropped is dropped
        assert search.generated == sum(
            sum(key > 0 for key in toy.keys_of(*state)) for level in plain_levels(toy, width) for state in level
        )


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60), st.booleans())
def test_distinct_is_exact_even_if_all_hashes_are_alike(columns: list[tuple[int, int]], collide: bool) -> None:
    states = np.array(columns, np.uint32).T.copy()
    with pytest.MonkeyPatch.context() as patch:
        if collide:
            patch.setattr(beam, "_hashes", lambda xp, states: np.zeros(states.shape[1], np.uint64))
        keep = beam.distinct(np, states)
    first = [i for i, column in enumerate(columns) if column not in columns[:i]]
    assert (list(range(len(columns))) if keep is None else keep.tolist()) == first


@given(st.lists(st.integers(1, 65535), min_size=1, max_size=80), st.integers(1, 80))
def test_top_takes_the_largest_and_of_equal_ones_the_first(keys: list[int], count: int) -> None:
    found, index = beam._top(np, np.array(keys, np.uint16), np.arange(len(keys)), count)
    best = sorted(range(len(keys)), key=lambda i: (-keys[i], i))[:count]
    assert index.tolist() == sorted(best)
    assert found.tolist() == [keys[i] for i in sorted(best)]


def test_moves_of_the_toy() -> None:
    assert Toy((1, 2), 1).keys(np.zeros((2, 1), np.uint32)).shape == (1, MOVES)
