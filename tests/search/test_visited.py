"""The set of visited states compared with Python's set."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from gpusolve.search.visited import VisitedSet


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), max_size=30), max_size=5))
def test_the_visited_set_behaves_like_a_set(batches: list[list[tuple[int, int]]]) -> None:
    visited, plain = VisitedSet(), set()
    for batch in batches:
        expected = []
        for row in batch:
            expected.append(row not in plain)
            plain.add(row)
        assert visited.add(np.array(batch, np.uint64).reshape(-1, 2)).tolist() == expected
    assert len(visited) == len(plain)


def test_the_visited_set_grows() -> None:
    rows = np.random.default_rng(0).integers(0, 1 << 62, (100_000, 3)).astype(np.uint64)
    visited = VisitedSet()
    assert all(visited.add(part).all() for part in np.array_split(rows, 7))
    assert not visited.add(rows).any()
    assert len(visited) == len(rows)
